//! Ranks that do the same, and what all runs say of them.

use super::run::{MeasuredRun, Passed, Sites};
use super::structure::{Fitted, Structure};

/// Up to so many ranks are told apart one by one if the number of processors is not varied.
const MOST_RANKS: u32 = 16;

/// Which ranks are of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Which {
    /// One.
    Rank(u32),
    First,
    Middle,
    Last,
}

impl Which {
    /// The class of a rank. `apart`: each rank is one.
    pub(super) fn from_rank(rank: u32, processors: u32, apart: bool) -> Which {
        match rank {
            rank if apart => Which::Rank(rank),
            0 => Which::First,
            rank if rank + 1 == processors => Which::Last,
            _ => Which::Middle,
        }
    }

    pub(super) fn words(self) -> String {
        match self {
            Which::Rank(rank) => format!("rank {rank}"),
            Which::First => "rank 0".to_owned(),
            Which::Middle => "inner ranks".to_owned(),
            Which::Last => "the last rank".to_owned(),
        }
    }
}

/// The observation of a rank of the class in a run.
#[derive(Clone, Debug)]
pub(super) struct Observation {
    /// Index of the run.
    pub(super) run: usize,
    /// Values of the variables, then the number of processors.
    pub(super) values: Vec<f64>,
    pub(super) processors: u32,
    pub(super) rank: u32,
    pub(super) begin: f64,
    pub(super) fitted: Fitted,
}

impl Observation {
    pub(super) fn node(&self, node: usize) -> Option<&Passed> {
        self.fitted.nodes.get(node)?.as_ref()
    }
}

/// A class of ranks.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub(super) which: Which,
    pub(super) structure: Structure,
    pub(super) observations: Vec<Observation>,
}

/// A run in which ranks do something else.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Different {
    /// Index of the run.
    pub(super) run: usize,
    pub(super) rank: u32,
    /// The call path at which it differs, in words.
    pub(super) place: String,
}

/// The classes of runs, and the runs that are not of their structure, which are left out.
pub(super) fn classes(runs: &[MeasuredRun], sites: &Sites) -> (Vec<Class>, Vec<Different>, bool) {
    let counts: Vec<u32> = runs.iter().map(|run| run.processors).collect();
    let apart = counts.windows(2).all(|pair| pair[0] == pair[1])
        && counts.first().is_some_and(|&count| count <= MOST_RANKS);
    let mut members: Vec<(Which, Vec<(usize, u32)>)> = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        for rank in 0..run.processors {
            let which = Which::from_rank(rank, run.processors, apart);
            match members.iter_mut().find(|member| member.0 == which) {
                Some(entry) => entry.1.push((number, rank)),
                None => members.push((which, vec![(number, rank)])),
            }
        }
    }
    members.sort_by_key(|member| member.0);
    let mut different: Vec<Different> = Vec::new();
    let mut all = Vec::new();
    for (which, pairs) in members {
        let steps = |&(run, rank): &(usize, u32)| &runs[run].ranks[rank as usize].steps;
        let structure = common(&pairs.iter().map(steps).collect::<Vec<_>>());
        let mut observations = Vec::new();
        for pair @ &(number, rank) in &pairs {
            match structure.fit(steps(pair)) {
                Ok(fitted) => {
                    let run = &runs[number];
                    let values =
                        run.values.iter().copied().chain([f64::from(run.processors)]).collect();
                    let begin = run.ranks[rank as usize].begin;
                    let processors = run.processors;
                    observations.push(Observation {
                        run: number,
                        values,
                        processors,
                        rank,
                        begin,
                        fitted,
                    });
                }
                Err(site) => {
                    let site = site.map(|site| &sites.list()[site as usize]);
                    let place = site.map_or("the end of its calls".to_owned(), |site| {
                        format!("{} {}", site.call, site.place).trim_end().to_owned()
                    });
                    different.push(Different { run: number, rank, place });
                }
            }
        }
        all.push((which, structure, observations));
    }
    // A run is used as a whole.
    let is_used = |run: usize| !different.iter().any(|different| different.run == run);
    let classes = all.into_iter().map(|(which, structure, observations)| {
        let used =
            observations.into_iter().filter(|observation: &Observation| is_used(observation.run));
        Class { which, structure, observations: used.collect() }
    });
    (classes.collect(), different, apart)
}

/// The structure that most of the runs have. Longer ones have loops where shorter ones have single passages.
fn common(all: &[&Vec<super::run::RunStep>]) -> Structure {
    /// So many different structures are compared.
    const TRIED: usize = 12;
    let mut tried: Vec<Structure> = Vec::new();
    let mut by_length: Vec<&&Vec<super::run::RunStep>> = all.iter().collect();
    by_length.sort_by_key(|steps| std::cmp::Reverse(steps.len()));
    for steps in by_length {
        let structure = Structure::new(steps);
        if tried.len() < TRIED && !tried.contains(&structure) {
            tried.push(structure);
        }
    }
    let fits =
        |structure: &Structure| all.iter().filter(|steps| structure.fit(steps).is_ok()).count();
    let best = tried.iter().rev().max_by_key(|structure| (fits(structure), structure.loops));
    best.cloned().unwrap_or_default()
}
