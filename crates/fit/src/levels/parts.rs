//! The parts that only a fit of levels has.

use super::best_axis::Levels;
use crate::input::Samples;
use crate::intervals::Fitted;

/// The parts that only a fit of levels has, beside those of a fit with one interval.
pub(crate) struct LevelParts<'a> {
    pub(crate) levels: &'a Levels,
    /// The fit with one level of each constant, and its samples: with terms, not columns.
    pub(crate) plain: (&'a Samples, &'a Fitted<'a>),
}
