//! PUB's rules: machine objects, created by partition, each with its own supersteps.
//!
//! All that one processor knows of PUB's machines (Bonorden, Juurlink, von Otte, Rieping: *The Paderborn
//! University BSP library*, Parallel Computing 29, 2003; and the programs that use it). Everything that one
//! processor sends another is a record that has the number of its machine and superstep, so processors may be
//! in different ones. Records for a machine or superstep that this processor has not reached wait. A machine
//! has the same number everywhere without communication: it is computed from the number of its parent, how many
//! times the parent was partitioned, and the index of the part.

mod access;
mod barrier;
mod ended;
mod exchange;
mod inbox;
mod object;
mod partition;
#[cfg(test)]
mod random;
mod recorder;
mod remote;
mod send;
mod sync;
#[cfg(test)]
mod tests;
mod virtuals;
mod wait_site;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use rustc_hash::FxBuildHasher;

use crate::channel::{Channels, Header, Record};
use crate::log::SuperstepRecorder;
use crate::misuse::Misuse;
use crate::place::Place;

use self::ended::EndedMachines;
pub use self::inbox::Delivered;
use self::object::Object;

/// A machine object's name in the program. It can be copied; all copies mean the same object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Handle {
    id: u64,
    level: u32,
    pid: u32,
    nprocs: u32,
}

impl Handle {
    /// The caller's number in the machine, from 0.
    #[inline]
    pub fn pid(&self) -> usize {
        self.pid as usize
    }

    /// The number of processors of the machine.
    #[inline]
    pub fn nprocs(&self) -> usize {
        self.nprocs as usize
    }
}

/// The number of the machine of all processors.
const WHOLE: u64 = 0x9E6C_63D0_876A_3F35;

/// Kinds of records. Those below [`kind::TOKEN`] belong to the machine's superstep.
mod kind {
    /// A message of the program.
    pub const MESSAGE: u16 = 0;
    /// Address and size; the bytes follow, or are a separate record.
    pub const PUT: u16 = 1;
    /// The bytes of the put before it.
    pub const PUT_BYTES: u16 = 2;
    /// Address and size of what is requested.
    pub const GET: u16 = 3;
    /// The bytes that a get requested.
    pub const REPLY: u16 = 4;
    /// All areas that a processor has registered in the superstep: addresses and sizes.
    pub const PUSHES: u16 = 5;
    /// All registrations that it has removed.
    pub const POPS: u16 = 6;
    /// The actions of a processor in a superstep in which not all have done the same.
    pub const DIFFERS: u16 = 7;
    /// A processor's part of a collective call.
    pub const PART: u16 = 8;
    /// The time at which a virtual processor reached the end of the superstep, and the bytes between it and the
    /// receiver.
    pub const TIME: u16 = 9;
    /// The h of a virtual processor.
    pub const SHARE: u16 = 10;
    /// A token of a barrier; the round is added.
    pub const TOKEN: u16 = 0x100;
}

/// All machine objects of one processor: the machine of all processors, and the parts in which it is, each a
/// part of the one before.
///
/// Memory is named by pointers; the caller ensures that they are valid. Errors that can be checked are
/// reported: see [`Misuse`].
pub struct Objects {
    channels: Box<dyn Channels>,
    began: Instant,
    /// Objects from `open` on have ended and are used again.
    stack: Vec<Object>,
    open: usize,
    /// Records for machines that are not open here, or not yet.
    strangers: HashMap<u64, Vec<Record>, FxBuildHasher>,
    ended: EndedMachines,
    /// Records that have just arrived and are sorted next; empty in between.
    others: Vec<Record>,
    /// Whether `settle` never has anything to wait for.
    copies_always: bool,
    /// Whether anything was sent in place since the last `settle`.
    in_place: bool,
    place: Place,
    recorder: Option<Box<SuperstepRecorder>>,
}

impl Objects {
    pub(crate) fn new(channels: Box<dyn Channels>) -> Objects {
        let copies_always = channels.copies_always();
        let mut root = Object::default();
        root.begin(WHOLE, 0, channels.pid(), channels.nprocs());
        Objects {
            channels,
            began: Instant::now(),
            stack: vec![root],
            open: 1,
            strangers: HashMap::default(),
            ended: EndedMachines::default(),
            others: Vec::new(),
            copies_always,
            in_place: false,
            place: Place::NOWHERE,
            recorder: None,
        }
    }

    /// The machine of all processors.
    pub fn root(&self) -> Handle {
        self.stack[0].handle(0)
    }

    /// The machine in which this processor is: the part that was created last.
    pub fn innermost(&self) -> Handle {
        self.stack[self.open - 1].handle(self.open - 1)
    }

    /// An error if this is not a machine that this processor is in. Other functions report what is wrong.
    pub fn check(&self, handle: Handle) -> Result<(), Misuse> {
        self.level(handle).map(drop)
    }

    /// Seconds since this processor began, by its own clock.
    pub fn time(&self) -> f64 {
        match self.recorder.as_ref().and_then(|recorder| recorder.virtual_time()) {
            Some(time) => time,
            None => self.began.elapsed().as_secs_f64(),
        }
    }

    /// After how long a wait of all processors counts as a deadlock; `None`: never. Initially 10 seconds.
    pub fn set_deadlock_limit(&mut self, limit: Option<Duration>) {
        self.channels.set_deadlock_limit(limit);
    }

    /// Stops all processors: they end as soon as they notice. Returns whether this call was the first; its
    /// caller gives the reason.
    pub fn stop(&self) -> bool {
        self.channels.stop()
    }

    /// As [`Processor::before_exit`](crate::Processor::before_exit).
    pub fn before_exit(&self, first: bool) {
        self.channels.before_exit(first);
    }

    /// As [`Objects::stop`], and gives the reason.
    pub fn stop_because(&self, why: &str) -> bool {
        let first = self.channels.stop();
        if first {
            self.channels.set_stop_reason(why);
        }
        first
    }

    /// The index of an object in the stack.
    #[inline]
    fn level(&self, handle: Handle) -> Result<usize, Misuse> {
        let level = handle.level as usize;
        if level < self.open && self.stack[level].id == handle.id {
            Ok(level)
        } else {
            Err(Misuse::NotOpen)
        }
    }

    /// The index of the object, which must be the innermost.
    #[inline]
    fn active(&mut self, handle: Handle) -> Result<usize, Misuse> {
        match self.level(handle)? {
            level if level + 1 == self.open => Ok(level),
            _ => Err(Misuse::PartIsOpen),
        }
    }

    /// The index of the object, and the number of one of its processors in the whole program.
    #[inline]
    fn addressed(&mut self, handle: Handle, pid: usize) -> Result<(usize, usize), Misuse> {
        let level = self.active(handle)?;
        let object = &self.stack[level];
        if pid < object.nprocs {
            Ok((level, object.base + pid))
        } else {
            Err(Misuse::NoSuchProcessor(pid, object.nprocs))
        }
    }

    /// The header of a record of this object's current superstep.
    #[inline]
    fn header(&self, level: usize, kind: u16, size: usize) -> Header {
        let object = &self.stack[level];
        Header { machine: object.id, superstep: object.superstep, kind, size }
    }

    /// Records the place in the program where this processor is, for messages.
    #[inline]
    fn record_place(&mut self, place: Place) {
        // In a loop the same call comes again and again.
        if !place.is_in_the_file_of(&self.place) || place.line() != self.place.line() {
            self.place = place;
            self.channels.set_place(place);
        }
    }

    /// Counts what is sent to a processor of a machine, for the log.
    #[inline]
    fn count(&mut self, level: usize, to: usize, size: usize) {
        if self.recorder.is_some() {
            self.stack[level].sent.count(to, size);
        }
    }

    /// Takes over everything that has arrived.
    #[inline]
    fn take_in(&mut self) -> Result<(), Misuse> {
        let Object { id, superstep, arriving, .. } = &mut self.stack[self.open - 1];
        self.channels.receive_all(*id, *superstep, arriving, &mut self.others);
        if self.others.is_empty() { Ok(()) } else { self.sort_others() }
    }

    fn sort_others(&mut self) -> Result<(), Misuse> {
        let mut others = std::mem::take(&mut self.others);
        for record in others.drain(..) {
            let innermost = &mut self.stack[self.open - 1];
            if record.header.machine == innermost.id {
                innermost.arrive(record)?
            } else {
                self.put_by(record)?
            }
        }
        self.others = others;
        Ok(())
    }

    /// A record for another machine than the innermost.
    #[cold]
    fn put_by(&mut self, record: Record) -> Result<(), Misuse> {
        let machine = record.header.machine;
        if let Some(object) = self.stack[..self.open].iter_mut().rev().find(|o| o.id == machine) {
            return object.arrive(record);
        }
        match self.ended.judge(&record)? {
            ended::RecordTreatment::Late => self.channels.release(&record),
            ended::RecordTreatment::Unknown => {
                self.strangers.entry(machine).or_default().push(record)
            }
        }
        Ok(())
    }
}
