//! Rounds kept in `plan.json`, rounds of logged runs, and what the state of a machine means.

#![forbid(unsafe_code)]

use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use cll_launch::machine_state::{BestSeen, MachineObservation};
use cll_launch::{Launcher, Outcome, Run};
use cll_result::{AdaptiveRound, Against, SourceModel};
use cll_sampling::{
    Campaign, Grid, Launched, Launching, PLAN, Paired, Plan, Progress, Round, SavedRounds,
    Template, logged_rounds, order, rounds_of_processes, signs,
};
use cll_trace::layout::{BlockHeader, meta_block};
use cll_trace::meta::{self, Meta};
use cll_units::Seconds;
use serde_json::{Value, json};

struct Silent;

impl Progress for Silent {
    fn begins(&mut self, _: &Launching) {}
    fn ended(&mut self, _: &Outcome) {}
}

/// A launcher that launches nothing: its answer is for the number of the launch, and the folder.
struct Pretended<F>(u32, F);

impl<F: FnMut(u32, &Path) -> Outcome> Launcher for Pretended<F> {
    fn launch(&mut self, run: Run<'_>) -> Result<Outcome, cll_launch::Error> {
        self.0 += 1;
        Ok((self.1)(self.0 - 1, &run.folder))
    }
}

fn outcome(number: u32, raw: i32, trace: Option<PathBuf>) -> Outcome {
    Outcome {
        trace,
        ..Outcome::ended(number, ExitStatus::from_raw(raw), Duration::from_millis(1500))
    }
}

fn campaign(folder: &Path) -> Campaign {
    Campaign::new(
        "p".into(),
        Template::parse(&["-n".to_owned(), "{N}".to_owned()], &["N"]).unwrap(),
        folder.to_path_buf(),
        tempfile::tempfile().unwrap(),
        Duration::from_secs(1),
    )
}

fn grid() -> Grid {
    Grid { values: vec![vec![0.1 + 0.2, 1e9]], ..Grid::default() }
}

/// A round of a launch with a trace of 5 bytes, and one that failed without.
fn round(folder: &Path, number: u32) -> Round {
    let made: Vec<Launched> = order(&grid(), number, 7)
        .into_iter()
        .enumerate()
        .map(|(index, launching)| {
            let path = folder.join(format!("p.cll.{}.dat", 2 * number + index as u32));
            fs::write(&path, "trace").unwrap();
            let seen = MachineObservation {
                launches: 1,
                wall: 0.5,
                threads: index as u32,
                ..MachineObservation::default()
            };
            let outcome = match index {
                0 => outcome(0, 0, Some(path)),
                _ => outcome(1, 11, None),
            };
            Launched { launching, outcome: Outcome { seen: Some(seen), ..outcome } }
        })
        .collect();
    let groups = [vec!["cycles".to_owned()], vec!["r01".to_owned()]];
    Round::new(number, 1e9 + 0.25, &made, &campaign(folder).arguments, &groups)
}

fn saved(folder: &Path) -> SavedRounds {
    let mut saved = SavedRounds::new(Plan { boot: "b".to_owned(), ..Plan::default() }, u64::MAX);
    saved.rounds = vec![round(folder, 0), round(folder, 1)];
    saved.pairs = vec![Paired {
        values: vec![0.1 + 0.2],
        processors: Some(2),
        with: 1.1,
        without: 1.0,
        against: Against::Gate,
    }];
    saved.empty = vec![(0.02, 0.01)];
    saved.chosen =
        vec![AdaptiveRound { round: 1, width: Some(0.3), spent: Seconds(4.0), points: Vec::new() }];
    saved
}

#[test]
fn a_round_describes_its_runs() {
    let folder = tempfile::tempdir().unwrap();
    let round = round(folder.path(), 3);
    let [first, second] = &round.runs[..] else { panic!("{round:?}") };
    let about = &first.description;
    assert_eq!((about.trace.as_str(), first.bytes), ("p.cll.6.dat", 5));
    assert_eq!((about.exit, about.signal, about.wall), (Some(0), None, Some(Seconds(1.5))));
    assert_eq!((about.round, about.counters.as_slice()), (Some(3), &["cycles".to_owned()][..]));
    assert!(about.order.starts_with("shuffled "));
    assert_eq!(about.arguments[1].parse::<f64>().unwrap(), first.values[0], "exact");
    assert_eq!(
        (second.description.trace.as_str(), second.bytes, second.description.signal),
        ("", 0, Some(11))
    );
    // The states of its launches together.
    assert_eq!((round.seen.launches, round.seen.wall, round.seen.threads), (2, 1.0, 1));
    assert_eq!(round.traces(folder.path()), [folder.path().join("p.cll.6.dat")]);
    assert!(round.is_whole(folder.path()));
}

#[test]
fn all_that_was_kept_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let saved = saved(folder.path());
    saved.write(folder.path()).unwrap();
    assert_eq!(SavedRounds::read(folder.path()).unwrap(), Some(saved.clone()));
    assert_eq!((saved.next_number(), saved.runs().len()), (2, 4));
    assert_eq!(SavedRounds::new(Plan::default(), 1).next_number(), 0);
    // A folder that cannot be written, and a plan that cannot be read.
    assert!(saved.write(&folder.path().join("none")).is_err());
    fs::remove_file(folder.path().join(PLAN)).unwrap();
    fs::create_dir(folder.path().join(PLAN)).unwrap();
    let error = SavedRounds::read(folder.path()).unwrap_err();
    assert_eq!(error.to_string(), "is a directory");
}

#[test]
fn rounds_whose_traces_are_gone_or_changed_are_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let read = || {
        let saved = SavedRounds::read(folder.path()).unwrap().unwrap();
        (saved.rounds.iter().map(|round| round.number).collect::<Vec<_>>(), saved.next_number())
    };
    saved(folder.path()).write(folder.path()).unwrap();
    fs::write(folder.path().join("p.cll.0.dat"), "longer").unwrap();
    assert_eq!(read(), (vec![1], 2));
    fs::remove_file(folder.path().join("p.cll.2.dat")).unwrap();
    assert_eq!(read(), (vec![], 0));
    fs::create_dir(folder.path().join("p.cll.2.dat")).unwrap();
    assert_eq!(read(), (vec![], 0));
}

/// Fields that came later may be missing; unknown ones are passed over.
#[test]
fn plans_of_other_versions() {
    let folder = tempfile::tempdir().unwrap();
    let saved = saved(folder.path());
    let read = |change: &dyn Fn(&mut Value)| {
        let mut value = serde_json::to_value(&saved).unwrap();
        change(&mut value);
        fs::write(folder.path().join(PLAN), value.to_string()).unwrap();
        SavedRounds::read(folder.path())
    };
    let later = read(&|value| {
        value["of tomorrow"] = json!([1]);
        value["rounds"][0]["seen"]["of tomorrow"] = json!({});
    });
    assert_eq!(later.unwrap(), Some(saved.clone()));
    let earlier = read(&|value| {
        for name in ["pairs", "empty", "chosen"] {
            value.as_object_mut().unwrap().remove(name).expect(name);
        }
    });
    let earlier = earlier.unwrap().unwrap();
    assert_eq!(
        (earlier.rounds, earlier.pairs.len(), earlier.chosen.len()),
        (saved.rounds.clone(), 0, 0)
    );
    for (change, text) in [
        (
            &(|value: &mut Value| value["version"] = 1.into()) as &dyn Fn(&mut Value),
            "an older cll wrote it, and it does not say which program was measured",
        ),
        (&|value| value["version"] = 3.into(), "it is of version 3, and this cll reads 2"),
        (&|value| value["format"] = "cll-model".into(), "it is not a plan"),
    ] {
        assert_eq!(read(change).unwrap_err().to_string(), text);
    }
    let damaged = read(&|value| value["rounds"] = 7.into()).unwrap_err().to_string();
    assert!(damaged.starts_with("invalid type"), "{damaged}");
}

#[test]
fn what_differs_is_named_in_words() {
    let source =
        |file: &str, crc: &str| SourceModel { file: file.to_owned(), crc32: crc.to_owned() };
    let before = Plan {
        tool: "cll 0.1".to_owned(),
        sources: vec![source("a.c", "1"), source("gone.c", "1")],
        command: "gcc -O1".to_owned(),
        values: vec![("N".to_owned(), vec![1.0])],
        ..Plan::default()
    };
    let now = Plan {
        tool: "cll 0.2".to_owned(),
        sources: vec![source("a.c", "2"), source("new.c", "1")],
        command: "gcc -O2".to_owned(),
        values: vec![("N".to_owned(), vec![2.0]), ("M".to_owned(), vec![1.0])],
        processors: vec![Some(2)],
        boot: "other".to_owned(),
        pinned: Some(vec![1]),
        ..Plan::default()
    };
    assert_eq!(
        now.differs(&before),
        [
            "the version of cll was \"cll 0.1\", and is \"cll 0.2\"",
            "a.c has changed",
            "new.c is new",
            "gone.c is no longer used",
            "the compiler's command was \"gcc -O1\", and is \"gcc -O2\"",
            "other values are requested (N, M)",
            "other numbers of processors are requested",
            "the machine was started again",
            "the program is bound to other processors",
        ]
    );
    assert!(now.differs(&now).is_empty());
}

#[test]
fn logged_runs_end_with_the_first_that_fails() {
    let folder = tempfile::tempdir().unwrap();
    let log = |number: u32, folder: &Path| {
        for rank in [10, 2] {
            File::create(folder.join(format!("p.cll.{number}.{rank}.dat"))).unwrap();
        }
    };
    let mut campaign = campaign(folder.path());
    let mut fails = Pretended(0, |number: u32, folder: &Path| {
        log(number, folder);
        outcome(number, if number == 2 { 3 << 8 } else { 0 }, None)
    });
    let runs = logged_rounds(&mut campaign, &grid(), 0..5, 7, &mut fails, &mut Silent).unwrap();
    assert_eq!((runs.len(), fails.0), (3, 3));
    let names: Vec<String> = runs[1].logs.iter().map(|path| cll_files::base(path)).collect();
    assert_eq!(names, ["p.cll.1.2.dat", "p.cll.1.10.dat"], "by rank");
    assert_eq!((runs[0].launching.round, runs[2].launching.round), (0, 1));
    // And with a signal; more rounds have other orders.
    let mut interrupted = Pretended(10, |number: u32, _: &Path| Outcome {
        interrupted: (number == 11).then_some(2),
        ..outcome(number, 0, None)
    });
    let runs =
        logged_rounds(&mut campaign, &grid(), 5..9, 7, &mut interrupted, &mut Silent).unwrap();
    assert_eq!((runs.len(), runs[1].launching.round), (2, 5));
}

#[test]
fn processes_belong_to_the_round_of_their_trace() {
    let folder = tempfile::tempdir().unwrap();
    let rounds = [round(folder.path(), 0), round(folder.path(), 1), round(folder.path(), 2)];
    let mut bytes = Vec::new();
    for run in 0..4u32 {
        let process = meta::Process { format: 2, pid: 100 + run, ..meta::Process::default() };
        let header = BlockHeader { process: 100 + run, ..BlockHeader::default() };
        bytes.extend(meta_block(&[Meta::Process(process)], header));
        bytes.extend(meta_block(&[Meta::Run(meta::Run::default())], BlockHeader::default()));
    }
    let trace = cll_trace::read(bytes.as_slice()).unwrap();
    // A trace in each round; what is beyond is of the last.
    assert_eq!(rounds_of_processes(&trace, &rounds, folder.path()), [0, 1, 2, 2]);
}

#[test]
fn switches_of_the_kernel_alone_are_no_disturbance() {
    let known = BestSeen::default();
    let signs_of = |involuntary: f64, waiting: f64| {
        let seen = MachineObservation {
            launches: 1,
            wall: 2.0,
            involuntary,
            waiting: Some(waiting),
            ..MachineObservation::default()
        };
        let signs = signs(&seen, &known);
        (signs.interruptions, signs.waiting.unwrap_or_default())
    };
    assert_eq!(signs_of(0.0, 0.0), (0.0, 0.0));
    assert_eq!(signs_of(3.0, 0.0).0, 0.0, "a few are the kernel's");
    let (interruptions, waiting) = signs_of(200.0, 1.0);
    assert!(interruptions > 50.0 && waiting > 0.2, "{interruptions} {waiting}");
    let nothing = signs(&MachineObservation::default(), &known);
    assert_eq!((nothing.steal, nothing.others, nothing.chain), (0.0, 0.0, None));
}
