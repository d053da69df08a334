//! Tables of measurements that other programs wrote: which column is the result, its unit, and which rows have it.
//!
//! A reader either parses a number or names its place. Every assumption (a unit, a decimal comma, another name of
//! a column) is recorded in the table, so that it can be reported.

#![forbid(unsafe_code)]

mod csv;
mod error;
mod extrap;
mod field;
mod header;
mod lines;
mod quantity;
mod table;

pub use csv::{CsvOptions, csv};
pub use error::{ImportCause, ImportError, Spot};
pub use extrap::extrap;
pub use lines::text;
pub use quantity::Quantity;
pub use table::{Examples, Group, Remark, Renamed, Table, grouped};
