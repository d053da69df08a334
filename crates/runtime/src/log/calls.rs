//! The log of MPI calls: what the wrapper around them (`mpi/wrapper`) cannot do in C.
//!
//! The wrapper writes records into blocks that it gets here. Tables are written when something occurs for the
//! first time: a place with the path to it, a communicator, a window.

use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int};
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering::*};

use cll_bsp::virtuals::Memory;
use cll_contract as contract;
use cll_mpicc::hash;
use cll_trace::layout::call::{UNRECORDED_SIZE, unrecorded_entry};
use cll_trace::layout::{HEADER_SIZE, KIND_CALLS, KIND_UNRECORDED};
use cll_trace::meta::{self, Meta};

use crate::clock;
use crate::critical_section::{Inside, Lock};
use crate::library::LIBRARY;
use crate::store::Block;
use crate::sys;

use super::modules::Modules;
use super::path::unwind;
use super::turns::{Turns, memory_before};

/// The interface to the wrapper: `CLL_CALLS_VERSION` of `wrapper.h`.
const VERSION: u32 = 6;
/// Paths of a lane that are remembered by their position on the stack; further ones are unwound each time.
const PATHS: usize = 1 << 16;
/// Stretches of ranks in one table, at most.
const STRETCHES: usize = 2000;
/// The key of a communicator whose origin is not known.
const NOWHERE: u64 = u64::MAX;

static CALLS: Lock<Option<Box<Calls>>> = Lock::new(None);

/// The turns of this rank, if it computes in turns. Only the thread that has begun MPI uses them.
static TURNS: AtomicPtr<Turns> = AtomicPtr::new(std::ptr::null_mut());
/// How often the program has read the clock, in any thread.
static ASKED: AtomicU64 = AtomicU64::new(0);
/// The memory of the program before MPI began.
static BEFORE: Lock<Memory> = Lock::new(Memory::NONE);

/// A path in the wrapper: `struct cll_path`.
#[repr(C)]
pub struct Path {
    id: u32,
    count: u32,
    frames: AtomicPtr<(usize, usize)>,
}

/// The calls of this process.
#[derive(Default)]
struct Calls {
    lanes: Vec<LaneOfCalls>,
    /// Written with the first block.
    mpi: Option<meta::Mpi>,
    /// Keys of communicators, by number.
    keys: HashMap<u32, u64>,
    /// How many communicators and windows with these members were made of a communicator.
    siblings: HashMap<(u64, u64), u64>,
    /// Calls without records, in an order of their own.
    counts: Option<Block>,
    counted: Vec<String>,
    /// The cost of recording, with the time that blocks took.
    cost: meta::Cost,
    broken: bool,
    /// In the communicator of all.
    rank: usize,
}

/// The state of a thread.
#[derive(Default)]
struct LaneOfCalls {
    block: Option<Block>,
    sequence: u32,
    modules: Modules,
    /// Which modules are bindings of MPI, between Fortran and C.
    bindings: Vec<bool>,
    known: HashMap<(usize, usize), Vec<&'static Path>>,
    remembered: usize,
    /// Numbers of paths, by return addresses.
    numbers: HashMap<Box<[usize]>, u32>,
    /// For paths that are not remembered.
    passing: Option<Box<Passing>>,
}

/// Uses the calls, if they are recorded.
fn with<T>(what: impl FnOnce(&mut Calls) -> T) -> Option<T> {
    let inside = Inside::enter();
    let mut calls = CALLS.lock(&inside);
    Some(what(calls.as_mut()?))
}

/// The version of this interface.
#[unsafe(no_mangle)]
pub extern "C" fn cll_calls_version() -> u32 {
    VERSION
}

/// Chooses the clock. Returns whether the wrapper may read the processor's counter.
#[unsafe(no_mangle)]
pub extern "C" fn cll_calls_start() -> c_int {
    let inside = Inside::enter();
    LIBRARY.lock(&inside).start();
    *BEFORE.lock(&inside) = memory_before();
    clock::is_counter().into()
}

/// Whether ranks compute in turns.
#[unsafe(no_mangle)]
pub extern "C" fn cll_calls_has_turns() -> c_int {
    sys::setting_or_none(&contract::TURNS).is_some().into()
}

/// MPI has begun, and its log: from now on the calling thread computes in turns. Returns whether it does.
#[unsafe(no_mangle)]
pub extern "C" fn cll_calls_turns() -> c_int {
    let rank = with(|calls| calls.rank).unwrap_or(0);
    let inside = Inside::enter();
    let before = std::mem::take(&mut *BEFORE.lock(&inside));
    let Some(turns) = Turns::open(rank, &before) else { return 0 };
    TURNS.store(Box::into_raw(Box::new(turns)), Release);
    1
}

/// Uses the turns of this rank.
fn in_turns<T: Default>(what: impl FnOnce(&mut Turns) -> T) -> T {
    // SAFETY: made by `cll_calls_turns`, never freed, and used only by the thread that has called that.
    unsafe { TURNS.load(Acquire).as_mut() }.map_or_else(T::default, what)
}

/// The phase of computation has ended. Returns the time of the rank's own clock, in nanoseconds.
#[unsafe(no_mangle)]
pub extern "C" fn cll_calls_pause() -> u64 {
    in_turns(Turns::pause)
}

/// The next phase begins, with a turn.
#[unsafe(no_mangle)]
pub extern "C" fn cll_calls_resume() {
    in_turns(Turns::resume);
}

/// How often this rank was woken.
#[unsafe(no_mangle)]
pub extern "C" fn cll_calls_rings() -> u32 {
    in_turns(|turns| turns.rings())
}

/// Sleeps after an unsuccessful poll, unless the rank was woken since `seen`.
#[unsafe(no_mangle)]
pub extern "C" fn cll_calls_doze(seen: u32, polls: u32) {
    in_turns(|turns| turns.doze(seen, polls));
}

/// Wakes the rank with this number.
#[unsafe(no_mangle)]
pub extern "C" fn cll_calls_ring(rank: c_int) {
    in_turns(|turns| turns.ring(usize::try_from(rank).unwrap_or(usize::MAX)));
}

/// Sleeps until all processes of a communicator have come.
#[unsafe(no_mangle)]
pub extern "C" fn cll_calls_meet(communicator: u32, size: u32) {
    let key = with(|calls| calls.keys.get(&communicator).copied()).flatten();
    if let Some(key) = key {
        in_turns(|turns| turns.meet(key, size));
    }
}

/// The program has read the clock.
#[unsafe(no_mangle)]
pub extern "C" fn cll_calls_ask() {
    ASKED.fetch_add(1, Relaxed);
}

/// MPI has begun. Returns whether calls are recorded.
///
/// # Safety
/// `library` is a string of C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_calls_begin(
    rank: c_int,
    count: c_int,
    library: *const c_char,
    threads: c_int,
    is_started: c_int,
    watched_ns: u64,
) -> c_int {
    // SAFETY: by the caller.
    let library = unsafe { CStr::from_ptr(library) }.to_string_lossy();
    let library = library.lines().next().unwrap_or_default().trim().to_owned();
    let (Ok(number), Ok(processors)) = (usize::try_from(rank), usize::try_from(count)) else {
        return 0;
    };
    let inside = Inside::enter();
    let mut library_of_process = LIBRARY.lock(&inside);
    library_of_process.set_processor(number, processors, "", None);
    if is_started != 0 {
        library_of_process.set_started();
    }
    drop(library_of_process);
    let (rank, ranks, started) = (number as u32, processors as u32, is_started != 0);
    let counted = true;
    let mpi = meta::Mpi { library, rank, ranks, threads, started, watched_ns, counted };
    let calls = Calls { mpi: Some(mpi), rank: number, ..Calls::default() };
    *CALLS.lock(&inside) = Some(Box::new(calls));
    1
}

/// How long ranks compute before MPI is said to have begun, in nanoseconds: an idle virtual machine gets its cores
/// only then (decision 0154).
#[unsafe(no_mangle)]
pub extern "C" fn cll_calls_warm_up() -> u64 {
    let time = sys::setting_or_none(&contract::WARM_UP).unwrap_or_default();
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Returns the time of the loop of independent additions on a core that nobody shares, in nanoseconds; 0: it is not
/// known.
#[unsafe(no_mangle)]
pub extern "C" fn cll_calls_whole_core() -> u64 {
    let time = sys::setting_or_none(&contract::WIDTH).unwrap_or_default();
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Records the time of this loop now, and how long the rank has computed for this in all.
#[unsafe(no_mangle)]
pub extern "C" fn cll_calls_width(ns: u64, spent_ns: u64) {
    with(|record| record.write_table(&Meta::Width(meta::Width { ns, spent_ns })));
}

/// Records the cost of recording: so many calls took so many nanoseconds.
#[unsafe(no_mangle)]
pub extern "C" fn cll_calls_cost(calls: u32, ns: u64) {
    with(|record| {
        record.cost = meta::Cost { calls, ns, blocks_ns: 0 };
        record.write_table(&Meta::Cost(record.cost));
    });
}

/// An empty block for a thread's records, in place of the previous one; null if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn cll_calls_block(lane: u32) -> *mut u8 {
    with(|calls| calls.renew(lane)).flatten().map_or(std::ptr::null_mut(), |block| block.memory)
}

/// The path to a call whose return address is at `entry`; null if there are too many.
#[unsafe(no_mangle)]
pub extern "C" fn cll_calls_path(lane: u32, entry: usize) -> *const Path {
    // SAFETY: the wrapper's caller has put its return address there.
    let returns = unsafe { (entry as *const usize).read() };
    let known = with(|calls| {
        let known = calls.lane(lane).known.get(&(entry, returns))?;
        known.iter().copied().find(|path| path.is_here())
    });
    if let Some(path) = known.flatten() {
        return path;
    }
    let frames = unwind(entry - 1);
    let path = with(|calls| calls.path(lane, (entry, returns), frames)).flatten();
    path.unwrap_or(std::ptr::null())
}

/// A communicator was created, or occurs for the first time. Ranks are those in the communicator of all.
///
/// # Safety
/// `made_by` and `link` are strings of C; the arrays have the given lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_calls_communicator(
    id: u32,
    parent: i64,
    made_by: *const c_char,
    rank: c_int,
    count: c_int,
    ranks: *const c_int,
    remote: c_int,
    others: *const c_int,
    link: *const c_char,
) {
    // SAFETY: by the caller.
    let (made_by, link, ranks, others) = unsafe {
        let list = |ranks: *const c_int, count: c_int| {
            if ranks.is_null() {
                &[][..]
            } else {
                std::slice::from_raw_parts(ranks, count.max(0) as usize)
            }
        };
        let text = |text: *const c_char| CStr::from_ptr(text).to_string_lossy();
        (text(made_by), text(link), list(ranks, count), list(others, remote))
    };
    let parent = u32::try_from(parent).ok();
    with(|calls| calls.communicator(id, parent, (&made_by, &link), rank, ranks, others));
}

/// Writes a text of C into a buffer, cut off if it is too long.
///
/// # Safety
/// The buffer has this much room, at least 1.
unsafe fn write_text(text: &str, to: *mut c_char, room: usize) {
    let bytes = &text.as_bytes()[..text.len().min(room.saturating_sub(1))];
    // SAFETY: by the caller.
    unsafe {
        std::ptr::copy_nonoverlapping(bytes.as_ptr().cast(), to, bytes.len());
        to.add(bytes.len()).write(0);
    }
}

/// The process starts others: a word by which these are known, which no other call has, and the variable with it that
/// they get.
///
/// # Safety
/// The buffers have this much room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_calls_starts(
    link: *mut c_char,
    room: usize,
    setting: *mut c_char,
    setting_room: usize,
) {
    static STARTS: AtomicU64 = AtomicU64::new(0);
    let (process, now, count) =
        (std::process::id(), clock::monotonic_ns(), STARTS.fetch_add(1, Relaxed));
    let word = format!("start {process}.{now}.{count}");
    let name = contract::STARTED_BY.c_name().to_string_lossy();
    // SAFETY: by the caller.
    unsafe {
        write_text(&word, link, room);
        write_text(&format!("{name}={word}"), setting, setting_room);
    }
}

/// The word of the call that has started this process; empty if it is not known.
///
/// # Safety
/// The buffer has this much room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_calls_started_by(link: *mut c_char, room: usize) {
    let word = sys::setting_or_none(&contract::STARTED_BY).unwrap_or_default();
    // SAFETY: by the caller.
    unsafe { write_text(&word.to_string_lossy(), link, room) }
}

/// A window was created for a communicator's processes.
#[unsafe(no_mangle)]
pub extern "C" fn cll_calls_window(id: u32, communicator: u32) {
    with(|calls| {
        let origin = calls.keys.get(&communicator).copied().unwrap_or(NOWHERE);
        let key = calls.next_key(origin, hash([&b"window"[..]]));
        let key = format!("{key:x}");
        calls.write_table(&Meta::Window(meta::Window { id, key, communicator }));
    });
}

/// The number of calls without records of this function, which the wrapper increases; null if there is no room.
///
/// # Safety
/// `name` is a string of C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_calls_unrecorded(name: *const c_char) -> *mut u64 {
    // SAFETY: by the caller.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    with(|calls| calls.unrecorded(&name)).flatten().unwrap_or(std::ptr::null_mut())
}

/// MPI has ended: the blocks of all lanes are complete.
#[unsafe(no_mangle)]
pub extern "C" fn cll_calls_end(_lanes: u32) {
    with(|calls| {
        if let Some(table) = in_turns(|turns| Some(turns.table(ASKED.load(Relaxed)))) {
            calls.write_table(&Meta::Virtual(table));
        }
        if calls.cost.blocks_ns > 0 {
            calls.write_table(&Meta::Cost(calls.cost));
        }
        let inside = Inside::enter();
        let library = LIBRARY.lock(&inside);
        let lanes = calls.lanes.iter_mut().filter_map(|lane| lane.block.take());
        for block in lanes.chain(calls.counts.take()) {
            // SAFETY: the wrapper writes no more.
            unsafe { library.give(block) };
        }
    });
}

impl Path {
    /// Whether the stack has this path now.
    fn is_here(&self) -> bool {
        let frames = self.frames.load(Acquire);
        // SAFETY: this many were kept; the outer part of the stack exists as long as the program's functions.
        cfg!(target_arch = "x86_64")
            && unsafe { std::slice::from_raw_parts(frames, self.count as usize) }.iter().all(
                |&(position, address)| unsafe {
                    (position as *const usize).read_volatile() == address
                },
            )
    }
}

impl Calls {
    fn lane(&mut self, lane: u32) -> &mut LaneOfCalls {
        let index = lane as usize;
        if self.lanes.len() <= index {
            self.lanes.resize_with(index + 1, LaneOfCalls::default);
        }
        &mut self.lanes[index]
    }

    fn renew(&mut self, number: u32) -> Option<Block> {
        if self.broken {
            return None;
        }
        let inside = Inside::enter();
        let begun = clock::monotonic_ns();
        let lane = self.lane(number);
        let old = lane.block.take();
        // SAFETY: the wrapper does not write to it any more.
        let block = unsafe { LIBRARY.lock(&inside).block(KIND_CALLS, number, lane.sequence, old) };
        let took = clock::monotonic_ns() - begun;
        let lane = self.lane(number);
        lane.sequence += 1;
        lane.block = block;
        self.broken = block.is_none();
        self.cost.blocks_ns += if old.is_some() { took } else { 0 };
        if let Some(mpi) = self.mpi.take().filter(|_| !self.broken) {
            self.write_table(&Meta::Mpi(mpi));
        }
        block
    }

    /// The number of calls of this function in the block of such numbers. The block stays where it is.
    fn unrecorded(&mut self, name: &str) -> Option<*mut u64> {
        let place = match self.counted.iter().position(|known| known == name) {
            Some(place) => place,
            None => {
                let entry = unrecorded_entry(name)?;
                let inside = Inside::enter();
                if self.counts.is_none() && !self.broken {
                    // SAFETY: there is no old block.
                    let block = unsafe { LIBRARY.lock(&inside).block(KIND_UNRECORDED, 0, 0, None) };
                    self.counts = block;
                }
                // SAFETY: the block belongs to this.
                if !unsafe { self.counts?.push(&entry) } {
                    return None;
                }
                self.counted.push(name.to_owned());
                self.counted.len() - 1
            }
        };
        // SAFETY: as many entries are in the block, each begins with the number.
        Some(unsafe { self.counts?.memory.add(HEADER_SIZE + place * UNRECORDED_SIZE) }.cast())
    }

    fn write_table(&mut self, table: &Meta) {
        let mut line = table.to_json().into_bytes();
        line.push(b'\n');
        let inside = Inside::enter();
        self.broken = self.broken || !LIBRARY.lock(&inside).write_table(&line);
    }

    /// Remembers a path that is not known by its position.
    fn path(
        &mut self,
        number: u32,
        key: (usize, usize),
        frames: Vec<(usize, usize)>,
    ) -> Option<*const Path> {
        let addresses: Box<[usize]> = frames.iter().map(|frame| frame.1).collect();
        let known = self.lane(number).numbers.get(&addresses).copied();
        let id = match known {
            Some(id) => id,
            None => self.tell_path(number, addresses)?,
        };
        let lane = self.lane(number);
        if lane.remembered == PATHS {
            return Some(lane.pass(id, key));
        }
        lane.remembered += 1;
        let count = frames.len() as u32;
        let frames = AtomicPtr::new(Box::leak(frames.into_boxed_slice()).as_mut_ptr());
        let path: &'static Path = Box::leak(Box::new(Path { id: id + 1, count, frames }));
        lane.known.entry(key).or_default().push(path);
        Some(path)
    }

    fn tell_path(&mut self, number: u32, addresses: Box<[usize]>) -> Option<u32> {
        let lane = self.lane(number);
        let id = lane.numbers.len() as u32;
        if id as usize == PATHS {
            return None;
        }
        let mut path = Vec::new();
        let mut tables = Vec::new();
        for &address in &addresses {
            let (module, offset, new) = lane.modules.find(address);
            if let Some(new) = new {
                lane.bindings.push(is_binding(&new.path));
                tables.push(Meta::Module(meta::Module { processor: number, ..new }));
            }
            path.push((module, offset));
        }
        // A call from Fortran passes through the bindings of MPI: the place is where they were called.
        let inner = path.iter().take_while(|frame| lane.bindings[frame.0 as usize]).count();
        if inner < path.len() {
            path.drain(..inner);
        }
        lane.numbers.insert(addresses, id);
        tables.push(Meta::Point(meta::Point {
            processor: number,
            id,
            path,
            ..meta::Point::default()
        }));
        tables.iter().for_each(|table| self.write_table(table));
        Some(id)
    }

    /// The number of this one among those with the same origin and members.
    fn next_key(&mut self, origin: u64, members: u64) -> u64 {
        let count = self.siblings.entry((origin, members)).or_insert(0);
        *count += 1;
        hash(
            [origin, members, *count].map(u64::to_le_bytes).as_slice().iter().map(|part| &part[..]),
        )
    }

    fn communicator(
        &mut self,
        id: u32,
        parent: Option<u32>,
        (made_by, link): (&str, &str),
        rank: c_int,
        ranks: &[c_int],
        others: &[c_int],
    ) {
        let hash_of = |ranks: &[c_int]| {
            let bytes: Vec<u8> = ranks.iter().flat_map(|rank| rank.to_le_bytes()).collect();
            hash([&bytes[..]])
        };
        let parent_key =
            parent.and_then(|parent| self.keys.get(&parent).copied()).unwrap_or(NOWHERE);
        let key = if made_by == "world" {
            0
        } else if others.is_empty() {
            self.next_key(parent_key, hash_of(ranks))
        } else {
            // Each of both groups sees the other one as the remote one, and they come from different
            // communicators.
            let both = [hash_of(ranks), hash_of(others)];
            let members = [both[0].min(both[1]), both[0].max(both[1])].map(u64::to_le_bytes);
            self.next_key(NOWHERE, hash(members.iter().map(|part| &part[..])))
        };
        self.keys.insert(id, key);
        self.write_table(&Meta::Communicator(meta::Communicator {
            id,
            key: format!("{key:x}"),
            parent: parent.map_or(String::new(), |_| format!("{parent_key:x}")),
            made_by: made_by.to_owned(),
            rank: rank.max(0) as u32,
            size: ranks.len() as u32,
            ranks: stretches(ranks),
            remote_size: others.len() as u32,
            remote: stretches(others),
            link: link.to_owned(),
            linked_ns: if link.is_empty() { 0 } else { clock::monotonic_ns() },
        }));
    }
}

/// A path that is valid until the next one.
struct Passing {
    path: Path,
    frame: (usize, usize),
}

impl LaneOfCalls {
    /// A path that is never found again: it has no return address.
    fn pass(&mut self, id: u32, (entry, returns): (usize, usize)) -> *const Path {
        let new = || {
            let frames = AtomicPtr::new(std::ptr::null_mut());
            Box::new(Passing { path: Path { id: 0, count: 1, frames }, frame: (0, 0) })
        };
        let passing = self.passing.get_or_insert_with(new);
        passing.frame = (entry, !returns);
        passing.path.id = id + 1;
        passing.path.frames.store(&raw mut passing.frame, Release);
        &raw const passing.path
    }
}

/// Whether a module has the Fortran bindings of MPI.
fn is_binding(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    ["libmpi_mpifh", "libmpi_usempi", "libmpichf", "libmpifort"]
        .iter()
        .any(|binding| name.starts_with(binding))
}

/// Ranks as stretches: first, count, distance. Empty if there are too many.
fn stretches(ranks: &[c_int]) -> Vec<(i32, u32, i32)> {
    let mut all: Vec<(i32, u32, i32)> = Vec::new();
    for &rank in ranks {
        match all.last_mut() {
            Some((first, count, step)) if *count == 1 => {
                (*count, *step) = (2, rank - *first);
            }
            Some((first, count, step)) if *first + *count as i32 * *step == rank => *count += 1,
            _ => all.push((rank, 1, 0)),
        }
    }
    if all.len() > STRETCHES {
        all.clear();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_written_as_stretches() {
        assert_eq!(stretches(&[]), []);
        assert_eq!(stretches(&[4]), [(4, 1, 0)]);
        assert_eq!(stretches(&[0, 1, 2, 3, 8, 6, 4]), [(0, 4, 1), (8, 3, -2)]);
        assert_eq!(stretches(&[0, 2, 4, -1]), [(0, 3, 2), (-1, 1, 0)]);
        let scattered: Vec<c_int> = (0..10_000).map(|i| i * i % 9973).collect();
        assert!(stretches(&scattered).is_empty());
    }

    #[test]
    fn communicators_made_in_the_same_way_have_one_key_on_all_processes() {
        // The second of two processes has created a further communicator in between.
        let (mut calls, mut other) = (Calls::default(), Calls::default());
        let (both, own) = (hash([&b"both"[..]]), hash([&b"own"[..]]));
        let first = calls.next_key(0, both);
        other.next_key(0, own);
        assert_eq!(other.next_key(0, both), first);
        assert_ne!(calls.next_key(0, both), first);
    }

    #[test]
    fn bindings_of_fortran_are_known_by_name() {
        assert!(is_binding("/usr/lib/x86_64-linux-gnu/libmpi_mpifh.so.40"));
        assert!(is_binding("/usr/lib/x86_64-linux-gnu/libmpichfort.so.12"));
        assert!(!is_binding("/usr/lib/x86_64-linux-gnu/libmpich.so.12"));
        assert!(!is_binding("./libmpi_mpifh/heat"));
    }
}
