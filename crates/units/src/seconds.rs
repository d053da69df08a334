//! Times and their differences.

use std::cmp::Ordering;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// Seconds: a length of time, or a moment as the seconds since another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[repr(transparent)]
pub struct Seconds(pub f64);

impl Seconds {
    /// No time.
    pub const ZERO: Seconds = Seconds(0.0);

    /// The number of seconds.
    #[inline]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// The longer one. A time that is NaN is ignored.
    #[inline]
    pub fn max(self, other: Seconds) -> Seconds {
        Seconds(self.0.max(other.0))
    }

    /// The shorter one. A time that is NaN is ignored.
    #[inline]
    pub fn min(self, other: Seconds) -> Seconds {
        Seconds(self.0.min(other.0))
    }

    /// Without the sign.
    #[inline]
    pub fn abs(self) -> Seconds {
        Seconds(self.0.abs())
    }

    /// Neither infinite nor no number.
    #[inline]
    pub fn is_finite(self) -> bool {
        self.0.is_finite()
    }

    /// The total order of [`f64::total_cmp`].
    #[inline]
    pub fn total_cmp(&self, other: &Seconds) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl From<f64> for Seconds {
    fn from(seconds: f64) -> Seconds {
        Seconds(seconds)
    }
}

impl Add for Seconds {
    type Output = Seconds;
    #[inline]
    fn add(self, other: Seconds) -> Seconds {
        Seconds(self.0 + other.0)
    }
}

impl AddAssign for Seconds {
    #[inline]
    fn add_assign(&mut self, other: Seconds) {
        self.0 += other.0;
    }
}

impl Sub for Seconds {
    type Output = Seconds;
    #[inline]
    fn sub(self, other: Seconds) -> Seconds {
        Seconds(self.0 - other.0)
    }
}

impl SubAssign for Seconds {
    #[inline]
    fn sub_assign(&mut self, other: Seconds) {
        self.0 -= other.0;
    }
}

impl Neg for Seconds {
    type Output = Seconds;
    #[inline]
    fn neg(self) -> Seconds {
        Seconds(-self.0)
    }
}

impl Mul<f64> for Seconds {
    type Output = Seconds;
    #[inline]
    fn mul(self, factor: f64) -> Seconds {
        Seconds(self.0 * factor)
    }
}

impl Mul<Seconds> for f64 {
    type Output = Seconds;
    #[inline]
    fn mul(self, time: Seconds) -> Seconds {
        Seconds(self * time.0)
    }
}

impl Div<f64> for Seconds {
    type Output = Seconds;
    #[inline]
    fn div(self, divisor: f64) -> Seconds {
        Seconds(self.0 / divisor)
    }
}

/// The ratio of two times.
impl Div for Seconds {
    type Output = f64;
    #[inline]
    fn div(self, other: Seconds) -> f64 {
        self.0 / other.0
    }
}

/// The same sum, to the last bit, as that of the plain numbers.
impl Sum for Seconds {
    fn sum<I: Iterator<Item = Seconds>>(all: I) -> Seconds {
        Seconds(all.map(Seconds::get).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_that_of_the_plain_numbers() {
        let (a, b) = (0.1, 0.7);
        let (x, y) = (Seconds(a), Seconds(b));
        assert_eq!((x + y).get().to_bits(), (a + b).to_bits());
        assert_eq!((x - y).get().to_bits(), (a - b).to_bits());
        assert_eq!((x * b).get().to_bits(), (a * b).to_bits());
        assert_eq!((x / y).to_bits(), (a / b).to_bits());
        let values = [a, b, 1e-9, 3e7];
        let sum: Seconds = values.iter().copied().map(Seconds).sum();
        assert_eq!(sum.get().to_bits(), values.iter().sum::<f64>().to_bits());
        assert_eq!(
            [].into_iter().sum::<Seconds>().get().to_bits(),
            [0.0; 0].iter().sum::<f64>().to_bits()
        );
    }

    #[test]
    fn what_is_no_number_is_passed_over() {
        assert_eq!(Seconds(f64::NAN).max(Seconds(1.0)), Seconds(1.0));
        assert_eq!(Seconds(1.0).min(Seconds(f64::NAN)), Seconds(1.0));
        assert_eq!(Seconds(f64::NAN).total_cmp(&Seconds(1.0)), Ordering::Greater);
    }
}
