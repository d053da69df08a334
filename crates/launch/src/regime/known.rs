//! The highest speed that this machine has shown, kept in a file, so that a machine that is disturbed from the
//! first round on is recognised.

use cll_statistics::{median, quantile, sorted};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::canary::Look;
use super::undisturbed::Undisturbed;
use super::watch::Seen;
use crate::files;

/// Version of the loops: other loops have other times.
const VERSION: u32 = 2;
/// If a test's width is larger than the best by this factor, the core was shared. A busy sibling increases it by
/// at least a third; some cores have two widths that differ by a tenth.
const NARROW: f64 = 1.20;
/// With fewer tests the fastest is not determined.
const FEWEST: usize = 20;

/// The best values of one machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Known {
    /// Nanoseconds of a step of the chain.
    pub chain: Option<f64>,
    /// A step of the width's loop, in units of that.
    pub width: Option<f64>,
    /// Nanoseconds of a message between two processors.
    pub partner: Option<f64>,
    /// The disturbance of a launch by the system alone. Not kept: it depends on the scheduling.
    #[serde(skip)]
    pub undisturbed: Undisturbed,
    /// Whether the values were known before this command.
    #[serde(skip)]
    pub from_before: bool,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct File {
    version: u32,
    machines: BTreeMap<String, Entry>,
}

/// The values that one build of cll has seen. In another build the loops have other addresses and may be 10 %
/// faster or slower, so it begins again.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Entry {
    build: String,
    known: Known,
}

/// Identifies this build of the program.
fn build() -> String {
    use std::os::unix::fs::MetadataExt;
    let about = fs::metadata("/proc/self/exe");
    about.map_or(String::new(), |about| {
        format!("{} {}.{:09}", about.size(), about.mtime(), about.mtime_nsec())
    })
}

impl Known {
    /// Reads the values of this machine.
    pub fn read(machine: &str) -> Known {
        let known: Known =
            path().map(|path| Known::of(&file(&path), machine, &build())).unwrap_or_default();
        Known { from_before: known.is_known(), ..known }
    }

    fn of(file: &File, machine: &str, build: &str) -> Known {
        let entry = file.machines.get(machine).filter(|entry| entry.build == build);
        entry.map(|entry| entry.known).unwrap_or_default()
    }

    /// Whether there is anything to compare with.
    pub fn is_known(&self) -> bool {
        self.width.is_some()
    }

    /// The better of the known and the new values.
    #[must_use]
    pub fn with(self, seen: &Seen) -> Known {
        let least = |a: Option<f64>, b: Option<f64>| [a, b].into_iter().flatten().reduce(f64::min);
        Known {
            chain: least(self.chain, tenth(&seen.looks, |look| look.chain)),
            width: least(self.width, tenth(&seen.looks, |look| look.width)),
            partner: least(self.partner, seen.partner),
            ..self
        }
    }

    /// Writes them for the next command; errors are ignored.
    pub fn keep(self, machine: &str) {
        let Some(path) = path() else { return };
        let mut file = file(&path);
        let entry = || Entry { build: build(), known: self };
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
    pub fn chain_ratio(&self, looks: &[Look]) -> Option<f64> {
        Some(middle(looks, |look| look.chain)? / self.chain?)
    }

    /// Ratio of a core's usual width in a round to the best.
    pub fn width_ratio(&self, looks: &[Look]) -> Option<f64> {
        Some(middle(looks, |look| look.width)? / self.width?)
    }

    /// Share of the tests on a shared core.
    pub fn narrow(&self, looks: &[Look]) -> Option<f64> {
        let limit = NARROW * self.width?;
        let narrow = looks.iter().filter(|look| look.width > limit).count();
        (!looks.is_empty()).then(|| narrow as f64 / looks.len() as f64)
    }

    /// By what share the tests took longer than the best in the mean, because of a shared core.
    pub fn pressed(&self, looks: &[Look]) -> Option<f64> {
        let best = self.width?;
        let excess = |look: &Look| match look.width > NARROW * best {
            true => look.width / best - 1.0,
            false => 0.0,
        };
        (!looks.is_empty()).then(|| looks.iter().map(excess).sum::<f64>() / looks.len() as f64)
    }

    /// By how much the number of waits exceeds that of undisturbed launches, beyond random variation.
    pub fn interruptions(&self, seen: &Seen) -> f64 {
        beyond(seen.involuntary, f64::from(seen.launches), self.undisturbed.switches)
    }

    /// The same for the seconds in which it was ready and did not run; `None` for a program of several threads.
    pub fn waiting(&self, seen: &Seen) -> Option<f64> {
        let launches = f64::from(seen.launches);
        Some(beyond(seen.waiting?, launches, self.undisturbed.waiting))
    }

    /// Ratio of a message's time to the shortest.
    pub fn partner_ratio(&self, partner: Option<f64>) -> Option<f64> {
        Some(partner? / self.partner?)
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
fn file(path: &Path) -> File {
    let bytes = fs::read(path).unwrap_or_default();
    let file: File = serde_json::from_slice(&bytes).unwrap_or_default();
    if file.version == VERSION { file } else { File::default() }
}

/// By how much a sum of this number of exponentially distributed values exceeds their mean sum, beyond random
/// variation.
fn beyond(seen: f64, count: f64, mean: f64) -> f64 {
    (seen - count * mean - 3.0 * count.sqrt() * mean).max(0.0)
}

/// The tenth percentile: the smallest value may be an error of the clock.
fn tenth(looks: &[Look], of: impl Fn(&Look) -> f64) -> Option<f64> {
    let sorted = sorted(looks.iter().map(of));
    (sorted.len() >= FEWEST).then(|| quantile(&sorted, 0.1))
}

fn middle(looks: &[Look], of: impl Fn(&Look) -> f64) -> Option<f64> {
    median(looks.iter().map(of))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looks(chain: f64, width: f64, count: usize) -> Vec<Look> {
        vec![Look { chain, width }; count]
    }

    #[test]
    fn the_fastest_is_remembered_and_others_are_ratios_to_it() {
        let seen = |chain, width| Seen {
            looks: looks(chain, width, 30),
            partner: Some(90.0),
            ..Seen::default()
        };
        let known = Known::default().with(&seen(1.0, 2.0)).with(&seen(1.5, 3.0));
        let expected =
            Known { chain: Some(1.0), width: Some(2.0), partner: Some(90.0), ..Known::default() };
        assert_eq!(known, expected);
        let mut mixed = looks(1.2, 2.0, 6);
        mixed.extend(looks(1.2, 3.0, 4));
        assert_eq!(known.chain_ratio(&mixed), Some(1.2));
        assert_eq!(known.narrow(&mixed), Some(0.4));
        assert_eq!(known.partner_ratio(Some(270.0)), Some(3.0));
        assert_eq!(known.narrow(&[]), None);
        assert!(
            (known.pressed(&mixed).unwrap() - 0.2).abs() < 1e-12,
            "4 of 10 took 1.5 times as long"
        );
    }

    #[test]
    fn a_launchs_own_switches_are_no_interruptions() {
        let undisturbed = Undisturbed { switches: 1.5, waiting: 1e-4 };
        let known = Known { undisturbed, ..Known::default() };
        let seen = |launches, involuntary| Seen {
            launches,
            involuntary,
            waiting: Some(1e-4 * involuntary / 1.5),
            ..Seen::default()
        };
        assert_eq!(known.waiting(&seen(10, 16.0)), Some(0.0));
        assert!(known.waiting(&seen(10, 150.0)).unwrap() > 7e-3);
        assert_eq!(known.interruptions(&seen(10, 16.0)), 0.0);
        assert_eq!(known.interruptions(&seen(10, 22.0)), 0.0, "chance");
        assert!(known.interruptions(&seen(10, 80.0)) > 40.0);
        assert!(known.interruptions(&seen(1, 80.0)) > 70.0);
    }

    #[test]
    fn a_few_looks_found_no_fastest() {
        let seen = Seen { looks: looks(1.0, 2.0, 5), ..Seen::default() };
        assert!(!Known::default().with(&seen).is_known());
    }

    #[test]
    fn what_another_build_has_seen_counts_for_nothing() {
        let known = Known { width: Some(2.0), ..Known::default() };
        let mut file = File::default();
        file.machines.insert("here".into(), Entry { build: "this".into(), known });
        assert_eq!(Known::of(&file, "here", "this"), known);
        assert_eq!(Known::of(&file, "here", "another"), Known::default());
        assert_eq!(Known::of(&file, "there", "this"), Known::default());
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
