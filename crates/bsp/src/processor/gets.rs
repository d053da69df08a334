//! Carrying out gets at the end of a superstep.
//!
//! All gets read before any processor writes. What can be accessed from here is read here, after all have ended
//! their computation. For the rest the owner gets a request and replies.

use crate::copy::copy;
use crate::engine::capabilities::LargeTransfer;
use crate::misuse::Misuse;
use crate::processor::Processor;
use crate::processor::record::for_each_get;
use crate::stream::{StreamReader, StreamWriter};

/// A get of this superstep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Get {
    pub from: usize,
    /// Number of calls: a get that was divided counts with its first part only.
    pub calls: u64,
    pub dst: *mut u8,
    pub size: usize,
    /// The address of the data at the owner.
    pub address: usize,
    /// Offset and size of the part that can be read from here, and its address here.
    pub reached: (usize, usize),
    pub here: *mut u8,
    /// The parts that are requested from the owner, in this order.
    pub others: [(usize, usize); 2],
}

impl Processor {
    /// Reads and writes the data of all gets: between the two barriers of a superstep with gets, and after the
    /// second.
    pub(super) fn carry_out_gets(&mut self, repeated: bool) -> Result<(), Misuse> {
        self.reply()?;
        if repeated {
            self.redirect()?
        } else {
            self.repeated.learn(&self.gets, &mut *self.engine)
        }
        let gets = std::mem::take(&mut self.gets);
        let kept = self.read_reached(&gets);
        self.second_barrier()?;
        let large = self.receive_large_replies(&gets, kept.is_some())?;
        self.write(&gets, kept, large);
        self.gets = gets;
        self.gets.clear();
        Ok(())
    }

    /// Replies to all requests to this processor.
    fn reply(&mut self) -> Result<(), Misuse> {
        for from in 0..self.nprocs {
            if let Some(arrived) = self.engine.arrived(from)
                && arrived.sent.gets > 0
            {
                self.reply_to(from, arrived.requests)?;
            }
        }
        Ok(())
    }

    fn reply_to(&mut self, from: usize, requests: StreamReader) -> Result<(), Misuse> {
        let mut replies = StreamWriter::default();
        self.engine.open_replies(from, &mut replies);
        let (engine, large) = (&mut *self.engine, self.large_from);
        let reply = |address, size: usize| {
            if size >= large {
                // SAFETY: as below; nobody writes to registered memory before all have read.
                let sent =
                    unsafe { engine.send_out_of_band(LargeTransfer::Reply, from, address, size) };
                return sent.map_err(|_| Misuse::Stopped);
            }
            let record = replies.record(size.next_multiple_of(8), engine)?;
            // SAFETY: the reader has checked that the bytes are registered; the record has room.
            unsafe { copy(address, record, size) };
            Ok(())
        };
        // SAFETY: processors write nothing else.
        unsafe { for_each_get(requests, reply)? };
        replies.finish();
        Ok(())
    }

    /// Reads what can be accessed from here: directly to its destination, if nobody reads there and the order
    /// of writing does not matter; otherwise to a buffer.
    fn read_reached(&self, gets: &[Get]) -> Option<Vec<u8>> {
        let aside = overlap(gets)
            || gets.iter().any(|get| self.registers.overlaps(get.dst as usize, get.size));
        if !aside {
            for get in gets.iter().filter(|get| get.reached.1 > 0) {
                // SAFETY: the caller of `get` has promised the memory; nobody else uses it now.
                unsafe { copy(get.here, get.dst.add(get.reached.0), get.reached.1) };
            }
            return None;
        }
        let mut kept = Vec::with_capacity(gets.iter().map(|get| get.reached.1).sum());
        for get in gets.iter().filter(|get| get.reached.1 > 0) {
            // SAFETY: registered memory, to which nobody writes before all have read.
            let bytes = unsafe { std::slice::from_raw_parts(get.here, get.reached.1) };
            kept.extend_from_slice(bytes);
        }
        Some(kept)
    }

    /// Receives the replies that are separate messages: directly to their destination, or to buffers, in the
    /// order of the gets.
    fn receive_large_replies(&mut self, gets: &[Get], aside: bool) -> Result<Vec<Vec<u8>>, Misuse> {
        if self.large_from == usize::MAX {
            return Ok(Vec::new());
        }
        let mut kept = Vec::new();
        for get in gets {
            for (offset, size) in large_parts(get, self.large_from) {
                let mut bytes = if aside { vec![0; size] } else { Vec::new() };
                let into = if aside { bytes.as_mut_ptr() } else { get.dst.wrapping_add(offset) };
                // SAFETY: the caller of `get` has promised the memory, or the buffer exists until everything
                // has arrived.
                let begun = unsafe {
                    self.engine.receive_out_of_band(LargeTransfer::Reply, get.from, into, size)
                };
                begun.map_err(|_| Misuse::Stopped)?;
                kept.push(bytes);
            }
        }
        self.engine.wait_out_of_band(LargeTransfer::Reply).map_err(|_| Misuse::Stopped)?;
        Ok(kept)
    }

    /// Writes what is in buffers and in replies, in the order of the owners, then of the calls. `large`:
    /// separate replies in the order of the calls; they are at their destination already if nothing was kept.
    fn write(&mut self, gets: &[Get], kept: Option<Vec<u8>>, large: Vec<Vec<u8>>) {
        let replied = gets.iter().any(|get| get.others.iter().any(|part| part.1 > 0));
        if !replied && kept.is_none() {
            return;
        }
        let replies = &mut self.replies;
        replies.clear();
        replies.resize(self.nprocs, None);
        let limit = self.large_from;
        let mut write = |get: &Get, at: usize, mut large: std::slice::Iter<'_, Vec<u8>>| {
            if let Some(kept) = kept.as_ref().filter(|_| get.reached.1 > 0) {
                // SAFETY: the caller of `get` has promised the memory.
                unsafe { copy(kept[at..].as_ptr(), get.dst.add(get.reached.0), get.reached.1) };
            }
            for (offset, size) in get.others.into_iter().filter(|part| part.1 > 0) {
                if size >= limit {
                    if let Some(bytes) = large.next() {
                        // SAFETY: as above.
                        unsafe { copy(bytes.as_ptr(), get.dst.add(offset), size) };
                    }
                    continue;
                }
                let reader = replies[get.from].get_or_insert_with(|| self.engine.replies(get.from));
                let Some(reply) = reader.record() else { continue };
                // SAFETY: the reply has this size.
                unsafe { copy(reply, get.dst.add(offset), size) };
                reader.skip(size.next_multiple_of(8));
            }
        };
        if kept.is_none() {
            gets.iter().for_each(|get| write(get, 0, [].iter()));
            return;
        }
        let places = gets.iter().scan((0, 0), |(position, nth), get| {
            let place = (*position, *nth);
            (*position, *nth) = (*position + get.reached.1, *nth + large_parts(get, limit).count());
            Some(place)
        });
        let mut in_order: Vec<(&Get, (usize, usize))> = gets.iter().zip(places).collect();
        in_order.sort_by_key(|(get, _)| get.from);
        in_order
            .into_iter()
            .for_each(|(get, (position, nth))| write(get, position, large[nth..].iter()));
    }
}

/// The parts that arrive as separate messages.
fn large_parts(get: &Get, large: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
    get.others.into_iter().filter(move |part| part.1 >= large)
}

/// Whether two of them write to the same place.
pub(super) fn overlap(gets: &[Get]) -> bool {
    if gets.len() < 2 {
        return false;
    }
    let mut ranges: Vec<(usize, usize)> =
        gets.iter().map(|get| (get.dst as usize, get.dst as usize + get.size)).collect();
    let ascending = ranges.is_sorted();
    if !ascending {
        ranges.sort_unstable();
    }
    ranges.windows(2).any(|pair| pair[1].0 < pair[0].1)
}
