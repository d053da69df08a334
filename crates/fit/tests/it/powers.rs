//! Constants in exponents: known truth, seeded noise.

use cll_fit::{Data, FitError, Options, fit_powers};
use cll_formula::{Complexity, PowerFormula};
use cll_statistics::normal;
use fastrand::Rng;

const SEED: u64 = 20_260_106;
const CASES: usize = 60;

fn powers(text: &str) -> PowerFormula {
    match Complexity::parse_anonymous(text).formula {
        Some(Complexity::Power(power)) => power,
        other => panic!("{text}: {other:?}"),
    }
}

fn data(noise: f64, rng: &mut Rng, value: impl Fn(f64) -> f64) -> Data {
    let mut rows = Vec::new();
    for k in 0..16 {
        let n = 16.0 * 1.6f64.powi(k);
        for _ in 0..5 {
            rows.push((vec![n], value(n) * (1.0 + noise * normal(|| rng.f64()))));
        }
    }
    Data::from_rows(vec!["N".into()], rows)
}

#[test]
fn an_exponent_is_found_and_its_interval_holds() {
    let formula = powers("f[0] + f[1]*N^f[2]");
    let mut rng = Rng::with_seed(SEED);
    let (mut held, mut constant, mut covered) = (0, 0, 0);
    for _ in 0..CASES {
        let truth = 0.6 + 2.0 * rng.f64();
        let value = move |n: f64| 50.0 + 0.3 * n.powf(truth);
        let data = data(0.02, &mut rng, value);
        let fit = fit_powers(&formula, &data, &Options::default()).expect("a fit");
        let exponent = &fit.exponents[0];
        assert!((exponent.value - truth).abs() < 0.1, "{exponent:?} {truth}");
        held += usize::from(exponent.low <= truth && truth <= exponent.high);
        let slope = &fit.constants[1].segments[0].estimate;
        let (low, high) = slope.low.zip(slope.high).expect("an interval");
        constant += usize::from(low <= 0.3 && 0.3 <= high);
        // A new median beyond the data, where the exponent counts most.
        let far = 16.0 * 1.6f64.powi(19);
        let band = fit.predict(&[far]).expect("a prediction").band.expect("a band");
        let mut new: Vec<f64> =
            (0..5).map(|_| value(far) * (1.0 + 0.02 * normal(|| rng.f64()))).collect();
        new.sort_by(f64::total_cmp);
        covered += usize::from(band.low <= new[2] && new[2] <= band.high);
        let text = serde_json::to_string(&fit).expect("JSON");
        assert_eq!(serde_json::from_str::<cll_fit::Fit>(&text).expect("a fit"), fit);
    }
    println!("of {CASES}: exponent {held}, constant {constant}, band beyond {covered}");
    let least = CASES * 80 / 100;
    assert!(held >= least && constant >= least && covered >= least);
}

#[test]
fn two_exponents_and_exact_data() {
    let formula = powers("f[0]*N^f[1] + f[2]*P^f[3]");
    let mut rows = Vec::new();
    for (i, j) in (0..7).flat_map(|i| (0..7).map(move |j| (i, j))) {
        let (n, p) = (2f64.powi(i + 3), 2f64.powi(j));
        rows.push((vec![n, p], 2.0 * n.powf(1.5) + 100.0 * p.powf(0.5)));
    }
    let data = Data::from_rows(vec!["N".into(), "P".into()], rows);
    let fit = fit_powers(&formula, &data, &Options::default()).expect("a fit");
    for (exponent, truth) in fit.exponents.iter().zip([1.5, 0.5]) {
        assert!((exponent.value - truth).abs() < 1e-4, "{exponent:?}");
    }
    assert!(
        (fit.predict(&[100.0, 5.0]).expect("inside").value / (2000.0 + 100.0 * 5f64.sqrt()) - 1.0)
            .abs()
            < 1e-3
    );
}

#[test]
fn what_is_not_determined_is_said() {
    let mut rng = Rng::with_seed(SEED);
    let flat = data(0.01, &mut rng, |_| 5.0);
    let power = data(0.01, &mut rng, |n| 1.0 + n * n);
    let fit_of = |text: &str, data: &Data| fit_powers(&powers(text), data, &Options::default());
    let four = fit_of("f[0]*N^f[1] + f[2]*N^f[3] + f[4]*N^f[5] + f[6]*N^f[7]", &power);
    assert!(matches!(four, Err(FitError::Exponents { .. })), "{four:?}");
    // A term that the data do not have: an error, or an exponent of which nothing is known.
    if let Ok(fit) = fit_of("f[0] + f[1]*N^f[2]", &flat) {
        let slope = &fit.constants[1].segments[0].estimate;
        assert!(
            slope.low.zip(slope.high).is_none_or(|(low, high)| low <= 0.0 && high >= 0.0),
            "{slope:?}"
        );
    }
    let few = Data::from_rows(
        vec!["N".into()],
        (1..4).map(|k| (vec![f64::from(k)], f64::from(k * k) + 1.0)),
    );
    assert!(fit_of("f[0] + f[1]*N^f[2]", &few).is_err());
    let unknown = fit_of("f[0] + f[1]*Q^f[2]", &power);
    assert!(matches!(unknown, Err(FitError::UnknownVariable { .. })), "{unknown:?}");
}
