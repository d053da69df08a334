//! The output of a probe.

use cll_machine::{Pattern, Synchronisation};

/// The output of one launch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProbeOutput {
    /// Supersteps with communication.
    pub samples: Vec<SampleLine>,
    /// Seconds of an empty superstep, batch by batch.
    pub empty: Vec<(Synchronisation, f64)>,
    /// Operations per second.
    pub rate: Option<f64>,
    /// The processors' clocks differ.
    pub clocks_apart: bool,
}

/// A line `sample …`; times in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleLine {
    /// The pattern: which processor sends to which.
    pub pattern: Pattern,
    /// Bytes to one other processor.
    pub bytes: f64,
    /// h for @ = max.
    pub h_max: f64,
    /// h for @ = +.
    pub h_sum: f64,
    /// The number of supersteps of which it is the median.
    pub count: u32,
    /// Time of the synchronisation.
    pub sync: f64,
    /// The quartiles.
    pub quartiles: (f64, f64),
    /// Time of the requests before it.
    pub calls: f64,
    /// How much longer the first read of the data takes than the second.
    pub fetch: f64,
}

impl ProbeOutput {
    /// Parses the lines of the probe; launchers print others.
    pub fn read(text: &str) -> ProbeOutput {
        let mut output = ProbeOutput::default();
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["sample", ref rest @ ..] => output.samples.extend(sample(rest)),
                ["empty", kind, _, ns] => {
                    let kind = Synchronisation::ALL
                        .into_iter()
                        .find(|synchronisation| synchronisation.name() == kind);
                    output.empty.extend(kind.zip(ns.parse::<f64>().ok().map(|ns| ns * 1e-9)));
                }
                ["rate", rate] => output.rate = rate.parse().ok(),
                ["clocks", "apart"] => output.clocks_apart = true,
                _ => {}
            }
        }
        output
    }
}

fn sample(words: &[&str]) -> Option<SampleLine> {
    let [pattern, bytes, h_max, h_sum, count, sync, low, high, calls, fetch] = words else {
        return None;
    };
    let number = |word: &str| word.parse::<f64>().ok().filter(|value| value.is_finite());
    let seconds = |word: &str| Some(number(word)? * 1e-9);
    Some(SampleLine {
        pattern: Pattern::ALL.into_iter().find(|known| known.name() == *pattern)?,
        bytes: number(bytes)?,
        h_max: number(h_max)?,
        h_sum: number(h_sum)?,
        count: count.parse().ok()?,
        sync: seconds(sync)?,
        quartiles: (seconds(low)?, seconds(high)?),
        calls: seconds(calls)?,
        fetch: seconds(fetch)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_others_are_passed_over() {
        let text = "mpirun says hello\nrate 2e9\nempty barrier 64 61.5\nempty sideways 1 2\n\
                    sample shift 8 8 16 31 500.0 450.0 600.0 30.0 20.0\nsample shift 8\nclocks apart\n";
        let output = ProbeOutput::read(text);
        assert_eq!((output.rate, output.clocks_apart), (Some(2e9), true));
        assert_eq!(output.empty, [(Synchronisation::Barrier, 61.5 * 1e-9)]);
        let [row] = &output.samples[..] else { panic!("{output:?}") };
        assert_eq!((row.pattern, row.h_sum, row.sync), (Pattern::Shift, 16.0, 500.0 * 1e-9));
        assert_eq!(ProbeOutput::read(""), ProbeOutput::default());
    }
}
