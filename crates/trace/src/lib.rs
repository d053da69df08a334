//! The container of samples: write, read, validate, merge.
//!
//! A trace is one sequence of blocks; each block has a [`layout::BlockHeader`]
//! and a payload, either a table in JSON ([`meta`]) or sample records
//! ([`layout::SampleHeader`] and the values). The same blocks lie in the
//! memory that a measured program shares with its launcher ([`live`]).
//! `docs/formats/trace.md` is the specification.
//!
//! ```
//! use cll_trace::layout::{BlockHeader, SampleHeader, meta_block};
//! use cll_trace::meta::{Clock, Meta, Place, Process, Unit};
//! use cll_trace::write::SampleBlock;
//!
//! let process = Process { clock: Clock::Mono, ..Process::default() };
//! let place = Place { experiment: "f".into(), variables: vec!["N".into()], ..Place::default() };
//! let unit = Unit { places: vec![place], ..Unit::default() };
//! let mut trace = meta_block(&[Meta::Process(process), Meta::Unit(unit)], BlockHeader::default());
//! let mut block = SampleBlock::new(BlockHeader::default(), 65536);
//! block.push(&SampleHeader { start: 1000, end: 4000, ..SampleHeader::default() }, &[64.0]);
//! trace.extend(block.seal_compact(5000, 5000));
//!
//! let trace = cll_trace::read(&trace[..])?;
//! let cell = &trace.experiments[0].cells[0];
//! assert_eq!((&cell.values[..], &cell.inclusive[..]), (&[64.0][..], &[3e-6][..]));
//! // The process has no last words, and no launcher has said how the run ended:
//! assert_eq!(trace.damage.len(), 2);
//! # Ok::<(), cll_trace::TraceError>(())
//! ```

#![forbid(unsafe_code)]

mod check;
pub mod clock;
mod damage;
pub mod layout;
pub mod live;
mod merge;
pub mod meta;
pub mod observable;
mod read;
mod runs;
mod select;
mod share_calibrations;
mod summary_notes;
mod trace;
mod warning;
pub mod write;

pub use check::check;
pub use damage::{Cause, Damage};
pub use read::{Batch, Block, Counted, Sample, Scanner, TraceError, key, read, stream, survey};
pub use share_calibrations::share_calibrations;
pub use trace::{
    Cell, Experiment, Imbalance, Observed, Origin, Place, Process, Run, Series, Start, Starts,
    Stretch, Trace,
};
pub use warning::Warning;
