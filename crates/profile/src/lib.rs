//! The call-graph profile of a BSP program (Jarvis, Hill, Siniolakis, Vasilev: *Portable and architecture
//! independent parallel performance tuning using BSP*, 2002).
//!
//! A log ([`gather()`]) or a profile of the Oxford BSP Toolset ([`oxford`]) becomes a [`Profile`]: the tree of
//! call paths whose leaves are cost centres. [`Graph`] merges it to one node for each function. [`critical`] ranks
//! nodes by seventeen criteria, [`headline`] says what matters most. [`Efficiency`] has the figures at the head of a report. [`price`] computes the
//! communication on another machine. [`diff`] compares two profiles, or two sets of profiles. [`export`] writes
//! profiles for other programs. [`layout`] places the merged graph for drawing; [`Supersteps`] is a run superstep by
//! superstep.
//!
//! All values are in seconds and bytes. Nothing here reads files or the clock.

#![forbid(unsafe_code)]
// A diagnostic is made once, where nothing goes on.
#![allow(clippy::result_large_err)]

pub mod critical;
pub mod diff;
mod efficiency;
pub mod export;
pub mod gather;
mod graph;
pub mod headline;
pub mod layout;
mod metric;
mod note;
pub mod oxford;
mod price;
mod profile;
mod supersteps;

pub use efficiency::Efficiency;
pub use gather::{gather, gather_with_supersteps};
pub use graph::{Edge, Graph, GraphNode};
pub use metric::{Costs, Metric, Summary};
pub use note::Note;
pub use price::{Priced, price, synchronised};
pub use profile::{End, Frame, LONGEST_PATH, Node, NodeKind, Profile, Source};
pub use supersteps::{Column, Supersteps, Traffic};
