//! From several fits to what differs between them, and to constants that they share.

mod compare;
mod share;
mod share_error;

pub use compare::{
    BoundaryChange, Change, CompareError, CompareOptions, ConstantChange, FitComparison, Moved,
    ValueChange, compare, compare_among,
};
pub use share::{SharedConstant, share};
pub use share_error::ShareError;
