//! The messages between processors at the end of a superstep.
//!
//! Why: decision 0030.

use super::packed_header::{CELL, PackedHead, pieces_of};
use super::transport::{IoVector, Set, Tag};
use super::{Area, CollectiveRecord, MpiEngine};
use crate::chunk::HEADER;
use crate::engine::agreement::CollectiveState;
use crate::engine::capabilities::{LargeTransfer, OutOfBand};
use crate::engine::stop::Stopped;

impl MpiEngine {
    pub(super) fn send_cells(&mut self, word: u64, asks: bool) -> Result<(), Stopped> {
        *self.nothing = PackedHead::empty(word, asks);
        let nothing: *const PackedHead = &raw const *self.nothing;
        let nothing = IoVector::new(nothing.cast(), size_of::<PackedHead>());
        for to in self.others() {
            let outbox = self.outboxes[to].as_mut();
            let Some(outbox) = outbox.filter(|outbox| outbox.closed_in() == self.superstep) else {
                // SAFETY: it does not change until all is sent.
                unsafe { self.endpoint.send(Set::Sent, to, Tag::Cell, &[nothing])? };
                continue;
            };
            let (cell, stream) = outbox.pack(word, asks);
            let cell = IoVector::new(cell.as_ptr(), cell.len());
            // SAFETY: the same.
            unsafe {
                self.endpoint.send(Set::Sent, to, Tag::Cell, &[cell])?;
                if !stream.is_empty() {
                    self.endpoint.send(Set::Sent, to, Tag::Stream, stream)?;
                }
            }
        }
        Ok(())
    }

    /// Receives the streams that come as separate messages; their sizes are known now.
    pub(super) fn receive_streams(&mut self) -> Result<(), Stopped> {
        for from in self.with_streams.drain(..) {
            self.streams[from] = None;
        }
        for from in self.others() {
            let size = self.inboxes[self.parity()].stream(from);
            if size == 0 {
                continue;
            }
            let chunk = self.chunks.take(size, self.superstep);
            let chunk = chunk.map_err(|misuse| self.endpoint.stop_for(&misuse))?;
            let into = chunk.header.as_ptr().cast();
            // SAFETY: the chunk is used for nothing else.
            unsafe { self.endpoint.receive(Set::Streams, from, Tag::Stream, into, size)? };
            self.streams[from] = Some(into);
            self.with_streams.push(from);
        }
        self.endpoint.wait(Set::Streams)
    }

    /// Sends the same bytes to all. Returns those of all, by processor.
    pub(super) fn exchange_bytes<T: Copy>(
        &mut self,
        tag: Tag,
        mine: &[T],
    ) -> Result<Vec<Vec<T>>, Stopped> {
        let size = size_of_val(mine);
        let mut all = vec![mine.to_vec(); self.processors];
        for from in self.others() {
            // SAFETY: as many of the same type; any bytes of another processor are values of it.
            unsafe {
                let into = all[from].as_mut_ptr().cast();
                self.endpoint.receive(Set::Streams, from, tag, into, size)?;
            }
        }
        let piece = [IoVector::new(mine.as_ptr().cast(), size)];
        for to in self.others() {
            // SAFETY: they stay until all is sent.
            unsafe { self.endpoint.send(Set::Sent, to, tag, &piece)? };
        }
        self.endpoint.wait(Set::Streams)?;
        self.endpoint.wait(Set::Sent)?;
        Ok(all)
    }

    /// All processors have pushed the same number of areas and popped the same number: exchanges them all.
    pub(super) fn exchange_areas(&mut self) -> Result<(), Stopped> {
        let pushed = std::mem::take(&mut self.pushed);
        let mut mine: Vec<u64> = Vec::with_capacity(2 * pushed.len() + self.popped.len());
        for (_, area) in &pushed {
            mine.extend([area.address as u64, area.size as u64]);
        }
        mine.append(&mut self.popped);
        let all = self.exchange_bytes(Tag::Areas, &mine)?;
        for (index, (slot, _)) in pushed.iter().enumerate() {
            let area_of = |words: &Vec<u64>| Area {
                address: words[2 * index] as usize,
                size: words[2 * index + 1] as usize,
            };
            let slot = *slot as usize;
            if self.areas.len() <= slot {
                self.areas.resize_with(slot + 1, Box::default);
            }
            self.areas[slot] = all.iter().map(area_of).collect();
        }
        let pops = |mut words: Vec<u64>| words.split_off(2 * pushed.len());
        self.pops = all.into_iter().map(pops).collect();
        Ok(())
    }

    /// Processors did not do the same: exchanges what each did.
    pub(super) fn exchange_differences(
        &mut self,
        collective: &CollectiveState,
    ) -> Result<(), Stopped> {
        let CollectiveState { pushes, pops, tag_calls, tag_size, kind, ends } = *collective;
        let mut own = CollectiveRecord {
            collective: [pushes, pops, tag_calls, tag_size, kind, ends.into()],
            line: self.place.line().into(),
            file: [0; 200],
        };
        let bytes = self.file.as_bytes();
        let from = bytes.len().saturating_sub(own.file.len() - 1);
        own.file.iter_mut().zip(&bytes[from..]).for_each(|(to, byte)| *to = *byte);
        let all = self.exchange_bytes(Tag::Difference, &[own])?;
        self.records = all.into_iter().flatten().collect();
        Ok(())
    }

    /// Sends the replies of this processor: their size, and the replies in the same message if they are short.
    pub(super) fn send_replies(&mut self) -> Result<(), Stopped> {
        for to in 0..self.processors {
            if !std::mem::take(&mut self.replies[to].open) {
                continue;
            }
            // SAFETY: the stream is finished.
            let content = unsafe { pieces_of(self.replies[to].first.as_ptr().cast()) };
            let size: usize = content.iter().map(|piece| piece.1).sum();
            let before = &mut self.replies[to].before;
            **before = [size as u64, 0, 0, size as u64, 0];
            let begin: *const u64 = before.as_ptr();
            // SAFETY: the size and, after it, a header of a stream; both stay until they are sent.
            unsafe {
                let mut pieces = vec![IoVector::new(begin.cast(), 16)];
                let header = IoVector::new(begin.add(2).cast(), HEADER);
                let content = content.iter().map(|&(begin, size)| IoVector::new(begin, size));
                if 16 + HEADER + size <= CELL {
                    pieces.push(header);
                    pieces.extend(content);
                    self.endpoint.send(Set::Sent, to, Tag::Replies, &pieces)?;
                } else {
                    self.endpoint.send(Set::Sent, to, Tag::Replies, &pieces)?;
                    let stream: Vec<IoVector> = std::iter::once(header).chain(content).collect();
                    self.endpoint.send(Set::Sent, to, Tag::Replies, &stream)?;
                }
            }
        }
        Ok(())
    }

    /// Receives and discards the separate messages of the last superstep. Nobody needs them, but MPI must end
    /// with nothing in transit.
    pub(super) fn drop_puts(&mut self) -> Result<(), Stopped> {
        let mut counts = vec![0u64; self.processors];
        self.puts.iter().for_each(|&(to, _)| counts[to] += 1);
        let all = self.exchange_bytes(Tag::Areas, &counts)?;
        let mut sizes = vec![Vec::new(); self.processors];
        self.puts.iter().for_each(|&(to, size)| sizes[to].push(size));
        for to in self.others().filter(|&to| counts[to] > 0) {
            let piece = IoVector::new(sizes[to].as_ptr().cast(), size_of_val(sizes[to].as_slice()));
            // SAFETY: they stay until they are sent.
            unsafe { self.endpoint.send(Set::Sent, to, Tag::Difference, &[piece])? };
        }
        let me = self.me;
        for from in self.others().filter(|&from| all[from][me] > 0) {
            let mut sizes = vec![0u64; all[from][me] as usize];
            let (into, size) = (sizes.as_mut_ptr().cast(), size_of_val(sizes.as_slice()));
            // SAFETY: as many bytes.
            unsafe { self.endpoint.receive(Set::Streams, from, Tag::Difference, into, size)? };
            self.endpoint.wait(Set::Streams)?;
            let mut scrap = vec![0u8; sizes.iter().copied().max().unwrap_or(0) as usize];
            for size in sizes {
                let into = scrap.as_mut_ptr();
                // SAFETY: as many bytes.
                unsafe { self.receive_out_of_band(LargeTransfer::Put, from, into, size as usize)? };
                self.endpoint.wait(Set::Large)?;
            }
        }
        self.endpoint.wait(Set::Sent)?;
        self.endpoint.wait(Set::PutsSent)
    }

    /// The processors to which this one has sent requests.
    pub(super) fn requested_from(&self) -> Vec<usize> {
        let was_asked = |to: &usize| {
            let outbox = self.outboxes[*to].as_ref();
            outbox.is_some_and(|outbox| outbox.closed_in() == self.superstep && outbox.asks())
        };
        self.others().filter(was_asked).collect()
    }

    pub(super) fn receive_replies(&mut self) -> Result<(), Stopped> {
        let requested_from = self.requested_from();
        for &from in &requested_from {
            let reply = &mut self.replies[from].reply;
            reply.resize(CELL / 16, 0);
            let into = reply.as_mut_ptr().cast();
            // SAFETY: nobody uses it until it has arrived.
            unsafe { self.endpoint.receive(Set::Streams, from, Tag::Replies, into, CELL)? };
        }
        self.endpoint.wait(Set::Streams)?;
        for from in requested_from {
            let begin: *mut u8 = self.replies[from].reply.as_mut_ptr().cast();
            // SAFETY: the size is there; any bytes are a valid value.
            let size = unsafe { begin.cast::<u64>().read() } as usize;
            if 16 + HEADER + size <= CELL {
                // SAFETY: the header is after the size.
                self.replies[from].received = Some(unsafe { begin.add(16) });
                continue;
            }
            let chunk = self.chunks.take(HEADER + size, self.superstep);
            let chunk = chunk.map_err(|misuse| self.endpoint.stop_for(&misuse))?;
            let into = chunk.header.as_ptr().cast();
            self.replies[from].received = Some(into);
            // SAFETY: the chunk is used for nothing else.
            unsafe {
                self.endpoint.receive(Set::Streams, from, Tag::Replies, into, HEADER + size)?;
            }
        }
        self.endpoint.wait(Set::Streams)
    }
}
