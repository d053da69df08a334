//! Messages: sent in one superstep, read in the next.

mod run;
#[cfg(test)]
mod tests;

use crate::copy::{MAX_SHORT, copy, copy_short};
use crate::engine::contract::Arrived;
use crate::engine::traffic::Stream;
use crate::misuse::Misuse;
use crate::processor::{Processor, begin};
use crate::stream::StreamReader;

pub(super) use run::StreamRun;
use run::{Layout, NUMBER, ONE, RUN, SHORT};

/// A message that has arrived. It is in the library's memory until the next synchronisation.
#[derive(Clone, Copy, Debug)]
pub struct Message {
    /// Aligned to 16 bytes; to 8 if payload and tag have at most 8 bytes each.
    pub tag: *mut u8,
    /// Size of the tag in bytes.
    pub tag_size: usize,
    /// Aligned as the tag.
    pub payload: *mut u8,
    /// Size of the payload in bytes.
    pub size: usize,
    /// The number of the sender.
    pub source: usize,
}

/// The messages that can be read in this superstep: by sender, then in the order in which they were sent.
#[derive(Clone, Debug)]
pub(super) struct Inbox {
    senders: Vec<(usize, StreamReader)>,
    /// The number of streams that were begun to be read.
    begun: usize,
    /// For the current sender: remaining messages of its run, its stream, its number.
    left: u64,
    layout: Layout,
    cursor: *mut u8,
    reader: StreamReader,
    source: usize,
    messages: usize,
    bytes: usize,
    tag_size: usize,
}

impl Default for Inbox {
    fn default() -> Inbox {
        let nothing = std::ptr::null_mut();
        Inbox {
            senders: Vec::new(),
            begun: 0,
            left: 0,
            layout: Layout::default(),
            cursor: nothing,
            reader: StreamReader::nothing(nothing),
            source: 0,
            messages: 0,
            bytes: 0,
            tag_size: 0,
        }
    }
}

impl Inbox {
    #[inline]
    pub fn begin(&mut self, tag_size: usize) {
        self.tag_size = tag_size;
        if !self.senders.is_empty() {
            self.senders.clear();
            (self.begun, self.left, self.reader) =
                (0, 0, StreamReader::nothing(std::ptr::null_mut()));
            (self.messages, self.bytes) = (0, 0);
        }
    }

    #[inline]
    pub fn add(&mut self, source: usize, arrived: &Arrived) {
        if arrived.sent.messages > 0 {
            self.senders.push((source, arrived.messages));
            self.messages += arrived.sent.messages as usize;
            self.bytes += arrived.sent.message_bytes as usize;
        }
    }

    #[inline]
    fn first(&mut self) -> Option<Message> {
        if self.left == 0 && !self.next_run() {
            return None;
        }
        let Layout { size, tag, .. } = self.layout;
        let (payload, tag_size, source) = (self.cursor, self.tag_size, self.source);
        Some(Message { tag: payload.wrapping_add(tag), tag_size, payload, size, source })
    }

    /// Goes to the next run, if there is one.
    fn next_run(&mut self) -> bool {
        loop {
            if let Some(word) = self.reader.record() {
                // SAFETY: a run begins with its word, and the messages that it counts follow.
                let word_is = unsafe { word.cast::<u64>().read() };
                self.left = word_is >> NUMBER;
                if self.left == 0 {
                    self.reader.go_on_at(word.wrapping_add(RUN));
                    continue;
                }
                self.layout = Layout::new((word_is & (ONE - 1)) as usize, self.tag_size);
                self.cursor = self.layout.place(word.wrapping_add(RUN));
                return true;
            }
            let Some(&(source, reader)) = self.senders.get(self.begun) else { return false };
            (self.source, self.reader) = (source, reader);
            self.begun += 1;
        }
    }

    /// Removes the first message, which exists.
    #[inline]
    fn drop_first(&mut self) {
        self.messages -= 1;
        self.bytes -= self.layout.size;
        self.left -= 1;
        let end = self.cursor.wrapping_add(self.layout.end);
        match self.left {
            0 => self.reader.go_on_at(end),
            _ => self.cursor = self.layout.place(end),
        }
    }
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
        self.inbox.drop_first();
        Some(message)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.inbox.messages, Some(self.inbox.messages))
    }
}

impl ExactSizeIterator for Unread {}

impl Processor {
    /// Sets the size of tags, in bytes, for messages that are sent from the next superstep on. Returns the size
    /// that was set before.
    pub fn set_tagsize(&mut self, size: usize) -> usize {
        self.tag_calls += 1;
        self.tags.ask(size)
    }

    /// The tag size of messages that are sent in this superstep, in bytes.
    pub fn sent_tag_size(&self) -> usize {
        self.tags.sent
    }

    /// Whether a message was sent in this superstep.
    pub fn has_sent(&self) -> bool {
        self.touched.iter().any(|&to| self.out[to].sent.messages > 0)
    }

    /// Sends a copy of tag and payload.
    ///
    /// # Safety
    /// The tag size of this superstep in bytes can be read at `tag`, and `size` bytes at `payload`.
    pub unsafe fn send(
        &mut self,
        to: usize,
        tag: *const u8,
        payload: *const u8,
        size: usize,
    ) -> Result<(), Misuse> {
        // SAFETY: by the caller.
        let is_sent = unsafe { self.send_short(to, tag, payload, size) };
        if is_sent {
            Ok(())
        } else {
            // SAFETY: by the caller.
            unsafe { self.send_any(to, tag, payload, size) }
        }
    }

    /// As [`Processor::send`], for messages that [`Processor::send_short`] has not sent.
    ///
    /// # Safety
    /// As for `send`.
    pub unsafe fn send_any(
        &mut self,
        to: usize,
        tag: *const u8,
        payload: *const u8,
        size: usize,
    ) -> Result<(), Misuse> {
        let to = self.checked(to)?;
        let tag_size = self.tags.sent;
        let (out, supply) = self.to(to, Stream::Messages);
        let place = match out.run.extend(&mut out.messages, size) {
            Some(place) => place,
            None => out.run.begin(&mut out.messages, Layout::new(size, tag_size), supply)?,
        };
        out.sent.messages += 1;
        out.sent.message_bytes += size as u64;
        // SAFETY: there is room for it; the rest by the caller.
        unsafe {
            if tag_size > 0 {
                copy(tag, place.add(out.run.layout.tag), tag_size);
            }
            if size > 0 {
                out.copy(payload, place, size, out.messages.is_staged());
            }
        }
        Ok(())
    }

    /// As [`Processor::send`], if the message is short and there is room for it; otherwise does nothing.
    /// Returns whether it has sent.
    ///
    /// # Safety
    /// As for `send`.
    // As `put_short`, it calls nothing.
    #[inline(always)]
    pub unsafe fn send_short(
        &mut self,
        to: usize,
        tag: *const u8,
        payload: *const u8,
        size: usize,
    ) -> bool {
        let tag_size = self.tags.sent;
        let Some(out) = self.out.get_mut(to) else { return false };
        if size > MAX_SHORT || tag_size > MAX_SHORT {
            return false;
        }
        let place = match out.run.extend(&mut out.messages, size) {
            Some(place) => place,
            None => {
                if !(out.messages.is_open()
                    || begin(out, to, Stream::Messages, &mut self.touched, &mut self.engine))
                {
                    return false;
                }
                let Some(place) =
                    out.run.begin_here(&mut out.messages, Layout::new(size, tag_size))
                else {
                    return false;
                };
                place
            }
        };
        out.sent.messages += 1;
        out.sent.message_bytes += size as u64;
        // SAFETY: there is room for it; the rest by the caller.
        unsafe {
            if tag_size > 0 {
                copy_short(tag, place.add(out.run.layout.tag), tag_size);
            }
            if size > 0 {
                copy_short(payload, place, size);
            }
        }
        true
    }

    /// The number of messages that were not taken yet, and the bytes of their payload.
    pub fn qsize(&self) -> (usize, usize) {
        (self.inbox.messages, self.inbox.bytes)
    }

    /// All messages that were not taken yet; does not take them.
    pub fn unread(&self) -> Unread {
        Unread { inbox: self.inbox.clone() }
    }

    /// The first message that was not taken yet.
    #[inline]
    pub fn peek(&mut self) -> Option<Message> {
        self.inbox.first()
    }

    /// A message that was taken in this superstep, aligned to 16 however short it is.
    pub fn aligned(&mut self, message: Message) -> Message {
        let Message { size, tag_size, .. } = message;
        let places = [(message.payload, size), (message.tag, tag_size)];
        let is_aligned =
            |&(place, size): &(*mut u8, usize)| size == 0 || (place as usize).is_multiple_of(16);
        if places.iter().all(is_aligned) || size > SHORT || tag_size > SHORT {
            return message;
        }
        let mut both = vec![0u128; 2];
        let payload = both.as_mut_ptr().cast::<u8>();
        let tag = payload.wrapping_add(16);
        self.copies.push(both);
        // SAFETY: the message has this many bytes, and the buffer has at least as many.
        unsafe {
            copy(message.payload, payload, size);
            copy(message.tag, tag, tag_size);
        }
        Message { payload, tag, ..message }
    }

    /// Takes the first message that was not taken yet.
    #[inline]
    pub fn take(&mut self) -> Option<Message> {
        let message = self.inbox.first()?;
        self.inbox.drop_first();
        Some(message)
    }
}
