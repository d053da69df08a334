//! Messages and requests that are not complete.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// A time, and the sources that the longest path to it goes through: how often each.
#[derive(Clone, Debug, Default)]
pub(super) struct Moment {
    pub(super) time: f64,
    pub(super) through: Rc<[f64]>,
}

/// A request of a process.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) process: usize,
    /// When the other side had come; `None`: it has not.
    pub(super) done: Option<Moment>,
    /// The process that the message is of.
    pub(super) source: Option<usize>,
    /// Nobody waits for it any more.
    pub(super) is_given_up: bool,
}

/// One side of a message.
#[derive(Clone, Debug)]
struct Side {
    moment: Moment,
    /// `None`: the send is complete, whether it was received or not.
    request: Option<usize>,
    /// Number among all sides.
    order: u64,
}

/// All messages and requests.
#[derive(Debug, Default)]
pub(super) struct Channels {
    pub(super) requests: Vec<Request>,
    free: Vec<usize>,
    /// By receiver and sender.
    sends: BTreeMap<(usize, usize), VecDeque<Side>>,
    receives: BTreeMap<(usize, usize), VecDeque<Side>>,
    /// Receives from any, by receiver.
    open: BTreeMap<usize, VecDeque<Side>>,
    order: u64,
}

impl Channels {
    pub(super) fn request(&mut self, process: usize, done: Option<Moment>) -> usize {
        let request = Request { process, done, source: None, is_given_up: false };
        match self.free.pop() {
            Some(slot) => {
                self.requests[slot] = request;
                slot
            }
            None => {
                self.requests.push(request);
                self.requests.len() - 1
            }
        }
    }

    /// Forgets a completed request.
    pub(super) fn release(&mut self, request: usize) {
        match self.requests[request].done {
            Some(_) => self.free.push(request),
            None => self.requests[request].is_given_up = true,
        }
    }

    fn side(&mut self, moment: Moment, request: Option<usize>) -> Side {
        self.order += 1;
        Side { moment, request, order: self.order }
    }

    /// A message is sent. `request` is complete when its receiver has asked for it. Returns the process that may go on.
    pub(super) fn send(
        &mut self,
        from: usize,
        to: usize,
        moment: &Moment,
        request: Option<usize>,
    ) -> Option<usize> {
        let send = self.side(moment.clone(), request);
        let exact = first(self.receives.get_mut(&(to, from)), &self.requests);
        let any = first(self.open.get_mut(&to), &self.requests);
        let receive = match (exact, any) {
            (Some(exact), Some(any)) if any < exact => pop(self.open.get_mut(&to)),
            (Some(_), _) => pop(self.receives.get_mut(&(to, from))),
            (None, Some(_)) => pop(self.open.get_mut(&to)),
            (None, None) => None,
        };
        let Some(receive) = receive else {
            self.sends.entry((to, from)).or_default().push_back(send);
            return None;
        };
        let asked = receive.moment.clone();
        self.complete(request, asked, to);
        self.complete(receive.request, moment.clone(), from)
    }

    /// A message is asked for; `from` is `None` for one of any process. Returns the process that may go on.
    pub(super) fn receive(
        &mut self,
        to: usize,
        from: Option<usize>,
        moment: &Moment,
        request: usize,
    ) -> Option<usize> {
        let sender = from.or_else(|| self.earliest(to));
        let send =
            sender.and_then(|from| pop(self.sends.get_mut(&(to, from))).map(|send| (send, from)));
        let Some((send, sender)) = send else {
            let receive = self.side(moment.clone(), Some(request));
            match from {
                Some(from) => self.receives.entry((to, from)).or_default().push_back(receive),
                None => self.open.entry(to).or_default().push_back(receive),
            }
            return None;
        };
        self.complete(Some(request), send.moment.clone(), sender);
        self.complete(send.request, moment.clone(), to)
    }

    /// The message that a probe finds, if it was sent: when, and by whom.
    pub(super) fn probe(&self, to: usize, from: Option<usize>) -> Option<(Moment, usize)> {
        let sender = from.or_else(|| self.earliest(to))?;
        let send = self.sends.get(&(to, sender))?.front()?;
        Some((send.moment.clone(), sender))
    }

    /// The sender of the message to a process that was sent first.
    fn earliest(&self, to: usize) -> Option<usize> {
        let waiting = self.sends.range((to, 0)..=(to, usize::MAX));
        let first = waiting.filter_map(|(&(_, from), sides)| Some((sides.front()?, from)));
        let by_time = |side: &(&Side, usize), other: &(&Side, usize)| {
            side.0
                .moment
                .time
                .total_cmp(&other.0.moment.time)
                .then(side.0.order.cmp(&other.0.order))
        };
        first.min_by(by_time).map(|(_, from)| from)
    }

    fn complete(&mut self, request: Option<usize>, moment: Moment, source: usize) -> Option<usize> {
        let request = request?;
        let entry = &mut self.requests[request];
        if entry.is_given_up {
            self.free.push(request);
            return None;
        }
        (entry.done, entry.source) = (entry.done.take().or(Some(moment)), Some(source));
        Some(entry.process)
    }
}

/// The number of the first side that still waits.
fn first(sides: Option<&mut VecDeque<Side>>, requests: &[Request]) -> Option<u64> {
    let sides = sides?;
    let given_up = |side: &Side| side.request.is_some_and(|number| requests[number].is_given_up);
    while sides.front().is_some_and(given_up) {
        sides.pop_front();
    }
    sides.front().map(|side| side.order)
}

fn pop(sides: Option<&mut VecDeque<Side>>) -> Option<Side> {
    sides?.pop_front()
}
