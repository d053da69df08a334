//! Warnings that a user should know before using a fit, as a sentence and as a code that never changes.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Unit;
use crate::text::{count, list, number, percent, place, quantity};

/// A warning. `Display` gives the sentence, [`Warning::code`] a name that does not change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "code")]
pub enum Warning {
    /// A region whose time is that of an empty one at all sizes.
    Emptied {
        /// The largest median, seconds.
        value: f64,
        /// The variables whose values differ.
        variables: Vec<String>,
    },
    /// Constants the data cannot determine.
    Undetermined {
        /// The undetermined constants, `f[0]`.
        constants: Vec<String>,
        /// Why: `P is 4 at every point`, or the combination.
        because: String,
    },
    /// Scaled condition number above 30.
    IllConditioned {
        /// The number.
        condition: f64,
        /// The nearly collinear terms.
        terms: Vec<String>,
    },
    /// A constant is significantly below zero.
    Negative {
        /// The constant.
        constant: String,
        /// The value of the constant.
        value: f64,
        /// Upper end of its confidence interval.
        high: f64,
        /// Where it holds; empty if everywhere.
        place: String,
    },
    /// A constant of an interval is negative because the interval's function, extrapolated to zero,
    /// is. A note, no reason to doubt.
    Continuation {
        /// The constant.
        constant: String,
        /// The value of the constant.
        value: f64,
        /// The axis of the intervals.
        axis: String,
        /// Where it holds.
        place: String,
    },
    /// More than 3 intervals.
    ManyIntervals {
        /// How many.
        intervals: usize,
        /// The axis.
        axis: String,
    },
    /// More than 3 changes between levels of constants.
    ManyChanges {
        /// How many.
        changes: usize,
        /// The axis.
        axis: String,
    },
    /// A constant has not reached its last level at the last measured value of the axis.
    NotLevel {
        /// The constant.
        constant: String,
        /// The term of that constant.
        term: String,
        /// The axis.
        axis: String,
        /// The largest measured value of the axis.
        last: f64,
        /// The last level over the one before it; `None` if that is 0.
        ratio: Option<f64>,
    },
    /// Constants are held at 0, though the data want them below it.
    HeldAtZero {
        /// The constants.
        constants: Vec<String>,
        /// Their terms.
        terms: Vec<String>,
        /// Root mean square of the relative errors.
        error: f64,
        /// The same with negative constants.
        signed: f64,
    },
    /// The formula misses observations that repeat exactly.
    MissesExact {
        /// Largest relative error.
        largest: f64,
        /// The point where it is.
        place: String,
    },
    /// The formula misses the points by more than the repetitions explain.
    LackOfFit {
        /// F statistic.
        f: f64,
        /// The p value of the statistic.
        p_value: f64,
        /// Size of the lack of fit, relative.
        size: f64,
    },
    /// Neighbouring residuals have the same sign more often than by chance. Reported without
    /// repetitions.
    Runs {
        /// Number of runs of equal signs.
        runs: usize,
        /// Number of residuals.
        of: usize,
        /// Probability of this many runs or fewer if the formula is right.
        p_value: f64,
        /// Size of the error that neighbours share, relative.
        size: f64,
        /// The axis.
        axis: String,
    },
    /// Another formula with one interval explains the data better.
    OtherFormula {
        /// The formula.
        formula: String,
        /// The term that is replaced; `None` if a term is added.
        replaced: Option<String>,
        /// The new term.
        term: String,
        /// Terms that explain the data equally well in that place.
        as_good: Vec<String>,
        /// Intervals of the fit.
        intervals: usize,
        /// By how much the criterion is lower.
        difference: f64,
        /// Root mean square of the relative errors of the other formula.
        error: f64,
        /// That of the fitted formula with one interval.
        error_one: f64,
    },
    /// The formula does not fit, and predictions between measured values follow the data.
    Follows {
        /// Prediction error at left-out values when following the data, relative.
        error: f64,
        /// The same of the formula alone.
        formula_error: f64,
    },
    /// Residuals depend on a recorded variable that the formula does not use.
    MissingVariable {
        /// The variable.
        variable: String,
        /// p value of the partial F test.
        p_value: f64,
        /// Share of the residual sum of squares it explains.
        explained: f64,
    },
    /// Residuals still depend on a variable of the formula.
    Pattern {
        /// The variable.
        variable: String,
        /// p value of the partial F test.
        p_value: f64,
        /// Share of the residual sum of squares it explains.
        explained: f64,
    },
    /// The measured combinations change some variables one at a time: they do not show whether
    /// these multiply each other.
    OneAtATime {
        /// Two variables each.
        pairs: Vec<(String, String)>,
        /// A combination to measure, as text.
        measure: String,
    },
    /// Points that are zero or negative were left out.
    NotPositive {
        /// How many points.
        points: usize,
        /// The number of all points.
        of: usize,
        /// Values of the first of them, as text.
        first: String,
    },
    /// Some single observations are zero or negative.
    NotPositiveObservations {
        /// How many.
        observations: usize,
    },
    /// Points or observations were left out as outliers.
    OutliersLeftOut {
        /// How many points.
        points: usize,
        /// How many single observations.
        observations: usize,
    },
    /// Every observation is the same number.
    AllAlike {
        /// The number.
        value: f64,
    },
    /// Few degrees of freedom are left.
    FewPoints {
        /// Points.
        points: usize,
        /// Constants.
        constants: usize,
    },
    /// No repetitions: lack of fit and spikes cannot be tested.
    NoRepetitions,
    /// The k-th repetitions of all points are high or low together: the runs that they are of differ.
    RepetitionsTogether {
        /// Relative standard deviation between the runs.
        deviation: f64,
    },
    /// The points lie much closer to the formula than independent repetitions could.
    DependentRepetitions {
        /// Relative standard deviation of the repetitions.
        spread: f64,
    },
    /// Many spikes.
    Spikes {
        /// Share of the observations.
        rate: f64,
        /// Largest observation over its point's median.
        largest: f64,
    },
    /// Not enough points to look for intervals.
    NoIntervals {
        /// Distinct points.
        points: usize,
        /// Points that two intervals need.
        needed: usize,
    },
    /// The mean was requested: one spike changes it.
    Mean,
    /// Many distinct points: breaks were searched in two steps.
    Thinned {
        /// Distinct values of the axis.
        values: usize,
        /// Candidates in the first step.
        candidates: usize,
    },
    /// Points measured only by the first call of each launch are far from the others.
    FirstCall {
        /// Names of the recorded variables.
        variables: Vec<String>,
        /// Their values at each of the points.
        points: Vec<Vec<f64>>,
        /// Largest relative error of the fit.
        largest: f64,
        /// 90th percentile of its errors.
        p90: f64,
        /// Largest relative error of a fit without the points.
        largest_without: f64,
        /// 90th percentile of its errors.
        p90_without: f64,
    },
    /// A prediction beyond the data.
    Beyond {
        /// The variable.
        variable: String,
        /// The value of the variable.
        value: f64,
        /// The nearest measured value.
        nearest: f64,
    },
    /// A prediction beyond the data by a formula whose shape may be wrong.
    ShapeBeyond {
        /// The formula that explains the data better.
        formula: String,
        /// The value of that formula there.
        value: f64,
        /// That divided by the value of the fitted formula.
        ratio: f64,
    },
    /// A prediction at a working set that outgrows the level of memory in which the data were.
    NextLevel {
        /// The level that held the largest measured working set.
        measured: String,
        /// The level that holds the working set there.
        level: String,
        /// The factor by which an access takes longer there, at most.
        ratio: f64,
    },
    /// A prediction far from every measured combination, though inside each variable's range.
    Apart {
        /// The variables that were not measured together there.
        variables: Vec<String>,
        /// Their values.
        values: Vec<f64>,
        /// Their values at the nearest measured combinations.
        nearest: Vec<Vec<f64>>,
    },
    /// A prediction in the gap between two intervals.
    Between {
        /// The axis.
        axis: String,
        /// Last value on the left.
        last_left: f64,
        /// First value on the right.
        first_right: f64,
    },
}

impl Warning {
    /// A name for scripts; it stays the same over versions.
    pub fn code(&self) -> &'static str {
        match self {
            Warning::Emptied { .. } => "emptied",
            Warning::Undetermined { .. } => "undetermined",
            Warning::IllConditioned { .. } => "ill-conditioned",
            Warning::Negative { .. } => "negative",
            Warning::Continuation { .. } => "continuation",
            Warning::ManyIntervals { .. } => "many-intervals",
            Warning::ManyChanges { .. } => "many-changes",
            Warning::NotLevel { .. } => "not-level",
            Warning::HeldAtZero { .. } => "held-at-zero",
            Warning::MissesExact { .. } => "misses-exact",
            Warning::LackOfFit { .. } => "lack-of-fit",
            Warning::Runs { .. } => "runs",
            Warning::OtherFormula { .. } => "other-formula",
            Warning::Follows { .. } => "follows",
            Warning::MissingVariable { .. } => "missing-variable",
            Warning::Pattern { .. } => "pattern",
            Warning::OneAtATime { .. } => "one-at-a-time",
            Warning::NotPositive { .. } => "not-positive",
            Warning::NotPositiveObservations { .. } => "not-positive-observations",
            Warning::OutliersLeftOut { .. } => "outliers-left-out",
            Warning::AllAlike { .. } => "all-alike",
            Warning::FewPoints { .. } => "few-points",
            Warning::NoRepetitions => "no-repetitions",
            Warning::RepetitionsTogether { .. } => "repetitions-together",
            Warning::DependentRepetitions { .. } => "dependent-repetitions",
            Warning::Spikes { .. } => "spikes",
            Warning::NoIntervals { .. } => "no-intervals",
            Warning::Mean => "mean",
            Warning::Thinned { .. } => "thinned",
            Warning::FirstCall { .. } => "first-call",
            Warning::Beyond { .. } => "beyond",
            Warning::ShapeBeyond { .. } => "shape-beyond",
            Warning::NextLevel { .. } => "next-level",
            Warning::Apart { .. } => "apart",
            Warning::Between { .. } => "between",
        }
    }
}

impl Warning {
    /// The warning in words; values are in this unit.
    pub fn text(&self, unit: &Unit) -> String {
        Sentence { warning: self, unit }.to_string()
    }
}

/// The warning in words, of values in seconds.
impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Sentence { warning: self, unit: &Unit::Seconds }.fmt(f)
    }
}

/// A warning, and the unit of its values.
struct Sentence<'w> {
    warning: &'w Warning,
    unit: &'w Unit,
}

impl fmt::Display for Sentence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let amount = |value: f64| quantity(value, self.unit);
        match self.warning {
            Warning::Emptied { value, variables } => write!(
                f,
                "it takes no more than an empty region ({:.0} ns) at every {}: removed by the \
                 compiler? Use the results of the region behind it, so that they are needed",
                value * 1e9,
                list(variables)
            ),
            Warning::Undetermined { constants, because } => write!(
                f,
                "the data cannot determine {}: {because}; measure at other values, or remove a \
                 term",
                list(constants)
            ),
            Warning::IllConditioned { condition, terms } => write!(
                f,
                "the terms {} are nearly collinear on this range (scaled condition number {}, \
                 more than 30): their individual constants are uncertain; measure a wider range",
                list(terms),
                number(*condition)
            ),
            Warning::Negative { constant, value, high, place } => write!(
                f,
                "{constant}{} is significantly negative ({}, at most {}), though a constant is a \
                 cost: the formula may have one term too many or too few",
                if place.is_empty() { String::new() } else { format!(" for {place}") },
                amount(*value),
                amount(*high)
            ),
            Warning::Continuation { constant, value, axis, place } => write!(
                f,
                "{constant} for {place} is negative ({}) because the value grows faster there \
                 than before: it is the extrapolation of the formula to {axis} = 0, outside the \
                 interval, not a cost",
                amount(*value)
            ),
            Warning::ManyIntervals { intervals, axis } => write!(
                f,
                "{intervals} intervals on {axis}: more than 3 may mean an error in the complexity \
                 formula"
            ),
            Warning::ManyChanges { changes, axis } => write!(
                f,
                "the constants change {changes} times along {axis}: more than 3 may mean an error in the complexity \
                 formula"
            ),
            Warning::NotLevel { constant, term, axis, last, ratio } => write!(
                f,
                "{constant} ({term}) still {} at the largest {axis}, {}: measure beyond it before you predict there",
                if ratio.is_none_or(|ratio| ratio > 1.0) { "rises" } else { "falls" },
                number(*last)
            ),
            Warning::HeldAtZero { constants, terms, error, signed } => write!(
                f,
                "the data want {} below 0, and a constant is a cost: {} at 0 (error {}, without that bound {}); write \
                 the difference as one term, as N*(N - 1) for N*N - N, or allow it with --signed",
                list(
                    &terms
                        .iter()
                        .zip(constants)
                        .map(|(t, c)| format!("{c} ({t})"))
                        .collect::<Vec<_>>()
                ),
                if constants.len() == 1 { "it is held" } else { "they are held" },
                percent(*error),
                if *signed < 1e-5 { "0 %".to_owned() } else { percent(*signed) }
            ),
            Warning::MissesExact { largest, place } => write!(
                f,
                "the observations repeat exactly and have no noise, but the formula misses them \
                 by up to {} (at {place}): it lacks a term, and predictions beyond the data may be \
                 far off",
                percent(*largest)
            ),
            Warning::LackOfFit { f: statistic, p_value, size } => write!(
                f,
                "the formula misses the points by {} more than the repetitions explain (lack of \
                 fit, F = {}, p = {}): it may lack a term or an interval",
                percent(*size),
                number(*statistic),
                number(*p_value)
            ),
            Warning::Runs { runs, of, p_value, size, axis } => write!(
                f,
                "the errors of neighbouring points along {axis} have the same sign too often: \
                 {of} errors change sign only {} (p = {}), and neighbours share an error of {}: \
                 the formula's shape may be wrong; repeat the run for a stronger test",
                count(runs - 1, "time", "times"),
                number(*p_value),
                percent(*size)
            ),
            Warning::OtherFormula {
                formula,
                replaced,
                term,
                as_good,
                intervals,
                difference,
                error,
                error_one,
            } => {
                match replaced {
                    Some(old) => write!(f, "a formula with {term} in place of {old}")?,
                    None => write!(f, "a formula with the additional term {term}")?,
                }
                match intervals {
                    1 => f.write_str(" explains the data better")?,
                    _ => write!(f, " explains the data better than {intervals} intervals")?,
                }
                write!(
                    f,
                    " (criterion lower by {}; error with one interval: {} for the given formula, \
                     {} for this one)",
                    number(*difference),
                    percent(*error_one),
                    // Rounding errors of an exact fit are no errors.
                    if *error < 1e-5 { "0 %".to_owned() } else { percent(*error) }
                )?;
                if !as_good.is_empty() {
                    write!(f, "; equally good: {}", list(as_good))?;
                }
                write!(
                    f,
                    ": predictions beyond the data may be far off; try the formula '{formula}'"
                )
            }
            Warning::Follows { error, formula_error } => write!(
                f,
                "the formula does not fit: predictions between measured values follow the data; \
                 their error at left-out values is {}, that of the formula alone {}",
                percent(*error),
                percent(*formula_error)
            ),
            Warning::MissingVariable { variable, p_value, explained } => write!(
                f,
                "the residuals depend on {variable}, which the formula does not use: it explains \
                 {} of them (p = {})",
                percent(*explained),
                number(*p_value)
            ),
            Warning::Pattern { variable, p_value, explained } => write!(
                f,
                "the residuals still depend on {variable}: it explains {} of them (p = {}); the \
                 formula's shape in {variable} may be wrong",
                percent(*explained),
                number(*p_value)
            ),
            Warning::OneAtATime { pairs, measure } => write!(
                f,
                "the measured combinations change one variable at a time: whether {} multiply \
                 each other is unknown; measure for example {measure}",
                together(pairs)
            ),
            Warning::NotPositive { points, of, first } => write!(
                f,
                "{points} of {of} points {} zero or negative (the first at {first}) and {} no relative \
                 error; measure longer times, or use absolute weights",
                if *points == 1 { "is" } else { "are" },
                if *points == 1 { "was left out: it has" } else { "were left out: they have" }
            ),
            Warning::NotPositiveObservations { observations } => write!(
                f,
                "{} zero or negative: they may be too short for the clock",
                count(*observations, "single observation is", "single observations are")
            ),
            Warning::OutliersLeftOut { points, observations } => write!(
                f,
                "left out as outliers: {} and {}",
                count(*points, "point", "points"),
                count(*observations, "single observation", "single observations")
            ),
            Warning::AllAlike { value } => write!(
                f,
                "every observation is {}: the clock may be too coarse, or the region does not \
                 depend on the variables",
                amount(*value)
            ),
            Warning::FewPoints { points, constants } => write!(
                f,
                "{} for {}: errors and bands are unreliable; measure more sizes",
                count(*points, "point", "points"),
                count(*constants, "constant", "constants")
            ),
            Warning::NoRepetitions => f.write_str(
                "no point was measured twice, so lack of fit and spikes cannot be tested; repeat \
                 the run",
            ),
            Warning::RepetitionsTogether { deviation } => write!(
                f,
                "the k-th repetitions are high or low together at all points: the runs differ by {}, which the \
                 intervals do not contain; a column `run` that says of which run a row is lets them",
                percent(*deviation)
            ),
            Warning::DependentRepetitions { spread } => write!(
                f,
                "the repetitions spread by {}, but the points lie much closer to the formula than the aggregates of \
                 independent repetitions could: they vary together at all points, as of several machines, runs or states; \
                 the intervals contain this spread",
                percent(*spread)
            ),
            Warning::Spikes { rate, largest } => write!(
                f,
                "{} of the observations are spikes, up to {} times their point's median: the \
                 machine may be loaded",
                percent(*rate),
                number(*largest)
            ),
            Warning::NoIntervals { points, needed } => write!(
                f,
                "intervals were not searched: there are {points} distinct points, and two \
                 intervals need {needed}"
            ),
            Warning::Mean => f.write_str(
                "the mean represents the repetitions: a single spike changes it; median and \
                 minimum are more robust",
            ),
            Warning::Thinned { values, candidates } => write!(
                f,
                "{values} distinct values: breaks were first searched among {candidates} of \
                 them, then value by value near those found"
            ),
            Warning::FirstCall {
                variables,
                points,
                largest,
                p90,
                largest_without,
                p90_without,
            } => {
                let places: Vec<String> =
                    points.iter().map(|values| place(variables, values)).collect();
                // Rounding errors of an exact fit are no errors.
                let share =
                    |share: f64| if share < 1e-5 { "0 %".to_owned() } else { percent(share) };
                // As the option expects it, with all digits.
                let option = |values: &Vec<f64>| {
                    let pairs = variables.iter().zip(values);
                    let pairs: Vec<String> =
                        pairs.map(|(name, value)| format!("{name}={value}")).collect();
                    format!("--hold-out {}", pairs.join(","))
                };
                let options: Vec<String> = points.iter().map(option).collect();
                let (are, it) = match points.len() {
                    1 => ("is one call, the first of each launch, and", "it"),
                    _ => ("are one call each, the first of each launch, and", "them"),
                };
                write!(
                    f,
                    "{} {are} far from the other points; first calls may warm up caches or a \
                     library. Without {it} errors are at most {} instead of {}, 90 % within {} \
                     instead of {}: {}",
                    places.join("; "),
                    share(*largest_without),
                    share(*largest),
                    share(*p90_without),
                    share(*p90),
                    options.join(" ")
                )
            }
            Warning::Beyond { variable, value, nearest } => write!(
                f,
                "{variable} = {} is beyond the data (nearest measured value: {}): such \
                 predictions fail across a cache size or another limit; measure closer",
                number(*value),
                number(*nearest)
            ),
            Warning::ShapeBeyond { formula, value, ratio } => write!(
                f,
                "the formula's shape may be wrong, and this is beyond the data: '{formula}', which \
                 explains the data better, gives {} there, {} times as much",
                amount(*value),
                number(*ratio)
            ),
            Warning::NextLevel { measured, level, ratio } => write!(
                f,
                "the data were in {measured}, and here they are in {level}, where an access takes \
                 up to {} times as long: the upper end of the interval allows for that; measure \
                 sizes that outgrow {measured}",
                number(*ratio)
            ),
            Warning::Apart { variables, values, nearest } => write!(
                f,
                "{} not measured together: {}; the prediction depends on how the formula \
                 combines {}, so its range covers both their sum and their product; measure \
                 closer",
                was(variables, values),
                crate::text::nearest(variables, nearest),
                list(variables)
            ),
            Warning::Between { axis, last_left, first_right } => write!(
                f,
                "{axis} lies in the gap between two intervals ({} to {}), where either side's \
                 constants may hold",
                number(*last_left),
                number(*first_right)
            ),
        }
    }
}

/// `N = 4096 with P = 32 was`
fn was(variables: &[String], values: &[f64]) -> String {
    let pairs: Vec<String> =
        variables.iter().zip(values).map(|(n, v)| format!("{n} = {}", number(*v))).collect();
    match pairs.as_slice() {
        [first, rest @ ..] if !rest.is_empty() => format!("{first} with {} was", list(rest)),
        _ => format!("{} was", list(&pairs)),
    }
}

/// `N and P`, `N and P, or N and M`
fn together(pairs: &[(String, String)]) -> String {
    let all: Vec<String> = pairs.iter().map(|(a, b)| format!("{a} and {b}")).collect();
    all.join(", or ")
}
