//! Names of columns that are statistics of repetitions: `min`, `time_mean`, `p99_ms`.

use std::collections::HashMap;

/// A statistic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Statistic {
    Median,
    Mean,
    /// Any other: an extreme, a spread, a percentile, a count.
    Other,
}

/// A statistic, and of what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) statistic: Statistic,
    /// The rest of the name, normalised; empty if it is only the statistic.
    pub(crate) stem: String,
    certainty: Certainty,
}

/// How certain a word is a statistic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Certainty {
    Certain,
    /// Beside another percentile: `p16` may be a parameter.
    Percentile,
    /// Beside a certain one: `count`.
    Weak,
}

const MEDIANS: [&str; 4] = ["median", "med", "p50", "50%"];
const MEANS: [&str; 6] = ["mean", "avg", "average", "mittelwert", "moyenne", "promedio"];
const OTHERS: [&str; 24] = [
    "min",
    "minimum",
    "max",
    "maximum",
    "std",
    "stdev",
    "stddev",
    "sd",
    "sem",
    "se",
    "stderr",
    "sigma",
    "var",
    "variance",
    "cv",
    "rsd",
    "iqr",
    "mad",
    "ci",
    "geomean",
    "gmean",
    "percentile",
    "quantile",
    "spread",
];
/// Words that are statistics only beside others.
const WEAK: [&str; 11] = [
    "count", "nobs", "best", "worst", "fastest", "slowest", "lower", "upper", "low", "high", "err",
];

impl Summary {
    /// The statistic that a header without its unit names.
    pub(crate) fn from_header(base: &str) -> Option<Summary> {
        let words = words(base);
        let rest = |words: &[String]| words.join("_");
        let (last, before) = words.split_last()?;
        if let Some((statistic, certainty)) = kind(last) {
            // `ci_low` has two words for one statistic.
            let is_double = before.last().is_some_and(|word| kind(word).is_some());
            let stem = if is_double { &before[..before.len() - 1] } else { before };
            return Some(Summary { statistic, stem: rest(stem), certainty });
        }
        let (first, behind) = words.split_first()?;
        let (statistic, certainty) = kind(first)?;
        Some(Summary { statistic, stem: rest(behind), certainty })
    }
}

/// The statistic of a word.
fn kind(word: &str) -> Option<(Statistic, Certainty)> {
    let is_number = |digits: &str| digits.parse::<f64>().is_ok_and(f64::is_finite);
    let is_percentile = word.strip_prefix(['p', 'q']).is_some_and(|digits| {
        digits.len() >= 2 && digits.starts_with(|c: char| c.is_ascii_digit()) && is_number(digits)
    });
    if MEDIANS.contains(&word) {
        Some((Statistic::Median, Certainty::Certain))
    } else if MEANS.contains(&word) {
        Some((Statistic::Mean, Certainty::Certain))
    } else if OTHERS.contains(&word)
        || word.strip_suffix('%').is_some_and(is_number)
        || word.strip_prefix("ci").is_some_and(is_number)
    {
        Some((Statistic::Other, Certainty::Certain))
    } else if is_percentile {
        Some((Statistic::Other, Certainty::Percentile))
    } else if WEAK.contains(&word) {
        Some((Statistic::Other, Certainty::Weak))
    } else {
        None
    }
}

/// The words of a name in lower case: `meanTime`, `time_p99.9`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        let is_part = c.is_alphanumeric() || c == '%' || (c == '.' && before.is_ascii_digit());
        let is_hump = c.is_uppercase() && before.is_lowercase();
        if !is_part || is_hump {
            words.push(String::new());
        }
        if is_part {
            let word = words.last_mut();
            word.into_iter().for_each(|word| word.extend(c.to_lowercase()));
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The statistics that are certain, of those that names may mean: `is_measured` says of a stem or of a column whether
/// it is a result. `max_depth` beside `time` is a parameter.
pub(crate) fn certain(
    summaries: &mut [Option<Summary>],
    is_measured: impl Fn(usize, &str) -> bool,
) {
    let mut families: HashMap<String, [usize; 2]> = HashMap::new();
    for summary in summaries.iter().flatten() {
        let [certain, percentiles] = families.entry(summary.stem.clone()).or_default();
        *certain += usize::from(summary.certainty == Certainty::Certain);
        *percentiles += usize::from(summary.certainty == Certainty::Percentile);
    }
    for (index, slot) in summaries.iter_mut().enumerate() {
        let is_certain = slot.as_ref().is_some_and(|summary| {
            let [certain, percentiles] = families[&summary.stem];
            let has_others = match summary.certainty {
                Certainty::Certain => certain + percentiles > 1 || summary.stem.is_empty(),
                Certainty::Percentile => certain + percentiles > 1,
                Certainty::Weak => certain > 0,
            };
            has_others || is_measured(index, &summary.stem)
        });
        if !is_certain {
            *slot = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_words_at_an_end_of_a_name() {
        for (name, statistic, stem) in [
            ("min", Statistic::Other, ""),
            ("time_min", Statistic::Other, "time"),
            ("Mean Time", Statistic::Mean, "time"),
            ("walltime_avg", Statistic::Mean, "walltime"),
            ("number_pat_min", Statistic::Other, "number_pat"),
            ("p50", Statistic::Median, ""),
            ("p99", Statistic::Other, ""),
            ("time.p99.9", Statistic::Other, "time"),
            ("50%", Statistic::Median, ""),
            ("75%", Statistic::Other, ""),
            ("meanTime", Statistic::Mean, "time"),
            ("ci_low", Statistic::Other, ""),
            ("ci95", Statistic::Other, ""),
        ] {
            let summary = Summary::from_header(name).unwrap();
            assert_eq!((summary.statistic, summary.stem.as_str()), (statistic, stem), "{name}");
        }
        for name in ["time", "N", "P4", "maximize", "minutes", "amount", "q1", "size"] {
            assert_eq!(Summary::from_header(name), None, "{name}");
        }
    }

    #[test]
    fn a_parameter_is_no_statistic() {
        let kept = |names: &[&str]| {
            let mut all: Vec<_> = names.iter().map(|name| Summary::from_header(name)).collect();
            certain(&mut all, |_, stem| stem == "time");
            let kept = names.iter().zip(all).filter(|(_, summary)| summary.is_some());
            kept.map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(kept(&["max_depth", "count", "p16", "time"]), Vec::<String>::new());
        assert_eq!(kept(&["N", "min", "time_p99"]), ["min", "time_p99"]);
        assert_eq!(kept(&["number", "pat_min", "pat_avg"]), ["pat_min", "pat_avg"]);
        assert_eq!(kept(&["count", "mean"]), ["count", "mean"]);
        assert_eq!(kept(&["p90", "p99"]), ["p90", "p99"]);
    }
}
