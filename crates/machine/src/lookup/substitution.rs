//! Substitutes for missing data.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::communication::{Combine, Pattern, Synchronisation};

/// A substitution: the data that were missing for a machine, and the data that were used instead.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "missing", rename_all = "kebab-case")]
pub enum Substitution {
    /// No engine was named, and there are several: the first one was used.
    Engine {
        /// The file's first.
        taken: String,
    },
    /// Nothing was measured with this number of processors.
    Processors {
        /// As many were requested.
        asked: u32,
        /// As many were taken.
        taken: u32,
    },
    /// Processors with a core for each were requested and others were measured, or the reverse.
    Oversubscribed {
        /// Whether the data that were used are for more processors than cores.
        taken: bool,
    },
    /// The pattern was not measured.
    Pattern {
        /// The pattern that was requested.
        asked: Pattern,
        /// The pattern that was taken.
        taken: Pattern,
    },
    /// This way to end a superstep was not measured.
    Synchronisation {
        /// The way that was requested.
        asked: Synchronisation,
        /// The way that was taken.
        taken: Synchronisation,
    },
    /// There is no g for this @: the other's was converted, as if each processor did what
    /// the pattern says.
    Combine {
        /// The @ that was requested.
        asked: Combine,
        /// The @ that was taken.
        taken: Combine,
    },
    /// h is beyond the sizes that were measured.
    Size {
        /// h, bytes.
        asked: f64,
        /// Smallest that was measured, bytes.
        from: f64,
        /// Largest that was measured, bytes.
        to: f64,
    },
    /// There is only (s, g, l), which is used for every pattern and size.
    Classic,
}

impl fmt::Display for Substitution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Substitution::Engine { taken } => {
                write!(f, "no engine was named: that of {taken} was taken, the first of several")
            }
            Substitution::Processors { asked, taken } => {
                write!(f, "nothing is known for {asked} processors: those of {taken} were taken")
            }
            Substitution::Oversubscribed { taken: true } => {
                f.write_str("only processors that shared cores were measured")
            }
            Substitution::Oversubscribed { taken: false } => {
                f.write_str("only processors with a core for each were measured")
            }
            Substitution::Pattern { asked, taken } => {
                write!(f, "{} was not measured: {} was taken", asked.name(), taken.name())
            }
            Substitution::Synchronisation { asked, taken } => write!(
                f,
                "{} supersteps were not measured: {} ones were taken",
                asked.name(),
                taken.name()
            ),
            Substitution::Combine { asked, taken } => write!(
                f,
                "there is no g for @ = {}: it was made from that for @ = {}",
                asked.name(),
                taken.name()
            ),
            Substitution::Size { asked, from, to } => {
                write!(f, "h = {asked} B is beyond the sizes that were measured, {from} to {to} B")
            }
            Substitution::Classic => {
                f.write_str("only (s, g, l) is known: it serves every pattern and size")
            }
        }
    }
}

/// Records that data for other processors than requested were used.
pub(super) fn of_processors(
    (asked, oversubscribed): (u32, Option<bool>),
    (taken, shared): (u32, bool),
    substitutions: &mut Vec<Substitution>,
) {
    if asked != taken {
        substitutions.push(Substitution::Processors { asked, taken });
    }
    if oversubscribed.is_some_and(|wanted| wanted != shared) {
        substitutions.push(Substitution::Oversubscribed { taken: shared });
    }
}
