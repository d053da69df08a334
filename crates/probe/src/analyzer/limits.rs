//! How much memory may be used, and its pages.

use std::fs;

/// Bytes that the system and the container leave; `None` if that is not known.
pub fn available_memory() -> Option<u64> {
    let system = available(&fs::read_to_string("/proc/meminfo").unwrap_or_default());
    let read = |name: &str| fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok();
    let number = |text: Option<String>| text?.trim().parse::<u64>().ok();
    let (most, used) = (number(read("memory.max")), number(read("memory.current")));
    let most = most.map(|most| most.saturating_sub(used.unwrap_or(0)));
    system.into_iter().chain(most).min()
}

/// The bytes of an ordinary page.
pub fn page_size() -> u64 {
    const USUAL: u64 = 4096;
    let text = fs::read_to_string("/proc/self/smaps").unwrap_or_default();
    bytes(&text, "KernelPageSize:").filter(|size| size.is_power_of_two()).unwrap_or(USUAL)
}

/// `MemAvailable` in bytes.
fn available(text: &str) -> Option<u64> {
    bytes(text, "MemAvailable:")
}

/// The bytes in the first line that begins with this name.
fn bytes(text: &str, name: &str) -> Option<u64> {
    let number = text.lines().find_map(|line| line.strip_prefix(name))?;
    number.trim().trim_end_matches("kB").trim().parse::<u64>().ok()?.checked_mul(1 << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_that_is_available() {
        assert_eq!(available("MemTotal: 9 kB\nMemAvailable:   1024 kB\n"), Some(1 << 20));
        assert_eq!(available("nothing"), None);
        assert!(page_size() >= 4096);
    }
}
