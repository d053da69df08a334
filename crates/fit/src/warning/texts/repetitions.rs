//! Sentences of warnings about repetitions.

use crate::warning::kind::Warning;
use crate::warning::text::{number, percent};

/// The sentence of a warning about repetitions; `None` for any other.
pub(crate) fn repetitions(warning: &Warning) -> Option<String> {
    Some(match warning {
        Warning::NoRepetitions => {
            "no point was measured twice, so lack of fit and spikes cannot be tested; repeat \
             the run"
                .to_owned()
        }
        Warning::RepetitionsTogether { deviation } => format!(
            "the k-th repetitions are high or low together at all points: the runs differ by {}, which the \
             intervals do not contain; a column `run` that says of which run a row is lets them",
            percent(*deviation)
        ),
        Warning::DependentRepetitions { spread } => format!(
            "the repetitions spread by {}, but the points lie much closer to the formula than the aggregates of \
             independent repetitions could: they vary together at all points, as of several machines, runs or states; \
             the intervals contain this spread",
            percent(*spread)
        ),
        Warning::Spikes { rate, largest } => format!(
            "{} of the observations are spikes, up to {} times their point's median: the \
             machine may be loaded",
            percent(*rate),
            number(*largest)
        ),
        Warning::Mean => {
            "the mean represents the repetitions: a single spike changes it; median and \
             minimum are more robust"
                .to_owned()
        }
        _ => return None,
    })
}
