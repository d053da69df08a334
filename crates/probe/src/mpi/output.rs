//! The output of the probe of an MPI, and the raw samples.

use std::fmt::Write as _;

use cll_machine::MpiSample;

/// The output of a launch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MpiOutput {
    /// The MPI: `Open MPI 4.1.4`; empty if it was not said.
    pub library: String,
    /// Whether there are two processes on one host, and whether there are two on different ones.
    pub pairs: (bool, bool),
    /// The samples.
    pub samples: Vec<MpiTimed>,
    /// The tasks that could not be done, in words.
    pub missing: Vec<String>,
    /// Whether it has come to its end.
    pub ended: bool,
}

/// A sample, and the state in which it was taken.
#[derive(Clone, Debug, PartialEq)]
pub struct MpiTimed {
    /// The sample.
    pub sample: MpiSample,
    /// Seconds of its timed part.
    pub wall: f64,
    /// Seconds of processor time of the first process in it.
    pub cpu: f64,
    /// The number of involuntary switches.
    pub switches: u64,
    /// Nanoseconds of a multiply-add just before it.
    pub canary: f64,
    /// Nanoseconds of a message of 8 bytes just before it; 0 if there was none.
    pub neighbour: f64,
}

impl MpiOutput {
    /// Parses what a launch of this round has printed. Lines of launchers and damaged ones are passed over.
    pub fn read(text: &str, round: usize) -> MpiOutput {
        let mut output = MpiOutput::default();
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["library", ..] => output.library = short(line.trim_start_matches("library")),
                ["hosts", _, pairs] => {
                    output.pairs = (pairs.contains("within"), pairs.contains("between"));
                }
                ["sample", ref rest @ ..] => output.samples.extend(sample(rest, round)),
                ["missing", ..] => {
                    output.missing.push(line.trim_start_matches("missing").trim().to_owned());
                }
                ["end"] => output.ended = true,
                _ => {}
            }
        }
        for timed in &mut output.samples {
            timed.sample.mpi.clone_from(&output.library);
        }
        output
    }
}

/// `Open MPI v4.1.4, package: …` is `Open MPI 4.1.4`, `MPICH Version: 4.0.2` is `MPICH 4.0.2`.
fn short(text: &str) -> String {
    let text = text.split(',').next().unwrap_or_default();
    let words = text.split_whitespace().filter(|word| *word != "Version:").map(|word| {
        let digits =
            word.strip_prefix('v').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        digits.unwrap_or(word)
    });
    words.collect::<Vec<_>>().join(" ")
}

fn sample(words: &[&str], round: usize) -> Option<MpiTimed> {
    let [call, partner, bytes, hosts, processes, value, wall, cpu, switches, canary, neighbour] =
        words
    else {
        return None;
    };
    let number =
        |word: &str| word.parse::<f64>().ok().filter(|value| value.is_finite() && *value >= 0.0);
    let scale = if *call == "eager" { 1.0 } else { 1e-9 };
    let sample = MpiSample {
        mpi: String::new(),
        hosts: hosts.parse().ok().filter(|count| *count > 0)?,
        call: (*call).to_owned(),
        partner: (*partner).to_owned(),
        bytes: number(bytes)?,
        processes: processes.parse().ok()?,
        round,
        value: number(value)? * scale,
    };
    Some(MpiTimed {
        sample,
        wall: number(wall)?,
        cpu: number(cpu)?,
        switches: switches.parse().ok()?,
        canary: number(canary)?,
        neighbour: number(neighbour)?,
    })
}

/// The first titles, also in files of earlier versions.
const FIRST_TITLES: &[u8] = b"round,mpi,";

const TITLES: &str = "round,mpi,hosts,processes,call,partner,bytes,value,wall_s,cpu_s,involuntary_switches,\
                      canary_ns,neighbour_ns\n";

/// Whether a file that begins so is a raw file.
pub fn is_csv(start: &[u8]) -> bool {
    start.starts_with(FIRST_TITLES)
}

/// The raw file: a row for each sample.
pub fn csv(samples: &[MpiTimed]) -> String {
    let mut out = TITLES.to_owned();
    for timed in samples {
        let MpiSample { mpi, hosts, call, partner, bytes, processes, round, value } = &timed.sample;
        let MpiTimed { wall, cpu, switches, canary, neighbour, .. } = timed;
        let mpi = mpi.replace([',', '"'], " ");
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{round},{mpi},{hosts},{processes},{call},{partner},{bytes},{value:e},{wall:e},{cpu:e},{switches},{canary},\
             {neighbour}"
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_launchers_and_damaged_ones_are_passed_over() {
        let text = "[host] a warning of mpirun\nlibrary Open MPI v4.1.4, package: Debian\nhosts 2 within,between\n\
                    sample send late 8 1 2 250.5 0.0002 0.0002 0 1.5 240.0\nsample send late 8 1 2 nan 0 0 0 0 0\n\
                    sample eager inside 0 1 2 4040 0.2 0.1 1 1.5 500.0\nmissing a thing\nsample send\nend\n";
        let output = MpiOutput::read(text, 3);
        assert_eq!((output.library.as_str(), output.pairs), ("Open MPI 4.1.4", (true, true)));
        let [send, eager] = &output.samples[..] else { panic!("{output:?}") };
        assert_eq!((send.sample.value, send.sample.round), (250.5 * 1e-9, 3));
        assert_eq!((eager.sample.value, eager.sample.mpi.as_str()), (4040.0, "Open MPI 4.1.4"));
        assert!(output.ended && output.missing == ["a thing"]);
        assert_eq!(short(" MPICH Version:\t4.0.2"), "MPICH 4.0.2");
        assert_eq!(csv(&output.samples).lines().count(), 3);
        assert_eq!(MpiOutput::read("", 0), MpiOutput::default());
    }
}
