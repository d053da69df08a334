//! `cll upsilon import`: a corrected file.

use cll_upsilon::{mark_hand, write};

use super::Found;
use super::file::{Source, Text, beside, changed};
use super::json::UpsilonJson;
use crate::cli::UpsilonImportArgs;
use crate::failure::{Failure, Status};
use crate::files;
use crate::terminal::Terminal;
use cll_analysis::Messages;

/// Checks it against its source, marks what a person has changed, and writes it beside the source.
pub fn run(args: &UpsilonImportArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let text = Text::read(&args.file)?;
    text.diagnose(terminal as &dyn Messages, &text.read.diagnostics);
    let named = text.source().ok_or(Failure::Reported(Status::Input))?;
    let path = args.source.clone().unwrap_or(named);
    let source = Source::read(&path, &[], terminal as &dyn Messages)?;
    let anchored = text.anchored(&source);
    text.diagnose(terminal as &dyn Messages, &anchored.diagnostics);
    if !anchored.is_same_source {
        terminal.warn(&changed(&path, &anchored));
    }
    let mut sets = anchored.sets.ok_or(Failure::Reported(Status::Input))?;
    // What it is compared with: the file that is there, or else what would be proposed.
    let out = args.out.clone().unwrap_or_else(|| beside(&path));
    let there = match beside(&path) {
        file if file.exists() && !same_file(&file, &args.file) => {
            Text::read(&file)?.anchored(&source).sets
        }
        _ => None,
    };
    let before = there.unwrap_or_else(|| source.proposed());
    let changed = mark_hand(&mut sets, &before);
    sets.source = files::base(&path);
    files::Output::apart_from(&out, std::slice::from_ref(&path))?.write(write(&sets).as_bytes())?;
    let found = Found { source: path, file: Some(out.clone()), sets, moved: anchored.moved };
    match args.json {
        true => terminal.json(&UpsilonJson::new(&found, &[]))?,
        false => terminal.line(match changed {
            0 => format!("{}: written; nothing differs from before", out.display()),
            1 => format!("{}: written; 1 statement was changed by hand", out.display()),
            _ => format!("{}: written; {changed} statements were changed by hand", out.display()),
        })?,
    }
    Ok(0)
}

fn same_file(a: &std::path::Path, b: &std::path::Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
