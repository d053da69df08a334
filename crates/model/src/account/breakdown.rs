//! Computation, communication, synchronisation and waiting, by superstep, processor and machine object.

use serde::Serialize;

use crate::evaluate::{Ended, Evaluator, Place, Watch};
use crate::price::Pricing;
use crate::program::{Program, Work, largest};

/// Four kinds of time, seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Parts {
    /// W.
    pub computation_s: f64,
    /// g·h.
    pub communication_s: f64,
    /// L.
    pub synchronisation_s: f64,
    /// Until the last of Ω had computed; before a processor joined and after it had ended, too.
    pub waiting_s: f64,
}

impl Parts {
    /// Their sum.
    pub fn total(&self) -> f64 {
        self.computation_s + self.communication_s + self.synchronisation_s + self.waiting_s
    }

    /// Adds others.
    pub fn add(&mut self, other: &Parts) {
        self.computation_s += other.computation_s;
        self.communication_s += other.communication_s;
        self.synchronisation_s += other.synchronisation_s;
        self.waiting_s += other.waiting_s;
    }

    /// Each times a factor.
    #[must_use]
    pub fn times(&self, factor: f64) -> Parts {
        Parts {
            computation_s: self.computation_s * factor,
            communication_s: self.communication_s * factor,
            synchronisation_s: self.synchronisation_s * factor,
            waiting_s: self.waiting_s * factor,
        }
    }
}

/// The time of a program, taken apart. Every processor's parts sum to the total; so do the mean parts of all
/// supersteps with `outside`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Breakdown {
    /// Seconds of the whole.
    pub total_s: f64,
    /// By processor of the program.
    pub processors: Vec<Parts>,
    /// By object, then superstep.
    pub supersteps: Vec<Vec<SuperstepAccount>>,
    /// Waiting before processors joined and after they had ended, the mean over the program's processors.
    pub outside_s: f64,
}

/// A superstep of a machine object, over all times that the object was gone through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SuperstepAccount {
    /// The mean over the program's processors, those among them that are not in the object: what the
    /// superstep adds to the mean of [`Breakdown::processors`].
    pub mean: Parts,
    /// The most of each that a processor has.
    pub most: Parts,
    /// The largest h, bytes.
    pub h_bytes: f64,
    /// Machine objects (parts of the same kind) that went through it.
    pub times: u64,
}

/// Takes a program's time apart.
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
    let times = evaluator.watched(program, pricing, values, &mut accounts);
    let total_s = largest(times);
    let mut outside = 0.0;
    for (i, (parts, time)) in accounts.processors.iter_mut().zip(times).enumerate() {
        let joined = program.joins().get(i).copied().unwrap_or(0.0);
        let waiting = joined + (total_s - time);
        parts.waiting_s += waiting;
        outside += waiting;
    }
    for account in accounts.supersteps.iter_mut().flatten() {
        account.mean = account.mean.times(1.0 / processors as f64);
    }
    Breakdown {
        total_s,
        processors: accounts.processors,
        supersteps: accounts.supersteps,
        outside_s: outside / processors as f64,
    }
}

struct Accounts<'a> {
    values: &'a [f64],
    processors: Vec<Parts>,
    supersteps: Vec<Vec<SuperstepAccount>>,
}

impl Watch for Accounts<'_> {
    fn worked(&mut self, place: Place, _: usize, work: &Work, processors: usize) {
        let first = place.first as usize;
        let account = &mut self.supersteps[place.object][place.superstep];
        for i in 0..processors {
            let seconds = work.seconds(i, self.values);
            self.processors[first + i].computation_s += seconds;
            account.mean.computation_s += seconds;
            account.most.computation_s = account.most.computation_s.max(seconds);
        }
    }

    fn ended(&mut self, ended: &Ended<'_>, after: &[f64]) {
        let first = ended.place.first as usize;
        let account = &mut self.supersteps[ended.place.object][ended.place.superstep];
        account.times += 1;
        for (i, (ready, after)) in ended.ready.iter().zip(after).enumerate() {
            let h = ended.h.of(i);
            let (communication, synchronisation) = match ended.superstep.ending {
                crate::program::Ending::Nothing => (0.0, 0.0),
                _ => ended.rate.cost(h, self.values),
            };
            let waiting = (after - communication - synchronisation - ready).max(0.0);
            let parts = Parts {
                computation_s: 0.0,
                communication_s: communication,
                synchronisation_s: synchronisation,
                waiting_s: waiting,
            };
            self.processors[first + i].add(&parts);
            account.mean.add(&parts);
            account.most.communication_s = account.most.communication_s.max(communication);
            account.most.synchronisation_s = account.most.synchronisation_s.max(synchronisation);
            account.most.waiting_s = account.most.waiting_s.max(waiting);
            account.h_bytes = account.h_bytes.max(h);
        }
    }
}
