//! A model in which every field has a value, and fits of known data.

use cll_fit::rounds::{Mark, PossibleError, Reason, State};
use cll_fit::{Data, Fit, Options, SharedConstant, fit};
use cll_result::*;
use cll_units::{Bytes, Seconds};

/// t = 2e-6 + 3e-9 N, three times with small deviations; for each N, and each number of processors if there are any.
pub fn line(formula: &str, processors: &[f64]) -> Fit {
    let formula = cll_formula::parse("f", formula).formula.expect("a formula");
    let mut rows = Vec::new();
    for step in 1..=8 {
        let n = f64::from(step) * 1000.0;
        for (index, deviation) in [0.999, 1.001, 1.0].into_iter().enumerate() {
            let off = 1.0 + 1e-4 * f64::from((step * 7 + index as i32 * 3) % 5 - 2);
            let time = |p: f64| (2e-6 + 3e-9 * n / p) * deviation * off;
            match processors {
                [] => rows.push((vec![n], time(1.0))),
                all => rows.extend(all.iter().map(|&p| (vec![n, p], time(p)))),
            }
        }
    }
    let names = if processors.is_empty() { &["N"][..] } else { &["N", "P"] };
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    fit(&formula, &Data::from_rows(names, rows), &Options::default()).expect("a fit")
}

/// An experiment of that line.
pub fn experiment(name: &str, fit: Option<Fit>) -> ExperimentModel {
    ExperimentModel {
        name: name.to_owned(),
        formula: "f[0] + f[1]*N".to_owned(),
        places: vec!["walk.c:9".to_owned(), "walk.c:30".to_owned()],
        variables: vec!["N".to_owned()],
        observable: "time".to_owned(),
        unit: "s".to_owned(),
        time: "inclusive".to_owned(),
        column: None,
        samples: 24,
        working_set: None,
        imbalance: None,
        sync: None,
        counters: Vec::new(),
        misses: Vec::new(),
        held_out: Vec::new(),
        search: None,
        suggestion: None,
        fit,
        failure: None,
        warnings: Vec::new(),
        causes: Vec::new(),
        doubts: Vec::new(),
    }
}

/// An experiment with everything that may be known of one.
fn full_experiment() -> ExperimentModel {
    let fit = line("f[0] + f[1]*N", &[]);
    ExperimentModel {
        doubts: vec![Doubt { kind: DoubtKind::Disturbed, text: "steal".to_owned() }],
        column: Some(ColumnModel {
            file: "t.csv".to_owned(),
            name: "wall".to_owned(),
            unit: Some("ms".to_owned()),
        }),
        working_set: Some("8*N".to_owned()),
        imbalance: Some(ImbalanceModel { processors: 4, passages: 9, slowest: 1.25, fastest: 0.7 }),
        sync: Some(SyncModel { barrier: 1, window: 2, late: 3, left_out: 4, within_ns: 5 }),
        counters: vec![CounterModel {
            name: "cycles".to_owned(),
            unit: "cycles".to_owned(),
            samples: u64::MAX,
            points: vec![CounterPoint {
                values: vec![1000.0],
                count: 3,
                median: 0.1 + 0.2,
                minimum: 0.1,
                maximum: 1e300,
            }],
        }],
        misses: vec![MissesModel {
            misses: "sim::D1mr".to_owned(),
            accesses: "sim::Dr".to_owned(),
            share: 1.0 / 3.0,
            points: vec![MissesPoint {
                values: vec![1000.0],
                time: Some(Seconds(1e-9)),
                share: 0.5,
            }],
        }],
        held_out: vec![HeldOutModel { values: vec![5000.0], measured: 1.7e-5 }],
        search: Some(SearchModel {
            points: 8,
            candidates: vec![FormulaCandidate {
                formula: "f[0] + f[1]*N".to_owned(),
                terms: vec!["1".to_owned(), "N".to_owned()],
                constants: vec![2e-6, 3e-9],
                errors: vec![1e-9, 1e-12],
                weight: 0.75,
                aicc: Some(-300.25),
                akaike_weight: Some(0.5),
                left_out: Some(0.01),
            }],
            ties: vec![FormulaTie {
                candidate: 1,
                at: Some(vec![("N".to_owned(), 1e9)]),
                variable: Some("N".to_owned()),
                values: Some((1.0, 2.0)),
            }],
            divisions: Vec::new(),
            notes: vec![Notice::new("never-varies", "P is 1")],
            predictions: vec![AveragedPrediction {
                at: vec![("N".to_owned(), 9000.0)],
                value: 2.9e-5,
                low: 2.8e-5,
                high: 3e-5,
                first: 2.91e-5,
            }],
            average: None,
        }),
        suggestion: Some(SuggestionModel {
            formula: "f[0] + f[1]*N".to_owned(),
            changes: vec![FormulaChange {
                kind: "replaced".to_owned(),
                term: "N".to_owned(),
                replaced: Some("N*N".to_owned()),
                as_good: vec!["N*log2(N)".to_owned()],
            }],
            constants: vec![SuggestedValue {
                constant: "f[1]".to_owned(),
                term: "N".to_owned(),
                value: 3e-9,
                low: 2.9e-9,
                high: 3.1e-9,
            }],
            error_before: 0.5,
            error_after: 0.001,
            left_out_before: None,
            left_out_after: Some(0.002),
            evidence: 40.5,
            probability: 1e-17,
            tried: 42,
            points: 8,
            notes: vec![Notice::new("left-out", "2 points")],
        }),
        failure: Some("no".to_owned()),
        warnings: vec![Notice::new("few", "few points")],
        ..experiment("f", Some(fit))
    }
}

/// How the samples of a model were taken, with a value for each field.
pub fn sampling() -> Sampling {
    Sampling {
        seed: u64::MAX,
        precision: Some(0.02),
        reached: Some(0.017),
        widest: Some("f[1]".to_owned()),
        budget: Some(Seconds(60.0)),
        is_core_time: true,
        wanted: vec!["f at N=9000".to_owned()],
        stopped: Stopped::Precise,
        pinned: Some(vec![2, 3]),
        scheduler: "rr 1".to_owned(),
        canary_known: true,
        verdict: Verdict {
            state: State::Disturbed,
            reasons: vec![Reason {
                code: "loaded".to_owned(),
                text: "other programs ran".to_owned(),
            }],
            advice: vec!["wait".to_owned()],
            off: Some(PossibleError { below: 0.1, above: 0.02 }),
            common: Some(0.003),
        },
        rounds: vec![RoundModel {
            round: 3,
            runs: vec![0],
            started: Seconds(1.5),
            wall: Seconds(0.25),
            cpu: Seconds(0.24),
            involuntary: 7,
            voluntary: 2,
            steal: 0.001,
            others: 0.4,
            elsewhere: 0.3,
            canary: Canary { chain: Some(1.0), width: Some(1.1), narrow: Some(0.2), partner: None },
            marked: vec![Mark::Loaded, Mark::Clock],
            used: true,
        }],
        discarded: Discarded { samples: 12, switched: 1 },
        measuring: Some(Measuring {
            against: Against::Gate,
            because: Some("it could not be built".to_owned()),
            run: "N=9000".to_owned(),
            pairs: 7,
            with: Seconds(1.01),
            without: Seconds(1.0),
            start: Seconds(0.001),
            share: -0.001,
            low: Some(-0.01),
            high: Some(0.01),
            code: Some(vec![CodeModel {
                file: "walk.c".to_owned(),
                line: 12,
                with: 10,
                without: 9,
            }]),
        }),
        dilation: vec![DilationModel {
            experiment: "f".to_owned(),
            gate_on: Seconds(1.01),
            gate_off: Seconds(1.0),
            share: 0.01,
            share_low: Some(0.005),
            share_high: Some(0.02),
            per_region: Some(Seconds(1e-8)),
            per_region_low: Some(Seconds(9e-9)),
            per_region_high: Some(Seconds(2e-8)),
            too_short: true,
        }],
        adaptive: vec![AdaptiveRound {
            round: 5,
            width: Some(0.3),
            spent: Seconds(4.0),
            points: vec![NextPoint {
                at: vec![("N".to_owned(), 16000.0)],
                runs: 5,
                cost: Seconds(0.5),
                reason: "narrows".to_owned(),
                why: "makes it narrower".to_owned(),
            }],
        }],
    }
}

/// A model in which no field is missing.
pub fn full_model() -> ModelFile {
    let values = vec![("N".to_owned(), 9000.0)];
    let total = TotalTime {
        formula: Some("f[0] + f[1]*N".to_owned()),
        constants: vec![2e-6, 3e-9],
        ties: vec!["f[0]*N".to_owned()],
        estimate: Some(Estimate { value: 2.9e-5, low: 2.8e-5, high: 3e-5 }),
        predicted: Some(Estimate { value: 3.9e-5, low: 3.8e-5, high: 4e-5 }),
        why: Some("it has jumps".to_owned()),
    };
    ModelFile {
        program: Some(ProgramModel {
            name: "walk".to_owned(),
            sources: vec![SourceModel { file: "walk.c".to_owned(), crc32: "cafe".to_owned() }],
            model: "OpenMP".to_owned(),
            compiled: Some(Compiled {
                command: "gcc -O2".to_owned(),
                version: "gcc 12".to_owned(),
            }),
        }),
        machine: Some(Machine {
            host: "node7".to_owned(),
            cpu: "a processor".to_owned(),
            processors: 8,
            caches: vec![Cache { name: "L1".to_owned(), bytes: Bytes(32768) }],
        }),
        clock: "tsc".to_owned(),
        seed: Some(u64::MAX),
        runs: vec![RunModel {
            trace: "walk.cll.0.dat".to_owned(),
            arguments: vec!["1000".to_owned(), "it's \u{2028} \"quoted\"".to_owned()],
            processors: Some(2),
            order: "shuffled 17".to_owned(),
            exit: Some(0),
            signal: Some(9),
            timed_out: true,
            wall: Some(Seconds(0.1 + 0.2)),
            round: Some(3),
            counters: vec!["cycles".to_owned()],
        }],
        experiments: vec![full_experiment()],
        warnings: vec![Notice::new("merged", "several programs")],
        sampling: Some(sampling()),
        shared: vec![SharedConstant {
            constants: vec!["f[1]".to_owned(), "g[1]".to_owned()],
            experiments: vec!["f".to_owned(), "g".to_owned()],
            fits: Vec::new(),
            value: 3e-9,
            low: 2.9e-9,
            high: 3.1e-9,
            alone: vec![2.95e-9, 3.05e-9],
            f: 1.5,
            dof: (1.0, 20.0),
            p_value: 0.23,
            rejected: false,
        }],
        ranking: Some(Ranking {
            at: values.clone(),
            is_beyond: true,
            asked: values.clone(),
            run: vec!["walk".to_owned(), "9000".to_owned()],
            sum: Some(RegionSum { value: 3.2e-5, excess: 0.1 }),
            observable: Some("cycles".to_owned()),
            unit: Some("cycles".to_owned()),
            total: Some(total.clone()),
            covered: Some(0.9),
            spots: vec![HotSpot {
                name: "f".to_owned(),
                place: "walk.c:9".to_owned(),
                share: 0.8,
                time: total,
                passages: 5.0,
                measured: 1e-5,
            }],
            left_out: vec![NotMeasured {
                name: "g".to_owned(),
                place: "walk.c:40".to_owned(),
                why: "too short".to_owned(),
                passages: Some(1e6),
                seconds: Some(1e-8),
                cost: Some(0.7),
            }],
            not_reached: vec!["h".to_owned()],
            of_experiments: true,
            markers: Some(MarkerCost {
                each: 4e-8,
                is_measured: true,
                passages: 100.0,
                share: 0.001,
                at: values,
            }),
        }),
        predicted: Some(PredictedModel {
            from: "m.json".to_owned(),
            measured_on: "here".to_owned(),
        }),
        ..ModelFile::new("2026-01-31T12:00:00Z".to_owned())
    }
}
