//! llac, the language of the analyzer: an interpreter in which one works with samples, models, machines and logs
//! (González et al., 2003, section 4).
//!
//! `syntax::parse` reads statements; a [`Session`] evaluates them. What a statement gives is a value; the program
//! prints it. The grammar is `docs/llac.md`.
//!
//! Nothing here opens files or prints: what a statement needs from outside it gets from a [`Host`].
#![forbid(unsafe_code)]

mod compare;
pub mod completion;
mod display;
mod error;
mod evaluate;
mod experiment;
mod function;
pub mod help;
mod host;
mod log;
mod model;
mod normal;
mod plot;
mod printed;
mod refusal;
mod samples;
mod session;
pub mod syntax;
pub mod value;

pub use cll_result::ModelFile;
pub use display::{CsvColumn, columns_table, csv, csv_columns, csv_table, json, text};
pub use error::Error;
pub use evaluate::{BUILTINS, Limits};
pub use experiment::Experiment;
pub use host::{Host, Opened, Regions, TableOptions};
pub use log::{Log, Own, open_text, own};
pub use model::{Model, Prediction};
pub use printed::Printed;
pub use refusal::Refusal;
pub use samples::{Samples, labelled_samples, table_samples, trace_samples};
pub use session::{Answer, Session};
pub use value::Thing;
