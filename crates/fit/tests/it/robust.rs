//! Huber's loss: points disturbed by load, with known truth and seeded noise.

use cll_fit::{Aggregate, Data, Intervals, Loss, Options, fit};
use cll_statistics::normal;
use fastrand::Rng;

const SEED: u64 = 20_260_102;
const CASES: usize = 200;
const NOISE: f64 = 0.03;
const REPETITIONS: usize = 5;

/// Lines of 24 sizes; each point is disturbed as a whole with this probability, by a factor of up
/// to 1.8.
fn data(disturbed: f64, rng: &mut Rng) -> Data {
    let mut rows = Vec::new();
    for k in 1..=24 {
        let n = 100.0 * f64::from(k);
        let factor = if rng.f64() < disturbed { 1.2 + 0.6 * rng.f64() } else { 1.0 };
        for _ in 0..REPETITIONS {
            let noise = 1.0 + NOISE * normal(|| rng.f64());
            rows.push((vec![n], (50.0 + 0.5 * n) * factor * noise));
        }
    }
    Data::from_rows(vec!["N".into()], rows)
}

/// Root mean square of the relative errors of the slope, and the share of its 90 % intervals that
/// hold.
fn slope(loss: Loss, disturbed: f64) -> (f64, f64) {
    let formula = cll_formula::parse("f", "f[0] + f[1]*N").formula.expect("a formula");
    let mut rng = Rng::with_seed(SEED);
    let options = Options { loss, follow: false, ..Options::default() };
    let options = Options { intervals: cll_fit::Intervals::None, ..options };
    let (mut squares, mut held) = (0.0, 0);
    for _ in 0..CASES {
        let fit = fit(&formula, &data(disturbed, &mut rng), &options).expect("a fit");
        let slope = &fit.constants[1].segments[0].estimate;
        let value = slope.value.expect("a value");
        squares += (value / 0.5 - 1.0).powi(2);
        let (low, high) = slope.low.zip(slope.high).expect("an interval");
        held += usize::from(low <= 0.5 && 0.5 <= high);
    }
    ((squares / CASES as f64).sqrt(), held as f64 / CASES as f64)
}

#[test]
fn disturbed_points_count_less() {
    let (squares, _) = slope(Loss::Squares, 0.1);
    let (huber, held) = slope(Loss::Huber, 0.1);
    println!("a tenth disturbed: squares {squares:.4}, Huber {huber:.4}, intervals hold {held:.3}");
    assert!(huber < 0.6 * squares, "{huber} {squares}");
}

#[test]
fn without_disturbance_little_is_lost_and_intervals_hold() {
    let (squares, plain) = slope(Loss::Squares, 0.0);
    let (huber, held) = slope(Loss::Huber, 0.0);
    println!("clean: squares {squares:.4} {plain:.3}, Huber {huber:.4} {held:.3}");
    assert!(huber < 1.1 * squares, "{huber} {squares}");
    assert!((0.84..0.96).contains(&held), "{held}");
}

#[test]
fn a_disturbed_point_makes_no_interval() {
    let formula = cll_formula::parse("f", "f[0] + f[1]*N").formula.expect("a formula");
    let mut rng = Rng::with_seed(SEED);
    let mut rows = data(0.0, &mut rng);
    for observation in &mut rows.points[20].observations {
        *observation *= 2.0;
    }
    let fitted = [Intervals::dynamic(), Intervals::levels()].map(|intervals| {
        let options = Options { loss: Loss::Huber, intervals, ..Options::default() };
        let fitted = fit(&formula, &rows, &options).expect("a fit");
        assert!(fitted.intervals.len() == 1 && fitted.changes.is_empty(), "{:?}", fitted.changes);
        let far = fitted.residuals.iter().find(|r| r.values[0] == 2100.0).expect("the point");
        assert!(far.weight.is_some_and(|weight| weight < 0.2), "{:?}", far.weight);
        fitted
    });
    let text = serde_json::to_string(&fitted[0]).expect("JSON");
    assert!(text.contains("\"loss\":\"huber\""));
    // Files without the option are fits by squares, and such fits are written as before.
    let plain = fit(&formula, &rows, &Options::default()).expect("a fit");
    assert!(!serde_json::to_string(&plain).expect("JSON").contains("loss"));
}

#[test]
fn exact_data_and_all_repetitions_are_fitted_too() {
    let formula = cll_formula::parse("f", "f[0] + f[1]*N").formula.expect("a formula");
    let exact = Data::from_rows(
        vec!["N".into()],
        (1..=12).map(|k| (vec![f64::from(k)], 3.0 + 2.0 * f64::from(k))),
    );
    let options = Options { loss: Loss::Huber, ..Options::default() };
    let fitted = fit(&formula, &exact, &options).expect("a fit");
    assert!((fitted.constants[1].segments[0].estimate.value.expect("a value") - 2.0).abs() < 1e-9);
    let options = Options { aggregate: Aggregate::All, ..options };
    let fitted = fit(&formula, &data(0.2, &mut Rng::with_seed(SEED)), &options).expect("a fit");
    assert!(
        (fitted.constants[1].segments[0].estimate.value.expect("a value") / 0.5 - 1.0).abs() < 0.2
    );
}
