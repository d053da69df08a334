//! One processor's view of the machine: all of BSPlib, on any engine.

mod collective;
mod delivery;
mod get_requests;
mod gets;
mod large;
mod messages;
mod puts;
mod record;
mod repeated;
mod requests;
mod sync;

use std::time::Instant;

use crate::channel::Channels;
use crate::chunk::Chunk;
use crate::copy::copy_fresh;
use crate::copy_tuning::{self, CopyTuner};
use crate::engine::Carrier;
use crate::engine::contract::Engine;
use crate::engine::traffic::{Sent, Stream};
use crate::log::{Log, Object, SuperstepRecorder};
use crate::misuse::Misuse;
use crate::place::Place;
use crate::registers::Registers;
use crate::stream::{StreamReader, StreamWriter, Supply};
use crate::tags::TagSizes;
use crate::virtuals::VirtualClock;

pub use messages::{Message, Unread};

/// One processor of a machine.
///
/// As in BSPlib, memory is named by pointers; the caller ensures that they are valid. Errors that can be
/// checked are reported: see [`Misuse`].
pub struct Processor {
    engine: Carrier,
    pid: usize,
    nprocs: usize,
    began: Instant,
    registers: Registers,
    tags: TagSizes,
    tag_calls: u64,
    pushes: u64,
    /// The data that is sent to each processor in this superstep.
    out: Vec<Out>,
    /// The processors to which something is sent.
    touched: Vec<usize>,
    gets: Vec<gets::Get>,
    repeated: repeated::RepeatedGets,
    /// The number of first gets for which no request was sent, since they repeat those of earlier supersteps.
    held: usize,
    /// For each processor: how far its replies are read.
    replies: Vec<Option<StreamReader>>,
    /// Data of at least this size, in bytes, are sent as separate messages.
    large_from: usize,
    last: requests::Last,
    inbox: messages::Inbox,
    /// Copies of short messages, payload and tag, until the superstep ends.
    copies: Vec<Vec<u128>>,
    recorder: Option<Box<SuperstepRecorder>>,
    /// The engine measures waiting times.
    times_itself: bool,
    /// The processor to which direct delivery was offered.
    offered: Option<usize>,
    /// The place in the program that the engine has recorded.
    place: Place,
}

/// The data that is sent to one processor.
#[derive(Debug, Default)]
struct Out {
    requests: StreamWriter,
    /// The last request.
    last_put: record::LastPut,
    messages: StreamWriter,
    /// The last run of messages.
    run: messages::StreamRun,
    sent: Sent,
    puts: u64,
    put_bytes: u64,
    /// From this size on, in bytes, copies choose between plain and non-temporal stores.
    large: usize,
    /// Areas to which puts were made before the area that was accessed last.
    areas: delivery::Areas,
    /// From this number of bytes on direct delivery is offered.
    offers_from: u64,
    /// How to copy for the processor, and into its memory.
    tuners: Option<Box<[CopyTuner; 2]>>,
}

impl Out {
    /// To one of `processors`, which runs on another core or on this one.
    fn new(is_elsewhere: bool, processors: usize) -> Out {
        let tuners =
            is_elsewhere.then(|| Box::new([const { CopyTuner::new(copy_tuning::ticks) }; 2]));
        let large = if is_elsewhere { CopyTuner::MIN_BYTES } else { usize::MAX };
        let writer =
            || if is_elsewhere { StreamWriter::to_another_core() } else { StreamWriter::default() };
        let offers_from = if is_elsewhere { delivery::min_bytes(processors) } else { u64::MAX };
        Out { large, tuners, offers_from, requests: writer(), messages: writer(), ..Out::default() }
    }

    /// Whether something is sent there in this superstep.
    #[inline(always)]
    fn is_open(&self) -> bool {
        self.requests.is_open() || self.messages.is_open()
    }

    #[inline(always)]
    fn stream(&mut self, stream: Stream) -> &mut StreamWriter {
        match stream {
            Stream::Requests => &mut self.requests,
            Stream::Messages => &mut self.messages,
        }
    }

    /// Begins a stream to this processor with its first chunk.
    #[inline(always)]
    fn begin(&mut self, pid: usize, stream: Stream, first: Chunk, touched: &mut Vec<usize>) {
        if !self.is_open() {
            self.sent = Sent::default();
            (self.puts, self.put_bytes) = (0, 0);
            self.areas.begin();
            touched.push(pid);
        }
        self.stream(stream).restart(first);
    }

    /// Copies data for the processor into a record of one of its streams; `staged`: into the staging buffer.
    ///
    /// # Safety
    /// As for `copy_nonoverlapping`.
    #[inline(always)]
    unsafe fn copy(&mut self, from: *const u8, to: *mut u8, size: usize, staged: bool) {
        // SAFETY: by the caller.
        unsafe {
            if size >= self.large && !staged {
                self.copy_large(0, from, to, size)
            } else {
                copy_fresh::<256>(from, to, size)
            }
        }
    }

    /// Copies into memory of the processor. If it is this one, source and destination may overlap.
    ///
    /// # Safety
    /// As for `copy`, if the processor is this one.
    unsafe fn copy_into(&mut self, from: *const u8, to: *mut u8, size: usize) {
        // SAFETY: by the caller.
        unsafe {
            if size >= self.large {
                self.copy_large(1, from, to, size)
            } else {
                std::ptr::copy(from, to, size)
            }
        }
    }

    /// # Safety
    /// As for `copy_nonoverlapping`.
    #[inline(never)]
    unsafe fn copy_large(&mut self, way: usize, from: *const u8, to: *mut u8, size: usize) {
        // SAFETY: by the caller.
        unsafe {
            match &mut self.tuners {
                Some(tuners) => tuners[way].copy(from, to, size),
                None => std::ptr::copy_nonoverlapping(from, to, size),
            }
        }
    }
}

impl Processor {
    pub(crate) fn new(engine: Carrier) -> Processor {
        let (pid, nprocs) = (engine.pid(), engine.nprocs());
        let to = |pid| Out::new(engine.is_read_elsewhere(pid), nprocs);
        let out = (0..nprocs).map(to).collect();
        Processor {
            large_from: engine.out_of_band_from(),
            engine,
            pid,
            nprocs,
            began: Instant::now(),
            registers: Registers::default(),
            tags: TagSizes::default(),
            tag_calls: 0,
            pushes: 0,
            out,
            touched: Vec::with_capacity(nprocs),
            gets: Vec::new(),
            repeated: repeated::RepeatedGets::default(),
            held: 0,
            replies: Vec::new(),
            last: requests::Last::NONE,
            inbox: messages::Inbox::default(),
            copies: Vec::new(),
            recorder: None,
            times_itself: false,
            offered: None,
            place: Place::NOWHERE,
        }
    }

    /// Reports each superstep to a log from now on. To be called before the first superstep.
    pub fn keep_log(&mut self, log: Box<dyn Log>) {
        let machine = Object::root(self.pid, self.nprocs);
        let recorder = SuperstepRecorder::new(log, machine);
        self.times_itself = self.engine.time_waits(recorder.clock());
        self.recorder = Some(Box::new(recorder));
    }

    /// Makes this a virtual processor, with or without a log, at the begin of its first superstep.
    pub(crate) fn become_virtual(
        &mut self,
        virtual_clock: VirtualClock,
        log: Option<Box<dyn Log>>,
    ) {
        let machine = Object::root(self.pid, self.nprocs);
        self.recorder = Some(Box::new(SuperstepRecorder::of_virtual(virtual_clock, log, machine)));
    }

    /// Whether it is a virtual processor.
    pub fn is_virtual(&self) -> bool {
        self.recorder.as_ref().is_some_and(|recorder| recorder.combine().is_some())
    }

    /// This processor's number, from 0.
    #[inline]
    pub fn pid(&self) -> usize {
        self.pid
    }

    /// The number of processors of the machine.
    #[inline]
    pub fn nprocs(&self) -> usize {
        self.nprocs
    }

    /// Seconds since this processor began, by its own clock.
    pub fn time(&self) -> f64 {
        match self.recorder.as_ref().and_then(|recorder| recorder.virtual_time()) {
            Some(time) => time,
            None => self.began.elapsed().as_secs_f64(),
        }
    }

    /// Channels to the other processors, if the engine has them.
    pub(crate) fn channels(&self) -> Option<Box<dyn Channels>> {
        self.engine.channels()
    }

    /// Stops the machine: all processors end as soon as they notice. Returns whether this call was the first;
    /// its caller gives the reason.
    pub fn stop(&self) -> bool {
        self.engine.stop(None)
    }

    /// As [`Processor::stop`], and gives the reason.
    pub fn stop_because(&self, why: &str) -> bool {
        self.engine.stop(Some(why))
    }

    /// Called after a stop, when this processor's process is about to end. If the end of one process ends all,
    /// it lets the others notice the stop first. `first`: this processor has stopped the machine.
    pub fn before_exit(&self, first: bool) {
        self.engine.before_exit(first);
    }

    /// Ends after a stop; on processor 0 it waits until the others have ended. Returns the processor that
    /// stopped the machine, if it was one, and the reason if one was given.
    pub fn end_after_stop(mut self) -> Option<(Option<usize>, String)> {
        self.engine.end_after_stop().map(|why| (why.processor, why.text))
    }

    #[inline]
    fn checked(&self, pid: usize) -> Result<usize, Misuse> {
        if pid < self.nprocs { Ok(pid) } else { Err(Misuse::NoSuchProcessor(pid, self.nprocs)) }
    }

    /// The state for a processor, with this stream begun, and the source of more chunks.
    fn to(&mut self, pid: usize, stream: Stream) -> (&mut Out, &mut dyn Supply) {
        let out = &mut self.out[pid];
        if !out.stream(stream).is_open() {
            let first = self.engine.begin(pid, stream);
            out.begin(pid, stream, first, &mut self.touched);
        }
        (out, &mut *self.engine)
    }
}

/// Begins a stream to a processor, if that needs no call. Returns whether it did.
#[inline(always)]
fn begin(
    out: &mut Out,
    pid: usize,
    stream: Stream,
    touched: &mut Vec<usize>,
    engine: &mut Carrier,
) -> bool {
    let Carrier::Shared(engine) = engine else { return false };
    if touched.len() == touched.capacity() {
        return false;
    }
    let first = engine.begin(pid, stream);
    out.begin(pid, stream, first, touched);
    true
}
