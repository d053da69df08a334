//! Options after `with`.

use super::OptionHelp;

const fn option(name: &'static str, values: &'static str, summary: &'static str) -> OptionHelp {
    OptionHelp { name, values, summary }
}

/// Options of fits: those of `cll fit`, with `_` for `-`.
pub(super) const FIT: &[OptionHelp] = &[
    option("weights", "relative | absolute", "what is made small: relative or absolute errors"),
    option("loss", "squares | huber", "how large errors count"),
    option("aggregate", "median | minimum | mean | all", "what stands for the samples of a point"),
    option("intervals", "levels | dynamic | greedy | none", "where constants change"),
    option("max_intervals", "COUNT", "at most so many intervals"),
    option("error_threshold", "SHARE", "the largest error that the greedy rule accepts"),
    option("breaks", "[N == VALUE, …]", "the boundaries of intervals, by hand"),
    option("axis", "EXPRESSION", "along what intervals lie"),
    option("working_set", "EXPRESSION", "bytes that are touched, for boundaries at caches"),
    option("no_join", "", "constants that do not differ are not joined"),
    option("non_negative", "", "no constant is negative"),
    option("signed", "", "constants with levels may be negative"),
    option("no_follow", "", "predict by the formula alone, also where it misses"),
    option("hold_out", "\"N=VALUE\"", "points that are left out and then predicted"),
    option("outliers", "keep | spikes | points", "which samples are left out"),
    option("outlier_limit", "NUMBER", "for points: from which studentised residual on"),
    option("confidence", "SHARE", "of intervals, such as 95%"),
    option("time", "inclusive | exclusive", "with or without regions inside"),
    option("observable", "NAME", "what is fitted instead of the time"),
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
