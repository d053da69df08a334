//! The container of samples: write, read, validate, import, export.
//!
//! A trace is one sequence of blocks; each block has a [`layout::BlockHeader`]
//! and a payload, either a table in JSON ([`meta`]) or sample records
//! ([`layout::SampleHeader`] and the values). The same blocks lie in the
//! memory that a measured program shares with its launcher ([`live`]).
//! `docs/formats/trace.md` is the specification.

#![forbid(unsafe_code)]

pub mod layout;
pub mod live;
pub mod meta;
