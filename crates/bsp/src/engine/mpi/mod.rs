//! The engine: supersteps of processes that MPI has started.
//!
//! At the end of a superstep each processor sends each other one a cell: sizes, what all must do in the same way,
//! and what there is for it if it is small. What is not comes behind it as one message. There is no
//! barrier besides: who has a cell of everybody knows that all are there. Areas are known to all since
//! they were exchanged when they were registered; replies to gets go straight to who has asked. Large
//! pieces of data go by themselves, from their place to their place.

mod channels;
mod chunk_pool;
mod contract;
mod exchange;
mod packed_header;
mod requests;
mod shared_status;
mod termination;
mod transport;

pub(crate) use channels::MpiChannels;
pub(crate) use requests::Wire;
pub(crate) use shared_status::{Node, Trouble};
pub(crate) use transport::{IoVector, Set, Tag};
pub use transport::{Transport, VERSION};

use crate::Misuse;
use crate::chunk::Chunk;
use crate::engine::stop::Stopped;
use crate::place::Place;
use crate::registers::Slot;
use crate::stream::Supply;
use chunk_pool::{Chunks, Rooms};
use packed_header::{CELL, Head, Inboxes, Outbox};

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
struct CollectiveRecord {
    collective: [u64; 6],
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
pub(crate) struct Mpi {
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
    records: Vec<CollectiveRecord>,
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
            records: Vec::new(),
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
}

impl Supply for Mpi {
    fn chunk(&mut self, least: usize) -> Result<Chunk, Misuse> {
        self.chunks.take(least, self.superstep)
    }

    fn offset(&self, chunk: Chunk) -> u64 {
        chunk.header.as_ptr() as u64
    }
}
