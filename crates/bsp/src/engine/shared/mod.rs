//! The engine for processors that share memory: processes or threads.
//!
//! In a superstep each processor writes into mailboxes of its own window. At the end all wait in a barrier;
//! then each reads what the others have for it. There are two mailboxes for each pair: one is filled while the
//! other is read, so one barrier is enough. Supersteps with gets need a second one, since nobody may write
//! before all have read.

mod areas;
pub(crate) mod arena;
mod atomics;
pub(crate) mod barrier;
mod barrier_wait;
mod capabilities;
mod contract;
pub(crate) mod control;
mod ended;
mod heap;
pub(crate) mod mailbox;
mod page;
mod permanent;
mod prefetcher;
mod promotion;
pub(crate) mod rings;
mod subscription;
mod subscriptions;
mod turn_state;
pub(crate) mod turns;
mod wait_timer;
pub(crate) mod waiting;
mod window;

use std::cell::Cell;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use self::arena::Arena;
use self::barrier::{Arrival, Barrier};
use self::barrier_wait::{BarrierWait, Purpose};
use self::control::Stage;
use self::heap::Heap;
use self::mailbox::Mailbox;
use self::page::PAGE;
use self::permanent::PermanentMemory;
use self::prefetcher::Prefetcher;
use self::promotion::Promoted;
use self::subscriptions::SubscriptionState;
use self::turns::leave_turn;
use self::wait_timer::WaitTimer;
use self::waiting::{IN_TURNS, WaitHooks};
use self::window::Window;
use crate::Misuse;
use crate::chunk::{Chunk, ChunkHeader, HEADER};
use crate::engine::stop::Stopped;
use crate::place::Place;
use crate::stream::Supply;
use crate::virtuals::Combine;

/// With more processors than this, the sets of senders are also kept outside the mailboxes.
const MAX_SMALL_MACHINE: usize = 64;

/// The difference between processes and threads.
pub(crate) trait ProcessorKind: Send + Sync {
    /// Whether another processor's memory has the same addresses here as there.
    fn shares_everything(&self) -> bool;
    /// Checks that all that must be alive are; called after a long wait.
    fn check_others(&self, arena: &Arena);
    /// On processor 0: waits until the others have ended.
    fn join(&self, arena: &Arena);
}

/// The engine of one processor.
pub(crate) struct Shared {
    arena: Arc<Arena>,
    kind: Arc<dyn ProcessorKind>,
    me: usize,
    processors: usize,
    cores: usize,
    /// The barrier of all processors, in the arena.
    barrier: Barrier<'static>,
    /// To and from each processor, for even supersteps; then those for odd ones.
    mailboxes: Vec<(*mut Mailbox, *mut Mailbox)>,
    superstep: u64,
    barriers: u64,
    heap: Arc<Mutex<Heap>>,
    /// Free chunks, by the logarithm of their size in bytes.
    spare: [Vec<Chunk>; usize::BITS as usize],
    /// Chunks in use, for odd and even supersteps.
    used: [Vec<Chunk>; 2],
    promoted: Promoted,
    /// Processes, whose memory is private: whether it may be promoted.
    promotes: bool,
    place: Place,
    /// The hash of its collective state.
    announced: u64,
    /// It has written to a mailbox in this superstep.
    sends: bool,
    /// The bit of this processor in the set of senders.
    bit: u64,
    /// The set of senders (see `sender` in `contract`), after the superstep's barrier.
    senders: u64,
    /// Messages have come in this superstep, or in the previous one while its end is awaited.
    has_messages: Cell<bool>,
    /// It computes in turns.
    is_virtual: bool,
    /// How bytes in and out give the h of a virtual processor.
    combine: Combine,
    timer: WaitTimer,
    subscriptions: SubscriptionState,
    permanent: PermanentMemory,
    prefetcher: Prefetcher,
}

impl Shared {
    /// Processor `me` of the first `processors` of an arena.
    pub fn new(
        arena: Arc<Arena>,
        me: usize,
        processors: usize,
        kind: Arc<dyn ProcessorKind>,
    ) -> Shared {
        let heap = Window::own_heap(&arena, me);
        Window::bring_in(&arena);
        let promotes = !kind.shares_everything();
        atomics::fences::begin();
        arena.processor_states()[me].set_stage(Stage::Running);
        Shared {
            kind,
            me,
            processors,
            cores: arena.cores(),
            barrier: barrier(&arena, processors, arena.cores()),
            mailboxes: Window::mailboxes_of(&arena, me, processors),
            superstep: 1,
            barriers: 0,
            heap,
            spare: [const { Vec::new() }; usize::BITS as usize],
            used: [Vec::new(), Vec::new()],
            promoted: Promoted::new(),
            promotes,
            place: Place::NOWHERE,
            announced: 0,
            sends: false,
            bit: contract::sender(me),
            senders: 0,
            has_messages: Cell::new(false),
            is_virtual: false,
            combine: Combine::Max,
            timer: WaitTimer::default(),
            subscriptions: SubscriptionState::default(),
            permanent: PermanentMemory::default(),
            prefetcher: Prefetcher::default(),
            arena,
        }
    }

    /// As [`Shared::new`], for a processor that computes in turns and has its first turn.
    pub fn in_turns(
        arena: Arc<Arena>,
        me: usize,
        processors: usize,
        kind: Arc<dyn ProcessorKind>,
    ) -> Shared {
        let shared = Shared::new(arena, me, processors, kind);
        let barrier = barrier(&shared.arena, processors, IN_TURNS);
        Shared { cores: IN_TURNS, barrier, is_virtual: true, ..shared }
    }

    fn heap(&self) -> MutexGuard<'_, Heap> {
        self.heap.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// With many processors, even reading the mailboxes of all would touch memory for all of them.
    fn is_large(&self) -> bool {
        self.processors > MAX_SMALL_MACHINE
    }

    fn is_odd(&self) -> bool {
        self.superstep % 2 == 1
    }

    #[inline(always)]
    fn pass(&mut self, word: &mut Arrival, purpose: Purpose) -> Result<(), Stopped> {
        if self.processors == 1 {
            BarrierWait { shared: self, purpose }.all_arrived();
            return if self.arena.control().is_stopped() { Err(Stopped) } else { Ok(()) };
        }
        self.barriers += 1;
        self.barrier.pass(self.me, self.barriers, word, &BarrierWait { shared: self, purpose })
    }

    /// Ends the computation for which it had its turn.
    fn leave(&self) {
        if self.is_virtual {
            leave_turn(&self.arena, self.me);
        }
    }

    /// The others have ended. Promoted memory outlives the machine, and so does all of the arena: releases
    /// everything else in it.
    fn release(&self) {
        if self.me == 0 && self.promotes {
            self.arena.release_all_but(&self.promoted.kept());
        }
    }
}

/// The barrier of the first `processors` processors on `cores` cores; the arena outlives it.
fn barrier(arena: &Arc<Arena>, processors: usize, cores: usize) -> Barrier<'static> {
    // SAFETY: every owner of the barrier also owns the arena, whose memory does not move.
    let arena: &'static Arena = unsafe { &*Arc::as_ptr(arena) };
    arena.barrier(processors, cores)
}

fn give_back(used: &mut Vec<Chunk>, spare: &mut [Vec<Chunk>]) {
    for chunk in used.drain(..) {
        spare[(chunk.room + HEADER).ilog2() as usize].push(chunk);
    }
}

/// The channels of one processor of the first `processors` of an arena, whose memory no [`Shared`] uses.
pub(crate) fn rings(
    arena: Arc<Arena>,
    me: usize,
    processors: usize,
    kind: Arc<dyn ProcessorKind>,
) -> rings::Rings {
    let heap = Window::own_heap(&arena, me);
    Window::bring_in(&arena);
    arena.processor_states()[me].set_stage(Stage::Running);
    atomics::fences::begin();
    rings::Rings::new(arena, heap, me, processors, kind)
}

/// The same, for a processor that computes in turns and has its first turn.
pub(crate) fn rings_in_turns(
    arena: Arc<Arena>,
    me: usize,
    processors: usize,
    kind: Arc<dyn ProcessorKind>,
) -> rings::Rings {
    rings(arena, me, processors, kind).in_turns()
}

impl Supply for Shared {
    fn chunk(&mut self, min_room: usize) -> Result<Chunk, Misuse> {
        let too_much = || Misuse::NoMemory(format!("{min_room} bytes at once"));
        let size = min_room.checked_add(HEADER).and_then(usize::checked_next_power_of_two);
        let size = size.ok_or_else(too_much)?.max(PAGE);
        let chunk = match self.spare[size.ilog2() as usize].pop() {
            Some(chunk) => chunk,
            None => {
                let offset = self.heap().take(size).ok_or_else(too_much)?;
                // SAFETY: it is in the window.
                let header = unsafe { self.arena.base().add(offset).cast::<ChunkHeader>() };
                let header = NonNull::new(header).ok_or_else(too_much)?;
                Chunk { header, room: size - HEADER }
            }
        };
        self.used[(self.superstep % 2) as usize].push(chunk);
        Ok(chunk)
    }

    fn offset(&self, chunk: Chunk) -> u64 {
        self.offset_of(chunk.header.as_ptr())
    }
}
