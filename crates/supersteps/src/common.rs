//! One clock for processors of several hosts.

use super::{Log, Processor, Related, StoredProcessor, Superstep};

/// Supersteps by which clocks are related: that many of the whole run, evenly, so that a clock that is faster
/// is found out and memory does not grow with the run.
const SAMPLED: usize = 4096;

/// Seconds on the first host's clock from those of each processor's.
#[derive(Debug)]
pub struct Common {
    lines: Vec<Line>,
    /// How the other hosts' clocks were corrected.
    pub clocks: Vec<Related>,
}

/// A moment on a processor's own clock and on the common one, and how much faster that is.
#[derive(Clone, Copy, Debug)]
struct Line {
    own_s: f64,
    common_s: f64,
    faster: f64,
}

impl Common {
    /// Relates the clocks of processors; `None` if they ran on one host. Seconds count from `first_ns` on each
    /// host's own clock.
    pub fn of(processors: &[&StoredProcessor<'_>], first_ns: u64) -> Option<Common> {
        let host = |one: &StoredProcessor<'_>| one.tables.process.timed_by().to_owned();
        let first = host(processors.first()?);
        if processors.iter().all(|one| host(one) == first) {
            return None;
        }
        let mut sampled: Vec<Sampled> =
            processors.iter().map(|one| Sampled::of(one, first_ns)).collect();
        // The same supersteps of all.
        let stride = sampled.iter().map(|one| one.stride).max().unwrap_or(1);
        sampled.iter_mut().for_each(|one| one.thin(stride));
        let own = sampled.into_iter().zip(processors).map(|(sampled, one)| Processor {
            number: one.tables.number,
            process: one.tables.process.clone(),
            machines: one.tables.machines.clone(),
            supersteps: sampled.supersteps,
            ..Processor::default()
        });
        let own: Vec<Processor> = own.collect();
        let log = Log { processors: own.clone(), ..Log::default() };
        let related = Log::gather([log]).ok()?;
        let lines = own.iter().zip(&related.processors).map(|(own, related)| {
            let pairs = own.supersteps.iter().zip(&related.supersteps);
            let pairs: Vec<(f64, f64)> = pairs.map(|(a, b)| (a.start_s, b.start_s)).collect();
            match pairs[..] {
                [] => Line { own_s: 0.0, common_s: 0.0, faster: 1.0 },
                [(own_s, common_s), .., (last, common)] if last > own_s => {
                    Line { own_s, common_s, faster: (common - common_s) / (last - own_s) }
                }
                [(own_s, common_s), ..] => Line { own_s, common_s, faster: 1.0 },
            }
        });
        Some(Common { lines: lines.collect(), clocks: related.clocks })
    }

    /// Seconds on the common clock of a processor's own, by its place in the list that was given.
    pub fn seconds(&self, processor: usize, own_s: f64) -> f64 {
        let Line { own_s: from, common_s, faster } = self.lines[processor];
        common_s + (own_s - from) * faster
    }

    /// Whether each host's clock could be related to the first one's.
    pub fn is_whole(&self) -> bool {
        self.clocks.iter().all(|clock| clock.correction_s.is_some())
    }
}

/// Some supersteps of the whole machine.
struct Sampled {
    supersteps: Vec<Superstep>,
    stride: u64,
}

impl Sampled {
    fn of(one: &StoredProcessor<'_>, first_ns: u64) -> Sampled {
        let mut sampled = Sampled { supersteps: Vec::new(), stride: 1 };
        let Some(whole) = one.tables.machines.iter().find(|machine| machine.key == "0") else {
            return sampled;
        };
        let mut records = one.records();
        while let Some((record, number)) = records.peek() {
            records.advance(&record, number);
            if u32::from(record.machine) != whole.id || !number.is_multiple_of(sampled.stride) {
                continue;
            }
            sampled.supersteps.push(one.superstep(first_ns, &record, number));
            if sampled.supersteps.len() == SAMPLED {
                sampled.thin(sampled.stride * 2);
            }
        }
        sampled
    }

    fn thin(&mut self, stride: u64) {
        self.stride = stride;
        self.supersteps.retain(|one| one.number.is_multiple_of(stride));
    }
}
