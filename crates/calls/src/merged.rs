//! The calls of all processes of a run in the order of time.

use std::sync::mpsc::{Receiver, sync_channel};

use cll_trace::TraceError;
use cll_units::{Bytes, Seconds};

use crate::{Call, Calls, Opener, Overview};

/// Calls that the thread which reads passes on at once, and how often before it waits.
const PIECE: usize = 512;
const AHEAD: usize = 4;

/// Logs with less are read by the thread that uses them: it takes no time that another one would be worth.
const SMALL: Bytes = Bytes(1 << 20);

/// Reads the calls of all processes: so both sides of a message are read soon after each other.
#[derive(Debug)]
pub(crate) struct Merged<'s> {
    sources: Vec<Calls<'s>>,
    /// When the next call of each begins.
    starts: Vec<Option<Seconds>>,
}

impl<'s> Merged<'s> {
    pub(crate) fn new<'l: 's>(
        overviews: &'s [Overview],
        open: &mut Opener<'l>,
    ) -> Result<Merged<'s>, TraceError> {
        let mut merged = Merged { sources: Vec::new(), starts: Vec::new() };
        for (index, overview) in overviews.iter().enumerate() {
            let mut calls = Calls::new(open(index)?, overview);
            merged.starts.push(calls.next_start()?);
            merged.sources.push(calls);
        }
        Ok(merged)
    }

    /// Passes each call and its process to `take`, in the order of time. Long logs are read by a thread of their own
    /// meanwhile. Afterwards the readers know what is pending at the end.
    pub(crate) fn each<E: From<TraceError>>(
        mut self,
        overviews: &[Overview],
        mut take: impl FnMut(usize, &Call) -> Result<(), E>,
    ) -> Result<Merged<'s>, E> {
        let bytes: Bytes = overviews.iter().map(|overview| overview.bytes).sum();
        if bytes < SMALL {
            while let Some((process, call)) = self.next_call()? {
                take(process, &call)?;
            }
            return Ok(self);
        }
        std::thread::scope(|scope| {
            let (sender, receiver) = sync_channel(AHEAD);
            let reader = scope.spawn(move || {
                let mut piece = Vec::with_capacity(PIECE);
                while let Some(pair) = self.next_call()? {
                    piece.push(pair);
                    if piece.len() == PIECE {
                        let full = std::mem::replace(&mut piece, Vec::with_capacity(PIECE));
                        // Nobody takes more: an error there.
                        if sender.send(full).is_err() {
                            return Ok(self);
                        }
                    }
                }
                let _ = sender.send(piece);
                Ok(self)
            });
            let taken = each_of(receiver, &mut take);
            let read = match reader.join() {
                Ok(read) => read?,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            taken.map(|()| read)
        })
    }

    /// The next call and its process; `None` at the end.
    pub(crate) fn next_call(&mut self) -> Result<Option<(usize, Call)>, TraceError> {
        let begins = self.starts.iter().enumerate();
        let begins = begins.filter_map(|(process, &start)| Some((process, start?)));
        let earliest = begins.min_by(|left, other| left.1.total_cmp(&other.1));
        let Some((process, _)) = earliest else { return Ok(None) };
        let calls = &mut self.sources[process];
        let call = calls.next_call()?;
        self.starts[process] = calls.next_start()?;
        Ok(call.map(|call| (process, call)))
    }

    /// The reader of a process.
    pub(crate) fn reader(&self, process: usize) -> &Calls<'s> {
        &self.sources[process]
    }
}

/// Takes what a thread reads. The receiver ends here, so the thread does too.
fn each_of<E>(
    receiver: Receiver<Vec<(usize, Call)>>,
    take: &mut impl FnMut(usize, &Call) -> Result<(), E>,
) -> Result<(), E> {
    for piece in receiver {
        for (process, call) in &piece {
            take(*process, call)?;
        }
    }
    Ok(())
}
