//! `sync` in MPI programs: all processes of a communicator begin a measured region together.
//!
//! A barrier releases its processes at different times, since its messages need time to go around. A window is
//! a time upon which all have agreed, and for which each waits by its own clock (Hunold and Carpen-Amarie
//! 2016). Each process says when it could be ready; the latest time counts, and all know it when all have
//! arrived. A process that learns of it too late, or was not running at that time, has begun late; this is
//! recorded in its sample.
//!
//! `communicator` is the used part of MPI, `start_method` decides between barrier and window once for each
//! communicator, `clocks` relates those of several hosts, `lead_time` is the time between agreement and window.

mod clocks;
mod communicator;
mod lead_time;
mod start_method;

use std::ffi::{c_uint, c_void};

use cll_trace::layout::{FLAG_BARRIER, FLAG_LATE, FLAG_WINDOW};
use cll_trace::meta::{Meta, SyncBy};

use crate::critical_section::{Errno, Inside};
use crate::library::LIBRARY;
use crate::log::OwnCalls;
use crate::message::Message;

use clocks::{Compared, Relation, now};
use communicator::{Communicator, CommunicatorTable, Failed, Member};
use lead_time::LeadTime;
use start_method::Card;

/// A process that begins this many nanoseconds after the window is late.
const LATE_NS: i64 = 1_000;
/// Clocks of several hosts are compared again after this time.
const COMPARED_NS: i64 = 1_000_000_000;

/// The data that is kept with a communicator.
pub enum Kept {
    /// There is no other process.
    Alone,
    Barrier,
    Window(Window),
}

/// The windows of a communicator, in one of its processes.
pub struct Window {
    lead_time: LeadTime,
    /// Nanoseconds from the last window's agreement until this process knew of it.
    needed: i64,
    clocks: Option<Clocks>,
}

/// The clocks of several hosts.
struct Clocks {
    /// The first process of each host.
    leaders: Vec<usize>,
    /// The index of this host.
    own: usize,
    member: Member,
    relation: Relation,
    /// When they are compared again, in the time of the first process.
    next: i64,
}

/// `cll_mpi_sync`: the processes of a communicator begin together. Returns how, as flags of a sample.
///
/// # Safety
/// `table` is null or one of `cll_mpi_sync.h`, `comm` points to a communicator.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_mpi_sync(
    table: *const CommunicatorTable,
    comm: *const c_void,
) -> c_uint {
    let _errno = Errno::keep();
    // SAFETY: by the caller.
    let Some(communicator) = (unsafe { Communicator::new(table, comm) }) else { return 0 };
    let _own = OwnCalls::begin();
    c_uint::from(together(communicator).unwrap_or(0))
}

/// `cll_mpi_forget`: the communicator ends.
///
/// # Safety
/// `kept` is null or was kept with the communicator.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_mpi_forget(kept: *mut Kept) {
    if !kept.is_null() {
        // SAFETY: by the caller.
        drop(unsafe { Box::from_raw(kept) });
    }
}

fn together(communicator: Communicator<'_>) -> Result<u8, Failed> {
    // SAFETY: a communicator is in one `sync` at a time, as in one barrier.
    let kept = match unsafe { communicator.kept() } {
        Some(kept) => kept,
        None => {
            communicator.keep(begin(communicator)?)?;
            // SAFETY: as above.
            unsafe { communicator.kept() }.ok_or(Failed)?
        }
    };
    match kept {
        Kept::Alone => Ok(0),
        Kept::Barrier => communicator.barrier().map(|()| FLAG_BARRIER),
        Kept::Window(window) => window.pass(communicator),
    }
}

/// Decides, at the first `sync` of a communicator, and records it in the trace.
fn begin(communicator: Communicator<'_>) -> Result<Kept, Failed> {
    let member = communicator.member()?;
    match member.size {
        // In a communicator of two groups no process has the reports of all.
        0 => return Ok(Kept::Barrier),
        1 => return Ok(Kept::Alone),
        _ => {}
    }
    let (own, problem) = Card::own();
    if let (Some(text), 0) = (problem, member.rank) {
        Message::new().text("CLL_SYNC must be barrier, window or auto: ").bytes(text).send();
    }
    let cards = communicator.all(own, member.size)?;
    let (by, why) = start_method::decide(&cards);
    let hosts = start_method::hosts(&cards);
    let mut within = 0;
    let kept = match by {
        SyncBy::Window => {
            let first = |clock: &u64| cards.iter().position(|card| card.clock == *clock);
            let clocks = match hosts.len() {
                1 => None,
                _ => {
                    let leaders: Vec<usize> = hosts.iter().filter_map(first).collect();
                    let own = hosts.iter().position(|&clock| clock == own.clock).ok_or(Failed)?;
                    let relation = Relation::default();
                    let mut clocks = Clocks { leaders, own, member, relation, next: 0 };
                    within = clocks.compare(communicator, true)?;
                    Some(clocks)
                }
            };
            Kept::Window(Window { lead_time: LeadTime::new(), needed: 0, clocks })
        }
        _ => Kept::Barrier,
    };
    let table = start_method::table(by, why, member.size, hosts.len(), within);
    let mut line = Meta::Sync(table).to_json().into_bytes();
    line.push(b'\n');
    let inside = Inside::enter();
    let mut library = LIBRARY.lock(&inside);
    library.start();
    library.keep(line);
    Ok(kept)
}

impl Window {
    fn pass(&mut self, communicator: Communicator<'_>) -> Result<u8, Failed> {
        let lead_time = self.lead_time.ns();
        let here = self.first(now());
        let [start, needed] = communicator.latest([here + lead_time, self.needed])?;
        if needed > 0 {
            self.lead_time.learn(needed);
        }
        let own = self.clocks.as_ref().map_or(start, |clocks| clocks.relation.own(start));
        let mut time = now();
        self.needed = (time - (own - lead_time)).max(1);
        while time < own {
            std::hint::spin_loop();
            time = now();
        }
        let late = if time - own > LATE_NS { FLAG_LATE } else { 0 };
        if let Some(clocks) = self.clocks.as_mut().filter(|clocks| start >= clocks.next) {
            // This window is not used: the next one follows.
            clocks.compare(communicator, false)?;
            return self.pass(communicator);
        }
        Ok(FLAG_WINDOW | late)
    }

    /// The time of the first process when this one's clock shows `own`.
    fn first(&self, own: i64) -> i64 {
        self.clocks.as_ref().map_or(own, |clocks| clocks.relation.first(own))
    }
}

impl Clocks {
    /// All processes compare the clocks of their hosts. Returns the largest error, in nanoseconds.
    fn compare(&mut self, communicator: Communicator<'_>, is_first: bool) -> Result<i64, Failed> {
        let (rank, first) = (self.member.rank, self.leaders[0]);
        let mut own = Compared::default();
        let mut worst = 0;
        for (host, &leader) in self.leaders.iter().enumerate().skip(1) {
            let compared = communicator.in_pairs(|pairs| match rank {
                _ if rank == first => Compared::by_asking(pairs, leader).map(Some),
                _ if rank == leader => Compared::by_answering(pairs, first).map(|()| None),
                _ => Ok(None),
            })?;
            let values = match compared {
                Some(Compared { at: time, ahead, within }) => [time, ahead, within],
                None => [i64::MIN; 3],
            };
            let [time, ahead, within] = communicator.latest(values)?;
            worst = worst.max(within);
            self.next = time + COMPARED_NS;
            if host == self.own {
                own = Compared { at: time, ahead, within };
            }
        }
        if self.own > 0 {
            if is_first { self.relation = Relation::new(own) } else { self.relation.renew(own) }
        }
        Ok(worst)
    }
}
