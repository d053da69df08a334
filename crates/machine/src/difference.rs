//! In what two machines differ, beyond their intervals.

use serde::Serialize;

use crate::communication::Segment;
use crate::machine::Machine;
use crate::memory::Operation;
use crate::message_passing::Collective;
use crate::uncertain::Uncertain;

/// What two machines have in common, value by value.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Differences {
    /// Values that both have, those that differ first.
    pub values: Vec<Difference>,
    /// What only the first one has.
    pub only_first: Vec<String>,
    /// What only the second one has.
    pub only_second: Vec<String>,
}

/// A value of both machines.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// What it is, in words.
    pub what: String,
    /// `s`, `s/B`, `B`, `B/s`, `op/s`, `x`.
    pub unit: &'static str,
    /// Of the first machine.
    pub first: Uncertain,
    /// Of the second machine.
    pub second: Uncertain,
    /// The second divided by the first; its interval is that of the quotient of the intervals.
    pub ratio: Uncertain,
    /// Whether the intervals do not overlap, and one of the values has an interval. Without any, nothing is known of the
    /// noise: values differ if they are not equal.
    pub differs: bool,
}

/// A named value of a machine.
type Named = (String, &'static str, Uncertain);

/// Compares all values that both machines have. Differences come first, the largest ratio at the top.
pub fn compare(first: &Machine, second: &Machine) -> Differences {
    let (left, right) = (values(first), values(second));
    let mut all = Differences::default();
    for (what, unit, value) in &left {
        match right.iter().find(|(name, _, _)| name == what) {
            Some((_, _, other)) => all.values.push(difference(what, unit, *value, *other)),
            None => all.only_first.push(what.clone()),
        }
    }
    let in_left = |name: &String| left.iter().any(|(one, _, _)| one == name);
    all.only_second =
        right.iter().map(|(name, _, _)| name.clone()).filter(|name| !in_left(name)).collect();
    let weight = |one: &Difference| if one.differs { one.ratio.value.ln().abs() } else { -1.0 };
    all.values.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    all
}

impl Differences {
    /// Whether nothing differs and nothing is missing.
    pub fn is_empty(&self) -> bool {
        self.only_first.is_empty()
            && self.only_second.is_empty()
            && self.values.iter().all(|one| !one.differs)
    }
}

fn difference(what: &str, unit: &'static str, first: Uncertain, second: Uncertain) -> Difference {
    let ratio = Uncertain {
        value: second.value / first.value,
        low: second.low / first.high,
        high: second.high / first.low,
    };
    let apart = first.high < second.low || second.high < first.low;
    Difference { what: what.to_owned(), unit, first, second, ratio, differs: apart }
}

/// All values of a machine that can be compared one by one. Values of 0 have no ratio.
fn values(machine: &Machine) -> Vec<Named> {
    let mut all = Vec::new();
    memory(machine, &mut all);
    for one in &machine.operations {
        let name = in_words(one);
        all.extend(one.latency.map(|value| (format!("{name}, latency"), "s", value)));
        all.extend(one.each.map(|value| (format!("{name}, each of many"), "s", value)));
    }
    all.extend(machine.process_start.map(|value| ("start of a process".to_owned(), "s", value)));
    supersteps(machine, &mut all);
    message_passing(machine, &mut all);
    all.retain(|(_, _, value)| value.value > 0.0 && value.low >= 0.0);
    all
}

/// `add (double)`, `mispredicted branch`.
fn in_words(one: &Operation) -> String {
    match (one.name.as_str(), one.operand.as_str()) {
        ("branch", _) => "mispredicted branch".to_owned(),
        (name, "") => name.to_owned(),
        (name, operand) => format!("{name} ({operand})"),
    }
}

fn memory(machine: &Machine, all: &mut Vec<Named>) {
    let memory = &machine.memory;
    for level in &memory.levels {
        let name = &level.name;
        all.push((format!("{name}, latency"), "s", level.latency));
        all.extend(level.size.map(|size| (format!("{name}, size"), "B", size)));
    }
    for (k, step) in memory.translation.iter().enumerate() {
        all.push((format!("address translation, reach {}", k + 1), "B", step.reach));
        all.push((format!("address translation, cost {}", k + 1), "s", step.cost));
    }
    for curve in &memory.bandwidth {
        let (access, cores) = (curve.access.name(), curve.cores);
        for (level, rate) in machine.memory.rates(curve) {
            let cores = if cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
            all.push((format!("{access} from {level}, {cores}"), "B/s", rate));
        }
    }
    for one in &memory.contention {
        all.push((
            format!("contention of {} with {} cores", one.level, one.cores),
            "x",
            one.factor,
        ));
    }
}

/// Lines are compared at some sizes, since two fits of the same times may have their pieces at other places.
fn message_passing(machine: &Machine, all: &mut Vec<Named>) {
    const SIZES: [(f64, &str); 4] =
        [(8.0, "8 B"), (1024.0, "1 KiB"), (65536.0, "64 KiB"), (1_048_576.0, "1 MiB")];
    let of = |mpi: &str, hosts: u32| match hosts {
        1 => mpi.to_owned(),
        _ => format!("{mpi} on {hosts} hosts"),
    };
    let mpi = &machine.message_passing;
    for one in &mpi.libraries {
        let of = of(&one.name, one.hosts);
        all.extend(one.eager.map(|size| (format!("{of}, eager limit"), "B", size)));
        all.extend(
            one.eager_outside
                .map(|size| (format!("{of}, eager limit, receiver outside of MPI"), "B", size)),
        );
        for start in &one.start {
            let what = format!("{of}, start of {} processes", start.processes);
            all.push((what, "s", start.time));
        }
    }
    let within = |segments: &[Segment], bytes: f64| {
        let (first, last) = (segments.first(), segments.last());
        first.zip(last).is_some_and(|(first, last)| first.from <= bytes && bytes <= last.to)
    };
    for one in &mpi.messages {
        let partner = match one.partner {
            Some(partner) => format!(" ({})", partner.name()),
            None => String::new(),
        };
        for (bytes, size) in SIZES.into_iter().filter(|(at, _)| within(&one.segments, *at)) {
            let what =
                format!("{}, {}{partner} of {size}", of(&one.mpi, one.hosts), one.call.name());
            all.push((what, "s", one.time(bytes)));
        }
    }
    for one in &mpi.collectives {
        let of = format!("{}, {}", of(&one.mpi, one.hosts), one.call.name());
        let with = format!("with {} processes", one.processes);
        if one.call == Collective::Barrier {
            all.push((format!("{of} {with}"), "s", one.time(0.0)));
        }
        for (bytes, size) in SIZES.into_iter().filter(|(at, _)| within(&one.segments, *at)) {
            all.push((format!("{of} of {size} {with}"), "s", one.time(bytes)));
        }
    }
}

fn supersteps(machine: &Machine, all: &mut Vec<Named>) {
    let of = |engine: &Option<String>, processors: u32| {
        let engine = engine.as_ref().map_or(String::new(), |name| format!(" of {name}"));
        format!("{engine} with {processors} processors")
    };
    for one in &machine.classic {
        let of = of(&one.engine, one.processors);
        all.extend(one.rate.map(|rate| (format!("s{of}"), "op/s", rate)));
        all.push((format!("g{of}"), "s/B", one.g));
        all.push((format!("l{of}"), "s", one.l));
    }
    for one in &machine.empty {
        let of = of(&one.engine, one.processors);
        all.push((format!("empty superstep ({}){of}", one.synchronisation.name()), "s", one.l));
    }
}
