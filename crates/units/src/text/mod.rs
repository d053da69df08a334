//! Sizes, times and shares as people read them. All text of them is made here: who prints one chooses only its form.

mod bytes;
mod duration;
mod percent;

pub use bytes::{BinaryUnit, BytesDigits, BytesUnit, binary_unit, bytes};
pub use duration::{DurationForm, duration, long_time, time_prefix};
pub use percent::{PercentDigits, hundredths, percent, percent_of, percent_range};
