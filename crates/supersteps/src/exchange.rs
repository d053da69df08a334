//! Both directions of the traffic between processors, from a log whose records are not all in memory.
//!
//! A record has what its own processor requested. What others requested from this processor is in their records. So the
//! records of all processors are read together, and a record waits in a queue until all processors of its machine have
//! reached its superstep. Only what others requested from each processor stays in memory: two numbers for each of its
//! records; a series of equal ones is stored once.

use std::collections::{HashMap, VecDeque};

use cll_trace::Damage;
use cll_trace::layout::varint::{self, Input};

use cll_units::{Bytes, SuperstepNumber};

use super::Share;
use super::{Records, StoredProcessor};

/// Number of records of a processor that are read before the next processor is read.
const TURN: usize = 1 << 10;
/// Number of records of a processor that may wait for others. If all wait for each other, there can be more; then the
/// log is damaged.
const WAITING: usize = 1 << 13;

/// The traffic that others requested from the processors of a log, record by record.
#[derive(Debug)]
pub(crate) struct Exchange {
    runs: Vec<Runs>,
    /// The damage that was found in the records.
    pub(crate) damage: Vec<Damage>,
}

/// Bytes that others sent to a processor, and that they got from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Requested {
    sent: u64,
    got: u64,
}

impl Exchange {
    /// The requests of these processors. If the log of a processor is missing, so are its requests.
    pub(crate) fn new(processors: &[&StoredProcessor<'_>]) -> Exchange {
        let machines = Machines::new(processors);
        let sides = (0..processors.len())
            .map(|index| ProcessorRecords::new(processors[index], &machines.own[index]));
        let mut matching =
            Matching { sides: sides.collect(), machines: &machines, open: HashMap::new() };
        matching.all();
        let damage =
            matching.sides.iter().flat_map(|side| side.records.damage()).cloned().collect();
        let runs = matching.sides.into_iter().map(|side| side.out.ended());
        Exchange { runs: runs.collect(), damage }
    }

    /// Returns the traffic that others requested from a processor, by its index in the list that was given, from its
    /// first record on.
    pub(crate) fn requested(&self, processor: usize) -> RequestedFrom<'_> {
        let bytes = self.runs.get(processor).map_or(&[][..], |runs| &runs.bytes);
        RequestedFrom { rest: Input::new(bytes), now: Requested::default(), left: 0 }
    }
}

/// The traffic that others requested from a processor, record by record.
pub(crate) struct RequestedFrom<'a> {
    rest: Input<'a>,
    now: Requested,
    left: u64,
}

impl RequestedFrom<'_> {
    /// The bytes that the processor sent and received in its next record; `own` is what it requested itself.
    pub(crate) fn next(&mut self, own: Share) -> Share {
        if self.left == 0 {
            let mut number = || self.rest.unsigned().unwrap_or(0);
            (self.left, self.now) = (number(), Requested { sent: number(), got: number() });
        }
        self.left = self.left.saturating_sub(1);
        Share {
            sent: own.sent.saturating_add(Bytes(self.now.got)),
            received: own.received.saturating_add(Bytes(self.now.sent)),
            ..own
        }
    }
}

/// The requested traffic, each with the number of equal records in a row, in numbers of variable length.
#[derive(Debug, Default)]
struct Runs {
    bytes: Vec<u8>,
    now: Requested,
    count: u64,
}

impl Runs {
    fn push(&mut self, asked: Requested) {
        if asked != self.now {
            self.write();
            self.now = asked;
        }
        self.count += 1;
    }

    fn write(&mut self) {
        if self.count > 0 {
            for number in [self.count, self.now.sent, self.now.got] {
                varint::unsigned(&mut self.bytes, number);
            }
        }
        self.count = 0;
    }

    fn ended(mut self) -> Runs {
        self.write();
        self
    }
}

/// The machines of all processors, by a number for each key.
struct Machines {
    /// The processors of each that the log has: index in the list, and number in its tables.
    members: Vec<Vec<(usize, u16)>>,
    /// By number in the machine, place among its members.
    places: Vec<HashMap<u32, usize>>,
    /// For each processor: by the number of a machine in its tables, the machine and the processor's number in it.
    own: Vec<HashMap<u16, (usize, u32)>>,
}

impl Machines {
    fn new(processors: &[&StoredProcessor<'_>]) -> Machines {
        let mut keys: HashMap<&str, usize> = HashMap::new();
        let mut machines = Machines { members: Vec::new(), places: Vec::new(), own: Vec::new() };
        for (index, processor) in processors.iter().enumerate() {
            let mut own: HashMap<u16, (usize, u32)> = HashMap::new();
            for machine in &processor.tables.machines {
                let next = machines.members.len();
                let key = *keys.entry(&machine.key).or_insert(next);
                if key == next {
                    machines.members.push(Vec::new());
                    machines.places.push(HashMap::new());
                }
                let Ok(id) = u16::try_from(machine.id) else { continue };
                if own.insert(id, (key, machine.pid)).is_none() {
                    machines.places[key].insert(machine.pid, machines.members[key].len());
                    machines.members[key].push((index, id));
                }
            }
            machines.own.push(own);
        }
        machines
    }
}

/// A superstep that not all processors of its machine have reached, or that was not yet returned for all.
#[derive(Default)]
struct Open {
    came: usize,
    left: usize,
    /// By place among the machine's members; empty while nothing was requested.
    asked: Vec<Requested>,
}

/// The records of a processor, and those that wait.
struct ProcessorRecords<'a> {
    records: Records<'a>,
    machines: &'a HashMap<u16, (usize, u32)>,
    /// Machine, superstep, place among the members; `None` if no table has the machine.
    waiting: VecDeque<Option<(usize, SuperstepNumber, usize)>>,
    ended: bool,
    out: Runs,
}

impl<'a> ProcessorRecords<'a> {
    fn new(
        processor: &'a StoredProcessor<'_>,
        machines: &'a HashMap<u16, (usize, u32)>,
    ) -> ProcessorRecords<'a> {
        let (records, out) = (processor.records(), Runs::default());
        ProcessorRecords { records, machines, waiting: VecDeque::new(), ended: false, out }
    }
}

struct Matching<'a> {
    sides: Vec<ProcessorRecords<'a>>,
    machines: &'a Machines,
    /// By machine and superstep.
    open: HashMap<(usize, SuperstepNumber), Open>,
}

impl Matching<'_> {
    fn all(&mut self) {
        let mut room = WAITING;
        loop {
            let mut moved = false;
            for index in 0..self.sides.len() {
                moved |= self.read(index, room);
            }
            for index in 0..self.sides.len() {
                moved |= self.pass_on(index);
            }
            if self.sides.iter().all(|side| side.ended && side.waiting.is_empty()) {
                return;
            }
            if !moved {
                room *= 2;
            }
        }
    }

    /// Reads some records of a processor. Returns whether there were any.
    fn read(&mut self, index: usize, room: usize) -> bool {
        let side = &mut self.sides[index];
        let count = TURN.min(room.saturating_sub(side.waiting.len()));
        if side.ended {
            return false;
        }
        for _ in 0..count {
            let Some((record, number)) = side.records.peek() else {
                side.ended = true;
                break;
            };
            side.records.advance(&record, number);
            let Some(&(machine, pid)) = side.machines.get(&record.machine) else {
                side.waiting.push_back(None);
                continue;
            };
            let (members, places) =
                (&self.machines.members[machine], &self.machines.places[machine]);
            let place = places.get(&pid).copied().unwrap_or(0);
            side.waiting.push_back(Some((machine, number, place)));
            let open = self.open.entry((machine, number)).or_default();
            open.came += 1;
            for traffic in side.records.traffic(record.traffic).unwrap_or_default() {
                if traffic.partner == pid {
                    continue;
                }
                let Some(&partner) = places.get(&traffic.partner) else { continue };
                if open.asked.is_empty() {
                    open.asked.resize(members.len(), Requested::default());
                }
                let asked = &mut open.asked[partner];
                asked.sent = asked.sent.saturating_add(traffic.sent);
                asked.got = asked.got.saturating_add(traffic.got);
            }
        }
        count > 0
    }

    /// Removes records from a processor's queue if all others have reached their supersteps. Returns whether there were
    /// any.
    fn pass_on(&mut self, index: usize) -> bool {
        let mut any = false;
        while let Some(&waiting) = self.sides[index].waiting.front() {
            let asked = match waiting {
                None => Requested::default(),
                Some((machine, number, place)) => {
                    let came = self.open.get(&(machine, number)).map_or(0, |open| open.came);
                    if came < self.machines.members[machine].len() && !self.passed(machine, number)
                    {
                        break;
                    }
                    self.leave(machine, number, place)
                }
            };
            let side = &mut self.sides[index];
            side.waiting.pop_front();
            side.out.push(asked);
            any = true;
        }
        any
    }

    /// Whether there can be no more records of this superstep.
    fn passed(&self, machine: usize, number: SuperstepNumber) -> bool {
        self.machines.members[machine].iter().all(|&(index, id)| {
            let side = &self.sides[index];
            side.ended || side.records.latest(id) >= number
        })
    }

    /// Returns the traffic that was requested from a member. After the last member the superstep is removed.
    fn leave(&mut self, machine: usize, number: SuperstepNumber, place: usize) -> Requested {
        let Some(open) = self.open.get_mut(&(machine, number)) else { return Requested::default() };
        open.left += 1;
        let asked = open.asked.get(place).copied().unwrap_or_default();
        if open.left >= open.came {
            self.open.remove(&(machine, number));
        }
        asked
    }
}
