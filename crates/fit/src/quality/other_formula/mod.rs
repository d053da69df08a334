//! From a chosen division to another formula, if one explains the data better with one interval than the user's does.
//!
//! A wrong growth looks like a constant that changes: N*log2(N) fitted as N is divided into
//! intervals, in each of which a line is good enough. So terms of the [dictionary](crate::growths)
//! are tried with one interval, in place of a term or added, and compared with the chosen division
//! by the same criterion. The user's formula is never changed: a better formula is only reported.

mod growth;
mod screen;

use cll_formula::Formula;

pub use growth::{Growth, growths, rare_growths};

use crate::input::{NamedAxis, Samples, columns, constant_name};
use crate::intervals::{Candidate, Fitted, criterion, dynamic};
use crate::levels::{LevelParts, aggregated_noise, explains_more};
use crate::numerics::f_tail;
use crate::solve::{Division, OrderedPoints, OrderedRow, Segments, Solved, relative};
use crate::{Data, Fit, Intervals, LackOfFit, Options, OtherFormula, Warning};
use screen::{Screened, Trial, screen};

/// Significance level of the tests.
const LEVEL: f64 = 0.01;
/// If the repetitions show no lack of fit at this level, no other formula is searched.
const NONE: f64 = 0.2;
/// A formula whose error is below this share of the values is good enough.
const VISIBLE: f64 = 0.01;
/// The same of a formula for observations without noise.
const VISIBLE_EXACT: f64 = 1e-7;
/// A formula that leaves less than this share of the squares of exact observations explains them.
const EXPLAINS: f64 = 0.01;
/// Criteria that differ by less than this are equally good (Raftery 1995).
const ALIKE: f64 = 2.0;
/// A criterion that is lower by this is strong evidence (Raftery 1995).
const SURE: f64 = 6.0;
/// At most this many equally good terms are reported.
const MAX_AS_GOOD: usize = 3;

/// The best other formula, if it is better than the chosen division or, without a division, if the
/// given formula misses the data by more than chance explains.
///
/// With one interval that is decided by an F test of the best added term, its p value multiplied by
/// the number of terms tried (Bonferroni), or by the repetitions (`lack`).
pub(crate) fn other_formula(
    formula: &Formula,
    data: &Data,
    samples: &Samples,
    fitted: &Fitted,
    (axes, against): (&[NamedAxis], &Against),
    lack: Option<&LackOfFit>,
    options: &Options,
) -> Option<OtherFormula> {
    let Fitted { ordered, solved, .. } = fitted;
    let by_hand = matches!(options.intervals, Intervals::ByHand { .. });
    if by_hand || !fitted.dependent.is_empty() || ordered.columns() + 2 > samples.distinct() {
        return None;
    }
    let columns = columns(formula, data).ok()?;
    let &Against { score: chosen, rss, divided, levels } = against;
    let n = ordered.len() as f64;
    // Exact observations show any error, and terms that are taken off.
    let visible = if samples.exact { VISIBLE_EXACT } else { VISIBLE };
    let small = relative(ordered, samples, (solved.rss / n).sqrt()) <= visible;
    if !divided && (small || lack.is_some_and(|lack| lack.p_value >= NONE)) {
        return None;
    }
    let screened = screen(formula, samples, ordered, axes, &columns);
    let k = ordered.columns();
    // The same penalty as for a break along this many axes.
    let price = 2.0 * (screened.tried.max(1) as f64).ln();
    let score = |trial: &Trial| {
        criterion(ordered, trial.rss, k + usize::from(trial.exchanged.is_none()), 0) + price
    };
    let best = screened.trials.iter().min_by(|a, b| score(a).total_cmp(&score(b)))?;
    if score(best) >= chosen {
        return None;
    }
    let size = |rss: f64| relative(ordered, samples, ((solved.rss - rss).max(0.0) / n).sqrt());
    if !divided {
        let added = added_rss(&screened);
        let p = added_p_value(added, ordered, solved);
        let missed = lack.is_some_and(|l| l.p_value < LEVEL && l.size > visible);
        let seen = p * (screened.tried as f64) < LEVEL && size(added.min(best.rss)) > visible;
        if !missed && !seen {
            return None;
        }
    }
    let term = screened.text(best);
    let new = changed(formula, best.exchanged, &term)?;
    let solution = Tried::new(new, samples, fitted, (data, options))?;
    let own =
        criterion(&solution.ordered, solution.solved.rss, solution.ordered.columns(), 0) + price;
    // Breaks chosen to suit the points do not predict left-out ones: compare with one interval.
    let solved = undivided(ordered);
    if own >= chosen || press(&solution.solved) >= press(&solved) {
        return None;
    }
    if levels.is_some_and(|levels| !solution.explains(samples, levels)) {
        return None;
    }
    // What is left of exact observations may be divided, however small it is.
    let explains = samples.exact && solution.solved.rss < EXPLAINS * rss;
    if !explains && solution.is_divided(own - price) {
        return None;
    }
    let rmse = (solution.solved.rss / n).sqrt();
    let scale = solution.ordered.scale();
    let constants = &solution.solved.solution.constants;
    Some(OtherFormula {
        constants: constants.iter().zip(scale).map(|(c, s)| c / s).collect(),
        formula: solution.formula,
        replaced: best.exchanged.map(|k| formula.terms()[k].expression_text().to_owned()),
        term: canonical(&term),
        difference: chosen - own,
        rmse_relative: relative(ordered, samples, rmse),
        as_good: as_good(&screened, best, &score),
    })
}

/// The smallest sum of squared residuals with an added term.
fn added_rss(screened: &Screened) -> f64 {
    let added = screened.trials.iter().filter(|t| t.exchanged.is_none()).map(|t| t.rss);
    added.fold(f64::INFINITY, f64::min)
}

/// The p value of the F test of one added term that leaves this sum of squared residuals.
fn added_p_value(added: f64, ordered: &OrderedPoints, solved: &Solved) -> f64 {
    let n = ordered.len() as f64;
    let dof = n - ordered.columns() as f64 - 1.0;
    let floor = n * ordered.resolution() * ordered.resolution();
    let f = (solved.rss - added).max(0.0) / (added.max(floor) / dof);
    if dof >= 1.0 { f_tail(f, 1.0, dof).unwrap_or(1.0) } else { 1.0 }
}

/// The terms that are as good as the best one in that place, best first.
fn as_good(screened: &Screened, best: &Trial, score: &dyn Fn(&Trial) -> f64) -> Vec<String> {
    let as_good = screened.trials.iter().filter(|trial| {
        trial.exchanged == best.exchanged && *trial != best && score(trial) < score(best) + ALIKE
    });
    let mut as_good: Vec<&Trial> = as_good.collect();
    as_good.sort_by(|a, b| score(a).total_cmp(&score(b)));
    let shown = as_good.iter().take(MAX_AS_GOOD);
    shown.map(|trial| canonical(&screened.text(trial))).collect()
}

impl Fit {
    /// The warning for a prediction beyond the data if the formula's shape may be wrong.
    pub(crate) fn shape_beyond(&self, point: &[f64], value: f64) -> Option<Warning> {
        let other = self.other.as_ref()?;
        let there = self.other_at(point)?;
        let (formula, ratio) = (other.formula.text().to_owned(), there / value);
        let differs = ratio.is_finite() && (ratio - 1.0).abs() > VISIBLE;
        differs.then_some(Warning::ShapeBeyond { formula, value: there, ratio })
    }

    /// The value of the formula that explains the data better.
    pub(crate) fn other_at(&self, point: &[f64]) -> Option<f64> {
        let other = self.other.as_ref()?;
        let variables = other.formula.variables().iter();
        let values: Option<Vec<f64>> = variables
            .map(|v| self.variables.iter().position(|own| *own == v.name))
            .map(|place| place.and_then(|k| point.get(k)).copied())
            .collect();
        let values = values.filter(|_| other.constants.len() == other.formula.terms().len())?;
        let there = other.formula.evaluate(&values, &other.constants);
        there.is_finite().then_some(there)
    }
}

/// The fit that another formula has to be better than: by the chosen division, or the chosen changes between levels.
pub(crate) struct Against {
    /// The criterion.
    score: f64,
    /// The sum of squared residuals.
    rss: f64,
    /// Whether constants change at all.
    divided: bool,
    /// The variance that changes between levels leave, and the number of the changes.
    levels: Option<(f64, usize)>,
}

impl Against {
    pub(crate) fn new(fitted: &Fitted, parts: Option<&LevelParts>) -> Against {
        let divided = !fitted.chosen.division.breaks.is_empty();
        match parts.map(|parts| parts.levels).filter(|levels| levels.is_changing()) {
            Some(levels) => Against {
                score: levels.score,
                rss: fitted.solved.rss,
                divided: true,
                levels: Some((fitted.solved.variance(), levels.changes.iter().map(Vec::len).sum())),
            },
            None => Against {
                score: fitted.chosen.score,
                rss: fitted.solved.rss,
                divided,
                levels: None,
            },
        }
    }
}

/// A trial solved exactly, over all rows.
struct Tried {
    formula: Formula,
    ordered: OrderedPoints,
    solved: Solved,
}

impl Tried {
    /// Whether it explains the data better than levels that leave this variance. Where the noise is not known, the criterion decides alone.
    fn explains(&self, samples: &Samples, (levels, changes): (f64, usize)) -> bool {
        let is_unknown = samples.exact || aggregated_noise(samples) == 0.0;
        is_unknown || explains_more(self.solved.variance(), (levels, changes), samples)
    }

    fn new(
        formula: Formula,
        samples: &Samples,
        fitted: &Fitted,
        (data, options): (&Data, &Options),
    ) -> Option<Tried> {
        // Its variables may be in another order.
        let order = columns(&formula, data).ok()?;
        let mut rows = Vec::with_capacity(fitted.ordered.len());
        let mut terms = vec![0.0; formula.terms().len()];
        for (index, point) in samples.used() {
            let values: Vec<f64> = order.iter().map(|&c| point.values[c]).collect();
            formula.terms_at(&values, &mut terms);
            let weight = samples.weight(index);
            let axis = fitted.axis.map_or(0.0, |a| a.axis.value(&point.values)) + 0.0;
            for observation in samples.rows_of(index) {
                let mut row: Vec<f64> = terms.iter().map(|t| t * weight).collect();
                row.push(observation * weight);
                rows.push(OrderedRow { axis, point: index, tuple: point.tuple, row });
            }
        }
        let ordered = OrderedPoints::new(terms.len(), rows, options.non_negative)
            .among(fitted.ordered.axes());
        let solved = undivided(&ordered);
        (solved.free == ordered.columns()).then_some(Tried { formula, ordered, solved })
    }

    /// Whether two intervals are clearly better than one for this formula: then it is no better
    /// explanation.
    fn is_divided(&self, score: f64) -> bool {
        dynamic(&self.ordered, 2).into_iter().filter(|d| !d.breaks.is_empty()).any(|division| {
            Candidate::bound(&self.ordered, &division) < score - SURE
                && Candidate::new(&self.ordered, division, true, false).score < score - SURE
        })
    }
}

/// The solution with one interval.
fn undivided(ordered: &OrderedPoints) -> Solved {
    let division = Division { breaks: Vec::new(), rss: 0.0 };
    Solved::new(ordered, &division, Segments::free(ordered.columns(), 0), ordered.is_bounded())
}

/// Sum of the squared errors at left-out rows, in closed form: e/(1 - h) (PRESS, Allen 1974).
fn press(solved: &Solved) -> f64 {
    let left_out = |row: &crate::solve::SolvedRow| match 1.0 - row.leverage {
        left if left > 1e-9 => (row.residual / left).powi(2),
        _ => f64::INFINITY,
    };
    solved.rows.iter().map(left_out).sum()
}

/// The formula with a new term, added or in place of another one.
fn changed(formula: &Formula, exchanged: Option<usize>, new: &str) -> Option<Formula> {
    let mut terms: Vec<String> = formula
        .terms()
        .iter()
        .enumerate()
        .map(|(k, term)| {
            if exchanged == Some(k) {
                format!("{}*{}", constant_name(formula, k), factor(new))
            } else {
                format!("{}*({})", constant_name(formula, k), term.expression_text())
            }
        })
        .collect();
    if exchanged.is_none() {
        let next = formula.terms().iter().map(|term| term.constant + 1).max().unwrap_or(0);
        terms.push(format!("{}[{next}]*{}", formula.experiment(), factor(new)));
    }
    cll_formula::parse(formula.experiment(), &terms.join(" + ")).formula
}

/// Puts a quotient in parentheses, so that it is one factor.
fn factor(term: &str) -> String {
    if term.contains('/') { format!("({term})") } else { term.to_owned() }
}

/// A term in the notation in which formulas are printed.
fn canonical(term: &str) -> String {
    let parsed = cll_formula::parse("f", &format!("f[0]*{}", factor(term))).formula;
    parsed.map_or_else(|| term.to_owned(), |f| f.terms()[0].expression_text().to_owned())
}
