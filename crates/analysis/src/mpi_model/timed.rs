//! The time of a segment or a primitive as a function of sizes.

use cll_fit::{Data, Fit, Options, fit};
use cll_formula::{Formula, parse};
use cll_statistics::{median, quantile_of};

use crate::searching::{SearchChoice, searched};

/// How a time is found.
#[derive(Clone, Debug)]
pub(super) struct Timed {
    rule: Rule,
    /// Median relative error at the points.
    pub(super) error: Option<f64>,
}

#[derive(Clone, Debug)]
enum Rule {
    /// The same everywhere: seconds, and half the width of its interval.
    Constant(f64, f64),
    Fitted(Box<Fit>),
}

/// A time at some sizes, in seconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Estimate {
    pub(super) seconds: f64,
    pub(super) half: f64,
    /// Whether it is outside of what was measured.
    pub(super) is_outside: bool,
}

/// The formula of segments that the user wants.
#[derive(Clone, Debug, Default)]
pub(super) enum Shape {
    /// It is searched.
    #[default]
    Searched,
    /// A sum of constants times expressions.
    Given(String),
    /// A line: a constant, and one by size.
    Line,
}

/// Points: values, and what was measured there.
pub(super) type Points = Vec<(Vec<f64>, Vec<f64>)>;

impl Timed {
    /// The median of all.
    pub(super) fn constant(points: &Points) -> Timed {
        let mut all: Vec<f64> = points.iter().flat_map(|(_, seconds)| seconds.clone()).collect();
        let middle = median(all.iter().copied()).unwrap_or(0.0);
        let half = 0.5 * (quantile_of(&mut all, 0.95) - quantile_of(&mut all, 0.05));
        let half = if half.is_finite() { half } else { 0.0 };
        let rule = Rule::Constant(middle, half);
        Timed { rule, error: None }
    }

    /// The time of these points; `by` names their values. Without a fit it is a constant.
    pub(super) fn new(by: &[String], points: &Points, shape: &Shape) -> Timed {
        Timed::fitted(by, points, shape).unwrap_or_else(|| Timed::constant(points))
    }

    fn fitted(by: &[String], points: &Points, shape: &Shape) -> Option<Timed> {
        let differs = |at: &usize| points.iter().any(|point| point.0[*at] != points[0].0[*at]);
        let kept: Vec<usize> = (0..by.len()).filter(differs).collect();
        if kept.is_empty() {
            return None;
        }
        let variables: Vec<String> = kept.iter().map(|&at| by[at].clone()).collect();
        let rows = points.iter().flat_map(|(at, seconds)| {
            let values: Vec<f64> = kept.iter().map(|&one| at[one]).collect();
            // Logarithms of nothing, and shares of nothing, are not defined.
            seconds.iter().filter(|one| **one > 0.0).map(move |&one| (values.clone(), one))
        });
        let data = Data::from_rows(variables.clone(), rows.collect::<Vec<_>>());
        let formula = match shape {
            Shape::Searched if data.points.len() < 3 => line(&variables)?,
            Shape::Searched => searched("s", &data, &SearchChoice::default()).ok()?.0,
            Shape::Given(text) => parse("s", text).formula?,
            Shape::Line => line(&variables)?,
        };
        let fit = fit(&formula, &data, &Options::default()).ok()?;
        let error = Some(fit.quality.median_error);
        Some(Timed { rule: Rule::Fitted(Box::new(fit)), error })
    }

    /// Its fit, if it is not a constant.
    pub(super) fn fit(&self) -> Option<&Fit> {
        match &self.rule {
            Rule::Constant(..) => None,
            Rule::Fitted(fit) => Some(fit),
        }
    }

    /// The time at values of the variables that `names` names.
    pub(super) fn at(&self, names: &[String], values: &[f64]) -> Estimate {
        let fit = match &self.rule {
            Rule::Constant(seconds, half) => {
                return Estimate { seconds: *seconds, half: *half, is_outside: false };
            }
            Rule::Fitted(fit) => fit,
        };
        let value = |name: &String| {
            let at = names.iter().position(|known| known == name);
            at.map_or(f64::NAN, |at| values[at])
        };
        let at: Vec<f64> = fit.variables.iter().map(value).collect();
        match fit.predict(&at) {
            Ok(found) => Estimate {
                seconds: found.value.max(0.0),
                half: found.band.map_or(0.0, |band| 0.5 * (band.high - band.low)),
                is_outside: found.domain.is_extrapolation(),
            },
            Err(_) => Estimate::default(),
        }
    }
}

/// A constant, and one for each variable.
fn line(variables: &[String]) -> Option<Formula> {
    let terms: Vec<String> =
        variables.iter().enumerate().map(|(at, name)| format!(" + s[{}]*{name}", at + 1)).collect();
    parse("s", &format!("s[0]{}", terms.concat())).formula
}
