//! The one account of waiting: how much of the time in each call is booked as waiting. All tables book what this finds,
//! so their sums are equal, and no call waits longer than it took.

use cll_units::Seconds;

use crate::{Call, FastMap, Waiting};

/// The number of calls of a process, up to its last one, whose waiting may become longer. A wait that is found later
/// counts as transfer.
const OPEN: u64 = 4096;

/// Calls that waited, by process.
#[derive(Debug)]
pub(super) struct Waits(Vec<FastMap<u64, Seconds>>);

/// A wait, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wait {
    /// The wait that was found.
    pub(super) found: Waiting,
    /// How much longer it is than was known.
    pub(super) more: Seconds,
    /// When that part began. It ends with [`Waiting::over`].
    pub(super) from: Seconds,
    /// Whether nothing was known of it.
    pub(super) is_new: bool,
}

impl Waits {
    pub(super) fn new(processes: usize) -> Waits {
        Waits(vec![FastMap::default(); processes])
    }

    /// The part of a wait that was not known, after a process made so many calls. If a call waits for several things,
    /// the last one counts, so a later call may make its wait longer.
    pub(super) fn book(&mut self, waiting: &Waiting, calls: u64) -> Option<Wait> {
        if waiting.call + OPEN < calls {
            return None;
        }
        let of_process = &mut self.0[waiting.who.process];
        if of_process.len() as u64 > 2 * OPEN {
            of_process.retain(|&call, _| call + OPEN >= calls);
        }
        let known = of_process.entry(waiting.call).or_default();
        let before = *known;
        let more = waiting.time - before;
        if more <= Seconds::ZERO {
            return None;
        }
        *known = waiting.time;
        // Polls are spread evenly over their time.
        let from = waiting.over - (waiting.over - waiting.begin) * (more / waiting.time);
        Some(Wait { found: *waiting, more, from, is_new: before == Seconds::ZERO })
    }
}

/// Whether a call is waiting as a whole: until other processes have started or connected. Which these were, the logs do
/// not say.
pub(super) fn starts_processes(call: &Call) -> bool {
    call.op.starts_processes() && call.error == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Thread, WaitKind};
    use cll_trace::layout::call::Op;

    fn waiting(call: u64, time_s: f64) -> Waiting {
        Waiting {
            who: Thread::default(),
            call,
            op: Op::Recv,
            point: None,
            kind: WaitKind::LateSender,
            time: Seconds(time_s),
            around: Seconds(time_s),
            begin: Seconds(10.0),
            over: Seconds(10.0 + time_s),
            until: Seconds(10.0 + time_s),
            for_whom: Thread::default(),
            end: Seconds(90.0),
        }
    }

    #[test]
    fn the_longest_wait_of_a_call_is_booked_once() {
        let mut waits = Waits::new(1);
        let mut book = |call, time_s| waits.book(&waiting(call, time_s), 8);
        let first = book(7, 2.0).expect("new");
        assert_eq!((first.more, first.from, first.is_new), (Seconds(2.0), Seconds(10.0), true));
        let second = book(7, 5.0).expect("longer");
        assert_eq!((second.more, second.from, second.is_new), (Seconds(3.0), Seconds(12.0), false));
        assert_eq!(book(7, 4.0), None);
        assert!(book(6, 1.0).is_some_and(|wait| wait.is_new));
    }

    #[test]
    fn a_call_that_was_forgotten_does_not_wait_again() {
        let mut waits = Waits::new(1);
        assert!(waits.book(&waiting(0, 2.0), 1).is_some());
        for call in 1..5 * OPEN {
            assert!(waits.book(&waiting(call, 1.0), call + 1).is_some());
            assert!(waits.0[0].len() as u64 <= 2 * OPEN + 1);
        }
        assert_eq!(waits.book(&waiting(0, 2.0), 5 * OPEN), None);
    }
}
