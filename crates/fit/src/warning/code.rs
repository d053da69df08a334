//! Names of warnings for scripts.

use super::kind::Warning;

impl Warning {
    /// A name for scripts; it stays the same over versions.
    pub fn code(&self) -> &'static str {
        match self {
            Warning::Emptied { .. } => "emptied",
            Warning::Undetermined { .. } => "undetermined",
            Warning::IllConditioned { .. } => "ill-conditioned",
            Warning::Negative { .. } => "negative",
            Warning::Continuation { .. } => "continuation",
            Warning::ManyIntervals { .. } => "many-intervals",
            Warning::ManyChanges { .. } => "many-changes",
            Warning::NotLevel { .. } => "not-level",
            Warning::HeldAtZero { .. } => "held-at-zero",
            Warning::MissesExact { .. } => "misses-exact",
            Warning::LackOfFit { .. } => "lack-of-fit",
            Warning::Runs { .. } => "runs",
            Warning::OtherFormula { .. } => "other-formula",
            Warning::Follows { .. } => "follows",
            Warning::MissingVariable { .. } => "missing-variable",
            Warning::Pattern { .. } => "pattern",
            Warning::OneAtATime { .. } => "one-at-a-time",
            Warning::NotPositive { .. } => "not-positive",
            Warning::NotPositiveObservations { .. } => "not-positive-observations",
            Warning::OutliersLeftOut { .. } => "outliers-left-out",
            Warning::AllAlike { .. } => "all-alike",
            Warning::FewPoints { .. } => "few-points",
            Warning::NoRepetitions => "no-repetitions",
            Warning::RepetitionsTogether { .. } => "repetitions-together",
            Warning::DependentRepetitions { .. } => "dependent-repetitions",
            Warning::Spikes { .. } => "spikes",
            Warning::NoIntervals { .. } => "no-intervals",
            Warning::Mean => "mean",
            Warning::Thinned { .. } => "thinned",
            Warning::FirstCall { .. } => "first-call",
            Warning::Beyond { .. } => "beyond",
            Warning::ShapeBeyond { .. } => "shape-beyond",
            Warning::NextLevel { .. } => "next-level",
            Warning::Apart { .. } => "apart",
            Warning::Between { .. } => "between",
        }
    }
}
