use std::collections::BTreeMap;
use std::ops::Range;

use crate::layout::{
    FLAG_BARRIER, FLAG_LATE, FLAG_LEFT, FLAG_SWITCHED, FLAG_WINDOW, NO_PARENT, PAUSE,
    SAMPLE_HEADER_SIZE, SampleHeader,
};

use crate::trace::Start;

use super::exclusive_times::ExclusiveTimes;

/// A sample as it is in its block, and what follows from its neighbours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawSample<'a> {
    pub header: SampleHeader,
    pub exclusive_ticks: i64,
    pub exclusive_certain: bool,
    /// Little-endian `f64`s.
    pub values: &'a [u8],
    /// The observables of a counted place, raw; NaN if they could not be read.
    pub observed: &'a [f64],
    /// The same, exclusive.
    pub observed_exclusive: &'a [f64],
}

impl RawSample<'_> {
    #[inline]
    pub fn inclusive_ticks(&self) -> i64 {
        self.header.end.wrapping_sub(self.header.start) as i64
    }

    #[inline]
    pub fn left(&self) -> bool {
        self.header.flags & FLAG_LEFT != 0
    }

    #[inline]
    pub fn switched(&self) -> bool {
        self.header.flags & FLAG_SWITCHED != 0
    }

    #[inline]
    pub fn start(&self) -> Start {
        match self.header.flags & (FLAG_BARRIER | FLAG_WINDOW | FLAG_LATE) {
            0 => Start::Own,
            FLAG_BARRIER => Start::Barrier,
            FLAG_WINDOW => Start::Window,
            _ => Start::Late,
        }
    }

    pub fn parent(&self) -> Option<u16> {
        (self.header.parent != NO_PARENT).then_some(self.header.parent)
    }
}

/// The state of a thread between its blocks.
#[derive(Debug, Default)]
pub(crate) struct Thread {
    /// Number of the next block.
    pub next: u32,
    /// Numbers of blocks taken to be lost; if one comes late it is still read.
    pub given_up: Vec<Range<u32>>,
    /// Blocks that came too early, or that contain samples of places not known yet.
    pub held: BTreeMap<u32, Held>,
    pub exclusive_times: ExclusiveTimes,
    /// Whether samples before the next block are lost.
    pub lost: bool,
}

impl Thread {
    /// A block opened at `ticks` is the next to be decoded.
    pub fn begin(&mut self, ticks: u64) {
        if std::mem::take(&mut self.lost) {
            self.exclusive_times.lose(ticks);
        }
    }
}

/// A block that is held.
#[derive(Debug)]
pub(crate) struct Held {
    pub offset: u64,
    pub ticks_open: u64,
    pub payload: Vec<u8>,
    /// Bytes of the payload already decoded.
    pub done: usize,
    /// Whether the payload can be used.
    pub sound: bool,
    /// Whether it has a checksum.
    pub sealed: bool,
}

/// Why decoding stopped before the payload's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The place is unknown, and so is the length of its records.
    Place(u16),
    /// The rest is not a complete sample.
    Partial,
}

/// Length of the records of a place; all 0 if unknown.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Size {
    /// Bytes of a record.
    pub bytes: u32,
    /// Bytes of its observables, at its end.
    pub observed: u32,
}

/// Decodes samples until the payload's end or the first that cannot be decoded. `sizes` gives the
/// length of a record by place. Returns the number of bytes and of samples decoded, and why it
/// stopped.
#[inline]
pub(crate) fn decode(
    payload: &[u8],
    sizes: &[Size],
    exclusive_times: &mut ExclusiveTimes,
    mut emit: impl FnMut(RawSample<'_>),
) -> (usize, u64, Option<Stop>) {
    let mut rest = payload;
    let mut samples = 0;
    let done = |rest: &[u8]| payload.len() - rest.len();
    while let Some(head) = rest.first_chunk::<SAMPLE_HEADER_SIZE>() {
        let mut header = SampleHeader::decode(head);
        if header.place == PAUSE {
            exclusive_times.pause(header.start, header.end.wrapping_sub(header.start) as i64);
            rest = &rest[SAMPLE_HEADER_SIZE..];
            continue;
        }
        header.end = exclusive_times.without_pauses(header.start, header.end);
        let size = sizes.get(usize::from(header.place)).copied().unwrap_or_default();
        if size.bytes == 0 {
            return (done(rest), samples, Some(Stop::Place(header.place)));
        }
        let Some((record, after)) = rest.split_at_checked(size.bytes as usize) else { break };
        let (record, observed) = record.split_at(record.len() - size.observed as usize);
        let exclusive = exclusive_times.close(header.start, header.end, header.depth, observed);
        emit(RawSample {
            header,
            exclusive_ticks: exclusive.ticks,
            exclusive_certain: exclusive.certain,
            values: &record[SAMPLE_HEADER_SIZE..],
            observed: exclusive_times.observed(),
            observed_exclusive: exclusive_times.observed_exclusive(),
        });
        samples += 1;
        rest = after;
    }
    (done(rest), samples, (!rest.is_empty()).then_some(Stop::Partial))
}
