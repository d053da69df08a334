use std::sync::atomic::Ordering::*;

use cll_trace::observable::{
    MAX_OBSERVABLES, MISSING, Observable, ObservableSource, SIMULATED_EVENTS,
};

use crate::sys;

use super::papi::Set;
use super::perf::{self, EventGroup};
use super::simulation::Simulation;
use super::starts::{NOBODY, Starts};
use super::system::{Io, Memory, cpu_time};
use super::values::Values;

/// The counters of a thread. They do not move, and belong only to the thread while it runs.
#[derive(Debug)]
pub struct Counting {
    /// Number of observables; 0 if it is closed.
    count: usize,
    readers: [CounterReader; MAX_OBSERVABLES],
    groups: [EventGroup; MAX_OBSERVABLES],
    sets: [Set; MAX_OBSERVABLES],
    io: Io,
    memory: Memory,
    simulation: Simulation,
    starts: Starts,
    /// Depth of the innermost open region that is counted.
    innermost: u32,
}

/// How the value of an observable is obtained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CounterReader {
    /// It could not be opened in this thread.
    Nothing,
    CpuTime,
    Switches,
    Memory,
    Io(&'static str),
    Perf {
        group: usize,
        member: usize,
    },
    Papi {
        set: usize,
        member: usize,
    },
    Simulation {
        event: usize,
    },
}

impl Counting {
    pub const CLOSED: Counting = Counting {
        count: 0,
        readers: [CounterReader::Nothing; MAX_OBSERVABLES],
        groups: [EventGroup::EMPTY; MAX_OBSERVABLES],
        sets: [Set::EMPTY; MAX_OBSERVABLES],
        io: Io::CLOSED,
        memory: Memory::CLOSED,
        simulation: Simulation::CLOSED,
        starts: Starts::NONE,
        innermost: NOBODY,
    };

    /// Opens all observables of the list for the calling thread. Returns those that could not be opened, with
    /// the reasons.
    pub fn open(&mut self, list: &[Observable]) -> Vec<(String, String)> {
        let mut failures = Vec::new();
        self.count = list.len().min(MAX_OBSERVABLES);
        for (index, observable) in list.iter().take(self.count).enumerate() {
            match self.reader(&observable.source) {
                Ok(reader) => self.readers[index] = reader,
                Err(why) => failures.push((observable.name.clone(), why)),
            }
        }
        for set in self.sets.iter().filter(|set| set.count > 0) {
            if let Err(why) = set.start() {
                let of_papi = list
                    .iter()
                    .filter(|observable| matches!(observable.source, ObservableSource::Papi(_)));
                failures.extend(of_papi.map(|observable| (observable.name.clone(), why.clone())));
                break;
            }
        }
        failures
    }

    fn reader(&mut self, source: &ObservableSource) -> Result<CounterReader, String> {
        match source {
            ObservableSource::CpuTime => Ok(CounterReader::CpuTime),
            ObservableSource::Switches => Ok(CounterReader::Switches),
            ObservableSource::MemoryPeak => {
                let opened = self.memory.open(&mut self.io);
                opened
                    .map(|()| CounterReader::Memory)
                    .map_err(|error| refused("/proc/self/clear_refs cannot be written to", error))
            }
            ObservableSource::Io(line) => {
                let opened = self.io.open();
                opened
                    .map(|()| CounterReader::Io(line))
                    .map_err(|error| refused("/proc/thread-self/io cannot be read", error))
            }
            ObservableSource::Perf(event) => {
                let mut first = None;
                for (group, counted) in self.groups.iter_mut().enumerate() {
                    if counted.count > 0 && !counted.takes(*event) {
                        continue;
                    }
                    let alone = counted.count == 0;
                    match counted.add(*event) {
                        Ok(()) => {
                            return Ok(CounterReader::Perf { group, member: counted.count - 1 });
                        }
                        // An event that does not fit into a group with others may fit into a separate one.
                        Err(error) if !alone => first = first.or(Some(error)),
                        Err(error) => return Err(perf::explain(*event, first.unwrap_or(error))),
                    }
                }
                Err("there are too many groups of events".to_owned())
            }
            ObservableSource::Papi(name) => {
                let mut first = None;
                for (set, counted) in self.sets.iter_mut().enumerate() {
                    let alone = counted.count == 0;
                    match counted.add(name) {
                        Ok(()) => {
                            return Ok(CounterReader::Papi { set, member: counted.count - 1 });
                        }
                        Err(why) if !alone => first = first.or(Some(why)),
                        Err(why) => return Err(why),
                    }
                }
                Err(first.unwrap_or_default())
            }
            ObservableSource::Simulated(name) => {
                if self.simulation.open() {
                    let event = SIMULATED_EVENTS.iter().position(|event| event == name);
                    Ok(CounterReader::Simulation { event: event.unwrap_or(0) })
                } else {
                    Err("the program does not run under callgrind: --simulate-caches of cll \
                              run and cll model does that"
                        .to_owned())
                }
            }
        }
    }

    /// A counted region begins, with `depth` regions around it; `frame` is its frame's address.
    pub fn begin(&mut self, depth: u32, frame: usize) {
        let mut values = Values::NONE;
        self.read(&mut values);
        while self.innermost != NOBODY && self.innermost >= depth {
            self.innermost = self.starts.entry(self.innermost).map_or(NOBODY, |start| start.around);
        }
        let around = self.innermost;
        if let Some(memory) = self.memory_index() {
            // The region around it keeps its count so far.
            if around != NOBODY
                && let Some(start) = self.starts.entry(around)
            {
                highest(&mut start.values.raw[memory], values.raw[memory]);
            }
            let _ = self.memory.begin_anew(&mut self.io);
            values.raw[memory] = 0;
        }
        if let Some(start) = self.starts.entry(depth) {
            (start.values, start.frame, start.around) = (values, frame, around);
            self.innermost = depth;
        }
        self.simulation_goes_on();
    }

    /// The region ends. Writes the count of each observable; those that did not begin here are missing.
    pub fn end(&mut self, depth: u32, frame: usize, had: &mut [u64; MAX_OBSERVABLES]) {
        let mut now = Values::NONE;
        self.read(&mut now);
        let memory = self.memory_index();
        let Some(start) = self.starts.entry(depth).copied().filter(|start| start.frame == frame)
        else {
            return;
        };
        self.innermost = start.around;
        let mut scaled = false;
        let pairs = now.raw.iter().zip(&start.values.raw).enumerate();
        for (had, (index, pair)) in had.iter_mut().zip(pairs).take(self.count) {
            *had = match pair {
                (&MISSING, _) | (_, &MISSING) => MISSING,
                (&now, &before) if memory == Some(index) => now.max(before),
                (last, &first) => {
                    let count = last.wrapping_sub(first);
                    let enabled = now.enabled[index].wrapping_sub(start.values.enabled[index]);
                    let running = now.running[index].wrapping_sub(start.values.running[index]);
                    scaled |= running < enabled;
                    extrapolated(count, enabled, running)
                }
            };
        }
        if scaled {
            super::SCALED.fetch_add(1, Relaxed);
        }
        if let Some(memory) = memory
            && start.around != NOBODY
            && let Some(around) = self.starts.entry(start.around)
        {
            highest(&mut around.values.raw[memory], had[memory]);
        }
    }

    /// The region's record is written.
    pub fn simulation_goes_on(&self) {
        if self.readers[..self.count]
            .iter()
            .any(|reader| matches!(reader, CounterReader::Simulation { .. }))
        {
            self.simulation.go_on();
        }
    }

    fn memory_index(&self) -> Option<usize> {
        self.readers[..self.count].iter().position(|reader| *reader == CounterReader::Memory)
    }

    /// Reads all observables once.
    pub fn read(&mut self, values: &mut Values) {
        let readers = self.readers;
        let readers = &readers[..self.count];
        if readers.iter().any(|reader| matches!(reader, CounterReader::Simulation { .. })) {
            self.simulation.read();
        }
        let mut text = [0; 512];
        let mut length = None;
        let mut group_read: (usize, Option<perf::Reading>) = (usize::MAX, None);
        let mut set_read = (usize::MAX, [0; MAX_OBSERVABLES]);
        for (index, reader) in readers.iter().enumerate() {
            values.raw[index] = match *reader {
                CounterReader::Nothing => MISSING,
                CounterReader::CpuTime => cpu_time(),
                CounterReader::Switches => sys::switches_against_its_will(),
                CounterReader::Memory => self.memory.peak(&mut self.io),
                CounterReader::Io(line) => {
                    let length = *length.get_or_insert_with(|| self.io.read(&mut text));
                    self.io.value(&text[..length], line)
                }
                CounterReader::Perf { group, member } => {
                    if group_read.0 != group {
                        group_read = (group, self.groups[group].read(&mut self.io));
                    }
                    match &group_read.1 {
                        None => MISSING,
                        Some(reading) => {
                            values.enabled[index] = reading.enabled;
                            values.running[index] = reading.running;
                            reading.values[member]
                        }
                    }
                }
                CounterReader::Papi { set, member } => {
                    if set_read.0 != set {
                        set_read.0 =
                            if self.sets[set].read(&mut set_read.1) { set } else { usize::MAX };
                    }
                    if set_read.0 == set { set_read.1[member] as u64 } else { MISSING }
                }
                CounterReader::Simulation { event } => self.simulation.value(event),
            };
        }
    }

    /// Closes all of them.
    pub fn close(&mut self) {
        self.groups.iter_mut().for_each(EventGroup::close);
        self.sets.iter_mut().for_each(Set::close);
        self.close_files();
    }

    /// Closes what this child of a fork has inherited; PAPI's sets belong to its parent.
    pub fn leave_to_parent(&mut self) {
        self.groups.iter_mut().for_each(EventGroup::close);
        self.close_files();
    }

    fn close_files(&mut self) {
        self.io.close();
        self.memory.close();
        self.simulation.close();
        self.starts.free();
        *self = Counting::CLOSED;
    }
}

/// Extrapolates the count of the whole time from that of a part of it.
fn extrapolated(count: u64, enabled: u64, running: u64) -> u64 {
    match (enabled, running) {
        (enabled, running) if running >= enabled => count,
        (_, 0) => MISSING,
        _ => (count as f64 * (enabled as f64 / running as f64)).round() as u64,
    }
}

fn highest(value: &mut u64, other: u64) {
    if *value != MISSING {
        *value = if other == MISSING { MISSING } else { other.max(*value) };
    }
}

fn refused(what: &str, error: sys::Errno) -> String {
    let mut buffer = [0; 96];
    format!("{what}: {}", String::from_utf8_lossy(sys::describe(error, &mut buffer)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_events_that_took_turns_are_extrapolated() {
        assert_eq!(extrapolated(100, 0, 0), 100);
        assert_eq!(extrapolated(100, 50, 50), 100);
        assert_eq!(extrapolated(100, 50, 25), 200);
        assert_eq!(extrapolated(1 << 50, 3, 1), 3 << 50);
        assert_eq!(extrapolated(100, 50, 0), MISSING);
    }

    #[test]
    fn nested_regions_keep_their_own_beginnings() {
        let list: Vec<Observable> =
            ["cpu-time", "memory-peak"].iter().filter_map(|n| Observable::parse(n)).collect();
        let mut counting = Counting::CLOSED;
        assert_eq!(counting.open(&list), []);
        let mut had = [0; MAX_OBSERVABLES];
        let touch = |length: usize| {
            let pages = sys::pages(length).unwrap();
            // SAFETY: our own pages.
            unsafe { pages.write_bytes(1, length) };
            // SAFETY: as above.
            unsafe { sys::unmap(pages, length) };
        };
        counting.begin(0, 8);
        touch(256 << 20);
        counting.begin(2, 7);
        touch(64 << 20);
        counting.end(2, 7, &mut had);
        let inner = had;
        counting.begin(2, 6);
        counting.end(2, 6, &mut had);
        let second = had;
        counting.end(0, 8, &mut had);
        assert!(had[0] > inner[0] + second[0], "{had:?} {inner:?}");
        // Kibibytes: what came before the inner region is not in its peak, but in the outer's.
        assert!(had[1] > inner[1] + 100_000 && inner[1] > second[1] + 20_000, "{had:?} {inner:?}");
        // A region that has not begun.
        had = [MISSING; MAX_OBSERVABLES];
        counting.end(0, 9, &mut had);
        assert_eq!(had, [MISSING; MAX_OBSERVABLES]);
        counting.close();
    }
}
