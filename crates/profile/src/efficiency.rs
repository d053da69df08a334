//! The figures of POP (performance optimisation and productivity) that head a report.

use cll_units::Seconds;
use schemars::JsonSchema;
use serde::Serialize;

use crate::metric::Metric;
use crate::profile::Profile;

/// Shares, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Efficiency {
    /// Average computation divided by maximum computation.
    pub load_balance: f64,
    /// Maximum computation divided by the time of the program.
    pub communication: f64,
    /// Their product: average computation divided by the time of the program.
    pub parallel: f64,
    /// The time that they are shares of: that of the program.
    #[serde(rename = "elapsed_s")]
    pub elapsed: Seconds,
}

impl Efficiency {
    /// The figures of a profile; if its elapsed time is less than its computation, the computation is used instead.
    pub fn new(profile: &Profile) -> Efficiency {
        let computation = profile.root().costs.summary(Metric::Computation);
        let elapsed = profile.elapsed.get().max(computation.maximum);
        let share = |part: f64, whole: f64| if whole == 0.0 { 1.0 } else { part / whole };
        let load_balance = share(computation.average, computation.maximum);
        let communication = share(computation.maximum, elapsed);
        Efficiency {
            load_balance,
            communication,
            parallel: load_balance * communication,
            elapsed: Seconds(elapsed),
        }
    }
}
