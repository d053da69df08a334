//! The fastest that this machine was ever seen, so that one that is disturbed from the first
//! round on is recognised.

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
/// A look this much wider than the best saw a core that was not all ours: a sibling makes it wider by a
/// third at least, while some cores have two widths of their own that are a tenth apart.
const NARROW: f64 = 1.20;
/// Of fewer looks none is called the fastest.
const FEWEST: usize = 20;

/// The best of one machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Known {
    /// Nanoseconds of a step of the chain.
    pub chain: Option<f64>,
    /// A row of the width's loop, in such steps.
    pub width: Option<f64>,
    /// Nanoseconds of a message between two processors.
    pub partner: Option<f64>,
    /// What the system does to a launch by itself. Not kept: it depends on how the program is scheduled.
    #[serde(skip)]
    pub undisturbed: Undisturbed,
    /// Whether the fastest was known before this command.
    #[serde(skip)]
    pub from_before: bool,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct File {
    version: u32,
    machines: BTreeMap<String, Entry>,
}

/// What a program has seen of a machine. Another build of it has the loops at other addresses, where
/// they may be 10 % faster or slower: it begins anew.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Entry {
    build: String,
    known: Known,
}

/// Tells this build of the program from others.
fn build() -> String {
    use std::os::unix::fs::MetadataExt;
    let about = fs::metadata("/proc/self/exe");
    about.map_or(String::new(), |about| {
        format!("{} {}.{:09}", about.size(), about.mtime(), about.mtime_nsec())
    })
}

impl Known {
    /// What is kept of this machine.
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

    /// The better of what is known and what was seen.
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

    /// Keeps it for the next time; where there is no place for it, it is not kept.
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

    /// Share of the looks that saw a core that was not all ours.
    pub fn narrow(&self, looks: &[Look]) -> Option<f64> {
        let limit = NARROW * self.width?;
        let narrow = looks.iter().filter(|look| look.width > limit).count();
        (!looks.is_empty()).then(|| narrow as f64 / looks.len() as f64)
    }

    /// By what share the looks took longer than the best in the mean, for a core that was not all ours.
    pub fn pressed(&self, looks: &[Look]) -> Option<f64> {
        let best = self.width?;
        let excess = |look: &Look| match look.width > NARROW * best {
            true => look.width / best - 1.0,
            false => 0.0,
        };
        (!looks.is_empty()).then(|| looks.iter().map(excess).sum::<f64>() / looks.len() as f64)
    }

    /// How often the program was made to wait beyond what its launches are without others: what is more than
    /// chance explains.
    pub fn interruptions(&self, seen: &Seen) -> f64 {
        beyond(seen.involuntary, f64::from(seen.launches), self.undisturbed.switches)
    }

    /// Seconds that it was ready and did not run, likewise; `None` for a program of several threads.
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

/// A file that is not there, damaged, or of other loops is none.
fn file(path: &Path) -> File {
    let bytes = fs::read(path).unwrap_or_default();
    let file: File = serde_json::from_slice(&bytes).unwrap_or_default();
    if file.version == VERSION { file } else { File::default() }
}

/// What is beyond the sum of so many numbers of this mean, which spread as much as they are large, by more than
/// chance explains.
fn beyond(seen: f64, count: f64, mean: f64) -> f64 {
    (seen - count * mean - 3.0 * count.sqrt() * mean).max(0.0)
}

/// What a tenth of the looks are faster than: the very fastest may be a slip of the clock.
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
