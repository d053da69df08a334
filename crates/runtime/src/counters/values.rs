//! The values of a thread's observables at one moment.

use cll_trace::observable::{MAX_OBSERVABLES, MISSING};

/// A value of each observable.
#[derive(Clone, Copy, Debug)]
pub struct Values {
    pub raw: [u64; MAX_OBSERVABLES],
    /// For the group of each event: how long it was enabled, and how long it was counted.
    pub enabled: [u64; MAX_OBSERVABLES],
    pub running: [u64; MAX_OBSERVABLES],
}

impl Values {
    pub const NONE: Values = Values {
        raw: [MISSING; MAX_OBSERVABLES],
        enabled: [0; MAX_OBSERVABLES],
        running: [0; MAX_OBSERVABLES],
    };
}
