//! Reasons why constants cannot be shared.

use crate::Unit;

/// Why constants cannot be shared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShareError {
    /// No fit has a constant with this name.
    #[error("there is no constant {name}; there are {}", .known.join(", "))]
    Unknown {
        /// The name.
        name: String,
        /// The constants of all fits.
        known: Vec<String>,
    },
    /// Fewer than two constants.
    #[error("{name} alone cannot be shared: name the constants of two experiments or more")]
    Alone {
        /// The constant that was given.
        name: String,
    },
    /// Two constants of one experiment.
    #[error(
        "{first} and {second} belong to one experiment; constants are shared between experiments"
    )]
    OneExperiment {
        /// The one.
        first: String,
        /// The other.
        second: String,
    },
    /// A constant is in two groups.
    #[error("{name} is shared twice")]
    Twice {
        /// The name of the constant.
        name: String,
    },
    /// The experiments have different units.
    #[error("{first} is in {unit}, {second} in {other}")]
    Units {
        /// The one.
        first: String,
        /// The unit of the first experiment.
        unit: Unit,
        /// The other.
        second: String,
        /// The unit of the second experiment.
        other: Unit,
    },
    /// A fit with several intervals.
    #[error(
        "{name} cannot be shared: its experiment has {intervals} intervals; fit it with one (--intervals none)"
    )]
    Intervals {
        /// The constant.
        name: String,
        /// How many.
        intervals: usize,
    },
    /// A constant without a value or a standard error of its own.
    #[error("{name} cannot be shared: its own data do not determine it with a standard error")]
    Undetermined {
        /// The constant.
        name: String,
    },
}
