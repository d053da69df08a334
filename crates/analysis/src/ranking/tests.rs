//! Rankings of traces with known times: seeded noise around known formulas.

use cll_samples::{Policy, prepare};
use cll_trace::{Cell, Experiment, Observed, Origin, Process, Series, Start, Trace};

use super::*;
use crate::locations;

const PROCESSOR_TIME: &str = "cpu-time";

/// Runs of one region for each size, five times: its time by the wall clock and by the processor's.
fn measured(sizes: &[f64], wall: impl Fn(f64) -> f64, own: impl Fn(f64) -> f64) -> MeasuredPoints {
    measured_with(sizes, wall, own, 0.02, PROCESSOR_TIME, "s")
}

/// The same with relative noise `noise`, and another observable than the processor's time.
fn measured_with(
    sizes: &[f64],
    wall: impl Fn(f64) -> f64,
    own: impl Fn(f64) -> f64,
    noise: f64,
    observable: &str,
    unit: &str,
) -> MeasuredPoints {
    let mut state = 2003u64;
    let mut uniform = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut experiment = Experiment {
        name: "product".to_owned(),
        variables: vec!["n".to_owned()],
        observables: vec![Observed {
            name: observable.to_owned(),
            unit: unit.to_owned(),
            additive: true,
        }],
        ..Experiment::default()
    };
    let (mut processes, mut runs) = (Vec::new(), BTreeMap::new());
    for &size in sizes.iter().cycle().take(5 * sizes.len()) {
        let number = processes.len() as u32;
        experiment.origins.push(Origin {
            process: number,
            thread: 0,
            place: 0,
            left: false,
            switched: false,
            start: Start::Own,
        });
        let mut noisy = |time: f64| time * (1.0 + noise * cll_statistics::normal(&mut uniform));
        let (wall, own) = (noisy(wall(size)), noisy(own(size)));
        let mut cell = Cell::new(vec![size]);
        cell.push(wall, wall, number);
        cell.observed = vec![Series { inclusive: vec![own], exclusive: vec![own] }];
        experiment.cells.push(cell);
        processes.push(process(number));
        runs.insert(number, RankedRun { values: vec![size], wall: Some(wall + 1e-3) });
    }
    let trace = Trace { experiments: vec![experiment], processes, ..Trace::default() };
    MeasuredPoints { trace: prepare(trace, &Policy::default()).0, runs }
}

pub(crate) fn process(run: u32) -> Process {
    Process {
        trace: run,
        run,
        pid: run,
        table: Default::default(),
        processor: None,
        sync: Vec::new(),
        units: Vec::new(),
        observables: None,
        end: None,
        calibration: Default::default(),
        threads: 1,
        samples: 1,
        unsealed: 0,
        waited_ns: 0,
        waits: 0,
    }
}

struct MeasuredPoints {
    trace: Prepared,
    runs: BTreeMap<u32, RankedRun>,
}

impl MeasuredPoints {
    fn with<T>(&self, observable: Option<&str>, evaluate: impl Fn(&RankingInput<'_>) -> T) -> T {
        self.asked(None, observable, evaluate)
    }

    fn asked<T>(
        &self,
        target: Option<&Location>,
        observable: Option<&str>,
        evaluate: impl Fn(&RankingInput<'_>) -> T,
    ) -> T {
        evaluate(&RankingInput {
            trace: &self.trace,
            runs: &self.runs,
            variables: &["N".to_owned()],
            target,
            options: &cll_search::Options::default(),
            regions: &[],
            left_out: Vec::new(),
            observable,
            marker: (20e-9, true),
        })
    }

    fn doubtful(&self) -> Option<(bool, Vec<f64>, Vec<f64>)> {
        self.with(None, |input| {
            let two = powers_of_two(input, "product")?;
            assert_eq!(two.variable, "N");
            Some((two.by_logarithm, two.between, two.all))
        })
    }
}

const POWERS: [f64; 7] = [32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0];

fn cube(n: f64) -> f64 {
    1e-9 * n * n * n
}

/// At powers of two columns share sets of the caches: each time a cache is too small for them the work costs more.
fn in_few_sets(n: f64) -> f64 {
    cube(n) * [64.0, 256.0, 1024.0].iter().filter(|size| n >= **size).fold(1.0, |c, _| 1.8 * c)
}

#[test]
fn sizes_that_are_all_powers_of_two_are_pointed_out_with_others() {
    let (by_logarithm, between, all) =
        measured(&POWERS, in_few_sets, in_few_sets).doubtful().expect("it is doubtful");
    assert!(by_logarithm || !between.is_empty());
    assert_eq!(between, [45.0, 91.0, 181.0, 363.0, 725.0, 1449.0]);
    assert_eq!(all.len(), 13);
    assert!(all.is_sorted() && all[..3] == [32.0, 45.0, 64.0]);
    // A logarithm beside the power fits such times, and is as doubtful as times that are missed.
    let slower = |n: f64| cube(n) * n.log2().powi(2);
    assert!(measured(&POWERS, slower, slower).doubtful().is_some_and(|found| found.0));
}

#[test]
fn a_formula_that_is_right_at_powers_of_two_is_not_doubted() {
    assert_eq!(measured(&POWERS, cube, cube).doubtful(), None);
    // Sorting has a logarithm, but no square.
    let sort = |n: f64| 1e-8 * n * n.log2();
    assert_eq!(measured(&POWERS, sort, sort).doubtful(), None);
    // Nor where one size is none, or where there are few.
    let with_another: Vec<f64> = POWERS.iter().copied().chain([100.0]).collect();
    assert_eq!(measured(&with_another, in_few_sets, in_few_sets).doubtful(), None);
    assert_eq!(measured(&POWERS[..3], in_few_sets, in_few_sets).doubtful(), None);
}

/// Long runs are switched out more often: by the wall clock they grow faster than the work.
#[test]
fn processor_time_is_ranked_where_it_is_asked_for() {
    let line = |n: f64| 2e-6 * n;
    let switched = |n: f64| line(n) * (1.0 + 0.1 * n.log2());
    let all = measured(&POWERS, switched, line);
    let [wall, own] = [None, Some(PROCESSOR_TIME)].map(|observable| all.with(observable, ranking));
    let formula = |ranked: &Ranking| ranked.spots[0].time.formula.clone().expect("a formula");
    assert_eq!(formula(&own), "product[0]*N");
    assert_ne!(formula(&wall), formula(&own));
    assert_eq!((own.observable.as_deref(), own.unit.as_deref()), (Some(PROCESSOR_TIME), None));
    // What markers cost is known in both cases, by the wall time of the runs.
    let share = |ranked: &Ranking| ranked.markers.as_ref().expect("their cost").share;
    assert!((share(&wall) / share(&own) - 1.0).abs() < 1e-12);
    let there = switched(2048.0) + 1e-3;
    assert!((share(&own) / (20e-9 / there) - 1.0).abs() < 0.05, "{}", share(&own));
}

/// The systematic error of times is not that of counts.
#[test]
fn counts_are_no_times() {
    let counted = |n: f64| 1000.0 * n + 0.2 * n * n;
    let all = measured_with(&POWERS, counted, counted, 1e-5, "instructions", "instructions");
    let ranking = all.with(Some("instructions"), ranking);
    assert_eq!(ranking.unit.as_deref(), Some("instructions"));
    assert!(ranking.markers.is_none());
    assert_eq!(ranking.spots[0].time.formula.as_deref(), Some("product[0]*N + product[1]*N^2"));
    // They have no error of 0.5 %, as times are expected to have.
    let time = ranking.spots[0].time.estimate.expect("a time");
    assert!(time.high - time.low < 5e-4 * time.value, "{ranking:?}");
}

/// The values of a variable of the runs.
fn point_of(value: f64) -> Location {
    locations(&format!("N={value}")).expect("a value").remove(0)
}

/// Steps whose number jumps up and down by a factor of up to 60 with the size.
fn jumping(n: f64) -> f64 {
    1e-9 * n * n * (1.0 + 10.0 * (n % 7.0))
}

#[test]
fn what_no_formula_fits_is_not_predicted() {
    let sizes = [30.0, 37.0, 47.0, 59.0, 73.0, 92.0, 115.0, 143.0, 179.0, 224.0];
    let measured = measured(&sizes, jumping, jumping);
    let far = measured.asked(Some(&point_of(5000.0)), None, ranking);
    assert_eq!((&far.at, far.is_beyond), (&vec![("N".to_owned(), 224.0)], false));
    assert_eq!(far.asked, [("N".to_owned(), 5000.0)]);
    let product = &far.spots[0].time;
    assert_eq!((product.formula.as_ref(), product.predicted), (None, None));
    assert!(product.why.as_deref().is_some_and(|why| why.contains("no formula")), "{product:?}");
    let seen = product.estimate.expect("it was measured");
    assert!((seen.value / jumping(224.0) - 1.0).abs() < 0.05, "{seen:?}");
    // Between the sizes it was not measured either.
    let between = measured.asked(Some(&point_of(200.0)), None, ranking);
    assert_eq!((between.at[0].1, between.spots[0].time.predicted), (224.0, None));
    // At a measured size it is what was measured.
    let there = measured.asked(Some(&point_of(92.0)), None, ranking);
    assert_eq!((there.at[0].1, there.asked.len()), (92.0, 0));
    let seen = there.spots[0].time.estimate.expect("it was measured");
    assert!((seen.value / jumping(92.0) - 1.0).abs() < 0.05, "{seen:?}");
}

#[test]
fn shares_are_predicted_where_there_are_formulas() {
    let far = measured(&POWERS, cube, cube).asked(Some(&point_of(5000.0)), None, ranking);
    assert_eq!((far.at[0].1, far.is_beyond, far.asked.len()), (5000.0, true, 0));
    let time = far.spots[0].time.estimate.expect("a prediction");
    assert!((time.value / cube(5000.0) - 1.0).abs() < 0.05, "{time:?}");
}

/// The whole program has a constant part of its own, so the sum of the regions is less; it is more only if formulas
/// contradict each other.
#[test]
fn regions_that_add_up_to_more_than_the_program_say_so() {
    let mut all = measured(&POWERS, cube, cube);
    let near = all.with(None, ranking);
    assert_eq!(near.sum, None);
    assert!(near.covered.is_some_and(|covered| covered > 0.9 && covered < 1.02), "{near:?}");
    for run in all.runs.values_mut() {
        run.wall = run.wall.map(|wall| 0.5 * (wall - 1e-3));
    }
    let twice = all.with(None, ranking);
    let sum = twice.sum.expect("they are more than the program");
    assert!((sum.excess - 1.0).abs() < 0.1, "{sum:?}");
    assert_eq!(twice.covered, None);
}
