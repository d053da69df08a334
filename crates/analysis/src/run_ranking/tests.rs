//! Rankings of runs with known times.

use cll_samples::{Policy, prepare};
use cll_trace::{Cell, Experiment, Origin, Run, Start, Trace, meta};

use super::*;
use crate::ranking::tests::process;

/// An experiment: of each run the passages, with the value of its variable, the time, and that without the inner ones.
fn experiment(name: &str, runs: &[&[(f64, f64, f64)]]) -> Experiment {
    let mut experiment = Experiment {
        name: name.to_owned(),
        variables: vec!["n".to_owned()],
        ..Experiment::default()
    };
    for (run, passages) in runs.iter().enumerate() {
        let (process, start) = (run as u32, Start::Own);
        experiment.origins.push(Origin {
            process,
            thread: 0,
            place: 0,
            left: false,
            switched: false,
            start,
        });
        for &(value, inclusive, exclusive) in *passages {
            let mut cell = Cell::new(vec![value]);
            cell.push(inclusive, exclusive, process);
            experiment.cells.push(cell);
        }
    }
    experiment
}

/// Runs of `prog SIZE`, with their wall times.
fn trace(experiments: Vec<Experiment>, runs: &[(&str, f64)]) -> Prepared {
    let mut trace = Trace { experiments, traces: runs.len() as u32, ..Trace::default() };
    for (number, (size, wall)) in runs.iter().enumerate() {
        let mut process = process(number as u32);
        process.table.program = "/home/user/prog".to_owned();
        process.table.args = vec![(*size).to_owned()];
        trace.processes.push(process);
        let table = meta::Run {
            command: vec!["./prog".to_owned(), (*size).to_owned()],
            number: number as u32,
            exit: Some(0),
            wall_ns: (wall * 1e9) as u64,
            ..meta::Run::default()
        };
        trace.runs.push(Run { trace: number as u32, table });
    }
    prepare(trace, &Policy::default()).0
}

fn ranked(trace: &Prepared) -> Option<Ranking> {
    run_ranking(&ModelFile::new(String::new()), trace, None)
}

/// `fill` is called once with n = 90000, `cube` twice with n = 300: no run has a passage of `cube` with 90000.
#[test]
fn a_run_that_was_measured_is_ranked_with_all_its_passages() {
    let small: &[(f64, f64, f64)] = &[(1600.0, 0.001, 0.001)];
    let experiments = vec![
        experiment("fill", &[small, &[(90000.0, 0.02, 0.02)], &[(90000.0, 0.02, 0.02)]]),
        // Its loop is inside, and counts once.
        experiment(
            "cube",
            &[
                &[(40.0, 0.002, 0.0001)],
                &[(300.0, 0.05, 0.001), (300.0, 0.03, 0.001)],
                &[(300.0, 0.05, 0.001), (300.0, 0.03, 0.001)],
            ],
        ),
        experiment(
            "cube_loop1",
            &[
                &[(40.0, 0.0019, 0.0019)],
                &[(300.0, 0.049, 0.049), (300.0, 0.029, 0.029)],
                &[(300.0, 0.049, 0.049), (300.0, 0.029, 0.029)],
            ],
        ),
        experiment("never", &[]),
    ];
    let ranking = ranked(&trace(experiments, &[("40", 0.01), ("300", 0.11), ("300", 0.12)]));
    let ranking = ranking.expect("a ranking");
    assert_eq!(ranking.run, ["prog", "300"]);
    let spots: Vec<(&str, f64, f64)> = ranking
        .spots
        .iter()
        .map(|spot| (spot.name.as_str(), spot.time.value(), spot.passages))
        .collect();
    assert_eq!(spots, [("cube_loop1", 0.078, 2.0), ("fill", 0.02, 1.0), ("cube", 0.002, 2.0)]);
    let total = ranking.total.as_ref().expect("the wall time").value();
    assert!((total - 0.115).abs() < 1e-9, "{total}");
    assert!((ranking.spots[0].share - 0.078 / 0.115).abs() < 1e-9);
    assert!(ranking.covered.is_some_and(|covered| (covered - 0.1 / 0.115).abs() < 1e-9));
    assert_eq!((ranking.not_reached, ranking.sum), (vec!["never".to_owned()], None));
    assert!(ranking.at.is_empty() && !ranking.is_beyond && !ranking.of_experiments);
}

#[test]
fn regions_with_more_time_than_the_run_say_so() {
    let experiments =
        vec![experiment("a", &[&[(1.0, 3.0, 3.0)]]), experiment("b", &[&[(1.0, 1.0, 1.0)]])];
    let ranking = ranked(&trace(experiments, &[("1", 2.0)])).expect("a ranking");
    assert!((ranking.sum.expect("more than the run").excess - 1.0).abs() < 1e-9);
    assert_eq!((ranking.covered, ranking.spots[0].share), (None, 0.75));
}

#[test]
fn a_single_experiment_is_not_ranked() {
    let experiments = vec![experiment("a", &[&[(1.0, 1.0, 1.0)]]), experiment("b", &[])];
    assert_eq!(ranked(&trace(experiments, &[("1", 2.0)])), None);
}
