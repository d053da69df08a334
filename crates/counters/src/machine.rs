//! The system's information on this machine, without measurements.

use std::fs;
use std::path::Path;

use cll_result::{Cache, Machine};
use cll_system::{bytes, number, processor, text};
use cll_units::Bytes;

/// This machine.
pub fn this_machine() -> Machine {
    Machine {
        host: text("/proc/sys/kernel/hostname"),
        cpu: processor(&["model name", "CPU part"]).unwrap_or_default(),
        processors: std::thread::available_parallelism().map_or(1, |count| count.get() as u32),
        caches: caches(Path::new("/sys/devices/system/cpu/cpu0/cache")),
    }
}

/// The release of the kernel and the version of the processor's microcode; empty where the system does not say them.
pub fn system() -> (String, String) {
    (text("/proc/sys/kernel/osrelease"), processor(&["microcode"]).unwrap_or_default())
}

/// Data caches, from the first level on.
fn caches(folder: &Path) -> Vec<Cache> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<Cache> = entries
        .filter_map(|entry| {
            let file = |name: &str| text(entry.path().join(name));
            let is_data = !["", "Instruction"].contains(&file("type").as_str());
            let name = format!("L{}", number(entry.path().join("level"))?);
            is_data.then_some(Cache { name, bytes: Bytes(bytes(&file("size"))?) })
        })
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caches_of_data_in_their_order() {
        let place = tempfile::tempdir().unwrap();
        let entries = [("3", "Unified", "8M"), ("1", "Instruction", "32K"), ("1", "Data", "48K")];
        for (index, (level, kind, size)) in entries.iter().enumerate() {
            let folder = place.path().join(format!("index{index}"));
            fs::create_dir(&folder).unwrap();
            for (name, text) in [("level", level), ("type", kind), ("size", size)] {
                fs::write(folder.join(name), format!("{text}\n")).unwrap();
            }
        }
        let data_caches = caches(place.path());
        let short: Vec<_> = data_caches.iter().map(|c| (c.name.as_str(), c.bytes.get())).collect();
        assert_eq!(short, [("L1", 48 << 10), ("L3", 8 << 20)]);
        assert!(caches(Path::new("/nowhere")).is_empty());
    }
}
