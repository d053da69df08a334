//! Warnings in words.

use std::fmt;

use super::kind::Warning;
use super::texts::{constants, intervals, points, prediction, repetitions, shape};
use crate::Unit;

impl Warning {
    /// The warning in words; values are in this unit.
    pub fn text(&self, unit: &Unit) -> String {
        let sentence = match self {
            Warning::Undetermined { .. }
            | Warning::IllConditioned { .. }
            | Warning::Negative { .. }
            | Warning::Continuation { .. }
            | Warning::HeldAtZero { .. } => constants(self, unit),
            Warning::MissesExact { .. }
            | Warning::LackOfFit { .. }
            | Warning::Runs { .. }
            | Warning::OtherFormula { .. }
            | Warning::Follows { .. }
            | Warning::MissingVariable { .. }
            | Warning::Pattern { .. } => shape(self),
            Warning::ManyIntervals { .. }
            | Warning::ManyChanges { .. }
            | Warning::NotLevel { .. }
            | Warning::NoIntervals { .. }
            | Warning::Thinned { .. } => intervals(self),
            Warning::Emptied { .. }
            | Warning::OneAtATime { .. }
            | Warning::NotPositive { .. }
            | Warning::NotPositiveObservations { .. }
            | Warning::OutliersLeftOut { .. }
            | Warning::AllAlike { .. }
            | Warning::FewPoints { .. }
            | Warning::FirstCall { .. } => points(self, unit),
            Warning::NoRepetitions
            | Warning::RepetitionsTogether { .. }
            | Warning::DependentRepetitions { .. }
            | Warning::Spikes { .. }
            | Warning::Mean => repetitions(self),
            Warning::Beyond { .. }
            | Warning::ShapeBeyond { .. }
            | Warning::NextLevel { .. }
            | Warning::Apart { .. }
            | Warning::Between { .. } => prediction(self, unit),
        };
        sentence.unwrap_or_else(|| self.code().to_owned())
    }
}

/// The warning in words, of values in seconds.
impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&Unit::Seconds))
    }
}
