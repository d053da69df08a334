//! How much processor time this process may use: its affinity mask, and the quotas of its control groups.

use std::fs;
use std::path::{Path, PathBuf};

use cll_trace::meta::{Allowance, Quota};

use super::cpus::Processors;

/// What this process may use now. What it starts inherits this.
pub fn allowance() -> Allowance {
    let read = |file: &str| fs::read_to_string(file).unwrap_or_default();
    let (groups, mounts) = (read("/proc/self/cgroup"), read("/proc/self/mountinfo"));
    Allowance {
        processors: Processors::allowed().all().len() as u32,
        quota: quota(&groups, &mounts, Path::new("/")),
    }
}

/// The tightest quota of the control groups of a process, by its `/proc/PID/cgroup` and `/proc/PID/mountinfo`. Mount
/// points are below `root`. `None`: no group has a quota.
fn quota(groups: &str, mounts: &str, root: &Path) -> Option<Quota> {
    let mounted = mounts.lines().filter_map(Mount::parse);
    let folders = mounted.flat_map(|mount| mount.folders_for(groups));
    let quotas = folders.filter_map(|folder| {
        let below = folder.path.strip_prefix("/").unwrap_or(&folder.path);
        let read = |file: &str| fs::read_to_string(root.join(below).join(file)).ok();
        let processors = match folder.is_unified {
            true => unified_limit(&read("cpu.max")?)?,
            false => older_limit(&read("cpu.cfs_quota_us")?, &read("cpu.cfs_period_us")?)?,
        };
        let (stops, stopped_ns) = stopped(&read("cpu.stat").unwrap_or_default());
        Some(Quota { processors, group: folder.group, stops, stopped_ns })
    });
    quotas.min_by(|one, other| one.processors.total_cmp(&other.processors))
}

/// Processors by the text of `cpu.max`: quota and period; `None`: no limit.
fn unified_limit(text: &str) -> Option<f64> {
    let (quota, period) = text.trim().split_once(' ')?;
    limit(quota, period)
}

/// Processors by the texts of `cpu.cfs_quota_us` and `cpu.cfs_period_us`; `None`: no limit.
fn older_limit(quota: &str, period: &str) -> Option<f64> {
    limit(quota, period)
}

fn limit(quota: &str, period: &str) -> Option<f64> {
    // Without a limit the quota is `max` or -1.
    let (quota, period): (f64, f64) = (quota.trim().parse().ok()?, period.trim().parse().ok()?);
    (quota > 0.0 && period > 0.0 && quota.is_finite() && period.is_finite()).then(|| quota / period)
}

/// How often a group was stopped, and for how many nanoseconds, by the text of its `cpu.stat`.
fn stopped(text: &str) -> (u64, u64) {
    let value = |name: &str| {
        let of_line = |line: &str| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse().ok();
        text.lines().find_map(of_line)
    };
    let ns = value("throttled_time")
        .or_else(|| value("throttled_usec").map(|us: u64| us.saturating_mul(1000)));
    (value("nr_throttled").unwrap_or(0), ns.unwrap_or(0))
}

/// A mounted hierarchy of control groups that has processor time.
#[derive(Debug)]
struct Mount {
    /// The group that is mounted.
    top: String,
    point: PathBuf,
    is_unified: bool,
}

/// A group's folder.
#[derive(Debug, PartialEq)]
struct Folder {
    path: PathBuf,
    /// The group's name in its hierarchy.
    group: String,
    is_unified: bool,
}

impl Mount {
    /// A line of `mountinfo`.
    fn parse(line: &str) -> Option<Mount> {
        let (place, kind) = line.split_once(" - ")?;
        let place: Vec<&str> = place.split(' ').collect();
        let kind: Vec<&str> = kind.split(' ').collect();
        let is_unified = match (*kind.first()?, kind.get(2)) {
            ("cgroup2", _) => true,
            ("cgroup", Some(options)) if options.split(',').any(|option| option == "cpu") => false,
            _ => return None,
        };
        let (top, point) = (unescaped(place.get(3)?), unescaped(place.get(4)?).into());
        Some(Mount { top, point, is_unified })
    }

    /// The folders of the process's group here and of those around it, by `/proc/PID/cgroup`.
    fn folders_for(&self, groups: &str) -> Vec<Folder> {
        let of_line = |line: &str| {
            let (number, rest) = line.split_once(':')?;
            let (controllers, group) = rest.split_once(':')?;
            let is_here = match self.is_unified {
                true => number == "0" && controllers.is_empty(),
                false => controllers.split(',').any(|one| one == "cpu"),
            };
            is_here.then(|| group.to_owned())
        };
        let Some(group) = groups.lines().find_map(of_line) else { return Vec::new() };
        // A container may see the groups around it in its own name, but not their folders.
        let below = Path::new(&group).strip_prefix(&self.top).unwrap_or(Path::new(""));
        let folder = |below: &Path| {
            let group = Path::new(&self.top).join(below).display().to_string();
            Folder { path: self.point.join(below), group, is_unified: self.is_unified }
        };
        below.ancestors().map(folder).collect()
    }
}

/// Without the octal escapes of spaces and the like in `mountinfo`.
fn unescaped(text: &str) -> String {
    [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")]
        .iter()
        .fold(text.to_owned(), |text, (escape, letter)| text.replace(escape, letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIFIED: &str = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";
    const OLDER: &str = "\
        31 23 0:27 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n\
        32 23 0:28 /docker/5f /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n\
        33 23 8:1 / /home rw - ext4 /dev/sda1 rw\n";

    fn written(root: &Path, folder: &str, files: &[(&str, &str)]) {
        let folder = root.join(folder);
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in files {
            fs::write(folder.join(name), text).unwrap();
        }
    }

    #[test]
    fn texts_of_limits() {
        assert_eq!(unified_limit("20000 100000\n"), Some(0.2));
        assert_eq!(unified_limit("max 100000\n"), None);
        assert_eq!(older_limit("150000\n", "100000\n"), Some(1.5));
        for bad in ["", "-1", "0", "nan", "x"] {
            assert_eq!(older_limit(bad, "100000"), None, "{bad}");
        }
        assert_eq!(unified_limit("5 0"), None);
        let unified = "usage_usec 9\nnr_periods 300\nnr_throttled 240\nthrottled_usec 12000000\n";
        assert_eq!(stopped(unified), (240, 12_000_000_000));
        assert_eq!(stopped("nr_throttled 3\nthrottled_time 77\n"), (3, 77));
        assert_eq!(stopped("throttled_usec 18446744073709551615"), (0, u64::MAX));
        assert_eq!(stopped(""), (0, 0));
    }

    #[test]
    fn the_tightest_of_the_groups_around_a_process_counts() {
        let root = tempfile::tempdir().unwrap();
        let stat = ("cpu.stat", "nr_throttled 240\nthrottled_usec 12000000\n");
        written(root.path(), "sys/fs/cgroup/a", &[("cpu.max", "20000 100000"), stat]);
        written(root.path(), "sys/fs/cgroup/a/b c", &[("cpu.max", "max 100000")]);
        written(root.path(), "sys/fs/cgroup/other", &[("cpu.max", "1000 100000")]);
        let found = quota("0::/a/b c\n", UNIFIED, root.path()).unwrap();
        assert_eq!((found.processors, found.group.as_str()), (0.2, "/a"));
        assert_eq!((found.stops, found.stopped_ns), (240, 12_000_000_000));
        written(root.path(), "sys/fs/cgroup/a/b c", &[("cpu.max", "10000 100000")]);
        let found = quota("0::/a/b c\n", UNIFIED, root.path()).unwrap();
        assert_eq!((found.processors, found.group.as_str()), (0.1, "/a/b c"));
        assert_eq!(quota("0::/\n", UNIFIED, root.path()), None);
    }

    #[test]
    fn groups_of_the_older_kind_in_a_container() {
        let root = tempfile::tempdir().unwrap();
        let files = [("cpu.cfs_quota_us", "50000"), ("cpu.cfs_period_us", "100000")];
        written(root.path(), "sys/fs/cgroup/cpu,cpuacct", &files);
        let groups = "4:cpuset:/docker/5f\n3:cpu,cpuacct:/docker/5f\n0::/\n";
        let found = quota(groups, OLDER, root.path()).unwrap();
        assert_eq!((found.processors, found.group.as_str()), (0.5, "/docker/5f/"));
        assert_eq!(quota("", "", root.path()), None);
        assert_eq!(quota("rubbish\n3:cpu\n", "a - b\n\n- cgroup2", root.path()), None);
    }

    /// A group with a quota can be made by root only, and where the hierarchy is writable.
    #[test]
    fn the_kernel_stops_a_group_with_a_quota() {
        use std::process::Command;

        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let mount = mounts.lines().filter_map(Mount::parse).find(|mount| {
            let own = mount.folders_for(&groups);
            let files = ["cpu.cfs_quota_us", "cpu.stat"];
            !mount.is_unified
                && own
                    .first()
                    .is_some_and(|own| files.iter().all(|file| own.path.join(file).exists()))
        });
        let Some(mount) = mount else {
            eprintln!("skipped: no hierarchy of control groups with quotas of processor time");
            return;
        };
        let own = mount.folders_for(&groups).swap_remove(0);
        let folder = own.path.join(format!("cll-test-{}", std::process::id()));
        let write = |file: &str, text: &str| fs::write(folder.join(file), text);
        let made = fs::create_dir(&folder).and_then(|()| write("cpu.cfs_period_us", "100000"));
        if let Err(error) = made.and_then(|()| write("cpu.cfs_quota_us", "20000")) {
            let _ = fs::remove_dir(&folder);
            eprintln!("skipped: no group can be made in {}: {error}", own.path.display());
            return;
        }
        let procs = folder.join("cgroup.procs").display().to_string();
        let script = format!(
            "echo $$ > {procs}; cat /proc/self/cgroup; n=0; while [ $n -lt 400000 ]; do n=$((n+1)); done"
        );
        let output = Command::new("sh").args(["-c", &script]).output().unwrap();
        let inside = String::from_utf8_lossy(&output.stdout).into_owned();
        let found = quota(&inside, &mounts, Path::new("/"));
        let _ = fs::remove_dir(&folder);
        let found = found.unwrap_or_else(|| panic!("no quota in {inside}"));
        assert!(found.processors <= 0.2 + 1e-9, "{found:?}");
        assert!(found.stops > 0 && found.stopped_ns > 0, "{found:?}");
    }
}
