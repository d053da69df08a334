//! From rounds to the costs of memory and operations, and whether they are reliable.

use cll_fit::rounds::{RoundSelection, RoundsTable, Signs, marks, select_rounds};
use cll_machine::{Analyzed, AnalyzerSample, Cache, analyze};

use super::kernels::OPTIONS;
use super::plan::{Parts, Plan};
use super::rounds::{AnalyzerRounds, points};
use crate::messages;
use cll_launch::machine_state::BestSeen;
use cll_sampling::signs;
use cll_units::text::{BinaryUnit, BytesDigits, BytesUnit, bytes};

/// The results of the rounds.
pub struct RoundResults {
    /// The costs.
    pub analyzed: Analyzed,
    /// How reliable they are.
    pub judgement: RoundSelection,
    /// The highest speed that this machine has shown.
    pub known: BestSeen,
    /// How it was measured, in words.
    pub how: String,
    /// Seconds of the messages between two processors before and after launches.
    pub messages: Vec<f64>,
}

/// Working sets this many times as large as a cache are not in it.
const WELL_BEYOND: f64 = 2.0;

/// Selects rounds and evaluates their samples.
pub fn evaluate(
    rounds: &AnalyzerRounds<'_>,
    known: BestSeen,
    (parts, plan): (Parts, Plan),
    caches: &[Cache],
    seconds: f64,
) -> RoundResults {
    let known = rounds.seen.iter().fold(known, |known, seen| known.with(seen));
    let signs: Vec<Signs> = rounds.seen.iter().map(|seen| signs(seen, &known)).collect();
    let table = table(rounds);
    let judgement = select_rounds(&marks(&signs, &table.slowness()), &signs, &table);
    let wider = judgement.off.map_or(0.0, |off| off.below.max(off.above));
    let is_used = |round: usize| judgement.used.get(round).copied().unwrap_or(true);
    let used = rounds.samples.iter().filter(|timed| is_used(timed.round));
    let samples: Vec<AnalyzerSample> = used.map(|timed| timed.sample.clone()).collect();
    let mut analyzed = analyze(&samples, caches, wider);
    let of_round = |round: usize| {
        let own_samples =
            rounds.samples.iter().filter(|timed| timed.round == round && is_used(round));
        analyze(&own_samples.map(|timed| timed.sample.clone()).collect::<Vec<_>>(), caches, 0.0)
    };
    analyzed.cover(&(0..rounds.done).map(of_round).collect::<Vec<_>>());
    analyzed.missing.extend(rounds.missing.iter().cloned());
    let last = caches.iter().map(|cache| cache.bytes.as_f64()).fold(0.0, f64::max);
    if parts.memory && last * WELL_BEYOND > plan.largest as f64 {
        analyzed.missing.push(format!(
            "whether the last level is the memory: the largest working set is {}, and the system names a cache of {}",
            mebibytes(plan.largest as f64, BytesDigits::Down),
            mebibytes(last, BytesDigits::Decimals(0))
        ));
    }
    if parts.memory && !plan.knows_memory {
        analyzed.missing.push(format!(
            "how much memory is available: the system does not say it, so working sets are up to {}",
            mebibytes(plan.largest as f64, BytesDigits::Down)
        ));
    }
    if parts.memory && plan.cores < 2 {
        analyzed.missing.push(
            "contention, bandwidth of several cores, latency under load: there is one core".into(),
        );
    }
    let how = how(rounds, plan, parts, judgement.used.iter().filter(|is| **is).count(), seconds);
    let messages = messages(&rounds.seen);
    RoundResults { analyzed, judgement, known, how, messages }
}

fn mebibytes(size: f64, digits: BytesDigits) -> String {
    bytes(size, BytesUnit::Only(BinaryUnit::Mib), digits)
}

fn table(rounds: &AnalyzerRounds<'_>) -> RoundsTable {
    let mut table = RoundsTable::new(rounds.done);
    for ((kind, ..), times) in points(&rounds.samples) {
        // A process starts quickly or slowly, and so many threads together; that says nothing of the round.
        if !matches!(kind, "latency" | "chain" | "many") {
            continue;
        }
        let mut observed = vec![Vec::new(); rounds.done];
        for (round, time) in times {
            if let Some(round_times) = observed.get_mut(round) {
                round_times.push(time);
            }
        }
        table.add(observed);
    }
    table
}

fn how(rounds: &AnalyzerRounds<'_>, plan: Plan, parts: Parts, used: usize, seconds: f64) -> String {
    let what = match (parts.memory, parts.operations) {
        (true, true) => "memory and operations",
        (true, false) => "memory",
        _ => "operations",
    };
    let sizes = if parts.memory {
        format!(
            "; working sets of 4 KiB to {}, {} to an octave",
            mebibytes(plan.largest as f64, BytesDigits::Down),
            plan.per_octave
        )
    } else {
        String::new()
    };
    let mut lines = vec![format!(
        "{what}: {} rounds ({used} used) of {} launches each in {seconds:.0} s, seed {}{sizes}; compiled with {}; scheduler {}",
        rounds.done,
        rounds.plan.len(),
        rounds.seed,
        OPTIONS.join(" "),
        rounds.scheduler.name()
    )];
    if parts.memory {
        lines.push(
            "bandwidth counts the bytes that the program reads and writes; a processor that reads a line before it is written \
             (write-allocate) moves twice the bytes of write, 1.5 times those of copy, 4/3 of those of triad"
                .to_owned(),
        );
    }
    lines.join("\n")
}
