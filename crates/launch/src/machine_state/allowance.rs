//! The processors that this program and those that it starts may use: its affinity mask, and the quotas of its control
//! groups, versions 1 and 2. A group that has used up its quota is stopped until its next period.

use std::path::Path;

use cll_system::{ControlGroup, numbers, text};
use cll_trace::meta::Allowed;
use rustix::thread::sched_getaffinity;

/// The processors that are allowed at one moment, and how often the quota was used up until then.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Allowance {
    /// Processors of the machine.
    online: u32,
    /// Those in the affinity mask.
    mask: u32,
    groups: Vec<QuotaGroup>,
}

/// A control group with a quota: our own one, or one above it.
#[derive(Clone, Debug, PartialEq)]
struct QuotaGroup {
    name: String,
    /// The quota of the group, as a number of processors.
    processors: f64,
    stops: Stops,
}

/// How often a group was stopped, and for how long in all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Stops {
    count: u64,
    ns: u64,
}

impl Allowance {
    /// The allowance of the calling thread.
    pub fn now() -> Allowance {
        let mask = sched_getaffinity(None).map_or(0, |set| set.count());
        Allowance::below(Path::new("/"), mask)
    }

    /// By the files below a folder that stands for the root.
    fn below(root: &Path, mask: u32) -> Allowance {
        let online = numbers(&text(root.join("sys/devices/system/cpu/online"))).len() as u32;
        let group = |group: ControlGroup| {
            let file = |name: &str| text(group.folder.join(name));
            let quota = if group.is_unified {
                quota(&file("cpu.max"))
            } else {
                let [most, period] = ["cpu.cfs_quota_us", "cpu.cfs_period_us"].map(file);
                quota(&format!("{most} {period}"))
            };
            let stops = stops(&file("cpu.stat"));
            Some(QuotaGroup { processors: quota?, stops, name: group.name })
        };
        let groups = ControlGroup::below(root, "cpu").into_iter().filter_map(group).collect();
        Allowance { online: online.max(mask), mask, groups }
    }

    /// The processors that were allowed from an earlier moment on, and how often the quota was used up since. Of several groups with a
    /// quota it is the one that was stopped longest, or else the one with the least.
    pub fn since(&self, earlier: &Allowance) -> Allowed {
        let mut allowed =
            Allowed { online: earlier.online, mask: earlier.mask, ..Allowed::default() };
        let with_stops = self.groups.iter().map(|group| {
            let before = earlier.groups.iter().find(|known| known.name == group.name);
            let before = before.map_or(group.stops, |known| known.stops);
            let ns = group.stops.ns.saturating_sub(before.ns);
            (group, Stops { count: group.stops.count.saturating_sub(before.count), ns })
        });
        let tightest = with_stops
            .max_by(|(a, b), (c, d)| b.ns.cmp(&d.ns).then(c.processors.total_cmp(&a.processors)));
        if let Some((group, stops)) = tightest {
            allowed.quota = Some(group.processors);
            allowed.group.clone_from(&group.name);
            (allowed.stops, allowed.stopped_ns) = (stops.count, stops.ns);
        }
        allowed
    }
}

/// The number of processors in `50000 100000`, microseconds of each period; `None`: `max` or -1, no limit.
fn quota(text: &str) -> Option<f64> {
    let mut words = text.split_whitespace();
    let (most, period) = (words.next()?, words.next()?);
    let (most, period): (f64, f64) = (most.parse().ok()?, period.parse().ok()?);
    (most > 0.0 && period > 0.0 && most.is_finite()).then(|| most / period)
}

/// The text of `cpu.stat`: version 2 has microseconds, version 1 nanoseconds.
fn stops(text: &str) -> Stops {
    let mut stops = Stops::default();
    for line in text.lines() {
        let Some((name, value)) = line.split_once(' ') else { continue };
        let Ok(value) = value.trim().parse::<u64>() else { continue };
        match name {
            "nr_throttled" => stops.count = value,
            "throttled_usec" => stops.ns = value.saturating_mul(1000),
            "throttled_time" => stops.ns = value,
            _ => {}
        }
    }
    stops
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A folder with these files.
    fn root(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    #[test]
    fn quotas_and_stops_of_both_versions() {
        assert_eq!(quota("50000 100000\n"), Some(0.5));
        assert_eq!(quota("-1 100000"), None);
        for text in ["max 100000\n", "", "5", "5 0", "x y", "inf 1"] {
            assert_eq!(quota(text), None, "{text:?}");
        }
        let unified = "usage_usec 9\nnr_periods 300\nnr_throttled 240\nthrottled_usec 12000000\n";
        assert_eq!(stops(unified), Stops { count: 240, ns: 12_000_000_000 });
        let first = "nr_periods 300\nnr_throttled 240\nthrottled_time 12000000000\nodd\n";
        assert_eq!(stops(first), stops(unified));
        assert_eq!(stops("nr_throttled x\n"), Stops::default());
    }

    #[test]
    fn a_quota_of_a_group_above_ours_is_found_and_named() {
        let mount = "41 31 0:38 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
        let own = root(&[
            ("proc/self/cgroup", "0::/jobs/one\n"),
            ("proc/self/mountinfo", mount),
            ("sys/devices/system/cpu/online", "0-3\n"),
            ("sys/fs/cgroup/jobs/cpu.max", "20000 100000\n"),
            ("sys/fs/cgroup/jobs/cpu.stat", "nr_throttled 5\nthrottled_usec 100\n"),
            ("sys/fs/cgroup/jobs/one/cpu.max", "max 100000\n"),
        ]);
        let before = Allowance::below(own.path(), 2);
        let stat = own.path().join("sys/fs/cgroup/jobs/cpu.stat");
        fs::write(stat, "nr_throttled 245\nthrottled_usec 12000100\n").unwrap();
        let allowed = Allowance::below(own.path(), 2).since(&before);
        assert_eq!((allowed.online, allowed.mask, allowed.quota), (4, 2, Some(0.2)));
        assert_eq!((&*allowed.group, allowed.stops), ("/jobs", 240));
        assert_eq!((allowed.stopped_ns, allowed.processors()), (12_000_000_000, 0.2));
    }

    #[test]
    fn groups_of_the_first_version_are_found_in_containers_too() {
        let mount = "33 30 0:29 /docker/7 /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup ro,cpu,cpuacct\n\
                     34 30 0:30 / /sys/fs/cgroup/pids ro - cgroup cgroup ro,pids\n";
        let folder = "sys/fs/cgroup/cpu,cpuacct";
        let own = root(&[
            ("proc/self/cgroup", "3:pids:/x\n2:cpu,cpuacct:/docker/7\n0::/\n"),
            ("proc/self/mountinfo", mount),
            (&format!("{folder}/cpu.cfs_quota_us"), "150000\n"),
            (&format!("{folder}/cpu.cfs_period_us"), "100000\n"),
        ]);
        let allowance = Allowance::below(own.path(), 2);
        let allowed = allowance.since(&allowance);
        assert_eq!((allowed.quota, &*allowed.group, allowed.stops), (Some(1.5), "/docker/7", 0));
        // No file, no group, no limit.
        let nothing =
            root(&[("proc/self/cgroup", "0::/../../x\n"), ("proc/self/mountinfo", "?\n")]);
        assert_eq!(Allowance::below(nothing.path(), 2).groups, []);
    }

    #[test]
    fn the_group_that_was_stopped_longest_is_named() {
        let group = |name: &str, processors, ns| QuotaGroup {
            name: name.to_owned(),
            processors,
            stops: Stops { count: ns, ns },
        };
        let allowance = |a, b| Allowance {
            online: 8,
            mask: 8,
            groups: vec![group("/a", 4.0, a), group("/b", 2.0, b)],
        };
        assert_eq!(allowance(9, 0).since(&allowance(0, 0)).group, "/a");
        assert_eq!(allowance(0, 0).since(&allowance(0, 0)).group, "/b");
    }

    #[test]
    fn this_machine_allows_something() {
        let now = Allowance::now();
        let allowed = now.since(&now);
        assert!(allowed.mask > 0 && allowed.online >= allowed.mask, "{allowed:?}");
        assert!(allowed.processors() > 0.0 && allowed.stops == 0);
    }
}
