//! The cost of measuring, as sentences.

use cll_fit::MIN_PAIRS;
use cll_result::{Against, DilationModel, Measuring, Sampling};
use cll_units::digits::nonzero;
use cll_units::text::{PercentDigits, percent, percent_range};

/// An interval around zero that is at most this wide means that the cost is small; a wider one means that it is not
/// known.
const MAX_NARROW_SHARE: f64 = 0.02;

/// Sentences on the run, its experiments, and lines that were compiled to other code. `is_told`: what measuring costs the
/// run is said elsewhere in the report.
pub fn costs(sampling: &Sampling, is_told: bool) -> Vec<String> {
    let mut lines = if is_told { Vec::new() } else { of_all(sampling) };
    lines.extend(of_code(sampling));
    lines
}

/// The share of a run that measuring takes, with its interval, if it is certain to be more than `markers`.
pub(crate) fn more_than(sampling: &Sampling, markers: f64) -> Option<String> {
    let measuring = sampling.measuring.as_ref()?;
    let (low, high) = (measuring.low?, measuring.high?);
    (low > markers.max(0.0))
        .then(|| format!("{} ({})", cost(measuring.share), percent_range(low, high)))
}

/// The cost of the run and of its experiments.
fn of_all(sampling: &Sampling) -> Vec<String> {
    let mut lines: Vec<String> = sampling.measuring.iter().map(of_run).collect();
    let is_beyond = sampling
        .measuring
        .as_ref()
        .is_some_and(|measuring| measuring.low.is_some_and(|low| low > 0.0));
    let is_of_none = sampling.dilation.iter().all(|dilation| dilation.per_region.is_none());
    if is_beyond && is_of_none && !sampling.dilation.is_empty() {
        lines.push(
            "markers do not take so much: the compiler made other code because of them, or the same \
             code takes another time at another place in memory"
                .to_owned(),
        );
    }
    lines.extend(of_experiments(sampling));
    lines
}

/// The lines that were compiled to other code.
fn of_code(sampling: &Sampling) -> Vec<String> {
    let mut lines = Vec::new();
    let code = sampling.measuring.iter().filter_map(|measuring| measuring.code.as_ref());
    lines.extend(code.flatten().map(|line| {
        format!(
            "the compiler made other code of {}:{} because of the markers: {}",
            line.file,
            line.line,
            times(line.with, line.without)
        )
    }));
    if let Some(measuring) = sampling.measuring.as_ref()
        && measuring.code.as_ref().is_some_and(Vec::is_empty)
    {
        let differs = measuring.low.is_some_and(|low| low > 0.0)
            || measuring.high.is_some_and(|high| high < 0.0);
        let why = if differs {
            ": what differs is where the code lies in memory, or the library's work"
        } else {
            ""
        };
        lines.push(format!(
            "no line has over 5 % more or fewer instructions than without markers{why}"
        ));
    }
    lines
}

/// The cost of measuring for the run.
fn of_run(measuring: &Measuring) -> String {
    let run = if measuring.run.is_empty() {
        "the run".to_owned()
    } else {
        format!("the run with {}", measuring.run)
    };
    let text = match (measuring.low, measuring.high) {
        (Some(low), Some(high)) if low > 0.0 => {
            format!(
                "measuring costs {} ({}) of {run}",
                cost(measuring.share),
                percent_range(low, high)
            )
        }
        (Some(low), Some(high)) if (-low).max(high) <= MAX_NARROW_SHARE => {
            format!("measuring costs less than {} of {run}", bound((-low).max(high)))
        }
        (Some(low), Some(high)) => format!(
            "what measuring costs {run} is not known better than ±{}: runs differ by more than that",
            bound((-low).max(high))
        ),
        _ => format!(
            "what measuring costs {run} is not known: runs with and without markers were compared \
             {}, and {MIN_PAIRS} times are needed",
            match measuring.pairs {
                1 => "once".to_owned(),
                count => format!("{count} times"),
            }
        ),
    };
    let against = match (measuring.against, &measuring.because) {
        (Against::Plain, _) => String::new(),
        (Against::Gate, None) => " (compared with the gate closed)".to_owned(),
        (Against::Gate, Some(why)) => format!(
            " (compared with the gate closed, which does not show what the markers change in the \
             code: {why})"
        ),
    };
    // In a long run it is negligible.
    let start = if measuring.start > 0.005 * measuring.with {
        format!("; the library's start took {} ms more", nonzero(1e3 * measuring.start.get()))
    } else {
        String::new()
    };
    text + &against + &start
}

/// The cost of regions, that of several experiments with the same cost together: pairs of markers are alike.
fn of_experiments(sampling: &Sampling) -> Vec<String> {
    /// More are counted, not named.
    const NAMED: usize = 3;
    let mut alike: Vec<Vec<&DilationModel>> = Vec::new();
    for dilation in &sampling.dilation {
        let cost = |model: &DilationModel| {
            (model.per_region, model.per_region_low, model.per_region_high, model.too_short)
        };
        match alike.iter_mut().find(|known| cost(known[0]) == cost(dilation)) {
            Some(known) if sampling.measuring.is_some() => known.push(dilation),
            _ => alike.push(vec![dilation]),
        }
    }
    let text = |all: Vec<&DilationModel>| {
        let names: Vec<&str> = all.iter().map(|dilation| dilation.experiment.as_str()).collect();
        let name = match &names[..] {
            [name] => (*name).to_owned(),
            [first @ .., last] if names.len() <= NAMED => format!("{} or {last}", first.join(", ")),
            _ => format!("each of {} experiments", names.len()),
        };
        of_experiment(all[0], &name, sampling)
    };
    alike.into_iter().filter_map(text).collect()
}

/// The cost of a region if it is known, and whether regions are too short.
fn of_experiment(dilation: &DilationModel, name: &str, sampling: &Sampling) -> Option<String> {
    let cost = dilation.per_region.map(|each| {
        let interval = match (dilation.per_region_low, dilation.per_region_high) {
            (Some(low), Some(high)) => {
                format!(" ({} to {})", nanoseconds(low.get()), nanoseconds(high.get()))
            }
            _ => String::new(),
        };
        // A model of an older version has nothing else on the run.
        let of_run = match sampling.measuring {
            Some(_) => String::new(),
            None if dilation.share > 0.0 => format!("{} of the run, ", cost(dilation.share)),
            None => String::new(),
        };
        format!("measuring {name} costs {of_run}{} ns{interval} a region", nanoseconds(each.get()))
    });
    let cost = match sampling.measuring {
        Some(_) => cost,
        None => cost.filter(|_| dilation.share >= 0.01 || dilation.too_short),
    };
    match (cost, dilation.too_short, dilation.per_region) {
        (Some(cost), true, Some(each)) => Some(format!(
            "{cost}; its regions are too short to be distinguished from their markers: each took between {} ns \
             less than measured and what was measured",
            nanoseconds(each.get())
        )),
        (None, true, _) => Some(format!(
            "the regions of {name} are too short to be distinguished from their markers"
        )),
        (cost, ..) => cost,
    }
}

/// The share of a run that measuring takes.
fn cost(share: f64) -> String {
    percent(share, PercentDigits::Nonzero)
}

/// The same, not below the share.
fn bound(share: f64) -> String {
    percent(share, PercentDigits::Above)
}

fn nanoseconds(seconds: f64) -> String {
    nonzero(1e9 * seconds)
}

/// The ratio of instructions.
fn times(with: u64, without: u64) -> String {
    match without {
        0 => format!("{with} instructions in place of none"),
        _ => format!("{:.2} times the instructions", with as f64 / without as f64),
    }
}

#[cfg(test)]
mod tests {
    use cll_units::Seconds;

    use super::*;

    fn measuring(share: f64, bounds: Option<(f64, f64)>) -> Measuring {
        Measuring {
            run: "N=500".into(),
            pairs: 7,
            with: Seconds(1.0),
            without: Seconds(1.0 - share),
            share,
            low: bounds.map(|(low, _)| low),
            high: bounds.map(|(_, high)| high),
            ..Measuring::default()
        }
    }

    #[test]
    fn no_share_is_zero_and_noise_is_no_number() {
        let text = |share, low, high| of_run(&measuring(share, Some((low, high))));
        let run = "of the run with N=500";
        assert_eq!(
            text(0.004, 0.001, 0.008),
            format!("measuring costs 0.4 % (0.1 to 0.8 %) {run}")
        );
        assert_eq!(text(0.123, 0.0004, 0.25), format!("measuring costs 12 % (0.04 to 25 %) {run}"));
        assert_eq!(text(0.0, -0.001, 0.008), format!("measuring costs less than 0.8 % {run}"));
        assert_eq!(text(0.0, -1e-9, 1e-9), format!("measuring costs less than 0.001 % {run}"));
        assert_eq!(text(0.001, -0.0131, 0.004), format!("measuring costs less than 1.4 % {run}"));
        assert_eq!(
            text(0.01, -0.02, 0.0481),
            "what measuring costs the run with N=500 is not known better than ±4.9 %: runs differ by \
             more than that"
        );
        // Markers save no time.
        assert_eq!(
            text(-0.64, -0.93, -0.49),
            "what measuring costs the run with N=500 is not known better than ±93 %: runs differ by \
             more than that"
        );
        let few = of_run(&Measuring { pairs: 1, run: String::new(), ..measuring(0.3, None) });
        assert!(few.starts_with("what measuring costs the run is not known:"), "{few}");
        for exponent in 0..400 {
            let share = 1.2f64.powi(exponent - 300);
            let text = of_run(&measuring(share, Some((-share, share))));
            assert!(!text.contains(" 0.0 %") && !text.contains("0.00 %"), "{share}: {text}");
        }
    }

    #[test]
    fn a_bound_is_rounded_up() {
        for share in [0.00799, 0.0081, 0.0123, 0.2301, 0.0999, 0.00011] {
            let bound: f64 = bound(share).strip_suffix(" %").unwrap().parse().unwrap();
            assert!(bound >= 100.0 * share && bound <= 115.0 * share + 0.1, "{share}: {bound}");
        }
    }

    #[test]
    fn what_it_was_compared_with_is_said() {
        let gate = Measuring {
            against: Against::Gate,
            because: Some("without `#pragma cll for` the program does less".into()),
            ..measuring(0.004, Some((0.001, 0.008)))
        };
        let text = of_run(&gate);
        assert!(
            text.contains("the code: without `#pragma cll for` the program does less)"),
            "{text}"
        );
    }

    #[test]
    fn lines_of_other_code_are_named() {
        assert_eq!(times(137, 100), "1.37 times the instructions");
        assert_eq!(times(137, 0), "137 instructions in place of none");
    }
}
