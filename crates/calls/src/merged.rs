//! The calls of all processes of a run in the order of time.

use std::io::{Read, Seek};

use cll_trace::TraceError;
use cll_units::Seconds;

use crate::{Call, Calls, Overview};

/// Reads the calls of all processes: so both sides of a message are read soon after each other.
#[derive(Debug)]
pub(crate) struct Merged<'s, R> {
    sources: Vec<Calls<'s, R>>,
    /// When the next call of each begins.
    starts: Vec<Option<Seconds>>,
}

impl<'s, R: Read + Seek> Merged<'s, R> {
    pub(crate) fn new(
        overviews: &'s [Overview],
        mut open: impl FnMut(usize) -> Result<R, TraceError>,
    ) -> Result<Merged<'s, R>, TraceError> {
        let mut merged = Merged { sources: Vec::new(), starts: Vec::new() };
        for (index, overview) in overviews.iter().enumerate() {
            let mut calls = Calls::new(open(index)?, overview);
            merged.starts.push(calls.next_start()?);
            merged.sources.push(calls);
        }
        Ok(merged)
    }

    /// The next call and its process; `None` at the end.
    pub(crate) fn next_call(&mut self) -> Result<Option<(usize, Call)>, TraceError> {
        let begins = self.starts.iter().enumerate();
        let begins = begins.filter_map(|(process, &start)| Some((process, start?)));
        let earliest = begins.min_by(|one, other| one.1.total_cmp(&other.1));
        let Some((process, _)) = earliest else { return Ok(None) };
        let calls = &mut self.sources[process];
        let call = calls.next_call()?;
        self.starts[process] = calls.next_start()?;
        Ok(call.map(|call| (process, call)))
    }

    /// The reader of a process.
    pub(crate) fn of(&self, process: usize) -> &Calls<'s, R> {
        &self.sources[process]
    }
}
