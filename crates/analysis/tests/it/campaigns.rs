//! The runs of a campaign as data.

use std::fs;
use std::path::{Path, PathBuf};

use cll_analysis::Error;
use cll_analysis::{campaign, fit_model, mixture};
use cll_campaign::{Plan, State};
use cll_campaign_db::{CampaignDb, Environment, RunResult};
use cll_import::ImportOptions;
use cll_result::ModelFile;
use tempfile::{TempDir, tempdir};

use crate::support::{Walk, constant, message, parts, read, request};

/// The fate of the run for N and M in a round.
struct Ended {
    state: State,
    seconds: f64,
    program: &'static str,
    host: &'static str,
    oversubscribed: bool,
    trace: bool,
}

impl Default for Ended {
    fn default() -> Ended {
        Ended {
            state: State::Done,
            seconds: 0.0,
            program: "aa",
            host: "node1",
            oversubscribed: false,
            trace: false,
        }
    }
}

/// A campaign of N = 1000, 2000, 4000, 8000 and M = 1, 2 in three rounds.
fn campaign(ended: impl Fn(f64, f64, u32) -> Ended) -> (TempDir, PathBuf) {
    let folder = tempdir().unwrap();
    let path = folder.path().join("walk.campaign");
    let mut plan = Plan::new("walk".to_owned(), "./walk".to_owned());
    plan.parameters = vec![
        ("N".to_owned(), vec![1000.0, 2000.0, 4000.0, 8000.0]),
        ("M".to_owned(), vec![1.0, 2.0]),
    ];
    plan.rounds = 3;
    let database = CampaignDb::create(&path, &plan, Path::new("/"), 1).unwrap();
    for run in database.waiting(&database.campaign().unwrap()).unwrap() {
        let (n, m) = (run.launching.values[0], run.launching.values[1]);
        let Ended { state, seconds, program, host, oversubscribed, trace } =
            ended(n, m, run.launching.round);
        let environment = Environment { program: program.to_owned(), ..Environment::default() };
        database.begin(run.id, database.environment(&environment).unwrap()).unwrap();
        let name = format!("walk.cll.{}.dat", run.id);
        let trace = trace.then(|| {
            let bytes =
                Walk { pid: run.id as u32, sizes: vec![n as u64], ..Walk::default() }.bytes();
            fs::write(database.traces().join(&name), &bytes).unwrap();
            (name, bytes.len() as u64)
        });
        let started = f64::from(run.launching.round);
        let result = RunResult {
            seconds,
            host: host.to_owned(),
            oversubscribed,
            trace,
            started,
            ..RunResult::default()
        };
        database.end(run.id, state, &result).unwrap();
    }
    (folder, path)
}

/// 10 ms + 2 µs N M, a little more in each round.
fn seconds(n: f64, m: f64, round: u32) -> f64 {
    (1e-2 + 2e-6 * n * m) * (1.0 + 1e-4 * f64::from(round))
}

fn fitted(path: &Path, texts: &[&str], by: Option<&str>) -> ModelFile {
    let options = ImportOptions { by: by.map(str::to_owned), ..ImportOptions::default() };
    fit_model(read(&[path.to_path_buf()], options).unwrap(), &request(texts)).unwrap()
}

#[test]
fn times_of_whole_runs_are_a_table() {
    let (_folder, path) =
        campaign(|n, m, round| Ended { seconds: seconds(n, m, round), ..Ended::default() });
    let model = fitted(&path, &["f[0] + f[1]*N*M"], None);
    assert!((constant(&model, "f", 1) / 2e-6 - 1.0).abs() < 0.01);
    assert_eq!(model.experiments[0].samples, 24);
    let observed = campaign::observed(&CampaignDb::open(&path).unwrap()).unwrap();
    assert_eq!(observed.times.len(), 8);
    let key = ("(whole run)".to_owned(), "N=4000, M=2".to_owned());
    let key =
        if observed.times.contains_key(&key) { key } else { (key.0, "M=2, N=4000".to_owned()) };
    assert_eq!(observed.times[&key].len(), 3, "{:?}", observed.times.keys());
}

#[test]
fn a_factor_or_the_machine_divides_them() {
    let host = |m: f64| if m == 1.0 { "node1" } else { "node2" };
    let (_folder, path) = campaign(|n, m, round| Ended {
        seconds: seconds(n, m, round),
        host: host(m),
        ..Ended::default()
    });
    let names = |by: &str| {
        let model = fitted(&path, &["f[0] + f[1]*N"], Some(by));
        model.experiments.iter().map(|experiment| experiment.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names("M"), ["f:M=1", "f:M=2"]);
    assert_eq!(names("machine"), ["f:node1", "f:node2"]);
    let by = ImportOptions { by: Some("K".to_owned()), ..ImportOptions::default() };
    let text = message(read(&[path], by));
    assert!(text.starts_with("--by K: the campaign has no factor K: "), "{text}");
}

#[test]
fn only_completed_runs_with_enough_cores_are_fitted() {
    let (_folder, path) = campaign(|n, m, round| Ended {
        seconds: seconds(n, m, round),
        state: if round == 0 { State::Failed } else { State::Done },
        oversubscribed: round == 1,
        ..Ended::default()
    });
    assert_eq!(campaign::completed(&path).unwrap().len(), 16);
    let model = fitted(&path, &["f[0] + f[1]*N*M"], None);
    assert_eq!(model.experiments[0].samples, 8);
    let (_folder, path) = campaign(|_, _, _| Ended { oversubscribed: true, ..Ended::default() });
    let (error, text, help) = parts(read(&[path], ImportOptions::default()));
    assert!(matches!(error, Error::Data(_)), "{error:?}");
    assert!(text.ends_with("no run is completed"), "{text}");
    assert_eq!(help, ["24 runs had more processors than cores: they are never fitted"]);
}

#[test]
fn traces_are_taken_where_there_are_any() {
    let (_folder, path) = campaign(|_, _, _| Ended { trace: true, ..Ended::default() });
    let model = fitted(&path, &[], None);
    assert!((constant(&model, "walk", 1) / 3e-9 - 1.0).abs() < 0.01);
    let observed = campaign::observed(&CampaignDb::open(&path).unwrap()).unwrap();
    let of_walk: Vec<usize> = observed
        .times
        .iter()
        .filter(|((name, _), _)| name == "walk")
        .map(|(_, times)| times.len())
        .collect();
    // A median of each run, those of both values of M.
    assert_eq!(of_walk, [6, 6, 6, 6]);
}

#[test]
fn runs_of_several_programs_are_told_and_fitted_only_if_that_is_wanted() {
    let program = |round: u32| if round == 2 { "bb" } else { "aa" };
    let (_folder, path) = campaign(|n, m, round| Ended {
        seconds: seconds(n, m, round),
        program: program(round),
        ..Ended::default()
    });
    let files = [path];
    let (error, text, help) = parts(mixture(&files, false));
    assert!(matches!(error, Error::Data(_)), "{error:?}");
    assert!(text.contains("are of different programs, or were run in different ways: 8 runs were made in another way"), "{text}");
    assert_eq!(help, ["--mixed fits them anyway, and the model says so"]);
    let mut wanted = request(&["f[0] + f[1]*N*M"]);
    wanted.mixture = mixture(&files, true).unwrap();
    let model = fit_model(read(&files, ImportOptions::default()).unwrap(), &wanted).unwrap();
    assert_eq!(model.warnings[0].code, "mixed-programs");
    let (_folder, path) =
        campaign(|n, m, round| Ended { seconds: seconds(n, m, round), ..Ended::default() });
    assert_eq!(mixture(&[path], false).unwrap(), None);
}
