//! The engine: supersteps of processes that MPI has started.
//!
//! At the end of a superstep each processor sends each other one a cell: sizes, what all must do alike,
//! and what there is for it if it is small. What is not comes behind it as one message. There is no
//! barrier besides: who has a cell of everybody knows that all are there. Areas are known to all since
//! they were exchanged when they were registered; replies to gets go straight to who has asked. Large
//! pieces of data go by themselves, from their place to their place.

use std::ptr::NonNull;

use super::cell::{CELL, Head, Inboxes, Outbox, pieces_of};
use super::supply::{self, Chunks, Rooms};
use super::transport::{Piece, Set, Tag};
use super::wire::Wire;
use crate::Misuse;
use crate::engine::shared::control::{Alike, Why};
use crate::engine::shared::mailbox::Sent;
use crate::engine::shared::waiting::Stopped;
use crate::engine::{Agreed, Apart, Arrived, Engine, Remote};
use crate::place::Place;
use crate::registers::Slot;
use crate::stream::{Chunk, HEADER, Reader, Supply, Writer};

/// Pieces from this size on go by themselves: where MPIs ask the receiver anyway.
const APART: usize = 16 << 10;

#[derive(Clone, Copy, Debug, Default)]
struct Area {
    address: usize,
    size: usize,
}

/// What is looked up when processors did not do the same.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
struct Told {
    alike: [u64; 6],
    line: u64,
    file: [u8; 200],
}

/// The replies that go to a processor, and those that come from it.
#[derive(Debug, Default)]
struct Replies {
    /// Where they begin, once there are some.
    first: Vec<u128>,
    open: bool,
    /// What the message with the size begins with: size of all, then the header of the stream.
    before: Box<[u64; 5]>,
    reply: Vec<u128>,
    come: Option<*mut u8>,
}

/// The engine of one processor.
pub(super) struct Mpi {
    wire: Wire,
    me: usize,
    processors: usize,
    superstep: u64,
    chunks: Chunks,
    /// For copies that go by themselves.
    rooms: Rooms,
    /// What goes to each processor; made when something does.
    outboxes: Vec<Option<Box<Outbox>>>,
    /// What this processor sends to itself, for even and odd supersteps.
    own: [Box<Outbox>; 2],
    /// What goes to those to whom nothing does.
    nothing: Box<Head>,
    /// For even and odd supersteps.
    inboxes: [Inboxes; 2],
    /// Where what came by itself in this superstep lies.
    streams: Vec<Option<*mut u8>>,
    /// Those of which streams have come.
    with_streams: Vec<usize>,
    /// Of all processors, by slot.
    areas: Vec<Box<[Area]>>,
    pushed: Vec<(Slot, Area)>,
    popped: Vec<u64>,
    /// Of all processors in this superstep.
    pops: Vec<Vec<u64>>,
    replies: Vec<Replies>,
    told: Vec<Told>,
    /// What was put by itself in this superstep: to whom, and how many bytes.
    puts: Vec<(usize, u64)>,
    place: Place,
    file: String,
}

// SAFETY: pointers to memory of its own.
unsafe impl Send for Mpi {}

impl Mpi {
    pub fn new(wire: Wire, processors: usize) -> Result<Mpi, Stopped> {
        let me = wire.rank;
        wire.begin(processors);
        let mut engine = Mpi {
            me,
            processors,
            superstep: 1,
            chunks: Chunks::default(),
            rooms: Rooms::default(),
            outboxes: std::iter::repeat_with(|| None).take(processors).collect(),
            own: [Outbox::new(), Outbox::new()],
            nothing: Box::default(),
            inboxes: [Inboxes::new(processors), Inboxes::new(processors)],
            streams: vec![None; processors],
            with_streams: Vec::new(),
            areas: Vec::new(),
            pushed: Vec::new(),
            popped: Vec::new(),
            pops: Vec::new(),
            replies: std::iter::repeat_with(Replies::default).take(processors).collect(),
            told: Vec::new(),
            puts: Vec::new(),
            place: Place::NOWHERE,
            file: String::new(),
            wire,
        };
        engine.expect_cells()?;
        Ok(engine)
    }

    /// All others, each beginning with the one after it, so that not all send to one at a time.
    fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let (me, processors) = (self.me, self.processors);
        (1..processors).map(move |distance| (me + distance) % processors)
    }

    fn parity(&self) -> usize {
        (self.superstep % 2) as usize
    }

    fn cells(&self) -> Set {
        if self.parity() == 0 { Set::Cells } else { Set::CellsOdd }
    }

    /// The cells of this superstep may come.
    fn expect_cells(&mut self) -> Result<(), Stopped> {
        let (set, parity) = (self.cells(), self.parity());
        for from in self.others() {
            let into = self.inboxes[parity].place(from);
            // SAFETY: nobody uses the cell until it has come.
            unsafe { self.wire.receive(set, from, Tag::Cell, into, CELL)? };
        }
        Ok(())
    }

    fn send_cells(&mut self, word: u64, asks: bool) -> Result<(), Stopped> {
        *self.nothing = Head::empty(word, asks);
        let nothing: *const Head = &raw const *self.nothing;
        let nothing = Piece::new(nothing.cast(), size_of::<Head>());
        for to in self.others() {
            let outbox = self.outboxes[to].as_mut();
            let Some(outbox) = outbox.filter(|outbox| outbox.closed_in() == self.superstep) else {
                // SAFETY: it stays as it is until all is sent.
                unsafe { self.wire.send(Set::Sent, to, Tag::Cell, &[nothing])? };
                continue;
            };
            let (cell, stream) = outbox.pack(word, asks);
            let cell = Piece::new(cell.as_ptr(), cell.len());
            // SAFETY: the same.
            unsafe {
                self.wire.send(Set::Sent, to, Tag::Cell, &[cell])?;
                if !stream.is_empty() {
                    self.wire.send(Set::Sent, to, Tag::Stream, stream)?;
                }
            }
        }
        Ok(())
    }

    /// What comes by itself, once it is known how much.
    fn receive_streams(&mut self) -> Result<(), Stopped> {
        for from in self.with_streams.drain(..) {
            self.streams[from] = None;
        }
        for from in self.others() {
            let size = self.inboxes[self.parity()].stream(from);
            if size == 0 {
                continue;
            }
            let chunk = self.chunks.take(size, self.superstep);
            let chunk = chunk.map_err(|misuse| self.wire.stop_for(&misuse))?;
            let into = chunk.header.as_ptr().cast();
            // SAFETY: a chunk of its own.
            unsafe { self.wire.receive(Set::Streams, from, Tag::Stream, into, size)? };
            self.streams[from] = Some(into);
            self.with_streams.push(from);
        }
        self.wire.wait(Set::Streams)
    }

    /// Sends the same bytes to all, and gives those of all, by processor.
    fn exchange_bytes<T: Copy>(&mut self, tag: Tag, mine: &[T]) -> Result<Vec<Vec<T>>, Stopped> {
        let size = size_of_val(mine);
        let mut all = vec![mine.to_vec(); self.processors];
        for from in self.others() {
            // SAFETY: as many of the same type; any bytes of another processor are values of it.
            unsafe {
                let into = all[from].as_mut_ptr().cast();
                self.wire.receive(Set::Streams, from, tag, into, size)?;
            }
        }
        let piece = [Piece::new(mine.as_ptr().cast(), size)];
        for to in self.others() {
            // SAFETY: they stay until all is sent.
            unsafe { self.wire.send(Set::Sent, to, tag, &piece)? };
        }
        self.wire.wait(Set::Streams)?;
        self.wire.wait(Set::Sent)?;
        Ok(all)
    }

    /// All have pushed as many areas and popped as many: each learns of all.
    fn exchange_areas(&mut self) -> Result<(), Stopped> {
        let pushed = std::mem::take(&mut self.pushed);
        let mut mine: Vec<u64> = Vec::with_capacity(2 * pushed.len() + self.popped.len());
        for (_, area) in &pushed {
            mine.extend([area.address as u64, area.size as u64]);
        }
        mine.append(&mut self.popped);
        let all = self.exchange_bytes(Tag::Areas, &mine)?;
        for (index, (slot, _)) in pushed.iter().enumerate() {
            let of = |words: &Vec<u64>| Area {
                address: words[2 * index] as usize,
                size: words[2 * index + 1] as usize,
            };
            let slot = *slot as usize;
            if self.areas.len() <= slot {
                self.areas.resize_with(slot + 1, Box::default);
            }
            self.areas[slot] = all.iter().map(of).collect();
        }
        let pops = |mut words: Vec<u64>| words.split_off(2 * pushed.len());
        self.pops = all.into_iter().map(pops).collect();
        Ok(())
    }

    /// Not all did the same: each learns what all did.
    fn exchange_differences(&mut self, alike: &Alike) -> Result<(), Stopped> {
        let Alike { pushes, pops, tag_calls, tag_size, kind, ends } = *alike;
        let mut told = Told {
            alike: [pushes, pops, tag_calls, tag_size, kind, ends.into()],
            line: self.place.line().into(),
            file: [0; 200],
        };
        let bytes = self.file.as_bytes();
        let from = bytes.len().saturating_sub(told.file.len() - 1);
        told.file.iter_mut().zip(&bytes[from..]).for_each(|(to, byte)| *to = *byte);
        let all = self.exchange_bytes(Tag::Difference, &[told])?;
        self.told = all.into_iter().flatten().collect();
        Ok(())
    }

    /// Sends the replies that this processor gives: how much, and all of it if it is little.
    fn send_replies(&mut self) -> Result<(), Stopped> {
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
            // SAFETY: the size and, behind it, a header of a stream; all of it stays until it is sent.
            unsafe {
                let mut pieces = vec![Piece::new(begin.cast(), 16)];
                let header = Piece::new(begin.add(2).cast(), HEADER);
                let content = content.iter().map(|&(begin, size)| Piece::new(begin, size));
                if 16 + HEADER + size <= CELL {
                    pieces.push(header);
                    pieces.extend(content);
                    self.wire.send(Set::Sent, to, Tag::Replies, &pieces)?;
                } else {
                    self.wire.send(Set::Sent, to, Tag::Replies, &pieces)?;
                    let stream: Vec<Piece> = std::iter::once(header).chain(content).collect();
                    self.wire.send(Set::Sent, to, Tag::Replies, &stream)?;
                }
            }
        }
        Ok(())
    }

    /// Takes, and forgets, what has gone by itself since the last superstep: it goes nowhere any more, but
    /// MPI is to end without anything under way.
    fn drop_puts(&mut self) -> Result<(), Stopped> {
        let mut counts = vec![0u64; self.processors];
        self.puts.iter().for_each(|&(to, _)| counts[to] += 1);
        let all = self.exchange_bytes(Tag::Areas, &counts)?;
        let mut sizes = vec![Vec::new(); self.processors];
        self.puts.iter().for_each(|&(to, size)| sizes[to].push(size));
        for to in self.others().filter(|&to| counts[to] > 0) {
            let piece = Piece::new(sizes[to].as_ptr().cast(), size_of_val(sizes[to].as_slice()));
            // SAFETY: they stay until they are sent.
            unsafe { self.wire.send(Set::Sent, to, Tag::Difference, &[piece])? };
        }
        let me = self.me;
        for from in self.others().filter(|&from| all[from][me] > 0) {
            let mut sizes = vec![0u64; all[from][me] as usize];
            let (into, size) = (sizes.as_mut_ptr().cast(), size_of_val(sizes.as_slice()));
            // SAFETY: as many bytes.
            unsafe { self.wire.receive(Set::Streams, from, Tag::Difference, into, size)? };
            self.wire.wait(Set::Streams)?;
            let mut scrap = vec![0u8; sizes.iter().copied().max().unwrap_or(0) as usize];
            for size in sizes {
                let into = scrap.as_mut_ptr();
                // SAFETY: as many bytes.
                unsafe { self.receive_apart(Apart::Put, from, into, size as usize)? };
                self.wire.wait(Set::Apart)?;
            }
        }
        self.wire.wait(Set::Sent)?;
        self.wire.wait(Set::PutsSent)
    }

    /// Whom this processor asked.
    fn asked(&self) -> Vec<usize> {
        let was_asked = |to: &usize| {
            let outbox = self.outboxes[*to].as_ref();
            outbox.is_some_and(|outbox| outbox.closed_in() == self.superstep && outbox.asks())
        };
        self.others().filter(was_asked).collect()
    }

    fn receive_replies(&mut self) -> Result<(), Stopped> {
        let asked = self.asked();
        for &from in &asked {
            let reply = &mut self.replies[from].reply;
            reply.resize(CELL / 16, 0);
            let into = reply.as_mut_ptr().cast();
            // SAFETY: nobody uses it until it has come.
            unsafe { self.wire.receive(Set::Streams, from, Tag::Replies, into, CELL)? };
        }
        self.wire.wait(Set::Streams)?;
        for from in asked {
            let begin: *mut u8 = self.replies[from].reply.as_mut_ptr().cast();
            // SAFETY: the size stands there; any bytes are a value.
            let size = unsafe { begin.cast::<u64>().read() } as usize;
            if 16 + HEADER + size <= CELL {
                // SAFETY: behind the size.
                self.replies[from].come = Some(unsafe { begin.add(16) });
                continue;
            }
            let chunk = self.chunks.take(HEADER + size, self.superstep);
            let chunk = chunk.map_err(|misuse| self.wire.stop_for(&misuse))?;
            let into = chunk.header.as_ptr().cast();
            self.replies[from].come = Some(into);
            // SAFETY: a chunk of its own.
            unsafe {
                self.wire.receive(Set::Streams, from, Tag::Replies, into, HEADER + size)?;
            }
        }
        self.wire.wait(Set::Streams)
    }
}

impl Supply for Mpi {
    fn chunk(&mut self, least: usize) -> Result<Chunk, Misuse> {
        self.chunks.take(least, self.superstep)
    }

    fn offset(&self, chunk: Chunk) -> u64 {
        chunk.header.as_ptr() as u64
    }
}

impl Engine for Mpi {
    fn pid(&self) -> usize {
        self.me
    }

    fn nprocs(&self) -> usize {
        self.processors
    }

    unsafe fn publish(
        &mut self,
        slot: Slot,
        address: usize,
        size: usize,
        _is_registered: &dyn Fn(usize, usize) -> bool,
    ) {
        self.pushed.push((slot, Area { address, size }));
    }

    fn allocate(&mut self, size: usize) -> Result<NonNull<u8>, Misuse> {
        supply::allocate(size)
    }

    fn free(&mut self, memory: NonNull<u8>, size: usize) {
        supply::free(memory, size);
    }

    #[inline]
    fn remote(&self, slot: Slot, pid: usize) -> Remote {
        let Area { address, size } = self.areas[slot as usize][pid];
        let reach = match pid == self.me {
            true => (address, address + size),
            false => (address, address),
        };
        Remote { address, size, reach, here: address as *mut u8 }
    }

    fn is_settled(&self, pid: usize) -> bool {
        pid == self.me
    }

    fn publish_pop(&mut self, index: usize, popped: u64) -> Result<(), Misuse> {
        self.popped.truncate(index);
        self.popped.push(popped);
        Ok(())
    }

    fn pop_of(&self, pid: usize, index: usize) -> u64 {
        self.pops[pid][index]
    }

    /// Each has a copy.
    fn pops_are_agreed(&mut self) -> Result<(), Stopped> {
        Ok(())
    }

    fn rendezvous(&mut self, time: u64) -> Result<u64, Stopped> {
        let all = self.exchange_bytes(Tag::Rendezvous, &[time])?;
        Ok(all.into_iter().flatten().fold(time, u64::max))
    }

    fn open(&mut self, to: usize, requests: &mut Writer, messages: &mut Writer) {
        match to == self.me {
            true => self.own[self.parity()].open(requests, messages),
            false => self.outboxes[to].get_or_insert_with(Outbox::new).open(requests, messages),
        }
    }

    fn close(&mut self, to: usize, sent: Sent) {
        let (superstep, parity) = (self.superstep, self.parity());
        if to == self.me {
            self.own[parity].close(superstep, sent);
        } else if let Some(outbox) = &mut self.outboxes[to] {
            outbox.close(superstep, sent);
        }
    }

    #[inline]
    fn set_place(&mut self, place: Place) {
        if !place.is_in_the_file_of(&self.place)
            && let Some(file) = place.file()
        {
            self.file = file.into_owned();
            self.wire.node.seat().set_file(&self.file);
        }
        self.wire.node.seat().set_line(place.line());
        self.place = place;
    }

    fn exchange(&mut self, alike: &Alike, gets: bool) -> Result<Agreed, Stopped> {
        if self.wire.node.is_stopped() {
            return Err(Stopped);
        }
        let word = alike.word();
        self.send_cells(word, gets)?;
        self.wire.wait(self.cells())?;
        let (mut is_alike, mut any_gets) = (true, gets);
        for from in self.others() {
            let head = self.inboxes[self.parity()].head(from);
            is_alike &= head.word == word;
            any_gets |= head.asks != 0;
        }
        self.receive_streams()?;
        self.wire.wait(Set::Sent)?;
        if !is_alike {
            self.exchange_differences(alike)?;
        } else if alike.pushes > 0 || alike.pops > 0 {
            self.exchange_areas()?;
        }
        Ok(Agreed { alike: is_alike, gets: any_gets })
    }

    #[inline]
    fn arrived(&self, from: usize) -> Option<Arrived> {
        if from != self.me {
            return self.inboxes[self.parity()].arrived(from, self.streams[from]);
        }
        let own = &self.own[self.parity()];
        (own.closed_in() == self.superstep).then(|| own.arrived())
    }

    fn open_replies(&mut self, to: usize, replies: &mut Writer) {
        let Replies { first, open, .. } = &mut self.replies[to];
        *open = true;
        first.resize(CELL / 16, 0);
        // Nothing may be written.
        first[0] = 0;
        let header = NonNull::new(first.as_mut_ptr().cast()).unwrap_or(NonNull::dangling());
        replies.restart(Chunk { header, room: CELL - HEADER });
    }

    fn exchange_replies(&mut self) -> Result<(), Stopped> {
        self.send_replies()?;
        self.receive_replies()?;
        self.wire.wait(Set::Sent)
    }

    fn replies(&self, from: usize) -> Reader {
        let base = self.replies[from].come.unwrap_or(std::ptr::null_mut());
        // SAFETY: it was asked, and its replies have come: a stream of one chunk.
        unsafe { Reader::begin(base, 0) }
    }

    fn apart(&self) -> usize {
        APART
    }

    fn room_apart(&mut self, size: usize) -> Result<*mut u8, Misuse> {
        self.rooms.take(size)
    }

    unsafe fn send_apart(
        &mut self,
        what: Apart,
        to: usize,
        bytes: *const u8,
        size: usize,
    ) -> Result<(), Stopped> {
        let (set, tag) = match what {
            Apart::Put => (Set::PutsSent, Tag::Put),
            Apart::Reply => (Set::RepliesSent, Tag::Reply),
        };
        if what == Apart::Put {
            self.puts.push((to, size as u64));
        }
        // SAFETY: by the caller.
        unsafe { self.wire.send(set, to, tag, &[Piece::new(bytes, size)]) }
    }

    unsafe fn receive_apart(
        &mut self,
        what: Apart,
        from: usize,
        into: *mut u8,
        size: usize,
    ) -> Result<(), Stopped> {
        let tag = match what {
            Apart::Put => Tag::Put,
            Apart::Reply => Tag::Reply,
        };
        // SAFETY: by the caller.
        unsafe { self.wire.receive(Set::Apart, from, tag, into, size) }
    }

    fn settle_apart(&mut self, what: Apart) -> Result<(), Stopped> {
        self.wire.wait(Set::Apart)?;
        match what {
            Apart::Put if self.puts.is_empty() => Ok(()),
            Apart::Put => {
                self.puts.clear();
                self.wire.wait(Set::PutsSent)?;
                self.rooms.give_back_all();
                Ok(())
            }
            Apart::Reply => self.wire.wait(Set::RepliesSent),
        }
    }

    fn settle_puts_received(&mut self) -> Result<(), Stopped> {
        self.wire.wait(Set::Apart)
    }

    fn alike_of(&self, pid: usize) -> (Alike, Option<String>) {
        let Told { alike, line, file } = &self.told[pid];
        let [pushes, pops, tag_calls, tag_size, kind, ends] = *alike;
        let alike = Alike { pushes, pops, tag_calls, tag_size, kind, ends: ends != 0 };
        let name: Vec<u8> = file.iter().copied().take_while(|&byte| byte != 0).collect();
        let place = (*line > 0).then(|| format!("{}:{line}", String::from_utf8_lossy(&name)));
        (alike, place)
    }

    fn advance(&mut self) {
        self.superstep += 1;
        self.chunks.advance(self.superstep);
        // What went wrong then goes wrong at the next exchange, too, and is said there.
        let _ = self.expect_cells();
    }

    fn stop(&self) -> bool {
        self.wire.node.stop()
    }

    fn say_why(&self, text: &str) {
        let (me, processors) = (self.me, self.processors);
        crate::processes::say(&format!("processor {me} of {processors}: {text}"));
    }

    fn abandon(&mut self) -> Option<Why> {
        None
    }

    fn take_leave(&self, first: bool) {
        self.wire.take_leave(first);
    }

    fn end(&mut self) -> Result<(), Stopped> {
        self.drop_puts()?;
        self.wire.end(self.processors)
    }
}
