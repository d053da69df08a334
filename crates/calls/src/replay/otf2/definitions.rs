//! Definitions: what events name by numbers.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, Write};

use cll_trace::layout::call::{Class, Op};

use super::UNDEFINED;
use super::communicators::{Comm, communicators};
use crate::{CollectiveKind, Overview};

/// Roles of regions, by OTF2's numbers.
mod role {
    pub(super) const FUNCTION: u32 = 1;
    pub(super) const BARRIER: u32 = 15;
    pub(super) const ONE_TO_ALL: u32 = 23;
    pub(super) const ALL_TO_ONE: u32 = 24;
    pub(super) const ALL_TO_ALL: u32 = 25;
    pub(super) const OTHER_COLLECTIVE: u32 = 26;
    pub(super) const FILE: u32 = 27;
    pub(super) const MESSAGE: u32 = 28;
    pub(super) const ONE_SIDED: u32 = 29;
    pub(super) const ARTIFICIAL: u32 = 31;
}

/// Paradigms of regions, by OTF2's numbers.
const USER: u32 = 1;
const MPI: u32 = 4;

/// The definitions of a run, as far as its events have shown them.
#[derive(Debug)]
pub(super) struct Definitions<'a> {
    pub(super) overviews: &'a [Overview],
    strings: HashMap<String, u32>,
    /// By their numbers.
    texts: Vec<String>,
    regions: HashMap<(Option<Op>, String, u32), u32>,
    region_lines: Vec<String>,
    comms: Vec<Comm>,
    by_key: BTreeMap<&'a str, u32>,
    /// By key.
    windows: BTreeMap<&'a str, u32>,
    window_comms: Vec<u32>,
    /// Numbers of the threads of each process that are not its first one.
    threads: BTreeMap<(usize, u32), u64>,
    pub(super) last_ns: u64,
}

impl<'a> Definitions<'a> {
    pub(super) fn new(overviews: &'a [Overview]) -> Definitions<'a> {
        let (comms, by_key) = communicators(overviews);
        let mut windows = BTreeMap::new();
        let mut window_comms = Vec::new();
        for overview in overviews {
            for window in overview.windows.values() {
                let Some(&comm) = by_key.get(overview.key(window.communicator)) else { continue };
                windows.entry(window.key.as_str()).or_insert_with(|| {
                    window_comms.push(comm);
                    window_comms.len() as u32 - 1
                });
            }
        }
        let mut next = u64::from(ranks(overviews));
        let mut threads = BTreeMap::new();
        for (process, overview) in overviews.iter().enumerate() {
            for &lane in overview.lanes.keys().skip(1) {
                threads.insert((process, lane), next);
                next += 1;
            }
        }
        let mut definitions = Definitions {
            overviews,
            strings: HashMap::new(),
            texts: Vec::new(),
            regions: HashMap::new(),
            region_lines: Vec::new(),
            comms,
            by_key,
            windows,
            window_comms,
            threads,
            last_ns: 0,
        };
        // Their numbers are known to `writer.c`.
        for text in ["", "unsuccessful polls", "how many calls in vain this one stands for", "MPI"]
        {
            definitions.string(text);
        }
        definitions
    }

    fn string(&mut self, text: &str) -> u32 {
        if let Some(&known) = self.strings.get(text) {
            return known;
        }
        let number = self.texts.len() as u32;
        self.strings.insert(text.to_owned(), number);
        self.texts.push(text.to_owned());
        number
    }

    /// The location of a thread: of the first one of a process its rank.
    pub(super) fn location(&self, process: usize, lane: u32) -> u64 {
        let rank = || u64::from(self.overviews[process].rank().map_or(0, |(rank, _)| rank));
        self.threads.get(&(process, lane)).copied().unwrap_or_else(rank)
    }

    /// The number of a communicator, by its number in a process; `None`: a process of it is of another run.
    pub(super) fn comm(&self, process: usize, communicator: u32) -> Option<u32> {
        self.by_key.get(self.overviews[process].key(communicator)).copied()
    }

    pub(super) fn window(&self, process: usize, window: Option<u32>) -> Option<u32> {
        let window = self.overviews[process].windows.get(&window?)?;
        self.windows.get(window.key.as_str()).copied()
    }

    /// A call at a place; `None` is the program around its calls.
    pub(super) fn region(&mut self, op: Option<Op>, file: &str, line: u32) -> u32 {
        let key = (op, file.to_owned(), line);
        if let Some(&known) = self.regions.get(&key) {
            return known;
        }
        let number = self.regions.len() as u32;
        let name = match op {
            Some(op) => format!("MPI_{}", op.name()),
            None => file.to_owned(),
        };
        let name = self.string(&name);
        let (role, paradigm) = (op.map_or(role::ARTIFICIAL, role_of), op.map_or(USER, |_| MPI));
        let file = if op.is_some() { file } else { "" };
        let file = self.string(file);
        self.region_lines.push(format!("R {number} {name} {role} {paradigm} {file} {line}"));
        self.regions.insert(key, number);
        number
    }

    /// Writes them all.
    pub(super) fn write(mut self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "K {}", self.last_ns)?;
        let mut lines = Vec::new();
        self.system(&mut lines);
        lines.append(&mut self.region_lines);
        self.groups(&mut lines);
        for (number, comm) in self.window_comms.clone().into_iter().enumerate() {
            let name = self.string(&format!("window {number}"));
            lines.push(format!("V {number} {name} {comm}"));
        }
        for (number, text) in self.texts.iter().enumerate() {
            // The library's strings end at a zero.
            let text = text.replace('\0', "");
            writeln!(out, "D {number} {} {text}", text.len())?;
        }
        lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        writeln!(out, "Z")
    }

    /// Hosts, processes, threads. A process without a log has a location without events.
    fn system(&mut self, lines: &mut Vec<String>) {
        let overviews = self.overviews;
        let hosts: BTreeSet<&str> =
            overviews.iter().map(|overview| overview.process.host.as_str()).collect();
        let mut number_of = BTreeMap::new();
        let (machine, class) = (self.string("machine"), self.string("machine"));
        lines.push(format!("N 0 {machine} {class} {UNDEFINED}"));
        let class = self.string("node");
        for (number, host) in (1..).zip(hosts) {
            let name = self.string(if host.is_empty() { "unknown host" } else { host });
            lines.push(format!("N {number} {name} {class} 0"));
            number_of.insert(host, number);
        }
        let of: BTreeMap<u32, usize> = (0..overviews.len())
            .filter_map(|index| Some((overviews[index].rank()?.0, index)))
            .collect();
        let first = self.string("thread 0");
        for rank in 0..ranks(overviews) {
            let process = of.get(&rank).copied();
            let name = match process {
                Some(_) => format!("MPI Rank {rank}"),
                None => format!("MPI Rank {rank} (no log)"),
            };
            let name = self.string(&name);
            let host = process.map(|index| overviews[index].process.host.as_str());
            let node = host.and_then(|host| number_of.get(host)).copied().unwrap_or(0);
            lines.push(format!("P {rank} {name} {node}"));
            lines.push(format!("T {rank} {first} {rank}"));
        }
        for (&(process, lane), &number) in &self.threads.clone() {
            let rank = overviews[process].rank().map_or(0, |(rank, _)| rank);
            let name = self.string(&format!("thread {lane}"));
            lines.push(format!("T {number} {name} {rank}"));
        }
    }

    fn groups(&mut self, lines: &mut Vec<String>) {
        let empty = self.string("");
        let members = |ranks: &[u32]| {
            let ranks: Vec<String> = ranks.iter().map(u32::to_string).collect();
            format!("{} {}", ranks.len(), ranks.join(" "))
        };
        let all: Vec<u32> = (0..ranks(self.overviews)).collect();
        // The first group has the locations that ranks of the others are.
        lines.push(format!("G 0 {empty} 1 {}", members(&all)));
        let mut numbers: HashMap<Vec<u32>, usize> = HashMap::new();
        let mut group = |ranks: &[u32], lines: &mut Vec<String>| {
            let next = numbers.len() + 1;
            let number = *numbers.entry(ranks.to_vec()).or_insert(next);
            if number == next {
                lines.push(format!("G {number} {empty} 0 {}", members(ranks)));
            }
            number
        };
        for (number, comm) in std::mem::take(&mut self.comms).into_iter().enumerate() {
            let name = self.string(&comm.name);
            let own = group(&comm.members, lines);
            match &comm.remote {
                None => lines.push(format!("C {number} {name} {own} {}", comm.parent)),
                Some(remote) => {
                    let remote = group(remote, lines);
                    lines.push(format!("I {number} {name} {own} {remote} {}", comm.parent));
                }
            }
        }
    }
}

fn ranks(overviews: &[Overview]) -> u32 {
    overviews.iter().filter_map(Overview::rank).map(|(_, all)| all).max().unwrap_or(0)
}

fn role_of(op: Op) -> u32 {
    match op.class() {
        Class::Life => role::FUNCTION,
        Class::Collective if op.plain() == Op::Barrier => role::BARRIER,
        Class::Collective => match op.collective_kind() {
            CollectiveKind::All | CollectiveKind::Exchange => role::ALL_TO_ALL,
            CollectiveKind::FromRoot => role::ONE_TO_ALL,
            CollectiveKind::ToRoot => role::ALL_TO_ONE,
            CollectiveKind::Prefix | CollectiveKind::Neighbours => role::OTHER_COLLECTIVE,
        },
        Class::Create => role::OTHER_COLLECTIVE,
        Class::Access | Class::Epoch => role::ONE_SIDED,
        Class::File => role::FILE,
        Class::Send
        | Class::Receive
        | Class::Exchange
        | Class::Probe
        | Class::Wait
        | Class::Request => role::MESSAGE,
    }
}
