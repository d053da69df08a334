//! The time of a segment or a primitive as a function of sizes.

use cll_fit::{Data, Fit, Intervals, Options, fit};
use cll_formula::{Formula, parse};
use cll_search::Average;
use cll_statistics::{median, quantile_of};

use super::growing::{Points, falls, undisturbed};

/// How a time is found.
#[derive(Clone, Debug)]
pub(super) struct Timed {
    rule: Rule,
    /// Median relative error at the points.
    pub(super) error: Option<f64>,
    /// All formulas that the search found probable, if it was one.
    average: Option<Average>,
    /// Why a time that depends on the variables has no formula; then it is a constant.
    pub(super) unknown: Option<String>,
}

#[derive(Clone, Debug)]
enum Rule {
    /// The same everywhere: seconds, and half the width of its interval.
    Constant(f64, f64),
    Fitted(Box<Fit>),
    /// No larger value of some variables takes less.
    Growing(Box<Fit>, Growing),
}

/// With which variables of a fit a time grows.
#[derive(Clone, Debug)]
struct Growing {
    /// The least and the largest value that was run, if it does not fall with the variable.
    ranges: Vec<Option<(f64, f64)>>,
    /// The least time, if it falls with no variable: seconds.
    least: f64,
}

/// A time at some sizes, in seconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Estimate {
    pub(super) seconds: f64,
    pub(super) half: f64,
    /// Whether other formulas that explain the runs as well give other times, so that the interval is that of them all.
    pub(super) other: bool,
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
    Given(Formula),
    /// A line: a constant, and one by size.
    Line,
}

impl Timed {
    /// The median of all.
    pub(super) fn constant(points: &Points) -> Timed {
        let mut all: Vec<f64> = points.iter().flat_map(|(_, seconds)| seconds.clone()).collect();
        let middle = median(all.iter().copied()).unwrap_or(0.0);
        let half = 0.5 * (quantile_of(&mut all, 0.95) - quantile_of(&mut all, 0.05));
        let half = if half.is_finite() { half } else { 0.0 };
        let rule = Rule::Constant(middle, half);
        Timed { rule, error: None, average: None, unknown: None }
    }

    /// The time of these points; `by` names their values. Without a fit it is a constant.
    pub(super) fn new(by: &[String], points: &Points, shape: &Shape) -> Timed {
        let differs =
            |index: &usize| points.iter().any(|point| point.0[*index] != points[0].0[*index]);
        let is_used = |index: &usize| match shape {
            Shape::Given(formula) => formula.variables().iter().any(|used| used.name == by[*index]),
            Shape::Searched | Shape::Line => false,
        };
        let is_kept = |index: &usize| differs(index) || is_used(index);
        let kept: Vec<usize> = (0..by.len()).filter(is_kept).collect();
        let constant = || Timed::constant(points);
        if kept.is_empty() && !matches!(shape, Shape::Given(_)) {
            return constant();
        }
        let fitted = Timed::fitted(by, kept, points, shape);
        fitted.unwrap_or_else(|why| Timed { unknown: Some(why), ..constant() })
    }

    fn fitted(
        by: &[String],
        kept: Vec<usize>,
        points: &Points,
        shape: &Shape,
    ) -> Result<Timed, String> {
        let variables: Vec<String> = kept.iter().map(|&index| by[index].clone()).collect();
        let points: Points = points
            .iter()
            .map(|(point, seconds)| {
                let values = kept.iter().map(|&number| point[number]).collect();
                // Logarithms of nothing, and shares of nothing, are not defined.
                (values, seconds.iter().copied().filter(|second| *second > 0.0).collect())
            })
            .collect();
        let (points, growing) = match shape {
            Shape::Given(_) => (points, None),
            Shape::Searched | Shape::Line => growing(&variables, points),
        };
        let rows = points.iter().flat_map(|(values, seconds)| {
            seconds.iter().map(move |&second| (values.clone(), second))
        });
        let data = Data::from_rows(variables.clone(), rows.collect::<Vec<_>>());
        let (formula, average) = match shape {
            Shape::Searched if data.points.len() < 3 => (line(&variables)?, None),
            Shape::Searched => {
                let (formula, average) = searched_time(&data)?;
                (formula, Some(average))
            }
            Shape::Given(formula) => (formula.clone(), None),
            Shape::Line => (line(&variables)?, None),
        };
        let fit = fit(&formula, &data, &piecewise()).map_err(|error| error.to_string())?;
        let error = Some(fit.quality.median_error);
        let fit = Box::new(fit);
        let rule = match growing {
            None => Rule::Fitted(fit),
            Some(growing) => Rule::Growing(fit, growing),
        };
        Ok(Timed { rule, error, average, unknown: None })
    }

    /// Returns the fit of the time, if the time is not a constant.
    pub(super) fn fit(&self) -> Option<&Fit> {
        match &self.rule {
            Rule::Constant(..) => None,
            Rule::Fitted(fit) | Rule::Growing(fit, _) => Some(fit),
        }
    }

    /// The time at values of the variables that `names` names.
    pub(super) fn estimate_at(&self, names: &[String], values: &[f64]) -> Estimate {
        let (fit, growing) = match &self.rule {
            Rule::Constant(seconds, half) => {
                return Estimate { seconds: *seconds, half: *half, ..Estimate::default() };
            }
            Rule::Fitted(fit) => (fit, None),
            Rule::Growing(fit, growing) => (fit, Some(growing)),
        };
        let value = |name: &String| {
            let index = names.iter().position(|known| known == name);
            index.map_or(f64::NAN, |index| values[index])
        };
        let at: Vec<f64> = fit.variables.iter().map(value).collect();
        let Ok(prediction) = fit.estimate(&at) else { return Estimate::default() };
        let seconds = prediction.value.max(growing.map_or(0.0, |growing| growing.floor(fit, &at)));
        let is_outside = prediction.domain.is_extrapolation();
        let half = prediction.band.map_or(0.0, |band| 0.5 * (band.high - band.low));
        // Beyond what was run, formulas differ that explain the runs equally well.
        let others = is_outside.then(|| self.others(&fit.variables, &at)).flatten();
        let others = others.map_or(0.0, |(low, high)| (seconds - low).max(high - seconds));
        Estimate { seconds, half: half.max(others), other: others > half, is_outside }
    }

    /// Where the time lies by all formulas that are probable: the lower and the upper end.
    fn others(&self, names: &[String], point: &[f64]) -> Option<(f64, f64)> {
        let given: Vec<(String, f64)> = names.iter().cloned().zip(point.iter().copied()).collect();
        let averaged = self.average.as_ref()?.ready().ok()?.predict(&given).ok()?;
        Some((averaged.low.max(0.0), averaged.high))
    }
}

impl Growing {
    /// Returns the lower bound of a time: the time at the largest values that were run.
    fn floor(&self, fit: &Fit, point: &[f64]) -> f64 {
        let both = || point.iter().zip(&self.ranges);
        if both().any(|(value, range)| range.is_some_and(|(least, _)| *value < least)) {
            return 0.0;
        }
        let is_beyond =
            |(value, range): (&f64, &Option<(f64, f64)>)| range.is_some_and(|pair| *value > pair.1);
        if !both().any(is_beyond) {
            return self.least;
        }
        let within: Vec<f64> =
            both().map(|(value, range)| range.map_or(*value, |pair| value.min(pair.1))).collect();
        fit.estimate(&within).map_or(0.0, |prediction| prediction.value).max(self.least)
    }
}

/// The points without disturbance, and with which variables the times grow; `None`: with none. Times may fall with
/// numbers of processors.
fn growing(variables: &[String], points: Points) -> (Points, Option<Growing>) {
    let processors = cll_search::Options::default().processors;
    let grows = |index: &usize| !processors.contains(&variables[*index]) && !falls(&points, *index);
    let all: Vec<usize> = (0..variables.len()).filter(grows).collect();
    if all.is_empty() {
        return (points, None);
    }
    let points = undisturbed(&points, &all);
    let range = |index: usize| {
        let values = points.iter().map(|point| point.0[index]);
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| {
            (least.min(value), most.max(value))
        })
    };
    let ranges =
        (0..variables.len()).map(|index| all.contains(&index).then(|| range(index))).collect();
    let times = points.iter().flat_map(|point| point.1.iter().copied());
    let least =
        if all.len() == variables.len() { times.fold(f64::INFINITY, f64::min) } else { 0.0 };
    (points, Some(Growing { ranges, least: if least.is_finite() { least } else { 0.0 } }))
}

/// The formula of a time, and all that are probable. Numbers of processors of which there are few have no negative
/// constants.
fn searched_time(data: &Data) -> Result<(Formula, Average), String> {
    let mut options = cll_search::Options::default();
    let pair = searched(data, &options)?;
    let processors = &options.processors;
    let is_few = |name: &&String| {
        let Some(index) = data.variable(name) else { return false };
        let mut values: Vec<f64> = data.points.iter().map(|point| point.values[index]).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        values.len() <= cll_search::FEW
    };
    let few: Vec<&String> = processors.iter().filter(is_few).collect();
    let Ok(fit) = fit(&pair.0, data, &piecewise()) else { return Ok(pair) };
    let is_negative = fit.constants.iter().any(|constant| {
        let mut words = constant.term.split(|letter: char| !letter.is_alphanumeric());
        words.any(|word| few.iter().any(|name| name.as_str() == word))
            && constant
                .segments
                .iter()
                .any(|segment| segment.estimate.value.is_some_and(|value| value < 0.0))
    });
    if !is_negative {
        return Ok(pair);
    }
    options.differences = false;
    searched(data, &options)
}

/// The most probable formula, and all that are probable.
fn searched(data: &Data, options: &cll_search::Options) -> Result<(Formula, Average), String> {
    let search = cll_search::search_thinned(data, options).map_err(|error| error.to_string())?;
    let best = cll_result::named(&search.candidates[0].formula, "s");
    let formula = parse("s", &best).formula;
    let formula = formula.ok_or_else(|| format!("the formula {best} cannot be read"))?;
    let average = search.average(|variable| cll_search::only_value(data, variable));
    Ok((formula, average))
}

/// Segments are modelled piecewise (DP*Graph, 2003, section 3).
fn piecewise() -> Options {
    Options { intervals: Intervals::dynamic(), ..Options::default() }
}

/// A constant, and one for each variable.
fn line(variables: &[String]) -> Result<Formula, String> {
    let terms: Vec<String> = variables
        .iter()
        .enumerate()
        .map(|(index, name)| format!(" + s[{}]*{name}", index + 1))
        .collect();
    let text = format!("s[0]{}", terms.concat());
    parse("s", &text).formula.ok_or_else(|| format!("the formula {text} cannot be read"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLANTED: f64 = 2e-3;

    /// Numbers from 0 to 1.
    fn random(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 53) as f64
        }
    }

    /// A pause of 2 ms before each message, run once at three sizes; the smaller the size the more it was disturbed.
    fn disturbed(seed: u64) -> Points {
        let mut random = random(seed);
        let mut factors = [1.0, 2.0, 4.0].map(|most| PLANTED * (1.0 + most * random()));
        factors.sort_by(f64::total_cmp);
        let sizes = [16.0, 12.0, 8.0];
        sizes.iter().zip(factors).map(|(&n, time)| (vec![n, 2.0], vec![time])).collect()
    }

    #[test]
    fn disturbed_small_sizes_do_not_make_a_time_that_falls() {
        let names = ["n", "P"].map(str::to_owned);
        for seed in 1..200 {
            let points = disturbed(seed);
            for shape in [Shape::Searched, Shape::Line] {
                let timed = Timed::new(&names, &points, &shape);
                for n in [8.0, 20.0, 48.0, 1000.0] {
                    let value = timed.estimate_at(&names, &[n, 2.0]).seconds;
                    assert!(value >= PLANTED, "{seed} n={n}: {value} of {points:?}");
                }
            }
        }
    }

    /// Times that do not depend on P, at three of its values, with disturbances of up to `most`.
    fn of_few(seed: u64, most: f64, law: impl Fn(f64) -> f64) -> Timed {
        let mut random = random(seed);
        let mut points = Points::new();
        for n in [100.0, 200.0, 400.0] {
            for p in [2.0, 3.0, 4.0] {
                let time = 1e-6 * n * n * law(p);
                points.push((vec![n, p], (0..2).map(|_| time * (1.0 + most * random())).collect()));
            }
        }
        Timed::new(&["n".to_owned(), "P".to_owned()], &points, &Shape::Searched)
    }

    #[test]
    fn few_numbers_of_processors_hold_no_wild_powers() {
        let names = ["n".to_owned(), "P".to_owned()];
        for (name, exponent) in [("constant", 0), ("divided", -1), ("line", 1)] {
            let law = |p: f64| p.powi(exponent);
            let mut holds = 0;
            for seed in 0..40 {
                let timed = of_few(seed, 0.05, law);
                let estimate = timed.estimate_at(&names, &[400.0, 16.0]);
                let real = 0.16 * law(16.0);
                holds +=
                    usize::from((estimate.seconds - real).abs() <= estimate.half.max(0.06 * real));
                assert!(
                    estimate.seconds >= 0.2 * real && estimate.seconds <= 8.0 * real,
                    "{name} {seed}: {estimate:?}"
                );
            }
            assert!(holds >= 32, "{name}: {holds} of 40");
        }
    }

    #[test]
    fn a_difference_of_functions_of_few_numbers_of_processors_is_none() {
        let names = ["n".to_owned(), "P".to_owned()];
        for seed in 0..20 {
            let mut random = random(seed);
            let mut points = Points::new();
            for n in [12.0, 18.0, 30.0] {
                for (p, time) in [(2.0, 2.5e-3), (3.0, 3e-3), (4.0, 2e-3)] {
                    points.push((vec![n, p], vec![time * (1.0 + 0.03 * random())]));
                }
            }
            let timed = Timed::new(&names, &points, &Shape::Searched);
            let value = timed.estimate_at(&names, &[56.0, 8.0]).seconds;
            assert!((1e-3..6e-3).contains(&value), "{seed}: {value}");
        }
    }

    #[test]
    fn a_given_formula_is_fitted_or_its_failure_is_named() {
        let names = ["n", "P"].map(str::to_owned);
        let point = |n: f64| (vec![n, 2.0], vec![2e-3 + 5e-3 * n, 2.02e-3 + 5e-3 * n]);
        let points: Points = [1.0, 2.0, 4.0, 8.0].into_iter().map(point).collect();
        let given = |text: &str| {
            let formula = parse("c", text).formula.expect("a formula");
            Timed::new(&names, &points, &Shape::Given(formula))
        };
        let line = given("c[0] + c[1]*n");
        assert!(line.fit().is_some() && line.unknown.is_none(), "{line:?}");
        let value = line.estimate_at(&names, &[32.0, 2.0]).seconds;
        assert!((value / 0.162 - 1.0).abs() < 0.02, "{value}");
        // Variables that have one value are part of it, too.
        let divided = given("c[0]*n/P").estimate_at(&names, &[8.0, 2.0]).seconds;
        assert!((divided / 0.042 - 1.0).abs() < 0.2, "{divided}");
        let cubic = given("c[0] + c[1]*n + c[2]*n^2 + c[3]*n^3 + c[4]*n^4");
        assert!(cubic.fit().is_none() && cubic.unknown.is_some(), "{cubic:?}");
    }

    #[test]
    fn work_that_is_divided_may_fall() {
        let by = |name: &str| {
            let names = [name.to_owned()];
            let point = |n: f64| (vec![n], vec![1.0 / n, 1.01 / n]);
            let points: Points = [2.0, 4.0, 8.0].into_iter().map(point).collect();
            let timed = Timed::new(&names, &points, &Shape::Searched);
            timed.estimate_at(&names, &[16.0]).seconds
        };
        for name in ["P", "blocks"] {
            assert!((by(name) * 16.0 - 1.0).abs() < 0.05, "{name}: {}", by(name));
        }
    }
}
