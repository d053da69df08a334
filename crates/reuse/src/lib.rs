//! Reuse distances: how many different cache lines a program uses between two uses of the same line.
//!
//! An access finds its line in a cache of C lines that keeps the most recent ones if and only if its distance is smaller
//! than C (Mattson et al., 1970), so one stream of accesses says what every size of cache does. [`Stack`] finds the
//! distances exactly (Olken, 1981). [`Accesses`] reads the records of `probes/accesses.c` and keeps a [`Histogram`] for
//! each instruction and array in each passage of an experiment. [`populations()`] are the accesses of a line of the source
//! to an array that have their distance for the same reason, with how it grows ([`growth()`]); [`crossings()`] are the
//! sizes at which it passes a level of a memory, and [`causes`] those that explain a measured boundary. Distances in pages
//! ([`Paged`]) say the same of address translation. [`sent_from`] has the sizes of messages of a place in the program, which
//! grow as distances do.
//!
//! Nothing here opens files or runs programs.
#![forbid(unsafe_code)]

mod accesses;
mod costs;
mod crossings;
mod growth;
mod histogram;
mod messages;
mod pages;
mod populations;
mod stack;

pub use accesses::{Accesses, Array, Cell, LINE, PassageGroup, Stream, Variable, WORDS};
pub use costs::{Beyond, WIDTH, accesses_of_passage, part_beyond, waiting};
pub use crossings::{Crossing, LEAST_WEIGHT, Level, NEAR, all_pass, causes, crossings, passes};
pub use growth::{Growth, growth};
pub use histogram::{Bin, Histogram};
pub use messages::{Sent, SentFrom, Sizes, sent_from};
pub use pages::Paged;
pub use populations::{Population, Quantile, populations, populations_of_pages};
pub use stack::Stack;
