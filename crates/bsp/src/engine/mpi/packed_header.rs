//! The message that each processor sends to every other one at the end of a superstep, even if there is nothing
//! else to send: sizes, the collective state, and the content itself if it is small. It is called a cell.

use std::ptr::NonNull;

use super::transport::IoVector;
use crate::chunk::{Chunk, ChunkHeader, HEADER};
use crate::engine::contract::Arrived;
use crate::engine::traffic::{Sent, Stream};
use crate::stream::StreamReader;

/// The largest cell, in bytes. MPIs send messages of this size without a rendezvous protocol.
pub(super) const CELL: usize = 4032;
/// Room of the first chunks of streams to a processor, in bytes.
const FIRST_ROOM: usize = 1024;

/// The beginning of a cell.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PackedHead {
    /// The hash of the collective state.
    pub word: u64,
    /// Bytes of the streams if they come as a separate message; 0: they follow this header.
    stream: u64,
    /// Offset of the messages in them.
    messages_at: u64,
    message_bytes: u64,
    messages: u32,
    gets: u32,
    /// Whether the sender wants to read memory of any processor.
    pub asks: u32,
    /// Whether there are requests.
    requests: u32,
}

const HEAD: usize = size_of::<PackedHead>();

/// The gap between the streams.
static GAP: [u8; 16] = [0; 16];

// Both first chunks fit into a cell; in it, headers of streams are aligned to 16.
const _: () = assert!(HEAD + 2 * HEADER + 2 * FIRST_ROOM + 16 <= CELL && HEAD.is_multiple_of(16));

impl PackedHead {
    /// The cell of a processor that has nothing to send.
    pub fn empty(word: u64, asks: bool) -> PackedHead {
        PackedHead { word, asks: asks.into(), ..PackedHead::default() }
    }

    fn sent(&self) -> Sent {
        let PackedHead { gets, messages, message_bytes, requests, .. } = *self;
        Sent { gets, messages, message_bytes, requests: requests != 0 }
    }
}

/// The header of a stream of one chunk.
fn header(used: usize) -> [u64; HEADER / 8] {
    [0, used as u64, 0]
}

/// The data that is sent to one processor in a superstep.
#[repr(C, align(64))]
pub(super) struct Outbox {
    head: PackedHead,
    requests: ChunkHeader,
    inside: [u8; CELL - HEAD - size_of::<ChunkHeader>()],
    messages: ChunkHeader,
    message_room: [u8; HEADER - size_of::<ChunkHeader>() + FIRST_ROOM],
    /// The headers before the streams if they are sent as a separate message.
    before: [[u64; HEADER / 8]; 2],
    /// The superstep in which it was closed.
    closed: u64,
    pieces: Vec<IoVector>,
    /// Buffer in which short streams are joined.
    together: Vec<u8>,
}

/// Up to this size, in bytes, a copy is cheaper than a message of several pieces.
const MAX_JOINED_BYTES: usize = 64 << 10;

impl Outbox {
    pub fn new() -> Box<Outbox> {
        let none = || ChunkHeader { next: 0, used: 0 };
        Box::new(Outbox {
            head: PackedHead::default(),
            requests: none(),
            inside: [0; CELL - HEAD - size_of::<ChunkHeader>()],
            messages: none(),
            message_room: [0; HEADER - size_of::<ChunkHeader>() + FIRST_ROOM],
            before: [header(0), header(0)],
            closed: 0,
            pieces: Vec::new(),
            together: Vec::new(),
        })
    }

    /// Begins a stream.
    pub fn begin(&mut self, stream: Stream) -> Chunk {
        let outbox: *mut Outbox = self;
        // SAFETY: these are fields; after each header there is room for a first chunk.
        let header = unsafe {
            match stream {
                Stream::Requests => &raw mut (*outbox).requests,
                Stream::Messages => &raw mut (*outbox).messages,
            }
        };
        Chunk { header: NonNull::new(header).unwrap_or(NonNull::dangling()), room: FIRST_ROOM }
    }

    /// Whether requests are sent to the receiver.
    pub fn asks(&self) -> bool {
        self.head.gets > 0
    }

    pub fn closed_in(&self) -> u64 {
        self.closed
    }

    /// Completes both streams.
    pub fn close(&mut self, superstep: u64, sent: &Sent) {
        self.closed = superstep;
        let Sent { gets, messages, message_bytes, requests } = *sent;
        // A stream to which nothing was written was not begun.
        if !requests {
            self.requests = ChunkHeader { next: 0, used: 0 };
        }
        if messages == 0 {
            self.messages = ChunkHeader { next: 0, used: 0 };
        }
        let requests = requests.into();
        self.head = PackedHead { gets, messages, message_bytes, requests, ..PackedHead::default() };
    }

    /// Returns the data that was sent, for a processor that sends to itself.
    pub fn arrived(&self) -> Arrived {
        // SAFETY: finished streams, whose chunks are named by their addresses.
        let reader = |header: *const ChunkHeader| unsafe {
            StreamReader::begin(std::ptr::null_mut(), header as u64)
        };
        let (requests, messages) = (&raw const self.requests, &raw const self.messages);
        Arrived { requests: reader(requests), messages: reader(messages), sent: self.head.sent() }
    }

    /// Prepares a closed outbox for sending: the bytes of the cell, and the pieces of the separate message.
    pub fn pack(&mut self, word: u64, asks: bool) -> (&[u8], &[IoVector]) {
        (self.head.word, self.head.asks) = (word, asks.into());
        self.pieces.clear();
        if self.requests.next != 0 || self.messages.next != 0 {
            return self.pack_long();
        }
        let (requests, messages) = (self.requests.used as usize, self.messages.used as usize);
        let messages_at = (HEADER + requests).next_multiple_of(16);
        self.head.messages_at = messages_at as u64;
        if messages == 0 {
            return (self.bytes(HEAD + HEADER + requests), &self.pieces);
        }
        let outbox: *mut Outbox = self;
        // SAFETY: the requests are in their place already; the first chunk of messages fits after that of
        // requests, and does not overlap it.
        unsafe {
            let to = outbox.cast::<u8>().add(HEAD + messages_at);
            let from = (&raw const (*outbox).messages).cast::<u8>();
            std::ptr::copy_nonoverlapping(from, to, HEADER + messages);
        }
        (self.bytes(HEAD + messages_at + HEADER + messages), &self.pieces)
    }

    /// The same if a stream has more than one chunk.
    #[cold]
    fn pack_long(&mut self) -> (&[u8], &[IoVector]) {
        // SAFETY: the streams are finished, and their chunks this processor's.
        let (requests, messages) =
            unsafe { (pieces_of(&raw const self.requests), pieces_of(&raw const self.messages)) };
        let messages = filled_up(messages);
        let bytes = |pieces: &[(*const u8, usize)]| pieces.iter().map(|piece| piece.1).sum();
        let (of_requests, of_messages): (usize, usize) = (bytes(&requests), bytes(&messages));
        let messages_at = (HEADER + of_requests).next_multiple_of(16);
        self.head.messages_at = messages_at as u64;
        self.head.stream = (messages_at + HEADER + of_messages) as u64;
        self.before = [header(of_requests), header(of_messages)];
        let piece = |&(begin, size): &(*const u8, usize)| IoVector::new(begin, size);
        let before = |header: &[u64; HEADER / 8]| IoVector::new(header.as_ptr().cast(), HEADER);
        self.pieces.push(before(&self.before[0]));
        self.pieces.extend(requests.iter().map(piece));
        let gap = messages_at - HEADER - of_requests;
        if gap > 0 {
            self.pieces.push(IoVector::new(GAP.as_ptr(), gap));
        }
        self.pieces.push(before(&self.before[1]));
        self.pieces.extend(messages.iter().map(piece));
        if self.head.stream <= MAX_JOINED_BYTES as u64 {
            self.together.clear();
            for piece in &self.pieces {
                // SAFETY: pieces of this processor's memory, which does not change.
                self.together.extend_from_slice(unsafe { piece.bytes() });
            }
            let (begin, size) = (self.together.as_ptr(), self.together.len());
            self.pieces.clear();
            self.pieces.push(IoVector::new(begin, size));
        }
        (self.bytes(HEAD), &self.pieces)
    }

    fn bytes(&self, size: usize) -> &[u8] {
        let begin: *const Outbox = self;
        // SAFETY: the outbox begins with the cell, which has at most `CELL` bytes.
        unsafe { std::slice::from_raw_parts(begin.cast::<u8>(), size) }
    }
}

/// The contents of a stream's chunks; in this engine, offsets of chunks are addresses.
///
/// # Safety
/// The stream is finished.
pub(super) unsafe fn pieces_of(first: *const ChunkHeader) -> Vec<(*const u8, usize)> {
    let mut pieces = Vec::new();
    let mut header = first;
    while !header.is_null() {
        // SAFETY: by the caller.
        let ChunkHeader { next, used } = unsafe { header.read() };
        if used > 0 {
            // SAFETY: the content follows the header.
            pieces.push((unsafe { header.cast::<u8>().add(HEADER) }, used as usize));
        }
        header = next as *const ChunkHeader;
    }
    pieces
}

/// Chunks of messages that are to become one. Words without messages are inserted between them if the next
/// chunk would otherwise have another alignment.
fn filled_up(chunks: Vec<(*const u8, usize)>) -> Vec<(*const u8, usize)> {
    let filled = |(begin, size): (*const u8, usize)| {
        let gap = size.next_multiple_of(16) - size;
        [(begin, size), (GAP.as_ptr(), gap)]
    };
    chunks.into_iter().flat_map(filled).filter(|piece| piece.1 > 0).collect()
}

/// Received cells, one from each processor.
#[derive(Debug)]
pub(super) struct Inboxes {
    memory: Vec<u128>,
}

const WORDS: usize = CELL / 16;

impl Inboxes {
    pub fn new(processors: usize) -> Inboxes {
        Inboxes { memory: vec![0; WORDS * processors] }
    }

    pub fn place(&mut self, from: usize) -> *mut u8 {
        self.memory[WORDS * from..WORDS * (from + 1)].as_mut_ptr().cast()
    }

    #[inline]
    pub fn head(&self, from: usize) -> PackedHead {
        let cell = &self.memory[WORDS * from..WORDS * (from + 1)];
        // SAFETY: any bytes are a valid value; it is aligned.
        unsafe { cell.as_ptr().cast::<PackedHead>().read() }
    }

    /// Size of the separate message from a processor, in bytes.
    #[inline]
    pub fn stream(&self, from: usize) -> usize {
        self.head(from).stream as usize
    }

    /// Returns the data that has arrived; `stream`: address of the separate message.
    pub fn arrived(&self, from: usize, stream: Option<*mut u8>) -> Option<Arrived> {
        let head = self.head(from);
        if head.requests == 0 && head.messages == 0 {
            return None;
        }
        let cell = self.memory[WORDS * from..WORDS * (from + 1)].as_ptr().cast_mut();
        // SAFETY: it is after the head.
        let base = stream.unwrap_or(unsafe { cell.cast::<u8>().add(HEAD) });
        // SAFETY: `pack` has written the streams there that it says are there.
        let reader = |is_there: bool, at: u64| unsafe {
            if is_there { StreamReader::begin(base, at) } else { StreamReader::nothing(base) }
        };
        Some(Arrived {
            requests: reader(head.requests != 0, 0),
            messages: reader(head.messages != 0, head.messages_at),
            sent: head.sent(),
        })
    }
}
