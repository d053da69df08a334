//! The calls of all processes of a run in the order of time.

use std::io::{Read, Seek};

use cll_trace::TraceError;

use crate::{Call, Calls, Overview};

/// Reads the calls of all processes: so both sides of a message are read soon after each other.
#[derive(Debug)]
pub(crate) struct Merged<'s, R> {
    sources: Vec<(Option<Call>, Calls<'s, R>)>,
}

impl<'s, R: Read + Seek> Merged<'s, R> {
    pub(crate) fn new(
        overviews: &'s [Overview],
        mut open: impl FnMut(usize) -> Result<R, TraceError>,
    ) -> Result<Merged<'s, R>, TraceError> {
        let mut sources = Vec::with_capacity(overviews.len());
        for (index, overview) in overviews.iter().enumerate() {
            let mut calls = Calls::new(open(index)?, overview);
            sources.push((calls.next_call()?, calls));
        }
        Ok(Merged { sources })
    }

    /// The next call and its process; `None` at the end.
    pub(crate) fn next_call(&mut self) -> Result<Option<(usize, Call)>, TraceError> {
        let begins = self.sources.iter().enumerate();
        let begins = begins.filter_map(|(index, (head, _))| Some((index, head.as_ref()?.start)));
        let earliest = begins.min_by(|one, other| one.1.total_cmp(&other.1));
        let Some((process, _)) = earliest else { return Ok(None) };
        let (head, calls) = &mut self.sources[process];
        let next = calls.next_call()?;
        Ok(std::mem::replace(head, next).map(|call| (process, call)))
    }

    /// The reader of a process.
    pub(crate) fn of(&self, process: usize) -> &Calls<'s, R> {
        &self.sources[process].1
    }
}
