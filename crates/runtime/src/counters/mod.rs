//! What is recorded of a region beside its time.
//!
//! What is wanted comes from the environment (for all places) and from the clauses
//! `counters(NAME, …)` of places. When the first region begins it is tried, what cannot be had
//! is told, and the rest is the process's list, which does not change any more. Each thread
//! then opens the same for itself. Everything is read before the clock at a region's begin and
//! after it at its end.

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
use cll_trace::observable::{MAX_OBSERVABLES, Observable, Source};

use crate::clock;
use crate::message::Message;
use crate::sys;

pub use thread::Counting;
pub use values::Values;

/// Readings that are timed.
const TIMED: u32 = 64;

/// Samples with extrapolated counts.
static SCALED: AtomicU64 = AtomicU64::new(0);
/// How many observables the records of counted places have.
static COUNT: AtomicU32 = AtomicU32::new(0);
/// Whether all places are counted.
static ALL: AtomicBool = AtomicBool::new(false);

/// How many observables the records of a place have that has so many names in its clause.
pub fn count_of(names: u32) -> usize {
    match names > 0 || ALL.load(Relaxed) {
        true => COUNT.load(Relaxed) as usize,
        false => 0,
    }
}

/// The number of samples with extrapolated counts so far.
pub fn scaled() -> u64 {
    SCALED.load(Relaxed)
}

/// What the process wants and has.
#[derive(Debug, Default)]
pub struct Counters {
    /// Names that were asked for, each once.
    wanted: Vec<String>,
    /// Whether they were asked for by the environment: then all places are counted.
    all: bool,
    /// What there is, once that is known.
    had: Option<Vec<Observable>>,
    /// Names that no clause can add any more, each told once.
    late: Vec<String>,
    /// Whether it was said what cannot be had.
    told: bool,
}

impl Counters {
    pub const fn new() -> Counters {
        Counters { wanted: Vec::new(), all: false, had: None, late: Vec::new(), told: false }
    }

    /// Takes the names of the environment, separated by commas.
    pub fn want_all(&mut self, names: Vec<String>) {
        for name in names {
            self.all = true;
            self.want(&name);
        }
    }

    /// Takes a name of a clause.
    pub fn want(&mut self, name: &str) {
        let known = Observable::parse(name).map_or_else(|| name.to_owned(), |found| found.name);
        if self.wanted.contains(&known) {
            return;
        }
        if self.had.is_some() && !self.late.contains(&known) {
            Message::new()
                .text("counter ")
                .bytes(known.as_bytes())
                .text(" is not recorded: it is asked for by a library that was loaded after the ")
                .text("first region began; name it in CLL_COUNTERS, too")
                .send();
            self.late.push(known);
        } else if self.had.is_none() {
            self.wanted.push(known);
        }
    }

    /// Whether every region goes through the library.
    pub fn counts_all(&self) -> bool {
        self.all && self.had.as_ref().is_none_or(|had| !had.is_empty())
    }

    /// Whether anything was asked for.
    pub fn is_wanted(&self) -> bool {
        !self.wanted.is_empty()
    }

    /// Tries what is wanted, in the calling thread; the table that tells of it.
    pub fn decide(&mut self) -> Vec<u8> {
        let mut refused = Vec::new();
        let mut list: Vec<Observable> = Vec::new();
        for name in &self.wanted {
            let why = match Observable::parse(name) {
                None => Some("there is none of this name; cll counters lists what there is".into()),
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
        let unsaid = refused.iter().filter(|_| !self.told);
        for Refused { name, why } in unsaid {
            Message::new()
                .text("counter ")
                .bytes(name.as_bytes())
                .text(" is not recorded: ")
                .bytes(why.as_bytes())
                .send();
        }
        self.told = true;
        COUNT.store(list.len() as u32, Relaxed);
        ALL.store(self.all, Relaxed);
        let table = list.iter().map(Observable::table).collect();
        self.had = Some(list);
        let table = Meta::Observables(Observables { list: table, read_ns, refused });
        let mut line = table.to_json().into_bytes();
        line.push(b'\n');
        line
    }

    /// How many observables a counted place's records have.
    pub fn count(&self) -> u32 {
        self.had.as_ref().map_or(0, |had| had.len() as u32)
    }

    /// Opens for the calling thread what there is; what cannot be had now is missing in
    /// its records. In pages of its own; null if there is nothing, or no memory.
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
    /// Null or from there, and used no more.
    pub unsafe fn close(counting: *mut Counting, inherited: bool) {
        if counting.is_null() {
            return;
        }
        // SAFETY: by the caller.
        unsafe {
            match inherited {
                true => (*counting).leave_to_parent(),
                false => (*counting).close(),
            }
            sys::unmap(counting.cast(), size_of::<Counting>());
        }
    }

    /// This is a child: everything is to be tried anew.
    pub fn become_child(&mut self) {
        self.had = None;
        COUNT.store(0, Relaxed);
        SCALED.store(0, Relaxed);
    }
}

/// Nanoseconds of one reading of all. Simulated ones take no time that matters.
fn cost(counting: &mut Counting, list: &[Observable]) -> f64 {
    if list.iter().any(|observable| matches!(observable.source, Source::Simulated(_))) {
        return 0.0;
    }
    let mut values = Values::NONE;
    let began = clock::monotonic_ns();
    for _ in 0..TIMED {
        counting.read(&mut values);
    }
    (clock::monotonic_ns() - began) as f64 / f64::from(TIMED)
}
