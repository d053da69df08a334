//! Two programs on numbers of processors and machines: the JSON `cll-gains` of `docs/formats/obsp.md`, and Table 1 of the
//! paper on the profiler by call graphs (2002).

use cll_model::Interval;
use cll_profile::diff::Change;
use cll_units::Seconds;
use schemars::JsonSchema;
use serde::Serialize;

/// The times of two programs, measured and predicted.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Gains {
    format: &'static str,
    version: u32,
    /// One program with its arguments.
    pub first: String,
    /// The one that is held against it.
    pub second: String,
    /// As measured, and for each machine as predicted.
    pub tables: Vec<GainTable>,
    /// Notes that the reader should know.
    pub notes: Vec<String>,
}

impl Gains {
    /// Makes the gains of two programs from their tables and notes.
    pub fn new(first: String, second: String, tables: Vec<GainTable>, notes: Vec<String>) -> Gains {
        Gains { format: "cll-gains", version: 1, first, second, tables, notes }
    }
}

/// Times of one kind.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GainTable {
    /// `measured`, `virtual`, or the model: `OBSP*`.
    pub kind: &'static str,
    /// The machine of predicted times.
    pub machine: Option<String>,
    /// Ascending by processors.
    pub points: Vec<GainPoint>,
}

/// A time of a program, and its interval if it has one.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GainTime {
    /// The median of runs, or the prediction.
    #[serde(rename = "time_s")]
    pub time: Seconds,
    /// Lower end.
    #[serde(rename = "low_s")]
    pub low: Option<Seconds>,
    /// Upper end.
    #[serde(rename = "high_s")]
    pub high: Option<Seconds>,
    /// The time on one processor by this one.
    pub speed_up: Option<f64>,
    /// The number of runs.
    pub runs: usize,
}

/// Both programs on one number of processors.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GainPoint {
    /// The number of processors.
    pub processors: u32,
    /// The first program.
    pub first: GainTime,
    /// The second.
    pub second: GainTime,
    /// The first time by the second: above 1 where the second program is faster.
    pub ratio: f64,
    /// Lower end of its interval; `None` where it is not known.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

impl GainPoint {
    /// The median of times, which is shown; not a number without any.
    pub fn median(times: &[Seconds]) -> Seconds {
        let mut times: Vec<f64> = times.iter().map(|time| time.get()).collect();
        times.sort_by(f64::total_cmp);
        let half = times.len() / 2;
        let middle = |k: usize| times.get(k).copied().unwrap_or(f64::NAN);
        Seconds(f64::midpoint(
            middle(half),
            middle(half - usize::from(times.len().is_multiple_of(2) && half > 0)),
        ))
    }

    /// From the times of runs, of which each program has one at least; the interval is Welch's, of the logarithms, and
    /// needs two runs of each. `ones` are the times on one processor.
    pub fn measured(
        processors: u32,
        runs: [&[Seconds]; 2],
        ones: [Option<Seconds>; 2],
        confidence: f64,
    ) -> GainPoint {
        let [first, second] = [0, 1].map(|side| {
            let time = GainPoint::median(runs[side]);
            let speed_up = ones[side].map(|seconds| seconds / time);
            GainTime { time, low: None, high: None, speed_up, runs: runs[side].len() }
        });
        let [of_first, of_second] =
            runs.map(|runs| runs.iter().map(|run| run.get().ln()).collect::<Vec<_>>());
        let change = Change::new(&of_second, &of_first, confidence);
        let ends = change.interval.map(|(low, high)| {
            // About the quotient of medians, which is shown.
            let middle = (first.time / second.time) / change.difference.exp();
            (low.exp() * middle, high.exp() * middle)
        });
        GainPoint {
            processors,
            ratio: first.time / second.time,
            low: ends.map(|ends| ends.0),
            high: ends.map(|ends| ends.1),
            first,
            second,
        }
    }

    /// From predictions. Both use the same costs of the machine, so that their errors go together; the interval is that of
    /// independent errors, and at least as wide as it must be.
    pub fn predicted(
        processors: u32,
        times: [Interval; 2],
        ones: [Option<Seconds>; 2],
    ) -> GainPoint {
        let [first, second] = [0, 1].map(|side| {
            let interval = times[side];
            let known = interval.low < interval.high;
            GainTime {
                time: interval.value,
                low: known.then_some(interval.low),
                high: known.then_some(interval.high),
                speed_up: ones[side].map(|alone| alone / interval.value),
                runs: 1,
            }
        });
        let ratio = first.time / second.time;
        let [a, b] = times;
        let known = a.low < a.high || b.low < b.high;
        let known = known && a.low > Seconds::ZERO && b.low > Seconds::ZERO;
        let apart = |x: f64, y: f64| x.ln().hypot(y.ln());
        let down = apart(a.value / a.low, b.high / b.value);
        let up = apart(a.high / a.value, b.value / b.low);
        GainPoint {
            processors,
            first,
            second,
            ratio,
            low: known.then(|| ratio * (-down).exp()),
            high: known.then(|| ratio * up.exp()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(all: &[f64]) -> Vec<Seconds> {
        all.iter().copied().map(Seconds).collect()
    }

    /// Cray T3D on 16 processors: the optimised program is slower. Intel's cluster on one: 51 % by the other's time.
    #[test]
    fn ratios_are_those_of_the_paper() {
        for (first, second, ratio) in [(1.66, 1.89, 0.8783), (19.68, 13.01, 1.5127)] {
            let runs = [seconds(&[first]), seconds(&[second])];
            let point = GainPoint::measured(16, [&runs[0], &runs[1]], [None, None], 0.9);
            assert!((point.ratio - ratio).abs() < 1e-4, "{point:?}");
            assert_eq!((point.low, point.first.speed_up), (None, None));
        }
    }

    #[test]
    fn several_runs_give_an_interval() {
        // Logarithms 0 and 0.2; -1 and -0.8: the difference is 1, its standard error sqrt(2) * 0.1, with two degrees of
        // freedom Student's t is 2.920 at 90 %.
        let runs = [seconds(&[1.0, 0.2f64.exp()]), seconds(&[(-1f64).exp(), (-0.8f64).exp()])];
        let ones = [Some(Seconds(4.0)), None];
        let point = GainPoint::measured(4, [&runs[0], &runs[1]], ones, 0.9);
        let half = 2.919_986 * 2f64.sqrt() * 0.1;
        assert!((point.ratio - 1f64.exp()).abs() < 1e-9, "{point:?}");
        assert!((point.low.unwrap() - (1.0 - half).exp()).abs() < 1e-5, "{point:?}");
        assert!((point.high.unwrap() - (1.0 + half).exp()).abs() < 1e-5, "{point:?}");
        let median = f64::midpoint(1.0, 0.2f64.exp());
        assert!((point.first.speed_up.unwrap() - 4.0 / median).abs() < 1e-9);
    }

    #[test]
    fn predictions_have_the_interval_of_independent_errors() {
        let interval = |value: f64, by: f64| Interval {
            value: Seconds(value),
            low: Seconds(value / by),
            high: Seconds(value * by),
            confidence: 0.9,
        };
        let point =
            GainPoint::predicted(2, [interval(6.0, 1.3f64), interval(3.0, 1.4)], [None, None]);
        let half = 1.3f64.ln().hypot(1.4f64.ln()).exp();
        assert!((point.ratio - 2.0).abs() < 1e-12);
        assert!((point.high.unwrap() - 2.0 * half).abs() < 1e-12, "{point:?}");
        assert!((point.low.unwrap() - 2.0 / half).abs() < 1e-12, "{point:?}");
        let exact = GainPoint::predicted(2, [interval(6.0, 1.0), interval(3.0, 1.0)], [None, None]);
        assert_eq!((exact.low, exact.high), (None, None));
    }
}
