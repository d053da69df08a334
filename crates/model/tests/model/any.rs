//! Programs of every kind.

use std::sync::Arc;

use cll_machine::Uncertain;
use cll_model::{
    Ending, Object, Part, Partners, Phase, Program, Quantities, QuantityKind, Rate, Sets,
    Superstep, Traffic, Work,
};
use proptest::prelude::*;

/// W and bytes in and out of a processor, and who sends to it.
pub type Doing = (f64, f64, f64, Vec<u32>);

/// A superstep: what each processor does, and how it ends: 0 barrier, 1 to 3 oblivious, 4 in nothing.
pub type Step = (Vec<Doing>, u8);

pub fn steps(processors: usize) -> impl Strategy<Value = Vec<Step>> {
    let p = processors as u32;
    let doing = (0.0..1.0, 0.0..1e4, 0.0..1e4, prop::collection::vec(0..p, 0..3));
    let step = (prop::collection::vec(doing, processors), 0..5u8);
    prop::collection::vec(step, 1..6)
}

/// g and L, W times a scale.
pub fn quantities(scale: f64, g: f64, l: f64) -> (Quantities, Rate) {
    let mut all = Quantities::default();
    all.add("W", QuantityKind::Computation, Uncertain::exact(scale));
    let g = all.add("g", QuantityKind::G, Uncertain::exact(g));
    let l = all.add("L", QuantityKind::L, Uncertain::exact(l));
    (all, Rate::flat(g, l))
}

pub fn work(seconds: impl IntoIterator<Item = f64>) -> Phase {
    let factors: Arc<[f64]> = seconds.into_iter().collect();
    Phase::Work(Work::Each { parameter: cll_model::Parameter(0), factors })
}

pub fn superstep((doings, ending): &Step) -> Superstep {
    let ending = match ending {
        0 => Ending::Barrier,
        4 => Ending::Nothing,
        _ => {
            let lists = doings.iter().map(|doing| doing.3.iter().copied());
            Ending::Oblivious(Partners::Sets(Arc::new(Sets::new(lists))))
        }
    };
    Superstep {
        phases: vec![work(doings.iter().map(|doing| doing.0))],
        traffic: Traffic::Each(doings.iter().map(|doing| (doing.1, doing.2)).collect()),
        ..Superstep::new(ending)
    }
}

pub fn object(name: &str, steps: &[Step]) -> Object {
    Object {
        name: name.into(),
        processors: steps[0].0.len() as u32,
        supersteps: steps.iter().map(superstep).collect(),
    }
}

pub fn program(steps: &[Step], joins: &[f64]) -> Program {
    Program::new(vec![object("all", steps)], joins.to_vec()).unwrap()
}

/// Two parts of different sizes, within a superstep of the whole.
pub fn nested(left: &[Step], right: &[Step], outer: &[Step]) -> Program {
    let (left, right) = (object("left", left), object("right", right));
    let mut all = object("all", outer);
    let parts = vec![Part { first: 0, object: 0 }, Part { first: left.processors, object: 1 }];
    all.supersteps[0].phases.insert(0, work(outer[0].0.iter().map(|doing| 0.5 * doing.1 / 1e4)));
    all.supersteps[0].phases.insert(1, Phase::Parts(parts));
    Program::new(vec![left, right, all], Vec::new()).unwrap()
}
