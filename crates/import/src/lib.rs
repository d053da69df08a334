//! Measurements that other programs wrote: tables, Extra-P's formats, reports of benchmarks. In: text. Out: a table
//! for each experiment and metric, with parameters, unit and repetitions.
//!
//! A reader either parses a number or names its place. Every assumption (a unit, a decimal comma, another name of
//! a column) is recorded in the table, so that it can be reported.

#![forbid(unsafe_code)]

mod binary;
mod cell;
mod choice;
mod csv;
mod decimal;
mod distinct;
mod error;
mod extrap;
mod format;
mod formats;
mod header;
mod json;
mod lines;
mod measurements;
mod place;
mod quantity;
mod run_columns;
mod signs;
mod statistic;
mod table;
mod words;
mod write;

pub use binary::binary;
pub use csv::{ImportOptions, csv};
pub use decimal::Decimal;
pub use error::{Excerpt, ImportCause, ImportError, Spot};
pub use extrap::extrap;
pub use format::{File, format_names, is_table, read};
pub use lines::text;
pub use quantity::ResultKind;
pub use table::{Examples, Group, Remark, Renamed, RunStretch, Table, grouped};
pub use write::{WriteError, extrap_lines, extrap_text};
