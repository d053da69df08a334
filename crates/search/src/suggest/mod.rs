//! Repairs a formula: which term is missing, superfluous, or of another shape.
//!
//! Each term of the dictionary is added to the given formula, and put in place of each of its terms, and each term is
//! left out. The given formula is kept unless the changed ones are more probable by their evidence, with a prior in
//! which it is right in half of all cases; so the more terms are tried, the more a change must explain. A change is
//! taken, and the changed formula is tried again.

mod change;

use cll_fit::{Data, Weights};
use cll_formula::{Formula, parse};
use statrs::distribution::{ContinuousCDF, StudentsT};
use thiserror::Error;

use crate::factor::Factor;
use crate::left_out::left_out;
use crate::observed::Observed;
use crate::options::Options;
use crate::relevant::relevant;
use crate::result::{Note, points_are};
use crate::search::dictionary;
use crate::solution::{Solution, term_values};
use crate::task::{Lack, lack_of_fit};
use crate::term::{Term, factor};
use crate::weighted::{Columns, Weighted};
use change::{ChangedFormula, Changes, either_sign};

/// Changes at most.
const MAX_CHANGES: usize = 3;
/// A formula that is less probable than this is changed.
const IMPROBABLE: f64 = 0.5;

/// A change of one term of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A term has to be added.
    Missing {
        /// As text.
        term: String,
        /// Others that explain the data as well in its place.
        as_good: Vec<String>,
    },
    /// A term of the formula has another shape.
    Replaced {
        /// The term of the formula.
        old: String,
        /// The one in its place.
        term: String,
        /// Others that explain the data as well in its place.
        as_good: Vec<String>,
    },
    /// The data do not show a term of the formula.
    Superfluous {
        /// As text.
        term: String,
    },
}

/// How well a formula fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// Root mean square error at the points: relative, or in the unit with absolute weights.
    pub error: f64,
    /// The same at sizes that were left out; `None` if too few are left to fit.
    pub left_out: Option<f64>,
}

/// A constant of the suggested formula.
#[derive(Clone, Debug, PartialEq)]
pub struct SuggestedConstant {
    /// The name: `f[1]`.
    pub constant: String,
    /// The term it belongs to.
    pub term: String,
    /// In the observable's unit per unit of the term.
    pub value: f64,
    /// The interval of the constant, with the confidence of the options.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// The suggestion in place of a formula.
#[derive(Clone, Debug)]
pub struct Suggestion {
    /// The suggested formula: the given one if nothing is better.
    pub formula: Formula,
    /// The changes; empty: the given formula is as good as any tried.
    pub changes: Vec<Change>,
    /// The constants of the suggested formula.
    pub constants: Vec<SuggestedConstant>,
    /// How well the given formula fits.
    pub given: Judged,
    /// How well the suggested one does.
    pub suggested: Judged,
    /// ln of how many times more probable the data are under the suggested formula.
    pub evidence: f64,
    /// How probable the given formula is beside all that were tried.
    pub probability: f64,
    /// Formulas that were tried.
    pub tried: usize,
    /// Number of points.
    pub points: usize,
    /// The remarks about the data.
    pub notes: Vec<Note>,
}

/// Why nothing can be suggested.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SuggestError {
    /// No point has a usable observation.
    #[error("no point has an observation above 0: relative errors have no meaning there")]
    NothingUsable,
    /// Not even one constant could be added.
    #[error(
        "{} too few to try another term beside {constants} constant{}",
        points_are(*points),
        if *constants == 1 { "" } else { "s" }
    )]
    FewPoints {
        /// Points with different values.
        points: usize,
        /// Constants of the formula.
        constants: usize,
    },
    /// A variable of the formula is not in the data.
    #[error("the data have no variable {variable}")]
    UnknownVariable {
        /// The name.
        variable: String,
    },
    /// A term of the formula has no value at a point.
    #[error("the term {term} has no value at some points")]
    NoValue {
        /// As text.
        term: String,
    },
    /// Terms depend on each other.
    #[error("the terms of the formula cannot be told apart on these data")]
    Dependent,
}

/// Suggests a better formula for data, if there is one.
///
/// # Errors
/// Data that are too few, or do not fit to the formula.
pub fn suggest(
    data: &Data,
    formula: &Formula,
    options: &Options,
) -> Result<Suggestion, SuggestError> {
    let observed = Observed::new(data, options);
    let (points, constants) = (observed.len(), formula.terms().len());
    if points == 0 {
        return Err(SuggestError::NothingUsable);
    }
    if points < constants + 2 {
        return Err(SuggestError::FewPoints { points, constants });
    }
    let (mut variables, mut notes) = relevant(&observed, &data.variables);
    if observed.left_out > 0 {
        notes.push(Note::LeftOut { points: observed.left_out });
    }
    for variable in formula.variables() {
        let unknown = || SuggestError::UnknownVariable { variable: variable.name.clone() };
        let index = data.variable(&variable.name).ok_or_else(unknown)?;
        let values = &observed.values[index];
        if !variables.contains(&index) && values.iter().any(|v| *v != values[0]) {
            variables.push(index);
        }
    }
    variables.sort_unstable();
    let factors = dictionary(&observed, &data.variables, &variables, options);
    let mut columns = Columns::new(&observed, &factors, false);
    let own = columns.add(own_terms(&observed, data, formula)?);
    let task = Task { observed: &observed, columns: &columns, variables, own, options };
    task.suggestion(data, formula, notes)
}

/// How much more probable, in logarithms; without noise both may be beyond numbers.
fn gain(after: f64, before: f64) -> f64 {
    const MOST: f64 = 1e6;
    let gain = after - before;
    if gain.is_nan() { 0.0 } else { gain.clamp(-MOST, MOST) }
}

/// The terms of the formula at the points and at the far corner; a constant term is added as the last one.
fn own_terms(
    observed: &Observed,
    data: &Data,
    formula: &Formula,
) -> Result<Vec<(Vec<f64>, f64)>, SuggestError> {
    let places: Vec<usize> =
        formula.variables().iter().filter_map(|v| data.variable(&v.name)).collect();
    let terms_of = |value: &dyn Fn(usize) -> f64| {
        let values: Vec<f64> = places.iter().map(|&place| value(place)).collect();
        let mut terms = vec![0.0; formula.terms().len()];
        formula.terms_at(&values, &mut terms);
        terms
    };
    let rows: Vec<Vec<f64>> =
        (0..observed.len()).map(|i| terms_of(&|place| observed.values[place][i])).collect();
    let far = terms_of(&|place| observed.values[place].iter().copied().fold(f64::MIN, f64::max));
    let mut terms = Vec::new();
    for (k, (term, far)) in formula.terms().iter().zip(far).enumerate() {
        let column: Vec<f64> = rows.iter().map(|row| row[k]).collect();
        if column.iter().any(|v| !v.is_finite()) {
            return Err(SuggestError::NoValue { term: term.expression_text().to_owned() });
        }
        terms.push((column, far));
    }
    terms.push((vec![1.0; observed.len()], 1.0));
    Ok(terms)
}

/// The data and choices of the suggestions that are tried.
struct Task<'a> {
    observed: &'a Observed,
    columns: &'a Columns,
    variables: Vec<usize>,
    /// The index of the variable whose factors are the formula's own terms.
    own: usize,
    options: &'a Options,
}

impl Task<'_> {
    fn suggestion(
        &self,
        data: &Data,
        formula: &Formula,
        mut notes: Vec<Note>,
    ) -> Result<Suggestion, SuggestError> {
        let slots = formula.terms().iter().enumerate();
        let slots = slots.map(|(k, term)| (term.constant, vec![factor(self.own, k)]));
        let given = ChangedFormula::unchanged(slots.collect());
        let weights = self.options.weights;
        let solved = |problem: &Weighted, found: &ChangedFormula| {
            Solution::new(problem, self.columns, &found.model(), 0.0).ok_or(SuggestError::Dependent)
        };
        // A given formula is right or wrong within the data: its terms need not matter at the far corner.
        let problem = |level: Vec<f64>, lack: bool| {
            let mut problem = Weighted::new(self.observed, level, weights, lack);
            problem.noise.far_price = 0.0;
            problem
        };
        let first = problem(self.observed.y.clone(), false);
        let changed = self.changed(&first, &given).ok_or(SuggestError::Dependent)?;
        // The noise is that of the repetitions if the best formula explains the data that well, else that of its
        // residuals.
        let best = solved(&first, &changed)?;
        let missed = lack_of_fit(self.observed, &first, &best);
        if let Some(Lack { size, repetitions }) = missed {
            notes.push(Note::LackOfFit { size, repetitions });
        }
        let level = self.values(&changed, &best);
        let is_near = |(l, y): (&f64, &f64)| *l > 0.2 * y && *l < 5.0 * y;
        let level = if level.iter().zip(&self.observed.y).all(is_near) {
            level
        } else {
            self.observed.y.clone()
        };
        let problem = problem(level, missed.is_some());
        let changed = self.changed(&problem, &given).ok_or(SuggestError::Dependent)?;
        let (before, after) = (solved(&problem, &given)?, solved(&problem, &changed)?);
        let judged = |candidate: &ChangedFormula, solution: &Solution| Judged {
            error: self.error(&self.values(candidate, solution)),
            left_out: left_out(
                self.observed,
                &problem,
                self.columns,
                &self.variables,
                &candidate.model(),
                weights,
            ),
        };
        let names = |term: &Term| self.text(term, formula, &data.variables);
        let (suggested, constants) = self.rebuilt(formula, &changed, &after, &names);
        Ok(Suggestion {
            formula: suggested,
            changes: changed.kinds.iter().map(|kind| kind.named(&names)).collect(),
            constants,
            given: judged(&given, &before),
            suggested: judged(&changed, &after),
            evidence: gain(either_sign(&after), either_sign(&before)),
            probability: changed.probability,
            tried: changed.tried,
            points: self.observed.len(),
            notes,
        })
    }

    /// The given formula, changed as long as that is much better; `None` if it cannot be solved.
    fn changed(&self, problem: &Weighted, given: &ChangedFormula) -> Option<ChangedFormula> {
        let changes = Changes {
            problem,
            columns: self.columns,
            variables: &self.variables,
            own: self.own,
            non_negative: self.options.non_negative,
        };
        let mut candidate = given.clone();
        for round in 0..MAX_CHANGES {
            let tried = changes.try_terms(&candidate)?;
            candidate.tried += tried.count;
            if round == 0 {
                candidate.probability = tried.probability;
            }
            let other = tried.best.filter(|_| tried.probability < IMPROBABLE);
            let kinds = other.into_iter().chain(changes.superfluous(&candidate));
            let Some((_, kind)) = kinds.max_by(|a, b| a.0.total_cmp(&b.0)) else { break };
            candidate.take(kind);
        }
        Some(candidate)
    }

    /// A term as text: one of the formula's own, or of the dictionary.
    fn text(&self, term: &Term, formula: &Formula, names: &[String]) -> String {
        match term.first() {
            Some(&(variable, k)) if variable as usize == self.own => {
                let own = formula.terms().get(k as usize);
                own.map_or("1", |own| own.expression_text()).to_owned()
            }
            _ => Factor::product_text(term.iter().map(|&(variable, k)| {
                let variable = variable as usize;
                (self.columns.factors[variable][k as usize], names[variable].as_str())
            })),
        }
    }

    /// The changed formula with its constants. Terms that stay keep their constants' numbers, and a term in place of
    /// another has its.
    fn rebuilt(
        &self,
        formula: &Formula,
        changed: &ChangedFormula,
        solution: &Solution,
        names: &impl Fn(&Term) -> String,
    ) -> (Formula, Vec<SuggestedConstant>) {
        let name = formula.experiment();
        let text: Vec<String> = changed
            .slots
            .iter()
            .map(|(number, term)| format!("{name}[{number}]*({})", names(term)))
            .collect();
        let formula = parse(name, &text.join(" + ")).formula.unwrap_or_else(|| formula.clone());
        let (model, errors) = (changed.model(), solution.errors());
        let quantile = 0.5 * (1.0 + self.options.confidence);
        let student = StudentsT::new(0.0, 1.0, solution.dof.max(1.0));
        let width = student.map_or(f64::NAN, |student| student.inverse_cdf(quantile));
        let constants = formula.terms().iter().filter_map(|term| {
            let (_, own) = changed.slots.iter().find(|(number, _)| *number == term.constant)?;
            let k = model.terms.iter().position(|term| term == own)?;
            let (value, half) = (solution.constants[k], width * errors[k]);
            Some(SuggestedConstant {
                constant: term.constant_name().to_owned(),
                term: term.expression_text().to_owned(),
                value,
                low: value - half,
                high: value + half,
            })
        });
        let constants = constants.collect();
        (formula, constants)
    }

    /// The formula's value at each point.
    fn values(&self, candidate: &ChangedFormula, solution: &Solution) -> Vec<f64> {
        let mut values = vec![0.0; self.observed.len()];
        for (term, constant) in candidate.model().terms.iter().zip(&solution.constants) {
            let column = term_values(self.columns, term, values.len());
            values.iter_mut().zip(column).for_each(|(v, c)| *v += constant * c);
        }
        values
    }

    fn error(&self, values: &[f64]) -> f64 {
        let square = |(value, y): (&f64, &f64)| {
            let scale = if self.options.weights == Weights::Relative { *y } else { 1.0 };
            ((value - y) / scale).powi(2)
        };
        let sum: f64 = values.iter().zip(&self.observed.y).map(square).sum();
        (sum / values.len() as f64).sqrt()
    }
}
