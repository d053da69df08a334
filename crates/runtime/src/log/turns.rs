//! Turns of ranks of MPI that compute one after the other on the same cores.
//!
//! The ranks of a host share a file. A rank computes only while it has a turn; there are as many turns as cores are used,
//! and each belongs to a core. A rank that enters a call of MPI gives its turn back, and takes one again when the call
//! returns. In a call it sleeps between polls; a message wakes its receiver. Processes of a collective sleep until the
//! last one has come, and then do it together.

use std::fs::OpenOptions;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::*};

use cll_bsp::virtuals::{Memory, Phases, private_cache};
use cll_contract as contract;
use cll_trace::meta;

use crate::sys;

const MAX_TURNS: usize = 256;
/// Ranks of a host that can have turns.
const MAX_RANKS: usize = 4096;
/// Groups of processes that can meet at a time.
const MEETINGS: usize = 1 << 12;
/// How long a rank waits for a turn before it looks whether those that have one do anything.
const LOOK_NS: u64 = 300_000_000;
/// The sleep after the first unsuccessful poll, and after many.
const DOZE_NS: (u64, u64) = (20_000, 4_000_000);
/// Polls of a lock before the core is yielded.
const SPINS: u32 = 100;
/// A turn without a core, given since the others sleep.
const EXTRA: u32 = u32::MAX - 1;
const NO_TURN: u32 = u32::MAX;
/// In the queue: the rank does not wait any more.
const GONE: u32 = u32::MAX;

/// The state that the ranks of a host share; all zero at first.
#[repr(C)]
struct Shared {
    /// The process that changes what follows.
    lock: AtomicU32,
    /// Number of turns.
    count: AtomicU32,
    first: AtomicU64,
    last: AtomicU64,
    cores: [AtomicU32; MAX_TURNS],
    /// The process that has each turn; 0: none.
    holders: [AtomicU32; MAX_TURNS],
    queue: [AtomicU32; MAX_RANKS],
    ranks: [RankState; MAX_RANKS],
    meetings: [Meeting; MEETINGS],
}

#[repr(C)]
struct RankState {
    process: AtomicU32,
    /// The turn + 1 that another one has given to it.
    granted: AtomicU32,
    /// How often it was woken.
    rings: AtomicU32,
    sleeps: AtomicU32,
}

/// The processes of a collective.
#[repr(C)]
struct Meeting {
    /// 0: free.
    key: AtomicU64,
    came: AtomicU32,
    generation: AtomicU32,
}

/// The turns of this rank.
pub struct Turns {
    shared: &'static Shared,
    rank: usize,
    turn: u32,
    extra: u64,
    phases: Phases,
    zero_ns: u64,
}

/// The memory that was there before MPI began.
pub fn memory_before() -> Memory {
    match sys::setting_or_none(&contract::TURNS) {
        Some(_) => Memory::now(),
        None => Memory::default(),
    }
}

impl Turns {
    /// For a rank whose program had this memory before MPI began; `None` if it has no turns.
    pub fn open(rank: usize, before: &Memory) -> Option<Turns> {
        let path = sys::setting_or_none(&contract::TURNS)?;
        let shared = Shared::map(Path::new(path)).filter(|_| rank < MAX_RANKS)?;
        let cores = sys::setting_or_none(&contract::CORES);
        shared.set_up(cores.map_or(usize::MAX, |cores| cores as usize));
        shared.ranks[rank].process.store(std::process::id(), Relaxed);
        let cache = sys::setting_or_none(&contract::CACHE).or_else(private_cache).unwrap_or(0);
        let phases = Phases::new(shared.count.load(Relaxed), cache, before);
        let zero_ns = crate::clock::monotonic_ns() + 1_000_000_000;
        Some(Turns { shared, rank, turn: NO_TURN, extra: 0, phases, zero_ns })
    }

    /// The phase ends and the turn is given back. Returns the time of the rank's own clock, in nanoseconds.
    pub fn pause(&mut self) -> u64 {
        let now = self.zero_ns + self.phases.stop();
        let turn = std::mem::replace(&mut self.turn, NO_TURN);
        if turn != NO_TURN {
            self.shared.roam();
            self.shared.give(turn);
        }
        now
    }

    /// Takes a turn; the next phase begins.
    pub fn resume(&mut self) {
        self.turn = self.shared.take(self.rank);
        self.extra += u64::from(self.turn == EXTRA);
        self.phases.start();
    }

    /// How often this rank was woken.
    pub fn rings(&self) -> u32 {
        self.shared.ranks[self.rank].rings.load(Acquire)
    }

    /// Sleeps after the `polls`-th unsuccessful poll, unless it was woken since `seen`.
    pub fn doze(&self, seen: u32, polls: u32) {
        let state = &self.shared.ranks[self.rank];
        let limit = (DOZE_NS.0 << polls.min(20)).min(DOZE_NS.1);
        state.sleeps.store(1, SeqCst);
        futex_wait(&state.rings, seen, limit);
        state.sleeps.store(0, Relaxed);
    }

    /// Wakes another rank.
    pub fn ring(&self, rank: usize) {
        if let Some(state) = self.shared.ranks.get(rank) {
            state.rings.fetch_add(1, SeqCst);
            if state.sleeps.load(SeqCst) != 0 {
                futex_wake(&state.rings, 1);
            }
        }
    }

    /// Sleeps until `size` processes of the group with this key have come.
    pub fn meet(&self, key: u64, size: u32) {
        let key = key.wrapping_add(1).max(1);
        let start = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as usize;
        let joined = self.shared.locked(|| {
            let places = (0..MEETINGS).map(|step| (start + step) % MEETINGS);
            let place = places
                .into_iter()
                .find(|&place| [0, key].contains(&self.shared.meetings[place].key.load(Relaxed)))?;
            let meeting = &self.shared.meetings[place];
            meeting.key.store(key, Relaxed);
            let came = meeting.came.load(Relaxed) + 1;
            let generation = meeting.generation.load(Relaxed);
            let is_last = came >= size;
            meeting.came.store(if is_last { 0 } else { came }, Relaxed);
            if is_last {
                meeting.generation.store(generation.wrapping_add(1), Release);
            }
            Some((meeting, generation, is_last))
        });
        let Some((meeting, generation, is_last)) = joined else { return };
        if is_last {
            futex_wake(&meeting.generation, i32::MAX);
            return;
        }
        while meeting.generation.load(Acquire) == generation {
            futex_wait(&meeting.generation, generation, LOOK_NS);
        }
    }

    /// Returns the table of the cost of running the rank. The program has read the clock `asked` times.
    pub fn table(&self, asked: u64) -> meta::Virtual {
        let totals = self.phases.totals();
        meta::Virtual {
            asked,
            extra: self.extra,
            ..super::virtual_table(self.rank as u32, &totals)
        }
    }
}

impl Shared {
    /// The file of this host, as long as it must be.
    fn map(path: &Path) -> Option<&'static Shared> {
        let file = OpenOptions::new().read(true).write(true).open(path).ok()?;
        let size = size_of::<Shared>();
        file.set_len(size as u64).ok()?;
        // SAFETY: a new mapping of a file of this size; all of its fields are atomic, and zero is valid for them. It is never
        // unmapped.
        unsafe {
            let access = libc::PROT_READ | libc::PROT_WRITE;
            let memory = libc::mmap(
                std::ptr::null_mut(),
                size,
                access,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                0,
            );
            (memory != libc::MAP_FAILED).then(|| &*memory.cast::<Shared>())
        }
    }

    /// Creates at most this many turns, if no other rank has.
    fn set_up(&self, wanted: usize) {
        self.locked(|| {
            if self.count.load(Relaxed) > 0 {
                return;
            }
            let cores = all_cores();
            let count = wanted.min(cores.len().max(1)).min(MAX_TURNS);
            for (place, core) in self.cores[..count].iter().enumerate() {
                core.store(cores.get(place).copied().unwrap_or(0) as u32, Relaxed);
            }
            self.count.store(count as u32, Release);
        });
    }

    fn turns(&self) -> usize {
        (self.count.load(Relaxed) as usize).min(MAX_TURNS)
    }

    fn locked<T>(&self, change: impl FnOnce() -> T) -> T {
        let own = std::process::id();
        let mut polls = 0;
        while let Err(other) = self.lock.compare_exchange(0, own, Acquire, Relaxed) {
            polls += 1;
            if polls < SPINS {
                std::hint::spin_loop();
                continue;
            }
            // SAFETY: signal 0 only asks whether the process exists.
            let is_dead = polls % 1000 == 0 && unsafe { libc::kill(other as i32, 0) } != 0;
            if is_dead && self.lock.compare_exchange(other, own, Acquire, Relaxed).is_ok() {
                break;
            }
            std::thread::yield_now();
        }
        let changed = change();
        self.lock.store(0, Release);
        changed
    }

    /// Gives a turn to the rank that has waited longest.
    fn give(&self, turn: u32) {
        if turn == EXTRA {
            return;
        }
        if let Some(next) = self.locked(|| self.pass_on(turn)) {
            self.grant(turn, next);
        }
    }

    /// The rank that gets this turn. The lock is held.
    fn pass_on(&self, turn: u32) -> Option<usize> {
        let holder = &self.holders[turn as usize % MAX_TURNS];
        loop {
            let first = self.first.load(Relaxed);
            if first == self.last.load(Relaxed) {
                holder.store(0, Relaxed);
                return None;
            }
            self.first.store(first + 1, Relaxed);
            let next = self.queue[first as usize % MAX_RANKS].load(Relaxed);
            if next != GONE {
                let process = self.ranks[next as usize].process.load(Relaxed);
                holder.store(process, Relaxed);
                return Some(next as usize);
            }
        }
    }

    fn grant(&self, turn: u32, to: usize) {
        let state = &self.ranks[to];
        if turn != EXTRA {
            let core = self.cores[turn as usize % MAX_TURNS].load(Relaxed) as usize;
            put_on(state.process.load(Relaxed) as libc::pid_t, &[core]);
        }
        state.granted.store(turn + 1, Release);
        futex_wake(&state.granted, 1);
    }

    /// Lets the calling rank run on all cores of turns.
    fn roam(&self) {
        let cores = self.cores[..self.turns()].iter().map(|core| core.load(Relaxed) as usize);
        put_on(0, &cores.collect::<Vec<_>>());
    }

    fn take(&self, rank: usize) -> u32 {
        let process = std::process::id();
        let taken = self.locked(|| {
            let free = self.holders[..self.turns()].iter().position(|u32| u32.load(Relaxed) == 0);
            match free {
                Some(turn) => self.holders[turn].store(process, Relaxed),
                None => {
                    let last = self.last.load(Relaxed);
                    self.queue[last as usize % MAX_RANKS].store(rank as u32, Relaxed);
                    self.last.store(last + 1, Relaxed);
                }
            }
            free
        });
        if let Some(turn) = taken {
            put_on(0, &[self.cores[turn].load(Relaxed) as usize]);
            return turn as u32;
        }
        let state = &self.ranks[rank];
        let mut passed = self.first.load(Relaxed);
        loop {
            let granted = state.granted.swap(0, Acquire);
            if granted != 0 {
                return granted - 1;
            }
            futex_wait(&state.granted, 0, LOOK_NS);
            if state.granted.load(Relaxed) == 0 {
                // If nobody got a turn meanwhile, those that have one may all sleep, or be gone.
                let now = self.first.load(Relaxed);
                if now == std::mem::replace(&mut passed, now)
                    && let Some(turn) = self.additional(rank)
                {
                    return turn;
                }
            }
        }
    }

    /// A turn of a process that is gone, or one in addition if all that have one sleep.
    #[cold]
    fn additional(&self, rank: usize) -> Option<u32> {
        self.locked(|| {
            let mut turn = Some(EXTRA);
            for (place, holder) in self.holders[..self.turns()].iter().enumerate() {
                match state_of(holder.load(Relaxed)) {
                    None => {
                        holder.store(std::process::id(), Relaxed);
                        turn = Some(place as u32);
                        break;
                    }
                    Some('S' | 'T' | 't' | 'D') => {}
                    Some(_) => turn = None,
                }
            }
            // Another one may have given a turn to this rank meanwhile.
            let (first, last) = (self.first.load(Relaxed), self.last.load(Relaxed));
            let places = (first..last).map(|index| &self.queue[index as usize % MAX_RANKS]);
            let own = places.into_iter().find(|place| place.load(Relaxed) == rank as u32);
            match (turn, own) {
                (Some(turn), Some(own)) => {
                    own.store(GONE, Relaxed);
                    Some(turn)
                }
                _ => None,
            }
        })
    }
}

/// The state of a process's first thread, as `/proc` has it; `None` if there is no such process.
fn state_of(process: u32) -> Option<char> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name is in parentheses and may have any characters.
    text.rsplit_once(')')?.1.trim_start().chars().next().filter(|state| !"ZX".contains(*state))
}

/// The cores that the system lets this process use, whatever a launcher has bound it to; the one that it runs on first.
fn all_cores() -> Vec<usize> {
    put_on(0, &(0..libc::CPU_SETSIZE as usize).collect::<Vec<_>>());
    // SAFETY: the set is plain data, and its size is passed.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        if libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set) != 0 {
            return Vec::new();
        }
        (0..libc::CPU_SETSIZE as usize).filter(|&core| libc::CPU_ISSET(core, &set)).collect()
    }
}

/// Restricts a process to these cores. If the system refuses, nothing changes.
fn put_on(process: libc::pid_t, cores: &[usize]) {
    // SAFETY: the set is plain data, and its size is passed.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        cores.iter().for_each(|&core| libc::CPU_SET(core, &mut set));
        libc::sched_setaffinity(process, size_of::<libc::cpu_set_t>(), &raw const set);
    }
}

fn futex_wait(word: &AtomicU32, value: u32, limit_ns: u64) {
    let time = libc::timespec {
        tv_sec: (limit_ns / 1_000_000_000) as libc::time_t,
        tv_nsec: (limit_ns % 1_000_000_000) as libc::c_long,
    };
    // SAFETY: the word and the time exist until the call returns.
    unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, value, &raw const time)
    };
}

fn futex_wake(word: &AtomicU32, count: i32) {
    // SAFETY: the word is in a mapping that is never removed.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, count) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_goes_to_the_one_that_has_waited_longest() {
        let path = std::env::temp_dir().join(format!("cll-turns-{}", std::process::id()));
        std::fs::write(&path, "").unwrap();
        let shared = Shared::map(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        shared.set_up(1);
        assert_eq!(shared.turns(), 1);
        shared
            .ranks
            .iter()
            .take(3)
            .for_each(|state| state.process.store(std::process::id(), Relaxed));
        let turn = shared.take(0);
        assert_eq!(turn, 0);
        std::thread::scope(|scope| {
            let handle = scope.spawn(|| shared.take(1));
            while shared.last.load(Relaxed) < 1 {
                std::thread::yield_now();
            }
            let other = scope.spawn(|| shared.take(2));
            while shared.last.load(Relaxed) < 2 {
                std::thread::yield_now();
            }
            shared.give(turn);
            let turn = handle.join().unwrap();
            assert_eq!(shared.first.load(Relaxed), 1, "the second one still waits");
            shared.give(turn);
            shared.give(other.join().unwrap());
        });
        assert_eq!(shared.holders[0].load(Relaxed), 0);
    }
}
