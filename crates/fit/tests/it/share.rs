//! Constants shared between experiments: known truth, seeded noise.

use cll_fit::{Data, Fit, Intervals, Options, ShareError, fit, share};
use cll_statistics::normal;
use fastrand::Rng;

const SEED: u64 = 20_260_104;
const CASES: usize = 300;
const NOISE: f64 = 0.03;

/// `a + b N` at some sizes.
fn fitted(name: &str, (a, b): (f64, f64), sizes: usize, rng: &mut Rng) -> Fit {
    let formula = cll_formula::parse(name, &format!("{name}[0] + {name}[1]*N")).formula;
    let rows = (1..=sizes).flat_map(|k| std::iter::repeat_n(10.0 * k as f64, 3));
    let rows: Vec<(Vec<f64>, f64)> =
        rows.map(|n| (vec![n], (a + b * n) * (1.0 + NOISE * normal(|| rng.f64())))).collect();
    let options = Options { intervals: Intervals::None, follow: false, ..Options::default() };
    fit(&formula.expect("a formula"), &Data::from_rows(vec!["N".into()], rows), &options)
        .expect("a fit")
}

fn names(constants: &[&str]) -> Vec<Vec<String>> {
    vec![constants.iter().map(|name| (*name).to_owned()).collect()]
}

#[test]
fn equal_constants_are_better_known_together_and_seldom_rejected() {
    let mut rng = Rng::with_seed(SEED);
    let (mut alone, mut together, mut held, mut rejected) = (0.0, 0.0, 0, 0);
    for _ in 0..CASES {
        let mut f = fitted("f", (50.0, 2.0), 12, &mut rng);
        let mut g = fitted("g", (10.0, 2.0), 12, &mut rng);
        alone += (f.intervals[0].solution[1] / 2.0 - 1.0).powi(2);
        let shared = share(&mut [&mut f, &mut g], &names(&["f[1]", "g[1]"])).expect("shared");
        let constant = &shared[0];
        together += (constant.value / 2.0 - 1.0).powi(2);
        held += usize::from(constant.low <= 2.0 && 2.0 <= constant.high);
        rejected += usize::from(constant.rejected);
        assert_eq!(f.intervals[0].solution[1], constant.value);
        assert!((g.intervals[0].solution[1] / constant.value - 1.0).abs() < 1e-9);
        let predicted = f.predict(&[55.0]).expect("a prediction").value;
        let by_hand = f.intervals[0].solution[0] + 55.0 * constant.value;
        assert!((predicted / by_hand - 1.0).abs() < 1e-12);
    }
    println!("rms alone {alone:.4}, together {together:.4}; {held} held, {rejected} rejected");
    assert!(together < 0.75 * alone);
    assert!((0.84..0.96).contains(&(held as f64 / CASES as f64)), "{held}");
    assert!(rejected as f64 <= 0.03 * CASES as f64, "{rejected}");
}

#[test]
fn different_constants_are_rejected() {
    let mut rng = Rng::with_seed(SEED);
    let mut f = fitted("f", (50.0, 2.0), 12, &mut rng);
    let mut g = fitted("g", (10.0, 2.4), 12, &mut rng);
    let shared = share(&mut [&mut f, &mut g], &names(&["[1]"])).expect("shared");
    assert_eq!(shared[0].constants, ["f[1]", "g[1]"]);
    assert!(shared[0].rejected && shared[0].p_value < 1e-3, "{shared:?}");
}

/// The constraint gives the solution of the common problem, with the same weights.
#[test]
fn it_is_the_common_least_squares_solution() {
    let mut rng = Rng::with_seed(SEED);
    let mut f = fitted("f", (50.0, 2.0), 12, &mut rng);
    let mut g = fitted("g", (10.0, 2.0), 9, &mut rng);
    let variances = [&f, &g].map(|fit| fit.intervals[0].sigma.expect("a spread").powi(2));
    // Normal equations of a, a', b: three unknowns, by Cramer's rule.
    let mut m = [[0.0; 4]; 3];
    for (which, fit) in [&f, &g].into_iter().enumerate() {
        for r in &fit.residuals {
            let w = 1.0 / (variances[which] * r.measured * r.measured);
            let x = [f64::from(u8::from(which == 0)), f64::from(u8::from(which == 1)), r.values[0]];
            for i in 0..3 {
                for j in 0..3 {
                    m[i][j] += w * x[i] * x[j];
                }
                m[i][3] += w * x[i] * r.measured;
            }
        }
    }
    let det = |c: [usize; 3]| {
        let e = |i: usize, j: usize| m[i][c[j]];
        e(0, 0) * (e(1, 1) * e(2, 2) - e(1, 2) * e(2, 1))
            - e(0, 1) * (e(1, 0) * e(2, 2) - e(1, 2) * e(2, 0))
            + e(0, 2) * (e(1, 0) * e(2, 1) - e(1, 1) * e(2, 0))
    };
    let slope = det([0, 1, 3]) / det([0, 1, 2]);
    let shared = share(&mut [&mut f, &mut g], &names(&["f[1]", "g[1]"])).expect("shared");
    assert!((shared[0].value / slope - 1.0).abs() < 1e-9, "{} {slope}", shared[0].value);
}

#[test]
fn what_cannot_be_shared_is_named_and_nothing_changes() {
    let mut rng = Rng::with_seed(SEED);
    let mut f = fitted("f", (50.0, 2.0), 12, &mut rng);
    let mut g = fitted("g", (10.0, 2.0), 12, &mut rng);
    let before = f.clone();
    let mut try_share = |wanted: &[Vec<String>]| share(&mut [&mut f, &mut g], wanted);
    assert!(matches!(try_share(&names(&["h[1]", "g[1]"])), Err(ShareError::Unknown { .. })));
    assert!(matches!(try_share(&names(&["f[1]"])), Err(ShareError::Alone { .. })));
    assert!(matches!(try_share(&names(&["f[0]", "f[1]"])), Err(ShareError::OneExperiment { .. })));
    let twice = [names(&["f[1]", "g[1]"]), names(&["f[1]", "g[0]"])].concat();
    assert!(matches!(try_share(&twice), Err(ShareError::Twice { .. })));
    assert_eq!(try_share(&[]).expect("nothing"), []);
    assert_eq!(f, before);
}
