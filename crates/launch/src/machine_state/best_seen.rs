//! The highest speed that this machine has shown, kept in a file, so that a machine that is disturbed from the
//! first round on is recognised.

use cll_statistics::{median, quantile, sorted};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::launch_baseline::LaunchBaseline;
use super::observer::MachineObservation;
use super::speed_test::SpeedTest;
use crate::files;

/// Version of the loops: other loops have other times.
const VERSION: u32 = 2;
/// If a test's width is larger than the best by this factor, the core was shared. A busy sibling increases it by
/// at least a third; some cores have two widths that differ by a tenth.
const SHARED_CORE_FACTOR: f64 = 1.20;
/// With fewer tests the fastest is not determined.
const MIN_TESTS: usize = 20;

/// The best values of one machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BestSeen {
    /// Nanoseconds of a step of the chain.
    pub chain: Option<f64>,
    /// A step of the width's loop, in units of that.
    pub width: Option<f64>,
    /// Nanoseconds of a message between two processors.
    #[serde(rename = "partner")]
    pub message_ns: Option<f64>,
    /// The disturbance of a launch by the system alone. Not kept: it depends on the scheduling.
    #[serde(skip)]
    pub baseline: LaunchBaseline,
    /// Whether the values were known before this command.
    #[serde(skip)]
    pub from_before: bool,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct BestSeenFile {
    version: u32,
    machines: BTreeMap<String, Entry>,
}

/// The values that one build of cll has seen. In another build the loops have other addresses and may be 10 %
/// faster or slower, so it begins again.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Entry {
    build: String,
    #[serde(rename = "known")]
    best: BestSeen,
}

/// Identifies this build of the program.
fn build() -> String {
    use std::os::unix::fs::MetadataExt;
    let about = fs::metadata("/proc/self/exe");
    about.map_or(String::new(), |about| {
        format!("{} {}.{:09}", about.size(), about.mtime(), about.mtime_nsec())
    })
}

impl BestSeen {
    /// Reads the values of this machine.
    pub fn read(machine: &str) -> BestSeen {
        let best: BestSeen = path()
            .map(|path| BestSeen::from_file(&file(&path), machine, &build()))
            .unwrap_or_default();
        BestSeen { from_before: best.is_known(), ..best }
    }

    fn from_file(file: &BestSeenFile, machine: &str, build: &str) -> BestSeen {
        let entry = file.machines.get(machine).filter(|entry| entry.build == build);
        entry.map(|entry| entry.best).unwrap_or_default()
    }

    /// Whether there is anything to compare with.
    pub fn is_known(&self) -> bool {
        self.width.is_some()
    }

    /// The better of the known and the new values.
    #[must_use]
    pub fn with(self, observation: &MachineObservation) -> BestSeen {
        let least = |a: Option<f64>, b: Option<f64>| [a, b].into_iter().flatten().reduce(f64::min);
        BestSeen {
            chain: least(self.chain, tenth(&observation.speed_tests, |test| test.chain)),
            width: least(self.width, tenth(&observation.speed_tests, |test| test.width)),
            message_ns: least(self.message_ns, observation.message_ns),
            ..self
        }
    }

    /// Writes them for the next command; errors are ignored.
    pub fn write(self, machine: &str) {
        let Some(path) = path() else { return };
        let mut file = file(&path);
        let entry = || Entry { build: build(), best: self };
        if file.machines.insert(machine.to_owned(), entry()) == Some(entry()) {
            return;
        }
        file.version = VERSION;
        if fs::create_dir_all(files::folder(&path)).is_ok()
            && let Ok(text) = serde_json::to_vec_pretty(&file)
        {
            let _ = files::replace(&path, &text);
        }
    }

    /// Ratio of a round's clock to the fastest.
    pub fn chain_ratio(&self, tests: &[SpeedTest]) -> Option<f64> {
        Some(middle(tests, |test| test.chain)? / self.chain?)
    }

    /// Ratio of a core's usual width in a round to the best.
    pub fn width_ratio(&self, tests: &[SpeedTest]) -> Option<f64> {
        Some(middle(tests, |test| test.width)? / self.width?)
    }

    /// Share of the tests on a shared core.
    pub fn shared_share(&self, tests: &[SpeedTest]) -> Option<f64> {
        let limit = SHARED_CORE_FACTOR * self.width?;
        let narrow = tests.iter().filter(|test| test.width > limit).count();
        (!tests.is_empty()).then(|| narrow as f64 / tests.len() as f64)
    }

    /// By what share the tests took longer than the best in the mean, because of a shared core.
    pub fn mean_excess(&self, tests: &[SpeedTest]) -> Option<f64> {
        let best = self.width?;
        let excess = |test: &SpeedTest| {
            if test.width > SHARED_CORE_FACTOR * best { test.width / best - 1.0 } else { 0.0 }
        };
        (!tests.is_empty()).then(|| tests.iter().map(excess).sum::<f64>() / tests.len() as f64)
    }

    /// By how much the number of waits exceeds that of undisturbed launches, beyond random variation.
    pub fn extra_waits(&self, observation: &MachineObservation) -> f64 {
        beyond(observation.involuntary, f64::from(observation.launches), self.baseline.switches)
    }

    /// The same for the seconds in which it was ready and did not run; `None` for a program of several threads.
    pub fn extra_waiting(&self, observation: &MachineObservation) -> Option<f64> {
        let launches = f64::from(observation.launches);
        Some(beyond(observation.waiting?, launches, self.baseline.waiting))
    }

    /// Ratio of a message's time to the shortest.
    pub fn message_ratio(&self, message_ns: Option<f64>) -> Option<f64> {
        Some(message_ns? / self.message_ns?)
    }
}

/// The file, for messages.
pub fn path() -> Option<PathBuf> {
    let folder = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|p| p.is_absolute());
    let folder =
        folder.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")))?;
    Some(folder.join("cll").join("regime.json"))
}

/// A missing or damaged file, or one of other loops, counts as none.
fn file(path: &Path) -> BestSeenFile {
    let bytes = fs::read(path).unwrap_or_default();
    let file: BestSeenFile = serde_json::from_slice(&bytes).unwrap_or_default();
    if file.version == VERSION { file } else { BestSeenFile::default() }
}

/// By how much a sum of `count` values with this mean, and a standard deviation equal to it, exceeds `count * mean`
/// by more than three standard deviations.
fn beyond(observation: f64, count: f64, mean: f64) -> f64 {
    (observation - count * mean - 3.0 * count.sqrt() * mean).max(0.0)
}

/// The tenth percentile: the smallest value may be an error of the clock.
fn tenth(tests: &[SpeedTest], value_of: impl Fn(&SpeedTest) -> f64) -> Option<f64> {
    let sorted = sorted(tests.iter().map(value_of));
    (sorted.len() >= MIN_TESTS).then(|| quantile(&sorted, 0.1))
}

fn middle(tests: &[SpeedTest], value_of: impl Fn(&SpeedTest) -> f64) -> Option<f64> {
    median(tests.iter().map(value_of))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tests(chain: f64, width: f64, count: usize) -> Vec<SpeedTest> {
        vec![SpeedTest { chain, width }; count]
    }

    #[test]
    fn the_fastest_is_remembered_and_others_are_ratios_to_it() {
        let observation = |chain, width| MachineObservation {
            speed_tests: tests(chain, width, 30),
            message_ns: Some(90.0),
            ..MachineObservation::default()
        };
        let best = BestSeen::default().with(&observation(1.0, 2.0)).with(&observation(1.5, 3.0));
        let expected = BestSeen {
            chain: Some(1.0),
            width: Some(2.0),
            message_ns: Some(90.0),
            ..BestSeen::default()
        };
        assert_eq!(best, expected);
        let mut mixed = tests(1.2, 2.0, 6);
        mixed.extend(tests(1.2, 3.0, 4));
        assert_eq!(best.chain_ratio(&mixed), Some(1.2));
        assert_eq!(best.shared_share(&mixed), Some(0.4));
        assert_eq!(best.message_ratio(Some(270.0)), Some(3.0));
        assert_eq!(best.shared_share(&[]), None);
        assert!(
            (best.mean_excess(&mixed).unwrap() - 0.2).abs() < 1e-12,
            "4 of 10 took 1.5 times as long"
        );
    }

    #[test]
    fn own_switches_of_a_launch_are_no_interruptions() {
        let baseline = LaunchBaseline { switches: 1.5, waiting: 1e-4 };
        let best = BestSeen { baseline, ..BestSeen::default() };
        let observation = |launches, involuntary| MachineObservation {
            launches,
            involuntary,
            waiting: Some(1e-4 * involuntary / 1.5),
            ..MachineObservation::default()
        };
        assert_eq!(best.extra_waiting(&observation(10, 16.0)), Some(0.0));
        assert!(best.extra_waiting(&observation(10, 150.0)).unwrap() > 7e-3);
        assert_eq!(best.extra_waits(&observation(10, 16.0)), 0.0);
        assert_eq!(best.extra_waits(&observation(10, 22.0)), 0.0, "chance");
        assert!(best.extra_waits(&observation(10, 80.0)) > 40.0);
        assert!(best.extra_waits(&observation(1, 80.0)) > 70.0);
    }

    #[test]
    fn a_few_looks_found_no_fastest() {
        let observation =
            MachineObservation { speed_tests: tests(1.0, 2.0, 5), ..MachineObservation::default() };
        assert!(!BestSeen::default().with(&observation).is_known());
    }

    #[test]
    fn what_another_build_has_seen_counts_for_nothing() {
        let best = BestSeen { width: Some(2.0), ..BestSeen::default() };
        let mut file = BestSeenFile::default();
        file.machines.insert("here".into(), Entry { build: "this".into(), best });
        assert_eq!(BestSeen::from_file(&file, "here", "this"), best);
        assert_eq!(BestSeen::from_file(&file, "here", "another"), BestSeen::default());
        assert_eq!(BestSeen::from_file(&file, "there", "this"), BestSeen::default());
        assert_eq!((build(), build().is_empty()), (build(), false));
    }

    #[test]
    fn a_damaged_file_is_none() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("regime.json");
        fs::write(&path, "{").unwrap();
        assert!(file(&path).machines.is_empty());
        fs::write(&path, r#"{"version":99,"machines":{"a":{}}}"#).unwrap();
        assert!(file(&path).machines.is_empty());
    }
}
