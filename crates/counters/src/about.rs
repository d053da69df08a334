//! Descriptions of counters.

use cll_trace::observable::{Observable, Source};

/// Whether an observable depends on the program only, and is equal on a loaded machine.
pub fn is_own_doing(name: &str) -> bool {
    let Some(observable) = Observable::parse(name) else { return false };
    match (&observable.source, observable.unit()) {
        (Source::Perf(event), _) if event.is_clock() => false,
        (Source::Perf(_), unit) => ["faults", "instructions", "branches"].contains(&unit),
        (Source::Io(_) | Source::MemoryPeak | Source::Simulated(_) | Source::Papi(_), _) => true,
        (Source::CpuTime | Source::Switches, _) => false,
    }
}

/// A short description of an observable.
pub fn about(observable: &Observable) -> &'static str {
    match (&observable.source, observable.name.as_str()) {
        (Source::CpuTime, _) => "processor time of the thread",
        (Source::Switches, _) => "involuntary context switches of the thread",
        (Source::MemoryPeak, _) => "largest memory of the process in the region",
        (Source::Io("rchar"), _) => "bytes read from files, pipes, sockets",
        (Source::Io("wchar"), _) => "bytes written to them",
        (Source::Io("syscr"), _) => "system calls that read",
        (Source::Io("syscw"), _) => "system calls that write",
        (Source::Io("read_bytes"), _) => "bytes read from a disk",
        (Source::Io(_), _) => "bytes written to a disk",
        (Source::Papi(_), _) => "an event of PAPI",
        (Source::Simulated(event), _) => match *event {
            "Ir" => "instructions (simulated)",
            "Dr" => "reads of memory (simulated)",
            "Dw" => "writes to memory (simulated)",
            "I1mr" => "instructions not in the first-level cache (simulated)",
            "D1mr" => "reads not in the first-level cache (simulated)",
            "D1mw" => "writes not in the first-level cache (simulated)",
            "ILmr" => "instructions not in the last cache (simulated)",
            "DLmr" => "reads not in the last cache (simulated)",
            _ => "writes not in the last cache (simulated)",
        },
        (Source::Perf(_), "cpu-clock") => "the kernel's own clock of the processor",
        (Source::Perf(_), "task-clock") => "the kernel's own clock of the thread",
        (Source::Perf(_), "page-faults") => "first accesses to pages of memory",
        (Source::Perf(_), "minor-faults") => "page faults without disk access",
        (Source::Perf(_), "major-faults") => "page faults with disk access",
        (Source::Perf(_), "context-switches") => "context switches of the thread",
        (Source::Perf(_), "cpu-migrations") => "moves of the thread to another processor",
        (Source::Perf(event), _) if event.is_hardware() => "counted by the processor",
        (Source::Perf(_), _) => "counted by the kernel",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_do_to_the_machine_shows_in_times_and_caches() {
        for name in ["page-faults", "instructions", "io-read", "memory-peak", "sim::D1mr"] {
            assert!(is_own_doing(name), "{name}");
        }
        for name in ["cpu-time", "task-clock", "cycles", "cache-misses", "switches", "nothing"] {
            assert!(!is_own_doing(name), "{name}");
        }
    }

    #[test]
    fn everything_known_is_described() {
        for name in Observable::known() {
            assert!(!about(&Observable::parse(&name).unwrap()).is_empty(), "{name}");
        }
    }
}
