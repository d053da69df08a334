//! The control groups of this process, versions 1 and 2.

use std::fs;
use std::path::{Path, PathBuf};

/// A control group of this process: its own one, or one above it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlGroup {
    /// The name, as processes have it.
    pub name: String,
    /// The folder of its files.
    pub folder: PathBuf,
    /// Whether it is of version 2, whose files have other names.
    pub is_unified: bool,
}

/// The groups of this process that may have a controller such as `cpu`, each before those above it.
pub fn control_groups(controller: &str) -> Vec<ControlGroup> {
    ControlGroup::below(Path::new("/"), controller)
}

impl ControlGroup {
    /// [`control_groups`] by the files below a folder that stands for the root.
    pub fn below(root: &Path, controller: &str) -> Vec<ControlGroup> {
        let text = |path: &str| fs::read_to_string(root.join(path)).unwrap_or_default();
        let mounts = mounts(&text("proc/self/mountinfo"), controller);
        let mut groups = Vec::new();
        for (mount, name, path) in own_groups(&text("proc/self/cgroup"), &mounts, controller) {
            let top = root.join(mount.point.strip_prefix("/").unwrap_or(&mount.point));
            let own = top.join(&path);
            let above = own.ancestors().take_while(|folder| folder.starts_with(&top));
            for (level, folder) in above.enumerate() {
                let name = Path::new(&name).ancestors().nth(level).unwrap_or(Path::new("/"));
                groups.push(ControlGroup {
                    name: name.display().to_string(),
                    folder: folder.to_path_buf(),
                    is_unified: mount.is_unified,
                });
            }
        }
        groups
    }
}

/// Where control groups with a controller are mounted.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mount {
    /// Whether it is version 2.
    is_unified: bool,
    /// The group that is its top folder.
    top: PathBuf,
    point: PathBuf,
}

/// The mounts in the text of `/proc/self/mountinfo`.
fn mounts(mountinfo: &str, controller: &str) -> Vec<Mount> {
    let mount = |line: &str| {
        let (place, kind) = line.split_once(" - ")?;
        let place: Vec<&str> = place.split(' ').collect();
        let kind: Vec<&str> = kind.split(' ').collect();
        let (top, point) = (*place.get(3)?, *place.get(4)?);
        let is_unified = match *kind.first()? {
            "cgroup2" => true,
            "cgroup" if kind.last()?.split(',').any(|option| option == controller) => false,
            _ => return None,
        };
        let path = |text: &str| PathBuf::from(text.replace("\\040", " "));
        Some(Mount { is_unified, top: path(top), point: path(point) })
    };
    mountinfo.lines().filter_map(mount).collect()
}

/// Our groups in the text of `/proc/self/cgroup`: their mounts, names, and paths below the mounts.
fn own_groups<'m>(
    cgroup: &str,
    mounts: &'m [Mount],
    controller: &str,
) -> Vec<(&'m Mount, String, PathBuf)> {
    let group = |line: &str| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, name) = (parts.next()?, parts.next()?);
        let is_unified = controllers.is_empty();
        if !is_unified && !controllers.split(',').any(|text| text == controller) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(cgroup: &str, mountinfo: &str, controller: &str) -> Vec<(String, PathBuf)> {
        let root = tempfile::tempdir().unwrap();
        let own = root.path().join("proc/self");
        fs::create_dir_all(&own).unwrap();
        fs::write(own.join("cgroup"), cgroup).unwrap();
        fs::write(own.join("mountinfo"), mountinfo).unwrap();
        let all = ControlGroup::below(root.path(), controller);
        let below = |folder: PathBuf| folder.strip_prefix(root.path()).unwrap().to_path_buf();
        all.into_iter().map(|group| (group.name, below(group.folder))).collect()
    }

    #[test]
    fn own_groups_come_before_those_above() {
        let mount = "41 31 0:38 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
        let own_groups = groups("0::/jobs/one\n", mount, "pids");
        let expected = [("/jobs/one", "sys/fs/cgroup/jobs/one"), ("/jobs", "sys/fs/cgroup/jobs")];
        let expected = expected.into_iter().chain([("/", "sys/fs/cgroup")]);
        let expected = expected.map(|(name, folder)| (name.to_owned(), PathBuf::from(folder)));
        assert_eq!(own_groups, expected.collect::<Vec<_>>());
    }

    #[test]
    fn the_first_version_has_a_mount_for_each_controller() {
        let mount = "33 30 0:29 /docker/7 /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup ro,cpu,cpuacct\n\
                     34 30 0:30 / /sys/fs/cgroup/pids ro - cgroup cgroup ro,pids\n";
        let cgroup = "3:pids:/x\n2:cpu,cpuacct:/docker/7\n0::/\n";
        let own_groups = groups(cgroup, mount, "cpu");
        assert_eq!(own_groups, [("/docker/7".to_owned(), "sys/fs/cgroup/cpu,cpuacct".into())]);
        assert_eq!(groups(cgroup, mount, "memory"), []);
        // A name that leads out of the mount, and a table that is none.
        assert_eq!(groups("0::/../../x\n", "?\n", "cpu"), []);
    }
}
