//! What the observables of a thread are at a moment.

use cll_trace::observable::{MAX_OBSERVABLES, MISSING};

/// A value of each observable.
#[derive(Clone, Copy, Debug)]
pub struct Values {
    pub raw: [u64; MAX_OBSERVABLES],
    /// Of the group of events of each, how long it could and how long it was counted.
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
