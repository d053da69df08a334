//! Linear algebra: Householder QR with column pivoting (nalgebra's) for solutions that are kept,
//! Givens rotations that append rows for the many solutions that are only compared, and
//! non-negative least squares. Normal equations are never formed.

mod nonnegative;
mod pivoted;
mod triangle;

pub(crate) use nonnegative::non_negative;
pub(crate) use pivoted::{Solution, condition_and_shares, solve};
pub(crate) use triangle::Triangle;
