//! What each processor sends each other one at the end of a superstep, whether it has anything for it or
//! not: how much there is, what all must do in the same way, and the content itself if it is small.

use std::ptr::NonNull;

use super::transport::IoVector;
use crate::chunk::{Chunk, ChunkHeader, HEADER};
use crate::engine::contract::Arrived;
use crate::engine::traffic::{Sent, Stream};
use crate::stream::Reader;

/// Bytes of a cell at most; MPIs send as much without asking the receiver.
pub(super) const CELL: usize = 4032;
/// Room of the first chunks of streams to a processor.
const FIRST: usize = 1024;

/// What a cell begins with.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Head {
    /// The word of what all must do in the same way.
    pub word: u64,
    /// Bytes of the streams, which come by themselves; 0: they lie behind this.
    stream: u64,
    /// Where the messages begin in them.
    messages_at: u64,
    message_bytes: u64,
    messages: u32,
    gets: u32,
    /// Whether the sender wants something read by anybody.
    pub asks: u32,
    /// Whether there are requests.
    requests: u32,
}

const HEAD: usize = size_of::<Head>();

/// Between the streams.
static GAP: [u8; 16] = [0; 16];

// Both first chunks fit into a cell; headers of streams are aligned to 16 in it.
const _: () = assert!(HEAD + 2 * HEADER + 2 * FIRST + 16 <= CELL && HEAD.is_multiple_of(16));

impl Head {
    /// A cell of who has nothing to send.
    pub fn empty(word: u64, asks: bool) -> Head {
        Head { word, asks: asks.into(), ..Head::default() }
    }

    fn sent(&self) -> Sent {
        let Head { gets, messages, message_bytes, requests, .. } = *self;
        Sent { gets, messages, message_bytes, requests: requests != 0 }
    }
}

/// A header of a stream of one chunk.
fn header(used: usize) -> [u64; HEADER / 8] {
    [0, used as u64, 0]
}

/// What goes to a processor in a superstep.
#[repr(C, align(64))]
pub(super) struct Outbox {
    head: Head,
    requests: ChunkHeader,
    inside: [u8; CELL - HEAD - size_of::<ChunkHeader>()],
    messages: ChunkHeader,
    message_room: [u8; HEADER - size_of::<ChunkHeader>() + FIRST],
    /// What stands before the streams where they come by themselves.
    before: [[u64; HEADER / 8]; 2],
    /// The superstep in which it was closed.
    closed: u64,
    pieces: Vec<IoVector>,
    /// Where they are put together, if they are short.
    together: Vec<u8>,
}

/// Up to so many bytes a copy costs less than to tell MPI of several pieces.
const SHORT: usize = 64 << 10;

impl Outbox {
    pub fn new() -> Box<Outbox> {
        let none = || ChunkHeader { next: 0, used: 0 };
        Box::new(Outbox {
            head: Head::default(),
            requests: none(),
            inside: [0; CELL - HEAD - size_of::<ChunkHeader>()],
            messages: none(),
            message_room: [0; HEADER - size_of::<ChunkHeader>() + FIRST],
            before: [header(0), header(0)],
            closed: 0,
            pieces: Vec::new(),
            together: Vec::new(),
        })
    }

    /// Begins a stream.
    pub fn begin(&mut self, stream: Stream) -> Chunk {
        let outbox: *mut Outbox = self;
        // SAFETY: fields; behind each header there is room for a first chunk.
        let header = unsafe {
            match stream {
                Stream::Requests => &raw mut (*outbox).requests,
                Stream::Messages => &raw mut (*outbox).messages,
            }
        };
        Chunk { header: NonNull::new(header).unwrap_or(NonNull::dangling()), room: FIRST }
    }

    /// Whether the receiver is asked for something.
    pub fn asks(&self) -> bool {
        self.head.gets > 0
    }

    pub fn closed_in(&self) -> u64 {
        self.closed
    }

    /// Both streams are finished.
    pub fn close(&mut self, superstep: u64, sent: &Sent) {
        self.closed = superstep;
        let Sent { gets, messages, message_bytes, requests } = *sent;
        // What was not written was not begun.
        if !requests {
            self.requests = ChunkHeader { next: 0, used: 0 };
        }
        if messages == 0 {
            self.messages = ChunkHeader { next: 0, used: 0 };
        }
        let requests = requests.into();
        self.head = Head { gets, messages, message_bytes, requests, ..Head::default() };
    }

    /// What was sent, for who sends to itself.
    pub fn arrived(&self) -> Arrived {
        // SAFETY: finished streams, whose chunks are named by their addresses.
        let reader = |header: *const ChunkHeader| unsafe {
            Reader::begin(std::ptr::null_mut(), header as u64)
        };
        let (requests, messages) = (&raw const self.requests, &raw const self.messages);
        Arrived { requests: reader(requests), messages: reader(messages), sent: self.head.sent() }
    }

    /// Makes a closed outbox ready to be sent: the bytes of the cell, and the pieces of what comes by
    /// itself.
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
        // SAFETY: the requests lie where they must; the first chunk of messages fits behind that of
        // requests, and lies elsewhere.
        unsafe {
            let to = outbox.cast::<u8>().add(HEAD + messages_at);
            let from = (&raw const (*outbox).messages).cast::<u8>();
            std::ptr::copy_nonoverlapping(from, to, HEADER + messages);
        }
        (self.bytes(HEAD + messages_at + HEADER + messages), &self.pieces)
    }

    /// The same, where a stream has more than one chunk.
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
        if self.head.stream <= SHORT as u64 {
            self.together.clear();
            for piece in &self.pieces {
                // SAFETY: pieces of this processor's memory, which is as it was written.
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
        // SAFETY: the cell is what the outbox begins with, and at most `CELL` bytes.
        unsafe { std::slice::from_raw_parts(begin.cast::<u8>(), size) }
    }
}

/// The contents of a stream's chunks, which are named by their addresses.
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
            // SAFETY: the content lies behind the header.
            pieces.push((unsafe { header.cast::<u8>().add(HEADER) }, used as usize));
        }
        header = next as *const ChunkHeader;
    }
    pieces
}

/// Chunks of messages that are to be one, with words without messages between them where the next would be aligned
/// otherwise than it was.
fn filled_up(chunks: Vec<(*const u8, usize)>) -> Vec<(*const u8, usize)> {
    let filled = |(begin, size): (*const u8, usize)| {
        let gap = size.next_multiple_of(16) - size;
        [(begin, size), (GAP.as_ptr(), gap)]
    };
    chunks.into_iter().flat_map(filled).filter(|piece| piece.1 > 0).collect()
}

/// Cells as they come, one from each processor.
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
    pub fn head(&self, from: usize) -> Head {
        let cell = &self.memory[WORDS * from..WORDS * (from + 1)];
        // SAFETY: any bytes are a value; it is aligned.
        unsafe { cell.as_ptr().cast::<Head>().read() }
    }

    /// Bytes that come by themselves from a processor.
    #[inline]
    pub fn stream(&self, from: usize) -> usize {
        self.head(from).stream as usize
    }

    /// What has come; `stream`: where what came by itself lies.
    pub fn arrived(&self, from: usize, stream: Option<*mut u8>) -> Option<Arrived> {
        let head = self.head(from);
        if head.requests == 0 && head.messages == 0 {
            return None;
        }
        let cell = self.memory[WORDS * from..WORDS * (from + 1)].as_ptr().cast_mut();
        // SAFETY: behind the head.
        let base = stream.unwrap_or(unsafe { cell.cast::<u8>().add(HEAD) });
        // SAFETY: `pack` has written the streams there that it says are there.
        let reader = |is_there: bool, at: u64| unsafe {
            match is_there {
                true => Reader::begin(base, at),
                false => Reader::nothing(base),
            }
        };
        Some(Arrived {
            requests: reader(head.requests != 0, 0),
            messages: reader(head.messages != 0, head.messages_at),
            sent: head.sent(),
        })
    }
}
