//! The calls of each process. Some calls can be read ahead.

use std::collections::VecDeque;

use crate::{Call, CallData, Calls};
use cll_trace::TraceError;

/// The number of calls that are read ahead, to find out whether a receive or a collective follows a series of sends.
const AHEAD: usize = 4096;

/// The calls of a process.
pub(super) struct CallSource<'s> {
    calls: Calls<'s>,
    ahead: VecDeque<Call>,
}

impl<'s> CallSource<'s> {
    pub(super) fn new(calls: Calls<'s>) -> CallSource<'s> {
        CallSource { calls, ahead: VecDeque::new() }
    }

    pub(super) fn next(&mut self) -> Result<Option<Call>, TraceError> {
        match self.ahead.pop_front() {
            Some(call) => Ok(Some(call)),
            None => self.calls.next_call(),
        }
    }

    /// Whether the first call from here on that receives something, or is a collective, receives.
    pub(super) fn receives_next(&mut self) -> Result<bool, TraceError> {
        let mut index = 0;
        while index < AHEAD {
            if index == self.ahead.len() {
                let Some(call) = self.calls.next_call()? else { return Ok(false) };
                self.ahead.push_back(call);
            }
            let call = &self.ahead[index];
            if receives(call) {
                return Ok(true);
            }
            let is_collective = |call: &Call| {
                matches!(
                    call.what,
                    CallData::Collective { .. } | CallData::Create { .. } | CallData::Epoch { .. }
                )
            };
            if call.collectives().any(|(_, call)| is_collective(&call)) {
                return Ok(false);
            }
            index += 1;
        }
        Ok(false)
    }
}

/// Whether a call has received a message.
pub(super) fn receives(call: &Call) -> bool {
    let done = || call.done.iter().filter(|done| !done.cancelled).filter_map(|done| done.origin);
    match call.what {
        _ if call.unsuccessful > 0 || call.error != 0 => false,
        CallData::Receive(_) if call.request.is_none() => true,
        CallData::Exchange { .. } => true,
        _ => done().any(|asked| matches!(asked.what, CallData::Receive(_))),
    }
}
