//! In what two machines differ, beyond their intervals.

mod causes;

use schemars::JsonSchema;
use serde::Serialize;

use crate::machine::Machine;
use crate::memory::{Access, Operation};
use crate::message_passing::library;
use crate::regimes::{Regime, Regimes, SAME};
use crate::uncertain::Uncertain;
use causes::Causes;

/// The comparison of two machines, value by value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Differences {
    /// Values that both have, those that differ first.
    pub values: Vec<Difference>,
    /// The values that only the first machine has.
    pub only_first: Vec<String>,
    /// The values that only the second machine has.
    pub only_second: Vec<String>,
}

/// A value of both machines.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Difference {
    /// The name of the value, in words.
    pub what: String,
    /// `s`, `s/B`, `B`, `B/s`, `op/s`, `x`.
    pub unit: &'static str,
    /// The value of the first machine.
    pub first: Uncertain,
    /// The value of the second machine.
    pub second: Uncertain,
    /// The second divided by the first; its interval is that of the quotient of the intervals.
    pub ratio: Uncertain,
    /// The regimes in which the first machine was seen; empty if there is one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub first_regimes: Vec<Regime>,
    /// The regimes in which the second machine was seen; empty if there is one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub second_regimes: Vec<Regime>,
    /// Whether the intervals do not overlap, and one of the values has an interval. Without any, nothing is known of the
    /// noise: values differ if they are not equal. Where a machine was seen in several regimes, one of them must be in the
    /// other's interval, or near one of its regimes.
    pub differs: bool,
    /// The cause, in words: something else that differed while both were measured and explains the difference. `None`
    /// if nothing is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
}

/// A named value of a machine.
pub(crate) struct Named {
    pub what: String,
    unit: &'static str,
    value: Uncertain,
    /// The part of the machine that has this property.
    place: PropertyOwner,
}

/// The part of a machine that a value is a property of.
#[derive(Clone, Copy, PartialEq)]
enum PropertyOwner {
    /// One core.
    Core,
    /// Several processors and what is between them.
    Processors,
    /// The level of this number, from 0.
    Level(usize),
}

/// Compares all values that both machines have. Differences come first, those without a known cause at the top, then by
/// ratio.
pub fn compare(first: &Machine, second: &Machine) -> Differences {
    let (left, right) = (values(first), values(second));
    let causes = Causes::new(first, second);
    let mut all = Differences::default();
    for named in &left {
        match right.iter().find(|other| other.what == named.what) {
            Some(other) => {
                let sides = [(first, named.value), (second, other.value)];
                let regimes = sides.map(|(machine, value)| {
                    machine.regimes(&named.what).filter(|all| all.is_of(value))
                });
                let mut difference = difference(named, other.value, regimes);
                difference.cause = causes.find(named.place).filter(|_| difference.differs);
                all.values.push(difference);
            }
            None => all.only_first.push(named.what.clone()),
        }
    }
    let in_left = |name: &String| left.iter().any(|named| named.what == *name);
    all.only_second =
        right.iter().map(|named| named.what.clone()).filter(|name| !in_left(name)).collect();
    let weight = |entry: &Difference| match (entry.differs, &entry.cause) {
        (false, _) => -1.0,
        (true, Some(_)) => entry.ratio.value.ln().abs(),
        (true, None) => 1e6 + entry.ratio.value.ln().abs(),
    };
    all.values.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    all
}

impl Differences {
    /// Whether nothing differs and nothing is missing.
    pub fn is_empty(&self) -> bool {
        self.only_first.is_empty()
            && self.only_second.is_empty()
            && self.values.iter().all(|difference| !difference.differs)
    }
}

fn difference(named: &Named, second: Uncertain, regimes: [Option<&Regimes>; 2]) -> Difference {
    let first = named.value;
    let ratio = Uncertain {
        value: second.value / first.value,
        low: second.low / first.high,
        high: second.high / first.low,
    };
    let apart = |(a, b): (f64, f64), (c, d): (f64, f64)| b < c || d < a;
    let is_inside = |all: &Regimes, of: Uncertain| {
        all.seen
            .iter()
            .any(|regime| !apart((regime.at / SAME, regime.at * SAME), (of.low, of.high)))
    };
    let differs = match regimes {
        [None, None] => apart((first.low, first.high), (second.low, second.high)),
        [Some(all), None] => !is_inside(all, second),
        [None, Some(all)] => !is_inside(all, first),
        [Some(all), Some(other)] => !all.overlap(other),
    };
    let [first_regimes, second_regimes] =
        regimes.map(|all| all.map_or(Vec::new(), |all| all.seen.clone()));
    Difference {
        what: named.what.clone(),
        unit: named.unit,
        first,
        second,
        ratio,
        first_regimes,
        second_regimes,
        differs,
        cause: None,
    }
}

/// All values of a machine that can be compared one by one. Values of 0 have no ratio.
fn values(machine: &Machine) -> Vec<Named> {
    let mut all = Vec::new();
    memory(machine, &mut all);
    let mut add = |what: String, value| {
        all.push(Named { what, unit: "s", value, place: PropertyOwner::Core })
    };
    for operation in &machine.operations {
        let name = in_words(operation);
        if let Some(value) = operation.latency {
            add(format!("{name}, latency"), value);
        }
        if let Some(value) = operation.each {
            add(format!("{name}, each of many"), value);
        }
    }
    if let Some(value) = machine.process_start {
        add("start of a process".to_owned(), value);
    }
    if let Some(value) = machine.page_use {
        add("a page of memory, used first".to_owned(), value);
    }
    supersteps(machine, &mut all);
    message_passing(machine, &mut all);
    all.retain(|named| named.value.value > 0.0 && named.value.low >= 0.0);
    all
}

/// `add (double)`, `mispredicted branch`.
pub(crate) fn in_words(operation: &Operation) -> String {
    match (operation.name.as_str(), operation.operand.as_str()) {
        ("branch", _) => "mispredicted branch".to_owned(),
        (name, "") => name.to_owned(),
        (name, operand) => format!("{name} ({operand})"),
    }
}

fn memory(machine: &Machine, all: &mut Vec<Named>) {
    let memory = &machine.memory;
    let number =
        |name: &str| memory.levels.iter().position(|level| level.name == name).unwrap_or(0);
    let mut add = |what: String, unit, value, place| all.push(Named { what, unit, value, place });
    for (k, level) in memory.levels.iter().enumerate() {
        let name = &level.name;
        add(level_latency(name), "s", level.latency, PropertyOwner::Level(k));
        if let Some(size) = level.size {
            add(format!("{name}, size"), "B", size, PropertyOwner::Level(k));
        }
    }
    for access in [Access::Read, Access::Write] {
        for (k, level) in memory.levels.iter().enumerate() {
            if let Some(value) = memory.each(access, k) {
                let what = format!("{} in {}, each of many", access.name(), level.name);
                add(what, "s", value, PropertyOwner::Level(k));
            }
        }
    }
    for (k, step) in memory.translation.iter().enumerate() {
        add(format!("address translation, reach {}", k + 1), "B", step.reach, PropertyOwner::Core);
        add(format!("address translation, cost {}", k + 1), "s", step.cost, PropertyOwner::Core);
    }
    for curve in &memory.bandwidth {
        for (level, rate) in machine.memory.rates(curve) {
            let place = PropertyOwner::Level(number(level));
            add(level_rate(curve.access, curve.cores, level), "B/s", rate, place);
        }
    }
    for contention in &memory.contention {
        let what = format!("contention of {} with {} cores", contention.level, contention.cores);
        add(what, "x", contention.factor, PropertyOwner::Level(number(&contention.level)));
    }
}

/// `L2, latency`.
pub(crate) fn level_latency(name: &str) -> String {
    format!("{name}, latency")
}

/// `read from L2, 2 cores`.
pub(crate) fn level_rate(access: Access, cores: u32, level: &str) -> String {
    let cores = if cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
    format!("{} from {level}, {cores}", access.name())
}

/// Lines are compared at some sizes, since two fits of the same times may have their pieces at other places.
fn message_passing(machine: &Machine, all: &mut Vec<Named>) {
    let mpi = &machine.message_passing;
    let mut add = |what: String, unit, value| {
        all.push(Named { what, unit, value, place: PropertyOwner::Processors });
    };
    for mpi_library in &mpi.libraries {
        let label = library(&mpi_library.name, mpi_library.hosts);
        if let Some(size) = mpi_library.eager {
            add(format!("{label}, eager limit"), "B", size);
        }
        if let Some(size) = mpi_library.eager_outside {
            add(format!("{label}, eager limit, receiver outside of MPI"), "B", size);
        }
        for start in &mpi_library.start {
            add(format!("{label}, start of {} processes", start.processes), "s", start.time);
        }
    }
    for line in &mpi.messages {
        line.names().into_iter().for_each(|(what, bytes)| add(what, "s", line.time(bytes)));
    }
    for line in &mpi.collectives {
        line.names().into_iter().for_each(|(what, bytes)| add(what, "s", line.time(bytes)));
    }
}

fn supersteps(machine: &Machine, all: &mut Vec<Named>) {
    let mut add = |what: String, unit, value, processors: u32| {
        let place = if processors > 1 { PropertyOwner::Processors } else { PropertyOwner::Core };
        all.push(Named { what, unit, value, place });
    };
    for classic in &machine.classic {
        if let Some(rate) = classic.rate {
            add(classic.name("s"), "op/s", rate, 1);
        }
        add(classic.name("g"), "s/B", classic.g, classic.processors);
        add(classic.name("l"), "s", classic.l, classic.processors);
    }
    for empty in &machine.empty {
        add(empty.name(), "s", empty.l, empty.processors);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::communication::{Empty, Synchronisation};
    use crate::machine::{Cache, Host};
    use crate::memory::Level;
    use crate::regimes::NEIGHBOURS;
    use cll_units::Bytes;

    fn about(value: f64) -> Uncertain {
        Uncertain { value, low: 0.99 * value, high: 1.01 * value }
    }

    fn regimes(what: &str, all: &[f64]) -> Regimes {
        let share = 1.0 / all.len() as f64;
        let seen = all.iter().map(|value| Regime { at: *value, share }).collect();
        Regimes { what: what.into(), unit: "s", seen }
    }

    const EMPTY: &str = "empty superstep (barrier) of threads with 2 processors";

    /// A machine of two cores whose L1 is its own and whose L2 may be shared.
    fn machine(l: f64, l2: f64, seen: Vec<Regimes>) -> Machine {
        let synchronisation = Synchronisation::Barrier;
        let engine = Some("threads".to_owned());
        let empty_superstep = |processors, l| Empty {
            engine: engine.clone(),
            processors,
            oversubscribed: false,
            synchronisation,
            l: about(l),
        };
        let cache = |name: &str, bytes| Cache { name: name.into(), bytes: Bytes(bytes) };
        let caches = vec![cache("L1", 1 << 15), cache("L2", 480 << 20)];
        let host = Host { cpu: "some".into(), cores: Some(2), caches, ..Host::default() };
        let level = |name: &str, size: Option<f64>, latency| Level {
            name: name.into(),
            size: size.map(about),
            latency: about(latency),
        };
        let mut machine = Machine { host: Some(host), regimes: seen, ..Machine::default() };
        machine.empty = vec![empty_superstep(1, 20e-9), empty_superstep(2, l)];
        machine.memory.levels = vec![
            level("L1", Some(32768.0), 1e-9),
            level("L2", Some(l2), 30e-9),
            level("memory", None, 100e-9),
        ];
        machine
    }

    #[test]
    fn a_common_regime_agrees_and_another_value_differs() {
        let two = || vec![regimes(EMPTY, &[65e-9, 218e-9])];
        let a = machine(218e-9, 8e6, two());
        let agrees = |other: &Machine| compare(&a, other).is_empty();
        assert!(agrees(&machine(65e-9, 8e6, vec![])), "one of its regimes");
        assert!(!agrees(&machine(120e-9, 8e6, vec![])), "between them");
        assert!(agrees(&machine(300e-9, 8e6, vec![regimes(EMPTY, &[64e-9, 300e-9])])));
        // Written by hand, after the regimes were seen.
        assert!(!agrees(&machine(900e-9, 8e6, two())));
        let differences = compare(&a, &machine(65e-9, 8e6, vec![]));
        let value = differences.values.iter().find(|difference| difference.what == EMPTY).unwrap();
        assert_eq!((value.first_regimes.len(), value.second_regimes.len()), (2, 0));
    }

    #[test]
    fn differences_have_the_cause_that_is_known_of_their_place() {
        let a = machine(65e-9, 8e6, vec![regimes(NEIGHBOURS, &[60e-9])]);
        let b = machine(218e-9, 18e6, vec![regimes(NEIGHBOURS, &[200e-9])]);
        let comparison = compare(&a, &b);
        let causes: Vec<(&str, &str)> = comparison
            .values
            .iter()
            .filter(|difference| difference.differs)
            .map(|difference| (difference.what.as_str(), difference.cause.as_deref().unwrap_or("")))
            .collect();
        let [(l, why), (size, shared)] = causes[..] else { panic!("{causes:?}") };
        assert_eq!((l, size), (EMPTY, "L2, size"));
        assert!(why.contains("took 60 ns in A, 200 ns in B"), "{why}");
        assert!(shared.contains("480.0 MiB, accesses found 7.6 MiB in A, 17.2 MiB in B"));
        // In the same regime, or on another computer, nothing explains it.
        let same = machine(218e-9, 8e6, vec![regimes(NEIGHBOURS, &[61e-9])]);
        let mut other = b.clone();
        other.host.as_mut().unwrap().cpu = "another".into();
        for other in [&same, &other] {
            let differences = compare(&a, other);
            assert!(differences.values.iter().any(|value| value.differs));
            assert!(
                differences.values.iter().all(|value| value.cause.is_none()),
                "{differences:?}"
            );
        }
    }
}
