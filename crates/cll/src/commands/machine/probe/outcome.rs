//! From rounds to a machine, and whether it is reliable.

use std::path::Path;

use cll_fit::rounds::{RoundSelection, Signs, State, marks, select_rounds};
use cll_machine::{Cache, Combine, Explained, Host as MachineHost, Machine, Origin};
use cll_result::Machine as Host;

use crate::cli::Loaded;
use crate::failure::Failure;
use crate::files;
use crate::machine_state::{BestSeen, Scheduler};
use crate::terminal::Terminal;
use cll_analysis::now;
use cll_measure::advice;
use cll_probe::analyzer::Parts;
use cll_probe::messages;
use cll_probe::supersteps::{Rounds, measured, seen, table, variables};
use cll_sampling::signs;
use cll_units::text::{PercentDigits, percent};

/// How it was measured.
pub struct Taken<'a> {
    /// This machine.
    pub host: &'a Host,
    /// How the probes were scheduled.
    pub scheduler: Scheduler,
    /// The machine's name.
    pub name: Option<&'a str>,
    /// File of the raw samples, if they are written.
    pub raw: Option<&'a Path>,
    /// The parts that are measured.
    pub parts: Parts,
}

/// A machine with nothing but the description of this one.
pub fn blank(taken: &Taken<'_>) -> Machine {
    let machine = Machine {
        name: taken.name.map_or_else(|| taken.host.host.clone(), str::to_owned),
        origin: Origin {
            when: now(),
            by: concat!("cll ", env!("CARGO_PKG_VERSION")).to_owned(),
            samples: taken.raw.map(files::base),
            ..Origin::default()
        },
        host: Some(host(taken.host)),
        missing: not_measured(taken.parts),
        ..Machine::default()
    };
    named(machine)
}

/// The parts that were not asked for.
fn not_measured(parts: Parts) -> Vec<String> {
    let all = [
        (parts.supersteps, "costs of supersteps"),
        (parts.memory, "memory access costs"),
        (parts.operations, "operation costs"),
        (parts.memory, "contention"),
        (parts.mpi, "primitives of MPI"),
    ];
    let missing: Vec<&str> = all.into_iter().filter(|(is, _)| !is).map(|(_, text)| text).collect();
    if missing.is_empty() { Vec::new() } else { vec![missing.join(", ")] }
}

/// The result of the rounds.
pub struct Outcome {
    /// The machine.
    pub machine: Machine,
    /// How reliable it is.
    pub judgement: RoundSelection,
    /// The highest speed that this machine has shown.
    pub known: BestSeen,
    /// Seconds of the messages between two processors before and after launches.
    pub messages: Vec<f64>,
}

/// Selects rounds and fits them.
///
/// # Errors
/// If nothing was measured.
pub fn evaluate(
    rounds: &Rounds<'_>,
    known: BestSeen,
    seconds: f64,
    taken: &Taken<'_>,
) -> Result<Outcome, Failure> {
    let runs = &rounds.completed;
    let seen = seen(runs, rounds.done);
    let known = seen.iter().fold(known, |known, seen| known.with(seen));
    let table = table(runs, rounds.done);
    let signs: Vec<Signs> = seen.iter().map(|seen| signs(seen, &known)).collect();
    let judgement = select_rounds(&marks(&signs, &table.slowness()), &signs, &table);
    let wider = judgement.off.map_or(0.0, |off| off.below.max(off.above));
    let fitted = measured(runs, &judgement.used, wider).evaluate();
    if fitted.empty.is_empty() {
        return Err(Failure::fit("the probes have printed no samples"));
    }
    let mut missing = rounds.missing.clone();
    missing.extend(fitted.missing.iter().cloned());
    if runs.iter().all(|run| !run.launching.oversubscribed) {
        missing.push("more processors than cores (--processors measures them)".into());
    }
    missing.extend(not_measured(taken.parts));
    if runs.iter().any(|run| run.launched.output.clocks_apart) {
        missing.push(
            "the processors' clocks differ: times are those of the processor that stays shortest in \
             the synchronisation"
                .into(),
        );
    }
    let used = judgement.used.iter().filter(|is| **is).count();
    let disturbed = match judgement.state {
        State::NotMeasurable => {
            judgement.reasons.iter().map(|reason| reason.text.clone()).collect()
        }
        _ => Vec::new(),
    };
    let mut machine = Machine {
        combine: fitted.explained.map(|explained| explained.best),
        missing,
        classic: fitted.classic,
        empty: fitted.empty,
        communication: fitted.communication,
        regimes: fitted.regimes,
        ..blank(taken)
    };
    machine.origin.how = how(rounds, seconds, taken, used, fitted.explained.as_ref());
    machine.origin.disturbed = disturbed;
    Ok(Outcome { machine, judgement, known, messages: messages(&seen) })
}

fn named(mut machine: Machine) -> Machine {
    if machine.name.trim().is_empty() {
        machine.name = "this machine".to_owned();
    }
    machine
}

/// The description of this machine by its system.
pub fn host(host: &Host) -> MachineHost {
    let (kernel, microcode) = cll_counters::system();
    let cache = |level: &cll_result::Cache| Cache { name: level.name.clone(), bytes: level.bytes };
    MachineHost {
        name: host.host.clone(),
        cpu: host.cpu.clone(),
        cores: Some(host.processors),
        caches: host.caches.iter().map(cache).collect(),
        kernel,
        microcode,
    }
}

/// Errors of the two @ that differ by less than this factor count as equal.
const EQUAL_FACTOR: f64 = 1.1;

/// The description of the measurement, for the file.
fn how(
    rounds: &Rounds<'_>,
    seconds: f64,
    taken: &Taken<'_>,
    used: usize,
    explained: Option<&Explained>,
) -> String {
    let mut lines = vec![
        format!(
            "{} rounds ({used} used) of {} launches each in {:.0} s, seed {}; {} to an octave up to {} \
             bytes; scheduler {}",
            rounds.done,
            rounds.plan.len(),
            seconds,
            rounds.seed,
            match rounds.sizes.per_octave {
                1 => "1 size".to_owned(),
                many => format!("{many} sizes"),
            },
            rounds.sizes.largest,
            taken.scheduler.name()
        ),
        "L and g: from the time when the last processor begins to synchronise until the last one returns; every \
         processor writes what it sends and reads what it got, outside of that time"
            .to_owned(),
        "calls: the requests before it; the g of (s, g, l) is that of the worst pattern, calls and \
         synchronisation together"
            .to_owned(),
    ];
    if let Some(explained) = explained {
        let better = match explained.best {
            Combine::Max => "max",
            Combine::Sum => "+",
        };
        let alike =
            explained.max.max(explained.sum) < EQUAL_FACTOR * explained.max.min(explained.sum);
        let hardly = if alike { "hardly " } else { "" };
        lines.push(format!(
            "one g for all patterns is off by {} with @ = max and by {} with @ = + (root mean \
             square): {better} explains them {hardly}better",
            percent(explained.max, PercentDigits::Decimals(0)),
            percent(explained.sum, PercentDigits::Decimals(0))
        ));
    }
    let variables = variables();
    if !variables.is_empty() {
        lines.push(format!("with {}", variables.join(", ")));
    }
    lines.join("\n")
}

/// Reports how reliable the result is; returns whether it cannot be used.
pub fn report(
    judgement: &RoundSelection,
    scheduler: Scheduler,
    loaded: Loaded,
    terminal: &Terminal,
) -> bool {
    let reasons: Vec<&str> = judgement.reasons.iter().map(|reason| reason.text.as_str()).collect();
    let reasons = reasons.join("; ");
    match judgement.state {
        State::Quiet => false,
        State::Disturbed => {
            let wider = match judgement.off {
                Some(_) => "the intervals are widened by the possible error",
                None => "the disturbed rounds are left out",
            };
            terminal.note(&format!("the machine was not quiet: {reasons}; {wider}"));
            false
        }
        State::NotMeasurable => {
            let mut help = advice(judgement, scheduler);
            match loaded {
                Loaded::Refuse => {
                    help.push("--loaded accept writes the file anyway, with a mark".into());
                    terminal.complain(
                        &format!("not measurable now: {reasons}; nothing is written"),
                        &help,
                    );
                }
                Loaded::Accept => terminal.warn(&format!(
                    "measured on a disturbed machine, and the file says so: {reasons}"
                )),
            }
            true
        }
    }
}
