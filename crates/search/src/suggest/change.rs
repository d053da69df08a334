//! The changes of a formula by one term, weighed.

use cll_fit::vectors::{dot, norm, reduce};

use crate::solution::{Solution, term_values};
use crate::suggest::Change;
use crate::term::{Model, Term, factor};
use crate::weighted::{Columns, Weighted};

/// ln of the share of the prior that each kind of change has, beside the unchanged formula's.
const KIND: f64 = -1.1;
/// Factors with a fractional exponent or a squared logarithm have this part of the prior of the others: rare in algorithms.
const RARE: f64 = 0.1;
/// A term is superfluous if the formula without it is so many times as probable, as a logarithm...
const SUPERFLUOUS: f64 = 0.8;
/// ...and its constant is not so many standard errors from zero.
const INVISIBLE: f64 = 2.0;
/// The largest share of a term in the data is expected to be at least this.
const LEAST_SHARE: f64 = 0.07;
/// Terms whose evidence is at least this share of the best one's are as good...
const AS_GOOD: f64 = 0.2;
/// ...and at most so many of them are named.
const MAX_AS_GOOD: usize = 4;
/// So many terms of each place, those that leave the smallest residuals, are weighed by their evidence.
const WEIGHED: usize = 120;
/// Columns of length 1 whose rest beside the others is shorter depend on them.
const MIN_REST: f64 = 1e-5;

/// A change by one term.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Missing { term: Term, as_good: Vec<Term> },
    Replaced { old: Term, term: Term, as_good: Vec<Term> },
    Superfluous { term: Term },
}

impl Kind {
    pub(super) fn named(&self, names: &impl Fn(&Term) -> String) -> Change {
        let all = |terms: &[Term]| terms.iter().map(names).collect();
        match self {
            Kind::Missing { term, as_good } => {
                Change::Missing { term: names(term), as_good: all(as_good) }
            }
            Kind::Replaced { old, term, as_good } => {
                Change::Replaced { old: names(old), term: names(term), as_good: all(as_good) }
            }
            Kind::Superfluous { term } => Change::Superfluous { term: names(term) },
        }
    }
}

/// A formula that was changed.
#[derive(Clone, Debug)]
pub(super) struct ChangedFormula {
    /// The terms, each with the number of its constant.
    pub(super) slots: Vec<(u32, Term)>,
    pub(super) kinds: Vec<Kind>,
    /// How probable the formula was before the first change.
    pub(super) probability: f64,
    pub(super) tried: usize,
}

impl ChangedFormula {
    pub(super) fn unchanged(slots: Vec<(u32, Term)>) -> ChangedFormula {
        ChangedFormula { slots, kinds: Vec::new(), probability: 1.0, tried: 1 }
    }

    pub(super) fn model(&self) -> Model {
        Model::new(false, self.slots.iter().map(|(_, term)| term.clone()).collect())
    }

    pub(super) fn take(&mut self, kind: Kind) {
        match &kind {
            Kind::Missing { term, .. } => {
                let next = self.slots.iter().map(|(number, _)| number + 1).max().unwrap_or(0);
                self.slots.push((next, term.clone()));
            }
            Kind::Replaced { old, term, .. } => {
                let places = self.slots.iter_mut().filter(|(_, known)| known == old);
                places.for_each(|(_, known)| known.clone_from(term));
            }
            Kind::Superfluous { term } => self.slots.retain(|(_, known)| known != term),
        }
        self.kinds.push(kind);
    }
}

/// ln of the evidence, of a model with negative constants with half of the prior for either sign.
pub(super) fn either_sign(solution: &Solution) -> f64 {
    if solution.evidence.is_finite() { solution.evidence } else { solution.signless }
}

/// All changes of one formula.
pub(super) struct Tried {
    /// The most probable one, with ln of how many times as probable as no change, its prior included.
    pub(super) best: Option<(f64, Kind)>,
    /// How probable the formula is without a change.
    pub(super) probability: f64,
    pub(super) count: usize,
}

/// The data from which changes are made.
pub(super) struct Changes<'a> {
    pub(super) problem: &'a Weighted,
    pub(super) columns: &'a Columns,
    pub(super) variables: &'a [usize],
    pub(super) own: usize,
    pub(super) non_negative: bool,
}

impl Changes<'_> {
    /// Tries every term of the dictionary as one more term, and in the place of each; `None` if the formula itself
    /// cannot be solved.
    pub(super) fn try_terms(&self, candidate: &ChangedFormula) -> Option<Tried> {
        let model = candidate.model();
        let own = either_sign(&self.solved(&model)?);
        let dictionary = self.dictionary();
        let commonness: f64 = dictionary.iter().map(|term| self.common(term)).sum();
        let places: Vec<Option<&Term>> =
            std::iter::once(None).chain(model.terms.iter().map(Some)).collect();
        let mut all: Vec<(f64, Option<&Term>, Term)> = Vec::new();
        let (mut sum, mut best) = (0.0, f64::NEG_INFINITY);
        for place in places {
            let rest = model.terms.iter().filter(|&term| Some(term) != place).cloned();
            let rest: Vec<Term> = rest.collect();
            // All terms of a place share the prior of its kind.
            let places = if place.is_some() { model.terms.len() as f64 } else { 1.0 };
            let kind = KIND - (places * commonness).ln();
            for term in self.screened(&rest, &dictionary) {
                let changed: Vec<Term> = rest.iter().cloned().chain([term.clone()]).collect();
                let changed = Model::new(false, changed);
                let Some(solution) = self.solved(&changed) else { continue };
                if !self.is_sound(&changed, &solution, &term) {
                    continue;
                }
                let value = either_sign(&solution) + kind + self.common(&term).ln();
                if value.is_finite() {
                    sum += (value - own).min(600.0).exp();
                    best = best.max(value);
                    all.push((value, place, term));
                }
            }
        }
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        let kind = all.first().map(|(top, place, term)| {
            let as_good = all[1..].iter().filter(|rival| rival.1 == *place);
            let as_good = as_good.take_while(|rival| rival.0 > top + AS_GOOD.ln());
            let as_good: Vec<Term> =
                as_good.take(MAX_AS_GOOD).map(|rival| rival.2.clone()).collect();
            let kind = match place {
                None => Kind::Missing { term: term.clone(), as_good },
                Some(old) => Kind::Replaced { old: (*old).clone(), term: term.clone(), as_good },
            };
            (top - own, kind)
        });
        let count = dictionary.len() * (1 + model.terms.len());
        Some(Tried { best: kind, probability: 1.0 / (1.0 + sum), count })
    }

    /// A term that the data do not show, with ln of how many times as probable the formula is without it, the prior
    /// included.
    ///
    /// A term of a formula has a share of at least [`LEAST_SHARE`] somewhere in the data; where between that and the
    /// whole is not known (uniform in the logarithm). The ratio of both formulas' evidences is that of the likelihood
    /// of the constant, averaged over that prior, to its likelihood at zero (Dickey 1971).
    pub(super) fn superfluous(&self, candidate: &ChangedFormula) -> Option<(f64, Kind)> {
        let model = candidate.model();
        let solution = self.solved(&model)?;
        let (constants, errors) = (&solution.constants, solution.errors());
        let mut best: Option<(f64, Term)> = None;
        for (k, term) in model.terms.iter().enumerate().filter(|_| model.terms.len() > 1) {
            if (constants[k] / errors[k]).abs() > INVISIBLE {
                continue;
            }
            let rest = model.terms.iter().filter(|other| *other != term).cloned().collect();
            if self.solved(&Model::new(false, rest)).is_none() {
                continue;
            }
            let values = term_values(self.columns, term, self.problem.level.len());
            let largest = values.iter().zip(&self.problem.level).map(|(v, l)| (v / l).abs());
            let largest = largest.fold(0.0, f64::max);
            let gain = -ln_ratio(constants[k].abs() * largest, errors[k] * largest);
            if gain > SUPERFLUOUS && best.as_ref().is_none_or(|(most, _)| gain > *most) {
                best = Some((gain, term.clone()));
            }
        }
        let prior = KIND - (model.terms.len() as f64).ln();
        best.map(|(gain, term)| (gain + prior, Kind::Superfluous { term }))
    }

    /// How common a term is in formulas of algorithms, beside those of the dictionary that are the most common.
    fn common(&self, term: &Term) -> f64 {
        let commonness_of = |&(variable, k): &(u16, u16)| {
            let factor = self.columns.factors[usize::from(variable)].get(usize::from(k));
            factor.map_or(1.0, |factor| factor.common(RARE))
        };
        term.iter().map(commonness_of).product()
    }

    fn solved(&self, model: &Model) -> Option<Solution> {
        Solution::new(self.problem, self.columns, model, 0.0)
    }

    /// Whether the new term costs something, and makes no other one negative.
    fn is_sound(&self, model: &Model, solution: &Solution, new: &Term) -> bool {
        let own = model.terms.iter().position(|term| term == new).map(|k| solution.constants[k]);
        !self.non_negative
            || (own.is_some_and(|c| c > 0.0) && solution.constants.iter().all(|c| *c > 0.0))
    }

    /// A constant term, every factor of every variable, and every product of two of different variables.
    fn dictionary(&self) -> Vec<Term> {
        let factors_of = |v: usize| (0..self.columns.factors[v].len()).map(move |k| factor(v, k));
        let number = self.columns.values[self.own].len() - 1;
        let mut all: Vec<Term> = vec![vec![factor(self.own, number)]];
        for (index, &x) in self.variables.iter().enumerate() {
            all.extend(factors_of(x).map(|f| vec![f]));
            for &y in &self.variables[index + 1..] {
                all.extend(factors_of(x).flat_map(|f| factors_of(y).map(move |g| vec![f, g])));
            }
        }
        all
    }

    /// The terms that leave the smallest residuals beside `rest`.
    fn screened(&self, rest: &[Term], dictionary: &[Term]) -> Vec<Term> {
        let n = self.problem.b.len();
        let weighted = |term: &Term| -> Vec<f64> {
            let values = term_values(self.columns, term, n);
            let mut column: Vec<f64> =
                values.iter().zip(&self.problem.weight).map(|(v, w)| v * w).collect();
            let length = norm(&column);
            column.iter_mut().for_each(|v| *v /= length);
            column
        };
        let mut base: Vec<Vec<f64>> = Vec::new();
        for term in rest {
            let mut column = weighted(term);
            reduce(&mut column, &base);
            reduce(&mut column, &base);
            let length = norm(&column);
            if length > MIN_REST {
                column.iter_mut().for_each(|v| *v /= length);
                base.push(column);
            }
        }
        let mut left = self.problem.b.clone();
        reduce(&mut left, &base);
        let mut gains: Vec<(f64, &Term)> = Vec::new();
        for term in dictionary.iter().filter(|term| !rest.contains(term)) {
            let mut column = weighted(term);
            reduce(&mut column, &base);
            let square = dot(&column, &column);
            let with = dot(&column, &left);
            let is_new = square > MIN_REST * MIN_REST && square.is_finite();
            if is_new && (with > 0.0 || !self.non_negative) {
                gains.push((with * with / square, term));
            }
        }
        gains.sort_by(|a, b| b.0.total_cmp(&a.0));
        gains.into_iter().take(WEIGHED).map(|(_, term)| term.clone()).collect()
    }
}

/// ln of the mean likelihood of a share between [`LEAST_SHARE`] and 1, uniform in its logarithm, to that of no share; of
/// an estimated share with its standard error.
fn ln_ratio(share: f64, error: f64) -> f64 {
    const STEPS: u32 = 200;
    let width = -LEAST_SHARE.ln() / f64::from(STEPS);
    let likelihood = |step: u32| {
        let assumed = LEAST_SHARE * (width * (f64::from(step) + 0.5)).exp();
        let (with, without) = ((assumed - share) / error, share / error);
        (0.5 * (without * without - with * with)).exp()
    };
    ((0..STEPS).map(likelihood).sum::<f64>() / f64::from(STEPS)).ln()
}
