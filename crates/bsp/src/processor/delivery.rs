//! Direct delivery: puts that the sender writes into the receiver's memory, after all have ended their
//! computation.
//!
//! Usually the sender of a put writes a record into a stream, and the receiver copies the bytes from there to their
//! destination at the end of the superstep. This module is the alternative for large puts in shared memory.
//!
//! A receiver that copies puts must fetch them from the sender's core, line by line, and the sender must take
//! those lines back later, even for bytes that the program never reads. With direct delivery, lines are
//! transferred only when they are read. It costs a second barrier, so it is worth while only for many bytes.
//!
//! The sender offers direct delivery when it ends its computation. It takes place unless others have put to the
//! same receiver, too (the order of writing must be kept), or a processor writes the data of gets. What the
//! sender cannot access is left to the receiver; the sender writes the boundaries into its requests.

use super::record::{self, Request, for_each_request};
use super::requests::SplitRange;
use super::{Out, Processor};
use crate::copy::copy;
use crate::engine::capabilities::AnyEngine;
use crate::engine::contract::Remote;
use crate::engine::traffic::Offer;
use crate::misuse::Misuse;
use crate::stream::StreamReader;

/// The least bytes for which it is offered, with two processors; each further round of the barrier doubles
/// them.
const MIN_BYTES: u64 = 16 << 10;
/// The most bytes: with their source and their copy they must fit into a core's cache.
const MAX_BYTES: u64 = 128 << 10;
/// The least average bytes of a put: scattered small ones are written faster by the core that has their lines.
const MIN_PUT_BYTES: u64 = 1024;
/// Areas of one receiver, at most.
const MAX_AREAS: usize = 8;

/// The areas of a processor to which puts were made in a superstep.
#[derive(Debug, Default)]
pub(super) struct Areas {
    areas: Vec<Remote>,
    /// There were more areas than that.
    too_many: bool,
}

impl Areas {
    /// Begins a superstep.
    #[inline]
    pub fn begin(&mut self) {
        if !self.areas.is_empty() {
            self.areas.clear();
            self.too_many = false;
        }
    }

    pub fn add(&mut self, area: Remote) {
        if self.areas.contains(&area) {
            return;
        }
        self.too_many |= self.areas.len() == MAX_AREAS;
        if !self.too_many {
            self.areas.push(area);
        }
    }

    /// Which part of a put the sender can access. Sender and receiver compute the same.
    fn parts(&self, address: usize, size: usize) -> SplitRange {
        let end = address + size;
        let holds = |area: &&Remote| area.address <= address && end <= area.address + area.size;
        let area = self.areas.iter().find(holds);
        area.map_or(SplitRange::none(size), |area| SplitRange::new(area, address, size))
    }

    /// The areas that are written in a stream.
    ///
    /// # Safety
    /// As for [`for_each_request`].
    unsafe fn in_stream(requests: StreamReader) -> Areas {
        let mut areas = Vec::new();
        let mut see = |request| {
            if let Request::Area(area) = request {
                areas.push(area);
            }
        };
        // SAFETY: by the caller.
        unsafe { for_each_request(requests, &mut see) };
        Areas { areas, too_many: false }
    }
}

/// The bytes of puts from which on a processor of `processors` offers to write them itself.
pub(super) fn min_bytes(processors: usize) -> u64 {
    let rounds = processors.next_power_of_two().trailing_zeros();
    MIN_BYTES << rounds.saturating_sub(1)
}

impl Out {
    /// Offers to write this superstep's puts to processor `to` into its memory directly, if that is worth while. Returns
    /// whether it offers; then the requests can be read, except the areas in them. `last`: the area of `to` that was
    /// reached last, if there is one.
    #[cold]
    pub(super) fn offer<E: AnyEngine>(
        &mut self,
        (me, to): (usize, usize),
        last: Option<Remote>,
        engine: &mut E,
    ) -> bool {
        if let Some(last) = last {
            self.areas.add(last);
        }
        if self.put_bytes > MAX_BYTES
            || self.put_bytes < MIN_PUT_BYTES * self.puts
            || self.sent.gets > 0
            || self.areas.too_many
            || self.requests.is_staged()
            || !self.requests.publish()
        {
            return false;
        }
        let (mut reached, mut others) = (0, 0);
        let mut see = |request| {
            if let Request::Put(address, _, size) = request {
                let parts = self.areas.parts(address as usize, size);
                reached += parts.reached.1 as u64;
                others += (size - parts.reached.1) as u64;
            }
        };
        // SAFETY: this processor has written them.
        unsafe { for_each_request(engine.requests(me, to), &mut see) };
        if reached < self.offers_from || others > reached / 8 {
            return false;
        }
        if others > 0 {
            for area in &self.areas.areas {
                let Ok(record) = self.requests.record(record::AREA, engine) else { return false };
                // SAFETY: the record has room for it, and is aligned to 8.
                unsafe { record::write_area(record, area) };
            }
        }
        engine.offer(to, if others > 0 { Offer::Part } else { Offer::All });
        true
    }
}

impl Processor {
    /// Writes the puts that this processor has offered to write and may write; receives everything else.
    #[inline(never)]
    pub(super) fn deliver_and_receive(&mut self) -> Result<(), Misuse> {
        let me = self.pid;
        if let Some(to) = self.offered.take()
            && self.engine.delivers(me, to) != Offer::Nothing
        {
            self.deliver(to, self.engine.requests(me, to));
        }
        let offers = (0..self.nprocs).map(|from| (from, self.engine.delivers(from, me)));
        let taken = offers.into_iter().find(|&(_, offer)| offer != Offer::Nothing);
        if let Some((from, Offer::Part)) = taken {
            complete(self.engine.requests(from, me));
        }
        self.receive_but(taken.map(|(from, _)| from));
        self.second_barrier()
    }

    fn deliver(&mut self, to: usize, requests: StreamReader) {
        let out = &mut self.out[to];
        let areas = std::mem::take(&mut out.areas);
        let mut write = |request| {
            if let Request::Put(address, bytes, size) = request {
                let parts = areas.parts(address as usize, size);
                let ((from, size), to) = (parts.reached, parts.here);
                if size > 0 {
                    // SAFETY: the area is registered, and nobody else writes to this part of it before the next
                    // barrier.
                    unsafe { out.copy_into(bytes.add(from), to, size) };
                }
            }
        };
        // SAFETY: this processor has written them, and has checked that what it puts is registered.
        unsafe { for_each_request(requests, &mut write) };
        out.areas = areas;
    }
}

/// Writes what the sender of these requests cannot access.
fn complete(requests: StreamReader) {
    // SAFETY: processors write nothing else; the destinations are registered.
    unsafe {
        let areas = Areas::in_stream(requests);
        let mut write = |request| {
            if let Request::Put(address, bytes, size) = request {
                for (from, size) in areas.parts(address as usize, size).others {
                    copy(bytes.add(from), address.add(from), size);
                }
            }
        };
        for_each_request(requests, &mut write);
    }
}
