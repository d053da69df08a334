//! What the observables of a thread are at a moment.

use cll_trace::observable::{MISSING, MOST_OBSERVABLES};

/// A value of each observable.
#[derive(Clone, Copy, Debug)]
pub struct Values {
    pub raw: [u64; MOST_OBSERVABLES],
    /// Of the group of events of each, how long it could and how long it was counted.
    pub enabled: [u64; MOST_OBSERVABLES],
    pub running: [u64; MOST_OBSERVABLES],
}

impl Values {
    pub const NONE: Values = Values {
        raw: [MISSING; MOST_OBSERVABLES],
        enabled: [0; MOST_OBSERVABLES],
        running: [0; MOST_OBSERVABLES],
    };
}
