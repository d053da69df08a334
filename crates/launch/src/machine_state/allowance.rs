//! The processors that this program and those that it starts may use: its affinity mask, and the quotas of its control
//! groups, versions 1 and 2. A group that has used up its quota is stopped until its next period.

use std::fs;
use std::path::{Path, PathBuf};

use cll_trace::meta::Allowed;
use rustix::thread::sched_getaffinity;

use super::cpus::numbers;

/// The processors that are allowed at one moment, and how often the quota was used up until then.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Allowance {
    /// Processors of the machine.
    online: u32,
    /// Those in the affinity mask.
    mask: u32,
    groups: Vec<Group>,
}

/// A control group with a quota: our own one, or one above it.
#[derive(Clone, Debug, PartialEq)]
struct Group {
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
        let text = |path: &str| fs::read_to_string(root.join(path)).unwrap_or_default();
        let online = numbers(&text("sys/devices/system/cpu/online")).len() as u32;
        let mounts = mounts(&text("proc/self/mountinfo"));
        let mut groups = Vec::new();
        for (mount, name, path) in own_groups(&text("proc/self/cgroup"), &mounts) {
            let top = root.join(mount.point.strip_prefix("/").unwrap_or(&mount.point));
            let own = top.join(&path);
            let above = own.ancestors().take_while(|folder| folder.starts_with(&top));
            for (level, folder) in above.enumerate() {
                let file = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
                let quota = if mount.is_unified {
                    quota(&file("cpu.max"))
                } else {
                    let [most, period] = ["cpu.cfs_quota_us", "cpu.cfs_period_us"].map(file);
                    quota(&format!("{} {}", most.trim(), period.trim()))
                };
                let Some(processors) = quota else { continue };
                let name = Path::new(&name).ancestors().nth(level).unwrap_or(Path::new("/"));
                groups.push(Group {
                    name: name.display().to_string(),
                    processors,
                    stops: stops(&file("cpu.stat")),
                });
            }
        }
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

/// Where control groups with the controller `cpu` are mounted.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mount {
    /// Whether it is version 2.
    is_unified: bool,
    /// The group that is its top folder.
    top: PathBuf,
    point: PathBuf,
}

/// The mounts in the text of `/proc/self/mountinfo`.
fn mounts(mountinfo: &str) -> Vec<Mount> {
    let mount = |line: &str| {
        let (place, kind) = line.split_once(" - ")?;
        let place: Vec<&str> = place.split(' ').collect();
        let kind: Vec<&str> = kind.split(' ').collect();
        let (top, point) = (*place.get(3)?, *place.get(4)?);
        let is_unified = match *kind.first()? {
            "cgroup2" => true,
            "cgroup" if kind.last()?.split(',').any(|option| option == "cpu") => false,
            _ => return None,
        };
        let path = |text: &str| PathBuf::from(text.replace("\\040", " "));
        Some(Mount { is_unified, top: path(top), point: path(point) })
    };
    mountinfo.lines().filter_map(mount).collect()
}

/// Our groups in the text of `/proc/self/cgroup`: their mounts, names, and paths below the mounts.
fn own_groups<'m>(cgroup: &str, mounts: &'m [Mount]) -> Vec<(&'m Mount, String, PathBuf)> {
    let group = |line: &str| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, name) = (parts.next()?, parts.next()?);
        let is_unified = controllers.is_empty();
        if !is_unified && !controllers.split(',').any(|one| one == "cpu") {
            return None;
        }
        let mount = mounts.iter().find(|mount| mount.is_unified == is_unified)?;
        // What is above the top of a mount cannot be seen.
        let path = Path::new(name).strip_prefix(&mount.top).unwrap_or(Path::new(""));
        let is_plain =
            path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
        let path = if is_plain { path.to_path_buf() } else { PathBuf::new() };
        Some((mount, name.to_owned(), path))
    };
    cgroup.lines().filter_map(group).collect()
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
        let group = |name: &str, processors, ns| Group {
            name: name.to_owned(),
            processors,
            stops: Stops { count: ns, ns },
        };
        let of = |a, b| Allowance {
            online: 8,
            mask: 8,
            groups: vec![group("/a", 4.0, a), group("/b", 2.0, b)],
        };
        assert_eq!(of(9, 0).since(&of(0, 0)).group, "/a");
        assert_eq!(of(0, 0).since(&of(0, 0)).group, "/b");
    }

    #[test]
    fn this_machine_allows_something() {
        let now = Allowance::now();
        let allowed = now.since(&now);
        assert!(allowed.mask > 0 && allowed.online >= allowed.mask, "{allowed:?}");
        assert!(allowed.processors() > 0.0 && allowed.stops == 0);
    }
}
