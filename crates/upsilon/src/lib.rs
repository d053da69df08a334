//! Υ sets: which statements of a program each constant of a formula stands for (González et al., 2003, section 2.1 and
//! Table 1).
//!
//! [`propose`] finds them by the nesting of loops: it follows the control flow of a region for values of the formula's
//! variables and counts. [`confirm`] compares with instructions by line, which were counted while the program ran.
//! [`Sets`] are kept in a file beside the source, which a person may correct: [`write()`], [`read()`]; [`anchor`] finds
//! its statements in another version of the source. The format is `docs/formats/upsilon.md`.
//!
//! Nothing here opens files or runs programs.
#![forbid(unsafe_code)]

mod anchor;
mod counts;
mod expression;
mod growth;
mod merge;
mod names;
mod points;
mod program;
mod propose;
mod read;
mod region;
mod run;
mod sets;
mod value;
mod write;

pub use anchor::{Anchored, Moved, anchor};
pub use counts::{Checked, Disagreement, FewValues, Passage, confirm};
pub use merge::{keep_hand, mark_hand};
pub use propose::{Wanted, propose, statements};
pub use read::{Read, read};
pub use sets::{By, ExperimentSets, Sets, Statement, crc32};
pub use write::write;

/// The codes of this crate's diagnostics; `docs/formats/upsilon.md` explains each.
pub const CODES: [&str; 8] = ["U001", "U002", "U003", "U004", "U005", "U006", "U007", "U008"];
