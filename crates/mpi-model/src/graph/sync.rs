//! Synchronisation points: calls in which a process waits for others.

use cll_result::{GraphSymbol, GraphSync};
use cll_trace::layout::call::{Class, Op};

/// A standard send waits for its receiver if it does so for more than this in a passage, in seconds, and for longer than
/// the rest of the call takes. Shorter waits come from the process having no core for a moment.
const WAITS: f64 = 2e-5;

/// The observation of a call in a run, for a passage on average.
#[derive(Clone, Copy, Debug, Default)]
pub struct Observed {
    /// Unsuccessful polls before it.
    pub polls: u64,
    /// Seconds that it waited for others.
    pub waited: f64,
    /// The rest of its time, in seconds.
    pub called: f64,
}

/// Whether a call waits for others, and for what. Without observation: by the standard.
pub fn synchronises(op: Op, symbol: GraphSymbol, seen: Option<Observed>) -> GraphSync {
    // A poll that found nothing before waits by polling.
    let is_poll = op.is_poll() && seen.is_none_or(|seen| seen.polls == 0);
    if is_poll || op.is_persistent() || (op.has_request() && op.class() != Class::Wait) {
        return GraphSync::No;
    }
    match op.class() {
        Class::Receive | Class::Exchange | Class::Probe => GraphSync::Receive,
        Class::Wait => GraphSync::Completion,
        Class::Send if op == Op::Ssend => GraphSync::Send,
        Class::Send if op == Op::Bsend => GraphSync::No,
        Class::Send => match seen {
            None => GraphSync::Perhaps,
            Some(seen) if seen.waited > WAITS.max(seen.called) => GraphSync::Send,
            Some(_) => GraphSync::No,
        },
        // The root of a broadcast needs nobody, nor do the others in a reduction.
        Class::Collective if symbol == GraphSymbol::Send => GraphSync::No,
        Class::Collective => GraphSync::Collective,
        Class::Create if op == Op::Comm_free => GraphSync::No,
        Class::Create => GraphSync::Collective,
        Class::Epoch => match op {
            Op::Win_fence
            | Op::Win_start
            | Op::Win_complete
            | Op::Win_wait
            | Op::Win_test
            | Op::Win_free
            | Op::Win_lock
            | Op::Win_lock_all => GraphSync::Window,
            _ => GraphSync::No,
        },
        Class::File if op.group().is_some() => GraphSync::Collective,
        Class::File => GraphSync::No,
        Class::Life | Class::Request | Class::Access => GraphSync::No,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sync_of(name: &str, symbol: GraphSymbol, seen: Option<Observed>) -> GraphSync {
        synchronises(Op::named(name).expect("a call"), symbol, seen)
    }

    #[test]
    fn calls_that_wait_for_others_are_synchronisation_points() {
        let other = GraphSymbol::Other;
        for (name, expected) in [
            ("Recv", GraphSync::Receive),
            ("Irecv", GraphSync::No),
            ("Waitall", GraphSync::Completion),
            ("Test", GraphSync::No),
            ("Send", GraphSync::Perhaps),
            ("Ssend", GraphSync::Send),
            ("Bsend", GraphSync::No),
            ("Recv_init", GraphSync::No),
            ("Barrier", GraphSync::Collective),
            ("Ibarrier", GraphSync::No),
            ("Win_fence", GraphSync::Window),
            ("Win_post", GraphSync::No),
            ("Put", GraphSync::No),
            ("Comm_split", GraphSync::Collective),
            ("Comm_free", GraphSync::No),
            ("File_write_at_all", GraphSync::Collective),
            ("File_write_at", GraphSync::No),
            ("File_write_all_begin", GraphSync::No),
            ("File_write_all_end", GraphSync::Collective),
            ("Init", GraphSync::No),
        ] {
            assert_eq!(sync_of(name, other, None), expected, "{name}");
        }
    }

    #[test]
    fn roots_and_observed_sends_are_told_apart() {
        let seen = |polls, waited, called| Some(Observed { polls, waited, called });
        assert_eq!(sync_of("Bcast", GraphSymbol::Send, None), GraphSync::No);
        assert_eq!(sync_of("Bcast", GraphSymbol::Receive, None), GraphSync::Collective);
        assert_eq!(sync_of("Reduce", GraphSymbol::Send, None), GraphSync::No);
        assert_eq!(sync_of("Send", GraphSymbol::Send, seen(0, 1e-3, 1e-4)), GraphSync::Send);
        assert_eq!(sync_of("Send", GraphSymbol::Send, seen(0, 1e-4, 1e-3)), GraphSync::No);
        assert_eq!(sync_of("Send", GraphSymbol::Send, seen(0, 1e-6, 0.0)), GraphSync::No);
        assert_eq!(
            sync_of("Test", GraphSymbol::Completion, seen(3, 0.0, 0.0)),
            GraphSync::Completion
        );
        assert_eq!(sync_of("Iprobe", GraphSymbol::Other, seen(1, 0.0, 0.0)), GraphSync::Receive);
        assert_eq!(sync_of("Iprobe", GraphSymbol::Other, seen(0, 0.0, 0.0)), GraphSync::No);
    }
}
