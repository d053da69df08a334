//! The statements of constants, beside the sources of a page.

use std::fs;
use std::path::{Path, PathBuf};

use cll_report::{PageSets, PageSource};
use cll_upsilon::statements;

use crate::commands::llac::Heard;
use crate::commands::upsilon::{Text, beside, load_sets};
use crate::failure::Failure;
use crate::files;

/// A Υ file and its source.
#[derive(Clone, Debug)]
pub struct SetsPlace {
    /// The source.
    pub source: PathBuf,
    /// The file; there may be none yet.
    pub file: PathBuf,
}

impl SetsPlace {
    /// The file that is named, or the one beside the only source whose statements are known.
    ///
    /// # Errors
    /// If the file is of no source of the page, or if it is not named and there are several.
    pub fn choose(
        named: Option<&Path>,
        sources: &[(PageSource, Option<PathBuf>)],
    ) -> Result<SetsPlace, Failure> {
        let all = sources.iter().filter(|(source, _)| !source.regions.is_empty());
        let all: Vec<&PathBuf> = all.filter_map(|(_, path)| path.as_ref()).collect();
        let of_file = match named {
            Some(file) if file.exists() => Text::read(file)?.source(),
            _ => None,
        };
        let source = match (of_file, &all[..]) {
            (Some(chosen), all) => {
                let wanted = chosen.canonicalize();
                let same = |path: &&&PathBuf| matches!((path.canonicalize(), &wanted), (Ok(a), Ok(b)) if a == *b);
                let path = all.iter().find(same).copied();
                path.ok_or_else(|| {
                    let chosen = chosen.display();
                    Failure::usage(format!(
                        "--upsilon: {chosen} is no source of the page with a region"
                    ))
                })?
            }
            (None, [single]) => single,
            (None, []) => {
                return Err(Failure::input("the page has no source with a region")
                    .help("the source must be there, as it was measured"));
            }
            (None, several) => {
                let files = several.iter().map(|path| beside(path).display().to_string());
                let files: Vec<String> = files.collect();
                return Err(Failure::usage("the page has several sources with regions")
                    .help(format!("name one by --upsilon: {}", files.join(", "))));
            }
        };
        let file = named.map_or_else(|| beside(source), Path::to_path_buf);
        let folders = (files::folder(&file).canonicalize(), files::folder(source).canonicalize());
        if !matches!(folders, (Ok(a), Ok(b)) if a == b) {
            let source = source.display();
            return Err(Failure::usage(format!("--upsilon: the file must be beside {source}"))
                .help("the file names its source from its own folder"));
        }
        Ok(SetsPlace { source: source.clone(), file })
    }

    /// The version of the file, by its content.
    pub fn version(&self) -> String {
        match fs::read(&self.file) {
            Ok(bytes) => format!("{:08x}", crc32fast::hash(&bytes)),
            Err(_) => "none".to_owned(),
        }
    }
}

/// Puts the sets into the sources that have regions: those of `place`, else of the file beside the source, else proposed
/// ones. A file that is wrong is named in the note of its source.
///
/// # Errors
/// If the file of `place` is wrong.
pub fn add(
    sources: &mut [(PageSource, Option<PathBuf>)],
    place: Option<&SetsPlace>,
    version: Option<&str>,
) -> Result<(), Failure> {
    for (source, path) in sources.iter_mut().filter(|(source, _)| !source.regions.is_empty()) {
        let (Some(path), Some(text)) = (path, &source.text) else { continue };
        let own = place.filter(|place| place.source == *path);
        let file = own.map_or_else(|| beside(path), |place| place.file.clone());
        let is_kept = file.exists();
        if path.extension().is_none_or(|end| end != "c") && !is_kept {
            continue;
        }
        let heard = Heard::default();
        let sets = match load_sets(if is_kept { &file } else { path }, &heard) {
            Ok(upsilon) => upsilon.sets,
            Err(failure) => {
                let why = heard.refusal(failure);
                if own.is_some() {
                    return Err(why
                        .help
                        .into_iter()
                        .fold(Failure::input(why.message), Failure::help));
                }
                if is_kept {
                    let note = format!("{} is not used: {}", files::base(&file), why.message);
                    source.note = [source.note.as_str(), &note].join(" ").trim().to_owned();
                }
                continue;
            }
        };
        let is_near = |function: &str| {
            let mut all = sets.experiments.iter().flat_map(|experiment| &experiment.statements);
            all.any(|statement| statement.function == function)
        };
        let mut near = statements(text.as_bytes());
        near.retain(|statement| is_near(&statement.function));
        source.sets = Some(PageSets {
            sets,
            file: files::base(&file),
            is_kept,
            statements: near,
            version: own.and(version).map(str::to_owned),
        });
    }
    Ok(())
}
