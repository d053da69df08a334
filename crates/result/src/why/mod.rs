//! Why constants change: lines whose reuse distances pass the levels of a memory or the reach of its address translation, and
//! messages that pass a limit of their MPI, as `cll why --json` writes it.

mod boundaries;
mod messages;
mod translation;

use cll_fit::Fit;
use cll_machine::{Limit, Memory};
use cll_reuse::{Crossing, Level, NEAR, Population, causes, crossings};
use schemars::JsonSchema;
use serde::Serialize;

pub use boundaries::{WhyBoundary, WhyChange};
pub use messages::{NamedSent, WhyLimit, WhyMessages};
pub use translation::{Tlb, WhyTlb, translation_levels};

/// The answer of `cll why` about a program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Why {
    format: &'static str,
    version: u32,
    /// The source.
    pub program: String,
    /// The machine whose levels are passed.
    pub machine: String,
    /// Whether its levels were measured; else they are the caches that the system names.
    pub is_measured: bool,
    /// The levels of the machine's memory.
    pub levels: Vec<WhyLevel>,
    /// The levels of its address translation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub translation: Vec<WhyTlb>,
    /// The limits of the machine's MPI, for an MPI program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<WhyLimit>,
    /// For each run how many accesses were followed, and one line of how many.
    pub runs: Vec<WhyRun>,
    /// By experiment.
    pub experiments: Vec<WhyExperiment>,
}

/// A level of the memory.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WhyLevel {
    /// The name of the level.
    pub name: String,
    /// The size of the level in bytes.
    pub bytes: f64,
    /// The additional cost of an access beyond the level, in accesses to the first level.
    pub penalty: f64,
}

/// A run of the program.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WhyRun {
    /// The arguments of the run.
    pub arguments: String,
    /// The processes of an MPI program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processes: Option<u32>,
    /// One cache line of so many was followed; `None`: no line, only messages.
    pub one_line_of: Option<u64>,
    /// Accesses whose distance was followed: those to other lines than the most recent ones.
    pub accesses: u64,
    /// Whether the program ended; else the time was up.
    pub whole: bool,
    /// Seconds.
    #[serde(rename = "time_s")]
    pub seconds: f64,
    /// How many times as long as the program alone it took; `None` if that was not measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slower: Option<f64>,
}

/// The explanation of an experiment.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WhyExperiment {
    /// The name of the experiment.
    pub name: String,
    /// The formula of the experiment.
    pub formula: String,
    /// The variables, in the order of values.
    pub variables: Vec<String>,
    /// The values at which it was followed.
    pub sizes: Vec<Vec<f64>>,
    /// The boundaries of the model with what they are due to; empty without a model.
    pub boundaries: Vec<WhyBoundary>,
    /// All sizes at which a distance passes a level, the heaviest first.
    pub crossings: Vec<WhyCause>,
    /// All sizes at which messages pass a limit of their MPI.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<WhyMessages>,
    /// The reuse distances.
    pub distances: Vec<WhyDistance>,
    /// Why something is not said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// An array that leaves a level.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WhyCause {
    /// The array.
    pub array: String,
    /// The file of the line that accesses it.
    pub file: String,
    /// The line with most of the accesses.
    pub line: u32,
    /// All lines whose accesses to it leave the level there.
    pub lines: Vec<u32>,
    /// Bytes used between two uses of a cache line of it, as a formula.
    pub distance: String,
    /// The level.
    pub level: String,
    /// The size of the level in bytes.
    pub bytes: f64,
    /// The bytes of a page, for address translation. Distance and level are then bytes of pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<f64>,
    /// The variable.
    pub variable: String,
    /// The value of the variable; where distances are spread, the value from which on some of the accesses miss.
    pub at: f64,
    /// The value from which on half of the accesses miss: `at`, if distances are not spread. `None` if they do not grow so
    /// far.
    pub half: Option<f64>,
    /// Whether it was followed on both sides of that value; else it follows from the formula.
    pub measured: bool,
    /// Share of the passage's accesses that are concerned.
    pub share: f64,
    /// The additional cost of an average access beyond it, in accesses to the first level.
    pub weight: f64,
}

/// The reuse distance of a line's accesses to an array.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WhyDistance {
    /// The array.
    pub array: String,
    /// The file of the line.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The function.
    pub function: String,
    /// Share of the passage's accesses, at the largest size.
    pub share: f64,
    /// The distance in bytes, as a formula.
    pub distance: String,
    /// The relative error of the formula at the sizes that were followed.
    pub error: f64,
    /// The distance in bytes at each size: the values of the variables, and the distance.
    pub points: Vec<(Vec<f64>, f64)>,
}

/// The known accesses and messages of an experiment.
#[derive(Clone, Debug, Default)]
pub struct Explained {
    /// Distances in lines.
    pub named: Vec<Named>,
    /// Distances in pages, by the bytes of a page.
    pub paged: Vec<(f64, Vec<Named>)>,
    /// Messages.
    pub sent: Vec<NamedSent>,
}

/// The known facts about a machine.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The levels of its memory.
    pub levels: Vec<Level>,
    /// Those of its address translation.
    pub translation: Vec<Tlb>,
    /// The limits of the program's MPI.
    pub limits: Vec<Limit>,
}

/// A population with its names.
#[derive(Clone, Debug)]
pub struct Named {
    /// The accesses.
    pub population: Population,
    /// The array.
    pub array: String,
    /// The file of the line.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The function.
    pub function: String,
}

impl WhyExperiment {
    /// An experiment with the values of its variables at which it was followed.
    pub fn new(
        name: &str,
        formula: &str,
        variables: &[String],
        mut sizes: Vec<Vec<f64>>,
    ) -> WhyExperiment {
        sizes.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        sizes.dedup();
        let number = match sizes.len() {
            1 => "1 set".to_owned(),
            number => format!("{number} sets"),
        };
        let notes = (sizes.len() < 3).then(|| {
            format!(
                "it was passed with {number} of values of its variables within the time; at least 3 are needed: \
                 --arguments WORDS for other sizes, --budget TIME"
            )
        });
        WhyExperiment {
            name: name.to_owned(),
            formula: formula.to_owned(),
            variables: variables.to_vec(),
            sizes,
            boundaries: Vec::new(),
            crossings: Vec::new(),
            messages: Vec::new(),
            distances: Vec::new(),
            notes: notes.into_iter().collect(),
        }
    }
}

impl Why {
    /// Makes the answer for a program on a machine, without experiments yet.
    pub fn new(program: String, machine: String, is_measured: bool, known: &Known) -> Why {
        let level = |machine_level: &Level| WhyLevel {
            name: machine_level.name.clone(),
            bytes: machine_level.size,
            penalty: machine_level.penalty,
        };
        Why {
            format: "cll-why",
            version: 1,
            program,
            machine,
            is_measured,
            levels: known.levels.iter().map(level).collect(),
            translation: known.translation.iter().map(WhyTlb::from_tlb).collect(),
            limits: known.limits.iter().map(WhyLimit::from_limit).collect(),
            runs: Vec::new(),
            experiments: Vec::new(),
        }
    }

    /// Adds an experiment: its distances, where they pass the levels, and the boundaries of its fit.
    pub fn add(
        &mut self,
        mut experiment: WhyExperiment,
        explained: &Explained,
        known: &Known,
        fit: Option<&Fit>,
    ) {
        let names = experiment.variables.clone();
        experiment.crossings = together(leaving(explained, known, &names, None));
        experiment.messages = messages::passing(&explained.sent, &known.limits, &names, None);
        experiment.distances = explained
            .named
            .iter()
            .map(|named| WhyDistance {
                array: named.array.clone(),
                file: named.file.clone(),
                line: named.line,
                function: named.function.clone(),
                share: named.population.share,
                distance: named.population.growth.text(&names),
                error: named.population.growth.error,
                points: named.population.points.clone(),
            })
            .collect();
        if let Some(fit) = fit {
            experiment.add_boundaries(explained, known, fit);
        }
        self.experiments.push(experiment);
    }
}

/// The arrays that leave levels of the memory or of its address translation; with a variable and a range of it only those
/// that may explain a boundary there.
fn leaving(
    explained: &Explained,
    known: &Known,
    names: &[String],
    near: Option<(usize, f64, f64)>,
) -> Vec<WhyCause> {
    let mut reasons = Vec::new();
    let mut add = |named: &[Named], levels: &[Level], page: Option<f64>| {
        let populations: Vec<Population> =
            named.iter().map(|named| named.population.clone()).collect();
        let all = crossings(&populations, levels, near.map(|(variable, ..)| variable));
        let cause = |crossing: &Crossing| {
            let place = &named[crossing.population];
            WhyCause {
                array: place.array.clone(),
                file: place.file.clone(),
                line: place.line,
                lines: vec![place.line],
                distance: place.population.growth.text(names),
                level: levels[crossing.level].name.clone(),
                bytes: levels[crossing.level].size,
                page,
                variable: names[crossing.variable].clone(),
                at: crossing.value,
                half: crossing.half,
                measured: crossing.is_between,
                share: place.population.share,
                weight: crossing.weight,
            }
        };
        let chosen = match near {
            Some((variable, low, high)) => causes(&all, variable, low, high),
            None => all.iter().collect(),
        };
        reasons.extend(chosen.into_iter().map(cause));
    };
    add(&explained.named, &known.levels, None);
    for (page, named) in &explained.paged {
        let of_page = known.translation.iter().filter(|tlb| tlb.page == *page);
        let levels: Vec<Level> = of_page.map(|tlb| tlb.level.clone()).collect();
        add(named, &levels, Some(*page));
    }
    reasons
}

/// The levels of a memory that arrays can leave; empty if none is known.
pub fn levels(memory: &Memory) -> Vec<Level> {
    let all = &memory.levels;
    let first = all.first().map_or(1.0, |level| level.latency.value);
    let level = |pair: &[cll_machine::Level]| {
        let size = pair[0].size?.value;
        let penalty = (pair[1].latency.value - pair[0].latency.value) / first;
        Some(Level { name: pair[0].name.clone(), size, penalty })
    };
    all.windows(2).filter_map(level).collect()
}

/// Lines of a file whose accesses to an array leave a level at the same place are one cause; the heaviest come first.
fn together(all: Vec<WhyCause>) -> Vec<WhyCause> {
    let mut found: Vec<WhyCause> = Vec::new();
    for cause in all {
        let is_same = |known: &&mut WhyCause| {
            (&known.array, &known.file, &known.level) == (&cause.array, &cause.file, &cause.level)
                && (&known.variable, known.page) == (&cause.variable, cause.page)
                && (1.0 / NEAR..NEAR).contains(&(known.at / cause.at))
        };
        match found.iter_mut().find(is_same) {
            Some(known) => {
                known.share += cause.share;
                known.weight += cause.weight;
                known.measured |= cause.measured;
                if !known.lines.contains(&cause.line) {
                    known.lines.push(cause.line);
                    known.lines.sort_unstable();
                }
            }
            None => found.push(cause),
        }
    }
    found.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    found
}
