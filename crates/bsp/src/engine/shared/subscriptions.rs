//! What is got again and again: ordered by its readers, sent by its owners.

use super::Shared;
use super::mailbox::Mailbox;
use super::subscription::{PIECES, Subscription};
use crate::engine::capabilities::{RemoteRange, Subscriptions};

/// Bytes of one order at most; each piece takes whole words.
const BYTES: usize = Mailbox::ROOM;

/// The orders of one processor, and those to it.
#[derive(Debug, Default)]
pub(super) struct SubscriptionState {
    /// Those whose orders this one has taken.
    readers: Vec<Reader>,
    /// Those of whom it has ordered.
    owners: Vec<usize>,
    /// They all have taken it.
    taken: bool,
    /// It has ordered something since the last barrier.
    pub placed: bool,
}

/// One who has ordered something.
#[derive(Debug)]
struct Reader {
    pid: usize,
    /// In its window.
    order: *const Subscription,
    /// The memory is there as long as the program is.
    stays: bool,
}

impl SubscriptionState {
    /// Whether something is ordered.
    #[inline]
    pub fn any(&self) -> bool {
        !self.owners.is_empty()
    }
}

impl Subscriptions for Shared {
    fn subscribe(&mut self, pieces: &[RemoteRange]) -> bool {
        self.unsubscribe();
        if !self.can_subscribe(pieces) {
            return false;
        }
        for piece in pieces {
            if !self.orders.owners.contains(&piece.of) {
                self.orders.owners.push(piece.of);
            }
        }
        for &owner in &self.orders.owners {
            let mut words = [(0, 0); PIECES];
            let mut count = 0;
            for (word, piece) in words.iter_mut().zip(pieces.iter().filter(|p| p.of == owner)) {
                *word = (piece.address, piece.size);
                count += 1;
            }
            self.subscription_of(self.me, owner).write(words[..count].iter().copied());
        }
        self.orders.placed = true;
        true
    }

    #[inline(always)]
    fn is_subscribed(&mut self) -> bool {
        if !self.orders.taken {
            let mut owners = self.orders.owners.iter();
            self.orders.taken =
                owners.all(|&owner| self.subscription_of(self.me, owner).is_taken());
        }
        self.orders.taken
    }

    fn unsubscribe(&mut self) {
        self.orders.taken = false;
        for owner in std::mem::take(&mut self.orders.owners) {
            self.subscription_of(self.me, owner).withdraw();
        }
    }

    fn forget_subscriptions(&mut self) {
        self.unsubscribe();
        self.orders.readers.clear();
    }

    #[inline(always)]
    fn subscribed(&self, owner: usize) -> Option<*mut u8> {
        let mailbox = self.incoming(owner);
        // SAFETY: atomics alone are reached, and an address taken.
        unsafe {
            let has_it = (*mailbox).has_subscribed(self.superstep);
            has_it.then(|| Mailbox::replies(mailbox).data())
        }
    }
}

impl Shared {
    /// Whether they are few and small enough.
    fn can_subscribe(&self, pieces: &[RemoteRange]) -> bool {
        let fits = |of: usize| {
            let its = || pieces.iter().filter(move |piece| piece.of == of);
            its().count() <= PIECES
                && its().map(|piece| piece.size.next_multiple_of(8)).sum::<usize>() <= BYTES
        };
        !self.is_virtual
            && pieces.iter().all(|piece| piece.size <= BYTES && piece.of != self.me)
            && pieces.iter().all(|piece| fits(piece.of))
    }

    /// Sends what was ordered: at the end of this processor's computation.
    #[inline]
    pub(super) fn send_subscribed(&mut self) {
        if !self.orders.readers.is_empty() {
            self.send_to_subscribers();
        }
    }

    fn send_to_subscribers(&mut self) {
        let mut readers = std::mem::take(&mut self.orders.readers);
        readers.retain(|reader| self.send_to(reader));
        self.orders.readers = readers;
    }

    /// Sends what one has ordered; whether anything is ordered.
    #[inline(always)]
    fn send_to(&self, reader: &Reader) -> bool {
        // SAFETY: it lies in the window, and has atomics alone.
        let order = unsafe { &*reader.order };
        let mailbox = self.outgoing(reader.pid);
        // SAFETY: its address alone is taken.
        let begin = unsafe { Mailbox::replies(mailbox) }.data();
        let mut room = begin;
        for nth in 0..PIECES {
            let (address, size) = order.piece(nth);
            if size == 0 {
                break;
            }
            if !(reader.stays || self.permanent.has(&self.arena, address, size)) {
                return true;
            }
            // SAFETY: the memory is there; it fits into the mailbox, which nobody reads any more: all
            // have passed the barrier of the superstep in which it was read.
            unsafe {
                crate::copy::copy_fresh::<512>(address as *const u8, room, size);
                room = room.add(size.next_multiple_of(8));
            }
        }
        if room == begin {
            return false;
        }
        // SAFETY: atomics alone are reached.
        unsafe { &*mailbox }.stamp_subscribed(self.superstep);
        let lines = Mailbox::lines(room as usize - begin as usize);
        self.prefetcher.remember(self.next_outgoing(reader.pid), [0, 0, lines]);
        true
    }

    /// Takes the orders of a processor that has placed some, for this one among others; not those of memory
    /// that the program may give back to the system without a word.
    pub(super) fn accept(&mut self, reader: usize) {
        if reader == self.me {
            return;
        }
        let order = self.subscription_of(reader, self.me);
        let is_any = order.pieces().next().is_some();
        if is_any && order.pieces().all(|(at, size)| self.permanent.has(&self.arena, at, size)) {
            let stays =
                order.pieces().all(|(at, size)| self.permanent.stays(&self.arena, at, size));
            order.take();
            let order = std::ptr::from_ref(order);
            self.orders.readers.retain(|known| known.pid != reader);
            self.orders.readers.push(Reader { pid: reader, order, stays });
        }
    }
}

const _: () = assert!(size_of::<Subscription>() == 64 && BYTES < 1 << 16);
