//! `plan.json`: what was sampled so far, so that the same command goes on from there.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::round::Round;
use crate::failure::{Failure, reason};
use crate::files;
use crate::model::{Machine, SourceModel};

/// Name of the file in the model's folder.
pub const FILE_NAME: &str = "plan.json";
const FORMAT: &str = "cll-plan";
const VERSION: u32 = 1;

/// Everything that samples depend on: only samples of equal plans go together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The program that sampled.
    pub tool: String,
    /// The sources.
    pub sources: Vec<SourceModel>,
    /// The compiler's command, with libraries.
    pub command: String,
    /// The compiler's version.
    pub compiler: String,
    /// The program's arguments, with places for values.
    pub arguments: Vec<String>,
    /// The variables with their values.
    pub values: Vec<(String, Vec<f64>)>,
    /// Numbers of processors.
    pub processors: Vec<Option<u32>>,
    /// The machine.
    pub machine: Machine,
    /// Which start of the machine: clocks of different ones do not go together.
    pub boot: String,
    /// Processors that the program was held on.
    pub pinned: Option<Vec<usize>>,
    /// How it was scheduled.
    pub scheduler: String,
    /// Variables of the environment that change what is measured.
    pub environment: Vec<(String, String)>,
}

/// A run without measuring.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Closed {
    /// Values of the variables from outside.
    pub values: Vec<f64>,
    /// Number of processors.
    pub processors: Option<u32>,
    /// Its time in seconds.
    pub seconds: f64,
}

/// A plan and what was done of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    format: String,
    version: u32,
    /// The plan.
    pub plan: Plan,
    /// What the orders are shuffled by.
    pub seed: u64,
    /// The rounds.
    pub rounds: Vec<Round>,
    /// Runs without measuring.
    pub closed: Vec<Closed>,
}

impl Kept {
    /// A plan of which nothing is done.
    pub fn new(plan: Plan, seed: u64) -> Kept {
        let format = FORMAT.to_owned();
        Kept { format, version: VERSION, plan, seed, rounds: Vec::new(), closed: Vec::new() }
    }

    /// What a folder holds; rounds whose traces are gone or changed are left out. `None` if there
    /// is no plan.
    ///
    /// # Errors
    /// If the file cannot be read: why.
    pub fn read(folder: &Path) -> Result<Option<Kept>, String> {
        let bytes = match fs::read(folder.join(FILE_NAME)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(reason(&error)),
        };
        let mut kept: Kept = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
        if kept.format != FORMAT || kept.version != VERSION {
            return Err(format!("it is no plan of version {VERSION}"));
        }
        kept.rounds.retain(|round| round.is_whole(folder));
        Ok(Some(kept))
    }

    /// Keeps it.
    pub fn write(&self, folder: &Path) -> Result<(), Failure> {
        let text = serde_json::to_vec(self)
            .map_err(|error| Failure::system(format!("cannot write the plan: {error}")))?;
        files::replace(&folder.join(FILE_NAME), &text)
    }

    /// The number of the next round.
    pub fn next_number(&self) -> u32 {
        self.rounds.iter().map(|round| round.number + 1).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::RunModel;
    use crate::regime::Seen;
    use crate::sampling::Run;

    fn round(number: u32, trace: &str, bytes: u64) -> Round {
        let told = RunModel { trace: trace.to_owned(), ..RunModel::default() };
        let runs = vec![Run { told, values: vec![1.5], bytes }];
        Round { number, began: 5.0, seen: Seen::default(), runs }
    }

    #[test]
    fn what_was_done_comes_back_without_what_is_gone() {
        let place = tempfile::tempdir().unwrap();
        assert_eq!(Kept::read(place.path()), Ok(None));
        let mut kept = Kept::new(Plan { boot: "b".into(), ..Plan::default() }, 17);
        fs::write(place.path().join("a.dat"), "four").unwrap();
        kept.rounds = vec![round(0, "a.dat", 4), round(1, "b.dat", 4), round(2, "a.dat", 5)];
        assert_eq!(kept.next_number(), 3);
        kept.write(place.path()).unwrap();
        kept.rounds.truncate(1);
        assert_eq!(Kept::read(place.path()), Ok(Some(kept)));
    }

    #[test]
    fn a_damaged_plan_is_told() {
        let place = tempfile::tempdir().unwrap();
        for damaged in ["", "{", "[]", "{\"format\":\"cll-plan\",\"version\":1}"] {
            fs::write(place.path().join(FILE_NAME), damaged).unwrap();
            assert!(Kept::read(place.path()).is_err(), "{damaged}");
        }
        let mut kept = Kept::new(Plan::default(), 1);
        kept.version = 9;
        kept.write(place.path()).unwrap();
        assert!(Kept::read(place.path()).unwrap_err().contains("version"));
    }
}
