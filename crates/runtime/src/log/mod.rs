//! The log of supersteps, requested by `CLL_LOG` or `cll run --log`.
//!
//! Each processor has a block of records in the launcher's memory or in its own file, like samples; so
//! everything that a killed processor has written remains. Tables are written when something occurs for the
//! first time: a machine, a place with the path to it, a set of partners.

mod calls;
mod modules;
mod own;
mod path;
mod turns;

use std::collections::HashMap;

use cll_bsp::Place;
use cll_bsp::log::{Ending, Log, Object, Superstep, Traffic};
use cll_bsp::virtuals::Totals;
use cll_contract as contract;
use cll_trace::layout::{
    KIND_SUPERSTEPS, SUPERSTEP_END, SUPERSTEP_OBLIVIOUS, SUPERSTEP_SIZE, SuperstepRecord,
    TRAFFIC_SIZE, TrafficRecord, UNKNOWN_MACHINE,
};
use cll_trace::meta::{self, Meta};

use crate::clock;
use crate::critical_section::Inside;
use crate::library::LIBRARY;
use crate::store::Block;
use crate::sys;

use self::modules::Modules;
use self::path::Paths;

pub use self::own::OwnCalls;
pub use self::path::entered;

/// Entries of a set in one record, at most: a quarter of a block.
const ENTRIES: usize = 600;
/// Machines that a processor can distinguish; supersteps of later ones are written without their machine.
const MACHINES: usize = UNKNOWN_MACHINE as usize;
/// Sets that are remembered; further ones are written again.
const SETS: usize = 1 << 16;

/// A log for a processor of the program, if one is requested.
pub fn wanted(processor: usize) -> Option<Box<dyn Log>> {
    is_wanted().then(|| Box::new(Recorder::new(processor as u32)) as Box<dyn Log>)
}

/// Whether the environment requests a log.
pub fn is_wanted() -> bool {
    sys::setting_or_none(&contract::LOG) == Some(true)
}

/// Writes the log of one processor.
struct Recorder {
    processor: u32,
    block: Option<Block>,
    sequence: u32,
    /// Nothing can be written any more; the library has given the reason.
    broken: bool,
    machines: Vec<Object>,
    paths: Paths,
    modules: Modules,
    sets: HashMap<Vec<Traffic>, u32>,
    /// Number of the next set.
    next_set: u32,
    /// The set of the last superstep, and its number.
    last: (Vec<Traffic>, u32),
}

// SAFETY: its block belongs only to the processor, in any thread.
unsafe impl Send for Recorder {}

impl Recorder {
    fn new(processor: u32) -> Recorder {
        let mut recorder = Recorder {
            processor,
            block: None,
            sequence: 0,
            broken: false,
            machines: Vec::new(),
            paths: Paths::default(),
            modules: Modules::default(),
            sets: HashMap::new(),
            next_set: 0,
            last: (Vec::new(), 0),
        };
        // The library chooses its clock when it starts.
        recorder.renew();
        recorder
    }

    /// Continues in an empty block.
    #[cold]
    fn renew(&mut self) {
        let inside = Inside::enter();
        let mut library = LIBRARY.lock(&inside);
        // SAFETY: nobody writes to the old block any more.
        self.block = unsafe {
            let old = self.block.take();
            library.block(KIND_SUPERSTEPS, self.processor, self.sequence, old)
        };
        self.broken = self.block.is_none();
        self.sequence += 1;
    }

    /// Writes a line of tables.
    #[cold]
    fn write_table(&mut self, table: &Meta) {
        let mut line = table.to_json().into_bytes();
        line.push(b'\n');
        let inside = Inside::enter();
        self.broken |= !LIBRARY.lock(&inside).write_table(&line);
    }

    fn push(&mut self, bytes: &[u8]) {
        for _ in 0..2 {
            // SAFETY: the block belongs only to this processor.
            if self.broken || self.block.is_some_and(|block| unsafe { block.push(bytes) }) {
                return;
            }
            self.renew();
        }
    }

    fn machine(&mut self, object: &Object) -> u16 {
        // Mostly it is the last one.
        let known = self.machines.iter().rposition(|known| known.id == object.id);
        let index = known.unwrap_or_else(|| self.tell_machine(object));
        index as u16
    }

    #[cold]
    fn tell_machine(&mut self, object: &Object) -> usize {
        if self.machines.len() == MACHINES {
            return MACHINES;
        }
        let id = self.machines.len();
        self.machines.push(*object);
        self.write_table(&Meta::Machine(meta::Machine {
            processor: self.processor,
            id: id as u32,
            key: format!("{:x}", object.id),
            parent: format!("{:x}", object.parent),
            within: object.within,
            first: object.first,
            nprocs: object.nprocs,
            pid: object.pid,
        }));
        id
    }

    fn point(&mut self, place: Place) -> u16 {
        match self.paths.find(place) {
            Some(id) => id,
            None => self.tell_point(place),
        }
    }

    #[cold]
    fn tell_point(&mut self, place: Place) -> u16 {
        let Some((id, new)) = self.paths.add(place) else { return u16::MAX };
        let Some(addresses) = new else { return id };
        let mut path = Vec::new();
        for address in addresses {
            let (module, offset, new) = self.modules.find(address);
            if let Some(new) = new {
                let table = meta::Module { processor: self.processor, ..new };
                self.write_table(&Meta::Module(table));
            }
            path.push((module, offset));
        }
        self.write_table(&Meta::Point(meta::Point {
            processor: self.processor,
            id: id.into(),
            file: place.file().map(|name| name.into_owned()).unwrap_or_default(),
            line: place.line(),
            path,
        }));
        id
    }

    fn set(&mut self, traffic: &[Traffic]) -> u32 {
        if self.next_set > 0 && self.last.0 == traffic {
            return self.last.1;
        }
        let number = match self.sets.get(traffic) {
            Some(&number) => number,
            None => self.tell_set(traffic),
        };
        self.last.0.clear();
        self.last.0.extend_from_slice(traffic);
        self.last.1 = number;
        number
    }

    #[cold]
    fn tell_set(&mut self, traffic: &[Traffic]) -> u32 {
        let number = self.next_set;
        self.next_set = self.next_set.wrapping_add(1);
        if self.sets.len() == SETS {
            self.sets.clear();
        }
        self.sets.insert(traffic.to_vec(), number);
        for entries in traffic.chunks(ENTRIES) {
            let mut bytes = Vec::with_capacity(SUPERSTEP_SIZE + entries.len() * TRAFFIC_SIZE);
            let head = SuperstepRecord::head(number, entries.len() as u32);
            bytes.extend_from_slice(&head.encode());
            for &Traffic { partner, requests, sent, got } in entries {
                let entry = TrafficRecord { partner, requests, sent, got };
                bytes.extend_from_slice(&entry.encode());
            }
            self.push(&bytes);
        }
        number
    }
}

impl Log for Recorder {
    fn clock(&self) -> fn() -> u64 {
        clock::ticks
    }

    fn superstep(&mut self, superstep: &Superstep<'_>) {
        if self.broken {
            return;
        }
        let record = SuperstepRecord {
            start: superstep.start,
            entered: superstep.entered,
            end: superstep.end,
            waiting: superstep.waiting as f32,
            number: superstep.number as u32,
            machine: self.machine(&superstep.machine),
            flags: match superstep.ending {
                Ending::Sync => 0,
                Ending::Oblivious => SUPERSTEP_OBLIVIOUS,
                Ending::End => SUPERSTEP_END,
            },
            point: self.point(superstep.place),
            traffic: self.set(superstep.traffic),
        };
        self.push(&record.encode());
    }

    fn end_virtual(&mut self, totals: &Totals) {
        self.write_table(&Meta::Virtual(virtual_table(self.processor, totals)));
    }
}

/// Makes the table of the cost of running a virtual processor, as in its log.
fn virtual_table(processor: u32, totals: &Totals) -> meta::Virtual {
    meta::Virtual {
        processor,
        cores: totals.cores,
        alone: totals.alone,
        time_ns: totals.time_ns,
        phases: totals.phases,
        restored: totals.restored,
        cache: totals.cache,
        computation_ns: totals.computation_ns,
        wall_ns: totals.wall_ns,
        run_ns: totals.run_ns,
        asked: totals.asked,
        memory: totals.memory,
        extra: 0,
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        let inside = Inside::enter();
        let library = LIBRARY.lock(&inside);
        if let Some(block) = self.block.take() {
            // SAFETY: nobody writes to it any more.
            unsafe { library.give(block) };
        }
    }
}
