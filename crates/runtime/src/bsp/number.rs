//! Numbers in C: of processors, sizes and offsets, in `int` or in unsigned types.

use std::ffi::{c_int, c_uint};

use cll_bsp::Misuse;

/// One of these types.
pub trait Number: Copy {
    /// The value that means "no message".
    const NONE: Self;

    /// As `usize`; an error if it is negative.
    fn count(self) -> Result<usize, i64>;

    /// From `usize`; the largest value of the type if that is less.
    fn from_count(count: usize) -> Self;
}

impl Number for c_int {
    const NONE: c_int = -1;

    #[inline]
    fn count(self) -> Result<usize, i64> {
        usize::try_from(self).map_err(|_| self.into())
    }

    #[inline]
    fn from_count(count: usize) -> c_int {
        c_int::try_from(count).unwrap_or(c_int::MAX)
    }
}

impl Number for c_uint {
    const NONE: c_uint = c_uint::MAX;

    #[inline]
    fn count(self) -> Result<usize, i64> {
        Ok(self as usize)
    }

    #[inline]
    fn from_count(count: usize) -> c_uint {
        c_uint::try_from(count).unwrap_or(c_uint::MAX)
    }
}

impl Number for usize {
    const NONE: usize = usize::MAX;

    #[inline]
    fn count(self) -> Result<usize, i64> {
        // No memory is larger: the value was negative before it was converted to an unsigned type.
        if self > isize::MAX as usize { Err(self as i64) } else { Ok(self) }
    }

    #[inline]
    fn from_count(count: usize) -> usize {
        count
    }
}

/// A processor's number.
#[inline]
pub fn pid(number: impl Number) -> Result<usize, Misuse> {
    number.count().map_err(Misuse::NegativePid)
}

/// A size in bytes.
#[inline]
pub fn size(number: impl Number) -> Result<usize, Misuse> {
    number.count().map_err(Misuse::NegativeSize)
}

/// An offset in bytes.
#[inline]
pub fn offset(number: impl Number) -> Result<usize, Misuse> {
    number.count().map_err(Misuse::NegativeOffset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_numbers_are_reported_as_given() {
        assert_eq!(pid(-2), Err(Misuse::NegativePid(-2)));
        assert_eq!(size(c_int::MIN), Err(Misuse::NegativeSize(c_int::MIN.into())));
        assert_eq!(offset(7), Ok(7));
        assert_eq!(size(usize::MAX - 7), Err(Misuse::NegativeSize(-8)));
        assert_eq!(size(isize::MAX as usize), Ok(isize::MAX as usize));
    }

    #[test]
    fn numbers_that_are_too_large_become_the_maximum() {
        assert_eq!(c_int::from_count(1 << 40), c_int::MAX);
        assert_eq!(c_uint::from_count(1 << 40), c_uint::MAX);
        assert_eq!(usize::from_count(1 << 40), 1 << 40);
    }
}
