//! Whole numbers: ticks, bytes, processors, supersteps.

use std::fmt::{self, Display};
use std::iter::Sum;
use std::ops::{Add, AddAssign};

macro_rules! whole {
    ($(#[$about:meta])* $name:ident($number:ty)) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(
            feature = "serde",
            derive(serde::Serialize, serde::Deserialize),
            serde(transparent)
        )]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[repr(transparent)]
        pub struct $name(pub $number);

        impl $name {
            /// The plain number.
            #[inline]
            pub const fn get(self) -> $number {
                self.0
            }
        }

        /// The number, without a unit.
        impl Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

whole! {
    /// A reading of a processor's counter of time. How long a tick is follows from the clock that was read.
    Ticks(u64)
}

whole! {
    /// A number of bytes. An average of bytes is an `f64` with `bytes` in its name.
    Bytes(u64)
}

whole! {
    /// The number of a processor in the program, or of a process of MPI in its communicator, from 0.
    ProcessorId(u32)
}

whole! {
    /// The number of a superstep in its machine, from 1.
    SuperstepNumber(u64)
}

impl Ticks {
    /// Ticks since an earlier reading; negative if that was later. Readings may wrap around.
    #[inline]
    pub const fn since(self, earlier: Ticks) -> i64 {
        self.0.wrapping_sub(earlier.0) as i64
    }
}

impl Bytes {
    /// For averages and prices for each byte; above 2⁵³ the nearest number there is.
    #[inline]
    pub const fn as_f64(self) -> f64 {
        self.0 as f64
    }

    /// The sum, or the largest number there is.
    #[inline]
    pub const fn saturating_add(self, other: Bytes) -> Bytes {
        Bytes(self.0.saturating_add(other.0))
    }
}

impl Add for Bytes {
    type Output = Bytes;
    #[inline]
    fn add(self, other: Bytes) -> Bytes {
        Bytes(self.0 + other.0)
    }
}

impl AddAssign for Bytes {
    #[inline]
    fn add_assign(&mut self, other: Bytes) {
        self.0 += other.0;
    }
}

impl Sum for Bytes {
    fn sum<I: Iterator<Item = Bytes>>(all: I) -> Bytes {
        Bytes(all.map(Bytes::get).sum())
    }
}

impl ProcessorId {
    /// The number as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_of_ticks_may_wrap_around() {
        assert_eq!(Ticks(5).since(Ticks(u64::MAX)), 6);
        assert_eq!(Ticks(5).since(Ticks(7)), -2);
    }

    #[test]
    fn numbers_are_printed_as_numbers() {
        assert_eq!(format!("{} {:>3}", Bytes(12), ProcessorId(7)), "12   7");
        assert_eq!([Bytes(1), Bytes(2)].into_iter().sum::<Bytes>(), Bytes(3));
    }
}
