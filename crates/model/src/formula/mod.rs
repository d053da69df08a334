//! Programs described by formulas: `docs/formats/obsp.md`.

mod block;
mod build;
mod expression;
mod read;
mod scope;
mod send;

use std::collections::BTreeMap;

use cll_diagnostic::Diagnostic;
use cll_fit::Fit;
use schemars::JsonSchema;
use serde::Serialize;

use crate::parameters::Quantities;
use crate::program::Program;

pub use read::{Description, parse};

/// The codes of this module's diagnostics.
pub mod codes {
    /// The file is not TOML, or has a wrong key or value.
    pub const FILE: &str = "O001";
    /// A name that is nowhere defined.
    pub const NAME: &str = "O002";
    /// An impossible value: not a whole number, not finite, or out of range.
    pub const VALUE: &str = "O003";
    /// A block without constants, or with a fit that cannot be used.
    pub const BLOCK: &str = "O004";
    /// More than can be evaluated.
    pub const SIZE: &str = "O005";
}

/// Fits by file (as the description names it), then experiment.
pub type Fits = BTreeMap<String, BTreeMap<String, Fit>>;

/// A program at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Built {
    /// The structure of the program; objects and supersteps are named as in the description.
    pub program: Program,
    /// The constants of its blocks.
    pub quantities: Quantities,
    /// Notes that users should know about the blocks at this point.
    pub notes: Vec<Note>,
    /// Blocks for which their data refuse a value at this point: then the program has no time.
    pub refusals: Vec<Refusal>,
}

/// Why a block has no value at a point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Refusal {
    /// The block.
    pub block: String,
    /// Why, in words.
    pub why: String,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "block {}: {}", self.block, self.why)
    }
}

/// A note that users should know about a block at a point.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "note", rename_all = "kebab-case")]
pub enum Note {
    /// The variable of a block is outside of the measured range.
    Beyond {
        /// The block.
        block: String,
        /// The variable.
        variable: String,
        /// The value of the variable.
        value: f64,
        /// The nearest measured value.
        nearest: f64,
    },
    /// The variables of a block were not measured together there.
    Apart {
        /// The block.
        block: String,
        /// The variables.
        variables: Vec<String>,
        /// Their values.
        values: Vec<f64>,
    },
    /// It is between two intervals of validity; the constants of either may be valid.
    Between {
        /// The block.
        block: String,
        /// Last measured value on the left.
        low: f64,
        /// First measured value on the right.
        high: f64,
    },
    /// It takes less than no time.
    Negative {
        /// The block.
        block: String,
        /// Seconds.
        seconds: f64,
    },
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Note::Beyond { block, variable, value, nearest } => write!(
                f,
                "block {block} is needed at {variable} = {value}, beyond its data, the nearest of which \
                 is {nearest}"
            ),
            Note::Apart { block, variables, values } => {
                let pairs = variables.iter().zip(values).map(|(n, v)| format!("{n} = {v}"));
                let pairs: Vec<String> = pairs.collect();
                write!(
                    f,
                    "block {block} is needed at {}, which were not measured together",
                    pairs.join(" with ")
                )
            }
            Note::Between { block, low, high } => write!(
                f,
                "block {block} is needed between two of its intervals of validity, {low} and {high}"
            ),
            Note::Negative { block, seconds } => {
                write!(f, "block {block} takes {seconds} s there: less than no time")
            }
        }
    }
}

impl Description {
    /// The program at a point: values of variables, `P` (the number of processors) among them.
    ///
    /// # Errors
    /// If something cannot be evaluated there; the error has its place in the description.
    pub fn build(&self, fits: &Fits, point: &[(String, f64)]) -> Result<Built, Box<Diagnostic>> {
        build::build(self, fits, point)
    }
}
