//! OTF2, the Open Trace Format of Score-P, Vampir and Scalasca (Eschweiler et al., *Open Trace Format 2*, 2012): what a
//! program that is linked with OTF2's library writes.
//!
//! The library is in C, and need not be on a computer. So this makes a text of events and definitions; its lines are those
//! that `writer.c` of `cll-analysis` describes. Locations are threads, location groups are processes. Events come first,
//! each location's in the order of time, since only they show which definitions there are.

mod communicators;
mod definitions;
mod events;
mod windows;

use std::io::Write;

use super::LeftOut;
use super::time_independent::by_rank;
use crate::{Calls, ExportError, Opener, Overview, relate};

use definitions::Definitions;
use events::Events;

/// The number that stands for none.
const UNDEFINED: u32 = u32::MAX;

/// File and line of a call: of a process, by its number among the overviews, and of a thread of it.
pub type PlaceOf<'a> = &'a mut dyn FnMut(usize, u32, Option<u32>) -> (String, u32);

/// Writes the events and definitions of a run. `place` gives file and line of a call, or an empty file.
///
/// # Errors
/// If a log cannot be read or the output cannot be written.
pub fn otf2(
    overviews: &mut [Overview],
    open: &mut Opener<'_>,
    place: PlaceOf<'_>,
    out: &mut dyn Write,
) -> Result<LeftOut, ExportError> {
    relate(overviews);
    let overviews = &*overviews;
    let mut definitions = Definitions::new(overviews);
    let mut left_out = LeftOut::default();
    for index in by_rank(overviews) {
        if overviews[index].rank().is_none() {
            continue;
        }
        let mut calls = Calls::new(open(index)?, &overviews[index]);
        let mut events = Events::new(&mut definitions, index, place, out);
        while let Some(call) = calls.next_call()? {
            events.call(&call)?;
        }
        let of_process = events.end()?;
        left_out.one_sided += of_process.one_sided;
        left_out.outside += of_process.outside;
        left_out.collectives += of_process.collectives;
    }
    definitions.write(out)?;
    Ok(left_out)
}
