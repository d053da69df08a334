//! The parts of the long report, and their names.

/// A part of the report on a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
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

impl Part {
    /// The parts that a user can name, those with most use first.
    pub const NAMED: [(&'static str, Part); 14] = [
        ("constants", Part::Constants),
        ("intervals", Part::Intervals),
        ("levels", Part::Intervals),
        ("quality", Part::Quality),
        ("predictions", Part::Predictions),
        ("search", Part::Search),
        ("alternatives", Part::Alternatives),
        ("sampling", Part::Sampling),
        ("warnings", Part::Warnings),
        ("points", Part::Points),
        ("speed-up", Part::SpeedUp),
        ("misses", Part::Misses),
        ("processors", Part::Processors),
        ("shared", Part::Shared),
    ];

    /// The part of this name.
    pub fn named(name: &str) -> Option<Part> {
        Part::NAMED.iter().find(|(known, _)| *known == name).map(|(_, part)| *part)
    }

    /// Whether each experiment has one.
    pub(crate) fn is_of_experiment(self) -> bool {
        !matches!(self, Part::Ranking | Part::Experiments | Part::Shared | Part::Sampling)
    }

    /// The text in place of a part that there is not.
    pub(crate) fn absence(self) -> &'static str {
        match self {
            Part::Intervals => "one interval: the constants hold for all sizes",
            Part::Predictions => "no predictions: --predict asks for them",
            Part::Search => "no search: the formula was given",
            Part::Alternatives | Part::Suggestion => "no alternatives",
            Part::Processors => "no processors to compare: one measured each passage",
            Part::Misses => "no misses: no counters of them were recorded",
            Part::SpeedUp => "no speed-up: the time was not measured on several P",
            Part::Shared => "no shared constants: --share asks for them",
            Part::Warnings => "no warnings",
            Part::Sampling => "no sampling: cll model did not take these samples",
            Part::Ranking => "no ranking",
            Part::Experiments => "no experiments",
            Part::Constants | Part::Quality | Part::Points => "no fit",
        }
    }

    /// The parts of the whole report, in the order in which they are printed.
    pub(crate) fn of_report(has_points: bool) -> Vec<Part> {
        let mut all = vec![
            Part::Ranking,
            Part::Experiments,
            Part::Constants,
            Part::Intervals,
            Part::Quality,
            Part::Predictions,
            Part::Warnings,
            Part::Search,
            Part::Suggestion,
            Part::Processors,
            Part::Misses,
            Part::SpeedUp,
            Part::Shared,
            Part::Sampling,
        ];
        all.extend(has_points.then_some(Part::Points));
        all
    }
}
