//! More budget does not make predictions worse: over many truths.

use cll_fit::{Data, Options, Weights, fit};
use cll_plan::{Problem, Rival, RunCost, combinations, plan, subject};
use fastrand::Rng;

/// 1e-3 + c1 x^a + c2 y^b with constants that differ from truth to truth.
struct Truth {
    text: String,
    constants: [f64; 3],
    powers: (f64, f64),
}

impl Truth {
    fn draw(random: &mut Rng) -> Truth {
        let powers = [0.5, 1.0, 1.5, 2.0];
        let (a, b) = (powers[random.usize(..4)], powers[random.usize(..4)]);
        let size = |random: &mut Rng| 10f64.powf(random.f64() * 2.0 - 3.0);
        let constants = [size(random), size(random), size(random)];
        let text = format!("f[0] + f[1]*x^{a} + f[2]*y^{b}");
        Truth { text, constants, powers: (a, b) }
    }

    fn value(&self, point: &[f64]) -> f64 {
        let [c0, c1, c2] = self.constants;
        c0 + c1 * point[0].powf(self.powers.0) + c2 * point[1].powf(self.powers.1)
    }

    fn runs(
        &self,
        point: &[f64],
        count: u32,
        noise: f64,
        random: &mut Rng,
    ) -> Vec<(Vec<f64>, f64)> {
        let value = self.value(point);
        let sample =
            |random: &mut Rng| value * (1.0 + noise * cll_statistics::normal(|| random.f64()));
        (0..count).map(|_| (point.to_vec(), sample(random))).collect()
    }
}

fn names() -> Vec<String> {
    vec!["x".into(), "y".into()]
}

/// The error of the prediction at (256, 256) after a plan with this budget, as a share of what a full grid takes.
fn error(seed: u64, share: f64) -> f64 {
    let mut random = Rng::with_seed(seed);
    let truth = Truth::draw(&mut random);
    let sizes = [4.0, 8.0, 16.0, 32.0, 64.0].to_vec();
    let grid = combinations(&[sizes.clone(), sizes]);
    let formula = cll_formula::parse("f", &truth.text).formula.unwrap();
    let options = Options { intervals: cll_fit::Intervals::None, ..Options::default() };
    let mut rows: Vec<(Vec<f64>, f64)> = Vec::new();
    for point in [[4.0, 4.0], [8.0, 4.0], [4.0, 8.0], [8.0, 8.0], [16.0, 4.0]] {
        rows.extend(truth.runs(&point, 5, 0.05, &mut random));
    }
    let target = vec![256.0, 256.0];
    let first = fit(&formula, &Data::from_rows(names(), rows.clone()), &options).unwrap();
    assert_eq!(first.options.weights, Weights::Relative);
    let no_rivals: [Rival<'_>; 0] = [];
    let subject =
        subject(&first, &no_rivals, &names(), &grid, std::slice::from_ref(&target)).unwrap();
    let cost = RunCost { factor: 1.0, least: 1e-6, is_core_time: false };
    let price = |point: &Vec<f64>| {
        cost.run_cost(&[first.estimate(point).ok().map(|p| p.value)], 1.0).unwrap()
    };
    let candidates: Vec<cll_plan::Candidate> = grid
        .iter()
        .map(|point| cll_plan::Candidate { values: point.clone(), cost: price(point) })
        .collect();
    let whole: f64 = candidates.iter().map(|candidate| 5.0 * candidate.cost).sum();
    let variables = names();
    let problem =
        Problem { variables, candidates, subjects: vec![subject], runs: 5, most: 40, fill: 0.2 };
    if let Ok(design) = plan(&problem, share * whole) {
        for chosen in &design.chosen {
            let point = &problem.candidates[chosen.candidate].values;
            rows.extend(truth.runs(point, chosen.runs, 0.05, &mut random));
        }
    }
    let last = fit(&formula, &Data::from_rows(names(), rows), &options).unwrap();
    (last.estimate(&target).unwrap().value / truth.value(&target) - 1.0).abs()
}

#[test]
fn more_budget_does_not_make_predictions_worse() {
    const TRUTHS: usize = 60;
    let mut before: Option<(f64, f64)> = None;
    for share in [0.05, 0.1, 0.2, 0.4, 0.8] {
        let errors: Vec<f64> = (0..TRUTHS).map(|seed| error(seed as u64, share)).collect();
        let mean = errors.iter().sum::<f64>() / TRUTHS as f64;
        let squares = errors.iter().map(|e| (e - mean).powi(2)).sum::<f64>();
        let standard = (squares / (TRUTHS * (TRUTHS - 1)) as f64).sqrt();
        println!("{share}: {mean:.4} ± {standard:.4}");
        if let Some((last, its)) = before {
            assert!(mean <= last + standard.hypot(its), "{share}: {mean} after {last}");
        }
        before = Some((mean, standard));
    }
    assert!(before.unwrap().0 < 0.05, "{before:?}");
}
