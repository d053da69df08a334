//! Measures what supersteps cost: beside flags and memcpy with two processors, beside a barrier that yields with more,
//! by themselves where time is all that counts.
//!
//! `cargo run --release -p bench-bsp`, and with `-- --instructions` what callgrind counts instead, which a loaded
//! machine does not change.
//!
//! Programs in C measure, linked as a user's are; in each the reference and ours run in turn, in batches,
//! on the same processors. With two, each has a core of its own. A ratio is the median over 31 batches of
//! ours beside the reference in the same batch; its quartiles stand behind it. Receivers read and senders
//! rewrite, but for `without readers`. On a machine that was not quiet meanwhile nothing is judged.

#![forbid(unsafe_code)]

mod instructions;
mod programs;
#[path = "../../kernels/src/quiet.rs"]
mod quiet;
mod samples;

use std::process::ExitCode;

use anyhow::Result;

use crate::programs::Programs;
use crate::quiet::Watch;
use crate::samples::{Batches, Samples};

/// Batches of each figure.
const BATCHES: usize = 31;

/// Numbers of processors beyond two.
const MORE: [usize; 5] = [4, 8, 16, 32, 64];

/// The limit for a figure.
enum Goal {
    /// At most so many times the reference.
    Ratio(f64),
    /// At most so much by itself.
    Most(f64, Unit),
    /// Nothing: a ratio for comparison.
    None,
}

#[derive(Clone, Copy)]
enum Unit {
    Nanoseconds,
    Microseconds,
    Milliseconds,
    Percent,
}

struct Figure {
    name: &'static str,
    /// `{}` stands for the size.
    title: &'static str,
    goal: Goal,
    /// Only these sizes are judged; none: all.
    judged: &'static [u64],
}

const FIGURES: [Figure; 17] = [
    figure("sync", "empty bsp_sync", Goal::Ratio(2.0)),
    figure("put", "put each way, {} bytes", Goal::Ratio(1.5)),
    figure("get", "get each way, {} bytes", Goal::Ratio(1.5)),
    figure("get_in_place", "get beside two barriers, {} bytes", Goal::None),
    figure("send", "send and move, {} bytes", Goal::Ratio(2.0)),
    figure("hpput", "hpput each way, {} bytes", Goal::Ratio(1.1)),
    Figure { judged: &[32 << 10], ..figure("unread", UNREAD, Goal::Ratio(3.0)) },
    Figure { judged: &[2 << 20], ..figure("unread", UNREAD, Goal::Ratio(2.3)) },
    figure("many_puts", "{} puts of 8 bytes", Goal::Most(8e3, Unit::Microseconds)),
    figure("many_sends", "{} sends and moves of 8 bytes", Goal::Most(15e3, Unit::Microseconds)),
    figure("objects_sync", "empty bsp_sync of a machine object", Goal::None),
    figure("oblsync", "message each way, oblsync, {} bytes", Goal::Ratio(1.5)),
    figure("part", "partition and done, {} processors", Goal::Most(100.0, Unit::Nanoseconds)),
    figure("log", "supersteps of {} us, logged", Goal::Ratio(1.02)),
    figure("yield", "empty bsp_sync, {} processors", Goal::Ratio(2.0)),
    figure("share", "waiting, {} processors: of a core", Goal::Most(2.0, Unit::Percent)),
    figure("wake", "waiting, {} processors: to wake", Goal::Most(50e3, Unit::Microseconds)),
];

const START: Figure =
    figure("start", "start and stop, {} processors", Goal::Most(5e6, Unit::Milliseconds));

const UNREAD: &str = "put without readers, {} bytes";

const fn figure(name: &'static str, title: &'static str, goal: Goal) -> Figure {
    Figure { name, title, goal, judged: &[] }
}

fn main() -> Result<ExitCode> {
    if std::env::args().skip(1).any(|argument| argument == "--instructions") {
        let programs = Programs::compile()?;
        let is_same = instructions::print(&programs.path("instructions"))?;
        return Ok(if is_same { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    if std::thread::available_parallelism()?.get() < 2 {
        println!("not measurable now: two cores are needed");
        return Ok(ExitCode::SUCCESS);
    }
    let programs = Programs::compile()?;
    let mut samples = Samples::default();
    let mut watch = Watch::begin()?;
    watch.round();
    samples.add(programs.run("two", 2, BATCHES)?);
    for processors in MORE {
        watch.round();
        samples.add(programs.run("many", processors, BATCHES)?);
    }
    for processors in [2, 8, 64] {
        watch.round();
        samples.add(programs.run("objects", processors, BATCHES)?);
    }
    watch.round();
    samples.add(programs.run_logged(BATCHES)?);
    for processors in [2, 4] {
        watch.round();
        samples.add(programs.run("waiting", processors, BATCHES)?);
    }
    watch.round();
    for batch in 0..BATCHES {
        samples.add(programs.run("start", 8, batch)?);
    }
    watch.round();
    let watched = watch.end()?;
    println!("{BATCHES} batches; medians; ratios with quartiles");
    let mut reached = true;
    for figure in FIGURES.iter().chain([&START]) {
        for size in samples.sizes(figure.name) {
            if let Some(batches) = samples.batches(figure.name, size)
                && (figure.judged.is_empty() || figure.judged.contains(&size))
            {
                reached &= print(figure, size, &batches, watched.is_quiet());
            }
        }
    }
    println!("machine {watched}");
    Ok(if reached { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints a figure; `false` if it was not reached on a quiet machine.
fn print(figure: &Figure, size: u64, batches: &Batches<'_>, quiet: bool) -> bool {
    let title = figure.title.replace("{}", &size.to_string());
    let (reference, ours) = (batches.reference(), batches.ours());
    let ratio = batches.ratio(0.5);
    let beside = format!(
        "{ours:>11.1} ns, reference {reference:>11.1} ns: {ratio:.2}x ({:.2} .. {:.2})",
        batches.ratio(0.25),
        batches.ratio(0.75)
    );
    let (text, holds) = match figure.goal {
        Goal::Ratio(most) => (format!("{beside}, at most {most}x"), Some(ratio <= most)),
        Goal::Most(most, unit) => {
            let bare = match figure.name {
                "wake" => format!(" (a bare futex {})", unit.show(reference)),
                _ => String::new(),
            };
            (format!("{}{bare}, at most {}", unit.show(ours), unit.show(most)), Some(ours <= most))
        }
        Goal::None => (beside, None),
    };
    let enough = batches.count() >= BATCHES;
    let verdict = match (quiet && enough, holds) {
        (_, None) => "",
        (false, _) => "  not measurable now",
        (true, Some(true)) => "  reached",
        (true, Some(false)) => "  NOT REACHED",
    };
    println!("  {title:<36} {text}{verdict}");
    holds != Some(false) || !quiet
}

impl Unit {
    fn show(self, value: f64) -> String {
        match self {
            Unit::Nanoseconds => format!("{value:.1} ns"),
            Unit::Microseconds => format!("{:.1} us", value / 1e3),
            Unit::Milliseconds => format!("{:.2} ms", value / 1e6),
            Unit::Percent => format!("{value:.2}%"),
        }
    }
}
