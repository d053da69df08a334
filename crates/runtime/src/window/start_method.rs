//! How the processes of a communicator begin together: by a barrier or by a window.

use std::ffi::c_longlong;

use cll_contract::{self as contract, SYNC, WrongValue};
use cll_mpicc::hash;
use cll_trace::meta::{Sync, SyncBy};

use crate::sys;

/// The report of a process about itself, before this is decided.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Card {
    /// Equal in processes that share a clock.
    pub clock: u64,
    /// `CLL_SYNC`: [`BARRIER`], [`WINDOW`], or else 0.
    pub requested: c_longlong,
    /// The cores that it may use.
    cores: [u64; 16],
}

const BARRIER: c_longlong = 1;
const WINDOW: c_longlong = 2;

impl Card {
    /// The card of this process; the text is a value of `CLL_SYNC` that is not understood.
    pub fn own() -> (Card, Option<&'static [u8]>) {
        let (requested, problem) = match sys::setting(&SYNC) {
            Ok(Some(contract::Sync::Barrier)) => (BARRIER, None),
            Ok(Some(contract::Sync::Window)) => (WINDOW, None),
            Ok(None | Some(contract::Sync::Auto)) => (0, None),
            Err(WrongValue(other)) => (0, Some(other)),
        };
        let read = |path: &str| std::fs::read(path).unwrap_or_default();
        // The second has what namespaces add to the clock.
        let boot = read("/proc/sys/kernel/random/boot_id");
        let offsets = read("/proc/self/timens_offsets");
        let host = read("/proc/sys/kernel/hostname");
        let clock = if boot.is_empty() {
            hash([host.as_slice(), &offsets])
        } else {
            hash([boot.as_slice(), &offsets])
        };
        let mut cores = [0; 16];
        // SAFETY: it writes no more than the given size.
        unsafe { libc::sched_getaffinity(0, size_of_val(&cores), cores.as_mut_ptr().cast()) };
        (Card { clock, requested, cores }, problem)
    }
}

/// Decides for all, from the cards of all: a window if each process has a core to wait on, unless one requests
/// something else; and the reason.
pub fn decide(cards: &[Card]) -> (SyncBy, &'static str) {
    let is_requested = |what| cards.iter().any(|card| card.requested == what);
    if is_requested(BARRIER) {
        (SyncBy::Barrier, SYNC.name())
    } else if is_requested(WINDOW) {
        (SyncBy::Window, SYNC.name())
    } else if hosts(cards).into_iter().all(|clock| has_cores(cards, clock)) {
        (SyncBy::Window, "")
    } else {
        (SyncBy::Barrier, "more processes than cores")
    }
}

/// The clocks, in the order of their first processes.
pub fn hosts(cards: &[Card]) -> Vec<u64> {
    let mut clocks = Vec::new();
    for card in cards {
        if !clocks.contains(&card.clock) {
            clocks.push(card.clock);
        }
    }
    clocks
}

fn has_cores(cards: &[Card], clock: u64) -> bool {
    let there = || cards.iter().filter(|card| card.clock == clock);
    let cores = there().fold([0; 16], |mut all: [u64; 16], card| {
        all.iter_mut().zip(card.cores).for_each(|(all, own)| *all |= own);
        all
    });
    let count: u32 = cores.iter().map(|part| part.count_ones()).sum();
    there().count() <= count as usize
}

/// The table about it; `within_ns`: the largest error of the clocks.
pub fn table(by: SyncBy, why: &str, processes: usize, hosts: usize, within_ns: i64) -> Sync {
    Sync {
        by,
        why: why.to_owned(),
        processes: processes as u32,
        clocks: hosts as u32,
        within_ns: u64::try_from(within_ns).unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(clock: u64, requested: c_longlong, cores: u64) -> Card {
        let mut all = [0; 16];
        all[1] = cores;
        Card { clock, requested, cores: all }
    }

    #[test]
    fn a_window_wants_a_core_for_each() {
        let by = |cards: &[Card]| decide(cards).0;
        assert_eq!(by(&[card(1, 0, 1), card(1, 0, 2)]), SyncBy::Window);
        assert_eq!(by(&[card(1, 0, 3), card(1, 0, 3)]), SyncBy::Window);
        assert_eq!(by(&[card(1, 0, 1), card(1, 0, 1)]), SyncBy::Barrier);
        assert_eq!(by(&[card(1, 0, 1), card(2, 0, 1)]), SyncBy::Window, "of two hosts");
        assert_eq!(by(&[card(1, 0, 1), card(2, 0, 1), card(1, 0, 1)]), SyncBy::Barrier);
    }

    #[test]
    fn a_request_of_one_process_holds_for_all() {
        let requested = |first, other| decide(&[card(1, first, 1), card(1, other, 1)]);
        assert_eq!(requested(0, WINDOW), (SyncBy::Window, "CLL_SYNC"));
        assert_eq!(requested(BARRIER, WINDOW), (SyncBy::Barrier, "CLL_SYNC"));
        assert_eq!(requested(0, 0), (SyncBy::Barrier, "more processes than cores"));
    }

    #[test]
    fn this_process_has_a_core() {
        let (own, problem) = Card::own();
        assert_eq!(problem, None);
        assert!(has_cores(&[own], own.clock));
    }
}
