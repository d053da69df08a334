//! Computation, communication, synchronisation and waiting, by superstep, processor and machine object.

use cll_units::Seconds;
use schemars::JsonSchema;
use serde::Serialize;

use crate::evaluate::{Ended, EvaluationObserver, Evaluator, Position};
use crate::price::Pricing;
use crate::program::{Program, Work, largest};

/// Four kinds of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Parts {
    /// W.
    #[serde(rename = "computation_s")]
    pub computation: Seconds,
    /// g·h.
    #[serde(rename = "communication_s")]
    pub communication: Seconds,
    /// L.
    #[serde(rename = "synchronisation_s")]
    pub synchronisation: Seconds,
    /// Until the last processor of Ω had finished computing; also the time before a processor joined and after it had
    /// ended.
    #[serde(rename = "waiting_s")]
    pub waiting: Seconds,
}

impl Parts {
    /// Their sum.
    pub fn total(&self) -> Seconds {
        self.computation + self.communication + self.synchronisation + self.waiting
    }

    /// Adds others.
    pub fn add(&mut self, other: &Parts) {
        self.computation += other.computation;
        self.communication += other.communication;
        self.synchronisation += other.synchronisation;
        self.waiting += other.waiting;
    }

    /// Each times a factor.
    #[must_use]
    pub fn times(&self, factor: f64) -> Parts {
        Parts {
            computation: self.computation * factor,
            communication: self.communication * factor,
            synchronisation: self.synchronisation * factor,
            waiting: self.waiting * factor,
        }
    }
}

/// The breakdown of a program's time. Every processor's parts sum to the total; so do the mean parts of all
/// supersteps with `outside`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Breakdown {
    /// The time of the whole.
    #[serde(rename = "total_s")]
    pub total: Seconds,
    /// By processor of the program.
    pub processors: Vec<Parts>,
    /// By object, then superstep.
    pub supersteps: Vec<Vec<SuperstepAccount>>,
    /// Waiting before processors joined and after they had ended, the mean over the program's processors.
    #[serde(rename = "outside_s")]
    pub outside: Seconds,
}

/// A superstep of a machine object, over all times that the object was gone through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct SuperstepAccount {
    /// The mean over all processors of the program, including those that are not in the object. So it is what the
    /// superstep adds to the mean of [`Breakdown::processors`].
    pub mean: Parts,
    /// The most of each that a processor has.
    pub most: Parts,
    /// The largest h, bytes.
    pub h_bytes: f64,
    /// Number of machine objects (parts of the same kind) with this superstep.
    pub times: u64,
}

/// Breaks a program's time down.
pub fn breakdown(program: &Program, pricing: &Pricing, values: &[f64]) -> Breakdown {
    let processors = program.processors() as usize;
    let mut accounts = Accounts {
        values,
        processors: vec![Parts::default(); processors],
        supersteps: (program.objects().iter())
            .map(|object| vec![SuperstepAccount::default(); object.supersteps.len()])
            .collect(),
    };
    let mut evaluator = Evaluator::default();
    let times = evaluator.observed(program, pricing, values, &mut accounts);
    let total_s = largest(times);
    let mut outside = 0.0;
    for (i, (parts, time)) in accounts.processors.iter_mut().zip(times).enumerate() {
        let joined = program.joins().get(i).copied().unwrap_or(0.0);
        let waiting = joined + (total_s - time);
        parts.waiting += Seconds(waiting);
        outside += waiting;
    }
    for account in accounts.supersteps.iter_mut().flatten() {
        account.mean = account.mean.times(1.0 / processors as f64);
    }
    Breakdown {
        total: Seconds(total_s),
        processors: accounts.processors,
        supersteps: accounts.supersteps,
        outside: Seconds(outside / processors as f64),
    }
}

struct Accounts<'a> {
    values: &'a [f64],
    processors: Vec<Parts>,
    supersteps: Vec<Vec<SuperstepAccount>>,
}

impl EvaluationObserver for Accounts<'_> {
    fn worked(&mut self, position: Position, _: usize, work: &Work, processors: usize) {
        let first = position.first as usize;
        let account = &mut self.supersteps[position.object][position.superstep];
        for i in 0..processors {
            let seconds = work.seconds(i, self.values);
            self.processors[first + i].computation += seconds;
            account.mean.computation += seconds;
            account.most.computation = account.most.computation.max(seconds);
        }
    }

    fn ended(&mut self, ended: &Ended<'_>, after: &[f64]) {
        let first = ended.position.first as usize;
        let account = &mut self.supersteps[ended.position.object][ended.position.superstep];
        account.times += 1;
        for (i, (ready, after)) in ended.ready.iter().zip(after).enumerate() {
            let h = ended.h.of_processor(i);
            let (communication, synchronisation) = match ended.superstep.ending {
                crate::program::Ending::Nothing => (0.0, 0.0),
                _ => ended.rate.cost(h, self.values),
            };
            let waiting = after - communication - synchronisation - ready;
            // A rounding error does not count as waiting.
            let waiting = if waiting > 1e-14 * after { waiting } else { 0.0 };
            let [communication, synchronisation, waiting] =
                [communication, synchronisation, waiting].map(Seconds);
            let parts =
                Parts { computation: Seconds::ZERO, communication, synchronisation, waiting };
            self.processors[first + i].add(&parts);
            account.mean.add(&parts);
            account.most.communication = account.most.communication.max(communication);
            account.most.synchronisation = account.most.synchronisation.max(synchronisation);
            account.most.waiting = account.most.waiting.max(waiting);
            account.h_bytes = account.h_bytes.max(h);
        }
    }
}
