//! Υ files and their sources.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cll_analysis::Messages;
use cll_diagnostic::Diagnostic;
use cll_driver::compiler::{CompileUnit, Compiler, CompilerKind};
use cll_upsilon::{Anchored, Moved, Read, Sets, Wanted, anchor, crc32, propose, read};

use crate::failure::{Failure, Status};
use crate::files;

/// The end of the names of Υ files.
const SUFFIX: &str = ".upsilon.toml";
/// Moved statements that are named.
const NAMED: usize = 5;

/// The sets of a source.
#[derive(Debug)]
pub struct SourceSets {
    /// The source.
    pub source: PathBuf,
    /// The file; `None` if the sets were only proposed.
    pub file: Option<PathBuf>,
    /// The sets.
    pub sets: Sets,
    /// Statements that stand elsewhere in this version of the source.
    pub moved: Vec<Moved>,
}

/// A source with its experiments.
#[derive(Debug)]
pub struct Source {
    /// The file, translated.
    pub unit: CompileUnit,
    /// Those that have a formula.
    pub wanted: Vec<Wanted>,
}

impl Source {
    /// Reads and translates it.
    ///
    /// # Errors
    /// If it cannot be read, has errors, or has no experiment with a formula. Messages are reported.
    pub fn read(
        path: &Path,
        flags: &[OsString],
        messages: &dyn Messages,
    ) -> Result<Source, Failure> {
        let compiler = Compiler::choose(CompilerKind::C)?;
        let unit = CompileUnit::read(path, &compiler, flags, None)?;
        let translation = &unit.translation;
        if translation.failed() {
            messages.diagnose(&unit.name(), &unit.text, &translation.diagnostics);
            return Err(Failure::Reported(Status::Input));
        }
        let wanted = translation.experiments.iter().filter_map(|experiment| {
            let places = experiment.places.iter().map(|&index| &translation.places[index]);
            Some(Wanted {
                name: experiment.name.clone(),
                formula: experiment.formula.as_ref()?.shape().clone(),
                regions: places.map(|place| (place.line, place.end_line)).collect(),
            })
        });
        let wanted: Vec<Wanted> = wanted.collect();
        for experiment in
            translation.experiments.iter().filter(|experiment| experiment.formula.is_none())
        {
            messages.note(&format!(
                "{} has no formula in the source (auto), and no sets",
                experiment.name
            ));
        }
        if wanted.is_empty() {
            let message = format!("{} has no experiment with a formula", unit.name());
            return Err(Failure::input(message)
                .help("a region is marked so: #pragma cll f f[0] + f[1]*N … #pragma cll end f"));
        }
        Ok(Source { unit, wanted })
    }

    /// The sets by the nesting of loops.
    pub fn proposed(&self) -> Sets {
        Sets {
            source: files::base(&self.unit.path),
            crc32: crc32(&self.unit.text),
            by: concat!("cll ", env!("CARGO_PKG_VERSION")).to_owned(),
            experiments: propose(&self.unit.text, &self.wanted),
        }
    }
}

/// The Υ file of a source.
pub fn beside(source: &Path) -> PathBuf {
    files::in_folder(files::folder(source), &format!("{}{SUFFIX}", files::stem(source)))
}

/// A Υ file as it was read.
#[derive(Debug)]
pub struct Text {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
    pub read: Read,
}

impl Text {
    /// Reads it.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(path: &Path) -> Result<Text, Failure> {
        let bytes = files::read_text(path)?;
        Ok(Text::from_bytes(path, bytes))
    }

    /// From its content.
    pub fn from_bytes(path: &Path, bytes: Vec<u8>) -> Text {
        let read = read(&bytes);
        Text { path: path.to_path_buf(), bytes, read }
    }

    /// Prints messages about it.
    pub fn diagnose(&self, messages: &dyn Messages, diagnostics: &[Diagnostic]) {
        messages.diagnose(&self.path.display().to_string(), &self.bytes, diagnostics);
    }

    /// The source that it names, beside it.
    pub fn source(&self) -> Option<PathBuf> {
        let sets = self.read.sets.as_ref()?;
        Some(files::in_folder(files::folder(&self.path), &sets.source))
    }

    /// It beside its source.
    pub fn anchored(&self, source: &Source) -> Anchored {
        anchor(&self.read, &source.unit.text, &source.wanted)
    }
}

/// The sets of a file: of a source those in the file beside it, or else proposed ones. Messages are reported.
///
/// # Errors
/// If a file cannot be read or is wrong, or if the sets are not those of the source any more.
pub fn load_sets(path: &Path, messages: &dyn Messages) -> Result<SourceSets, Failure> {
    let is_file = path.to_string_lossy().ends_with(".toml");
    let file = if is_file { path.to_path_buf() } else { beside(path) };
    if !is_file && !file.exists() {
        let source = Source::read(path, &[], messages)?;
        messages.note(&format!(
            "there is no {}: the sets are proposed; `cll upsilon propose {}` writes it",
            file.display(),
            path.display()
        ));
        let sets = source.proposed();
        return Ok(SourceSets { source: path.to_path_buf(), file: None, sets, moved: Vec::new() });
    }
    let text = Text::read(&file)?;
    text.diagnose(messages, &text.read.diagnostics);
    let named = text.source().ok_or(Failure::Reported(Status::Input))?;
    let source = if is_file { named } else { path.to_path_buf() };
    let anchored = text.anchored(&Source::read(&source, &[], messages)?);
    text.diagnose(messages, &anchored.diagnostics);
    if !anchored.is_same_source {
        messages.warn(&changed(&source, &anchored));
    }
    let sets = anchored.sets.ok_or(Failure::Reported(Status::Input))?;
    Ok(SourceSets { source, file: Some(file), sets, moved: anchored.moved })
}

/// A sentence on what has changed in a source.
pub fn changed(source: &Path, anchored: &Anchored) -> String {
    let source = source.display();
    let gone = anchored.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    let moved = anchored
        .moved
        .iter()
        .take(NAMED)
        .map(|moved| format!("`{}` from line {} to {}", moved.text, moved.from, moved.to));
    let mut moved: Vec<String> = moved.collect();
    if anchored.moved.len() > NAMED {
        moved.push(format!("{} more", anchored.moved.len() - NAMED));
    }
    match (gone, moved.is_empty()) {
        (0, true) => format!("{source} has changed since, but not these statements"),
        (0, false) => format!("{source} has changed since; moved: {}", moved.join(", ")),
        _ => format!("{source} has changed since, and the sets are not valid for it"),
    }
}
