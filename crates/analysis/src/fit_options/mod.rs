//! The options of a fit as users write them: on the command line, in llac, in Python. One table has their names, values,
//! limits and summaries, so that they mean the same everywhere.

mod entries;
mod error;
mod given;
mod words;

pub use entries::{FIT_OPTIONS, FitOption, fit_option};
pub use error::OptionError;
pub use given::GivenFit;
pub use words::{IntervalRule, OutlierRule, Words, parse_outliers};
