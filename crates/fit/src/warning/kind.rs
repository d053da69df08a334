//! The kinds of warnings.

use serde::{Deserialize, Serialize};

/// A warning. `Display` gives the sentence, [`Warning::code`] a name that does not change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
