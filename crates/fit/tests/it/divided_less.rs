//! Differences that are only chance of a few values of a variable get no separate constants. Known truth in two
//! variables, seeded noise.

use cll_fit::{Data, Fit, Intervals, Options, fit};
use cll_statistics::normal;
use fastrand::Rng;
use test_draw::thinned;

const SEED: u64 = 20_030_401;
const CASES: usize = 150;
const FORMULAS: [&str; 3] = [
    "f[0] + f[1]*N/P + f[2]*log2(P)",
    "f[0] + f[1]*N*log2(N)/P + f[2]*P",
    "f[0] + f[1]*N + f[2]*P*log2(P)",
];

/// How the truth departs from the formula.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Departs {
    /// By (N/4096)^a (P/8)^b, a and b at most 0.03.
    Smoothly,
    /// By a factor for each P, 2 %, for example from the placement of processes.
    ByP,
    /// By a factor for each N, 2 %.
    ByN,
}

/// Number of divided cases, and the median error of all far predictions: with intervals, and with
/// one.
fn far(departs: Departs, (ns, ps): (i32, i32), noise: f64) -> (usize, f64, f64) {
    let mut rng = Rng::with_seed(SEED);
    let (mut errors, mut divided) = ([Vec::new(), Vec::new()], 0);
    for case in 0..CASES {
        let text = FORMULAS[case % FORMULAS.len()];
        let formula = cll_formula::parse("f", text).formula.expect(text);
        let order = |n: f64, p: f64| -> Vec<f64> {
            formula.variables().iter().map(|v| if v.name == "P" { p } else { n }).collect()
        };
        let mut terms = [0.0; 3];
        formula.terms_at(&order(4096.0, 8.0), &mut terms);
        let constants: Vec<f64> = terms.iter().map(|t| (0.1 + 0.9 * rng.f64()) / t).collect();
        let (a, b) = (0.06 * (rng.f64() - 0.5), 0.06 * (rng.f64() - 0.5));
        let factors: Vec<f64> = (0..64).map(|_| 1.0 + 0.02 * normal(|| rng.f64())).collect();
        let truth = |n: f64, p: f64, measured: bool| {
            let by = match departs {
                Departs::Smoothly => (n / 4096.0).powf(a) * (p / 8.0).powf(b),
                Departs::ByP if measured => factors[p.log2() as usize],
                Departs::ByN if measured => factors[n.log2() as usize],
                _ => 1.0,
            };
            by * formula.evaluate(&order(n, p), &constants)
        };
        let mut rows = Vec::new();
        for (i, j) in (0..ns).flat_map(|i| (0..ps).map(move |j| (i, j))) {
            let (n, p) = (1024.0 * 2f64.powi(i), 2f64.powi(j + 1));
            for _ in 0..5 {
                rows.push((order(n, p), truth(n, p, true) * (1.0 + noise * normal(|| rng.f64()))));
            }
        }
        let names = formula.variables().iter().map(|v| v.name.clone()).collect();
        let data = Data::from_rows(names, rows);
        let fitted = |intervals| {
            let options = Options { follow: false, intervals, ..Options::default() };
            fit(&formula, &data, &options).expect("a fit")
        };
        let several = fitted(Intervals::default());
        divided += usize::from(several.intervals.len() > 1);
        let (n, p) = (1024.0 * 2f64.powi(ns + 1), 2f64.powi(ps + 2));
        let error = |fit: &Fit| {
            let value = fit.predict(&order(n, p)).expect("beyond").value;
            (value / truth(n, p, false) - 1.0).abs()
        };
        errors[0].push(error(&several));
        errors[1].push(error(&fitted(Intervals::None)));
    }
    errors.iter_mut().for_each(|all| all.sort_by(f64::total_cmp));
    (divided, errors[0][CASES / 2], errors[1][CASES / 2])
}

#[test]
fn far_predictions_of_small_grids() {
    let grids = [Departs::Smoothly, Departs::ByP, Departs::ByN]
        .into_iter()
        .flat_map(|departs| [(4, 6), (5, 5), (8, 6)].map(|grid| (departs, grid)));
    let all = grids.flat_map(|(departs, grid)| [0.005, 0.02].map(|noise| (departs, grid, noise)));
    for (departs, (ns, ps), noise) in thinned(all, 7) {
        let (divided, several, value) = far(departs, (ns, ps), noise);
        println!(
            "{departs:?}, {ns} x {ps}, noise {noise}: {divided} of {CASES} divided, \
             median error 4 times beyond {several:.4}, with one interval {value:.4}"
        );
        let most = if departs == Departs::Smoothly { 1.05 } else { 2.0 };
        assert!(several <= most * value, "{departs:?} {ns} x {ps} {noise}");
        // Without the test of left-out values 88 to 96 % were divided with 0.5 % noise.
        let rarely = departs == Departs::Smoothly || divided <= CASES * 60 / 100;
        assert!(rarely, "{departs:?} {ns} x {ps} {noise}: {divided}");
    }
}
