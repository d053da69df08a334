//! Messages of one size that are sent one after the other form a run: a word with their size and number, then
//! each message with payload and tag. So short messages need half the bytes. A word without messages fills a
//! gap.
//!
//! Payload and tag are aligned to 16; if they have at most [`SHORT`] bytes, to that.

use crate::misuse::Misuse;
use crate::stream::{StreamWriter, Supply};

/// Size of the word in bytes.
pub(super) const RUN: usize = 8;
pub(super) const SHORT: usize = 8;

/// From this bit on the word has the number of messages.
pub(super) const NUMBER: u32 = 40;
pub(super) const ONE: u64 = 1 << NUMBER;

/// The layout of messages of one size in their run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::processor) struct Layout {
    pub size: usize,
    /// Offset of the tag from the beginning of the payload, and of the end of both.
    pub tag: usize,
    pub end: usize,
    /// The alignment of each message, minus 1.
    mask: usize,
}

impl Layout {
    #[inline]
    pub fn new(size: usize, tag_size: usize) -> Layout {
        let is_short = (1..=SHORT).contains(&size) && tag_size <= SHORT;
        let align = if is_short { SHORT } else { 16 };
        let tag = size.next_multiple_of(if tag_size > 0 { align } else { SHORT });
        Layout { size, tag, end: (tag + tag_size).next_multiple_of(SHORT), mask: align - 1 }
    }

    /// Bytes for a run's word and its first message, with the padding that alignment may need.
    #[inline(always)]
    fn room(&self) -> usize {
        RUN + (self.mask + 1 - SHORT) + self.end
    }

    /// The address of a message that follows this address.
    #[inline(always)]
    pub fn place(&self, behind: *mut u8) -> *mut u8 {
        behind.wrapping_add((behind as usize).wrapping_neg() & self.mask)
    }
}

/// The last run of a stream; none if `word` is null.
#[derive(Debug)]
pub(in crate::processor) struct StreamRun {
    pub word: *mut u64,
    pub layout: Layout,
    /// The end of its last message.
    pub behind: *mut u8,
}

impl Default for StreamRun {
    fn default() -> StreamRun {
        let (word, behind) = (std::ptr::null_mut(), std::ptr::null_mut());
        StreamRun { word, layout: Layout::default(), behind }
    }
}

impl StreamRun {
    /// From now on no message is added.
    #[inline]
    pub fn end(&mut self) {
        self.word = std::ptr::null_mut();
    }

    /// Room for another message in the run, if it has the size of those in it.
    #[inline(always)]
    pub fn extend(&mut self, stream: &mut StreamWriter, size: usize) -> Option<*mut u8> {
        if self.layout.size != size || self.word.is_null() {
            return None;
        }
        let place = self.layout.place(self.behind);
        let end = place.wrapping_add(self.layout.end);
        // SAFETY: the run is the last of the stream, and only written here.
        unsafe {
            if *self.word >= u64::MAX - ONE || !stream.extend(end) {
                return None;
            }
            *self.word += ONE;
        }
        self.behind = end;
        Some(place)
    }

    /// Room for the first message of another run.
    pub fn begin(
        &mut self,
        stream: &mut StreamWriter,
        layout: Layout,
        supply: &mut dyn Supply,
    ) -> Result<*mut u8, Misuse> {
        let word = stream.record(layout.room(), supply)?;
        Ok(self.begin_at(word, stream, layout))
    }

    /// The same, if there is room for it in the current chunk of the stream.
    #[inline(always)]
    pub fn begin_here(&mut self, stream: &mut StreamWriter, layout: Layout) -> Option<*mut u8> {
        let word = stream.place(layout.room())?;
        Some(self.begin_at(word, stream, layout))
    }

    #[inline(always)]
    fn begin_at(&mut self, word: *mut u8, stream: &mut StreamWriter, layout: Layout) -> *mut u8 {
        let place = layout.place(word.wrapping_add(RUN));
        let end = place.wrapping_add(layout.end);
        stream.extend(end);
        // SAFETY: there is room, aligned to 8.
        unsafe { word.cast::<u64>().write(layout.size as u64 | ONE) };
        *self = StreamRun { word: word.cast(), layout, behind: end };
        place
    }
}
