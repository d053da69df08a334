//! Subscriptions: made by readers, served by owners.

use super::Shared;
use super::mailbox::Mailbox;
use super::subscription::{PIECES, Subscription};
use crate::engine::capabilities::{RemoteRange, Subscriptions};

/// Bytes of one subscription, at most; each range takes whole words.
const BYTES: usize = Mailbox::ROOM;

/// The subscriptions of one processor, and those to it.
#[derive(Debug, Default)]
pub(super) struct SubscriptionState {
    /// The processors whose subscriptions this one has accepted.
    readers: Vec<Subscriber>,
    /// The processors to which it has subscribed.
    owners: Vec<usize>,
    /// They all have accepted.
    all_accepted: bool,
    /// It has subscribed since the last barrier.
    pub is_new: bool,
}

/// A processor that has subscribed.
#[derive(Debug)]
struct Subscriber {
    pid: usize,
    /// In the reader's window.
    subscription: *const Subscription,
    /// The memory exists as long as the program.
    stays: bool,
}

impl SubscriptionState {
    /// Whether there is a subscription.
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
            if !self.subscriptions.owners.contains(&piece.owner) {
                self.subscriptions.owners.push(piece.owner);
            }
        }
        for &owner in &self.subscriptions.owners {
            let mut words = [(0, 0); PIECES];
            let mut count = 0;
            for (word, piece) in words.iter_mut().zip(pieces.iter().filter(|p| p.owner == owner)) {
                *word = (piece.address, piece.size);
                count += 1;
            }
            self.subscription_of(self.me, owner).write(words[..count].iter().copied());
        }
        self.subscriptions.is_new = true;
        true
    }

    #[inline(always)]
    fn is_subscribed(&mut self) -> bool {
        if !self.subscriptions.all_accepted {
            let mut owners = self.subscriptions.owners.iter();
            self.subscriptions.all_accepted =
                owners.all(|&owner| self.subscription_of(self.me, owner).is_accepted());
        }
        self.subscriptions.all_accepted
    }

    fn unsubscribe(&mut self) {
        self.subscriptions.all_accepted = false;
        for owner in std::mem::take(&mut self.subscriptions.owners) {
            self.subscription_of(self.me, owner).cancel();
        }
    }

    fn forget_subscriptions(&mut self) {
        self.unsubscribe();
        self.subscriptions.readers.clear();
    }

    #[inline(always)]
    fn subscribed(&self, owner: usize) -> Option<*mut u8> {
        let mailbox = self.incoming(owner);
        // SAFETY: only atomics are accessed, and an address is taken.
        unsafe {
            let has_it = (*mailbox).has_subscribed(self.superstep);
            has_it.then(|| Mailbox::replies(mailbox).data())
        }
    }
}

impl Shared {
    /// Whether the ranges are few and small enough.
    fn can_subscribe(&self, pieces: &[RemoteRange]) -> bool {
        let fits = |owner: usize| {
            let its = || pieces.iter().filter(move |piece| piece.owner == owner);
            its().count() <= PIECES
                && its().map(|piece| piece.size.next_multiple_of(8)).sum::<usize>() <= BYTES
        };
        !self.is_virtual
            && pieces.iter().all(|piece| piece.size <= BYTES && piece.owner != self.me)
            && pieces.iter().all(|piece| fits(piece.owner))
    }

    /// Sends what was subscribed to, at the end of this processor's computation.
    #[inline]
    pub(super) fn send_subscribed(&mut self) {
        if !self.subscriptions.readers.is_empty() {
            self.send_to_subscribers();
        }
    }

    fn send_to_subscribers(&mut self) {
        let mut readers = std::mem::take(&mut self.subscriptions.readers);
        readers.retain(|reader| self.send_to(reader));
        self.subscriptions.readers = readers;
    }

    /// Sends what one reader has subscribed to. Returns whether there is a subscription.
    #[inline(always)]
    fn send_to(&self, reader: &Subscriber) -> bool {
        // SAFETY: it is in the window, and has only atomics.
        let subscription = unsafe { &*reader.subscription };
        let mailbox = self.outgoing(reader.pid);
        // SAFETY: only its address is taken.
        let begin = unsafe { Mailbox::replies(mailbox) }.data();
        let mut room = begin;
        for nth in 0..PIECES {
            let (address, size) = subscription.piece(nth);
            if size == 0 {
                break;
            }
            if !(reader.stays || self.permanent.has(&self.arena, address, size)) {
                return true;
            }
            // SAFETY: the memory exists; it fits into the mailbox, which nobody reads any more: all have passed
            // the barrier of the superstep in which it was read.
            unsafe {
                crate::copy::copy_fresh::<512>(address as *const u8, room, size);
                room = room.add(size.next_multiple_of(8));
            }
        }
        if room == begin {
            return false;
        }
        // SAFETY: only atomics are accessed.
        unsafe { &*mailbox }.stamp_subscribed(self.superstep);
        let lines = Mailbox::lines(room as usize - begin as usize);
        self.prefetcher.remember(self.next_outgoing(reader.pid), [0, 0, lines]);
        true
    }

    /// Accepts the subscriptions of a processor that has made some, to this one among others. Subscriptions to
    /// memory that the program may return to the system without notice are not accepted.
    pub(super) fn accept(&mut self, reader: usize) {
        if reader == self.me {
            return;
        }
        let subscription = self.subscription_of(reader, self.me);
        let is_any = subscription.pieces().next().is_some();
        if is_any
            && subscription
                .pieces()
                .all(|(address, size)| self.permanent.has(&self.arena, address, size))
        {
            let stays = subscription
                .pieces()
                .all(|(address, size)| self.permanent.stays(&self.arena, address, size));
            subscription.accept();
            let subscription = std::ptr::from_ref(subscription);
            self.subscriptions.readers.retain(|known| known.pid != reader);
            self.subscriptions.readers.push(Subscriber { pid: reader, subscription, stays });
        }
    }
}

const _: () = assert!(size_of::<Subscription>() == 64 && BYTES < 1 << 16);
