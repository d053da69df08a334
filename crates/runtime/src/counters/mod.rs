//! Defines what is recorded of a region in addition to its time.
//!
//! Observables are requested by the environment (for all places) and by the clauses `counters(NAME, …)` of
//! places. When the first region begins they are tried, those that are not available are reported, and the rest
//! is the list of the process, which does not change any more. Each thread then opens the list for itself. All
//! observables are read before the clock at the beginning of a region, and after it at the end.

mod papi;
mod perf;
mod simulation;
mod starts;
mod system;
mod thread;
mod values;

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::*};

use cll_trace::meta::{Meta, Observables, Refused};
use cll_trace::observable::{MAX_OBSERVABLES, Observable, ObservableSource};

use crate::clock;
use crate::message::Message;
use crate::sys;

pub use thread::Counting;
pub use values::Values;

/// Readings that are timed.
const TIMED_READINGS: u32 = 64;
/// In so many batches.
const TIMED_BATCHES: u32 = 8;

/// Samples with extrapolated counts.
static SCALED: AtomicU64 = AtomicU64::new(0);
/// Number of observables in records of counted places.
static COUNT: AtomicU32 = AtomicU32::new(0);
/// Whether all places are counted.
static ALL: AtomicBool = AtomicBool::new(false);

/// The number of observables in the records of a place with `names` names in its clause.
pub fn count_of(names: u32) -> usize {
    if names > 0 || ALL.load(Relaxed) { COUNT.load(Relaxed) as usize } else { 0 }
}

/// The number of samples with extrapolated counts so far.
pub fn scaled() -> u64 {
    SCALED.load(Relaxed)
}

/// The requested and the available observables of the process.
#[derive(Debug, Default)]
pub struct Counters {
    /// Requested names, each once.
    wanted: Vec<String>,
    /// Whether the environment has requested them: then all places are counted.
    all: bool,
    /// The available observables, once they are known.
    had: Option<Vec<Observable>>,
    /// Names that come too late in a clause, each reported once.
    late: Vec<String>,
    /// Whether the unavailable observables were reported.
    is_reported: bool,
}

impl Counters {
    pub const fn new() -> Counters {
        Counters { wanted: Vec::new(), all: false, had: None, late: Vec::new(), is_reported: false }
    }

    /// Takes over names of the environment.
    pub fn want_all(&mut self, names: Vec<String>) {
        for name in names {
            self.all = true;
            self.want(&name);
        }
    }

    /// Takes over a name of a clause.
    pub fn want(&mut self, name: &str) {
        let known =
            Observable::parse(name).map_or_else(|| name.to_owned(), |observable| observable.name);
        if self.wanted.contains(&known) {
            return;
        }
        if self.had.is_some() && !self.late.contains(&known) {
            Message::new()
                .text("counter ")
                .bytes(known.as_bytes())
                .text(" is not recorded: it is requested by a library that was loaded after the ")
                .text("first region began; name it in CLL_COUNTERS, too")
                .send();
            self.late.push(known);
        } else if self.had.is_none() {
            self.wanted.push(known);
        }
    }

    /// Whether every region is measured by calls of the library.
    pub fn counts_all(&self) -> bool {
        self.all && self.had.as_ref().is_none_or(|had| !had.is_empty())
    }

    /// Whether anything was requested.
    pub fn is_wanted(&self) -> bool {
        !self.wanted.is_empty()
    }

    /// Tries the requested observables in the calling thread. Returns the table about them.
    pub fn decide(&mut self) -> Vec<u8> {
        let mut refused = Vec::new();
        let mut list: Vec<Observable> = Vec::new();
        for name in &self.wanted {
            let why = match Observable::parse(name) {
                None => Some("there is no counter with this name; cll counters lists all".into()),
                Some(_) if list.len() == MAX_OBSERVABLES => {
                    Some(format!("at most {MAX_OBSERVABLES} can be recorded at a time"))
                }
                Some(observable) => {
                    list.push(observable);
                    None
                }
            };
            refused.extend(why.map(|why| Refused { name: name.clone(), why }));
        }
        let mut read_ns = 0.0;
        loop {
            let mut trial = Counting::CLOSED;
            let failures = trial.open(&list);
            if failures.is_empty() {
                read_ns = if list.is_empty() { read_ns } else { cost(&mut trial, &list) };
            }
            trial.close();
            let done = failures.is_empty();
            for (name, why) in failures {
                list.retain(|observable| observable.name != name);
                refused.push(Refused { name, why });
            }
            if done {
                break;
            }
        }
        let unreported = refused.iter().filter(|_| !self.is_reported);
        for Refused { name, why } in unreported {
            Message::new()
                .text("counter ")
                .bytes(name.as_bytes())
                .text(" is not recorded: ")
                .bytes(why.as_bytes())
                .send();
        }
        self.is_reported = true;
        COUNT.store(list.len() as u32, Relaxed);
        ALL.store(self.all, Relaxed);
        let table = list.iter().map(Observable::table).collect();
        self.had = Some(list);
        let table = Meta::Observables(Observables { list: table, read_ns, refused });
        let mut line = table.to_json().into_bytes();
        line.push(b'\n');
        line
    }

    /// The number of observables in the records of a counted place.
    pub fn count(&self) -> u32 {
        self.had.as_ref().map_or(0, |had| had.len() as u32)
    }

    /// Opens the available observables for the calling thread; those that cannot be opened now are missing in
    /// its records. The result is in separate pages; null if there is nothing, or no memory.
    pub fn open(&self) -> *mut Counting {
        let Some(had) = self.had.as_ref().filter(|had| !had.is_empty()) else {
            return ptr::null_mut();
        };
        let Ok(memory) = sys::pages(size_of::<Counting>()) else { return ptr::null_mut() };
        let counting = memory.cast::<Counting>();
        // SAFETY: new pages, which begin at a multiple of a page.
        unsafe {
            counting.write(Counting::CLOSED);
            (*counting).open(had);
        }
        counting
    }

    /// Closes what [`Counters::open`] opened. `inherited`: in a child of a fork.
    ///
    /// # Safety
    /// It is null or the result of `open`, and is not used any more.
    pub unsafe fn close(counting: *mut Counting, inherited: bool) {
        if counting.is_null() {
            return;
        }
        // SAFETY: by the caller.
        unsafe {
            if inherited {
                (*counting).leave_to_parent()
            } else {
                (*counting).close()
            }
            sys::unmap(counting.cast(), size_of::<Counting>());
        }
    }

    /// This is a child process: everything must be tried again.
    pub fn become_child(&mut self) {
        self.had = None;
        COUNT.store(0, Relaxed);
        SCALED.store(0, Relaxed);
    }
}

/// Nanoseconds for one reading of all observables. Simulated ones take no relevant time.
fn cost(counting: &mut Counting, list: &[Observable]) -> f64 {
    if list.iter().any(|observable| matches!(observable.source, ObservableSource::Simulated(_))) {
        return 0.0;
    }
    let mut values = Values::NONE;
    // A batch that was interrupted took longer.
    let batch = || {
        let began = clock::monotonic_ns();
        for _ in 0..TIMED_READINGS / TIMED_BATCHES {
            counting.read(&mut values);
        }
        clock::monotonic_ns() - began
    };
    let least = std::iter::repeat_with(batch).take(TIMED_BATCHES as usize).min();
    least.unwrap_or(0) as f64 / f64::from(TIMED_READINGS / TIMED_BATCHES)
}
