//! Machines: the one on which something was measured, and those that have a machine file.

use cll_machine::{Differences, PUBLISHED, compare};
use cll_units::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The description of the machine by the operating system; nothing of it is measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Machine {
    /// The name of the machine.
    pub host: String,
    /// Model name of its processor.
    pub cpu: String,
    /// Processors that can be used.
    pub processors: u32,
    /// The caches of the first processor.
    pub caches: Vec<Cache>,
}

impl Machine {
    /// Name and size of each cache.
    pub fn sizes(&self) -> Vec<(String, Bytes)> {
        self.caches.iter().map(|cache| (cache.name.clone(), cache.bytes)).collect()
    }
}

/// One cache.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cache {
    /// `L1`, `L2`, …
    pub name: String,
    /// The size of the cache.
    pub bytes: Bytes,
}

/// The data of a machine, as `cll machine show --json` writes them.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MachineJson<'a> {
    format: &'static str,
    version: u32,
    machine: &'a cll_machine::Machine,
}

impl<'a> MachineJson<'a> {
    /// Describes a machine.
    pub fn of(machine: &'a cll_machine::Machine) -> MachineJson<'a> {
        MachineJson { format: "cll-machine", version: 1, machine }
    }
}

/// The common features and the differences of two machines, as `cll machine compare --json` writes them.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MachineComparison {
    format: &'static str,
    version: u32,
    /// The name of the first machine.
    pub first: String,
    /// The name of the second machine.
    pub second: String,
    /// When each was measured; empty if not known.
    pub when: [String; 2],
    /// Value by value.
    #[serde(flatten)]
    pub differences: Differences,
}

impl MachineComparison {
    /// Compares two machines.
    pub fn new(first: &cll_machine::Machine, second: &cll_machine::Machine) -> MachineComparison {
        MachineComparison {
            format: "cll-machine-comparison",
            version: 1,
            first: first.name.clone(),
            second: second.name.clone(),
            when: [first.origin.when.clone(), second.origin.when.clone()],
            differences: compare(first, second),
        }
    }
}

/// Machines by their names.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Machines {
    format: &'static str,
    version: u32,
    /// In their order.
    pub machines: Vec<Listed>,
}

/// A machine that has a name.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Listed {
    /// As it is named on a command line.
    pub name: String,
    /// `program`, `user` or `project`: in which folder it is.
    pub place: &'static str,
    /// A description of the machine.
    pub machine: String,
    /// Numbers of processors for which there are data.
    pub processors: Vec<u32>,
    /// Where it was published.
    pub source: Option<String>,
}

impl Machines {
    /// The published ones.
    pub fn published() -> Machines {
        let listed = PUBLISHED.iter().map(|published| {
            let machine = published.machine();
            Listed {
                name: published.name.to_owned(),
                place: "program",
                processors: machine.classic.iter().map(|classic| classic.processors).collect(),
                machine: machine.name,
                source: machine.origin.source,
            }
        });
        Machines { format: "cll-machines", version: 1, machines: listed.collect() }
    }

    /// Adds a machine of the project or of the user, before all others; a published one of its name is hidden. `None` if its
    /// file is wrong.
    pub fn add(&mut self, name: &str, place: &'static str, machine: Option<&cll_machine::Machine>) {
        let mut processors: Vec<u32> = machine
            .map_or(&[][..], |machine| &machine.classic)
            .iter()
            .map(|classic| classic.processors)
            .collect();
        processors.sort_unstable();
        processors.dedup();
        let listed = Listed {
            name: name.to_owned(),
            place,
            machine: machine.map_or("(its file is wrong)", |machine| &machine.name).to_owned(),
            processors,
            source: machine.and_then(|machine| machine.origin.source.clone()),
        };
        self.machines.retain(|listed| listed.name != name);
        let position = self.machines.iter().take_while(|listed| listed.place != "program").count();
        self.machines.insert(position, listed);
    }
}
