//! Finds the statements of a Υ file in its source, which may have changed since.

use std::collections::BTreeSet;

use cll_diagnostic::{Diagnostic, nearest};

use crate::propose::Wanted;
use crate::read::Read;
use crate::sets::{Sets, Statement, crc32};

/// A statement that stands elsewhere now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The text.
    pub text: String,
    /// The line in the file.
    pub from: usize,
    /// The line in the source.
    pub to: usize,
}

/// A Υ file beside its source.
#[derive(Clone, Debug, PartialEq)]
pub struct Anchored {
    /// The sets with the lines and the checksum of this source; `None` with an error.
    pub sets: Option<Sets>,
    /// Whether the source is the one for which the file was written.
    pub is_same_source: bool,
    /// Statements that stand elsewhere now.
    pub moved: Vec<Moved>,
    /// Places are in the Υ file.
    pub diagnostics: Vec<Diagnostic>,
}

/// Looks for the statements of a file in a source, with the experiments that the source has now.
///
/// In the source that the file was written for, each statement must stand where the file says. In another version a
/// statement is found by its text and its function; one that is gone, and a formula that has changed, is an error.
pub fn anchor(read: &Read, source: &[u8], wanted: &[Wanted]) -> Anchored {
    let mut diagnostics = Vec::new();
    let Some(sets) = &read.sets else {
        return Anchored { sets: None, is_same_source: false, moved: Vec::new(), diagnostics };
    };
    let is_same_source = sets.crc32 == crc32(source);
    let parts = crate::propose::parts(source);
    let mut sets = Sets { crc32: crc32(source), ..sets.clone() };
    let mut moved = Vec::new();
    for (index, experiment) in sets.experiments.iter_mut().enumerate() {
        let none = (0..0, Vec::new());
        let (place, places) = read.places.get(index).unwrap_or(&none);
        let names: Vec<&str> = wanted.iter().map(|wanted| wanted.name.as_str()).collect();
        match wanted.iter().find(|wanted| wanted.name == experiment.name) {
            None => {
                let text = format!("the source has no experiment `{}`", experiment.name);
                let wrong = Diagnostic::error("U006", place.clone(), text);
                let meant = nearest(&experiment.name, names.iter().copied());
                diagnostics.push(match meant {
                    Some(name) => wrong.help(format!("did you mean {name}?")),
                    None => wrong.help("remove it from the file, or propose the sets again"),
                });
                continue;
            }
            Some(current) if current.formula.text() != experiment.formula => {
                let text = format!(
                    "the formula of `{}` is now {}, and the file is for {}",
                    experiment.name,
                    current.formula.text(),
                    experiment.formula
                );
                let wrong = Diagnostic::error("U007", place.clone(), text);
                diagnostics.push(wrong.help("propose the sets again: `cll upsilon propose`"));
                continue;
            }
            Some(_) => {}
        }
        let mut used = BTreeSet::new();
        let mut shift = 0isize;
        for (position, statement) in experiment.statements.iter_mut().enumerate() {
            let place = places.get(position).cloned().unwrap_or(0..0);
            let is_it = |part: &&(usize, Statement)| part.1.text == statement.text;
            let in_function = |part: &&(usize, Statement)| {
                statement.function.is_empty() || part.1.function == statement.function
            };
            let expected = statement.line as isize + shift;
            let free = parts.iter().filter(is_it).filter(in_function);
            let free = free.filter(|part| !used.contains(&part.0));
            let best = free.min_by_key(|part| (part.1.line as isize - expected).unsigned_abs());
            match best {
                Some(part) if part.1.line == statement.line || !is_same_source => {
                    used.insert(part.0);
                    shift = part.1.line as isize - statement.line as isize;
                    if shift != 0 {
                        moved.push(Moved {
                            text: statement.text.clone(),
                            from: statement.line,
                            to: part.1.line,
                        });
                    }
                    statement.line = part.1.line;
                    statement.function.clone_from(&part.1.function);
                }
                best => {
                    let elsewhere = best.map(|part| part.1.line);
                    diagnostics.push(gone(statement, place, elsewhere, is_same_source, &parts));
                }
            }
        }
    }
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    Anchored { sets: (!failed).then_some(sets), is_same_source, moved, diagnostics }
}

/// The message for a statement that is not there.
fn gone(
    statement: &Statement,
    place: std::ops::Range<usize>,
    elsewhere: Option<usize>,
    is_same_source: bool,
    parts: &[(usize, Statement)],
) -> Diagnostic {
    let text = if is_same_source {
        format!("line {} of the source has no statement `{}`", statement.line, statement.text)
    } else {
        format!(
            "`{}` (line {}) is no longer in the source{}",
            statement.text,
            statement.line,
            match statement.function.as_str() {
                "" => String::new(),
                function => format!(", function {function}"),
            }
        )
    };
    let wrong = Diagnostic::error("U008", place, text);
    if let Some(line) = elsewhere {
        return wrong.help(format!("it is at line {line}"));
    }
    let here = parts.iter().filter(|part| part.1.line == statement.line);
    let here: Vec<String> = here.map(|part| format!("`{}`", part.1.text)).collect();
    match (is_same_source, here.is_empty()) {
        (false, _) => wrong
            .help("propose the sets again: `cll upsilon propose` keeps what was corrected by hand"),
        (true, true) => wrong.help("no statement begins at that line"),
        (true, false) => wrong.help(format!("that line has {}", here.join(", "))),
    }
}
