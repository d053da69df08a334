//! Relates the clocks of several hosts by events on them.
//!
//! No processor leaves a synchronisation before all have reached it. So a superstep that two hosts have ended by a
//! synchronisation bounds the correction o of one host's clock from both sides: its end there, corrected, is not
//! before any processor reached it here, and its end here is not before any reached it there. All supersteps
//! together leave an interval, whose middle is taken (Duda et al., *Estimating global time in distributed systems*,
//! 1987). If they leave none, one clock is faster than the other: then the straight line with the greatest distance
//! to all bounds is taken.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;

use cll_units::{Seconds, SuperstepNumber};

use super::correction::{CorrectionBounds, fit_correction};
use super::{Ending, Log};

/// The clock of a host, and the correction of its times.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Related {
    /// The host.
    pub host: String,
    /// The correction that was added to its times at their beginning; `None` if no superstep relates it to the others,
    /// so that its times cannot be compared with theirs.
    #[serde(rename = "correction_s")]
    pub correction: Option<Seconds>,
    /// How much faster the first host's clock is: 1e-6 gains a microsecond in a second.
    pub drift: f64,
    /// The possible error of the correction.
    #[serde(rename = "uncertainty_s")]
    pub uncertainty: Seconds,
}

/// A superstep of a machine on the processors of some hosts.
#[derive(Clone, Copy, Debug)]
struct CommonSuperstep {
    /// When the last of them reached the call that ended it.
    came: Seconds,
    /// When the first of them left.
    left: Seconds,
}

impl CommonSuperstep {
    fn and(self, other: CommonSuperstep) -> CommonSuperstep {
        CommonSuperstep { came: self.came.max(other.came), left: self.left.min(other.left) }
    }
}

/// By key of the machine and number of the superstep.
type CommonSupersteps = HashMap<(String, SuperstepNumber), CommonSuperstep>;

/// Corrects the times of all hosts to the clock of the first one. Returns the clocks of the other hosts; empty with one
/// host.
pub(super) fn relate(log: &mut Log) -> Vec<Related> {
    let mut hosts: Vec<String> = Vec::new();
    for processor in &log.processors {
        let host = processor.process.timed_by();
        if !hosts.iter().any(|known| known == host) {
            hosts.push(host.to_owned());
        }
    }
    if hosts.len() < 2 {
        return Vec::new();
    }
    let mut ended: Vec<CommonSupersteps> = hosts.iter().map(|host| of_host(log, host)).collect();
    let mut known = ended.remove(0);
    let mut rest: Vec<(String, CommonSupersteps)> = hosts.drain(1..).zip(ended).collect();
    let mut related = Vec::new();
    // A host may be related to the first one through other hosts.
    while let Some((index, correction)) = rest
        .iter()
        .enumerate()
        .find_map(|(index, (_, own))| Some((index, fit_correction(&bounds(&known, own))?)))
    {
        let (host, own) = rest.remove(index);
        for processor in
            log.processors.iter_mut().filter(|processor| processor.process.timed_by() == host)
        {
            processor
                .supersteps
                .iter_mut()
                .for_each(|superstep| superstep.start = correction.correct(superstep.start));
        }
        for (key, common_superstep) in own {
            let superstep = CommonSuperstep {
                came: correction.correct(common_superstep.came),
                left: correction.correct(common_superstep.left),
            };
            known.entry(key).and_modify(|all| *all = all.and(superstep)).or_insert(superstep);
        }
        related.push(Related {
            host,
            correction: Some(correction.offset),
            drift: correction.drift,
            uncertainty: correction.uncertainty,
        });
    }
    related.extend(rest.into_iter().map(|(host, _)| Related { host, ..Related::default() }));
    related
}

fn of_host(log: &Log, host: &str) -> CommonSupersteps {
    let mut ended: CommonSupersteps = HashMap::new();
    for processor in log.processors.iter().filter(|processor| processor.process.timed_by() == host)
    {
        for superstep in
            processor.supersteps.iter().filter(|superstep| superstep.ending == Ending::Sync)
        {
            let Some(machine) = processor.machine(superstep.machine) else { continue };
            let came = superstep.start + superstep.computation;
            let common_superstep = CommonSuperstep { came, left: superstep.end() };
            let key = (machine.key.clone(), superstep.number);
            ended
                .entry(key)
                .and_modify(|all| *all = all.and(common_superstep))
                .or_insert(common_superstep);
        }
    }
    ended
}

/// Bounds of the correction of `own` times.
fn bounds(known: &CommonSupersteps, own: &CommonSupersteps) -> Vec<CorrectionBounds> {
    let both = own.iter().filter_map(|(key, own)| Some((own, known.get(key)?)));
    both.map(|(own, known)| CorrectionBounds {
        time: own.came,
        low: known.came - own.left,
        high: known.left - own.came,
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Processor, Superstep};
    use super::*;
    use cll_trace::meta;
    use cll_units::ProcessorId;

    /// Processors of hosts whose clocks show `off(time)`: each comes to a synchronisation at its time, and leaves
    /// some microseconds after the last has come.
    fn log(hosts: &[&str], supersteps: u64, off: impl Fn(&str, f64) -> f64) -> Log {
        let mut seed = 7u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 40) as f64 / (1u64 << 24) as f64
        };
        let mut processors: Vec<Processor> = (0u32..)
            .zip(hosts)
            .map(|(number, host)| Processor {
                number: ProcessorId(number),
                process: meta::Process { host: (*host).to_owned(), ..meta::Process::default() },
                machines: vec![meta::Machine {
                    key: "0".to_owned(),
                    nprocs: hosts.len() as u32,
                    pid: number,
                    ..meta::Machine::default()
                }],
                ..Processor::default()
            })
            .collect();
        let mut now = 1.0;
        for number in 1..=supersteps {
            let came: Vec<f64> = hosts.iter().map(|_| now + 1e-3 * random()).collect();
            let last = came.iter().copied().fold(0.0, f64::max);
            let mut end = now;
            for (index, processor) in processors.iter_mut().enumerate() {
                let left = last + 5e-6 + 20e-6 * random();
                end = f64::max(end, left);
                let shown = |time| off(hosts[index], time);
                let start = Seconds(shown(now));
                processor.supersteps.push(Superstep {
                    machine: 0,
                    number: SuperstepNumber(number),
                    point: None,
                    ending: Ending::Sync,
                    start,
                    computation: Seconds(shown(came[index])) - start,
                    communication: Seconds::ZERO,
                    waiting: Seconds(shown(left) - shown(came[index])),
                    traffic: 0,
                });
            }
            now = end;
        }
        Log { processors, ..Log::default() }
    }

    fn differ(log: &Log) -> f64 {
        let starts_of = |index: usize| {
            log.processors[index].supersteps.iter().map(|superstep| superstep.start.get())
        };
        let other = (1..log.processors.len()).flat_map(|index| starts_of(0).zip(starts_of(index)));
        other.map(|(first, other)| (first - other).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn clocks_that_differ_are_related_within_the_uncertainty() {
        let mut log = log(&["one", "other", "one", "other"], 200, |host, time| match host {
            "one" => time,
            _ => time - 86_400.0,
        });
        let related = relate(&mut log);
        assert_eq!(related.len(), 1);
        let Related { host, correction, drift, uncertainty } = &related[0];
        assert_eq!((host.as_str(), *drift), ("other", 0.0));
        assert!((correction.unwrap() - Seconds(86_400.0)).abs() <= *uncertainty, "{related:?}");
        assert!(*uncertainty < Seconds(15e-6), "{related:?}");
        assert!(differ(&log) <= uncertainty.get() + 1e-9);
    }

    #[test]
    fn a_clock_that_is_faster_is_found_out() {
        let mut log = log(&["one", "fast"], 20_000, |host, time| match host {
            "one" => time,
            _ => 5.0 + time * (1.0 + 4e-5),
        });
        let related = relate(&mut log);
        assert!((related[0].drift + 4e-5).abs() < 3e-6, "{related:?}");
        assert!(differ(&log) < 30e-6, "{} {related:?}", differ(&log));
    }

    #[test]
    fn hosts_without_a_common_superstep_are_not_related() {
        let mut log = log(&["one", "other"], 10, |host, time| match host {
            "one" => time,
            _ => time + 3.0,
        });
        log.processors[1].machines[0].key = "1".to_owned();
        let before = log.clone();
        let related = relate(&mut log);
        assert_eq!(related[0].correction, None);
        assert_eq!(log, before);
    }

    #[test]
    fn a_host_may_be_related_by_way_of_another() {
        let mut log = log(&["one", "second", "third"], 50, |host, time| match host {
            "one" => time,
            "second" => time + 100.0,
            _ => time - 100.0,
        });
        // The first and the third have no superstep in common.
        log.processors[0].supersteps.truncate(25);
        log.processors[2].supersteps.drain(..25);
        let related = relate(&mut log);
        let hosts: Vec<&str> = related.iter().map(|related| related.host.as_str()).collect();
        assert_eq!(hosts, ["second", "third"]);
        assert!(
            (related[1].correction.unwrap() - Seconds(100.0)).abs() < Seconds(60e-6),
            "{related:?}"
        );
    }

    #[test]
    fn one_host_is_unchanged() {
        let mut log = log(&["one", "one"], 5, |_, time| time);
        let before = log.clone();
        assert_eq!(relate(&mut log), []);
        assert_eq!(log, before);
    }
}
