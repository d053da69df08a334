//! Linear algebra and distributions, for matrices and numbers of any meaning.
//!
//! Householder QR with column pivoting (nalgebra's) is for solutions that are kept, Givens rotations append rows for the
//! many solutions that are only compared, and there is non-negative least squares. Normal equations are never formed.

mod distributions;
mod mixture;
mod nonnegative;
mod pivoted;
mod triangle;
pub mod vectors;

pub(crate) use distributions::{f_tail, normal, student, two_sided};
pub(crate) use mixture::{Component, quantile};
pub(crate) use nonnegative::non_negative;
pub(crate) use pivoted::{Solution, condition_and_shares, solve};
pub(crate) use triangle::Triangle;
pub(crate) use vectors::{dot, reduce};
