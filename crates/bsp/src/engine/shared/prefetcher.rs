//! Prefetches lines of mailboxes that were written in this superstep and are likely to be written in the next.
//! They are in the caches of the receivers' cores; they are fetched while the program computes.

use std::cell::Cell;

use super::mailbox::Mailbox;

/// Number of receivers that are remembered.
const MAX_RECEIVERS: usize = 4;

/// Mailboxes of the next superstep, and how many lines of each stream are likely to be written.
#[derive(Debug)]
pub(super) struct Prefetcher {
    mailboxes: [Cell<(*mut Mailbox, [u8; 3])>; MAX_RECEIVERS],
    count: Cell<usize>,
}

impl Default for Prefetcher {
    fn default() -> Prefetcher {
        let none = [const { Cell::new((std::ptr::null_mut(), [0; 3])) }; MAX_RECEIVERS];
        Prefetcher { mailboxes: none, count: Cell::new(0) }
    }
}

impl Prefetcher {
    /// Remembers how many lines are likely to be written: of requests, messages, replies.
    #[inline]
    pub fn remember(&self, mailbox: *mut Mailbox, lines: [u8; 3]) {
        if let Some(place) = self.mailboxes.get(self.count.get()) {
            place.set((mailbox, lines));
            self.count.set(self.count.get() + 1);
        }
    }

    /// Takes one that is remembered.
    #[inline]
    pub fn take(&self) -> Option<(*mut Mailbox, [u8; 3])> {
        let last = self.count.get().checked_sub(1)?;
        self.count.set(last);
        Some(self.mailboxes[last].get())
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_RECEIVERS, Prefetcher};

    #[test]
    fn the_first_few_are_remembered_once() {
        let prefetcher = Prefetcher::default();
        let place = |nth: usize| std::ptr::without_provenance_mut(64 * nth);
        (0..MAX_RECEIVERS + 3).for_each(|nth| prefetcher.remember(place(nth), [nth as u8, 0, 8]));
        let mut taken: Vec<_> = std::iter::from_fn(|| prefetcher.take()).collect();
        taken.sort_unstable();
        let all: Vec<_> = (0..MAX_RECEIVERS).map(|nth| (place(nth), [nth as u8, 0, 8])).collect();
        assert_eq!((taken, prefetcher.take()), (all, None));
    }
}
