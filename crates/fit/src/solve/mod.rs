//! From rows in the order of an axis, and a division of them, to constants, residuals and their deviation.

mod division;
mod interval_constants;
mod ordered_points;
mod residual_deviation;
mod segments;
mod solution;

pub(crate) use division::{Division, ranges};
pub(crate) use interval_constants::{Table, tables};
pub(crate) use ordered_points::{OrderedPoints, OrderedRow};
pub(crate) use residual_deviation::{Sigma, moderated, pooled, pure_error, relative};
pub(crate) use segments::Segments;
pub(crate) use solution::{Solved, SolvedRow};
