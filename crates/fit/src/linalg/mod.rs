//! The linear algebra under the statistics: a pivoted Householder QR (nalgebra's) for solutions
//! that are kept, rows appended by rotations for the many that are only compared, and
//! non-negative least squares. Normal equations are never formed.

mod nonnegative;
mod pivoted;
mod triangle;

pub(crate) use nonnegative::non_negative;
pub(crate) use pivoted::{Solution, condition_and_shares, solve};
pub(crate) use triangle::Triangle;
