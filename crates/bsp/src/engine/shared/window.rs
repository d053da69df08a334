//! The layout of the processors' windows.

use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex};

use super::Shared;
use super::arena::Arena;
use super::heap::Heap;
use super::mailbox::Mailbox;
use super::page::PAGE;
use super::promotion::PromotedRange;
use super::subscription::Subscription;
use crate::engine::agreement::CollectiveState;
use crate::registers::{MAX_SLOTS, Slot};

/// Pops in one superstep, at most.
pub(super) const MAX_POPS: usize = 1 << 20;

/// In machines with at most this many processors, the first pages of everything are populated.
const MAX_POPULATED_PROCESSORS: usize = 4;
/// Bytes that are populated of a processor's heap in its window.
const POPULATED_HEAP_BYTES: usize = 8 * PAGE;

/// A processor's area in a slot, in its window.
#[repr(C)]
#[derive(Debug)]
pub(super) struct Entry {
    pub address: AtomicUsize,
    pub size: AtomicUsize,
    pub reach: (AtomicUsize, AtomicUsize),
    /// Offset of the accessible part in the arena.
    pub offset: AtomicUsize,
}

/// Offsets of the regions of a window, from its beginning.
pub(super) struct Window;

impl Window {
    const ENTRIES: usize = 0;
    const POPS: usize = MAX_SLOTS * size_of::<Entry>();
    const MAILBOXES: usize = Window::POPS + MAX_POPS * 8;

    fn subscriptions(processors: usize) -> usize {
        Window::MAILBOXES + 2 * processors * size_of::<Mailbox>()
    }

    fn heap(processors: usize) -> usize {
        Window::subscriptions(processors) + processors * size_of::<Subscription>()
    }

    /// Mailboxes from one processor to another: the one for even supersteps, then the one for odd ones.
    fn mailboxes(arena: &Arena, from: usize, to: usize) -> *mut Mailbox {
        let first = arena.window(from).0 + Window::MAILBOXES;
        // SAFETY: they are in the window.
        unsafe { arena.base().add(first).cast::<Mailbox>().add(2 * to) }
    }

    /// The mailboxes of a processor to and from each processor, itself included.
    pub fn mailboxes_of(
        arena: &Arena,
        me: usize,
        processors: usize,
    ) -> Vec<(*mut Mailbox, *mut Mailbox)> {
        let both =
            |other| (Window::mailboxes(arena, me, other), Window::mailboxes(arena, other, me));
        (0..processors).map(both).collect()
    }

    /// The heap of a processor's window.
    pub fn own_heap(arena: &Arena, me: usize) -> Arc<Mutex<Heap>> {
        let (window, size) = arena.window(me);
        let from = window + Window::heap(arena.processors());
        Arc::new(Mutex::new(Heap::new(from, window + size)))
    }

    /// Populates, for the calling process, the memory through which a few processors communicate. Otherwise a
    /// first put or message waits for page faults at both ends, 5 to 10 us each.
    pub fn bring_in(arena: &Arena) {
        let processors = arena.processors();
        if !(2..=MAX_POPULATED_PROCESSORS).contains(&processors) {
            return;
        }
        arena.bring_in_what_all_use();
        for processor in 0..processors {
            let window = arena.window(processor).0;
            let talk = Window::heap(processors) + POPULATED_HEAP_BYTES - Window::MAILBOXES;
            let parts = [(Window::ENTRIES, PAGE), (Window::POPS, PAGE), (Window::MAILBOXES, talk)];
            parts.iter().for_each(|&(part, size)| arena.bring_in(window + part, size));
        }
    }
}

impl Shared {
    /// Publishes what this processor did that all must do in the same way, and its hash.
    #[cold]
    pub(super) fn publish_collective_state(
        &mut self,
        word: u64,
        collective: Option<&CollectiveState>,
    ) {
        self.arena.processor_states()[self.me]
            .set_collective_state(collective.unwrap_or(&CollectiveState::default()));
        self.announced = word;
    }

    fn in_window<T>(&self, processor: usize, offset: usize) -> *mut T {
        // SAFETY: offsets are those of `Window`, within it.
        unsafe { self.arena.base().add(self.arena.window(processor).0 + offset).cast() }
    }

    pub(super) fn entry(&self, processor: usize, slot: Slot) -> &Entry {
        // SAFETY: only atomics, for which all zero is a valid value.
        unsafe { &*self.in_window::<Entry>(processor, Window::ENTRIES).add(slot as usize) }
    }

    pub(super) fn pop(&self, processor: usize, index: usize) -> &AtomicU64 {
        // SAFETY: as for `entry`.
        unsafe { &*self.in_window::<AtomicU64>(processor, Window::POPS).add(index) }
    }

    /// The mailbox of this superstep from one processor to another.
    #[inline]
    pub(super) fn mailbox(&self, from: usize, to: usize) -> *mut Mailbox {
        let even = Window::mailboxes(&self.arena, from, to);
        // SAFETY: the one for odd supersteps follows the one for even ones.
        unsafe { even.add(usize::from(self.is_odd())) }
    }

    /// The mailbox of this superstep to a processor.
    #[inline(always)]
    pub(super) fn outgoing(&self, to: usize) -> *mut Mailbox {
        // SAFETY: as above.
        unsafe { self.mailboxes[to].0.add(usize::from(self.is_odd())) }
    }

    /// The mailbox of the next superstep to a processor.
    #[inline(always)]
    pub(super) fn next_outgoing(&self, to: usize) -> *mut Mailbox {
        // SAFETY: as above.
        unsafe { self.mailboxes[to].0.add(usize::from(!self.is_odd())) }
    }

    /// The mailbox of this superstep from a processor.
    #[inline(always)]
    pub(super) fn incoming(&self, from: usize) -> *mut Mailbox {
        // SAFETY: as above.
        unsafe { self.mailboxes[from].1.add(usize::from(self.is_odd())) }
    }

    /// Returns the subscription of `reader` at `owner`.
    pub(super) fn subscription_of(&self, reader: usize, owner: usize) -> &Subscription {
        let subscriptions = Window::subscriptions(self.arena.processors());
        // SAFETY: as for `entry`.
        unsafe { &*self.in_window::<Subscription>(reader, subscriptions).add(owner) }
    }

    pub(super) fn offset_of<T>(&self, pointer: *const T) -> u64 {
        (pointer as usize - self.arena.base() as usize) as u64
    }

    /// An area in this processor's window: the others have all of it mapped already.
    pub(super) fn in_own_window(&self, address: usize, size: usize) -> Option<PromotedRange> {
        let (window, window_size) = self.arena.window(self.me);
        let offset = address.checked_sub(self.arena.base() as usize)?;
        let lies_in_it = (window..window + window_size).contains(&offset);
        lies_in_it.then_some(PromotedRange { address, size, offset })
    }
}
