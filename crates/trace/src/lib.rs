//! The container of samples: write, read, validate, import, export.
//!
//! A trace is one sequence of blocks; each block has a [`layout::BlockHeader`]
//! and a payload, either a table in JSON ([`meta`]) or sample records
//! ([`layout::SampleHeader`] and the values). The same blocks lie in the
//! memory that a measured program shares with its launcher ([`live`]).
//! `docs/formats/trace.md` is the specification.

#![forbid(unsafe_code)]

mod check;
pub mod clock;
mod conclude;
mod damage;
pub mod export;
pub mod import;
pub mod layout;
pub mod live;
mod merge;
pub mod meta;
mod read;
mod trace;
mod warning;
pub mod write;

pub use check::check;
pub use damage::{Cause, Damage};
pub use read::{Sample, TraceError, read, stream, survey};
pub use trace::{Cell, Experiment, Origin, Place, Process, Run, Stretch, Trace};
pub use warning::Warning;
