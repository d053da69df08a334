//! Tables of measurements that other programs wrote: which column is the result, in what unit, and which
//! rows hold it.
//!
//! A reader either understands a number or names its place. Nothing is guessed silently: what was taken for
//! something (a unit, a decimal comma, another name of a column) is in the table, for whoever reports it.

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
