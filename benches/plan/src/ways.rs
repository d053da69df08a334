//! Ways to choose points, and the error of what they predict.

use anyhow::{Context, Result};
use cll_fit::{Data, Fit, Intervals, Options, fit};
use cll_plan::{Candidate, Problem, Rival, best_cross, combinations, plan, subject};
use cll_search::search;
use fastrand::Rng;

use crate::truth::{SIZES, TARGET, Truth};

/// Runs of a point.
pub const RUNS: u32 = 5;
/// Plans after another, each from all data so far.
const ROUNDS: usize = 4;

/// How points are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Planned,
    /// The best cross by the first data.
    Cross,
    Cheapest,
    /// All 25.
    Grid,
}

impl Way {
    pub const ALL: [Way; 4] = [Way::Planned, Way::Cross, Way::Cheapest, Way::Grid];

    pub fn name(self) -> &'static str {
        match self {
            Way::Planned => "cll plan",
            Way::Cross => "best cross",
            Way::Cheapest => "cheapest first",
            Way::Grid => "full grid",
        }
    }
}

/// Whether the formula is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Given,
    Searched,
}

impl Form {
    pub fn name(self) -> &'static str {
        match self {
            Form::Given => "given",
            Form::Searched => "searched",
        }
    }
}

/// The knowledge of a truth so far.
struct Known<'a> {
    truth: &'a Truth,
    form: Form,
    rows: Vec<(Vec<f64>, f64)>,
}

/// |ln(predicted/true)| at the target.
pub fn error(
    truth: &Truth,
    way: Way,
    form: Form,
    share: f64,
    noise: f64,
    random: &mut Rng,
) -> Result<f64> {
    let grid = combinations(&[SIZES.to_vec(), SIZES.to_vec()]);
    let cost = |point: &[f64]| f64::from(RUNS) * truth.value(point[0], point[1]);
    let budget = share * grid.iter().map(|point| cost(point)).sum::<f64>();
    let mut known = Known { truth, form, rows: Vec::new() };
    let first = [[4.0, 4.0], [8.0, 4.0], [16.0, 4.0], [4.0, 8.0], [4.0, 16.0]];
    for point in first {
        known.rows.extend(truth.runs(&point, RUNS, noise, random));
    }
    let mut spent = 0.0;
    let mut measure = |known: &mut Known<'_>, at: &[f64], runs: u32, spent: &mut f64| {
        let cost = cost(at) * f64::from(runs) / f64::from(RUNS);
        // What a point takes is only predicted when it is chosen: a budget is never exceeded.
        if *spent + cost <= budget {
            *spent += cost;
            known.rows.extend(truth.runs(at, runs, noise, random));
        }
    };
    let rest = || grid.iter().filter(|point| !first.iter().any(|values| values[..] == point[..]));
    match way {
        Way::Grid => {
            for point in rest() {
                known.rows.extend(truth.runs(point, RUNS, noise, random));
            }
        }
        Way::Cheapest => {
            let mut order: Vec<&Vec<f64>> = rest().collect();
            order.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
            for point in order {
                measure(&mut known, point, RUNS, &mut spent);
            }
        }
        Way::Cross => {
            if let Some(problem) = known.problem(&grid)? {
                for candidate in best_cross(&problem, budget) {
                    let point = problem.candidates[candidate].values.clone();
                    if !first.iter().any(|values| values[..] == point[..]) {
                        measure(&mut known, &point, RUNS, &mut spent);
                    }
                }
            }
        }
        Way::Planned => {
            for round in 0..ROUNDS {
                let Some(problem) = known.problem(&grid)? else { break };
                // The last round has all that is left.
                let left = (budget - spent) / if round + 1 == ROUNDS { 1.0 } else { 2.0 };
                let Ok(design) = plan(&problem, left) else { continue };
                for choice in &design.chosen {
                    let point = problem.candidates[choice.candidate].values.clone();
                    measure(&mut known, &point, choice.runs, &mut spent);
                }
            }
        }
    }
    let predicted = known.predict(&[TARGET, TARGET])?;
    let ratio: f64 = predicted / truth.value(TARGET, TARGET);
    // A prediction of the wrong sign counts as one that is wrong by a factor of 100.
    Ok(if ratio > 0.0 { ratio.ln().abs().min(100f64.ln()) } else { 100f64.ln() })
}

impl Known<'_> {
    fn data(&self) -> Data {
        Data::from_rows(vec!["x".into(), "y".into()], self.rows.clone())
    }

    fn fitted(&self, text: &str) -> Result<Fit> {
        let formula = cll_formula::parse("f", text).formula.context("a formula")?;
        let options = Options { intervals: Intervals::None, ..Options::default() };
        Ok(fit(&formula, &self.data(), &options)?)
    }

    fn predict(&self, point: &[f64]) -> Result<f64> {
        match self.form {
            Form::Given => {
                let fit = self.fitted(&self.truth.formula())?;
                let values: Vec<f64> =
                    fit.variables.iter().map(|name| point[usize::from(name == "y")]).collect();
                // Undetermined constants predict nothing.
                Ok(fit.predict(&values).map_or(f64::NAN, |p| p.value))
            }
            Form::Searched => {
                let search = search(&self.data(), &cll_search::Options::default())?;
                Ok(search.predict(point).map_or(f64::NAN, |p| p.value))
            }
        }
    }

    /// Returns the points that may be measured next; `None` if nothing can be planned.
    fn problem(&self, grid: &[Vec<f64>]) -> Result<Option<Problem>> {
        let mut rivals = Vec::new();
        let text = match self.form {
            Form::Given => self.truth.formula(),
            Form::Searched => {
                let search = search(&self.data(), &cll_search::Options::default())?;
                let first = &search.candidates[0];
                for candidate in search.candidates.iter().skip(1).take(5) {
                    if candidate.weight >= 0.05 * first.weight {
                        let formula = cll_formula::parse("f", &candidate.formula).formula;
                        rivals.extend(
                            formula.map(|f| (candidate.weight, f, candidate.constants.clone())),
                        );
                    }
                }
                let all = first.weight + rivals.iter().map(|rival| rival.0).sum::<f64>();
                rivals.iter_mut().for_each(|rival| rival.0 /= all);
                first.formula.clone()
            }
        };
        let fit = self.fitted(&text)?;
        let names = ["x".to_owned(), "y".to_owned()];
        let others: Vec<Rival<'_>> = rivals
            .iter()
            .map(|(weight, formula, constants)| Rival { weight: *weight, formula, constants })
            .collect();
        let Some(subject) = subject(&fit, &others, &names, grid, &[vec![TARGET, TARGET]]) else {
            return Ok(None);
        };
        let price = |index: usize| subject.beliefs[0].values[index].abs().max(1e-9);
        let candidates = grid
            .iter()
            .enumerate()
            .map(|(index, point)| Candidate { values: point.clone(), cost: price(index) })
            .collect();
        let variables = names.to_vec();
        let subjects = vec![subject];
        Ok(Some(Problem { variables, candidates, subjects, runs: RUNS, most: 40, fill: 0.2 }))
    }
}
