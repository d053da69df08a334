//! Messages: sent in one superstep, read in the next.

use crate::engine::Arrived;
use crate::misuse::Misuse;
use crate::processor::Processor;
use crate::processor::record::copy;
use crate::stream::Reader;

/// A message record begins with the payload's size, at 8 modulo 16; payload and tag follow, each aligned
/// to 16.
const RECORD: usize = 8;

/// A message that has arrived. It lies in the library's memory until the next synchronisation.
#[derive(Clone, Copy, Debug)]
pub struct Message {
    /// Aligned to 16 bytes.
    pub tag: *mut u8,
    /// Bytes of the tag.
    pub tag_size: usize,
    /// Aligned to 16 bytes.
    pub payload: *mut u8,
    /// Bytes of the payload.
    pub size: usize,
    /// Who has sent it.
    pub source: usize,
}

/// What can be read in this superstep: by sender, then in the order in which it was sent.
#[derive(Clone, Debug, Default)]
pub(super) struct Inbox {
    senders: Vec<(usize, Reader)>,
    /// The sender whose messages come next.
    at: usize,
    messages: usize,
    bytes: usize,
    tag_size: usize,
}

impl Inbox {
    #[inline]
    pub fn begin(&mut self, tag_size: usize) {
        self.senders.clear();
        (self.at, self.messages, self.bytes, self.tag_size) = (0, 0, 0, tag_size);
    }

    pub fn add(&mut self, source: usize, arrived: &Arrived) {
        if arrived.sent.messages > 0 {
            self.senders.push((source, arrived.messages));
            self.messages += arrived.sent.messages as usize;
            self.bytes += arrived.sent.message_bytes as usize;
        }
    }

    #[inline]
    fn first(&mut self) -> Option<Message> {
        while let Some((source, reader)) = self.senders.get_mut(self.at) {
            if let Some(record) = reader.record() {
                // SAFETY: a record begins with its size; payload and tag lie behind it.
                return unsafe {
                    let size = record.cast::<u64>().read() as usize;
                    let payload = record.add(RECORD);
                    let tag = payload.add(size.next_multiple_of(16));
                    let tag_size = self.tag_size;
                    Some(Message { tag, tag_size, payload, size, source: *source })
                };
            }
            self.at += 1;
        }
        None
    }

    #[inline]
    fn drop_first(&mut self, message: &Message) {
        self.messages -= 1;
        self.bytes -= message.size;
        self.senders[self.at].1.skip(record_size(message.size, message.tag_size));
    }
}

#[inline]
fn record_size(size: usize, tag_size: usize) -> usize {
    let payload = if tag_size > 0 { size.next_multiple_of(16) } else { size };
    (RECORD + payload + tag_size).next_multiple_of(16)
}

/// Messages that were not taken yet; see [`Processor::unread`].
#[derive(Clone, Debug)]
pub struct Unread {
    inbox: Inbox,
}

impl Iterator for Unread {
    type Item = Message;

    #[inline]
    fn next(&mut self) -> Option<Message> {
        let message = self.inbox.first()?;
        self.inbox.drop_first(&message);
        Some(message)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.inbox.messages, Some(self.inbox.messages))
    }
}

impl ExactSizeIterator for Unread {}

impl Processor {
    /// Asks for a size of tags, in bytes; the request before it. What is sent in the next superstep
    /// has tags of this size.
    pub fn set_tagsize(&mut self, size: usize) -> usize {
        self.tag_calls += 1;
        self.tags.ask(size)
    }

    /// Bytes of the tags of what is sent in this superstep.
    pub fn sent_tag_size(&self) -> usize {
        self.tags.sent
    }

    /// Whether something was sent in this superstep.
    pub fn has_sent(&self) -> bool {
        self.touched.iter().any(|&to| self.out[to].sent.messages > 0)
    }

    /// Bytes of the tags of what can be read in this superstep.
    pub fn read_tag_size(&self) -> usize {
        self.tags.read
    }

    /// Sends a copy of tag and payload.
    ///
    /// # Safety
    /// As many bytes can be read at `tag` as tags have that are sent now; and `size` at `payload`.
    #[inline(always)]
    pub unsafe fn send(
        &mut self,
        to: usize,
        tag: *const u8,
        payload: *const u8,
        size: usize,
    ) -> Result<(), Misuse> {
        let to = self.checked(to)?;
        let tag_size = self.tags.sent;
        let (out, supply) = self.to(to);
        let record = out.messages.record(record_size(size, tag_size), supply)?;
        // SAFETY: the record has room for both.
        unsafe {
            record.cast::<u64>().write(size as u64);
            let at = record.add(RECORD);
            if size > 0 {
                copy(payload, at, size);
            }
            if tag_size > 0 {
                copy(tag, at.add(size.next_multiple_of(16)), tag_size);
            }
        }
        out.sent.messages += 1;
        out.sent.message_bytes += size as u64;
        Ok(())
    }

    /// Like [`Processor::send`], but bytes may be read at any time until the superstep has ended.
    ///
    /// # Safety
    /// As for `send`.
    pub unsafe fn hpsend(
        &mut self,
        to: usize,
        tag: *const u8,
        payload: *const u8,
        size: usize,
    ) -> Result<(), Misuse> {
        // SAFETY: by the caller.
        unsafe { self.send(to, tag, payload, size) }
    }

    /// Messages that were not taken yet, and the bytes of their payload.
    pub fn qsize(&self) -> (usize, usize) {
        (self.inbox.messages, self.inbox.bytes)
    }

    /// All messages that were not taken yet; they are not taken thereby.
    pub fn unread(&self) -> Unread {
        Unread { inbox: self.inbox.clone() }
    }

    /// The first message that was not taken yet.
    #[inline]
    pub fn peek(&mut self) -> Option<Message> {
        self.inbox.first()
    }

    /// Takes the first message that was not taken yet.
    #[inline]
    pub fn take(&mut self) -> Option<Message> {
        let message = self.inbox.first()?;
        self.inbox.drop_first(&message);
        Some(message)
    }
}
