//! Messages: sent in one superstep, read in the next.

use crate::engine::Arrived;
use crate::misuse::Misuse;
use crate::processor::Processor;
use crate::processor::record::copy;
use crate::stream::{Reader, Supply, Writer};

/// Messages of one size that are sent one after the other are a run: a word with their size and their number, then
/// each with payload and tag. So short messages are half as much to carry. A word without messages fills a gap.
///
/// Payload and tag are aligned to 16, those of at most [`SHORT`] bytes to that.
const RUN: usize = 8;
const SHORT: usize = 8;

/// From this bit on the word has the number of messages.
const NUMBER: u32 = 40;
const ONE: u64 = 1 << NUMBER;

/// How messages of a size lie in their run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Layout {
    size: usize,
    /// Bytes from the payload's begin to the tag, and to the end of both.
    tag: usize,
    end: usize,
    /// What each begins at a multiple of, without 1.
    mask: usize,
}

impl Layout {
    #[inline]
    fn of(size: usize, tag_size: usize) -> Layout {
        let is_short = (1..=SHORT).contains(&size) && tag_size <= SHORT;
        let align = if is_short { SHORT } else { 16 };
        let tag = size.next_multiple_of(if tag_size > 0 { align } else { SHORT });
        Layout { size, tag, end: (tag + tag_size).next_multiple_of(SHORT), mask: align - 1 }
    }

    /// Where a message begins that lies behind this address.
    #[inline]
    fn place(&self, behind: *mut u8) -> *mut u8 {
        behind.wrapping_add((behind as usize).wrapping_neg() & self.mask)
    }
}

/// The run that was written last into a stream; none, without a word.
#[derive(Debug)]
pub(super) struct Run {
    word: *mut u64,
    layout: Layout,
    /// Behind its last message.
    end: *mut u8,
}

impl Default for Run {
    fn default() -> Run {
        let (word, end) = (std::ptr::null_mut(), std::ptr::null_mut());
        Run { word, layout: Layout::default(), end }
    }
}

impl Run {
    /// Room for another message of this size in the run, if that is the size of those in it.
    #[inline]
    fn prolong(&mut self, stream: &mut Writer, size: usize) -> Option<*mut u8> {
        if self.layout.size != size || self.word.is_null() {
            return None;
        }
        let place = self.layout.place(self.end);
        let end = place.wrapping_add(self.layout.end);
        // SAFETY: the run is the last of the stream, and only written here.
        unsafe {
            if *self.word >= u64::MAX - ONE || !stream.prolong(end) {
                return None;
            }
            *self.word += ONE;
        }
        self.end = end;
        Some(place)
    }

    /// Room for the first message of another run.
    fn begin(
        &mut self,
        stream: &mut Writer,
        layout: Layout,
        supply: &mut dyn Supply,
    ) -> Result<*mut u8, Misuse> {
        // Before the first message as much as its place may need.
        let word = stream.record(RUN + (layout.mask + 1 - SHORT) + layout.end, supply)?;
        let place = layout.place(word.wrapping_add(RUN));
        let end = place.wrapping_add(layout.end);
        stream.prolong(end);
        // SAFETY: there is room, aligned to 8.
        unsafe { word.cast::<u64>().write(layout.size as u64 | ONE) };
        *self = Run { word: word.cast(), layout, end };
        Ok(place)
    }
}

/// A message that has arrived. It lies in the library's memory until the next synchronisation.
#[derive(Clone, Copy, Debug)]
pub struct Message {
    /// Aligned to 16 bytes; to 8, where payload and tag have no more than 8 each.
    pub tag: *mut u8,
    /// Bytes of the tag.
    pub tag_size: usize,
    /// Aligned as the tag.
    pub payload: *mut u8,
    /// Bytes of the payload.
    pub size: usize,
    /// Who has sent it.
    pub source: usize,
}

/// What can be read in this superstep: by sender, then in the order in which it was sent.
#[derive(Clone, Debug)]
pub(super) struct Inbox {
    senders: Vec<(usize, Reader)>,
    /// How many of these are read, with the last that is being read.
    begun: usize,
    /// Of the sender whose messages come next: what is left of its run, of its stream, and who it is.
    left: u64,
    layout: Layout,
    at: *mut u8,
    reader: Reader,
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
            at: nothing,
            reader: Reader::nothing(nothing),
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
        self.senders.clear();
        (self.begun, self.left, self.reader) = (0, 0, Reader::nothing(std::ptr::null_mut()));
        (self.messages, self.bytes, self.tag_size) = (0, 0, tag_size);
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
        if self.left == 0 && !self.next_run() {
            return None;
        }
        let Layout { size, tag, .. } = self.layout;
        let (payload, tag_size, source) = (self.at, self.tag_size, self.source);
        Some(Message { tag: payload.wrapping_add(tag), tag_size, payload, size, source })
    }

    /// Goes to the next run, if there is one.
    fn next_run(&mut self) -> bool {
        loop {
            if let Some(word) = self.reader.record() {
                // SAFETY: a run begins with its word, and the messages that it counts lie behind that.
                let word_is = unsafe { word.cast::<u64>().read() };
                self.left = word_is >> NUMBER;
                if self.left == 0 {
                    self.reader.go_on_at(word.wrapping_add(RUN));
                    continue;
                }
                self.layout = Layout::of((word_is & (ONE - 1)) as usize, self.tag_size);
                self.at = self.layout.place(word.wrapping_add(RUN));
                return true;
            }
            let Some(&(source, reader)) = self.senders.get(self.begun) else { return false };
            (self.source, self.reader) = (source, reader);
            self.begun += 1;
        }
    }

    /// Takes the first, which is there.
    #[inline]
    fn drop_first(&mut self) {
        self.messages -= 1;
        self.bytes -= self.layout.size;
        self.left -= 1;
        let end = self.at.wrapping_add(self.layout.end);
        match self.left {
            0 => self.reader.go_on_at(end),
            _ => self.at = self.layout.place(end),
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
        let place = match out.run.prolong(&mut out.messages, size) {
            Some(place) => place,
            None => out.run.begin(&mut out.messages, Layout::of(size, tag_size), supply)?,
        };
        // SAFETY: there is room for both.
        unsafe {
            if size > 0 {
                copy(payload, place, size);
            }
            if tag_size > 0 {
                copy(tag, place.add(out.run.layout.tag), tag_size);
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
        self.inbox.drop_first();
        Some(message)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::engine::shared::mailbox::Sent;
    use crate::processor::record::tests::Chunks;

    /// Sends messages with payloads of these sizes, and reads them; of how many bytes the runs are.
    fn there_and_back(room: usize, tag_size: usize, sizes: &[usize]) -> usize {
        let mut chunks = Chunks::default();
        let first = chunks.chunk(room).unwrap();
        let (mut writer, mut run) = (Writer::default(), Run::default());
        writer.restart(first);
        let (mut sent, mut bytes) = (Sent::default(), 0);
        for (nth, &size) in sizes.iter().enumerate() {
            let layout = Layout::of(size, tag_size);
            let before = run.end as usize;
            let place = match run.prolong(&mut writer, size) {
                Some(place) => {
                    bytes += run.end as usize - before;
                    place
                }
                None => {
                    let place = run.begin(&mut writer, layout, &mut chunks).unwrap();
                    bytes += run.end as usize - run.word as usize;
                    place
                }
            };
            // SAFETY: there is room for both.
            unsafe {
                place.write_bytes(nth as u8, size);
                place.add(layout.tag).write_bytes(!nth as u8, tag_size);
            }
            sent.messages += 1;
            sent.message_bytes += size as u64;
        }
        writer.finish();
        let mut inbox = Inbox::default();
        inbox.begin(tag_size);
        // SAFETY: the stream begins there.
        let messages = unsafe { Reader::begin(std::ptr::null_mut(), chunks.offset(first)) };
        inbox.add(3, &Arrived { requests: Reader::nothing(std::ptr::null_mut()), messages, sent });
        for (nth, &size) in sizes.iter().enumerate() {
            let message = inbox.first().unwrap();
            assert_eq!((message.size, message.tag_size, message.source), (size, tag_size, 3));
            let align = if (1..=8).contains(&size) && tag_size <= 8 { 8 } else { 16 };
            let places = [message.payload as usize, message.tag as usize];
            let tagged = 1 + usize::from(tag_size > 0);
            assert!(places[..tagged].iter().all(|place| place.is_multiple_of(align)));
            // SAFETY: they have so many bytes.
            let (payload, tag) = unsafe {
                (
                    std::slice::from_raw_parts(message.payload, size),
                    std::slice::from_raw_parts(message.tag, tag_size),
                )
            };
            assert!(payload.iter().all(|&byte| byte == nth as u8), "{nth}");
            assert!(tag.iter().all(|&byte| byte == !nth as u8), "{nth}");
            inbox.drop_first();
        }
        assert!(inbox.first().is_none() && inbox.messages == 0 && inbox.bytes == 0);
        bytes
    }

    #[test]
    fn short_messages_of_one_size_are_as_long_as_they_are() {
        assert_eq!(there_and_back(1 << 9, 0, &[8; 60]), 8 + 480);
        assert_eq!(there_and_back(1 << 9, 4, &[4; 30]), 8 + 30 * 16);
        assert_eq!(there_and_back(1 << 9, 0, &[16; 30]), 8 + 480);
        assert_eq!(there_and_back(1 << 9, 0, &[0; 100]), 8);
    }

    #[test]
    fn more_messages_than_a_word_can_count() {
        let (mut chunks, mut run) = (Chunks::default(), Run::default());
        let mut writer = Writer::default();
        writer.restart(chunks.chunk(4096).unwrap());
        run.begin(&mut writer, Layout::of(0, 0), &mut chunks).unwrap();
        let last = (1 << (64 - NUMBER)) - 1;
        for nth in 1..last {
            assert!(run.prolong(&mut writer, 0).is_some(), "{nth}");
        }
        assert!(run.prolong(&mut writer, 0).is_none());
        // SAFETY: the run is still there.
        assert_eq!(unsafe { *run.word }, last << NUMBER);
    }

    proptest! {
        #[test]
        fn all_arrive_as_they_were_sent(
            room in 64usize..2000,
            tag_size in prop_oneof![Just(0), Just(4), Just(8), 0usize..40],
            sizes in prop::collection::vec((prop_oneof![Just(0), Just(8), 0usize..100], 1usize..5), 0..60),
        ) {
            let sizes: Vec<usize> =
                sizes.into_iter().flat_map(|(size, times)| vec![size; times]).collect();
            there_and_back(room, tag_size, &sizes);
        }
    }
}
