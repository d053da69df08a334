//! Lines of mailboxes that are likely to be written in the next superstep, since they were in this one: the
//! receivers' cores have them. They are on their way while the program computes.

use std::cell::Cell;

/// Receivers that are remembered.
const MOST: usize = 4;

/// Who was written to in a superstep, and how many bytes of records in each part of the mailbox.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    receivers: [Cell<(usize, [usize; 3])>; MOST],
    count: Cell<usize>,
}

impl Ahead {
    /// So much was written to a receiver: requests, messages, replies.
    #[inline]
    pub fn remember(&self, receiver: usize, bytes: [usize; 3]) {
        if let Some(place) = self.receivers.get(self.count.get()) {
            place.set((receiver, bytes));
            self.count.set(self.count.get() + 1);
        }
    }

    /// Takes one that is remembered.
    #[inline]
    pub fn take(&self) -> Option<(usize, [usize; 3])> {
        let last = self.count.get().checked_sub(1)?;
        self.count.set(last);
        Some(self.receivers[last].get())
    }
}

#[cfg(test)]
mod tests {
    use super::{Ahead, MOST};

    #[test]
    fn the_first_few_are_remembered_once() {
        let ahead = Ahead::default();
        (0..MOST + 3).for_each(|to| ahead.remember(to, [to, 0, 8]));
        let mut taken: Vec<_> = std::iter::from_fn(|| ahead.take()).collect();
        taken.sort_unstable();
        let all: Vec<_> = (0..MOST).map(|to| (to, [to, 0, 8])).collect();
        assert_eq!((taken, ahead.take()), (all, None));
    }
}
