//! `cll upsilon import`: a corrected file.

use std::path::Path;

use cll_upsilon::{mark_hand, write};

use super::SourceSets;
use super::file::{Source, Text, beside, changed};
use super::json::UpsilonJson;
use crate::cli::UpsilonImportArgs;
use crate::failure::{Failure, Status};
use crate::files;
use crate::terminal::Terminal;
use cll_analysis::Messages;

/// Checks a corrected file against its source, and writes it beside the source.
pub fn run(args: &UpsilonImportArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let text = Text::read(&args.file)?;
    let path = args.source.clone().or_else(|| text.source());
    let beside = path.as_deref().map(beside);
    // What it is compared with: the file that is there, or else what would be proposed.
    let before = beside.as_deref().filter(|file| file.exists() && !same_file(file, &args.file));
    let out = args.out.as_deref().or(beside.as_deref());
    let (upsilon, changed) = take(&text, path.as_deref(), before, out, terminal as &dyn Messages)?;
    if args.json {
        terminal.json(&UpsilonJson::new(&upsilon, &[]))?
    } else {
        let out = upsilon.file.as_deref().map_or_else(String::new, |out| out.display().to_string());
        terminal.line(match changed {
            0 => format!("{out}: written; nothing differs from before"),
            1 => format!("{out}: written; 1 statement was changed by hand"),
            _ => format!("{out}: written; {changed} statements were changed by hand"),
        })?;
    }
    Ok(0)
}

/// Checks a corrected text against its source, marks what differs from an earlier file or from the proposal as changed
/// by hand, and writes it. Gives the number of changes.
///
/// # Errors
/// If the text is wrong, which is reported, or if the file cannot be written.
pub fn take(
    text: &Text,
    path: Option<&Path>,
    before: Option<&Path>,
    out: Option<&Path>,
    messages: &dyn Messages,
) -> Result<(SourceSets, usize), Failure> {
    text.diagnose(messages, &text.read.diagnostics);
    let (Some(path), Some(out)) = (path, out) else {
        return Err(Failure::Reported(Status::Input));
    };
    let source = Source::read(path, &[], messages)?;
    let anchored = text.anchored(&source);
    text.diagnose(messages, &anchored.diagnostics);
    if text.read.sets.is_some() && !anchored.is_same_source {
        messages.warn(&changed(path, &anchored));
    }
    let mut sets = anchored.sets.ok_or(Failure::Reported(Status::Input))?;
    let there = before.map(Text::read).transpose()?.and_then(|text| text.anchored(&source).sets);
    let changed = mark_hand(&mut sets, &there.unwrap_or_else(|| source.proposed()));
    sets.source = files::base(path);
    let target = files::Output::apart_from(out, std::slice::from_ref(&path.to_path_buf()))?;
    target.write(write(&sets).as_bytes())?;
    let upsilon = SourceSets {
        source: path.to_path_buf(),
        file: Some(out.to_path_buf()),
        sets,
        moved: anchored.moved,
    };
    Ok((upsilon, changed))
}

fn same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
