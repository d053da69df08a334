//! Measures what supersteps on MPI cost, beside the same pattern by hand, with every MPI that is here.
//!
//! `cargo run --release -p bench-mpi`
//!
//! A program in C measures both in the same two processes, in batches, in turn. A ratio is the median
//! over 31 batches of ours beside the reference in the same batch; its quartiles stand behind it. On a
//! machine that was not quiet meanwhile nothing is judged.

#![forbid(unsafe_code)]

mod programs;
#[path = "../../kernels/src/quiet.rs"]
mod quiet;
#[path = "../../bsp/src/samples.rs"]
mod samples;

use std::process::ExitCode;

use anyhow::Result;

use crate::programs::{Mpi, Programs};
use crate::quiet::Watch;
use crate::samples::{Batches, Samples};

const BATCHES: usize = 31;

struct Figure {
    name: &'static str,
    title: &'static str,
    /// The size that is judged, and at most how many times the reference it may take.
    goal: Option<(u64, f64)>,
}

/// The share of an hpput that must be hidden behind computation at least, in percent, where as much is hidden of what
/// is sent by hand.
const HIDDEN: f64 = 80.0;

const FIGURES: [Figure; 4] = [
    Figure { name: "sync", title: "empty bsp_sync", goal: Some((0, 1.5)) },
    Figure { name: "put", title: "put each way, {} bytes", goal: Some((2 << 20, 1.5)) },
    Figure { name: "hpput", title: "hpput each way, {} bytes", goal: None },
    Figure { name: "hidden", title: "hpput of {} bytes behind computation", goal: None },
];

fn main() -> Result<ExitCode> {
    let programs = Programs::new()?;
    let mpis = Mpi::installed();
    if mpis.is_empty() {
        println!("not measurable now: there is no MPI");
        return Ok(ExitCode::SUCCESS);
    }
    let mut reached = true;
    for mpi in mpis {
        let mut watch = Watch::begin()?;
        watch.round();
        let mut samples = Samples::default();
        samples.add(programs.two(&mpi, BATCHES)?);
        watch.round();
        let (few, many) = (programs.example(&mpi, 8)?, programs.example(&mpi, 64)?);
        watch.round();
        let watched = watch.end()?;
        println!("{mpi}: {BATCHES} batches; medians; ratios with quartiles");
        for figure in &FIGURES {
            for size in samples.sizes(figure.name) {
                if let Some(batches) = samples.batches(figure.name, size) {
                    reached &= print(figure, size, &batches, watched.is_quiet());
                }
            }
        }
        println!("  sample_sort: {few:.2} s with 8 processes, {many:.2} s with 64, start included");
        println!("  machine {watched}");
    }
    Ok(if reached { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints a figure; `false` if it was not reached on a quiet machine.
fn print(figure: &Figure, size: u64, batches: &Batches<'_>, quiet: bool) -> bool {
    let title = figure.title.replace("{}", &size.to_string());
    if figure.name == "hidden" {
        let (by_hand, ours) = (batches.reference(), batches.ours());
        let (verdict, reached) = match (by_hand >= HIDDEN, ours >= HIDDEN) {
            (false, _) => ("this MPI cannot", true),
            (true, _) if !quiet => ("not measurable now", true),
            (true, true) => ("reached", true),
            (true, false) => ("NOT REACHED", false),
        };
        println!(
            "  {title:<40} {ours:.0} % hidden, by hand {by_hand:.0} %, at least {HIDDEN:.0} % where the MPI can  \
             {verdict}"
        );
        return reached;
    }
    let (reference, ours, ratio) = (batches.reference(), batches.ours(), batches.ratio(0.5));
    let goal = figure.goal.filter(|goal| goal.0 == size).map(|goal| goal.1);
    let quiet = quiet && batches.count() >= BATCHES;
    let verdict = match goal {
        None => String::new(),
        Some(most) if !quiet => format!(", at most {most}x  not measurable now"),
        Some(most) if ratio <= most => format!(", at most {most}x  reached"),
        Some(most) => format!(", at most {most}x  NOT REACHED"),
    };
    println!(
        "  {title:<40} {ours:>11.1} ns, by hand {reference:>11.1} ns: {ratio:.2}x ({:.2} .. {:.2}){verdict}",
        batches.ratio(0.25),
        batches.ratio(0.75)
    );
    !quiet || goal.is_none_or(|most| ratio <= most)
}
