//! Level 1: collective calls, made of messages and one end of a superstep.
//!
//! A processor's part is its last message of the superstep, with a header of a few bytes that identifies the
//! call. The program's own messages of that superstep are kept for it.

use std::ffi::c_void;
use std::fmt;
use std::ptr;

use cll_bsp::{Message, Misuse};

use super::area::{DESTINATION, SOURCE, local};
use super::call::Call;

/// The header of a processor's part; its size keeps what follows aligned.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq)]
struct Envelope {
    mark: u64,
    kind: CallKind,
    root: u32,
}

/// The kind of a superstep that a collective call ends. The headers identify the call and its arguments more
/// exactly; but a processor that makes no collective call must not receive its data.
const COLLECTIVE: u64 = 1;
const MARK: u64 = u64::from_ne_bytes(*b"\xC1ll:bsp1");
const ENVELOPE: usize = size_of::<Envelope>();

#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq)]
struct CallKind(u32);

impl CallKind {
    const BROADCAST: CallKind = CallKind(1);
    const GATHER: CallKind = CallKind(2);
    const SCATTER: CallKind = CallKind(3);
    const FOLD: CallKind = CallKind(4);
    const SCAN: CallKind = CallKind(5);
    const CONDITION: CallKind = CallKind(6);
}

impl Envelope {
    fn new(kind: CallKind, root: usize) -> Envelope {
        Envelope { mark: MARK, kind, root: root as u32 }
    }

    /// The header of a message, if it is a part of a collective call.
    fn from_message(message: &Message) -> Option<Envelope> {
        if message.size < ENVELOPE {
            return None;
        }
        // SAFETY: the message has at least this many bytes; any bytes are a valid value.
        let envelope = unsafe { message.payload.cast::<Envelope>().read_unaligned() };
        (envelope.mark == MARK).then_some(envelope)
    }

    fn bytes(&self) -> [u8; ENVELOPE] {
        // SAFETY: two words of 4 bytes and one of 8, without padding.
        unsafe { std::mem::transmute(*self) }
    }
}

/// A header with the size of its data, printed as the call of the program.
struct Announcement(Envelope, usize);

impl fmt::Display for Announcement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Announcement(Envelope { kind, root, .. }, size) = self;
        match *kind {
            CallKind::BROADCAST => write!(f, "bsp_bcast with root {root} and {size} bytes"),
            CallKind::GATHER => write!(f, "bsp_gather with root {root} and {size} bytes"),
            CallKind::SCATTER => write!(f, "bsp_scatter with root {root} and {size} bytes"),
            CallKind::FOLD => write!(f, "bsp_fold with {size} bytes"),
            CallKind::SCAN => write!(f, "bsp_scan with {size} bytes"),
            _ => write!(f, "bsp_all or bsp_any"),
        }
    }
}

/// Sends each processor what `goes` to it, ends the superstep, and returns what has arrived from those from
/// which something `comes`, by processor. Each has `size` bytes in the library's memory, valid until the next
/// superstep ends. A processor sends nothing to itself.
///
/// # Safety
/// The data of `goes` have `size` bytes.
unsafe fn exchange(
    call: Call,
    envelope: Envelope,
    size: usize,
    goes: impl Fn(usize) -> Option<*const u8>,
    comes: impl Fn(usize) -> bool,
) -> Vec<*mut u8> {
    let part = call.part();
    let (pid, nprocs) = (part.processor.pid(), part.processor.nprocs());
    let tag = call.must(room(part.processor.sent_tag_size()));
    let mut letter: Vec<u8> = call.must(room(ENVELOPE + size));
    let mut inside = None;
    for to in (0..nprocs).filter(|&to| to != pid) {
        let Some(source) = goes(to) else { continue };
        if inside != Some(source) {
            inside = Some(source);
            letter.clear();
            letter.extend_from_slice(&envelope.bytes());
            if size > 0 {
                // SAFETY: by the caller.
                letter.extend_from_slice(unsafe { std::slice::from_raw_parts(source, size) });
            }
        }
        // SAFETY: the tag has the tag size.
        let sent = unsafe { part.processor.send(to, tag.as_ptr(), letter.as_ptr(), letter.len()) };
        call.must(sent);
    }
    call.must(part.sync_collective(call.place, COLLECTIVE));
    let mut arrived = vec![ptr::null_mut(); nprocs];
    while let Some(message) = part.processor.take() {
        part.kept.push_back(message);
    }
    for from in (0..nprocs).filter(|&from| from != pid) {
        let last = part.kept.iter().rposition(|message| message.source == from);
        let received =
            last.and_then(|index| Some((index, Envelope::from_message(&part.kept[index])?)));
        let Some((index, header)) = received else {
            if comes(from) {
                call.fail(format_args!(
                    "processor {from} did not make this call in this superstep"
                ));
            }
            continue;
        };
        let there = part.kept[index].size - ENVELOPE;
        if header != envelope || there != size || !comes(from) {
            call.fail(format_args!(
                "processor {from} called {}, this one {}",
                Announcement(header, there),
                Announcement(envelope, size)
            ));
        }
        if let Some(message) = part.kept.remove(index) {
            // SAFETY: the message is longer than that.
            arrived[from] = unsafe { message.payload.add(ENVELOPE) };
        }
    }
    arrived
}

/// A vector of `count` default values.
fn room<T: Clone + Default>(count: usize) -> Result<Vec<T>, Misuse> {
    let mut room = Vec::new();
    let reserved = room.try_reserve_exact(count);
    reserved.map_err(|error| Misuse::NoMemory(error.to_string()))?;
    room.resize(count, T::default());
    Ok(room)
}

/// The caller's number and the number of processors; checks that `root` is one of them.
fn numbers(call: Call, root: usize) -> (usize, usize) {
    let part = call.part();
    let (pid, nprocs) = (part.processor.pid(), part.processor.nprocs());
    if root >= nprocs {
        call.fail(Misuse::NoSuchProcessor(root, nprocs));
    }
    (pid, nprocs)
}

fn has_bytes(call: Call, address: *const u8, size: usize, what: &'static str) {
    if size > 0 {
        call.must(local(address, what));
    }
}

/// Copies; the places may overlap, and may be null if `size` is 0.
///
/// # Safety
/// Both have `size` bytes.
unsafe fn copy(source: *const u8, destination: *mut u8, size: usize) {
    if size > 0 {
        // SAFETY: by the caller.
        unsafe { ptr::copy(source, destination, size) };
    }
}

/// bsp_bcast.
///
/// # Safety
/// The source on `root` and the destination have `size` bytes.
pub unsafe fn broadcast(
    call: Call,
    root: usize,
    source: *const u8,
    destination: *mut u8,
    size: usize,
) {
    let (pid, _) = numbers(call, root);
    has_bytes(call, destination, size, DESTINATION);
    if pid == root {
        has_bytes(call, source, size, SOURCE);
    }
    let envelope = Envelope::new(CallKind::BROADCAST, root);
    let goes = |_| (pid == root).then_some(source);
    // SAFETY: by the caller.
    unsafe {
        let arrived = exchange(call, envelope, size, goes, |from| from == root);
        let value = if pid == root { source } else { arrived[root] };
        copy(value, destination, size);
    }
}

/// bsp_gather.
///
/// # Safety
/// The source has `size` bytes, the destination on `root` as many for each processor.
pub unsafe fn gather(
    call: Call,
    root: usize,
    source: *const u8,
    destination: *mut u8,
    size: usize,
) {
    let (pid, nprocs) = numbers(call, root);
    has_bytes(call, source, size, SOURCE);
    if pid == root {
        has_bytes(call, destination, size, DESTINATION);
    }
    let envelope = Envelope::new(CallKind::GATHER, root);
    let goes = |to| (to == root).then_some(source);
    // SAFETY: by the caller.
    unsafe {
        let arrived = exchange(call, envelope, size, goes, |_| pid == root);
        if pid != root {
            return;
        }
        // The source may be in the destination: the processor's own part is copied first.
        copy(source, destination.wrapping_add(pid * size), size);
        for from in (0..nprocs).filter(|&from| from != pid) {
            copy(arrived[from], destination.wrapping_add(from * size), size);
        }
    }
}

/// bsp_scatter.
///
/// # Safety
/// The source on `root` has `size` bytes for each processor, the destination `size`.
pub unsafe fn scatter(
    call: Call,
    root: usize,
    source: *const u8,
    destination: *mut u8,
    size: usize,
) {
    let (pid, _) = numbers(call, root);
    has_bytes(call, destination, size, DESTINATION);
    if pid == root {
        has_bytes(call, source, size, SOURCE);
    }
    let envelope = Envelope::new(CallKind::SCATTER, root);
    let goes = |to| (pid == root).then_some(source.wrapping_add(to * size));
    // SAFETY: by the caller.
    unsafe {
        let arrived = exchange(call, envelope, size, goes, |from| from == root);
        let own = if pid == root { source.wrapping_add(pid * size) } else { arrived[root] };
        copy(own, destination, size);
    }
}

/// bsp_fold, and with `prefix` bsp_scan. `combine(result, left, right)` is the program's.
///
/// # Safety
/// Source and destination have `size` bytes, which is what `combine` reads and writes.
pub unsafe fn fold(
    call: Call,
    prefix: bool,
    combine: Option<impl Fn(*mut c_void, *mut c_void, *mut c_void)>,
    source: *const u8,
    destination: *mut u8,
    size: usize,
) {
    let (pid, nprocs) = numbers(call, 0);
    let Some(combine) = combine else { call.fail(Misuse::NullPointer("the operator")) };
    has_bytes(call, source, size, SOURCE);
    has_bytes(call, destination, size, DESTINATION);
    let envelope = Envelope::new(if prefix { CallKind::SCAN } else { CallKind::FOLD }, 0);
    let goes = |to| (!prefix || to > pid).then_some(source);
    let comes = |from| !prefix || from < pid;
    // SAFETY: by the caller.
    let mut values = unsafe { exchange(call, envelope, size, goes, comes) };
    if size == 0 {
        return;
    }
    values[pid] = source.cast_mut();
    let last = if prefix { pid } else { nprocs - 1 };
    // Results are in memory that is neither operand, aligned for every type.
    let mut result: Vec<u128> = call.must(room(size.div_ceil(16)));
    let mut left: Vec<u128> = call.must(room(size.div_ceil(16)));
    // SAFETY: by the caller; the vectors have `size` bytes.
    unsafe {
        copy(values[0], result.as_mut_ptr().cast(), size);
        for &right in &values[1..=last] {
            std::mem::swap(&mut left, &mut result);
            combine(result.as_mut_ptr().cast(), left.as_mut_ptr().cast(), right.cast());
        }
        copy(result.as_ptr().cast(), destination, size);
    }
}

/// The conditions of all processors, by number.
pub fn conditions(call: Call, condition: bool) -> impl Iterator<Item = bool> {
    let (pid, _) = numbers(call, 0);
    let own = i32::from(condition);
    let source = ptr::from_ref(&own).cast();
    let envelope = Envelope::new(CallKind::CONDITION, 0);
    // SAFETY: the number has this many bytes, here and there.
    let arrived = unsafe { exchange(call, envelope, size_of::<i32>(), |_| Some(source), |_| true) };
    arrived.into_iter().enumerate().map(move |(from, value)| {
        if from == pid {
            condition
        } else {
            // SAFETY: as above.
            unsafe { value.cast::<i32>().read_unaligned() != 0 }
        }
    })
}
