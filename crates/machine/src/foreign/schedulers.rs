//! The (s, g, l) of a machine for schedulers of BSP.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Serialize;

use crate::machine::Machine;

/// The data of a machine that schedulers need.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Schedulers {
    format: &'static str,
    version: u32,
    /// The machine's name.
    pub machine: String,
    /// One for each engine and number of processors.
    pub entries: Vec<SchedulerEntry>,
}

/// A (s, g, l) in both units.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SchedulerEntry {
    /// The engine; `None` if the machine has only one.
    pub engine: Option<String>,
    /// Number of processors.
    pub processors: u32,
    /// Whether these were more than the cores.
    pub oversubscribed: bool,
    /// Operations per second of a processor; `None` if not known.
    pub s: Option<f64>,
    /// Seconds per byte.
    pub g: f64,
    /// Seconds.
    pub l: f64,
    /// Operations per word of 32 bits.
    pub g_operations_per_word: Option<f64>,
    /// Operations.
    pub l_operations: Option<f64>,
}

/// Every (s, g, l) of a machine.
pub fn schedulers(machine: &Machine) -> Schedulers {
    let entries = machine.classic.iter().map(|classic| {
        let rate = classic.rate.map(|rate| rate.value);
        SchedulerEntry {
            engine: classic.engine.clone(),
            processors: classic.processors,
            oversubscribed: classic.oversubscribed,
            s: rate,
            g: classic.g.value,
            l: classic.l.value,
            g_operations_per_word: rate.map(|rate| 4.0 * classic.g.value * rate),
            l_operations: rate.map(|rate| classic.l.value * rate),
        }
    });
    Schedulers {
        format: "cll-bsp-architecture",
        version: 1,
        machine: machine.name.clone(),
        entries: entries.collect(),
    }
}

/// The architecture file of OneStopParallel: `p g l`, and what a unit costs from each processor to each other one. Its numbers
/// are whole: g and l in operations, per word of 32 bits, rounded, at least 1. `None` if the machine has no (s, g, l) with an s
/// for this number of processors and this engine (any if `None`).
pub fn arch(machine: &Machine, engine: Option<&str>, processors: u32) -> Option<String> {
    let mut all = machine.classic.iter();
    let fits = |name: Option<&str>| engine.is_none() || name.is_none() || name == engine;
    let classic =
        all.find(|classic| classic.processors == processors && fits(classic.engine.as_deref()))?;
    let rate = classic.rate?.value;
    let rounded = |value: f64| value.round().max(1.0);
    let (g, l) = (rounded(4.0 * classic.g.value * rate), rounded(classic.l.value * rate));
    // A name is one line of a comment.
    let name: String = machine.name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let mut out = format!(
        "% {name}: processors, g (operations per word of 32 bits), l (operations)\n{processors} {g} {l}\n\
         % from, to, factor of g\n"
    );
    for from in 0..processors {
        for to in 0..processors {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{from} {to} {}", u32::from(from != to));
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::Published;

    #[test]
    fn numbers_are_those_of_the_literature() {
        let machine = Published::named("sgi-powerchallenge").unwrap().machine();
        let text = arch(&machine, None, 2).unwrap();
        let data: Vec<&str> = text.lines().filter(|line| !line.starts_with('%')).collect();
        assert_eq!(data, ["2 10 1132", "0 0 0", "0 1 1", "1 0 1", "1 1 0"]);
        assert_eq!(arch(&machine, None, 64), None);
        let all = schedulers(&machine);
        let two = &all.entries[1];
        assert_eq!((two.processors, two.l_operations.unwrap().round()), (2, 1132.0));
    }
}
