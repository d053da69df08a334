//! Messages that can be read.

use crate::channel::{Channels, Record};
use crate::misuse::{Members, Misuse};

/// A message, valid until its machine's next synchronisation or `done`.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Delivered {
    /// `from` is a number in the machine.
    record: Record,
}

impl Delivered {
    /// The number of its sender in the machine.
    #[inline]
    pub fn source(&self) -> usize {
        self.record.from
    }

    /// Returns the size of the message in bytes.
    #[inline]
    pub fn size(&self) -> usize {
        self.record.header.size
    }

    /// Returns the bytes of the message, aligned to 16; its receiver may change them.
    #[inline]
    pub fn data(&self) -> *mut u8 {
        self.record.payload
    }
}

/// The messages of one machine, by sender, then in the order in which they were sent.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    messages: Vec<Record>,
}

impl Inbox {
    /// Releases the messages that are there.
    #[inline]
    pub fn empty(&mut self, channels: &mut dyn Channels) {
        for message in &self.messages {
            channels.release(message);
        }
        self.messages.clear();
    }

    /// Takes over what has arrived from processors of a machine. The inbox must be empty.
    #[inline]
    pub fn fill(&mut self, arriving: &mut Vec<Record>, machine: Members) -> Result<(), Misuse> {
        std::mem::swap(&mut self.messages, arriving);
        let (mut before, mut is_sorted) = (0, true);
        for record in &mut self.messages {
            let source = record.from.wrapping_sub(machine.first);
            if source >= machine.count {
                return Err(Misuse::OtherParts { machine, from: record.from });
            }
            record.from = source;
            is_sorted &= before <= source;
            before = source;
        }
        if !is_sorted {
            self.messages.sort_by_key(|record| record.from);
        }
        Ok(())
    }

    #[inline]
    pub fn messages(&self) -> &[Delivered] {
        let (first, count) = (self.messages.as_ptr().cast(), self.messages.len());
        // SAFETY: a message is a record and nothing else.
        unsafe { std::slice::from_raw_parts(first, count) }
    }

    /// The message number `index` of a sender.
    pub fn find(&self, source: usize, index: usize) -> Option<&Delivered> {
        let first = self.messages.partition_point(|message| message.from < source);
        let delivered = self.messages().get(first.checked_add(index)?);
        delivered.filter(|message| message.source() == source)
    }
}
