//! `cll upsilon check`: errors in Υ files, and changed sources.

use cll_diagnostic::LocatedDiagnostic;
use schemars::JsonSchema;
use serde::Serialize;

use super::file::{Source, Text, changed};
use super::json::MovedJson;
use crate::cli::UpsilonCheckArgs;
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;
use cll_analysis::Messages;

/// A Υ file that was checked.
#[derive(Serialize, JsonSchema)]
struct Checked {
    file: String,
    right: bool,
    /// Whether the source is the one for which the file was written; `None` if the file cannot be read.
    same_source: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moved: Vec<MovedJson>,
    diagnostics: Vec<LocatedDiagnostic>,
}

/// The Υ files that were checked, as JSON.
#[derive(Serialize, JsonSchema)]
pub struct CheckedFiles {
    format: &'static str,
    version: u32,
    files: Vec<Checked>,
}

/// Checks each file.
pub fn run(args: &UpsilonCheckArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let mut checked = Vec::new();
    for path in &args.files {
        let text = Text::read(path)?;
        let mut diagnostics = text.read.diagnostics.clone();
        let anchored = match text.source() {
            Some(source) => {
                let source = Source::read(&source, &[], terminal as &dyn Messages)?;
                Some(text.anchored(&source))
            }
            None => None,
        };
        diagnostics.extend(anchored.iter().flat_map(|anchored| anchored.diagnostics.clone()));
        let sets = anchored.as_ref().and_then(|anchored| anchored.sets.as_ref());
        let name = path.display().to_string();
        if !args.json {
            text.diagnose(terminal as &dyn Messages, &diagnostics);
            let source = text.source().unwrap_or_default();
            if let Some(anchored) = anchored.as_ref().filter(|anchored| !anchored.is_same_source) {
                terminal.warn(&changed(&source, anchored));
            }
            if let Some(sets) = sets {
                let count = |number: usize, one: &str, many: &str| match number {
                    1 => format!("1 {one}"),
                    _ => format!("{number} {many}"),
                };
                let statements: usize =
                    sets.experiments.iter().map(|experiment| experiment.statements.len()).sum();
                terminal.line(format!(
                    "{name}: valid: {}, {}",
                    count(sets.experiments.len(), "experiment", "experiments"),
                    count(statements, "statement", "statements"),
                ))?;
            }
        }
        checked.push(Checked {
            file: name,
            right: sets.is_some(),
            same_source: anchored.as_ref().map(|anchored| anchored.is_same_source),
            moved: anchored
                .iter()
                .flat_map(|anchored| &anchored.moved)
                .map(MovedJson::new)
                .collect(),
            diagnostics: LocatedDiagnostic::all(&text.bytes, diagnostics),
        });
    }
    let right = checked.iter().all(|checked| checked.right);
    if args.json {
        terminal.json(&CheckedFiles { format: "cll-upsilon-check", version: 1, files: checked })?;
    }
    if right { Ok(0) } else { Err(Failure::Reported(Status::Input)) }
}
