//! Terms that explain most of what the others leave: a local search that changes a factor at a time never comes from
//! one sum of three terms to another.
//!
//! The gain of a column a beside orthonormal columns Q with the residuals r is (a'r)²/|a - QQ'a|² (orthogonal matching
//! pursuit: Pati, Rezaiifar and Krishnaprasad, 1993). It takes no solution of the whole model, so that all terms are
//! tried.

use cll_fit::vectors::{dot, norm, reduce, subtract};

use crate::evidence::MAX_CONSTANTS;
use crate::solution::{Solution, term_values};
use crate::term::{Model, Term, factor};
use crate::weighted::{Columns, Weighted};

/// So many of the terms that explain most are added or put in the place of another.
const BEST: usize = 8;
/// Columns of length 1 whose rest beside the others is shorter depend on them.
const MIN_REST: f64 = 1e-3;
/// Terms are added at most so often...
const STEPS: usize = 40;
/// ...while one makes the square sum of the residuals smaller by this share.
const MIN_GAIN: f64 = 1e-4;

/// Terms that may stand in a model.
pub(crate) struct Terms<'a> {
    pub(crate) variables: &'a [usize],
    /// Whether terms may be products.
    pub(crate) products: bool,
    /// Whether constants may be negative.
    pub(crate) either_sign: bool,
}

/// The model with another term, and with another one in the place of each of its own.
pub(crate) fn pursued(
    problem: &Weighted,
    columns: &Columns,
    model: &Model,
    terms: &Terms,
) -> Vec<Model> {
    let fewer = (0..model.terms.len()).map(|t| {
        let mut fewer = model.terms.clone();
        fewer.remove(t);
        fewer
    });
    let bases = std::iter::once(model.terms.clone()).chain(fewer);
    let mut all = Vec::new();
    for base in bases {
        let rest = Rest::new(problem, columns, model.constant, &base);
        for term in rest.best(columns, terms) {
            let mut next = base.clone();
            next.push(term);
            all.push(Model::new(model.constant, next));
        }
    }
    all
}

/// Models of the terms that together come nearest to the data with constants that are not negative: of all terms at
/// once, and of fewer and fewer of these (Lawson and Hanson, *Solving Least Squares Problems*, 1974, chapter 23).
///
/// A local search from there does not depend on whether models of one or two terms are on the way.
pub(crate) fn nearest(problem: &Weighted, columns: &Columns, terms: &Terms) -> Vec<Model> {
    let most = MAX_CONSTANTS.min(problem.b.len().saturating_sub(2));
    let mut model = Model::new(true, Vec::new());
    let Some(mut solution) = Solution::new(problem, columns, &model, 0.0) else {
        return Vec::new();
    };
    for _ in 0..STEPS {
        let rest = Rest::left(problem, columns, &model, &solution);
        let Some(term) = rest.best(columns, terms).into_iter().find(|t| !model.terms.contains(t))
        else {
            break;
        };
        if model.constants() >= most {
            break;
        }
        let mut next = model.terms.clone();
        next.push(term);
        let next = Model::new(model.constant, next);
        let Some((next, own)) = positive(problem, columns, next) else { break };
        if own.rss >= solution.rss * (1.0 - MIN_GAIN) {
            break;
        }
        (model, solution) = (next, own);
    }
    let mut all = vec![model.clone()];
    while model.constants() > 1 {
        let fewer = (0..model.terms.len()).map(|t| {
            let mut fewer = model.terms.clone();
            fewer.remove(t);
            Model::new(model.constant, fewer)
        });
        let fewer = fewer.chain(model.constant.then(|| Model::new(false, model.terms.clone())));
        let solved = fewer.filter_map(|fewer| positive(problem, columns, fewer));
        let Some((next, _)) = solved.min_by(|a, b| a.1.rss.total_cmp(&b.1.rss)) else { break };
        all.push(next.clone());
        model = next;
    }
    all
}

/// A model without its terms whose constants are not positive, solved.
fn positive(problem: &Weighted, columns: &Columns, mut model: Model) -> Option<(Model, Solution)> {
    loop {
        let solution = Solution::new(problem, columns, &model, 0.0)?;
        let smallest = solution.constants.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1))?;
        if *smallest.1 > 0.0 {
            return Some((model, solution));
        }
        let place = smallest.0;
        let mut terms = model.terms.clone();
        match (model.constant, place) {
            (true, 0) => model = Model::new(false, terms),
            (constant, place) => {
                terms.remove(place - usize::from(constant));
                model = Model::new(constant, terms);
            }
        }
        if model.constants() == 0 {
            return None;
        }
    }
}

/// The residuals of a model, and the directions that it has taken.
struct Rest<'a> {
    weight: &'a [f64],
    basis: Vec<Vec<f64>>,
    residuals: Vec<f64>,
}

impl<'a> Rest<'a> {
    fn new(problem: &'a Weighted, columns: &Columns, constant: bool, terms: &[Term]) -> Rest<'a> {
        let points = problem.b.len();
        let mut rest =
            Rest { weight: &problem.weight, basis: Vec::new(), residuals: problem.b.clone() };
        let ones = constant.then(|| vec![1.0; points]);
        let all = ones.into_iter().chain(terms.iter().map(|t| term_values(columns, t, points)));
        for mut column in all {
            column.iter_mut().zip(rest.weight).for_each(|(value, weight)| *value *= weight);
            rest.take(column);
        }
        rest
    }

    /// The residuals of a solved model, without its directions.
    fn left(
        problem: &'a Weighted,
        columns: &Columns,
        model: &Model,
        solution: &Solution,
    ) -> Rest<'a> {
        let points = problem.b.len();
        let mut rest =
            Rest { weight: &problem.weight, basis: Vec::new(), residuals: problem.b.clone() };
        let ones = model.constant.then(|| vec![1.0; points]);
        let all =
            ones.into_iter().chain(model.terms.iter().map(|t| term_values(columns, t, points)));
        for (values, constant) in all.zip(&solution.constants) {
            let weighted = values.iter().zip(rest.weight).map(|(value, weight)| value * weight);
            rest.residuals.iter_mut().zip(weighted).for_each(|(r, value)| *r -= constant * value);
        }
        rest
    }

    /// Takes the direction of a weighted column out of the residuals.
    fn take(&mut self, mut column: Vec<f64>) {
        let length = norm(&column);
        for _ in 0..2 {
            reduce(&mut column, &self.basis);
        }
        let left = norm(&column);
        if left.is_nan() || left <= MIN_REST * length {
            return;
        }
        column.iter_mut().for_each(|value| *value /= left);
        let share = dot(&column, &self.residuals);
        subtract(&mut self.residuals, share, &column);
        self.basis.push(column);
    }

    /// By how much a column of values makes the square sum of the residuals smaller; 0 if it needs a constant that may
    /// not be.
    fn gain(&self, column: &[f64], either_sign: bool) -> f64 {
        let length = dot(column, column);
        let share = dot(column, &self.residuals);
        let taken: f64 = self.basis.iter().map(|direction| dot(direction, column).powi(2)).sum();
        let left = length - taken;
        let depends = left.is_nan() || left <= MIN_REST * MIN_REST * length;
        if depends || (share <= 0.0 && !either_sign) {
            return 0.0;
        }
        share * share / left
    }

    /// The terms that explain most of the rest.
    fn best(&self, columns: &Columns, terms: &Terms) -> Vec<Term> {
        let mut best: Vec<(f64, Term)> = Vec::with_capacity(BEST + 1);
        let mut least = 0.0;
        let mut offer = |column: &[f64], term: &dyn Fn() -> Term| {
            let gain = self.gain(column, terms.either_sign);
            if gain <= least || !gain.is_finite() {
                return;
            }
            let place = best.partition_point(|(other, _)| *other >= gain);
            best.insert(place, (gain, term()));
            best.truncate(BEST);
            if best.len() == BEST {
                least = best[BEST - 1].0;
            }
        };
        let mut product = vec![0.0; self.weight.len()];
        for (place, &v) in terms.variables.iter().enumerate() {
            for (k, values) in columns.values[v].iter().enumerate() {
                let weighted: Vec<f64> =
                    values.iter().zip(self.weight).map(|(a, w)| a * w).collect();
                offer(&weighted, &|| vec![factor(v, k)]);
                let others = terms.variables[place + 1..].iter().filter(|_| terms.products);
                for &other in others {
                    for (j, values) in columns.values[other].iter().enumerate() {
                        let pairs = weighted.iter().zip(values);
                        product.iter_mut().zip(pairs).for_each(|(p, (a, b))| *p = a * b);
                        offer(&product, &|| vec![factor(v, k), factor(other, j)]);
                    }
                }
            }
        }
        best.into_iter().map(|(_, term)| term).collect()
    }
}
