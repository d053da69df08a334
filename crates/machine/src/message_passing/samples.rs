//! From the samples of the probe of an MPI to its costs.

use std::collections::{BTreeMap, BTreeSet};

use cll_statistics::median;

use super::{
    Collective, CollectiveLine, MessageCall, MessageLine, MessagePassing, MpiLibrary, Partner,
    ProcessStart,
};
use crate::communication::Segment;
use crate::measured::{lines, middle};
use crate::uncertain::Uncertain;

/// The result of one launch for a call at one size.
#[derive(Clone, Debug, PartialEq)]
pub struct MpiSample {
    /// The MPI.
    pub mpi: String,
    /// How many hosts the processes are on.
    pub hosts: u32,
    /// `send`, `bsend`, `ssend`, `rsend`, `isend`, `receive`, `irecv`; `eager`; a collective; `start`.
    pub call: String,
    /// `posted`, `late`, `early`; of `eager` where the receiver was, `inside` or `outside` of MPI; `-` if there is none.
    pub partner: String,
    /// The size in bytes.
    pub bytes: f64,
    /// Number of processes.
    pub processes: u32,
    /// The round of the sample, from 0.
    pub round: usize,
    /// Seconds; of `eager` bytes.
    pub value: f64,
}

/// Samples to be evaluated.
#[derive(Clone, Copy, Debug)]
pub struct MpiSamples<'a> {
    /// The samples.
    pub all: &'a [MpiSample],
    /// Processors of a host: with more processes a collective is oversubscribed.
    pub cores: u32,
    /// By this share times may be wrong because of disturbances.
    pub wider: f64,
}

/// The transit is 0 where it is less than this share of the whole time: it is a difference of three measurements.
const VISIBLE: f64 = 0.05;
/// Sizes of a piece of the transit, at least.
const LEAST_SIZES: usize = 3;
/// Sizes on each side by which it is decided whether a size has a transit.
const NEIGHBOURS: usize = 2;

impl MpiSamples<'_> {
    /// Fits every call piece by piece; above and below the eager limit apart.
    pub fn evaluate(self) -> MessagePassing {
        let mut passing = MessagePassing::default();
        let settings: BTreeSet<(&str, u32)> =
            self.all.iter().map(|sample| (sample.mpi.as_str(), sample.hosts)).collect();
        for (mpi, hosts) in settings {
            let library = self.library(mpi, hosts);
            let limit = library.eager.map(|limit| limit.value);
            let mut add = |call, partner, segments: Vec<Segment>| {
                if !segments.is_empty() {
                    let mpi = mpi.to_owned();
                    passing.messages.push(MessageLine { mpi, hosts, call, partner, segments });
                }
            };
            let times_of = |call, partner| self.times(mpi, hosts, call, partner);
            let (total, emission, reception) = (
                times_of("receive", "late"),
                times_of("isend", "posted"),
                times_of("irecv", "early"),
            );
            add(MessageCall::Total, None, self.pieces(&total, limit));
            add(MessageCall::Emission, None, self.pieces(&emission, limit));
            add(MessageCall::Transit, None, self.transit(&total, &emission, &reception, limit));
            add(MessageCall::Reception, None, self.pieces(&reception, limit));
            for call in [
                MessageCall::Send,
                MessageCall::Bsend,
                MessageCall::Ssend,
                MessageCall::Rsend,
                MessageCall::Receive,
            ] {
                for partner in Partner::ALL {
                    let times = times_of(call.name(), partner.name());
                    add(call, Some(partner), self.pieces(&times, limit));
                }
            }
            passing.libraries.push(library);
            passing.collectives.extend(self.collectives(mpi, hosts));
        }
        passing
    }

    fn samples_of<'b>(
        &'b self,
        mpi: &'b str,
        hosts: u32,
        call: &'b str,
    ) -> impl Iterator<Item = &'b MpiSample> {
        self.all
            .iter()
            .filter(move |sample| sample.mpi == mpi && sample.hosts == hosts && sample.call == call)
    }

    fn library(&self, mpi: &str, hosts: u32) -> MpiLibrary {
        // A send that returns before its receiver comes proves its size, and a disturbance only hides that: the largest.
        let limit = |place: &str| {
            let own = self.samples_of(mpi, hosts, "eager").filter(|sample| sample.partner == place);
            let largest = own.map(|sample| sample.value).reduce(f64::max);
            largest.and_then(|largest| middle(vec![largest], 0.0))
        };
        let mut starts: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for sample in self.samples_of(mpi, hosts, "start") {
            starts.entry(sample.processes).or_default().push(sample.value);
        }
        let start = starts.into_iter().filter_map(|(processes, times)| {
            Some(ProcessStart { processes, time: middle(times, self.wider)? })
        });
        MpiLibrary {
            name: mpi.to_owned(),
            hosts,
            eager: limit("inside"),
            eager_outside: limit("outside"),
            start: start.collect(),
        }
    }

    /// Times by size and round.
    fn times(&self, mpi: &str, hosts: u32, call: &str, partner: &str) -> Vec<SampleRow> {
        let samples = self.samples_of(mpi, hosts, call).filter(|sample| sample.partner == partner);
        samples.map(|sample| (sample.bytes, sample.round, sample.value)).collect()
    }

    /// `T = L + g·n` on both sides of the limit; across it if a side has too few sizes.
    fn pieces(&self, times: &[SampleRow], limit: Option<f64>) -> Vec<Segment> {
        let fitted = |is_inside: &dyn Fn(f64) -> bool| {
            let rows =
                times.iter().filter(|time| is_inside(time.0)).map(|(n, _, time)| (*n, *time));
            lines::pieces(rows, self.wider).unwrap_or_default()
        };
        let limit = limit.unwrap_or(0.0);
        let (below, above) = (fitted(&|n| n <= limit), fitted(&|n| n > limit));
        let has = |is_inside: &dyn Fn(f64) -> bool| times.iter().any(|time| is_inside(time.0));
        match (below.is_empty(), above.is_empty()) {
            (true, _) if has(&|n| n <= limit) => fitted(&|_| true),
            (_, true) if has(&|n| n > limit) => fitted(&|_| true),
            _ => [below, above].concat(),
        }
    }

    /// t_t = t_c - t_e - t_r, each round by itself; 0 where both are busy as long as the message takes.
    fn transit(
        &self,
        total: &[SampleRow],
        sent: &[SampleRow],
        received: &[SampleRow],
        limit: Option<f64>,
    ) -> Vec<Segment> {
        let key = |row: &SampleRow| ((row.0.to_bits(), row.1), row.2);
        let by_key = |times: &[SampleRow]| times.iter().map(key).collect::<BTreeMap<_, _>>();
        let (sent, received) = (by_key(sent), by_key(received));
        let mut by_size: BTreeMap<u64, Transits> = BTreeMap::new();
        for (bytes, round, time) in total {
            let round_key = (bytes.to_bits(), *round);
            if let (Some(e), Some(r)) = (sent.get(&round_key), received.get(&round_key)) {
                let own = by_size.entry(round_key.0).or_insert_with(|| Transits::new(*bytes));
                own.seconds.push((time - e - r).max(0.0));
                own.shares.push((time - e - r).max(0.0) / time);
            }
        }
        // Positive numbers are in the order of their bits.
        let sizes: Vec<Transits> = by_size.into_values().collect();
        let below =
            sizes.partition_point(|transits| limit.is_none_or(|limit| transits.bytes <= limit));
        let sides = match below.min(sizes.len() - below) {
            // Too few sizes on a side are no reason for a piece of their own.
            0..LEAST_SIZES => vec![&sizes[..]],
            _ => vec![&sizes[..below], &sizes[below..]],
        };
        let runs = sides.into_iter().flat_map(runs);
        runs.flat_map(|(visible, sizes)| self.transit_of(visible, sizes)).collect()
    }

    /// The pieces of sizes side by side that have a transit, or have none.
    fn transit_of(&self, visible: bool, sizes: &[Transits]) -> Vec<Segment> {
        let (Some(first), Some(last)) = (sizes.first(), sizes.last()) else { return Vec::new() };
        let (from, to) = (first.bytes, last.bytes);
        let none = Segment { from, to, g: Uncertain::ZERO, l: Uncertain::ZERO };
        if !visible {
            return vec![none];
        }
        let rows = || {
            sizes
                .iter()
                .flat_map(|transits| transits.seconds.iter().map(|time| (transits.bytes, *time)))
        };
        let mut segments = lines::pieces(rows(), self.wider).unwrap_or_else(|| {
            let l = middle(rows().map(|row| row.1).collect(), self.wider);
            vec![Segment { l: l.unwrap_or(Uncertain::ZERO), ..none }]
        });
        // Where single sizes among them had none, that is possible, too.
        if sizes.iter().any(|transits| !transits.is_visible()) {
            for segment in &mut segments {
                (segment.l.low, segment.g.low) = (0.0, 0.0);
            }
        }
        segments
    }

    fn collectives(&self, mpi: &str, hosts: u32) -> Vec<CollectiveLine> {
        let mut collective_lines = Vec::new();
        for call in Collective::ALL {
            let all: Vec<&MpiSample> = self.samples_of(mpi, hosts, call.name()).collect();
            let numbers: BTreeSet<u32> = all.iter().map(|sample| sample.processes).collect();
            for processes in numbers {
                let own_samples = all.iter().filter(|sample| sample.processes == processes);
                let rows: Vec<(f64, f64)> =
                    own_samples.map(|sample| (sample.bytes, sample.value)).collect();
                let segments = match call {
                    Collective::Barrier => {
                        let l = middle(rows.iter().map(|row| row.1).collect(), self.wider);
                        let segment_of = |l| Segment { from: 0.0, to: 0.0, g: Uncertain::ZERO, l };
                        l.map(segment_of).into_iter().collect()
                    }
                    _ => lines::pieces(rows.into_iter(), self.wider).unwrap_or_default(),
                };
                if !segments.is_empty() {
                    collective_lines.push(CollectiveLine {
                        mpi: mpi.to_owned(),
                        hosts,
                        call,
                        processes,
                        oversubscribed: processes > self.cores.saturating_mul(hosts),
                        segments,
                    });
                }
            }
        }
        collective_lines
    }
}

/// Size, round, seconds.
type SampleRow = (f64, usize, f64);

/// The transits of a size, and their shares of the whole time.
#[derive(Clone, Debug)]
struct Transits {
    bytes: f64,
    seconds: Vec<f64>,
    shares: Vec<f64>,
}

impl Transits {
    fn new(bytes: f64) -> Transits {
        Transits { bytes, seconds: Vec::new(), shares: Vec::new() }
    }

    fn is_visible(&self) -> bool {
        is_visible(std::slice::from_ref(self))
    }
}

/// Whether sizes together have a transit.
fn is_visible(sizes: &[Transits]) -> bool {
    let shares = sizes.iter().flat_map(|transits| transits.shares.iter().copied());
    median(shares).unwrap_or(0.0) > VISIBLE
}

/// Sizes side by side that have a transit, or have none: at least so many. What single sizes say on a loaded machine is
/// chance, so each is taken together with its neighbours.
fn runs(sizes: &[Transits]) -> Vec<(bool, &[Transits])> {
    let around = |index: usize| {
        let (from, to) =
            (index.saturating_sub(NEIGHBOURS), (index + NEIGHBOURS + 1).min(sizes.len()));
        is_visible(&sizes[from..to])
    };
    let mut visible: Vec<bool> = (0..sizes.len()).map(around).collect();
    loop {
        // Ends of runs.
        let mut lengths: Vec<(usize, usize)> = Vec::new();
        let mut begin = 0;
        for run in visible.chunk_by(|a, b| a == b) {
            lengths.push((run.len(), begin));
            begin += run.len();
        }
        let shortest = lengths.iter().min().filter(|(length, _)| *length < LEAST_SIZES);
        let (true, Some(&(length, begin))) = (lengths.len() > 1, shortest) else {
            let run =
                |&(length, begin): &(usize, usize)| (visible[begin], &sizes[begin..begin + length]);
            return lengths.iter().map(run).collect();
        };
        visible[begin..begin + length].iter_mut().for_each(|flag| *flag = !*flag);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A protocol with a limit of 4040 bytes: below it a copy on each side, above it one copy while both wait.
    fn samples() -> Vec<MpiSample> {
        let mut all = Vec::new();
        let mut add = |call: &str, partner: &str, bytes: f64, round: usize, value: f64| {
            let (mpi, call, partner) = ("An MPI 1".to_owned(), call.to_owned(), partner.to_owned());
            let noise = 1.0 + 0.002 * ((round as f64 * 7.3 + bytes).sin());
            let value = if call == "eager" { value } else { value * noise };
            all.push(MpiSample { mpi, hosts: 1, call, partner, bytes, processes: 2, round, value });
        };
        for round in 0..5 {
            for step in 0..36 {
                let n = (8.0 * 2f64.powf(f64::from(step) / 2.0)).round();
                let eager = n <= 4040.0;
                let (e, t, r) = if eager {
                    (50e-9 + 0.1e-9 * n, 100e-9, 60e-9 + 0.2e-9 * n)
                } else {
                    (400e-9, 0.0, 900e-9 + 0.08e-9 * n)
                };
                let total = if eager { e + t + r } else { r };
                add("receive", "late", n, round, total);
                add("isend", "posted", n, round, e);
                add("irecv", "early", n, round, r);
                add("send", "late", n, round, if eager { e } else { r });
            }
            add("eager", "inside", 0.0, round, 4040.0);
            add("barrier", "-", 0.0, round, 1e-6);
        }
        all
    }

    #[test]
    fn disturbed_rounds_do_not_make_the_eager_limit_smaller() {
        let mut all = samples();
        let limits = all.iter_mut().filter(|sample| sample.call == "eager").take(4);
        limits.zip([363.0, 3583.0, 256.0, 0.0]).for_each(|(sample, size)| sample.value = size);
        let passing = MpiSamples { all: &all, cores: 2, wider: 0.0 }.evaluate();
        let eager = passing.library("An MPI 1", 1).unwrap().eager.unwrap();
        assert_eq!((eager.low, eager.value, eager.high), (4040.0, 4040.0, 4040.0));
    }

    #[test]
    fn the_components_are_found_on_both_sides_of_the_limit() {
        let all = samples();
        let message_passing = MpiSamples { all: &all, cores: 2, wider: 0.0 }.evaluate();
        let library = message_passing.library("An MPI 1", 1).unwrap();
        assert_eq!(library.eager.unwrap().value, 4040.0);
        let time = |call: MessageCall, n: f64| {
            message_passing.message("An MPI 1", 1, call, None).unwrap().time(n).value
        };
        let near = |message_passing: f64, truth: f64| {
            assert!(
                (message_passing - truth).abs() <= 0.02 * truth,
                "{message_passing} in place of {truth}"
            );
        };
        near(time(MessageCall::Emission, 1000.0), 150e-9);
        near(time(MessageCall::Reception, 1000.0), 260e-9);
        near(time(MessageCall::Total, 1000.0), 510e-9);
        let transit = time(MessageCall::Transit, 64.0);
        assert!((transit - 100e-9).abs() < 3e-9, "{transit}");
        near(time(MessageCall::Emission, 1e5), 400e-9);
        near(time(MessageCall::Total, 1e6), 900e-9 + 0.08e-3);
        assert_eq!(time(MessageCall::Transit, 1e5), 0.0, "both are busy all the time");
        let send =
            message_passing.message("An MPI 1", 1, MessageCall::Send, Some(Partner::Late)).unwrap();
        // No piece reaches over the limit.
        assert!(send.segments.iter().all(|segment| segment.to <= 4040.0 || segment.from > 4040.0));
        let [barrier] = &message_passing.collectives[..] else {
            panic!("{:?}", message_passing.collectives)
        };
        near(barrier.time(0.0).value, 1e-6);
        assert!(!barrier.oversubscribed);
        let passing = MpiSamples { all: &all, cores: 1, wider: 0.0 }.evaluate();
        assert!(passing.collectives[0].oversubscribed);
    }

    #[test]
    fn a_loaded_machine_makes_no_transit_of_single_sizes() {
        let mut noise = fastrand::Rng::with_seed(3);
        let mut all = samples();
        for sample in all.iter_mut().filter(|sample| sample.call != "eager") {
            // Another program took some of the time, of each measurement another part.
            sample.value *= 1.0 + 0.5 * noise.f64() * noise.f64();
        }
        let passing = MpiSamples { all: &all, cores: 2, wider: 0.0 }.evaluate();
        let transit = passing.message("An MPI 1", 1, MessageCall::Transit, None).unwrap();
        assert!(transit.segments.len() <= 8, "{:?}", transit.segments);
        assert!(
            transit.segments.iter().all(|segment| segment.from < segment.to),
            "{:?}",
            transit.segments
        );
        // They are side by side, and none reaches over the limit.
        assert!(transit.segments.windows(2).all(|pair| pair[0].to < pair[1].from));
        assert!(
            transit.segments.iter().all(|segment| segment.to <= 4040.0 || segment.from > 4040.0)
        );
    }

    #[test]
    fn sizes_that_alternate_are_one_piece() {
        let size = |k: usize| Transits {
            bytes: 8.0 * (k + 1) as f64,
            seconds: vec![if k.is_multiple_of(2) { 2e-7 } else { 0.0 }; 3],
            shares: vec![if k.is_multiple_of(2) { 0.3 } else { 0.0 }; 3],
        };
        let alternating: Vec<Transits> = (0..17).map(size).collect();
        let pieces = runs(&alternating);
        assert!(pieces.iter().all(|(_, sizes)| sizes.len() >= LEAST_SIZES), "{pieces:?}");
        assert_eq!(pieces.iter().map(|(_, sizes)| sizes.len()).sum::<usize>(), 17);
        // A change that lasts is kept.
        let changing: Vec<Transits> = (0..12)
            .map(|k| Transits { shares: vec![if k < 7 { 0.3 } else { 0.0 }; 3], ..size(k) })
            .collect();
        let lengths: Vec<(bool, usize)> =
            runs(&changing).iter().map(|(visible, sizes)| (*visible, sizes.len())).collect();
        assert_eq!(lengths, [(true, 7), (false, 5)]);
        assert!(runs(&[]).is_empty());
    }

    #[test]
    fn with_few_sizes_a_piece_reaches_over_the_limit() {
        let few: Vec<MpiSample> = samples()
            .into_iter()
            .filter(|sample| sample.bytes == 0.0 || sample.bytes > 2000.0)
            .collect();
        let passing = MpiSamples { all: &few, cores: 2, wider: 0.0 }.evaluate();
        let total = passing.message("An MPI 1", 1, MessageCall::Total, None).unwrap();
        let (first, last) = (total.segments[0], *total.segments.last().unwrap());
        assert!(first.from < 4040.0 && last.to > 4040.0, "{:?}", total.segments);
        assert_eq!(
            MpiSamples { all: &[], cores: 2, wider: 0.0 }.evaluate(),
            MessagePassing::default()
        );
    }
}
