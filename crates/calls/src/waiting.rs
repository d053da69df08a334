//! Computes how long a call and its unsuccessful polls wait. The report of a run and supersteps use the same
//! definition.
//!
//! Why: decision 0058.

use std::collections::VecDeque;

use crate::FastMap as HashMap;

use cll_trace::layout::call::Op;
use cll_units::Seconds;

use super::{Call, CallData};

/// Number of unsuccessful polls that are kept for one request or message; older ones count as transfer.
pub(crate) const KEPT: usize = 1024;

/// The time of a call, or of unsuccessful polls.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Span {
    pub(crate) start_s: f64,
    pub(crate) end_s: f64,
    inside_s: f64,
    /// Whether it is a loop of unsuccessful polls that does nothing else.
    is_loop: bool,
}

/// The longest time between two polls, on average, of a loop that does nothing else.
const BETWEEN_S: f64 = 2e-6;

/// Whether unsuccessful polls are a loop that does nothing else, so that the time between them is no computation.
pub(crate) fn is_loop(call: &Call) -> bool {
    let (Some(end), Some(inside)) = (call.end, call.inside) else { return false };
    let between = (end - call.start - inside).get();
    call.unsuccessful > 0 && between <= BETWEEN_S * f64::from(call.unsuccessful)
}

impl Span {
    /// The span of a call; it is empty if the call has not returned.
    pub(crate) fn new(call: &Call) -> Span {
        let end_s = call.end.unwrap_or(call.start).get();
        let inside_s = call.time().map_or(0.0, Seconds::get).max(0.0);
        Span { start_s: call.start.get(), end_s, inside_s, is_loop: is_loop(call) }
    }

    /// The same with the time between unsuccessful polls, if they are a loop that does nothing else. That time is no
    /// waiting in a call, but what happened in it is compared when the causes of the wait are looked for.
    pub(crate) fn loop_waits_until(&self, until_s: f64) -> f64 {
        if self.is_loop { self.until(until_s) - self.start_s } else { self.waits_until(until_s) }
    }

    /// The end of the wait by the clock: at the latest that of the call.
    pub(crate) fn until(&self, until_s: f64) -> f64 {
        until_s.min(self.end_s).max(self.start_s)
    }

    /// Seconds of waiting in it, if the awaited event happened at `until_s`. For unsuccessful polls it is a share of
    /// the time in them, as if they were evenly distributed.
    pub(crate) fn waits_until(&self, until_s: f64) -> f64 {
        let span_s = self.end_s - self.start_s;
        if span_s > 0.0 {
            self.inside_s * ((until_s - self.start_s) / span_s).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }
}

/// The request or message that a poll looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum PolledSubject {
    Request(u64),
    /// Communicator, partner, tag, as requested.
    Message(u32, i64, i64),
}

/// Calls that wait for something that a later call finds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Poll {
    /// Number of the call in its process.
    pub(crate) number: u64,
    /// The thread that made it, and the place of the call in its tables.
    pub(crate) lane: u32,
    pub(crate) point: Option<u32>,
    pub(crate) op: Op,
    pub(crate) span: Span,
}

impl Poll {
    /// The call of this number as a poll.
    pub(crate) fn new(number: u64, call: &Call) -> Poll {
        let Call { lane, point, op, .. } = *call;
        Poll { number, lane, point, op, span: Span::new(call) }
    }
}

/// The unsuccessful polls of a process, until what they look for is there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Polls(HashMap<PolledSubject, VecDeque<Poll>>);

impl Polls {
    /// A poll was unsuccessful.
    pub(crate) fn add(&mut self, number: u64, call: &Call) {
        let subject = match call.what {
            CallData::Requests { first: Some(request), .. } => PolledSubject::Request(request),
            CallData::Probe(asked) => {
                PolledSubject::Message(asked.communicator, asked.partner, asked.tag)
            }
            _ => return,
        };
        let polls = self.0.entry(subject).or_default();
        if polls.len() == KEPT {
            polls.pop_front();
        }
        polls.push_back(Poll::new(number, call));
    }

    /// The polls for the requests that a call completed, or for the message that it found.
    pub(crate) fn ended_by(&mut self, call: &Call) -> Vec<Poll> {
        let mut polls = Vec::new();
        if self.0.is_empty() {
            return polls;
        }
        let mut take = |subject| polls.extend(self.0.remove(&subject).into_iter().flatten());
        match call.what {
            CallData::Requests { first: Some(request), .. } if !call.done.is_empty() => {
                take(PolledSubject::Request(request));
            }
            CallData::Probe(asked) => {
                take(PolledSubject::Message(asked.communicator, asked.partner, asked.tag));
            }
            _ => {}
        }
        call.done.iter().for_each(|done| take(PolledSubject::Request(done.request)));
        polls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsuccessful_polls_wait_by_the_share_of_their_time() {
        let call = Span { start_s: 1.0, end_s: 3.0, inside_s: 2.0, is_loop: false };
        assert_eq!(
            (call.waits_until(0.5), call.waits_until(2.5), call.waits_until(9.0)),
            (0.0, 1.5, 2.0)
        );
        let polls = Span { start_s: 1.0, end_s: 3.0, inside_s: 0.5, is_loop: true };
        assert_eq!((polls.waits_until(2.0), polls.waits_until(9.0)), (0.25, 0.5));
        assert_eq!((polls.loop_waits_until(2.0), polls.loop_waits_until(9.0)), (1.0, 2.0));
        assert_eq!(Span::default().waits_until(1.0), 0.0);
    }
}
