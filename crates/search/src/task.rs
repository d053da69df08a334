//! The models that are tried, and their weights.

use std::collections::HashSet;

use cll_fit::Data;
use statrs::distribution::{ContinuousCDF, FisherSnedecor};

use crate::exhaustive::exhaustive;
use crate::judge::by_ratios;
use crate::local::{Bounds, improve};
use crate::observed::Observed;
use crate::options::Options;
use crate::pursuit::{Terms, nearest};
use crate::solution::{Solution, Weighed, prior, term_values};
use crate::term::Model;
use crate::weighted::{Columns, Weighted};

/// So many models are solved exactly.
const MAX_MEMBERS: usize = 4000;
/// The value at each point is averaged over so many models.
const LEVEL: usize = 32;
/// Level of the test whether repetitions explain the residuals.
const LACK: f64 = 1e-3;
/// By so much in ln of the evidence models of either sign must be better before they are taken.
const NEGATIVE: f64 = 12.0;

/// Other points for which the formula has other constants.
pub(crate) struct Other {
    columns: Columns,
    problem: Weighted,
    /// ln of the evidence of a formula that cannot be solved.
    unsolved: f64,
}

/// By so much less than a constant, in ln, is a formula that cannot be solved.
const UNSOLVED: f64 = 20.0;

impl Other {
    /// `None` if the factors cannot be evaluated there.
    pub(crate) fn new(data: &Data, columns: &Columns, options: &Options) -> Option<Other> {
        let observed = Observed::new(data, options);
        let columns = Columns::same(&observed, &columns.factors, columns.are_expected)?;
        let problem = Weighted::new(&observed, observed.y.clone(), options.weights, false);
        let constant = Solution::new(&problem, &columns, &Model::new(true, Vec::new()), 0.0)?;
        let unsolved = constant.evidence.min(constant.signless) - UNSOLVED;
        Some(Other { columns, problem, unsolved })
    }

    /// ln of the evidence of a formula for these points, without its prior.
    fn evidence(&self, model: &Model, either_sign: bool) -> f64 {
        let solution = Solution::new(&self.problem, &self.columns, model, 0.0);
        let evidence = solution
            .map(|solution| if either_sign { solution.signless } else { solution.evidence });
        evidence.filter(|value| value.is_finite()).unwrap_or(self.unsolved)
    }
}

/// A search: the observations, the columns, and the choices.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) others: &'a [Other],
    pub(crate) observed: &'a Observed,
    pub(crate) columns: &'a Columns,
    pub(crate) variables: &'a [usize],
    pub(crate) options: &'a Options,
    pub(crate) given: bool,
}

/// The models of a search, weighed.
pub(crate) struct Outcome {
    pub(crate) problem: Weighted,
    pub(crate) models: Vec<(f64, Model)>,
    /// Best first.
    pub(crate) solutions: Vec<Weighed>,
    pub(crate) lack: Option<Lack>,
    /// Whether constants have either sign though they should not.
    pub(crate) is_negative: bool,
}

/// How far the best formula misses points beyond their repetitions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lack {
    /// The typical miss.
    pub(crate) size: f64,
    /// The typical uncertainty of a point by its repetitions.
    pub(crate) repetitions: f64,
}

impl Outcome {
    /// ln of the probability of the observations under all models together, up to a number that is the same whatever
    /// systematic error is taken.
    pub(crate) fn evidence(&self, observed: &Observed) -> f64 {
        let top = self.solutions.first().map_or(f64::NEG_INFINITY, |best| best.1);
        let all: f64 = self.solutions.iter().map(|solution| (solution.1 - top).exp()).sum();
        top + all.ln() + self.problem.scale(observed)
    }
}

impl Task<'_> {
    /// The models and their solutions, with weights of points that follow the models.
    pub(crate) fn weighed(&self) -> Outcome {
        let y: Vec<f64> = self.observed.y.clone();
        let first = self.problem(y.clone(), false);
        let mut models = self.start(&first, false);
        if !self.is_exhaustive(false) {
            models = self.improved(&first, models, false, false);
        }
        let mut solutions = self.solutions(&first, &models[..models.len().min(LEVEL)], false);
        let lacking = |solutions: &[Weighed]| {
            solutions.first().and_then(|best| lack_of_fit(self.observed, &first, &best.0))
        };
        let mut lack = lacking(&solutions);
        if lack.is_some() && self.is_exhaustive(false) {
            // Beside the noise of the repetitions more terms may explain the data.
            models = self.improved(&first, models, false, true);
            solutions = self.solutions(&first, &models[..models.len().min(LEVEL)], false);
            lack = lacking(&solutions);
        }
        let level = self.level(&first, &models, &solutions).unwrap_or_else(|| y.clone());
        let mut problem = self.problem(level, lack.is_some());
        models = self.models(&problem, false, lack.is_some());
        solutions = self.solutions(&problem, &models, false);
        if let (Some(_), Some(best)) = (lack, solutions.first()) {
            // With more terms the data may be explained after all.
            let level = self.level(&problem, &models, &solutions).unwrap_or(y);
            let surer = self.problem(level, false);
            let model = &models[best.2].1;
            let solution = Solution::new(&surer, self.columns, model, best.1);
            lack = solution.and_then(|solution| lack_of_fit(self.observed, &surer, &solution));
            if lack.is_none() {
                models = self.models(&surer, false, true);
                solutions = self.solutions(&surer, &models, false);
                problem = surer;
            }
        }
        let is_wanting = !self.options.non_negative
            || lack.is_some()
            || self.observed.are_counts
            || solutions.first().is_none_or(|s| self.is_poor(&problem, s));
        if is_wanting && self.options.differences {
            let best = solutions.first().map_or(f64::NEG_INFINITY, |s| s.1);
            if let Some(outcome) = self.of_either_sign(&problem, best, lack) {
                return outcome;
            }
        }
        by_ratios(self.observed, &problem, self.columns, &models, &mut solutions);
        Outcome { problem, models, solutions, lack, is_negative: false }
    }

    /// Models whose constants have either sign, if they are so much better that they are taken.
    fn of_either_sign(&self, problem: &Weighted, best: f64, lack: Option<Lack>) -> Option<Outcome> {
        let models = self.models(problem, true, false);
        let solutions = self.solutions(problem, &models, true);
        // Counts are no costs: their differences are as probable as their sums.
        let is_cost = self.options.non_negative && !self.observed.are_counts;
        let needed = if is_cost { NEGATIVE } else { 0.0 };
        let first = solutions.first()?;
        if first.1 <= best + needed || first.0.constants.iter().all(|c| *c >= 0.0) {
            return None;
        }
        let surer = self.problem(self.observed.y.clone(), false);
        let first = Solution::new(&surer, self.columns, &models[first.2].1, 0.0);
        let own = first.and_then(|first| lack_of_fit(self.observed, &surer, &first));
        let is_negative = self.options.non_negative;
        let problem = problem.clone();
        Some(Outcome { problem, models, solutions, lack: lack.and(own), is_negative })
    }

    fn problem(&self, level: Vec<f64>, lack: bool) -> Weighted {
        Weighted::new(self.observed, level, self.options.weights, lack)
    }

    /// Whether all models of few terms are tried, or a local search begins with a constant.
    fn is_exhaustive(&self, either_sign: bool) -> bool {
        !self.given && !either_sign && self.variables.len() <= 2
    }

    /// The models that a local search begins with, best first.
    fn start(&self, problem: &Weighted, either_sign: bool) -> Vec<(f64, Model)> {
        let constant = vec![(f64::NEG_INFINITY, Model::new(true, Vec::new()))];
        let all = match self.variables {
            [x] if self.is_exhaustive(either_sign) => exhaustive(problem, self.columns, *x, None),
            [x, y] if self.is_exhaustive(either_sign) => {
                exhaustive(problem, self.columns, *x, Some(*y))
            }
            _ => Vec::new(),
        };
        if all.is_empty() { constant } else { all }
    }

    fn improved(
        &self,
        problem: &Weighted,
        start: Vec<(f64, Model)>,
        either_sign: bool,
        deep: bool,
    ) -> Vec<(f64, Model)> {
        // All models of few terms are among the first ones: many rounds are for data that none of these explains.
        let few = self.is_exhaustive(either_sign) && !deep;
        let bounds = Bounds {
            width: if few { 4 } else { 12 },
            rounds: if few { 3 } else { 20 },
            patience: if deep { 3 } else { 0 },
            terms: self.options.max_terms,
            products: !self.given,
            either_sign,
        };
        let improve = |start| improve(problem, self.columns, self.variables, start, bounds);
        let mut models = improve(start);
        if !either_sign && !few {
            let known: HashSet<Model> = models.iter().map(|(_, model)| model.clone()).collect();
            let apart = improve(self.nearest(problem)).into_iter();
            models.extend(apart.filter(|(_, model)| !known.contains(model)));
            models.sort_by(|a, b| b.0.total_cmp(&a.0));
        }
        models
    }

    /// The models to which constants that are not negative lead, among all terms at once; weighed.
    fn nearest(&self, problem: &Weighted) -> Vec<(f64, Model)> {
        let terms = Terms { variables: self.variables, products: !self.given, either_sign: false };
        let models = nearest(problem, self.columns, &terms).into_iter();
        let few = models.filter(|model| model.terms.len() <= self.options.max_terms);
        let weighed = few.filter_map(|model| {
            let price = prior(&model, self.columns);
            let solution = Solution::new(problem, self.columns, &model, price)?;
            Some((solution.evidence, model))
        });
        weighed.collect()
    }

    /// The models that are not negligible, best first.
    fn models(&self, problem: &Weighted, either_sign: bool, deep: bool) -> Vec<(f64, Model)> {
        self.improved(problem, self.start(problem, either_sign), either_sign, deep)
    }

    fn solutions(
        &self,
        problem: &Weighted,
        models: &[(f64, Model)],
        either_sign: bool,
    ) -> Vec<Weighed> {
        let solved =
            models.iter().take(MAX_MEMBERS).enumerate().filter_map(|(index, (_, model))| {
                let price = prior(model, self.columns);
                let solution = Solution::new(problem, self.columns, model, price)?;
                let evidence = if either_sign { solution.signless } else { solution.evidence };
                let elsewhere = |other: &Other| other.evidence(model, either_sign);
                let evidence = evidence + self.others.iter().map(elsewhere).sum::<f64>();
                evidence.is_finite().then_some((solution, evidence, index))
            });
        let mut solved: Vec<Weighed> = solved.collect();
        solved.sort_by(|a, b| b.1.total_cmp(&a.1));
        solved
    }

    /// Whether a model of non-negative constants leaves much unexplained: more than half of what a constant leaves.
    fn is_poor(&self, problem: &Weighted, best: &Weighed) -> bool {
        let level = &problem.b;
        let mean = level.iter().sum::<f64>() / level.len() as f64;
        let spread: f64 = level.iter().map(|b| (b - mean).powi(2)).sum();
        let dof = (self.observed.len() - best.0.constants.len()).max(1) as f64;
        let noise = problem.noise.variance * dof;
        best.0.rss > 0.5 * spread && best.0.rss > 4.0 * noise
    }

    /// The value at each point, averaged over the models; `None` if it is not positive everywhere.
    fn level(
        &self,
        problem: &Weighted,
        models: &[(f64, Model)],
        solutions: &[Weighed],
    ) -> Option<Vec<f64>> {
        let top = solutions.first()?.1;
        let mut level = vec![0.0; self.observed.len()];
        let mut all = 0.0;
        for (solution, evidence, index) in solutions.iter().take(LEVEL) {
            let weight = (evidence - top).exp();
            all += weight;
            let model = &models[*index].1;
            let mut constants = solution.constants.iter();
            if model.constant {
                let c = constants.next().copied().unwrap_or(0.0);
                level.iter_mut().for_each(|l| *l += weight * c);
            }
            for (term, c) in model.terms.iter().zip(constants) {
                let values = term_values(self.columns, term, problem.b.len());
                level.iter_mut().zip(values).for_each(|(l, v)| *l += weight * c * v);
            }
        }
        level.iter_mut().for_each(|l| *l /= all);
        let near = level.iter().zip(&self.observed.y).all(|(l, y)| *l > 0.2 * y && *l < 5.0 * y);
        near.then_some(level)
    }
}

/// Whether the residuals are larger than repetitions explain.
pub(crate) fn lack_of_fit(
    observed: &Observed,
    problem: &Weighted,
    best: &Solution,
) -> Option<Lack> {
    let dof = observed.len() as f64 - best.constants.len() as f64;
    if observed.dof < 1.0 || dof < 1.0 {
        return None;
    }
    let mean_square = best.rss / dof;
    let variance = problem.noise.variance;
    let p = if variance > 0.0 {
        FisherSnedecor::new(dof, observed.dof).ok()?.sf(mean_square / variance)
    } else {
        0.0
    };
    let counts = cll_statistics::median(observed.count.iter().copied()).unwrap_or(1.0);
    (p < LACK).then(|| Lack {
        size: (mean_square / counts).sqrt(),
        repetitions: (variance / counts).sqrt(),
    })
}
