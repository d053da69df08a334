//! Says how a run has ended, and where its samples are.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;

use cll_diagnostic::counted;
use cll_trace::{Cause, Warning};

use crate::launch::{Instrumented, Outcome, Parallelism, ending};
use crate::terminal::Terminal;

/// Bytes of a trace that is read in a fraction of a second. Fits of larger ones tell what is lost.
const MAX_SURVEYED: u64 = 256 << 20;

/// Says that the program might not use as many processors as it had, or only a part of the time. Who asks for more than
/// the machine has knows that.
pub(super) fn report_allowance(
    outcome: &Outcome,
    parallelism: Parallelism,
    asked: Option<u32>,
    terminal: &Terminal,
) {
    let what = match parallelism {
        Parallelism::Threads => "threads",
        Parallelism::Bsp | Parallelism::Objects => "processors",
        // They may be on other hosts.
        Parallelism::Ranks => "",
    };
    let is_told = !what.is_empty() && outcome.allowed.is_restricted();
    let asked = asked.filter(|_| is_told).map(f64::from);
    let short = asked.and_then(|asked| outcome.allowed.short_of(asked, what));
    for text in outcome.allowed.stopped_in_words().into_iter().chain(short) {
        terminal.warn(&text);
    }
}

/// For a program whose processes others have started.
pub(super) fn report_files(outcome: &Outcome, name: &str, terminal: &Terminal) {
    if let Some(what) = ending(outcome) {
        terminal.warn(&format!("the program {what}"));
    }
    terminal.note(&format!(
        "each process has recorded in its own file: {name}.cll.{}.*.dat",
        outcome.number
    ));
}

/// `passes`: the trace is temporary. `has_files`: each process wrote a file of its own.
pub(super) fn report_outcome(
    outcome: &Outcome,
    program: &Path,
    instrumented: &Instrumented,
    passes: bool,
    has_files: bool,
    terminal: &Terminal,
) {
    if let Some(what) = ending(outcome) {
        let kept = match outcome.trace {
            Some(_) if !passes => "; its recorded samples are kept",
            _ => "",
        };
        terminal.warn(&format!("the program {what}{kept}"));
    }
    if let (Some(_), Some(trace)) = (&outcome.ends, &outcome.trace) {
        report_other_hosts(trace, terminal);
    }
    for pid in &outcome.left {
        terminal.warn(&format!(
            "process {pid}, which the program started, still runs; samples that it records from now on are \
             lost"
        ));
    }
    match &outcome.trace {
        Some(_) if passes => {}
        Some(trace) => {
            terminal.note(&format!("recorded in {}", trace.display()));
            // Losses of ours are reported later.
            if outcome.lost.is_none() {
                let is_whole = has_files && ending(outcome).is_none() && outcome.left.is_empty();
                report_lost(trace, is_whole, terminal);
            }
        }
        // The reason is reported later.
        None if outcome.lost.is_some() => {}
        None if instrumented.units.is_empty() => terminal.warn(&format!(
            "nothing was recorded: {} was not built by cll cc, and no experiment was reached in the libraries that it loaded and that were built by \
             cll cc",
            program.display()
        )),
        None if !instrumented.has_places() => {}
        None => {
            let mut names: Vec<String> = Vec::new();
            for unit in &instrumented.units {
                for place in &unit.places {
                    names.push(format!("{} ({}:{})", place.experiment, unit.file, place.line));
                }
            }
            terminal.warn(&format!(
                "nothing was recorded: no experiment was reached; there are {}",
                names.join(", ")
            ));
        }
    }
}

/// For ranks that have left files on other hosts, since the program did not end normally.
fn report_other_hosts(trace: &Path, terminal: &Terminal) {
    let survey = File::open(trace).ok().and_then(|file| cll_trace::survey(file).ok());
    let warnings = survey.iter().flat_map(|survey| &survey.warnings);
    for warning in warnings.filter(|warning| matches!(warning, Warning::Elsewhere { .. })) {
        terminal.warn(&warning.to_string());
    }
}

/// Says that samples are lost which the system refused memory or space for. `is_whole`: the program ended by itself,
/// and each process wrote a file of its own, whose end must be there.
fn report_lost(trace: &Path, is_whole: bool, terminal: &Terminal) {
    let file = File::open(trace).ok();
    let file = file.filter(|file| file.metadata().is_ok_and(|about| about.len() <= MAX_SURVEYED));
    let Some(survey) = file.and_then(|file| cll_trace::survey(file).ok()) else { return };
    let counts = survey.damage.iter().map(|damage| match damage.cause {
        Cause::Dropped { count, .. } => count,
        _ => 0,
    });
    let dropped: u64 = counts.sum();
    if dropped > 0 {
        let all = survey.samples + dropped;
        terminal.warn(&format!(
            "{dropped} of {} lost: the program got no memory or no file for them; raise its limits \
             (ulimit -v, -f, -n), or time fewer passages: every(K)",
            counted(all as usize, "sample is", "samples are")
        ));
    }
    let cut: BTreeSet<u32> =
        survey.damage.iter().filter_map(|damage| cut(&damage.cause, is_whole)).collect();
    if !cut.is_empty() {
        let (processes, their) = match cut.len() {
            1 => ("1 process".to_owned(), "its"),
            count => (format!("{count} processes"), "their"),
        };
        terminal.warn(&format!(
            "samples of {processes} are lost: the end of {their} record is not there, as when a disk is full or a \
             file reaches its limit; -o DIR chooses another folder, ulimit -f shows the limit, and every(K) times \
             fewer passages"
        ));
    }
}

/// The process of which samples are missing by this damage.
fn cut(cause: &Cause, is_whole: bool) -> Option<u32> {
    match *cause {
        Cause::MissingBlocks { process, .. } | Cause::MissingSamples { process, .. } => {
            Some(process)
        }
        Cause::NoEnd { process, .. } if is_whole => Some(process),
        _ => None,
    }
}
