//! The critical path: the computations that determine the total, by processor and superstep.

use cll_units::{ProcessorId, Seconds};
use schemars::JsonSchema;
use serde::Serialize;

use super::Parts;
use crate::evaluate::{Ended, EvaluationObserver, Evaluator, Position};
use crate::price::Pricing;
use crate::program::{Ending, Partners, Phase, Program, Term, Work};

/// The chain of computations and synchronisations whose sum is the total.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct CriticalPath {
    /// The time of the whole.
    #[serde(rename = "total_s")]
    pub total: Seconds,
    /// The processor that ends last.
    pub last: ProcessorId,
    /// The processor with which the path begins, and when it joined.
    pub first: (ProcessorId, Seconds),
    /// From the beginning on.
    pub steps: Vec<PathStep>,
    /// How the total depends on each quantity: Σ gradient · value + ξ is the total.
    #[serde(skip)]
    pub gradient: Vec<f64>,
}

/// A superstep on the path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PathStep {
    /// Index of the object.
    pub object: usize,
    /// Index of its superstep, from 0.
    pub superstep: usize,
    /// The processor whose computation decides.
    pub processor: ProcessorId,
    /// Whether others waited for it here.
    pub decides: bool,
    /// Computation of this processor, g·h and L; on the path there is no waiting.
    pub parts: Parts,
}

/// The path of a program. It stores which processor determined the end of each superstep: 4 bytes for each processor of
/// an oblivious superstep, or 4 bytes for a superstep with a barrier.
pub fn critical_path(program: &Program, pricing: &Pricing, values: &[f64]) -> CriticalPath {
    let mut trail = Trail::default();
    let mut evaluator = Evaluator::default();
    let times = evaluator.observed(program, pricing, values, &mut trail);
    let (last, total_s) = (times.iter().enumerate())
        .fold((0, f64::NEG_INFINITY), |most, (i, &t)| if t > most.1 { (i, t) } else { most });
    let mut path = CriticalPath {
        total: Seconds(total_s),
        last: ProcessorId(last as u32),
        gradient: vec![0.0; values.len()],
        ..CriticalPath::default()
    };
    let mut processor = last as u32;
    let mut steps: Vec<PathStep> = Vec::new();
    for event in trail.events.iter().rev() {
        let Position { object, superstep, first } = event.position;
        let count = program.objects()[object].processors;
        let Some(own) = processor.checked_sub(first).filter(|&own| own < count) else { continue };
        match &event.what {
            What::Worked { phase } => {
                let superstep = &program.objects()[object].supersteps[superstep];
                let Phase::Work(work) = &superstep.phases[*phase] else { continue };
                let seconds = work.seconds(own as usize, values);
                work.terms(own as usize, |Term { parameter, factor }| {
                    path.gradient[parameter.index()] += factor;
                });
                let step = step_of(&mut steps, event.position, processor);
                step.parts.computation += seconds;
            }
            What::Ended { decider, h } => {
                let decided = match decider {
                    Decider::Own => processor,
                    Decider::All(number) => first + number,
                    Decider::Each(deciders) => first + deciders[own as usize],
                };
                let h = match h {
                    Bytes::Same(h) => *h,
                    Bytes::Each(h) => h[own as usize],
                };
                let mut parts = Parts::default();
                let ending = &program.objects()[object].supersteps[superstep].ending;
                let paid = !matches!(ending, Ending::Nothing);
                if let Some(segment) =
                    pricing.rates[object][superstep].segment_at(h).filter(|_| paid)
                {
                    path.gradient[segment.g.index()] += h;
                    path.gradient[segment.l.index()] += 1.0;
                    parts.communication = Seconds(h * values[segment.g.index()]);
                    parts.synchronisation = Seconds(values[segment.l.index()]);
                }
                let decides = !matches!(decider, Decider::Own);
                processor = decided;
                let decided = ProcessorId(decided);
                steps.push(PathStep { object, superstep, processor: decided, decides, parts });
            }
        }
    }
    let joined = program.joins().get(processor as usize).copied().unwrap_or(0.0);
    path.first = (ProcessorId(processor), Seconds(joined));
    steps.reverse();
    path.steps = steps;
    path
}

/// The step whose end was met last, going backwards, for this superstep.
fn step_of(steps: &mut Vec<PathStep>, position: Position, processor: u32) -> &mut PathStep {
    let same = |step: &PathStep| {
        (step.object, step.superstep, step.processor)
            == (position.object, position.superstep, ProcessorId(processor))
    };
    // Steps of parts lie between a superstep's end and its first computation.
    match steps.iter().rposition(same) {
        Some(number) => &mut steps[number],
        None => {
            let (object, superstep) = (position.object, position.superstep);
            let parts = Parts::default();
            let processor = ProcessorId(processor);
            steps.push(PathStep { object, superstep, processor, decides: false, parts });
            let last = steps.len() - 1;
            &mut steps[last]
        }
    }
}

#[derive(Default)]
struct Trail {
    events: Vec<Event>,
}

struct Event {
    position: Position,
    what: What,
}

enum What {
    Worked { phase: usize },
    Ended { decider: Decider, h: Bytes },
}

enum Decider {
    Own,
    All(u32),
    Each(Vec<u32>),
}

enum Bytes {
    Same(f64),
    Each(Vec<f64>),
}

impl EvaluationObserver for Trail {
    fn worked(&mut self, position: Position, phase: usize, _: &Work, _: usize) {
        self.events.push(Event { position, what: What::Worked { phase } });
    }

    fn ended(&mut self, ended: &Ended<'_>, _: &[f64]) {
        let ready = ended.ready;
        let all = || Decider::All(Partners::All.decider(0, ready));
        let decider = match &ended.superstep.ending {
            _ if ended.global => all(),
            Ending::Nothing => Decider::Own,
            Ending::Barrier | Ending::Oblivious(Partners::All) => all(),
            Ending::Oblivious(Partners::None) => Decider::Own,
            Ending::Oblivious(partners) => {
                Decider::Each((0..ready.len() as u32).map(|i| partners.decider(i, ready)).collect())
            }
        };
        let h = match ended.h {
            crate::evaluate::Sizes::Same(h) => Bytes::Same(h),
            crate::evaluate::Sizes::Each(h) => Bytes::Each(h.to_vec()),
        };
        self.events.push(Event { position: ended.position, what: What::Ended { decider, h } });
    }
}
