//! The state of the library in a process, and what happens when a thread needs a block.

mod callbacks;

use std::ffi::{OsStr, c_int};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering::*};

use cll_bsp::Maker;
use cll_contract::{self as contract, Engine, WrongValue};
use cll_trace::layout::{KIND_SAMPLES, MAX_PLACES, NO_PARENT};
use cll_trace::live::RANKS;
use cll_trace::meta::{End, Meta, ThreadEnds};

use crate::abi::{self, EPOCH, EPOCH_STEP, FAST, IDLE, OUTSIDE, PARENT_SHIFT, SLOW, Thread};
use crate::clock;
use crate::counters::{self, Counters};
use crate::critical_section::Lock;
use crate::hooks;
use crate::keep_loaded;
use crate::lane::{Lane, Lanes};
use crate::message::Message;
use crate::mpi::{self, Launcher, launcher};
use crate::order;
use crate::store::{Block, Exhausted, LockedFolder, Member, Pool, Problem, Store};
use crate::switches;
use crate::sys;
use crate::tables::{self, ProcessTable, Registered, Units};

/// Bytes that a region initially reserves for regions inside it.
const FIRST_RESERVE: usize = 1024;

/// The library in this process.
pub static LIBRARY: Lock<Library> = Lock::new(Library::new());

/// Samples that could not be recorded.
static DROPPED: AtomicU64 = AtomicU64::new(0);

/// Counts a sample that could not be recorded.
pub fn drop_sample() {
    DROPPED.fetch_add(1, Relaxed);
}

/// The data that [`LIBRARY`] locks.
pub struct Library {
    started: bool,
    /// It has given up: nothing is measured any more.
    broken: bool,
    /// The trace has the size that it may have: nothing more is measured, but it is completed.
    is_full: bool,
    /// The program was built with `--auto`, and nobody asked for its trace.
    is_unasked: bool,
    /// The gate.
    on: bool,
    /// Whether the tables of this process are written.
    open: bool,
    /// Whether it was reported that samples are dropped because there are no blocks.
    reported_held: bool,
    store: Store,
    lanes: Lanes,
    table: Option<ProcessTable>,
    /// The table with the processor's number; empty if it is none.
    processor: Vec<u8>,
    /// The rank in the run, if each processor may write a file of its own.
    rank: Option<usize>,
    /// The number of processors; 0 if it is none.
    processors: usize,
    units: Units,
    /// In how many passages of each place a thread has ended.
    thread_ends: Vec<u64>,
    counters: Counters,
    /// The table about the observables; empty if there are none.
    observables: Vec<u8>,
    /// Further lines of tables.
    lines: Vec<Vec<u8>>,
    folder: Vec<u8>,
    program: Vec<u8>,
    /// Whether a program has started the process.
    is_started: bool,
    /// The launcher's folder does not exist on this host.
    elsewhere: bool,
}

/// The state of a process before its records are gathered.
#[derive(Clone, Copy, Debug)]
pub struct RecordingState {
    /// A launcher takes away what it records.
    pub launched: bool,
    /// A thread is in a measured region.
    pub in_region: bool,
    /// The library has given up.
    pub broken: bool,
}

/// The files that a process has written.
#[derive(Clone, Debug)]
pub struct TraceFiles {
    /// Their folder, and their names before the number.
    pub folder: Vec<u8>,
    pub program: Vec<u8>,
    /// The file; `None` if the process recorded nothing.
    pub path: Option<Vec<u8>>,
    pub host: String,
}

impl Library {
    const fn new() -> Library {
        Library {
            started: false,
            broken: false,
            is_full: false,
            is_unasked: false,
            on: true,
            open: false,
            reported_held: false,
            store: Store::new(),
            lanes: Lanes::new(),
            table: None,
            processor: Vec::new(),
            rank: None,
            processors: 0,
            units: Units::new(),
            thread_ends: Vec::new(),
            counters: Counters::new(),
            observables: Vec::new(),
            lines: Vec::new(),
            folder: Vec::new(),
            program: Vec::new(),
            is_started: false,
            elsewhere: false,
        }
    }

    /// Reads the environment and chooses the clock. Called once, when the first unit is registered.
    pub fn start(&mut self) {
        if self.started {
            return;
        }
        self.started = true;
        let cwd = std::env::current_dir().unwrap_or_else(|_| ".".into());
        let cwd = cwd.into_os_string().into_encoded_bytes();
        self.folder = match sys::variable(contract::OUT.c_name()) {
            None | Some(b"") => cwd.clone(),
            Some(folder) if folder[0] == b'/' => folder.to_vec(),
            Some(folder) => [&cwd, folder].join(&b"/"[..]),
        };
        if let Some(other) = beside_launchers(&self.folder) {
            self.folder =
                if Path::new(OsStr::from_bytes(&other)).is_dir() { other } else { cwd.clone() };
            self.elsewhere = true;
        }
        let path = tables::program_path();
        let name = path.rsplit('/').next().filter(|name| !name.is_empty());
        self.program = name.unwrap_or("program").into();
        // Virtual times are nanoseconds, in records beside those of the clock.
        let wanted = match sys::setting_or_none(&contract::ENGINE) {
            Some(Engine::Virtual) => Ok(Some(contract::Clock::Monotonic)),
            _ => sys::setting(&contract::CLOCK),
        };
        let (clock, problem) = clock::choose(wanted);
        if let Some(problem) = problem {
            Message::new().text(problem).text("; the clock is ").text(name_of(clock)).send();
        }
        self.counters.want_all(sys::setting_or_none(&contract::COUNTERS).unwrap_or_default());
        self.on = sys::setting_or_none(&contract::GATE) != Some(false);
        let order = order::choose(sys::setting(&contract::ORDER));
        let mut table = ProcessTable::new(clock, &order, self.on, &cwd);
        let (pid, parent_pid, start) = tables::identity();
        table.identify(pid, parent_pid, start);
        self.table = Some(table);
        self.store.process = pid;
        self.store.pool = match sys::setting(&contract::SHM_FD) {
            Ok(number) => number.and_then(attach),
            Err(WrongValue(number)) => {
                tell_of_memory(number);
                None
            }
        };
        if let Some(pool) = self.store.pool.as_ref().filter(|_| keep_loaded::is_in_shared_object())
        {
            self.store.library = pool.number_library();
        }
        if self.store.pool.is_none() && !self.elsewhere && !is_launchers(&self.folder) {
            self.store.limit = limit();
        }
        hooks::install(&callbacks::CALLBACKS);
        self.set_flags();
    }

    /// Opens or closes the gate.
    pub fn set_on(&mut self, on: bool) {
        self.on = on;
        self.set_flags();
    }

    /// Numbers the places of a unit and keeps them.
    ///
    /// # Safety
    /// As [`Units::register`].
    pub unsafe fn register(&mut self, unit: &mut abi::Unit) {
        // Tests and other programs run it as well, and it may record gigabytes.
        let is_asked = || sys::variable(contract::OUT.c_name()).is_some_and(|out| !out.is_empty());
        if unit.automatic != 0 && self.store.pool.is_none() && !is_asked() {
            self.is_unasked = true;
            self.set_flags();
        }
        // SAFETY: by the caller.
        match unsafe { self.units.register(unit, &mut self.counters) } {
            Ok(Registered { base, new }) => {
                unit.base = base;
                // Here, since a thread that ends should allocate nothing.
                self.thread_ends.resize(self.units.places(), 0);
                if let Some(index) = new.filter(|_| self.open) {
                    self.units.set_observables(index, self.counters.count());
                }
                if let Some(index) = new.filter(|_| self.open && !self.broken) {
                    let written = self.store.write_tables(self.units.lines(index));
                    self.finish(written);
                }
            }
            Err(refusal) => {
                let message = Message::new();
                self.give_up(match refusal {
                    tables::Refusal::Version(version) => message
                        .text("a source file was translated for version ")
                        .number(u64::from(version))
                        .text(" of cll.h and this library is version ")
                        .number(u64::from(abi::VERSION)),
                    tables::Refusal::Places => message
                        .text("there are more than ")
                        .number(u64::from(MAX_PLACES))
                        .text(" places where an experiment is measured"),
                });
            }
        }
    }

    /// A program has started this process, so it is not of the run that `cll run` has numbered.
    pub fn set_started(&mut self) {
        self.is_started = true;
    }

    /// From now on this process is a processor of a parallel program. `engine`: of a BSP program. `maker`: what it has
    /// in common with the other processors, if a machine of this process or of one that has started it began it.
    pub fn set_processor(
        &mut self,
        number: usize,
        count: usize,
        engine: &str,
        maker: Option<Maker>,
    ) {
        let by_launcher = || launcher().map(|_| mpi::job());
        // One trace has them all if a launcher takes away what they record.
        let by_machine =
            || maker.filter(|_| self.store.pool.is_none()).map(|maker| maker.to_string());
        let job = by_launcher().or_else(by_machine).unwrap_or_default();
        let table = tables::processor(number, count, job.clone(), engine);
        if table == self.processor {
            return;
        }
        self.rank = (!job.is_empty()).then(|| launcher().map_or(number, |launcher| launcher.rank));
        self.processor = table;
        self.processors = count;
        if self.open && !self.broken {
            let written = self.store.write_tables(std::iter::once(self.processor.as_slice()));
            self.finish(written);
        }
    }

    /// Keeps a line of tables that is written once there are samples, such as that of a report.
    pub fn keep(&mut self, line: Vec<u8>) {
        if self.broken || self.lines.contains(&line) {
            return;
        }
        if self.open {
            let written = self.store.write_tables(std::iter::once(line.as_slice()));
            self.finish(written);
        }
        self.lines.push(line);
    }

    /// Gives the thread a block with room for a record of `size` bytes; `false` if there is none. `nested`: the
    /// time counts in an outer region of the thread.
    ///
    /// # Safety
    /// `thread` belongs to the calling thread.
    pub unsafe fn renew(&mut self, thread: *mut Thread, size: usize, nested: bool) -> bool {
        // SAFETY: it belongs to the caller; no signal handler runs meanwhile.
        let thread = unsafe { &mut *thread };
        // First: a region in a handler that runs next reads the word.
        switches::begin(thread);
        self.start();
        if self.store.process != sys::pid() {
            if !hooks::memory_is_a_copy() {
                return false;
            }
            self.become_child(thread);
        }
        let ready = !self.broken && !self.is_full && (self.open || self.begin());
        let done = ready && self.attach(thread, size, nested);
        if !done {
            thread.starve();
        }
        done
    }

    /// An empty block for records of another kind than samples, in place of `old`, which is complete; `None` if
    /// there is none.
    ///
    /// # Safety
    /// As [`Store::renew`].
    pub unsafe fn block(
        &mut self,
        kind: u16,
        thread: u32,
        sequence: u32,
        old: Option<Block>,
    ) -> Option<Block> {
        self.start();
        if self.store.process != sys::pid() {
            // SAFETY: it belongs to the calling thread.
            self.become_child(unsafe { &mut *abi::this_thread() });
        }
        if self.broken || self.is_full || !(self.open || self.begin()) {
            return None;
        }
        // SAFETY: by the caller.
        let block = unsafe { self.store.renew(kind, thread, sequence, old) };
        if let Err(problem) = block {
            self.finish(Err(problem));
        }
        block.ok()
    }

    /// A block from [`Library::block`] is complete.
    ///
    /// # Safety
    /// Nobody writes to it any more.
    pub unsafe fn give(&self, block: Block) {
        // SAFETY: by the caller.
        unsafe { self.store.give(block) };
    }

    /// Writes a line of tables. Returns whether that was successful.
    pub fn write_table(&mut self, line: &[u8]) -> bool {
        let written = self.store.write_tables(std::iter::once(line));
        self.finish(written)
    }

    /// The thread ends: the next one continues in its block.
    pub fn thread_ends(&mut self, thread: *mut Thread) {
        for lane in self.lanes.all().filter(|lane| lane.owner == thread) {
            lane.owner = ptr::null_mut();
            let counting = std::mem::replace(&mut lane.counting, ptr::null_mut());
            // SAFETY: the thread is the calling one, and is in no region any more.
            unsafe { Counters::close(counting, false) };
        }
        // SAFETY: it has not ended yet.
        let thread = unsafe { &mut *thread };
        let place = usize::from((thread.context >> PARENT_SHIFT) as u16);
        if abi::depth(thread.context) > 0
            && let Some(count) = self.thread_ends.get_mut(place)
        {
            *count += 1;
        }
        // Destructors that the system calls later may have regions.
        thread.context = (OUTSIDE & !EPOCH) | (thread.context & EPOCH);
        thread.away = 0;
        thread.detach();
        thread.lane = ptr::null_mut();
    }

    /// The program ends normally. Threads that still run keep their blocks.
    pub fn exit(&mut self) {
        if !self.open || self.broken || self.store.process != sys::pid() {
            return;
        }
        let thread = abi::this_thread();
        let mut places = Vec::new();
        for lane in self.lanes.all() {
            if !lane.owner.is_null() {
                places.extend(innermost(lane.owner));
            }
            let at_rest = lane.owner.is_null() || lane.owner == thread;
            if let Some(block) = lane.block.take_if(|_| at_rest) {
                // SAFETY: its thread has ended or is this one.
                unsafe { self.store.give(block) };
            }
        }
        // SAFETY: it belongs to this thread.
        unsafe { (*thread).detach() };
        let thread_ends = self.thread_ends.iter().zip(0..).filter(|(count, _)| **count > 0);
        let end = End {
            open: places,
            thread_ends: thread_ends.map(|(&count, place)| ThreadEnds { place, count }).collect(),
            dropped: DROPPED.load(Relaxed),
            samples: None,
            scaled: counters::scaled(),
        };
        let mut line = Meta::End(end).to_json().into_bytes();
        line.push(b'\n');
        let written = self.store.write_tables(std::iter::once(line.as_slice()));
        self.finish(written);
    }

    /// Returns the state that the other processes ask for before records are gathered.
    pub fn recording_state(&mut self) -> RecordingState {
        let threads = self.lanes.all().filter(|lane| !lane.owner.is_null());
        let in_region = threads.filter_map(|lane| innermost(lane.owner)).next().is_some();
        RecordingState { launched: self.store.pool.is_some(), in_region, broken: self.broken }
    }

    /// Ends the trace before the program ends: what comes later is not measured.
    pub fn conclude(&mut self) -> TraceFiles {
        let is_ours = self.open && self.store.process == sys::pid();
        self.exit();
        self.broken = true;
        self.set_flags();
        TraceFiles {
            folder: self.folder.clone(),
            program: self.program.clone(),
            path: is_ours.then(|| self.store.file.path().to_vec()),
            host: tables::host(),
        }
    }

    /// This is a child process: it has its own trace and its own blocks, and the regions that its parent began
    /// do not belong to it.
    pub fn become_child(&mut self, thread: &mut Thread) {
        if self.store.pool.is_none() {
            for block in self.lanes.all().filter_map(|lane| lane.block) {
                // SAFETY: nobody in this process writes there.
                unsafe { sys::unmap(block.memory, block.capacity) };
            }
        }
        for lane in self.lanes.all() {
            // SAFETY: only this one of the counting threads is left, and its lane is removed.
            unsafe { Counters::close(lane.counting, true) };
        }
        self.counters.become_child();
        self.lanes = Lanes::new();
        self.store.file.leave_to_parent();
        self.open = false;
        self.processor.clear();
        self.rank = None;
        self.processors = 0;
        let (pid, parent_pid, start) = tables::identity();
        self.store.process = pid;
        if let Some(table) = &mut self.table {
            table.identify(pid, parent_pid, start);
        }
        DROPPED.store(0, Relaxed);
        self.thread_ends.fill(0);
        thread.detach();
        thread.lane = ptr::null_mut();
        let epoch = (thread.context & EPOCH).wrapping_add(EPOCH_STEP) & EPOCH;
        thread.context = (OUTSIDE & !EPOCH) | epoch;
        thread.away = 0;
    }

    /// Writes the tables, before the first sample.
    fn begin(&mut self) -> bool {
        self.observables.clear();
        if self.counters.is_wanted() {
            self.observables = self.counters.decide();
            self.units.set_observables(0, self.counters.count());
            // If none of the observables for all places is available, regions need no calls.
            self.set_flags();
        }
        if self.units.mpi
            && self.processor.is_empty()
            && let Some(Launcher { rank, ranks, .. }) = launcher()
        {
            self.rank = Some(rank);
            self.processor = tables::processor(rank, ranks, mpi::job(), "");
            self.processors = ranks;
        }
        let Some(table) = &mut self.table else { return false };
        table.set_processors(match (self.processors, self.units.openmp) {
            (0, true) => abi::openmp_threads(),
            (count, _) => u32::try_from(count.max(1)).unwrap_or(u32::MAX),
        });
        let member = self.rank.filter(|_| self.store.pool.is_none()).map(|rank| {
            let run = run_number().filter(|_| !self.is_started);
            Member { rank, line: self.processor.clone(), run }
        });
        // Until the tables are written, by which the others recognise the run.
        let turn = member.as_ref().filter(|member| member.run.is_none());
        let turn = turn.map(|_| LockedFolder::wait(&self.folder));
        let begun = self.store.begin(&self.folder, &self.program, member.as_ref()).and_then(|()| {
            let observables = Some(&self.observables[..]).filter(|line| !line.is_empty());
            let processor = Some(&self.processor[..]).filter(|line| !line.is_empty());
            let first = std::iter::once(table.line()).chain(processor).chain(observables);
            let lines = first.chain(self.units.lines(0));
            self.store.write_tables(lines.chain(self.lines.iter().map(Vec::as_slice)))
        });
        drop(turn);
        self.open = self.finish(begun);
        if self.open && self.elsewhere && is_first_here() {
            Message::new()
                .text("the launcher's folder is not on ")
                .text(&tables::host())
                .text(": its processes record in ")
                .bytes(&self.folder)
                .text(" there (")
                .bytes(&self.program)
                .text(".cll.*.dat); a `report` gathers their records, otherwise copy their files to the others")
                .send();
        }
        self.open
    }

    fn attach(&mut self, thread: &mut Thread, size: usize, nested: bool) -> bool {
        let owner: *mut Thread = thread;
        // SAFETY: lanes are never freed, and this one belongs to the thread.
        let lane = match unsafe { thread.lane.cast::<Lane>().as_mut() } {
            Some(lane) => lane,
            None => match self.lanes.take(owner) {
                Some(lane) => lane,
                None => return false,
            },
        };
        if thread.lane.is_null() {
            thread.lane = ptr::from_mut(lane).cast();
            thread.reserve = FIRST_RESERVE;
            hooks::watch(owner);
            lane.counting = self.counters.open();
        } else if nested && thread.has_block() {
            // The regions inside the outermost ones of this thread need more than was reserved.
            thread.reserve = thread.reserve.saturating_mul(2).min(1 << 30);
        }
        if let Some(block) = lane.block.filter(|_| !thread.has_block()) {
            // SAFETY: the block belongs to the lane, the lane to the thread.
            unsafe { thread.attach(block.memory, block.capacity) };
        }
        if thread.has_block() && thread.next < thread.soft && thread.next + size <= thread.end {
            return true;
        }
        thread.detach();
        // SAFETY: only this thread has written to the block.
        let block = unsafe {
            self.store.renew(KIND_SAMPLES, lane.number, lane.sequence, lane.block.take())
        };
        if !self.finish(block.map(drop)) {
            return false;
        }
        let Ok(block) = block else { return false };
        lane.sequence += 1;
        lane.block = Some(block);
        // SAFETY: as above.
        unsafe { thread.attach(block.memory, block.capacity) };
        thread.next + size <= thread.end
    }

    /// Whether the result is a success; reports an error.
    fn finish(&mut self, result: Result<(), Problem>) -> bool {
        let Err(problem) = result else { return true };
        let message = self.store.explain(problem, Message::new());
        if problem == Problem::Full {
            message.text("; measuring is switched off, the program continues").send();
            self.is_full = true;
            self.set_flags();
        } else if problem != Problem::Pool(Exhausted::Held) {
            self.give_up(message);
        } else {
            // Other threads will get one when a thread ends; another wait would only take time.
            self.store.patient = false;
            if !self.reported_held {
                message.text("; the samples of some are dropped and counted").send();
            }
            self.reported_held = true;
        }
        false
    }

    fn give_up(&mut self, message: Message) {
        let message = match launcher().filter(|_| self.store.pool.is_none()) {
            Some(_) => message.text(" (on ").text(&tables::host()).text(")"),
            None => message,
        };
        message
            .text("; measuring is switched off, the program continues")
            .text(if self.store.pool.is_some() { "" } else { FOLDER_HINT })
            .send();
        self.broken = true;
        self.set_flags();
    }

    fn set_flags(&self) {
        if self.started {
            let inline = clock::is_counter() && !self.counters.counts_all();
            let is_measured = self.on && !self.broken && !self.is_full && !self.is_unasked;
            let flags = match (is_measured, inline) {
                (false, _) => IDLE,
                (true, true) => FAST,
                (true, false) => SLOW,
            };
            abi::flags().store(flags, Release);
        }
    }
}

/// Where a process writes if its launcher's folder does not exist on this host: beside it. `None`: it exists.
fn beside_launchers(folder: &[u8]) -> Option<Vec<u8>> {
    let path = Path::new(OsStr::from_bytes(folder));
    if !is_launchers(folder) || path.is_dir() {
        return None;
    }
    Some(path.parent()?.as_os_str().as_bytes().to_vec())
}

/// Whether `cll run` has made the folder.
fn is_launchers(folder: &[u8]) -> bool {
    let name = Path::new(OsStr::from_bytes(folder)).file_name();
    name.is_some_and(|name| name.as_bytes().starts_with(RANKS.as_bytes()))
}

/// The largest size of a trace without a launcher.
fn limit() -> u64 {
    /// The default, bytes.
    const LIMIT: u64 = 256_000_000;
    match sys::setting(&contract::LIMIT) {
        Ok(Some(0)) => u64::MAX,
        Ok(given) => given.unwrap_or(LIMIT),
        Err(_) => {
            Message::new().text("CLL_LIMIT must be a number of bytes; it is 256000000").send();
            LIMIT
        }
    }
}

/// The number that `cll run` has given the run.
fn run_number() -> Option<u32> {
    sys::setting_or_none(&contract::RUN)
}

/// Whether this is the first of the launcher's processes on this host, or this is not known.
fn is_first_here() -> bool {
    let local = [c"OMPI_COMM_WORLD_LOCAL_RANK", c"MPI_LOCALRANKID", c"PMIX_LOCAL_RANK"];
    local.into_iter().find_map(sys::variable).is_none_or(|rank| rank == b"0")
}

const FOLDER_HINT: &str = " (CLL_OUT chooses the folder of the trace)";

/// The launcher's memory, by the number of its descriptor.
fn attach(number: c_int) -> Option<Pool> {
    let pool = Pool::attach(number);
    if pool.is_none() {
        tell_of_memory(number.to_string().as_bytes());
    }
    pool
}

fn tell_of_memory(number: &[u8]) {
    Message::new()
        .text("the memory of the launcher (CLL_SHM_FD=")
        .bytes(number)
        .text(") cannot be used; the trace goes to a file of this process")
        .send();
}

fn name_of(clock: cll_trace::meta::Clock) -> &'static str {
    match clock {
        cll_trace::meta::Clock::Tsc => "tsc",
        cll_trace::meta::Clock::Cntvct => "cntvct",
        _ => "mono",
    }
}

/// The place of the innermost open region of a thread that may have ended.
fn innermost(thread: *const Thread) -> Option<u32> {
    let mut context = [0; 8];
    let address = thread as usize + std::mem::offset_of!(Thread, context);
    let context = sys::peek(address, &mut context).then(|| u64::from_ne_bytes(context))?;
    let place = (context >> PARENT_SHIFT) as u16;
    (abi::depth(context) > 0 && place != NO_PARENT).then_some(u32::from(place))
}
