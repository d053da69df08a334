//! `cll translate`: FILE.c to FILE.cll.c and FILE.cll.h.

use std::borrow::Cow;
use std::path::PathBuf;

use cll_diagnostic::LocatedDiagnostic;
use schemars::JsonSchema;
use serde::Serialize;

use super::sweep;
use crate::cli::TranslateArgs;
use crate::compiler::{CompileUnit, Compiler, CompilerKind, translated_name};
use crate::failure::{Failure, Status};
use crate::files::{self, Derived, Kept, Output, is_apart};
use crate::terminal::Terminal;

/// Translates each file.
pub fn run(args: &TranslateArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let compiler = Compiler::choose(CompilerKind::C)?;
    let automatic = args.auto.choice();
    let mut answer = TranslateJson { version: 1, files: Vec::new() };
    let mut failed = false;
    let mut written: Vec<PathBuf> = Vec::new();
    for path in &args.files {
        let unit = CompileUnit::read(path, &compiler, &args.compiler, automatic.as_ref())?;
        if !args.json {
            unit.report(terminal);
        }
        let outputs =
            if unit.translation.failed() { Vec::new() } else { write(&unit, args, &mut written)? };
        failed |= unit.translation.failed();
        if args.json {
            answer.files.push(FileJson::new(&unit, &outputs))
        } else {
            summary(&unit, &outputs, terminal)?
        }
    }
    if args.json {
        terminal.json(&answer)?;
    }
    if failed { Err(Failure::Reported(Status::Input)) } else { Ok(0) }
}

/// Writes source and header; adds their names.
fn write(
    unit: &CompileUnit,
    args: &TranslateArgs,
    written: &mut Vec<PathBuf>,
) -> Result<Vec<PathBuf>, Failure> {
    let folder = match args.output.as_deref() {
        Some(folder) => {
            files::make_folder(folder)?;
            folder
        }
        None => files::folder(&unit.path),
    };
    let place = |name: &str| files::in_folder(folder, name);
    let code = match &unit.translation.code {
        Some(code) => Cow::Borrowed(&code[..]),
        None => Cow::Owned(cll_translate::copied(&unit.text)),
    };
    let mut outputs = vec![(place(&translated_name(&unit.path)), &*code)];
    let header = unit.translation.header.as_ref().map(cll_translate::Header::timed);
    if let Some(header) = &header {
        outputs.push((place(&unit.header), header.as_bytes()));
    }
    let translation = &unit.translation;
    let counts = translation.procs.as_ref();
    let script = sweep::script(&unit.path, translation.model, counts, &args.batch)?;
    let script = script.map(|(name, text)| (place(&name), text));
    if let Some((path, text)) = &script {
        outputs.push((path.clone(), text.as_bytes()));
    }
    let mut targets = Vec::with_capacity(outputs.len());
    for (path, bytes) in &outputs {
        if written.contains(path) {
            return Err(Failure::usage(format!(
                "two of the files would be written to {}",
                path.display()
            ))
            .help("translate them into different folders"));
        }
        is_apart(path, &args.files)?;
        let derived = Derived {
            what: "file that cll translate has written",
            is_own,
            kind: Some(Kept::Source),
            rename: "-o names another folder",
        };
        targets.push((Output::derived(path, &derived, args.force)?, bytes));
        written.push(path.clone());
    }
    for (output, bytes) in targets {
        output.write(bytes)?;
    }
    if let Some((path, _)) = &script {
        files::make_executable(path)?;
    }
    Ok(outputs.into_iter().map(|(path, _)| path).collect())
}

/// Whether a file that begins so was written by this command.
fn is_own(start: &[u8]) -> bool {
    cll_translate::is_translated(start) || sweep::is_script(start)
}

fn summary(
    unit: &CompileUnit,
    outputs: &[PathBuf],
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    if outputs.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = outputs.iter().map(|path| path.display().to_string()).collect();
    let names = names.join(", ");
    let translation = &unit.translation;
    if !translation.directives_found {
        return terminal.line(format!("{}: no `#pragma cll` line, copied to {names}", unit.name()));
    }
    let count = |count: usize, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    };
    terminal.line(format!(
        "{}: {} at {}, {}, {}: {names}",
        unit.name(),
        count(translation.experiments.len(), "experiment", "experiments"),
        count(translation.places.len(), "place", "places"),
        count(translation.loops.len(), "sampling loop", "sampling loops"),
        translation.model.name(),
    ))?;
    for out in &translation.left_out {
        terminal.line(format!(
            "{}:{}: left out: {}: {}",
            unit.name(),
            out.line,
            out.name,
            out.why
        ))?;
    }
    Ok(())
}

/// The JSON of `--json`.
#[derive(Serialize, JsonSchema)]
pub struct TranslateJson {
    version: u32,
    files: Vec<FileJson>,
}

#[derive(Serialize, JsonSchema)]
struct FileJson {
    file: String,
    outputs: Vec<String>,
    model: &'static str,
    processors: Option<Vec<u32>>,
    experiments: Vec<ExperimentJson>,
    loops: Vec<LoopJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOutJson>,
    diagnostics: Vec<LocatedDiagnostic>,
}

#[derive(Serialize, JsonSchema)]
struct ExperimentJson {
    name: String,
    formula: String,
    variables: Vec<String>,
    places: Vec<PlaceJson>,
}

#[derive(Serialize, JsonSchema)]
struct PlaceJson {
    function: String,
    line: usize,
    end_line: usize,
    every: u32,
    sync: bool,
}

#[derive(Serialize, JsonSchema)]
struct LeftOutJson {
    name: String,
    line: usize,
    why: String,
}

#[derive(Serialize, JsonSchema)]
struct LoopJson {
    head: String,
    ordered: bool,
    line: usize,
    end_line: usize,
}

impl FileJson {
    fn new(unit: &CompileUnit, outputs: &[PathBuf]) -> FileJson {
        let translation = &unit.translation;
        let place = |&index: &usize| {
            let place = &translation.places[index];
            PlaceJson {
                function: place.function.clone(),
                line: place.line,
                end_line: place.end_line,
                every: place.every,
                sync: place.sync,
            }
        };
        let experiments = translation.experiments.iter().map(|experiment| ExperimentJson {
            name: experiment.name.clone(),
            formula: experiment.formula_text().to_owned(),
            variables: experiment.variables.clone(),
            places: experiment.places.iter().map(place).collect(),
        });
        let loops = translation.loops.iter().map(|source_loop| LoopJson {
            head: source_loop.head.clone(),
            ordered: source_loop.ordered,
            line: source_loop.line,
            end_line: source_loop.end_line,
        });
        let left_out = translation.left_out.iter().map(|out| LeftOutJson {
            name: out.name.clone(),
            line: out.line,
            why: out.why.clone(),
        });
        FileJson {
            file: unit.name(),
            outputs: outputs.iter().map(|path| path.to_string_lossy().into_owned()).collect(),
            model: translation.model.name(),
            processors: translation.procs.clone(),
            experiments: experiments.collect(),
            loops: loops.collect(),
            left_out: left_out.collect(),
            diagnostics: LocatedDiagnostic::all(
                &unit.text,
                translation.diagnostics.iter().cloned(),
            ),
        }
    }
}
