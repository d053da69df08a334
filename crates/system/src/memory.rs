//! How much memory may be used, and its pages.

use std::path::PathBuf;

use crate::{bytes, control_groups, field, number, text};

/// Memory that programs may still use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AvailableMemory {
    /// Bytes of it.
    pub bytes: u64,
    /// The folder of the control group that leaves no more; `None`: the system has no more.
    pub group: Option<PathBuf>,
}

/// Memory that the system and the control groups leave.
pub fn available_memory() -> Option<AvailableMemory> {
    let system = field(&text("/proc/meminfo"), "MemAvailable").and_then(bytes);
    let mut least = system.map(|bytes| AvailableMemory { bytes, group: None });
    for group in control_groups("memory") {
        let [most, used] = if group.is_unified {
            ["memory.max", "memory.current"]
        } else {
            ["memory.limit_in_bytes", "memory.usage_in_bytes"]
        }
        .map(|name| number(group.folder.join(name)));
        let Some(most) = most else { continue };
        let bytes = most.saturating_sub(used.unwrap_or(0));
        if least.as_ref().is_none_or(|least| bytes < least.bytes) {
            least = Some(AvailableMemory { bytes, group: Some(group.folder) });
        }
    }
    least
}

/// The bytes of an ordinary page.
pub fn page_size() -> u64 {
    const USUAL: u64 = 4096;
    let size = field(&text("/proc/self/smaps"), "KernelPageSize").and_then(bytes);
    size.filter(|size| size.is_power_of_two()).unwrap_or(USUAL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_memory_and_pages() {
        assert!(available_memory().is_some_and(|memory| memory.bytes > 0));
        assert!(page_size() >= 4096);
    }
}
