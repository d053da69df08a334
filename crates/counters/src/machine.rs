//! The system's information on this machine, without measurements.

use std::fs;
use std::path::Path;

use cll_result::{Cache, Machine};
use cll_units::Bytes;

/// This machine.
pub fn this_machine() -> Machine {
    Machine {
        host: line("/proc/sys/kernel/hostname"),
        cpu: cpu(),
        processors: std::thread::available_parallelism().map_or(1, |count| count.get() as u32),
        caches: caches(Path::new("/sys/devices/system/cpu/cpu0/cache")),
    }
}

/// The release of the kernel and the version of the processor's microcode; empty where the system does not say them.
pub fn system() -> (String, String) {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let microcode = text.lines().find(|line| line.starts_with("microcode"));
    let microcode = microcode.and_then(|line| line.split_once(':'));
    let microcode = microcode.map_or(String::new(), |(_, version)| version.trim().to_owned());
    (line("/proc/sys/kernel/osrelease"), microcode)
}

fn line(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default().trim().to_owned()
}

fn cpu() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    field("model name").or_else(|| field("CPU part")).unwrap_or_default()
}

/// Data caches, from the first level on.
fn caches(folder: &Path) -> Vec<Cache> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<Cache> = entries
        .filter_map(|entry| {
            let read = |name: &str| fs::read_to_string(entry.path().join(name)).ok();
            let data = read("type").is_some_and(|kind| kind.trim() != "Instruction");
            let name = format!("L{}", read("level")?.trim());
            data.then_some(Cache { name, bytes: Bytes(bytes(read("size")?.trim())?) })
        })
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// `32K`, `8M`.
fn bytes(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &text[digits.len()..] {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    Some(digits.parse::<u64>().ok()? * factor)
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
        let found = caches(place.path());
        let short: Vec<_> = found.iter().map(|c| (c.name.as_str(), c.bytes.get())).collect();
        assert_eq!(short, [("L1", 48 << 10), ("L3", 8 << 20)]);
        assert!(caches(Path::new("/nowhere")).is_empty());
    }
}
