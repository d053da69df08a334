//! The parts of the long report, and their names.

/// A part of the report on a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportPart {
    /// Where a program spends its time.
    Ranking,
    /// One row for each experiment.
    Experiments,
    /// Constants with their uncertainty.
    Constants,
    /// Where constants hold: intervals, regions, levels.
    Intervals,
    /// Errors and tests.
    Quality,
    /// Predictions with their intervals.
    Predictions,
    /// The formulas of a search.
    Search,
    /// Suggested formulas, and other divisions into intervals or levels.
    Alternatives,
    /// Suggested formulas alone.
    Suggestion,
    /// How processors differ, and how they began together.
    Processors,
    /// Misses per access.
    Misses,
    /// Speed-up on more processors.
    SpeedUp,
    /// Constants that experiments share.
    Shared,
    /// Warnings of the fit and notices on its data.
    Warnings,
    /// How the samples were taken.
    Sampling,
    /// Every point.
    Points,
}

impl ReportPart {
    /// The parts that a user can name, those with most use first.
    pub const NAMED: [(&'static str, ReportPart); 14] = [
        ("constants", ReportPart::Constants),
        ("intervals", ReportPart::Intervals),
        ("levels", ReportPart::Intervals),
        ("quality", ReportPart::Quality),
        ("predictions", ReportPart::Predictions),
        ("search", ReportPart::Search),
        ("alternatives", ReportPart::Alternatives),
        ("sampling", ReportPart::Sampling),
        ("warnings", ReportPart::Warnings),
        ("points", ReportPart::Points),
        ("speed-up", ReportPart::SpeedUp),
        ("misses", ReportPart::Misses),
        ("processors", ReportPart::Processors),
        ("shared", ReportPart::Shared),
    ];

    /// The part of this name.
    pub fn named(name: &str) -> Option<ReportPart> {
        ReportPart::NAMED.iter().find(|(known, _)| *known == name).map(|(_, part)| *part)
    }

    /// Whether each experiment has one.
    pub(crate) fn is_of_experiment(self) -> bool {
        !matches!(
            self,
            ReportPart::Ranking
                | ReportPart::Experiments
                | ReportPart::Shared
                | ReportPart::Sampling
        )
    }

    /// The text in place of a part that there is not.
    pub(crate) fn absence(self) -> &'static str {
        match self {
            ReportPart::Intervals => "one interval: the constants hold for all sizes",
            ReportPart::Predictions => "no predictions: --predict asks for them",
            ReportPart::Search => "no search: the formula was given",
            ReportPart::Alternatives | ReportPart::Suggestion => "no alternatives",
            ReportPart::Processors => "no processors to compare: one measured each passage",
            ReportPart::Misses => "no misses: no counters of them were recorded",
            ReportPart::SpeedUp => "no speed-up: the time was not measured on several P",
            ReportPart::Shared => "no shared constants: --share asks for them",
            ReportPart::Warnings => "no warnings",
            ReportPart::Sampling => "no sampling: cll model did not take these samples",
            ReportPart::Ranking => "no ranking",
            ReportPart::Experiments => "no experiments",
            ReportPart::Constants | ReportPart::Quality | ReportPart::Points => "no fit",
        }
    }

    /// The parts of the whole report, in the order in which they are printed.
    pub(crate) fn of_report(has_points: bool) -> Vec<ReportPart> {
        let mut all = vec![
            ReportPart::Ranking,
            ReportPart::Experiments,
            ReportPart::Constants,
            ReportPart::Intervals,
            ReportPart::Quality,
            ReportPart::Predictions,
            ReportPart::Warnings,
            ReportPart::Search,
            ReportPart::Suggestion,
            ReportPart::Processors,
            ReportPart::Misses,
            ReportPart::SpeedUp,
            ReportPart::Shared,
            ReportPart::Sampling,
        ];
        all.extend(has_points.then_some(ReportPart::Points));
        all
    }
}
