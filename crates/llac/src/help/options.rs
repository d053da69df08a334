//! Options after `with`.

use cll_analysis::{FitOption, fit_option};

use super::OptionHelp;

const fn option(name: &'static str, values: &'static str, summary: &'static str) -> OptionHelp {
    OptionHelp { name, values, summary }
}

/// An option that the command line has, too.
const fn fitted(name: &str) -> OptionHelp {
    let FitOption { name, values, summary, .. } = fit_option(name);
    OptionHelp { name, values, summary }
}

/// The same, whose values are written in another way in the language.
const fn written(name: &str, values: &'static str) -> OptionHelp {
    OptionHelp { values, ..fitted(name) }
}

/// Options of fits: those of `cll fit`, with `_` for `-`.
pub(super) const FIT: &[OptionHelp] = &[
    fitted("weights"),
    fitted("loss"),
    fitted("aggregate"),
    fitted("intervals"),
    fitted("max_intervals"),
    fitted("error_threshold"),
    written("breaks", "[N == VALUE, …]"),
    fitted("axis"),
    fitted("working_set"),
    fitted("no_join"),
    fitted("non_negative"),
    fitted("signed"),
    fitted("no_follow"),
    written("hold_out", "\"N=VALUE\""),
    fitted("outliers"),
    option("outlier_limit", "NUMBER", "for points: from which studentised residual on"),
    fitted("confidence"),
    fitted("time"),
    fitted("observable"),
    option("column", "NAME", "the column of a table that is fitted"),
];

/// Options of opened tables: those of `cll fit`.
pub(super) const OPEN: &[OptionHelp] = &[
    option("column", "NAME", "the column that was measured"),
    option("unit", "UNIT", "its unit, such as ms"),
];

/// Options of plots.
pub(super) const PLOT: &[OptionHelp] =
    &[option("bins", "COUNT", "bins of a histogram; else by the spread of the values")];

/// Options of comparisons.
pub(super) const COMPARE: &[OptionHelp] = &[
    option("tolerance", "SHARE", "the largest error of an accurate model; 10%"),
    option("confidence", "SHARE", "of tests and intervals; 90%"),
];

/// Options of plans: those of `cll plan`.
pub(super) const PLAN: &[OptionHelp] = &[
    option("budget", "\"TIME\"", "what the points may take, such as \"10m\" or \"10core-min\""),
    option("vary", "\"NAME=RANGE\"", "values among which points are chosen"),
    option("runs", "COUNT", "runs of each point"),
];

/// Options of searches: those of fits, and two.
pub(super) const SEARCH: &[OptionHelp] = &[
    option("terms", "[TERM, …]", "the terms that are tried"),
    option("max_terms", "COUNT", "at most so many terms"),
    FIT[0],
    FIT[1],
    FIT[2],
    FIT[3],
    FIT[4],
    FIT[5],
    FIT[6],
    FIT[7],
    FIT[8],
    FIT[9],
    FIT[10],
    FIT[11],
    FIT[12],
    FIT[13],
    FIT[14],
    FIT[15],
    FIT[16],
    FIT[17],
    FIT[18],
];
