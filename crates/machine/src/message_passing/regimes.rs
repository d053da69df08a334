//! Times of an MPI that were seen in several regimes.

use super::{Collective, CollectiveLine, MessageCall, MessageLine, MessagePassing, MpiSamples};
use crate::communication::Segment;
use crate::measured::lines;
use crate::regimes::Regimes;

/// The sizes in bytes at which lines of two machines are compared, and in words: two fits of the same times may have their
/// pieces at other places.
pub(crate) const SIZES: [(f64, &str); 4] =
    [(8.0, "8 B"), (1024.0, "1 KiB"), (65536.0, "64 KiB"), (1_048_576.0, "1 MiB")];

/// `Open MPI 4.1.4 on 2 hosts`.
pub(crate) fn library(mpi: &str, hosts: u32) -> String {
    match hosts {
        1 => mpi.to_owned(),
        _ => format!("{mpi} on {hosts} hosts"),
    }
}

impl MessageLine {
    /// Returns the names of the times, at the [`SIZES`] that were measured: the name, and the bytes.
    pub(crate) fn names(&self) -> Vec<(String, f64)> {
        let partner = match self.partner {
            Some(partner) => format!(" ({})", partner.name()),
            None => String::new(),
        };
        let head = format!("{}, {}{partner}", library(&self.mpi, self.hosts), self.call.name());
        let sizes = SIZES.into_iter().filter(|(length, _)| is_within(&self.segments, *length));
        sizes.map(|(bytes, size)| (format!("{head} of {size}"), bytes)).collect()
    }
}

impl CollectiveLine {
    /// Returns the names of the times, at the [`SIZES`] that were measured: the name, and the bytes.
    pub(crate) fn names(&self) -> Vec<(String, f64)> {
        let head = format!("{}, {}", library(&self.mpi, self.hosts), self.call.name());
        let with = format!("with {} processes", self.processes);
        if self.call == Collective::Barrier {
            return vec![(format!("{head} {with}"), 0.0)];
        }
        let sizes = SIZES.into_iter().filter(|(length, _)| is_within(&self.segments, *length));
        sizes.map(|(bytes, size)| (format!("{head} of {size} {with}"), bytes)).collect()
    }
}

fn is_within(segments: &[Segment], bytes: f64) -> bool {
    let (first, last) = (segments.first(), segments.last());
    first.zip(last).is_some_and(|(first, last)| first.from <= bytes && bytes <= last.to)
}

impl MpiSamples<'_> {
    /// The regimes of the times that these samples gave; the intervals of the times are widened by them.
    pub fn regimes(self, passing: &mut MessagePassing) -> Vec<Regimes> {
        let mut all = Vec::new();
        for line in &mut passing.messages {
            let (call, partner) = match (line.call, line.partner) {
                (MessageCall::Total, _) => ("receive", "late"),
                (MessageCall::Emission, _) => ("isend", "posted"),
                (MessageCall::Reception, _) => ("irecv", "early"),
                // A difference of the three.
                (MessageCall::Transit, _) => continue,
                (call, partner) => (call.name(), partner.map_or("-", super::Partner::name)),
            };
            let rows = self.all.iter().filter(|sample| {
                sample.mpi == line.mpi
                    && sample.hosts == line.hosts
                    && sample.call == call
                    && sample.partner == partner
            });
            let segment_regimes =
                lines::regimes(&mut line.segments, rows.map(|sample| (sample.bytes, sample.value)));
            named(&line.segments, &segment_regimes, line.names(), &mut all);
        }
        for line in &mut passing.collectives {
            let rows = self.all.iter().filter(|sample| {
                sample.mpi == line.mpi
                    && sample.hosts == line.hosts
                    && sample.call == line.call.name()
                    && sample.processes == line.processes
            });
            let bytes = |bytes: f64| if line.call == Collective::Barrier { 0.0 } else { bytes };
            let rows = rows.map(|sample| (bytes(sample.bytes), sample.value));
            let segment_regimes = lines::regimes(&mut line.segments, rows);
            named(&line.segments, &segment_regimes, line.names(), &mut all);
        }
        all
    }
}

/// Adds the regimes of segments, as those of their times at some sizes.
fn named(
    segments: &[Segment],
    segment_regimes: &[Option<Regimes>],
    names: Vec<(String, f64)>,
    all: &mut Vec<Regimes>,
) {
    for (name, bytes) in names {
        let index =
            segments.iter().position(|segment| segment.from <= bytes && bytes <= segment.to);
        if let Some((segment, Some(regimes))) =
            index.map(|index| (&segments[index], &segment_regimes[index]))
        {
            all.push(regimes.times(name, "s", segment.l.value + segment.g.value * bytes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::MpiSample;
    use super::*;

    #[test]
    fn a_launch_with_far_processors_is_a_regime_of_small_messages() {
        let mut noise = fastrand::Rng::with_seed(2);
        let mut all = Vec::new();
        for round in 0..5 {
            for step in 0..20 {
                let bytes = 8.0 * 2f64.powi(step);
                let factor = if round == 3 && bytes <= 4096.0 { 1.6 } else { 1.0 };
                let line =
                    if bytes <= 4096.0 { 380e-9 + 1e-11 * bytes } else { 2e-6 + 8e-11 * bytes };
                let (mpi, call, partner) = ("An MPI".into(), "send".into(), "posted".into());
                let value = factor * line * (0.99 + 0.02 * noise.f64());
                all.push(MpiSample {
                    mpi,
                    hosts: 1,
                    call,
                    partner,
                    bytes,
                    processes: 2,
                    round,
                    value,
                });
            }
        }
        let samples = MpiSamples { all: &all, cores: 2, wider: 0.0 };
        let mut passing = samples.evaluate();
        let before = passing.messages[0].time(8.0);
        let regimes = samples.regimes(&mut passing);
        let small =
            regimes.iter().find(|regimes| regimes.what == "An MPI, send (posted) of 8 B").unwrap();
        let [near, far] = small.seen[..] else { panic!("{small:?}") };
        assert!(
            (far.at / near.at - 1.6).abs() < 0.05 && (far.share - 0.2).abs() < 1e-9,
            "{small:?}"
        );
        let time = passing.messages[0].time(8.0);
        assert_eq!(time.value, before.value);
        assert!(time.high > 1.5 * time.value, "{time:?}");
        assert!(regimes.iter().all(|regime| !regime.what.contains("MiB")), "{regimes:?}");
    }
}
