//! For any data and options the result is an error or a consistent fit, never a panic.

use crate::reading::formula;
use cll_fit::{
    Aggregate, Data, Fit, Intervals, Loss, Options, Outliers, Point, PredictError, RunStretch,
    Weights, fit,
};
use fastrand::Rng;
use test_draw::thinned;

const FORMULAS: [&str; 7] = [
    "f[0]",
    "f[0]*N",
    "f[0] + f[1]*N",
    "f[0] + f[1]*N*log(N)",
    "f[0] + f[1]*N + f[2]*N^2 + f[3]*N^3",
    "f[0] + f[1]*P + f[2]*N/P",
    "f[0] + f[1]*log(P) + f[2]*(N/P)*log(N/P) + f[3]*N*(P - 1)/P",
];

fn observation(rng: &mut Rng, kind: usize) -> f64 {
    match (kind, rng.usize(..40)) {
        (0, 0) => [0.0, -1.0, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE, 1e308][rng.usize(..6)],
        (1, _) => [0.0, 1.0, -1.0][rng.usize(..3)],
        (2, _) => 1e-9 * rng.f64(),
        _ => 1e-6 * (0.1 + rng.f64()),
    }
}

fn data(rng: &mut Rng) -> Data {
    let mut data = Data::new(vec!["N".to_owned(), "P".to_owned(), "other".to_owned()]);
    let kind = rng.usize(..4);
    for _ in 0..rng.usize(..40) {
        let n = match kind {
            0 => f64::from(rng.u32(..4)),
            1 => 2f64.powi(rng.i32(0..12)),
            2 => 7.0,
            _ => rng.f64() * 1e6,
        };
        let values = vec![n, f64::from(rng.u32(1..4)), f64::from(rng.u32(..2))];
        let count = rng.usize(1..6);
        let observations = (0..count).map(|_| observation(rng, kind)).collect();
        let runs = (0..rng.u32(0..6)).map(|run| RunStretch { run, count: rng.u32(0..4) }).collect();
        data.points.push(Point { values, observations, runs });
    }
    data
}

fn options(rng: &mut Rng) -> Options {
    Options {
        follow: rng.bool(),
        weights: [Weights::Relative, Weights::Absolute][rng.usize(..2)],
        aggregate: [Aggregate::Median, Aggregate::Minimum, Aggregate::Mean, Aggregate::All]
            [rng.usize(..4)],
        intervals: match rng.usize(..5) {
            4 => Intervals::Levels { max_changes: rng.usize(0..5) },
            0 => Intervals::None,
            1 => Intervals::Greedy { error_threshold: 0.1, max_intervals: rng.usize(1..5) },
            2 => Intervals::ByHand { variable: "N".to_owned(), breaks: vec![rng.f64() * 1000.0] },
            _ => Intervals::default(),
        },
        axis: [None, None, Some("P".to_owned()), Some("N*P".to_owned()), Some("1/N".to_owned())]
            [rng.usize(..5)]
        .clone(),
        join: rng.bool(),
        non_negative: rng.bool(),
        signed: rng.bool(),
        outliers: [Outliers::Keep, Outliers::Spikes, Outliers::Points { limit: 3.0 }]
            [rng.usize(..3)],
        loss: if rng.bool() { Loss::Squares } else { Loss::Huber },
        runs: rng.bool(),
        confidence: 0.9,
    }
}

fn holds_together(fit: &Fit) {
    let text = serde_json::to_string(fit).expect("serialisable");
    let read: Fit = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    assert_eq!(read, *fit);
    assert_eq!(fit.boundaries.len() + fit.splits.len() + 1, fit.intervals.len());
    assert!(fit.boundaries.is_empty() || fit.splits.is_empty());
    let points: usize = fit.residuals.iter().filter(|r| r.excluded.is_none()).count();
    assert_eq!(points, fit.quality.points);
    for residual in &fit.residuals {
        let at: Vec<f64> = fit
            .variables
            .iter()
            .map(|v| residual.values[fit.recorded.iter().position(|r| r == v).expect("recorded")])
            .collect();
        // Points of the data are inside, and predicted as they were fitted.
        if residual.excluded.is_none() {
            // Beside a point with 10^12 times the relative weight no other has any influence.
            let positive = fit.residuals.iter().map(|r| r.measured).filter(|&m| m > 0.0);
            let drowned = positive.clone().fold(0.0, f64::max)
                > 1e12 * positive.fold(f64::INFINITY, f64::min);
            let prediction = match fit.estimate(&at) {
                Ok(prediction) => prediction,
                Err(PredictError::Undetermined { .. }) if drowned => continue,
                Err(error) => panic!("{error}: {text}"),
            };
            let size = residual.fitted.abs().max(1e-300);
            let here = fit.terms_at(&at).expect("a place that could be predicted");
            let solution = &fit.intervals[here.interval].solution;
            let by_formula: f64 = here.terms.iter().zip(solution).map(|(t, c)| t * c).sum();
            assert!((by_formula - residual.fitted).abs() <= 1e-9 * size, "{text}");
            assert!(
                prediction.value == by_formula || (prediction.follows && prediction.value > 0.0),
                "{text}"
            );
            assert_eq!(prediction.interval, residual.interval, "{text}");
            if let Some(band) = prediction.band {
                assert!(band.low <= band.high);
            }
        }
    }
}

#[test]
fn never_a_panic() {
    let formulas: Vec<_> = FORMULAS.iter().map(|text| formula(text)).collect();
    for seed in thinned(20_030_401..20_030_404, 3) {
        let mut rng = Rng::with_seed(seed);
        let mut fits = 0;
        for _ in 0..1300 {
            let formula = &formulas[rng.usize(..formulas.len())];
            let (data, options) = (data(&mut rng), options(&mut rng));
            if let Ok(fit) = fit(formula, &data, &options) {
                fits += 1;
                holds_together(&fit);
                for warning in &fit.warnings {
                    assert!(!warning.to_string().is_empty());
                }
            }
        }
        assert!(fits > 160, "seed {seed}: only {fits} fits");
    }
}
