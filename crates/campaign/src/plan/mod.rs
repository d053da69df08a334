//! What is to be run, as a person writes it: `docs/formats/plan.md`.

mod fields;
mod read;

use serde::{Deserialize, Serialize};

pub use read::{KEY, Read, VERSION, read};

use crate::order::Grid;

/// A plan. Times are seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// What it is called: the book's folder is named by it.
    pub name: String,
    /// The program, as it is written there.
    pub program: String,
    /// Its arguments; `{NAME}` stands for the value of a parameter.
    pub arguments: Vec<String>,
    /// The parameters with their values.
    pub parameters: Vec<(String, Vec<f64>)>,
    /// Numbers of processors; none leave it to the program.
    pub processors: Vec<u32>,
    /// How often every combination is run.
    pub rounds: u32,
    /// How often it is run in succession in each round.
    pub repetitions: u32,
    /// After what time a run is ended.
    pub timeout: f64,
    /// After what time no further run is begun.
    pub budget: Option<f64>,
    /// What a run takes, about.
    pub expect: Option<f64>,
    /// What orders are shuffled by.
    pub seed: Option<u64>,
    /// Variables that are set for the program.
    pub environment: Vec<(String, String)>,
    /// What is recorded beside the times: names in groups that can be recorded at once, each in rounds of its own. As a
    /// person writes it, it is one group.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counters: Vec<Vec<String>>,
    /// Whether each run leaves a log of its supersteps or calls of MPI.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub log: bool,
    /// What starts the runs.
    pub launcher: Launcher,
    /// Whether there may be more processors than cores: such runs are kept, and never fitted.
    pub oversubscribe: bool,
    /// What a batch system is told.
    pub batch: Batch,
}

/// What starts the runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Launcher {
    /// This computer.
    #[default]
    Here,
    /// Slurm: `sbatch`.
    Slurm,
    /// PBS Pro, OpenPBS, Torque: `qsub`.
    Pbs,
    /// IBM Spectrum LSF: `bsub`.
    Lsf,
}

/// What a batch system is told beside the number of processors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Batch {
    /// Queue or partition.
    pub queue: Option<String>,
    /// Who pays.
    pub account: Option<String>,
    /// Processors of a node, where the system must be told how many nodes that makes.
    pub per_node: Option<u32>,
    /// What stands before the program, `{P}` for the number of processors; by default what fits the
    /// system and the program.
    pub starter: Option<String>,
    /// Further options, each a line of the script's directives.
    pub options: Vec<String>,
    /// Lines of the script before the program is started, such as `module load openmpi`.
    pub before: Vec<String>,
}

impl Launcher {
    /// All of them.
    pub const ALL: [Launcher; 4] = [Launcher::Here, Launcher::Slurm, Launcher::Pbs, Launcher::Lsf];

    /// As plans and command lines have it.
    pub fn name(self) -> &'static str {
        match self {
            Launcher::Here => "here",
            Launcher::Slurm => "slurm",
            Launcher::Pbs => "pbs",
            Launcher::Lsf => "lsf",
        }
    }
}

impl Plan {
    /// A plan with one round of nothing but a program.
    pub fn of(name: String, program: String) -> Plan {
        Plan {
            name,
            program,
            arguments: Vec::new(),
            parameters: Vec::new(),
            processors: Vec::new(),
            rounds: 5,
            repetitions: 1,
            timeout: 600.0,
            budget: None,
            expect: None,
            seed: None,
            environment: Vec::new(),
            counters: Vec::new(),
            log: false,
            launcher: Launcher::Here,
            oversubscribe: false,
            batch: Batch::default(),
        }
    }

    /// All combinations. Counters are divided among rounds, not in them.
    pub fn grid(&self) -> Grid {
        Grid {
            values: self.parameters.iter().map(|(_, values)| values.clone()).collect(),
            processors: self.processors.iter().copied().map(Some).collect(),
            groups: 1,
        }
    }

    /// How many rounds it has: `rounds` with each group of counters, in turns.
    pub fn all_rounds(&self) -> u32 {
        self.rounds.saturating_mul(self.counters.len().max(1) as u32)
    }

    /// Which group of counters a round records, from 0.
    pub fn group_of(&self, round: u32) -> usize {
        round as usize % self.counters.len().max(1)
    }

    /// How many runs it has.
    pub fn runs(&self) -> u64 {
        self.grid().len() as u64 * u64::from(self.all_rounds()) * u64::from(self.repetitions)
    }

    /// What it would be with other limits of time, and its counters not divided: runs of plans that differ in nothing
    /// else go together.
    #[must_use]
    pub fn without_limits(&self) -> Plan {
        let mut counters = self.counters.concat();
        counters.sort();
        counters.dedup();
        let counters = Some(counters).filter(|all| !all.is_empty()).into_iter().collect();
        Plan { budget: None, expect: None, seed: None, counters, ..self.clone() }
    }
}
