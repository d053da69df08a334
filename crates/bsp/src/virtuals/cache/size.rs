//! The size of a core's private cache, as the system reports it.

use std::fs;
use std::path::Path;

/// Size in bytes of the largest data cache that a core does not share; `None`: the system does not report it.
pub fn private_cache() -> Option<u64> {
    // The calling core represents all cores. SAFETY: no arguments.
    let cpu = unsafe { libc::sched_getcpu() }.max(0);
    size_for_core(Path::new(&format!("/sys/devices/system/cpu/cpu{cpu}")))
}

fn size_for_core(cpu: &Path) -> Option<u64> {
    let read = |path: &Path| fs::read_to_string(path).ok().map(|text| text.trim().to_owned());
    // Two threads of a core share all its caches.
    let core = read(&cpu.join("topology/thread_siblings_list"))?;
    let caches = fs::read_dir(cpu.join("cache")).ok()?.filter_map(Result::ok);
    let sizes = caches.filter_map(|entry| {
        let property = |name: &str| read(&entry.path().join(name));
        let is_own = property("type")? != "Instruction" && property("shared_cpu_list")? == core;
        bytes(&property("size")?).filter(|_| is_own)
    });
    sizes.max()
}

/// `2048K`, `1M`, `512`.
fn bytes(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(['K', 'M', 'G']);
    let power = match &text[digits.len()..] {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_that_no_other_core_shares() {
        let folder = std::env::temp_dir().join(format!("cll-caches-{}", std::process::id()));
        let put = |path: &str, text: &str| {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("{text}\n")).unwrap();
        };
        assert_eq!(size_for_core(&folder), None);
        put("topology/thread_siblings_list", "0,4");
        assert_eq!(size_for_core(&folder), None);
        for (index, (kind, size, shared)) in [
            ("Data", "48K", "0,4"),
            ("Instruction", "64M", "0,4"),
            ("Unified", "2048K", "0,4"),
            ("Unified", "107520K", "0-7"),
        ]
        .iter()
        .enumerate()
        {
            put(&format!("cache/index{index}/type"), kind);
            put(&format!("cache/index{index}/size"), size);
            put(&format!("cache/index{index}/shared_cpu_list"), shared);
        }
        assert_eq!(size_for_core(&folder), Some(2 << 20));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn sizes_with_and_without_a_unit() {
        assert_eq!(bytes("48K"), Some(48 << 10));
        assert_eq!(bytes("1M"), Some(1 << 20));
        assert_eq!(bytes("512"), Some(512));
        assert_eq!(bytes("K"), None);
        assert_eq!(bytes("1 MiB"), None);
    }
}
