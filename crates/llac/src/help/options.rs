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
    option("intervals", "dynamic | greedy | none", "how intervals of validity are found"),
    option("max_intervals", "COUNT", "at most so many intervals"),
    option("error_threshold", "SHARE", "where the greedy rule begins an interval"),
    option("breaks", "[N == VALUE, …]", "the boundaries of intervals, by hand"),
    option("axis", "EXPRESSION", "along what intervals lie"),
    option("working_set", "EXPRESSION", "bytes that are touched, for boundaries at caches"),
    option("no_join", "", "neighbouring intervals need not meet"),
    option("non_negative", "", "no constant is negative"),
    option("no_follow", "", "a formula that does not follow the data is not changed"),
    option("hold_out", "\"N=VALUE\"", "points that are left out and then predicted"),
    option("outliers", "keep | spikes | points", "which samples are left out"),
    option("outlier_limit", "NUMBER", "from how many deviations on a point is left out"),
    option("confidence", "SHARE", "of intervals, such as 95%"),
    option("time", "inclusive | exclusive", "with or without regions inside"),
    option("observable", "NAME", "what is fitted instead of the time"),
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
];
