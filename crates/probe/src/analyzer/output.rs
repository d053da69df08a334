//! The output of the probes, and the raw samples.

use std::fmt::Write as _;

use cll_machine::{AnalyzerSample, SampleKind};

/// The output of a launch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KernelOutput {
    /// The samples.
    pub samples: Vec<Timed>,
    /// The tasks that the program could not do, in words.
    pub missing: Vec<String>,
    /// Whether it has come to its end.
    pub ended: bool,
}

/// A sample, and the state in which it was taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Timed {
    /// The sample.
    pub sample: AnalyzerSample,
    /// The round, from 0.
    pub round: usize,
    /// Seconds of its timed part.
    pub wall: f64,
    /// Seconds of processor time of its thread in it.
    pub cpu: f64,
    /// Involuntary switches in it.
    pub switches: u64,
    /// Nanoseconds of a multiply-add just before it.
    pub canary: f64,
}

impl KernelOutput {
    /// Parses what a launch of this round has printed. Lines that are damaged are passed over.
    pub fn read(text: &str, round: usize) -> KernelOutput {
        let mut output = KernelOutput::default();
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["sample", ref rest @ ..] => output.samples.extend(sample(rest, round)),
                ["missing", ..] => {
                    output.missing.push(line.trim_start_matches("missing").trim().to_owned());
                }
                ["end"] => output.ended = true,
                _ => {}
            }
        }
        output
    }
}

fn sample(words: &[&str], round: usize) -> Option<Timed> {
    let [kind, name, stride, bytes, cores, value, wall, cpu, switches, canary] = words else {
        return None;
    };
    let number =
        |word: &str| word.parse::<f64>().ok().filter(|value| value.is_finite() && *value >= 0.0);
    let sample = AnalyzerSample {
        kind: SampleKind::ALL.into_iter().find(|sample_kind| sample_kind.name() == *kind)?,
        name: (*name).to_owned(),
        stride: number(stride)?,
        bytes: number(bytes)?,
        cores: cores.parse().ok()?,
        time: number(value)? * 1e-9,
    };
    let (wall, cpu, canary) = (number(wall)?, number(cpu)?, number(canary)?);
    Some(Timed { sample, round, wall, cpu, switches: switches.parse().ok()?, canary })
}

/// The first titles, also in files of earlier versions.
const FIRST_TITLES: &[u8] = b"round,kind,";

const TITLES: &str =
    "round,kind,name,stride_bytes,bytes,cores,time_s,wall_s,cpu_s,involuntary_switches,canary_ns\n";

/// Whether a file that begins so is a raw file.
pub fn is_csv(start: &[u8]) -> bool {
    start.starts_with(FIRST_TITLES)
}

/// The raw file: a row for each sample.
pub fn csv(samples: &[Timed]) -> String {
    let mut out = TITLES.to_owned();
    for timed in samples {
        let AnalyzerSample { kind, name, stride, bytes, cores, time } = &timed.sample;
        let Timed { round, wall, cpu, switches, canary, .. } = timed;
        let kind = kind.name();
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{round},{kind},{name},{stride},{bytes},{cores},{time:e},{wall:e},{cpu:e},{switches},{canary}"
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_lines_are_passed_over() {
        let text = "hello\nsample latency large 64 4096 1 1.25 0.00002 0.00002 0 1.0\nsample latency large 64\n\
                    sample latency large 64 4096 1 nan 0 0 0 1\nsample sideways large 64 4096 1 1 0 0 0 1\n\
                    missing huge pages: none\n";
        let output = KernelOutput::read(text, 2);
        let [timed] = &output.samples[..] else { panic!("{output:?}") };
        assert_eq!((timed.round, timed.sample.bytes, timed.sample.time), (2, 4096.0, 1.25 * 1e-9));
        assert_eq!(output.missing, ["huge pages: none"]);
        assert!(!output.ended);
        assert_eq!(csv(&output.samples).lines().count(), 2);
    }
}
