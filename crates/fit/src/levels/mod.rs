//! From samples and axes to constants with levels: each constant is a cost, and along one axis it changes between levels.
//!
//! A change is a jump, a rise or a kink ([`LevelChange`](crate::LevelChange)). The model is linear in the levels for
//! given places and widths: non-negative least squares. The changes are searched one after the other, their number and kinds
//! by the criterion of divisions and by what they gain at sizes that are left out. Predictions average over all places,
//! widths and kinds that the data allow.
//!
//! Each level is a column of the design: the part of its term that it is multiplied by. With the columns in place of the
//! terms all that is said of a fit with one interval holds for a fit of levels.
//!
//! Why: decision 0175.

mod best_axis;
mod candidate;
mod columns;
mod draws;
mod estimates;
mod gram;
mod held_at_zero;
mod noise;
mod problem;
mod refine;
mod score;
mod search;

pub(crate) use best_axis::{LevelParts, Levels, independent};
pub(crate) use columns::{Along, owners};
pub(crate) use estimates::{Known, level_values};
pub(crate) use held_at_zero::without_bound;
pub(crate) use noise::{aggregated_noise, explains_more};
pub(crate) use search::EXPLAINED;
