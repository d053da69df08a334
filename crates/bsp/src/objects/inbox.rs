//! Messages that can be read.

use crate::channel::{Channels, Record};

/// A message, until its machine's next synchronisation or `done`.
#[derive(Clone, Copy, Debug)]
pub struct Delivered {
    source: usize,
    record: Record,
}

impl Delivered {
    /// The number of its sender in the machine.
    #[inline]
    pub fn source(&self) -> usize {
        self.source
    }

    /// Bytes of it.
    #[inline]
    pub fn size(&self) -> usize {
        self.record.header.size
    }

    /// Its bytes, aligned to 16, which its receiver may change.
    #[inline]
    pub fn data(&self) -> *mut u8 {
        self.record.payload
    }
}

/// The messages of one machine, by sender, then in the order in which they were sent.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    messages: Vec<Delivered>,
}

impl Inbox {
    /// Lets go of the messages that are there.
    #[inline]
    pub fn empty(&mut self, channels: &mut dyn Channels) {
        for message in self.messages.drain(..) {
            channels.release(&message.record);
        }
    }

    /// Takes over what has come, when it is empty itself. `base`: the number of the machine's processor
    /// 0 in the whole program.
    #[inline]
    pub fn fill(&mut self, arriving: &mut Vec<Record>, base: usize) {
        let delivered = |record: Record| Delivered { source: record.from - base, record };
        self.messages.extend(arriving.drain(..).map(delivered));
        if !self.messages.is_sorted_by_key(Delivered::source) {
            self.messages.sort_by_key(Delivered::source);
        }
    }

    #[inline]
    pub fn messages(&self) -> &[Delivered] {
        &self.messages
    }

    /// The index-th message of a sender.
    pub fn find(&self, source: usize, index: usize) -> Option<&Delivered> {
        let first = self.messages.partition_point(|message| message.source < source);
        let found = self.messages.get(first.checked_add(index)?);
        found.filter(|message| message.source == source)
    }
}
