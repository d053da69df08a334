//! How quickly the recurrence is evaluated: processor-supersteps a second, beside the reference that any
//! evaluator has to be at least as slow as: going through the same W once and adding it to as many times.
//!
//!     cargo run --release -p bench-obsp [-- PROCESSORS [SUPERSTEPS]]
//!
//! The program: 10^6 processors, 100 supersteps, W of its own for each processor, with barriers, shifts,
//! exchanges, tree steps, lists of partners and h of its own for each processor in turn; and the same divided
//! into parts of parts. The memory is told from the system's own account of the largest resident set.

#![forbid(unsafe_code)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use cll_machine::{Combine, Uncertain};
use cll_model::{
    Ending, Evaluator, Object, Part, Partners, Phase, Pricing, Program, Quantities, QuantityKind,
    Rate, Rule, Sets, Superstep, Traffic, Work,
};

/// How a superstep ends, and whether each processor has an h of its own; by number and processors.
type Ends = fn(u32, u32) -> (Ending, bool);

/// Rounds of each; the median is told.
const ROUNDS: usize = 7;
/// The required rate, processor-supersteps a second.
const GOAL: f64 = 50e6;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|word| word.parse::<u32>());
    let processors = arguments.next().and_then(Result::ok).unwrap_or(1_000_000).max(16);
    let supersteps = arguments.next().and_then(Result::ok).unwrap_or(100).max(1);
    println!("{processors} processors, {supersteps} supersteps");
    let mut quantities = Quantities::default();
    let scale = quantities.add("W", QuantityKind::Computation, Uncertain::exact(1.0));
    let g = quantities.add("g", QuantityKind::G, Uncertain::exact(1e-9));
    let l = quantities.add("L", QuantityKind::L, Uncertain::exact(1e-5));
    let values = quantities.values();
    let rate = Rate::flat(g, l);
    let works = works(processors);
    let size = f64::from(processors) * f64::from(supersteps);

    let reference = rate_of(size, || {
        let mut now = vec![0.0f64; processors as usize];
        for step in 0..supersteps as usize {
            let work = &works[step % works.len()];
            now.iter_mut().zip(work.iter()).for_each(|(time, work)| *time += work);
        }
        black_box(now);
    });
    println!("reference, adding W:          {:7.0} million a second", reference / 1e6);
    let mut met = true;
    let kinds: [(&str, Ends); 6] = [
        ("barriers", |_, _| (Ending::Barrier, false)),
        ("shifts", |step, p| (Ending::Oblivious(Partners::Shift(1 + step % (p - 1))), false)),
        ("exchanges", |step, _| (Ending::Oblivious(Partners::Exchange(1 << (step % 4))), false)),
        ("trees", |step, _| (Ending::Oblivious(Partners::Outwards(1 << (step % 16))), false)),
        ("lists, h of each", |_, p| (Ending::Oblivious(lists(p)), true)),
        ("barriers, h of each", |_, _| (Ending::Barrier, true)),
    ];
    for (name, kind) in kinds {
        let program = flat(processors, supersteps, &works, scale, kind);
        met &= told(name, &program, &rate, &values, reference);
    }
    let program = divided(processors, supersteps, &works, scale);
    met &= told("parts of parts", &program, &rate, &values, reference);
    if let Some(peak) = peak_bytes() {
        println!("largest resident set: {:.0} bytes a processor", peak / f64::from(processors));
    }
    println!(
        "at least {:.0} million a second everywhere: {}",
        GOAL / 1e6,
        if met { "yes" } else { "NO" }
    );
}

fn told(name: &str, program: &Program, rate: &Rate, values: &[f64], reference: f64) -> bool {
    let pricing = Pricing::flat(program, Rule::ObspStar, Combine::Max, rate);
    let mut evaluator = Evaluator::default();
    let value = rate_of(program.size() as f64, || {
        black_box(evaluator.time(program, &pricing, values));
    });
    println!(
        "{name:<28}  {:7.0} million a second, {:.2} of the reference",
        value / 1e6,
        value / reference
    );
    value >= GOAL
}

/// Processor-supersteps a second: the median of the rounds.
fn rate_of(size: f64, mut once: impl FnMut()) -> f64 {
    once();
    let mut seconds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            once();
            start.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    size / seconds[ROUNDS / 2]
}

/// W of a few supersteps; a program that has one for each reads as much memory.
fn works(processors: u32) -> Vec<Arc<[f64]>> {
    let of = |step: u32| -> Arc<[f64]> {
        (0..processors)
            .map(|i| 1e-3 + 1e-6 * f64::from(i.wrapping_mul(2_654_435_761 + step) >> 22))
            .collect()
    };
    (0..4).map(of).collect()
}

fn lists(processors: u32) -> Partners {
    let list = |i: u32| [(i + 1) % processors, (i + processors / 2) % processors];
    Partners::Sets(Arc::new(Sets::new((0..processors).map(list))))
}

fn flat(
    processors: u32,
    supersteps: u32,
    works: &[Arc<[f64]>],
    scale: cll_model::Parameter,
    kind: Ends,
) -> Program {
    let bytes: Arc<[(f64, f64)]> =
        (0..processors).map(|i| (f64::from(i % 1000), f64::from(i % 777))).collect();
    // Lists are the same in every superstep, as in most programs: they are kept once.
    let mut kept = None;
    let superstep = |step: u32| {
        let (ending, each) = match &kept {
            Some(known) => Clone::clone(known),
            None => kind(step, processors),
        };
        if matches!(ending, Ending::Oblivious(Partners::Sets(_))) {
            kept = Some((ending.clone(), each));
        }
        Superstep {
            phases: vec![Phase::Work(Work::Each {
                parameter: scale,
                factors: works[step as usize % works.len()].clone(),
            })],
            traffic: if each {
                Traffic::Each(bytes.clone())
            } else {
                Traffic::Same { received: 1000.0, sent: 1000.0 }
            },
            ..Superstep::new(ending)
        }
    };
    let supersteps = (0..supersteps).map(superstep).collect();
    let object = Object { name: "all".into(), processors, supersteps };
    Program::new(vec![object], Vec::new()).expect("a program")
}

/// Halves of halves, down to 16 processors, with the supersteps spread over all levels.
fn divided(
    processors: u32,
    supersteps: u32,
    works: &[Arc<[f64]>],
    scale: cll_model::Parameter,
) -> Program {
    let mut sizes = vec![processors];
    while sizes[sizes.len() - 1] % 2 == 0 && sizes[sizes.len() - 1] > 16 {
        sizes.push(sizes[sizes.len() - 1] / 2);
    }
    let each = (supersteps / sizes.len() as u32).max(1);
    let mut objects = Vec::new();
    for (level, &size) in sizes.iter().enumerate().rev() {
        let work = |step: u32| -> Phase {
            let factors = works[step as usize % works.len()][..size as usize].into();
            Phase::Work(Work::Each { parameter: scale, factors })
        };
        let mut all: Vec<Superstep> = (0..each)
            .map(|step| Superstep {
                phases: vec![work(step)],
                traffic: Traffic::Same { received: 1000.0, sent: 1000.0 },
                ..Superstep::new(Ending::Oblivious(Partners::Exchange(1)))
            })
            .collect();
        if level + 1 < sizes.len() {
            let below = objects.len() - 1;
            let parts =
                vec![Part { first: 0, object: below }, Part { first: size / 2, object: below }];
            all[0].phases.push(Phase::Parts(parts));
        }
        objects.push(Object { name: format!("{size}"), processors: size, supersteps: all });
    }
    Program::new(objects, Vec::new()).expect("a program")
}

/// The largest resident set so far, where the system tells it.
fn peak_bytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024.0 * line.split_whitespace().next()?.parse::<f64>().ok()?)
}
