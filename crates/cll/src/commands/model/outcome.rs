//! The results of the launches, as text.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use crate::failure::{Failure, Status};
use crate::launch::ending;
use crate::sampling::{Launched, Variation};
use crate::terminal::Terminal;
use cll_measure::{Measured, in_words};

/// Values of failed launches that are named.
const MOST_VALUES: usize = 5;
/// Lines of the program's output that are shown if it fails.
const TAIL_LINES: usize = 20;

/// Reports failures. Returns the exit code if there are samples to fit, recorded now or by an earlier call.
///
/// # Errors
/// If nothing was recorded.
pub fn assess(
    measured: &Measured,
    variations: &[Variation],
    terminal: &Terminal,
) -> Result<u8, Failure> {
    let Measured { launched: runs, folder, .. } = measured;
    let recorded = measured.model.is_some();
    let failed: Vec<(usize, String)> = runs
        .iter()
        .enumerate()
        .filter_map(|(index, launched)| Some((index, ending(&launched.outcome)?)))
        .collect();
    let interrupted = runs.iter().find_map(|launched| launched.outcome.interrupted);
    if let (Some((_, what)), None) = (failed.last(), interrupted) {
        let kept = if recorded { "; recorded samples are kept and used" } else { "" };
        terminal.warn(&format!(
            "in {} of {} launches the program {what}{}{kept}",
            failed.len(),
            runs.len(),
            values(failed.iter().map(|(index, _)| &runs[*index]), variations)
        ));
        show_tail(&folder.log(), terminal);
    }
    for lost in runs.iter().filter_map(|launched| launched.outcome.lost.as_ref()) {
        terminal.complain(&lost.text(), &[]);
    }
    let lost = runs.iter().any(|launched| launched.outcome.lost.is_some());
    match (recorded, interrupted) {
        (true, Some(signal)) => {
            terminal.warn(&format!(
                "interrupted after {} {}; recorded samples are used",
                runs.len(),
                if runs.len() == 1 { "launch" } else { "launches" }
            ));
            Ok((128 + signal) as u8)
        }
        (true, None) if lost => Ok(Status::System.code()),
        (true, None) if !failed.is_empty() => Ok(Status::Program.code()),
        (true, None) => Ok(0),
        (false, Some(_)) => Err(Failure::program("interrupted before anything was recorded")),
        (false, None) if lost => Err(Failure::Reported(Status::System)),
        (false, None) if !failed.is_empty() => {
            Err(Failure::program("nothing was recorded before that"))
        }
        (false, None) => Err(Failure::fit(format!(
            "nothing was recorded: no experiment was reached; there are {}",
            measured.experiments.join(", ")
        ))
        .help("if the program needs arguments, give them after `--`")),
    }
}

/// ` (N=16384; N=32768)`: the values of launches, each once.
fn values<'a>(launched: impl Iterator<Item = &'a Launched>, variations: &[Variation]) -> String {
    let mut all: Vec<String> = Vec::new();
    for launch in launched {
        let words = in_words(variations, &launch.launching.values);
        if !words.is_empty() && !all.contains(&words) {
            all.push(words);
        }
    }
    let more = if all.len() > MOST_VALUES {
        format!("; {} more", all.len() - MOST_VALUES)
    } else {
        String::new()
    };
    all.truncate(MOST_VALUES);
    if all.is_empty() { String::new() } else { format!(" ({}{more})", all.join("; ")) }
}

fn show_tail(log: &Path, terminal: &Terminal) {
    let Ok(text) = end_of(log) else { return };
    let lines: Vec<&str> = text.lines().collect();
    if lines.is_empty() {
        return;
    }
    terminal.error_text(format!("the end of what it printed ({}):\n", log.display()).as_bytes());
    for line in &lines[lines.len().saturating_sub(TAIL_LINES)..] {
        terminal.error_text(format!("  | {}\n", cll_report::escape(line)).as_bytes());
    }
}

fn end_of(path: &Path) -> std::io::Result<String> {
    const MAX_BYTES: u64 = 4096;
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(MAX_BYTES)))?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
