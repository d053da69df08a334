//! Which terms of a formula a count grows with.

mod free;
mod solve;

use cll_formula::Formula;

pub(crate) use free::growth;

/// How far a count may be from the sum of terms, relative: of executions, and of instructions, which depend on data.
pub(crate) const EXECUTIONS: f64 = 0.03;
pub(crate) const INSTRUCTIONS: f64 = 0.10;
/// How much counts that depend on data may vary around a term, and how much more around each other one.
const MAX_DEVIATION: f64 = 0.3;
const CLEAR: f64 = 2.5;
/// The smallest share of a term at the largest values that counts.
const MIN_SHARE: f64 = 0.02;

/// The terms at the points of counts.
pub(crate) struct Terms<'f> {
    formula: &'f Formula,
    /// Points by variables.
    values: Vec<Vec<f64>>,
    /// Points by terms.
    rows: Vec<Vec<f64>>,
}

/// A count as a sum of terms.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Match {
    /// Indices of the terms that it grows with: no other one of the sum grows faster.
    pub leading: Vec<usize>,
    /// The number of executions: `0.5*N*N - 0.5*N`.
    pub text: String,
}

impl<'f> Terms<'f> {
    /// The terms at these values of the formula's variables. Points where a term is no number are left out of `rows`
    /// by the caller.
    pub(crate) fn new(formula: &'f Formula, values: Vec<Vec<f64>>) -> Terms<'f> {
        let rows = values
            .iter()
            .map(|values| {
                let mut row = vec![0.0; formula.terms().len()];
                formula.terms_at(values, &mut row);
                row
            })
            .collect();
        Terms { formula, values, rows }
    }

    /// The terms whose sum a count is; `None` if it is not one, within `allowed`.
    pub(crate) fn matching(&self, counts: &[f64], allowed: f64) -> Option<Match> {
        let usable: Vec<usize> = (0..counts.len())
            .filter(|&point| self.rows[point].iter().all(|value| value.is_finite()))
            .collect();
        let rows: Vec<&[f64]> = usable.iter().map(|&point| &self.rows[point][..]).collect();
        let counts: Vec<f64> = usable.iter().map(|&point| counts[point]).collect();
        let last =
            largest(&usable.iter().map(|&point| &self.values[point][..]).collect::<Vec<_>>())?;
        let factors = solve::least_squares(&rows, &counts)?;
        let error = |factors: &[f64]| {
            rows.iter().zip(&counts).fold(0.0f64, |worst, (row, count)| {
                let sum: f64 = row.iter().zip(factors).map(|(term, factor)| term * factor).sum();
                worst.max((sum - count).abs() / count.max(1.0))
            })
        };
        let error = error(&factors);
        if error > allowed {
            return None;
        }
        let share = |term: usize| factors[term] * rows[last][term] / counts[last].max(1.0);
        let significant: Vec<usize> =
            (0..factors.len()).filter(|&term| share(term) > MIN_SHARE).collect();
        let leading: Vec<usize> = significant
            .iter()
            .copied()
            .filter(|&term| !significant.iter().any(|&other| self.outgrows(other, term)))
            .collect();
        if leading.is_empty() {
            return None;
        }
        let shown: Vec<usize> = if error < 1e-6 {
            (0..factors.len()).filter(|&term| share(term).abs() > 1e-9).collect()
        } else {
            leading.clone()
        };
        let about = if error < 1e-6 { "" } else { "about " };
        let text = format!("{about}{}", self.sum(&shown, &factors));
        Some(Match { leading, text })
    }

    /// The one term that a count follows, if it is no sum of terms: what it has besides grows slower.
    pub(crate) fn following(&self, counts: &[f64]) -> Option<Match> {
        let each = (0..self.formula.terms().len()).map(|term| {
            let ratio = |point: usize| counts[point] / self.rows[point][term];
            (free::spread_along_all(&self.values, ratio), term)
        });
        let (spread, term) = each.min_by(|a, b| a.0.total_cmp(&b.0))?;
        let values: Vec<&[f64]> = self.values.iter().map(|values| &values[..]).collect();
        let last = largest(&values)?;
        if spread > free::MAX_SPREAD {
            return None;
        }
        let mut factors = vec![0.0; self.formula.terms().len()];
        factors[term] = counts[last] / self.rows[last][term];
        Some(Match { leading: vec![term], text: format!("about {}", self.sum(&[term], &factors)) })
    }

    /// The one term that counts which depend on data follow much better than any other one.
    pub(crate) fn nearest(&self, counts: &[f64]) -> Option<Match> {
        let usable: Vec<usize> = (0..counts.len())
            .filter(|&point| counts[point] > 0.0 && self.rows[point].iter().all(|term| *term > 0.0))
            .collect();
        if usable.len() * 2 < counts.len() || usable.len() < 3 {
            return None;
        }
        // The standard deviation of the logarithm of count per term.
        let variation = |term: usize| {
            let logs: Vec<f64> =
                usable.iter().map(|&point| (counts[point] / self.rows[point][term]).ln()).collect();
            let mean = logs.iter().sum::<f64>() / logs.len() as f64;
            let squares = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>();
            ((squares / logs.len() as f64).sqrt(), mean)
        };
        let mut each: Vec<(f64, f64, usize)> = (0..self.formula.terms().len())
            .map(|term| {
                let (deviation, mean) = variation(term);
                (deviation, mean, term)
            })
            .collect();
        each.sort_by(|a, b| a.0.total_cmp(&b.0));
        let &(deviation, mean, term) = each.first()?;
        let is_clear = each.get(1).is_none_or(|second| second.0 > CLEAR * deviation);
        if deviation > MAX_DEVIATION || !is_clear {
            return None;
        }
        let mut factors = vec![0.0; self.formula.terms().len()];
        factors[term] = mean.exp();
        Some(Match { leading: vec![term], text: format!("about {}", self.sum(&[term], &factors)) })
    }

    /// Those of some constants that no other of them outgrows, by name.
    pub(crate) fn fastest(&self, names: &std::collections::BTreeSet<String>) -> Vec<String> {
        let terms = self.formula.terms();
        let index = |name: &String| terms.iter().position(|term| term.constant_name() == name);
        let known: Vec<usize> = names.iter().filter_map(index).collect();
        let is_fastest = |term: &&usize| !known.iter().any(|other| self.outgrows(*other, **term));
        let mut found: Vec<String> = known
            .iter()
            .filter(is_fastest)
            .map(|&term| terms[term].constant_name().to_owned())
            .collect();
        found.sort();
        found
    }

    /// Whether a term grows faster than another one: along no variable slower, and along one faster.
    fn outgrows(&self, faster: usize, slower: usize) -> bool {
        let variables = self.formula.variables().len();
        let mut is_faster = false;
        for variable in 0..variables {
            let (a, b) = (self.slope(faster, variable), self.slope(slower, variable));
            if a < b - 0.02 {
                return false;
            }
            is_faster |= a > b + 0.02;
        }
        is_faster
    }

    /// How a term grows if a variable doubles, at large values of all of them: the binary logarithm of the ratio.
    fn slope(&self, term: usize, variable: usize) -> f64 {
        let mut values: Vec<f64> = vec![(1u64 << 20) as f64; self.formula.variables().len()];
        let count = self.formula.terms().len();
        let (mut low, mut high) = (vec![0.0; count], vec![0.0; count]);
        self.formula.terms_at(&values, &mut low);
        values[variable] *= 2.0;
        self.formula.terms_at(&values, &mut high);
        let ratio = (high[term] / low[term]).log2();
        if ratio.is_finite() { ratio } else { 0.0 }
    }

    fn sum(&self, terms: &[usize], factors: &[f64]) -> String {
        // Large terms first.
        let mut terms = terms.to_vec();
        terms.sort_by(|a, b| match (self.outgrows(*a, *b), self.outgrows(*b, *a)) {
            (true, _) => std::cmp::Ordering::Less,
            (_, true) => std::cmp::Ordering::Greater,
            _ => a.cmp(b),
        });
        let mut out = String::new();
        for term in terms {
            let factor = factors[term];
            let expression = self.formula.terms()[term].expression_text();
            let sign = match (out.is_empty(), factor < 0.0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            out.push_str(sign);
            let digits = plain(factor.abs());
            match (expression, digits.as_str()) {
                ("1", digits) => out.push_str(digits),
                (expression, "1") => out.push_str(expression),
                (expression, digits) => {
                    let is_sum = expression.contains(" + ") || expression.contains(" - ");
                    let bracketed = format!("({expression})");
                    let expression = if is_sum { bracketed.as_str() } else { expression };
                    out.push_str(&format!("{digits}*{expression}"));
                }
            }
        }
        out
    }
}

/// A factor with three digits, without zeros at the end.
fn plain(number: f64) -> String {
    let nearest = number.round();
    if nearest >= 1.0 && (number - nearest).abs() < 1e-6 * nearest {
        return format!("{nearest:.0}");
    }
    let digits = (2 - number.abs().log10().floor() as i32).clamp(0, 12) as usize;
    let text = format!("{number:.digits$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// The index of the point with the largest values.
fn largest(values: &[&[f64]]) -> Option<usize> {
    let size = |values: &[f64]| values.iter().map(|value| value.max(1.0).ln()).sum::<f64>();
    (0..values.len()).max_by(|&a, &b| size(values[a]).total_cmp(&size(values[b])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matched(formula: &str, count: impl Fn(f64) -> f64) -> Option<(Vec<usize>, String)> {
        let formula = cll_formula::parse("f", formula).formula.unwrap();
        let values: Vec<Vec<f64>> = (3..=12).map(|power| vec![f64::from(1 << power)]).collect();
        let counts: Vec<f64> = values.iter().map(|values| count(values[0])).collect();
        let terms = Terms::new(&formula, values);
        terms.matching(&counts, EXECUTIONS).map(|term| (term.leading, term.text))
    }

    #[test]
    fn a_count_belongs_to_its_fastest_term() {
        let square = "f[0] + f[1]*N + f[2]*N*N";
        assert_eq!(matched(square, |n| n * n + n), Some((vec![2], "N*N + N".into())));
        let triangle = matched(square, |n| n * (n - 1.0) / 2.0);
        assert_eq!(triangle, Some((vec![2], "0.5*N*N - 0.5*N".into())));
        assert_eq!(matched(square, |n| n + 1.0), Some((vec![1], "N + 1".into())));
        assert_eq!(matched(square, |_| 1.0), Some((vec![0], "1".into())));
        let halved = matched("f[0] + f[1]*log2(N) + f[2]*N", |n| n.log2() + 1.0);
        assert_eq!(halved, Some((vec![1], "log2(N) + 1".into())));
    }

    #[test]
    fn a_count_of_no_term_is_refused() {
        let follows = |formula: &str, count: fn(f64) -> f64| {
            let formula = cll_formula::parse("f", formula).formula.unwrap();
            let values: Vec<Vec<f64>> = (3..=14).map(|power| vec![f64::from(1 << power)]).collect();
            let counts: Vec<f64> = values.iter().map(|values| count(values[0])).collect();
            Terms::new(&formula, values).following(&counts).map(|count| count.leading)
        };
        let linear = "f[0] + f[1]*N*log(N)";
        assert_eq!(follows(linear, |n| n * n.log2() / 2.0 + n), Some(vec![1]));
        assert_eq!(follows(linear, |n| n), None);
        assert_eq!(follows(linear, |n| n * n), None);
        assert_eq!(matched("f[0] + f[1]*N", |n| n * n), None);
        assert_eq!(matched("f[0] + f[1]*N*log(N)", |n| n), None);
        assert_eq!(matched("f[1]*N", |_| 1.0), None);
        assert_eq!(matched("f[0] + f[1]*N + f[2]*N*N", |n| n * n.ln()), None);
    }
}
