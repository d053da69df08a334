//! How much whole runs differ.

use serde::{Deserialize, Serialize};

use crate::Widening;

/// How much whole runs differ: a factor that all times of a run share. The variation of single samples does not show
/// it, since all points change together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BetweenRuns {
    /// The number of runs that were compared.
    pub runs: usize,
    /// Relative standard deviation of a run's factor; 0 if the runs differ no more than their noise makes them.
    pub deviation: f64,
    /// The degrees of freedom.
    pub dof: f64,
    /// Relative standard deviation that the factors of these runs leave in all fitted values.
    pub left: f64,
}

impl BetweenRuns {
    /// The addition to every interval. A new measurement is of as many new runs.
    pub(crate) fn widening(&self) -> Widening {
        Widening { common: self.left, fresh: self.left, dof: self.dof, ..Widening::default() }
    }
}
