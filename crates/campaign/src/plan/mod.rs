//! A plan of runs, as a user writes it: `docs/formats/plan.md`.

mod points;
mod read;
mod write;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use read::{KEY, ReadPlan, VERSION, read};
pub use write::write;

use crate::order::{Grid, GridPoint};
use crate::time::Budget;

/// A plan. Times are seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The name of the plan, which is the default name of the campaign's folder.
    pub name: String,
    /// The program, as given in the plan.
    pub program: String,
    /// The arguments; `{NAME}` is the value of a parameter.
    pub arguments: Vec<String>,
    /// The parameters with their values.
    pub parameters: Vec<(String, Vec<f64>)>,
    /// Numbers of processors; empty means the program's.
    pub processors: Vec<u32>,
    /// If there are any, these combinations are run, and no others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<PlannedPoint>,
    /// How often every combination is run.
    pub rounds: u32,
    /// Runs in succession of each combination in a round.
    pub repetitions: u32,
    /// The time limit of a run.
    pub timeout: f64,
    /// The time after which no run is started.
    pub budget: Option<f64>,
    /// Whether the budget is core time: a second of a run counts once for each of its processors.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_core_time: bool,
    /// The approximate time of a run.
    pub expect: Option<f64>,
    /// The seed of the orders.
    pub seed: Option<u64>,
    /// Variables that are set for the program.
    pub environment: Vec<(String, String)>,
    /// Counters to record, in groups that can be recorded together, each in separate rounds. As a user writes it,
    /// it is one group.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counters: Vec<Vec<String>>,
    /// Whether each run logs its supersteps or MPI calls.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub log: bool,
    /// The launcher of the runs.
    pub launcher: Launcher,
    /// Whether there may be more processors than cores: such runs are kept, and never fitted.
    pub oversubscribe: bool,
    /// Options of a batch system.
    pub batch: Batch,
}

/// A combination to run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedPoint {
    /// The values of the parameters, in their order.
    pub values: Vec<f64>,
    /// The number of processors; `None` means the program's.
    pub processors: Option<u32>,
    /// How often it is run; `None`: as often as the plan says.
    pub rounds: Option<u32>,
}

/// The launcher of the runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

/// Options of a batch system besides the number of processors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Batch {
    /// Queue or partition.
    pub queue: Option<String>,
    /// Account to charge.
    pub account: Option<String>,
    /// Processors of a node, if the system needs the number of nodes.
    pub per_node: Option<u32>,
    /// The command before the program, with `{P}` for the number of processors. Default: the one for the system
    /// and the program.
    pub starter: Option<String>,
    /// Other options, each a line of the script's directives.
    pub options: Vec<String>,
    /// Lines of the script before the program is started, such as `module load openmpi`.
    pub before: Vec<String>,
}

impl Launcher {
    /// All of them.
    pub const ALL: [Launcher; 4] = [Launcher::Here, Launcher::Slurm, Launcher::Pbs, Launcher::Lsf];

    /// The name in plans and on command lines.
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
    pub fn new(name: String, program: String) -> Plan {
        Plan {
            name,
            program,
            arguments: Vec::new(),
            parameters: Vec::new(),
            processors: Vec::new(),
            points: Vec::new(),
            rounds: 5,
            repetitions: 1,
            timeout: 600.0,
            budget: None,
            is_core_time: false,
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

    /// All combinations. Counters are divided among rounds, not within them.
    pub fn grid(&self) -> Grid {
        Grid {
            values: self.parameters.iter().map(|(_, values)| values.clone()).collect(),
            processors: self.processors.iter().copied().map(Some).collect(),
            groups: 1,
            points: self.points.iter().map(|point| self.grid_point(point)).collect(),
        }
    }

    fn grid_point(&self, point: &PlannedPoint) -> GridPoint {
        let rounds = point.rounds.unwrap_or(self.rounds);
        GridPoint {
            values: point.values.clone(),
            processors: point.processors,
            // Groups of counters take turns.
            rounds: 0..rounds.saturating_mul(self.groups()),
        }
    }

    fn groups(&self) -> u32 {
        self.counters.len().max(1) as u32
    }

    /// The number of rounds: `rounds` with each group of counters, in turns.
    pub fn all_rounds(&self) -> u32 {
        let rounds = self.points.iter().map(|point| point.rounds.unwrap_or(self.rounds)).max();
        rounds.unwrap_or(self.rounds).saturating_mul(self.groups())
    }

    /// The group of counters that a round records, from 0.
    pub fn group_of(&self, round: u32) -> usize {
        round as usize % self.counters.len().max(1)
    }

    /// The numbers of processors of its runs; empty means the program's.
    pub fn counts(&self) -> Vec<u32> {
        let of_points = self.points.iter().filter_map(|point| point.processors);
        self.processors.iter().copied().chain(of_points).collect()
    }

    /// Returns the limit of time.
    pub fn limit(&self) -> Option<Budget> {
        let is_core_time = self.is_core_time;
        self.budget.map(|seconds| Budget { seconds, is_core_time })
    }

    /// The number of runs.
    pub fn runs(&self) -> u64 {
        let points = self.points.iter().map(|point| u64::from(point.rounds.unwrap_or(self.rounds)));
        let combinations = match self.points.len() {
            0 => self.grid().len() as u64 * u64::from(self.rounds),
            _ => points.sum(),
        };
        combinations * u64::from(self.groups()) * u64::from(self.repetitions)
    }

    /// The plan with default limits of time, and its counters not divided: runs of plans that differ only in these
    /// are of one campaign.
    #[must_use]
    pub fn without_limits(&self) -> Plan {
        let mut counters = self.counters.concat();
        counters.sort();
        counters.dedup();
        let counters = Some(counters).filter(|all| !all.is_empty()).into_iter().collect();
        let is_core_time = false;
        Plan { budget: None, is_core_time, expect: None, seed: None, counters, ..self.clone() }
    }
}
