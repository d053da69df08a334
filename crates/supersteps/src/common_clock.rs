//! A common clock for all processors of a run, from the ticks of each, also on several hosts.

use cll_trace::layout::SuperstepRecord;
use cll_units::{Seconds, SuperstepNumber, Ticks};

use super::{Log, Processor, Related, StoredProcessor, Superstep};

/// Number of supersteps by which clocks are related. They are evenly distributed over the run, so that a faster clock
/// is noticed, and memory does not grow with the run.
const SAMPLED: usize = 4096;

/// The clock of a run's processors: that of the first host.
#[derive(Debug)]
pub struct CommonClock {
    /// The zero of all times, nanoseconds of `CLOCK_MONOTONIC`.
    first_ns: u64,
    /// By processor; empty if they ran on one host.
    lines: Vec<FittedLine>,
    /// How the other hosts' clocks were corrected.
    pub clocks: Vec<Related>,
}

/// A moment on a processor's own clock and on the common one, and how much faster that is.
#[derive(Clone, Copy, Debug)]
struct FittedLine {
    own: Seconds,
    common: Seconds,
    faster: f64,
}

impl CommonClock {
    /// Relates the clocks of processors, if they ran on several hosts. Times count from `first_ns` on each host's
    /// own clock.
    pub fn new(processors: &[&StoredProcessor<'_>], first_ns: u64) -> CommonClock {
        relate(processors, first_ns).unwrap_or(CommonClock {
            first_ns,
            lines: Vec::new(),
            clocks: Vec::new(),
        })
    }

    /// A reading of a processor's clock; `index` is its index in the list that was given.
    pub fn time(&self, index: usize, processor: &StoredProcessor<'_>, ticks: Ticks) -> Seconds {
        self.correct(index, processor.clock.seconds_since(self.first_ns, ticks))
    }

    /// A processor's record as a superstep; `index` is its index in the list that was given.
    pub fn superstep(
        &self,
        index: usize,
        processor: &StoredProcessor<'_>,
        record: &SuperstepRecord,
        number: SuperstepNumber,
    ) -> Superstep {
        let mut superstep = processor.superstep(self.first_ns, record, number);
        superstep.start = self.correct(index, superstep.start);
        superstep
    }

    /// Whether the processors ran on several hosts.
    pub fn has_several_hosts(&self) -> bool {
        !self.lines.is_empty()
    }

    /// Whether each host's clock could be related to the first one's.
    pub fn is_complete(&self) -> bool {
        self.clocks.iter().all(|clock| clock.correction.is_some())
    }

    /// A time on a processor's own clock.
    fn correct(&self, index: usize, time: Seconds) -> Seconds {
        let Some(&FittedLine { own, common, faster }) = self.lines.get(index) else { return time };
        common + (time - own) * faster
    }
}

/// `None` if all processors ran on one host.
fn relate(processors: &[&StoredProcessor<'_>], first_ns: u64) -> Option<CommonClock> {
    let host = |stored: &StoredProcessor<'_>| stored.tables.process.timed_by().to_owned();
    let first = host(processors.first()?);
    if processors.iter().all(|processor| host(processor) == first) {
        return None;
    }
    let mut sampled: Vec<Sampled> =
        processors.iter().map(|processor| Sampled::new(processor, first_ns)).collect();
    // The same supersteps of all.
    let stride = sampled.iter().map(|sampled| sampled.stride).max().unwrap_or(1);
    sampled.iter_mut().for_each(|sampled| sampled.thin(stride));
    let own = sampled.into_iter().zip(processors).map(|(sampled, processor)| Processor {
        number: processor.tables.number,
        process: processor.tables.process.clone(),
        machines: processor.tables.machines.clone(),
        supersteps: sampled.supersteps,
        ..Processor::default()
    });
    let own: Vec<Processor> = own.collect();
    let log = Log { processors: own.clone(), ..Log::default() };
    let related = Log::gather([log]).ok()?;
    let lines = own.iter().zip(&related.processors).map(|(own, related)| {
        let pairs = own.supersteps.iter().zip(&related.supersteps);
        let pairs: Vec<(Seconds, Seconds)> = pairs.map(|(a, b)| (a.start, b.start)).collect();
        match pairs[..] {
            [] => FittedLine { own: Seconds::ZERO, common: Seconds::ZERO, faster: 1.0 },
            [(own, common), .., (last, last_common)] if last > own => {
                FittedLine { own, common, faster: (last_common - common) / (last - own) }
            }
            [(own, common), ..] => FittedLine { own, common, faster: 1.0 },
        }
    });
    Some(CommonClock { first_ns, lines: lines.collect(), clocks: related.clocks })
}

/// Some supersteps of the whole machine.
struct Sampled {
    supersteps: Vec<Superstep>,
    stride: u64,
}

impl Sampled {
    fn new(processor: &StoredProcessor<'_>, first_ns: u64) -> Sampled {
        let mut sampled = Sampled { supersteps: Vec::new(), stride: 1 };
        let Some(full_machine) =
            processor.tables.machines.iter().find(|machine| machine.key == "0")
        else {
            return sampled;
        };
        let mut records = processor.records();
        while let Some((record, number)) = records.peek() {
            records.advance(&record, number);
            let is_next = number.get().is_multiple_of(sampled.stride);
            if u32::from(record.machine) != full_machine.id || !is_next {
                continue;
            }
            sampled.supersteps.push(processor.superstep(first_ns, &record, number));
            if sampled.supersteps.len() == SAMPLED {
                sampled.thin(sampled.stride * 2);
            }
        }
        sampled
    }

    fn thin(&mut self, stride: u64) {
        self.stride = stride;
        self.supersteps.retain(|superstep| superstep.number.get().is_multiple_of(stride));
    }
}
