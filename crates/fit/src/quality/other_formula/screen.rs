//! Replaces or adds one term of a formula, for every term of the dictionary, and computes the
//! residuals.

use cll_formula::{Along, Formula, TermAlong};

use super::growth::{Growth, growths};
use crate::input::{NamedAxis, Samples};
use crate::numerics::{dot, reduce};
use crate::solve::OrderedPoints;

/// With more rows than this only every second, third, … row is used.
const ROWS: usize = 2048;
/// Most multiplications for all candidates. Axes beyond that are not tried.
const WORK: f64 = 4e8;
/// A column is collinear with the other terms if they leave less than this share of it.
const DISTINCT: f64 = 1e-8;

/// A formula with one term replaced or added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Trial {
    /// Index of the replaced term (and of its column); `None`: the term is added.
    pub(crate) exchanged: Option<usize>,
    growth: Growth,
    /// Index of the quantity that it grows along.
    along: usize,
    /// Sum of squared residuals with one interval, of all rows.
    pub(crate) rss: f64,
}

/// All trials, and their number.
pub(crate) struct Screened {
    /// Those whose new constant is not negative, unordered.
    pub(crate) trials: Vec<Trial>,
    pub(crate) tried: usize,
    /// The quantities along which the trials grow.
    along: Vec<Along>,
}

impl Screened {
    /// The new term of a trial: the growth in place of the old one, followed by the other factors
    /// of the term.
    pub(crate) fn text(&self, trial: &Trial) -> String {
        let along = &self.along[trial.along];
        let growth = trial.growth.text(&along.text);
        let Some(term) = trial.exchanged.map(|k| &along.terms[k]) else { return growth };
        match (&term.rest, term.exponent < 0.0) {
            (None, false) => growth,
            (Some(rest), false) => format!("{growth}*({rest})"),
            (None, true) => format!("1/({growth})"),
            (Some(rest), true) => format!("({rest})/({growth})"),
        }
    }
}

/// The rows that are used.
struct ScreenedRows<'a> {
    ordered: &'a OrderedPoints,
    samples: &'a Samples,
    /// For each variable of the formula its index among the recorded ones.
    columns: &'a [usize],
    rows: Vec<usize>,
    observed: Vec<f64>,
    positive: bool,
}

/// Tries the dictionary along every axis: for each term that grows or falls along it other growths
/// in its place, and every growth alone as an additional term. `columns` are the indices of the
/// formula's variables among the recorded ones.
pub(crate) fn screen(
    formula: &Formula,
    samples: &Samples,
    ordered: &OrderedPoints,
    axes: &[NamedAxis],
    columns: &[usize],
) -> Screened {
    let step = ordered.len().div_ceil(ROWS);
    let rows: Vec<usize> = (0..ordered.len()).step_by(step).collect();
    let observed: Vec<f64> = rows.iter().map(|&r| ordered.row(r)[ordered.columns()]).collect();
    let positive = !samples.exact && observed.iter().all(|&y| y > 0.0);
    let rows = ScreenedRows { ordered, samples, columns, rows, observed, positive };
    let mut screened = Screened { trials: Vec::new(), tried: 0, along: Vec::new() };
    let terms = ordered.columns();
    let all = Orthogonal::new((0..terms).map(|c| rows.column(c)));
    let each = (rows.rows.len() * (4 * terms + 30)) as f64;
    for axis in axes {
        let Some(along) = formula.along(&axis.name) else { continue };
        let grows = along.terms.iter().filter(|t| t.exponent != 0.0 || t.logs != 0.0).count();
        let work = each * 38.0 * (screened.tried as f64 / 38.0 + grows as f64 + 1.0);
        if work > WORK {
            break;
        }
        rows.try_axis(formula, &along, &all, &mut screened);
        screened.along.push(along);
    }
    let scale = ordered.len() as f64 / rows.rows.len() as f64;
    screened.trials.iter_mut().for_each(|trial| trial.rss *= scale);
    screened
}

impl ScreenedRows<'_> {
    fn column(&self, column: usize) -> Vec<f64> {
        self.rows.iter().map(|&row| self.ordered.row(row)[column]).collect()
    }

    /// Each row's weight times `function` at the values of its point.
    fn weighted(&self, mut function: impl FnMut(&[f64]) -> f64) -> Vec<f64> {
        let mut values = vec![0.0; self.columns.len()];
        let value = |&row: &usize| {
            let point = self.ordered.point(row);
            let recorded = &self.samples.points[point].values;
            values.iter_mut().zip(self.columns).for_each(|(v, &c)| *v = recorded[c]);
            self.samples.weight(point) * function(&values)
        };
        self.rows.iter().map(value).collect()
    }

    fn try_axis(&self, formula: &Formula, along: &Along, all: &Orthogonal, to: &mut Screened) {
        let mut axis_values = Vec::with_capacity(self.rows.len());
        let weights = self.weighted(|values| {
            axis_values.push(along.value(values));
            1.0
        });
        let least = axis_values.iter().copied().fold(f64::INFINITY, f64::min);
        if least.is_nan() || least <= 0.0 || axis_values.iter().any(|x| !x.is_finite()) {
            return;
        }
        // A power of the logarithm is not monotone below 1.
        let logs: Vec<f64> = axis_values.iter().map(|x| x.log2()).collect();
        let mut dictionary: Vec<(Growth, Vec<f64>)> = Vec::with_capacity(38);
        for growth in growths().filter(|growth| growth.logs() == 0 || least >= 1.0) {
            // Multiplying by one more logarithm is cheaper than computing a power.
            let values = match dictionary.last() {
                Some((last, values)) if growth.is_next(*last) => {
                    values.iter().zip(&logs).map(|(v, log)| v * log).collect()
                }
                _ => axis_values.iter().map(|&x| growth.value(x)).collect(),
            };
            dictionary.push((growth, values));
        }
        let mut left = self.observed.clone();
        all.reduce(&mut left);
        for (growth, values) in &dictionary {
            let column = values.iter().zip(&weights).map(|(g, w)| g * w).collect();
            self.try_one((None, *growth), column, all, &left, to);
        }
        for (index, term) in along.terms.iter().enumerate() {
            if term.exponent == 0.0 && term.logs == 0.0 {
                continue;
            }
            let Some(rest) = self.rest(formula, term) else { continue };
            let others = (0..self.ordered.columns()).filter(|&c| c != index);
            let others = Orthogonal::new(others.map(|c| self.column(c)));
            let mut left = self.observed.clone();
            others.reduce(&mut left);
            let falls = term.exponent < 0.0;
            for (growth, values) in &dictionary {
                let same = growth.exponent() == term.exponent.abs()
                    && f64::from(growth.logs()) == term.logs;
                if same || (falls && (growth.logs() > 0 || growth.exponent() == 0.0)) {
                    continue;
                }
                let raised = |g: &f64| if falls { 1.0 / g } else { *g };
                let column = values.iter().zip(&rest).map(|(g, w)| raised(g) * w).collect();
                self.try_one((Some(index), *growth), column, &others, &left, to);
            }
        }
    }

    /// The weighted other factors of the term whose growth is replaced.
    fn rest(&self, formula: &Formula, term: &TermAlong) -> Option<Vec<f64>> {
        let Some(text) = &term.rest else { return Some(self.weighted(|_| 1.0)) };
        let rest = cll_formula::parse("rest", &format!("rest[0]*({text})")).formula?;
        let places: Option<Vec<usize>> = rest
            .variables()
            .iter()
            .map(|v| formula.variables().iter().position(|own| own.name == v.name))
            .collect();
        let places = places?;
        let mut used = vec![0.0; places.len()];
        Some(self.weighted(|values| {
            used.iter_mut().zip(&places).for_each(|(v, &k)| *v = values[k]);
            rest.evaluate(&used, &[1.0])
        }))
    }

    /// `left` is what the other terms leave of the observations.
    fn try_one(
        &self,
        (exchanged, growth): (Option<usize>, Growth),
        mut column: Vec<f64>,
        others: &Orthogonal,
        left: &[f64],
        to: &mut Screened,
    ) {
        to.tried += 1;
        let full_square = dot(&column, &column);
        if !full_square.is_finite() || full_square == 0.0 {
            return;
        }
        others.reduce(&mut column);
        let own = dot(&column, &column);
        if own <= DISTINCT * DISTINCT.sqrt() * full_square {
            return;
        }
        let constant = dot(&column, left) / own;
        if self.positive && constant <= 0.0 {
            return;
        }
        let rss = left.iter().zip(&column).map(|(y, c)| (y - constant * c).powi(2)).sum();
        to.trials.push(Trial { exchanged, growth, along: to.along.len(), rss });
    }
}

/// Orthonormal columns with the same span as those they were made from.
struct Orthogonal(Vec<Vec<f64>>);

impl Orthogonal {
    fn new(columns: impl Iterator<Item = Vec<f64>>) -> Orthogonal {
        let mut orthogonal = Orthogonal(Vec::new());
        for mut column in columns {
            let full_square = dot(&column, &column);
            orthogonal.reduce(&mut column);
            orthogonal.reduce(&mut column);
            let norm = dot(&column, &column);
            if norm > 1e-24 * full_square {
                let factor = norm.sqrt().recip();
                column.iter_mut().for_each(|c| *c *= factor);
                orthogonal.0.push(column);
            }
        }
        orthogonal
    }

    /// Subtracts the projection onto the span.
    fn reduce(&self, column: &mut [f64]) {
        reduce(column, &self.0);
    }
}
