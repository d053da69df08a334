//! The engine for processes that MPI has started.
//!
//! At the end of a superstep each processor sends a message of fixed maximal size (`packed_header`) to every
//! other one: sizes, the collective state, and the content if it is small. Larger content follows as one
//! separate message. There is no other barrier: a processor that has the messages of all knows that all have
//! arrived. Areas are exchanged when they are registered, so all processors know them. Replies to gets are sent
//! directly to the processor that requested them. Large data are sent as separate messages from their source to
//! their destination.

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
pub(crate) use requests::Endpoint;
pub(crate) use shared_status::{NodeError, SharedNode};
pub(crate) use transport::{IoVector, Set, Tag};
pub use transport::{Transport, VERSION};

use crate::Misuse;
use crate::chunk::Chunk;
use crate::engine::stop::Stopped;
use crate::place::Place;
use crate::registers::Slot;
use crate::stream::Supply;
use chunk_pool::{Chunks, CopyBuffers};
use packed_header::{CELL, Inboxes, Outbox, PackedHead};

/// Data of at least this size, in bytes, are sent as separate messages. MPIs use a rendezvous protocol for them
/// anyway.
const MIN_LARGE_BYTES: usize = 16 << 10;

#[derive(Clone, Copy, Debug, Default)]
struct Area {
    address: usize,
    size: usize,
}

/// The collective states of all, read if processors did not do the same.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
struct CollectiveRecord {
    collective: [u64; 6],
    line: u64,
    file: [u8; 200],
}

/// The replies to a processor, and those from it.
#[derive(Debug, Default)]
struct Replies {
    /// The beginning of the stream, once there are some.
    first: Vec<u128>,
    open: bool,
    /// The beginning of the message with the size: size of all, then the header of the stream.
    before: Box<[u64; 5]>,
    reply: Vec<u128>,
    received: Option<*mut u8>,
}

/// The engine of one processor.
pub(crate) struct MpiEngine {
    endpoint: Endpoint,
    me: usize,
    processors: usize,
    superstep: u64,
    chunks: Chunks,
    /// For copies of large data.
    copy_buffers: CopyBuffers,
    /// The data for each other processor. An outbox is created when something is sent to its processor.
    outboxes: Vec<Option<Box<Outbox>>>,
    /// The data that this processor sends to itself, for even and odd supersteps.
    own: [Box<Outbox>; 2],
    /// The message to processors to which nothing is sent.
    nothing: Box<PackedHead>,
    /// For even and odd supersteps.
    inboxes: [Inboxes; 2],
    /// Addresses of the streams that came as separate messages in this superstep.
    streams: Vec<Option<*mut u8>>,
    /// The processors to which they belong.
    with_streams: Vec<usize>,
    /// Areas of all processors, by slot.
    areas: Vec<Box<[Area]>>,
    pushed: Vec<(Slot, Area)>,
    popped: Vec<u64>,
    /// Removals of all processors in this superstep.
    pops: Vec<Vec<u64>>,
    replies: Vec<Replies>,
    records: Vec<CollectiveRecord>,
    /// Puts that were sent as separate messages in this superstep: receiver and bytes.
    puts: Vec<(usize, u64)>,
    place: Place,
    file: String,
}

// SAFETY: the pointers are to its own memory.
unsafe impl Send for MpiEngine {}

impl MpiEngine {
    pub fn new(endpoint: Endpoint, processors: usize) -> Result<MpiEngine, Stopped> {
        let me = endpoint.rank;
        endpoint.begin(processors);
        let mut engine = MpiEngine {
            me,
            processors,
            superstep: 1,
            chunks: Chunks::default(),
            copy_buffers: CopyBuffers::default(),
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
            endpoint,
        };
        engine.expect_cells()?;
        Ok(engine)
    }

    /// All other processors, beginning with the next one, so that not all send to the same one at a time.
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

    /// Begins to receive the messages of this superstep.
    fn expect_cells(&mut self) -> Result<(), Stopped> {
        let (set, parity) = (self.cells(), self.parity());
        for from in self.others() {
            let into = self.inboxes[parity].place(from);
            // SAFETY: nobody uses the cell until it has arrived.
            unsafe { self.endpoint.receive(set, from, Tag::Cell, into, CELL)? };
        }
        Ok(())
    }
}

impl Supply for MpiEngine {
    fn chunk(&mut self, min_room: usize) -> Result<Chunk, Misuse> {
        self.chunks.take(min_room, self.superstep)
    }

    fn offset(&self, chunk: Chunk) -> u64 {
        chunk.header.as_ptr() as u64
    }
}
