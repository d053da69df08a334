//! The table of the options.

/// An option of a fit.
#[derive(Clone, Copy, Debug)]
pub struct FitOption {
    /// The name; the command line has `-` in place of `_`.
    pub name: &'static str,
    /// The values as they are written everywhere: words, or a placeholder; empty if it takes none.
    pub values: &'static str,
    /// A description, as a part of a sentence.
    pub summary: &'static str,
    /// How it is written on the command line, if an example is needed.
    pub usage: &'static str,
}

const fn option(name: &'static str, values: &'static str, summary: &'static str) -> FitOption {
    FitOption { name, values, summary, usage: "" }
}

const fn used(
    name: &'static str,
    values: &'static str,
    summary: &'static str,
    usage: &'static str,
) -> FitOption {
    FitOption { name, values, summary, usage }
}

/// All options, in the order in which help shows them.
pub const FIT_OPTIONS: &[FitOption] = &[
    option(
        "weights",
        "relative | absolute",
        "minimise the squares of relative or of absolute errors",
    ),
    option(
        "loss",
        "squares | huber",
        "minimise the squares of the errors, or Huber's function, by which points far from the model count less",
    ),
    option(
        "aggregate",
        "median | minimum | mean | all",
        "the value or values that represent the repetitions of a point",
    ),
    option(
        "intervals",
        "levels | dynamic | greedy | none",
        "where constants change: between levels, or in intervals. Default: levels; dynamic if their number is limited or \
         they are not joined",
    ),
    option("max_intervals", "COUNT", "divide into intervals, at most so many. Default: 6"),
    option(
        "error_threshold",
        "SHARE",
        "the papers' error threshold, for the greedy rule: largest relative error accepted, such as 10% or 0.1",
    ),
    used(
        "breaks",
        "VAR=VALUE",
        "use boundaries at these values, and search no others",
        "such as N=1448; may be repeated",
    ),
    used(
        "axis",
        "EXPRESSION",
        "the variable or expression along which intervals lie, or several to choose from",
        "such as N, 8*N*N, or N,P,N*P",
    ),
    used(
        "working_set",
        "EXPRESSION",
        "bytes that an experiment touches; boundaries are compared with the sizes of caches",
        "such as 8*N*N or, for one experiment, rows=8*N*N; may be repeated",
    ),
    option(
        "no_join",
        "",
        "divide into intervals, and do not join constants of neighbouring ones, even if they do not differ",
    ),
    option("non_negative", "", "allow no negative constants"),
    option("signed", "", "allow negative constants with levels, too: what they say is no cost"),
    used(
        "hold_out",
        "VAR=VALUE,…",
        "exclude these points from the fit, and report the error there",
        "such as N=4000 or N=1000,P=4; ranges too; may be repeated",
    ),
    option(
        "no_follow",
        "",
        "predict by the formula alone, even if it does not fit the measured values around the prediction",
    ),
    used(
        "outliers",
        "keep | spikes | points",
        "keep outliers, or leave out spikes, or points far from the model",
        "points=LIMIT sets the studentised residual",
    ),
    option("confidence", "SHARE", "confidence of all intervals"),
    option(
        "time",
        "inclusive | exclusive",
        "fit the time (or observable) of a region with the regions inside it, or without them",
    ),
    used(
        "observable",
        "NAME",
        "fit this instead of the time, such as page-faults",
        "cll counters lists the names",
    ),
];

/// The option of this name. Used in constants: a name that is not there does not compile.
pub const fn fit_option(name: &str) -> FitOption {
    let mut index = 0;
    while index < FIT_OPTIONS.len() {
        if is_same(FIT_OPTIONS[index].name.as_bytes(), name.as_bytes()) {
            return FIT_OPTIONS[index];
        }
        index += 1;
    }
    panic!("no option of a fit has this name")
}

const fn is_same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut index = 0;
    while index < left.len() {
        if left[index] != right[index] {
            return false;
        }
        index += 1;
    }
    true
}

impl FitOption {
    /// The description for the command line: a sentence without a full stop.
    pub fn command_line_help(&self) -> String {
        let mut letters = self.summary.chars();
        let first = letters.next().map(char::to_uppercase).into_iter().flatten();
        let summary: String = first.chain(letters).collect();
        if self.usage.is_empty() { summary } else { format!("{summary} ({})", self.usage) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::{IntervalRule, OutlierRule, Words};
    use super::*;
    use crate::Time;
    use cll_fit::{Aggregate, Loss, Weights};

    #[test]
    fn values_of_choices_are_their_words() {
        let values =
            |name: &str| FIT_OPTIONS.iter().find(|option| option.name == name).unwrap().values;
        assert_eq!(values("weights"), Weights::all().join(" | "));
        assert_eq!(values("loss"), Loss::all().join(" | "));
        assert_eq!(values("aggregate"), Aggregate::all().join(" | "));
        assert_eq!(values("intervals"), IntervalRule::all().join(" | "));
        assert_eq!(values("outliers"), OutlierRule::all().join(" | "));
        assert_eq!(values("time"), Time::all().join(" | "));
    }

    #[test]
    fn help_is_a_sentence() {
        assert_eq!(fit_option("non_negative").command_line_help(), "Allow no negative constants");
        let breaks = fit_option("breaks").command_line_help();
        assert!(breaks.starts_with("Use ") && breaks.ends_with("may be repeated)"), "{breaks}");
    }
}
