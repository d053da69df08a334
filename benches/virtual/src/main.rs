//! Measures what virtual processors cost beside the sum of their phases, and how well two of them on one core predict
//! two real processors.
//!
//! `cargo run --release -p bench-virtual`
//!
//! The cost: 1024 processors whose phases are 10 ms of processor time, on all cores. The crossover of broadcasts
//! in one stage and in two: with a given g and L, against the rule. The predictions: g and L
//! of the processes engine with two processors are measured, again and again, and each program runs in turn on two real
//! processors and on two virtual ones that have one core. The error is the median over pairs of runs, one after
//! the other, of what the program says it took: so a change of the clock's frequency between pairs is none of the
//! prediction's. Pairs before or after which the machine was not at its best (the clock, the width of a core, a core for
//! each processor) are left out. Beside it stands the error of the quickest tenth of either: disturbances only ever
//! add, and two real processors, each of which waits for the other in each superstep, have those of both cores; in
//! the quickest runs there are fewest, but those of long programs hang on the clock's luck. There are as many pairs as
//! it takes to know both errors, within bounds; the intervals printed have 95 %. Where the system allows it these runs
//! come before what others do (`chrt -f`). The programs' data fit in the caches: contention is not seen on one core. On
//! a machine that others used meanwhile nothing is judged.

#![forbid(unsafe_code)]

mod costs;
mod programs;
#[path = "../../kernels/src/quiet.rs"]
mod quiet;

use cll_statistics::{quantile, sorted};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, ensure};

use crate::programs::{EXAMPLES, Programs};
use crate::quiet::Watch;

/// Pairs of runs of each program with the machine at its best: from so many until both errors are known
/// within [`KNOWN`] with 95 %; and pairs of any kind at most.
const PAIRS: (usize, usize) = (21, 121);
const KNOWN: f64 = 0.02;
/// The cost: processors, supersteps, milliseconds of a phase, and how much it may be.
const MANY: (usize, usize, f64, f64) = (1024, 2, 10.0, 1.2);
/// Errors of the predictions: median and largest.
const ERRORS: (f64, f64) = (0.05, 0.10);
/// Rounds of pairs after which the costs are measured anew.
const COSTS: usize = 5;
/// Share of the runs that are the quickest.
const QUICKEST: f64 = 0.1;
/// Samples drawn anew for an interval.
const DRAWS: usize = 999;
/// Error of the size at which two stages of a broadcast become quicker than one.
const CROSSOVER: f64 = 0.2;

fn main() -> Result<ExitCode> {
    let cores = std::thread::available_parallelism()?.get();
    if cores < 2 {
        println!("not measurable now: two cores are needed");
        return Ok(ExitCode::SUCCESS);
    }
    let programs = Programs::compile()?;
    let cost = cost(&programs, cores)?;
    let crossovers = crossovers(&programs)?;
    let predictions = predictions(&programs)?;
    Ok(if cost && crossovers && predictions { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Whether a goal was reached, as it is printed; on a machine that is not quiet nothing is said.
fn verdict(quiet: bool, reached: bool) -> &'static str {
    match (quiet, reached) {
        (false, _) => "not measurable now",
        (true, true) => "reached",
        (true, false) => "NOT REACHED",
    }
}

fn cost(programs: &Programs, cores: usize) -> Result<bool> {
    let (processors, supersteps, milliseconds, most) = MANY;
    let mut watch = Watch::begin()?;
    watch.round();
    let begin = Instant::now();
    programs.phases(processors, supersteps, milliseconds)?;
    let took = begin.elapsed().as_secs_f64();
    watch.round();
    let watched = watch.end()?;
    let sum = (processors * supersteps) as f64 * milliseconds * 1e-3 / cores as f64;
    let ratio = took / sum;
    println!(
        "{processors} processors, {supersteps} supersteps of {milliseconds} ms on {cores} cores: {took:.2} s, \
         {ratio:.3}x of the phases' {sum:.2} s, at most {most}x  {}",
        verdict(watched.is_quiet(), ratio <= most)
    );
    println!("machine {watched}");
    Ok(ratio <= most || !watched.is_quiet())
}

/// Where broadcasts in one stage and in two take the same time: (p - 1) n g + l = 2 n (p - 1) / p g + 2 l.
fn crossovers(programs: &Programs) -> Result<bool> {
    let (g, l) = (1e-8, 1e-4);
    let costs = format!("max;b,1,0,{g:e},{l:e}");
    let mut watch = Watch::begin()?;
    watch.round();
    let mut values = Vec::new();
    for processors in [3, 4, 8] {
        let p = processors as f64;
        let rule = l / (8.0 * g * (p - 1.0) * (1.0 - 2.0 / p));
        let mut before: Option<(f64, f64)> = None;
        let mut crossover = f64::NAN;
        for step in 0..=12 {
            let doubles = (rule * (0.4 + 0.1 * f64::from(step))).round();
            let (one_stage, two) = programs.broadcast(processors, doubles as usize, &costs)?;
            let gain = one_stage - two;
            if let Some((n, loss)) = before.filter(|before| before.1 < 0.0 && gain >= 0.0) {
                crossover = n + (doubles - n) * loss / (loss - gain);
                break;
            }
            before = Some((doubles, gain));
        }
        let error = (crossover - rule) / rule;
        values.push(error.abs());
        println!(
            "broadcasts of {processors} processors cross at {crossover:.0} doubles, by the rule at {rule:.0}: {:+.1}%",
            100.0 * error
        );
    }
    let watched = watch.end()?;
    let reached = values.iter().all(|error| *error <= CROSSOVER);
    println!("at most {:.0}%  {}", 100.0 * CROSSOVER, verdict(watched.is_quiet(), reached));
    println!("machine {watched}");
    Ok(reached || !watched.is_quiet())
}

fn predictions(programs: &Programs) -> Result<bool> {
    let mut watch = Watch::begin()?;
    watch.round();
    let mut costs = programs.costs()?;
    println!("costs of two processors: {costs}");
    let mut pairs = vec![Vec::new(); EXAMPLES.len()];
    for nth in 0..PAIRS.1 {
        // What a superstep costs hangs on where the processors are, which changes within minutes.
        if nth > 0 && nth % COSTS == 0 {
            costs = programs.costs()?;
        }
        for (example, pairs) in EXAMPLES.iter().zip(&mut pairs) {
            let good = at_their_best(pairs, &watch);
            let is_known = |[low, _, high]: [f64; 3]| high - low <= 2.0 * KNOWN;
            if good.len() >= PAIRS.0 && is_known(of_pairs(&good)) && is_known(of_quickest(&good)) {
                continue;
            }
            watch.round();
            let round = watch.rounds();
            let real = programs.example(example, None)?;
            let predicted = programs.example(example, Some(&costs))?;
            ensure!(predicted > 0.0, "{} says that it took no time", example.name);
            pairs.push(Pair { round, real, predicted });
        }
    }
    watch.round();
    let good: Vec<Vec<Pair>> = pairs.iter().map(|pairs| at_their_best(pairs, &watch)).collect();
    let watched = watch.end()?;
    let may_judge = watched.is_ours() && good.iter().all(|good| good.len() >= PAIRS.0);
    if programs.come_first() {
        println!("runs of two processors come before what others do (chrt -f)");
    }
    let mut errors = [Vec::new(), Vec::new()];
    for ((example, good), pairs) in EXAMPLES.iter().zip(&good).zip(&pairs) {
        // Where there are too few, what there is; then nothing is judged.
        let taken = if good.len() < PAIRS.0 { pairs } else { good };
        println!(
            "  {:<14} {:<12} {} of {} pairs at the machine's best",
            example.name,
            example.arguments,
            good.len(),
            pairs.len(),
        );
        let both = [("middle", 0.5, of_pairs(taken)), ("quickest", QUICKEST, of_quickest(taken))];
        for ((name, share, [low, error, high]), errors) in both.into_iter().zip(&mut errors) {
            println!(
                "    {name:<8} measured {:>9.1} us, predicted {:>9.1} us: {:>+6.1}% [{:+.1}%, {:+.1}%]",
                quantile(&sorted(taken.iter().map(|pair| pair.real)), share),
                quantile(&sorted(taken.iter().map(|pair| pair.predicted)), share),
                100.0 * error,
                100.0 * low,
                100.0 * high,
            );
            errors.push(error.abs());
        }
    }
    let [pairs, quickest] = errors.map(|all| {
        (quantile(&sorted(all.iter().copied()), 0.5), all.iter().copied().fold(0.0, f64::max))
    });
    let reached = pairs.0 <= ERRORS.0 && pairs.1 <= ERRORS.1;
    println!(
        "p = 2 from virtual processors on one core: median error {:.1}%, at most {:.0}%; largest {:.1}%, at most \
         {:.0}%  {}",
        100.0 * pairs.0,
        100.0 * ERRORS.0,
        100.0 * pairs.1,
        100.0 * ERRORS.1,
        verdict(may_judge, reached)
    );
    println!(
        "of the quickest runs: median error {:.1}%, largest {:.1}%",
        100.0 * quickest.0,
        100.0 * quickest.1
    );
    println!("machine {watched}");
    Ok(reached || !may_judge)
}

/// A run on two real processors, and one on two virtual ones, microseconds; the round of the watch behind it.
#[derive(Clone, Copy)]
struct Pair {
    round: usize,
    real: f64,
    predicted: f64,
}

/// Those with the machine at its best before and after them.
fn at_their_best(pairs: &[Pair], watch: &Watch) -> Vec<Pair> {
    let was =
        |pair: &&Pair| watch.was_at_its_best(pair.round - 1) && watch.was_at_its_best(pair.round);
    pairs.iter().filter(was).copied().collect()
}

/// The median of what real runs took more than the predicted, as a share of these, between the ends of its
/// interval with 95 %, which are order statistics (of the binomial distribution, approximately).
fn of_pairs(pairs: &[Pair]) -> [f64; 3] {
    let mut errors: Vec<f64> = pairs.iter().map(|pair| pair.real / pair.predicted - 1.0).collect();
    errors.sort_by(f64::total_cmp);
    let middle = quantile(&sorted(errors.iter().copied()), 0.5);
    let n = errors.len() as f64;
    let below = ((n - 1.96 * n.sqrt()) / 2.0).floor();
    if below < 1.0 {
        return [f64::NEG_INFINITY, middle, f64::INFINITY];
    }
    let below = below as usize;
    [errors[below - 1], middle, errors[errors.len() - below]]
}

/// Returns how much longer the quickest real runs took than the quickest predicted ones, as a share of the latter,
/// between the ends of the interval of 95 %. The interval comes from samples of as many pairs, drawn from these pairs
/// again and again.
fn of_quickest(pairs: &[Pair]) -> [f64; 3] {
    let error = |pairs: &[Pair]| {
        let real = quantile(&sorted(pairs.iter().map(|pair| pair.real)), QUICKEST);
        real / quantile(&sorted(pairs.iter().map(|pair| pair.predicted)), QUICKEST) - 1.0
    };
    if pairs.is_empty() {
        return [f64::NEG_INFINITY, f64::NAN, f64::INFINITY];
    }
    let mut random = fastrand::Rng::with_seed(1);
    let mut draw =
        || -> Vec<Pair> { pairs.iter().map(|_| pairs[random.usize(..pairs.len())]).collect() };
    let drawn: Vec<f64> = (0..DRAWS).map(|_| error(&draw())).collect();
    let end = |share| quantile(&sorted(drawn.iter().copied()), share);
    [end(0.025), error(pairs), end(0.975)]
}
