//! `plan.json`: the sampled rounds, so that the same command continues from them.

use std::fmt::Debug;
use std::fs;
use std::io;
use std::path::Path;

use cll_result::{AdaptiveRound, Against, Machine, RunModel, SourceModel};
use serde::{Deserialize, Serialize};

use super::round::Round;
use crate::Error;
use cll_files as files;
use cll_launch::identity::Identity;

/// Name of the file in the model's folder.
pub const FILE_NAME: &str = "plan.json";
const FORMAT: &str = "cll-plan";
const VERSION: u32 = 2;

/// Everything on which samples depend: only samples of equal plans are fitted together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The version of `cll` that sampled.
    pub tool: String,
    /// The sources.
    pub sources: Vec<SourceModel>,
    /// The compiler's command, with libraries.
    pub command: String,
    /// The compiler's version.
    pub compiler: String,
    /// The program's arguments, with placeholders for values.
    pub arguments: Vec<String>,
    /// The variables with their values.
    pub values: Vec<(String, Vec<f64>)>,
    /// Numbers of processors.
    pub processors: Vec<Option<u32>>,
    /// The machine.
    pub machine: Machine,
    /// The boot of the machine: clocks of different boots cannot be compared.
    pub boot: String,
    /// Processors to which the program was bound.
    pub pinned: Option<Vec<usize>>,
    /// How it was scheduled.
    pub scheduler: String,
    /// Settings of the program besides its arguments: counters, a simulation, an engine.
    pub settings: Vec<(String, String)>,
    /// The identity of the built program and of its environment.
    pub identity: Identity,
    /// The headers of the sources that are not the system's, each with its SHA-256. They are used only to explain
    /// why a program has changed.
    pub headers: Vec<(String, String)>,
}

impl Plan {
    /// The differences from an earlier plan: a sentence for each, without a full stop. Samples of two plans are
    /// fitted together if there is none.
    pub fn differs(&self, before: &Plan) -> Vec<String> {
        let mut all = Vec::new();
        let was = |what: &str, before: &dyn Debug, now: &dyn Debug| {
            format!("{what} was {before:?}, and is {now:?}")
        };
        if self.tool != before.tool {
            all.push(was("the version of cll", &before.tool, &self.tool));
        }
        if self.sources != before.sources {
            all.extend(other_files(&pairs(&before.sources), &pairs(&self.sources)));
        }
        if self.command != before.command {
            all.push(was("the compiler's command", &before.command, &self.command));
        }
        if self.compiler != before.compiler {
            all.push(was("the compiler", &before.compiler, &self.compiler));
        }
        if all.is_empty() && self.identity.program != before.identity.program {
            all.push(match &other_files(&before.headers, &self.headers)[..] {
                [] => "the same sources gave another program: a static library, a header of the \
                       system, or a part of the compiler has changed"
                    .to_owned(),
                changed => format!("{}, and this gave another program", changed.join(", ")),
            });
        }
        if self.arguments != before.arguments {
            all.push(was("the program's arguments", &before.arguments, &self.arguments));
        }
        if self.values != before.values {
            let names: Vec<&str> = self.values.iter().map(|(name, _)| name.as_str()).collect();
            all.push(format!("other values are requested ({})", names.join(", ")));
        }
        if self.processors != before.processors {
            all.push("other numbers of processors are requested".to_owned());
        }
        if self.machine != before.machine {
            all.push("the machine is a different one".to_owned());
        } else if self.boot != before.boot {
            all.push("the machine was started again".to_owned());
        }
        if self.pinned != before.pinned {
            all.push("the program is bound to other processors".to_owned());
        }
        if self.scheduler != before.scheduler {
            all.push(was("the scheduling", &before.scheduler, &self.scheduler));
        }
        if self.settings != before.settings {
            all.push("the counters or the engine have changed".to_owned());
        }
        all.extend(self.identity.differs(&before.identity));
        all
    }
}

fn pairs(sources: &[SourceModel]) -> Vec<(String, String)> {
    sources.iter().map(|source| (source.file.clone(), source.crc32.clone())).collect()
}

/// Which files were changed, added or removed: files with their checksums.
fn other_files(before: &[(String, String)], now: &[(String, String)]) -> Vec<String> {
    let known = |all: &[(String, String)], name: &str| {
        all.iter().find(|(file, _)| file == name).map(|(_, known)| known.clone())
    };
    let mut all = Vec::new();
    for (file, by) in now {
        match known(before, file) {
            None => all.push(format!("{file} is new")),
            Some(old) if old != *by => all.push(format!("{file} has changed")),
            Some(_) => {}
        }
    }
    let gone = before.iter().filter(|(file, _)| known(now, file).is_none());
    all.extend(gone.map(|(file, _)| format!("{file} is no longer used")));
    all
}

/// Two runs, one with markers and one without.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Paired {
    /// Values of the variables given from outside.
    pub values: Vec<f64>,
    /// Number of processors.
    pub processors: Option<u32>,
    /// Seconds of processor time of the run with markers.
    pub with: f64,
    /// Seconds of processor time of the other run.
    pub without: f64,
    /// The kind of the other run.
    pub against: Against,
}

/// A plan with the rounds sampled so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedRounds {
    format: String,
    version: u32,
    /// The plan.
    pub plan: Plan,
    /// The seed of the orders.
    pub seed: u64,
    /// The rounds.
    pub rounds: Vec<Round>,
    /// Runs with markers and without.
    #[serde(default)]
    pub pairs: Vec<Paired>,
    /// The same for an empty program: seconds with markers and without.
    #[serde(default)]
    pub empty: Vec<(f64, f64)>,
    /// With `--adaptive` the points that were chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chosen: Vec<AdaptiveRound>,
}

/// The version, which says whether the rest can be read.
#[derive(Deserialize)]
struct SavedHead {
    format: String,
    version: u32,
}

impl SavedRounds {
    /// A plan without any rounds.
    pub fn new(plan: Plan, seed: u64) -> SavedRounds {
        let format = FORMAT.to_owned();
        SavedRounds {
            format,
            version: VERSION,
            plan,
            seed,
            rounds: Vec::new(),
            pairs: Vec::new(),
            empty: Vec::new(),
            chosen: Vec::new(),
        }
    }

    /// Reads a folder's plan, without rounds that have no trace, or whose traces were removed or changed. `None`
    /// if there is no plan.
    ///
    /// # Errors
    /// If the file cannot be read; the text says why.
    pub fn read(folder: &Path) -> Result<Option<SavedRounds>, Error> {
        let bytes = match fs::read(folder.join(FILE_NAME)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::PlanUnreadable(error)),
        };
        let head: SavedHead = serde_json::from_slice(&bytes).map_err(Error::PlanDamaged)?;
        match head.version {
            _ if head.format != FORMAT => return Err(Error::NoPlan),
            VERSION => {}
            version if version < VERSION => return Err(Error::PlanOlder),
            version => return Err(Error::PlanNewer { version, known: VERSION }),
        }
        let mut kept: SavedRounds = serde_json::from_slice(&bytes).map_err(Error::PlanDamaged)?;
        let has_left =
            |round: &Round| round.runs.iter().any(|run| !run.description.trace.is_empty());
        kept.rounds.retain(|round| round.is_whole(folder) && has_left(round));
        Ok(Some(kept))
    }

    /// Writes it.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        let text = serde_json::to_vec(self).map_err(Error::PlanNotWritten)?;
        Ok(files::replace(&folder.join(FILE_NAME), &text)?)
    }

    /// The runs of all rounds, in order.
    pub fn runs(&self) -> Vec<RunModel> {
        let all = self.rounds.iter().flat_map(|round| &round.runs);
        all.map(|run| run.description.clone()).collect()
    }

    /// The number of the next round.
    pub fn next_number(&self) -> u32 {
        self.rounds.iter().map(|round| round.number + 1).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Run;
    use cll_launch::machine_state::MachineObservation;

    fn round(number: u32, trace: &str, bytes: u64) -> Round {
        let description = RunModel { trace: trace.to_owned(), ..RunModel::default() };
        let runs = vec![Run { description, values: vec![1.5], bytes }];
        Round { number, began: 5.0, seen: MachineObservation::default(), runs }
    }

    #[test]
    fn what_was_done_comes_back_without_what_is_gone() {
        let place = tempfile::tempdir().unwrap();
        assert_eq!(SavedRounds::read(place.path()).unwrap(), None);
        let mut kept = SavedRounds::new(Plan { boot: "b".into(), ..Plan::default() }, 17);
        fs::write(place.path().join("a.dat"), "four").unwrap();
        kept.rounds = vec![round(0, "a.dat", 4), round(1, "b.dat", 4), round(2, "a.dat", 5)];
        assert_eq!(kept.next_number(), 3);
        kept.write(place.path()).unwrap();
        kept.rounds.truncate(1);
        assert_eq!(SavedRounds::read(place.path()).unwrap(), Some(kept));
    }

    #[test]
    fn whatever_differs_is_named() {
        let pair = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
        let sources = vec![SourceModel { file: "a.c".into(), crc32: "1".into() }];
        let before = Plan { headers: pair("a.h", "1"), sources, ..Plan::default() };
        let other = |change: &dyn Fn(&mut Plan)| {
            let mut plan = before.clone();
            change(&mut plan);
            plan.differs(&before)
        };
        assert!(other(&|_| {}).is_empty());
        assert!(other(&|plan| plan.headers.clear()).is_empty(), "no program comes of it");
        let rebuilt = |plan: &mut Plan| plan.identity.program = "2".into();
        assert!(other(&rebuilt)[0].contains("the same sources gave"));
        let header = other(&|plan| {
            rebuilt(plan);
            plan.headers = pair("a.h", "2");
        });
        assert_eq!(header, ["a.h has changed, and this gave another program"]);
        let source = other(&|plan| {
            rebuilt(plan);
            plan.sources[0].crc32 = "2".into();
        });
        assert_eq!(source, ["a.c has changed"]);
        let changes: [&dyn Fn(&mut Plan); 13] = [
            &|plan| plan.tool = "2".into(),
            &|plan| plan.sources.clear(),
            &|plan| plan.command = "2".into(),
            &|plan| plan.compiler = "2".into(),
            &|plan| plan.arguments = vec!["2".into()],
            &|plan| plan.values = vec![("N".into(), vec![2.0])],
            &|plan| plan.processors = vec![Some(2)],
            &|plan| plan.machine.host = "2".into(),
            &|plan| plan.boot = "2".into(),
            &|plan| plan.pinned = Some(vec![2]),
            &|plan| plan.scheduler = "2".into(),
            &|plan| plan.settings = pair("CLL_ENGINE", "virtual"),
            &|plan| plan.identity.clock = "2".into(),
        ];
        for (index, change) in changes.iter().enumerate() {
            assert_eq!(other(change).len(), 1, "change {index}");
        }
    }

    #[test]
    fn a_damaged_plan_is_reported() {
        let place = tempfile::tempdir().unwrap();
        for damaged in ["", "{", "[]", "{\"format\":\"cll-plan\",\"version\":1}"] {
            fs::write(place.path().join(FILE_NAME), damaged).unwrap();
            assert!(SavedRounds::read(place.path()).is_err(), "{damaged}");
        }
        let mut kept = SavedRounds::new(Plan::default(), 1);
        kept.version = 9;
        kept.write(place.path()).unwrap();
        assert!(SavedRounds::read(place.path()).unwrap_err().to_string().contains("version"));
    }
}
