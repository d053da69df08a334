//! How a reuse distance grows with the variables of an experiment.

/// Two descriptions that differ by less than this are equally good.
const FLOOR: f64 = 0.03;
/// The largest sum of exponents of a term.
const LARGEST_DEGREE: f64 = 3.0;
/// Exponents of a single variable that are no integers are tried too.
const OF_ONE: [(f64, bool); 3] = [(0.5, false), (1.5, false), (1.0, true)];

/// A product of powers, perhaps times a logarithm.
#[derive(Clone, Debug, PartialEq)]
struct Term {
    /// One for each variable.
    exponents: Vec<f64>,
    /// Times the binary logarithm of the first variable.
    is_log: bool,
}

/// A sum of powers of variables, with factors from zero upwards.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    terms: Vec<(Term, f64)>,
    /// Root of the mean squared relative error at the points.
    pub error: f64,
}

/// Describes values at points by at most two terms; `None` if there are fewer than three points, or none is positive.
///
/// Errors are relative. Of all sums the one with the smallest Bayesian information criterion is taken.
pub fn growth(points: &[(Vec<f64>, f64)]) -> Option<Growth> {
    let usable = |point: &&(Vec<f64>, f64)| point.1 > 0.0 && point.0.iter().all(|v| v.is_finite());
    let points: Vec<&(Vec<f64>, f64)> = points.iter().filter(usable).collect();
    let number = points.len() as f64;
    if points.len() < 3 {
        return None;
    }
    let variables = points[0].0.len();
    let terms = candidates(variables, |k| points.iter().any(|p| p.0[k] != points[0].0[k]));
    // Relative to the value: all are to be 1.
    let columns: Vec<Vec<f64>> = terms
        .iter()
        .map(|term| points.iter().map(|point| term.value_at(&point.0) / point.1).collect())
        .collect();
    let mut best: Option<(f64, Growth)> = None;
    let mut offer = |chosen: &[usize], factors: &[f64]| {
        let error = |k: usize| {
            let model: f64 = chosen.iter().zip(factors).map(|(&c, f)| columns[c][k] * f).sum();
            (model - 1.0).powi(2)
        };
        let error = ((0..points.len()).map(error).sum::<f64>() / number).sqrt();
        let criterion = number * (error * error + FLOOR * FLOOR).ln()
            + chosen.len() as f64 * number.ln().max(1.0);
        if criterion.is_finite() && best.as_ref().is_none_or(|(known, _)| criterion < *known) {
            let sum = chosen.iter().zip(factors).map(|(&c, f)| (terms[c].clone(), *f));
            best = Some((criterion, Growth { terms: sum.collect(), error }));
        }
    };
    for a in 0..terms.len() {
        let (aa, ay) = (dot(&columns[a], &columns[a]), columns[a].iter().sum::<f64>());
        offer(&[a], &[ay / aa]);
        for b in a + 1..terms.len() {
            let (bb, by) = (dot(&columns[b], &columns[b]), columns[b].iter().sum::<f64>());
            let ab = dot(&columns[a], &columns[b]);
            let determinant = aa * bb - ab * ab;
            if determinant <= 1e-9 * aa * bb {
                continue;
            }
            let factors = [(ay * bb - by * ab) / determinant, (by * aa - ay * ab) / determinant];
            if factors[0] > 0.0 && factors[1] > 0.0 {
                offer(&[a, b], &factors);
            }
        }
    }
    best.map(|(_, growth)| growth)
}

fn candidates(variables: usize, varies: impl Fn(usize) -> bool) -> Vec<Term> {
    let varied: Vec<usize> = (0..variables).filter(|k| varies(*k)).collect();
    let mut terms = vec![Term { exponents: vec![0.0; variables], is_log: false }];
    for &variable in &varied {
        let earlier = terms.clone();
        for power in 1..=3 {
            let with = earlier.iter().cloned().map(|mut term| {
                term.exponents[variable] = f64::from(power);
                term
            });
            terms.extend(with);
        }
    }
    terms.retain(|term| term.exponents.iter().sum::<f64>() <= LARGEST_DEGREE);
    if let [only] = varied[..] {
        for (power, is_log) in OF_ONE {
            let mut exponents = vec![0.0; variables];
            exponents[only] = power;
            // The logarithm is that of the first variable.
            if !is_log || only == 0 {
                terms.push(Term { exponents, is_log });
            }
        }
    }
    terms
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Term {
    fn value_at(&self, values: &[f64]) -> f64 {
        let power: f64 =
            self.exponents.iter().zip(values).map(|(power, value)| value.powf(*power)).product();
        if self.is_log { power * values[0].log2() } else { power }
    }

    fn text(&self, names: &[String]) -> String {
        let mut factors: Vec<String> = Vec::new();
        for (power, name) in self.exponents.iter().zip(names) {
            match *power {
                0.0 => {}
                power if power.fract() == 0.0 => {
                    factors.extend(std::iter::repeat_n(name.clone(), power as usize));
                }
                power => factors.push(format!("{name}^{power}")),
            }
        }
        if self.is_log {
            factors.push(format!("log2({})", names[0]));
        }
        factors.join("*")
    }

    fn degree(&self) -> f64 {
        self.exponents.iter().sum::<f64>() + if self.is_log { 0.1 } else { 0.0 }
    }
}

impl Growth {
    /// The value at these values of the variables.
    pub fn value_at(&self, values: &[f64]) -> f64 {
        self.terms.iter().map(|(term, factor)| factor * term.value_at(values)).sum()
    }

    /// Whether it depends on a variable.
    pub fn depends_on(&self, variable: usize) -> bool {
        self.terms.iter().any(|(term, _)| term.exponents[variable] > 0.0)
    }

    /// The variable that it grows fastest with; `None` if with none.
    pub fn fastest(&self) -> Option<usize> {
        let degree = |variable: usize| {
            self.terms.iter().map(|(term, _)| term.exponents[variable]).fold(0.0, f64::max)
        };
        let count = self.terms.first().map_or(0, |(term, _)| term.exponents.len());
        let variables = (0..count).filter(|variable| degree(*variable) > 0.0);
        variables.rev().max_by(|a, b| degree(*a).total_cmp(&degree(*b)))
    }

    /// Where it reaches a value along a variable, the others as in `values`; from `low` on. `None` if it does not before
    /// a million times that.
    pub fn reaches(&self, value: f64, along: usize, values: &[f64], low: f64) -> Option<f64> {
        let value_at = |x: f64| {
            let mut values = values.to_vec();
            values[along] = x;
            self.value_at(&values)
        };
        let (mut below, mut above) = (low, low * 1e6);
        if !self.depends_on(along) || value_at(below) >= value || value_at(above) < value {
            return None;
        }
        while above / below > 1.0 + 1e-9 {
            let middle = (below * above).sqrt();
            if value_at(middle) < value { below = middle } else { above = middle }
        }
        Some(above)
    }

    /// It as a formula, the largest terms first, factors with three digits: `8*N*N + 64*N`.
    pub fn text(&self, names: &[String]) -> String {
        let mut terms: Vec<&(Term, f64)> = self.terms.iter().collect();
        terms.sort_by(|a, b| b.0.degree().total_cmp(&a.0.degree()));
        let term_text = |(term, factor): &(Term, f64)| {
            let factor = digits(*factor);
            match (term.text(names), factor.as_str()) {
                (product, _) if product.is_empty() => factor,
                (product, "1") => product,
                (product, _) => format!("{factor}*{product}"),
            }
        };
        terms.into_iter().map(term_text).collect::<Vec<_>>().join(" + ")
    }
}

/// A number with three digits; more if it is large.
fn digits(number: f64) -> String {
    let places = (2 - number.abs().log10().floor() as i32).clamp(0, 12) as usize;
    let text = format!("{number:.places$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}
