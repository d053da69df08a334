//! Supersteps of a program of MPI, from the calls that its processes have logged.
//!
//! A superstep ends in a collective, or in the waits that match what was sent in it. The result is a log of supersteps
//! (blocks of kind 3), of the machine of all processes and of its parts (`part`). Supersteps are numbered by these
//! rules:
//!
//! - A message belongs to the superstep that its sender is in when it is sent (Lamport, *Time, clocks, and the
//!   ordering of events*, 1978): the receiver is in that superstep then, or in a later one.
//! - If a process sends, or arrives at a collective, after it has received something, it begins a superstep.
//! - All processes of a collective are in the same superstep in it, the latest that one of them was in. A collective of
//!   all processes of a machine ends the superstep on all.
//! - A process that sends one message after the other and receives nothing (the head of a pipeline) begins a superstep
//!   when it sends at the same place to the same process for a second time, if the first message is complete.
//!
//! Every process of a machine has all supersteps of the machine up to the last one; if it takes no part in one, that is
//! empty. A superstep ends by synchronisation if every process waits for all, else obliviously. The memory grows with
//! the number of processes and of messages in transit, not with the log.
//!
//! If there are several hosts, times are corrected to those of rank 0's host, by the messages between them (`clocks`).
//!
//! Why: decision 0059.

mod clocks;
mod collective_match;
mod crossings;
mod engine;
mod flows;
mod nesting;
mod part;
mod process;
mod processor;
mod refused;
mod sources;
mod write;

use std::io::Write;

use cll_trace::meta::Point;

use super::{Overview, relate};
use crate::Opener;
use engine::Engine;

pub use refused::{CallSite, Note, Refused};

/// File and line of a place in the log of an overview and a thread; the file is empty if it is not known.
pub type CallSites<'a> = dyn FnMut(&Overview, u32, &Point) -> (String, u32) + 'a;

/// Writes the supersteps of the run to `out`, as a log that [`cll_supersteps::read`] and [`cll_supersteps::stored`]
/// read. The calls are read once, on several hosts twice: `open` gives the log that a survey is of. Ticks of the log
/// are nanoseconds.
///
/// # Errors
/// If the calls have no supersteps (the error has the reason), if a log cannot be read, or if `out` cannot be written.
pub fn supersteps(
    overviews: &mut [Overview],
    open: &mut Opener<'_>,
    sites: &mut CallSites<'_>,
    out: &mut dyn Write,
) -> Result<Vec<Note>, Refused> {
    refused::check_complete(overviews)?;
    relate(overviews);
    let mut notes = clocks::relate(overviews, open, sites)?;
    notes.extend(Engine::new(&by_rank(overviews), open, sites, out)?.run()?);
    Ok(notes)
}

/// Overviews in the order of their ranks, each with its index.
fn by_rank(overviews: &[Overview]) -> Vec<(usize, &Overview)> {
    let mut ranks: Vec<(usize, &Overview)> = overviews.iter().enumerate().collect();
    ranks.sort_by_key(|(_, overview)| overview.rank());
    ranks
}
