//! Transport of bytes between the processes that MPI has started: a table of functions in C.

use std::ffi::{CStr, c_char, c_int, c_void};

/// The version of [`Transport`] that this library knows.
pub const VERSION: u32 = 1;

/// One of the pieces of a message.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct IoVector {
    begin: *const u8,
    size: usize,
}

impl IoVector {
    pub(crate) fn new(begin: *const u8, size: usize) -> IoVector {
        IoVector { begin, size }
    }

    /// # Safety
    /// The bytes can be read, and do not change while the slice exists.
    pub(crate) unsafe fn bytes(&self) -> &[u8] {
        // SAFETY: by the caller.
        unsafe { std::slice::from_raw_parts(self.begin, self.size) }
    }
}

/// A process's rank and host, once MPI has begun.
#[repr(C)]
pub(crate) struct TransportStart {
    pub rank: i32,
    pub ranks: i32,
    pub node_rank: i32,
    pub node_ranks: i32,
    library: [c_char; 1024],
}

/// A message that has arrived.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ArrivedMessage {
    pub from: i32,
    message: u32,
    pub size: usize,
}

type TransportFunction<A> = Option<A>;

/// The functions of `transport.c` of the C library, compiled with the user's MPI and described there. Both have
/// the same layout; a change of anything here is a new [`VERSION`].
#[repr(C)]
#[derive(Debug)]
pub struct Transport {
    version: u32,
    size: u32,
    family: *const c_char,
    compiled: *const c_char,
    start: TransportFunction<unsafe extern "C" fn(*mut c_void) -> c_int>,
    end: TransportFunction<unsafe extern "C" fn() -> c_int>,
    end_all: TransportFunction<unsafe extern "C" fn(c_int)>,
    text: TransportFunction<unsafe extern "C" fn(c_int, *mut c_char, usize)>,
    gather: TransportFunction<unsafe extern "C" fn(*const c_void, usize, *mut c_void) -> c_int>,
    share_on_node: TransportFunction<unsafe extern "C" fn(*mut c_void, usize) -> c_int>,
    meet_on_node: TransportFunction<unsafe extern "C" fn() -> c_int>,
    send: TransportFunction<
        unsafe extern "C" fn(c_int, c_int, c_int, *const IoVector, usize) -> c_int,
    >,
    receive:
        TransportFunction<unsafe extern "C" fn(c_int, c_int, c_int, *mut c_void, usize) -> c_int>,
    test: TransportFunction<unsafe extern "C" fn(c_int, *mut c_int) -> c_int>,
    send_alone: TransportFunction<
        unsafe extern "C" fn(c_int, c_int, *const c_void, usize, *mut u32) -> c_int,
    >,
    find: TransportFunction<unsafe extern "C" fn(c_int, *mut c_void, *mut c_int) -> c_int>,
    receive_found:
        TransportFunction<unsafe extern "C" fn(*const c_void, *mut c_void, *mut u32) -> c_int>,
    test_alone: TransportFunction<unsafe extern "C" fn(u32, *mut c_int) -> c_int>,
}

// SAFETY: constants and functions. The user of `Transport::call` ensures that one thread calls.
unsafe impl Sync for Transport {}

/// Sets of requests; those of a set are tested together.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub(crate) enum Set {
    /// Cells of a superstep: two sets, for odd and even supersteps.
    Cells = 0,
    CellsOdd = 1,
    /// Streams that are sent in a superstep.
    Sent = 2,
    /// Streams that are received in it.
    Streams = 3,
    /// Large data, of each kind, sent and received.
    PutsSent = 4,
    RepliesSent = 5,
    Large = 6,
}

/// The kind of a message.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub(crate) enum Tag {
    Cell = 1,
    Stream = 2,
    Areas = 3,
    Difference = 4,
    Replies = 5,
    Put = 6,
    Reply = 7,
    Begin = 8,
    End = 9,
    /// A record of channels.
    Record = 10,
    Question = 11,
    Answer = 12,
    /// For a barrier that does not end a superstep.
    Barrier = 13,
}

/// An error number of MPI.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MpiError(c_int);

fn checked(error: c_int) -> Result<(), MpiError> {
    if error == 0 { Ok(()) } else { Err(MpiError(error)) }
}

/// Calls a function of the table; an incomplete table is an error.
macro_rules! call {
    ($self:ident.$name:ident($($argument:expr),*)) => {
        match $self.$name {
            // SAFETY: as `transport.c` requires; see each caller.
            Some(function) => unsafe { function($($argument),*) },
            None => unreachable!("the table was found complete"),
        }
    };
}

impl Transport {
    /// The table at an address, if it has this version.
    ///
    /// # Safety
    /// The address is null, or was returned by `cll_mpi_transport`; its library stays loaded.
    pub unsafe fn from_address(address: *const c_void) -> Option<&'static Transport> {
        // SAFETY: by the caller; every version begins with version and size.
        let begin = unsafe { address.cast::<[u32; 2]>().as_ref() }?;
        let fits = begin[0] == VERSION && begin[1] as usize == size_of::<Transport>();
        // SAFETY: by the caller.
        fits.then(|| unsafe { &*address.cast::<Transport>() })
    }

    /// The MPI for which it was compiled: Open MPI, MPICH.
    pub fn family(&self) -> &'static str {
        text(self.family)
    }

    /// The version of that MPI.
    pub fn compiled(&self) -> &'static str {
        text(self.compiled)
    }

    pub(crate) fn start(&self) -> Result<TransportStart, MpiError> {
        let mut start =
            TransportStart { rank: 0, ranks: 0, node_rank: 0, node_ranks: 0, library: [0; 1024] };
        checked(call!(self.start((&raw mut start).cast())))?;
        Ok(start)
    }

    pub(crate) fn end(&self) -> Result<(), MpiError> {
        checked(call!(self.end()))
    }

    /// Ends all processes of the program.
    pub(crate) fn end_all(&self, status: i32) {
        call!(self.end_all(status))
    }

    pub(crate) fn describe(&self, error: MpiError) -> String {
        let mut buffer = [0 as c_char; 1024];
        call!(self.text(error.0, buffer.as_mut_ptr(), buffer.len()));
        // SAFETY: `text` ends with a zero.
        let text = unsafe { CStr::from_ptr(buffer.as_ptr()) }.to_string_lossy();
        if text.is_empty() {
            format!("error {} of MPI's", error.0)
        } else {
            text.trim_end().to_owned()
        }
    }

    /// The value of each process, by rank. All processes call it.
    pub(crate) fn gather<T: bytemuck::Pod>(
        &self,
        mine: &T,
        ranks: usize,
    ) -> Result<Vec<T>, MpiError> {
        let mut all = vec![T::zeroed(); ranks];
        let mine: *const T = mine;
        checked(call!(self.gather(mine.cast(), size_of::<T>(), all.as_mut_ptr().cast())))?;
        Ok(all)
    }

    /// Gives the value of the first process on this host to all processes on it.
    pub(crate) fn share_on_node<T: bytemuck::Pod>(&self, data: &mut T) -> Result<(), MpiError> {
        let data: *mut T = data;
        checked(call!(self.share_on_node(data.cast(), size_of::<T>())))
    }

    pub(crate) fn meet_on_node(&self) -> Result<(), MpiError> {
        checked(call!(self.meet_on_node()))
    }

    /// Sends the pieces as one message. They do not change until the set is complete.
    ///
    /// # Safety
    /// The pieces can be read.
    #[inline]
    pub(crate) unsafe fn send(
        &self,
        set: Set,
        to: usize,
        tag: Tag,
        pieces: &[IoVector],
    ) -> Result<(), MpiError> {
        let (begin, count) = (pieces.as_ptr(), pieces.len());
        checked(call!(self.send(set as c_int, to as c_int, tag as c_int, begin, count)))
    }

    /// Receives at most `size` bytes; exactly `size` bytes if that is more than one message of MPI can have.
    ///
    /// # Safety
    /// They can be written until the set is complete.
    #[inline]
    pub(crate) unsafe fn receive(
        &self,
        set: Set,
        from: usize,
        tag: Tag,
        into: *mut u8,
        size: usize,
    ) -> Result<(), MpiError> {
        checked(call!(self.receive(set as c_int, from as c_int, tag as c_int, into.cast(), size)))
    }

    /// # Safety
    /// The bytes do not change until the request is complete.
    pub(crate) unsafe fn send_alone(
        &self,
        to: usize,
        tag: Tag,
        begin: *const u8,
        size: usize,
    ) -> Result<u32, MpiError> {
        let mut request = 0;
        let (to, tag) = (to as c_int, tag as c_int);
        checked(call!(self.send_alone(to, tag, begin.cast(), size, &raw mut request)))?;
        Ok(request)
    }

    /// A message that has arrived.
    pub(crate) fn find(&self, tag: Tag) -> Result<Option<ArrivedMessage>, MpiError> {
        let (mut message, mut is_there) = (ArrivedMessage::default(), 0);
        checked(call!(self.find(tag as c_int, (&raw mut message).cast(), &raw mut is_there)))?;
        Ok((is_there != 0).then_some(message))
    }

    /// # Safety
    /// There is room for the message until the request is complete.
    pub(crate) unsafe fn receive_found(
        &self,
        message: &ArrivedMessage,
        into: *mut u8,
    ) -> Result<u32, MpiError> {
        let mut request = 0;
        let arrived: *const ArrivedMessage = message;
        checked(call!(self.receive_found(arrived.cast(), into.cast(), &raw mut request)))?;
        Ok(request)
    }

    /// Whether a request is complete; then it is freed.
    pub(crate) fn is_request_done(&self, request: u32) -> Result<bool, MpiError> {
        let mut done = 0;
        checked(call!(self.test_alone(request, &raw mut done)))?;
        Ok(done != 0)
    }

    /// Whether all requests of a set are complete; then it is empty.
    #[inline]
    pub(crate) fn is_done(&self, set: Set) -> Result<bool, MpiError> {
        let mut done = 0;
        checked(call!(self.test(set as c_int, &raw mut done)))?;
        Ok(done != 0)
    }
}

fn text(string: *const c_char) -> &'static str {
    if string.is_null() {
        return "";
    }
    // SAFETY: a literal of a library that stays loaded.
    unsafe { CStr::from_ptr(string) }.to_str().unwrap_or("")
}
