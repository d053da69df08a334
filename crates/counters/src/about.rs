//! Descriptions of counters.

use cll_trace::observable::{Observable, ObservableSource};

/// Whether an observable depends on the program only, and is equal on a loaded machine.
pub fn is_own_doing(name: &str) -> bool {
    let Some(observable) = Observable::parse(name) else { return false };
    match (&observable.source, observable.unit()) {
        (ObservableSource::Perf(event), _) if event.is_clock() => false,
        (ObservableSource::Perf(_), unit) => ["faults", "instructions", "branches"].contains(&unit),
        (
            ObservableSource::Io(_)
            | ObservableSource::MemoryPeak
            | ObservableSource::Simulated(_)
            | ObservableSource::Papi(_),
            _,
        ) => true,
        (ObservableSource::CpuTime | ObservableSource::Switches, _) => false,
    }
}

/// A short description of an observable.
pub fn about(observable: &Observable) -> &'static str {
    match (&observable.source, observable.name.as_str()) {
        (ObservableSource::CpuTime, _) => "processor time of the thread",
        (ObservableSource::Switches, _) => "involuntary context switches of the thread",
        (ObservableSource::MemoryPeak, _) => "largest memory of the process in the region",
        (ObservableSource::Io("rchar"), _) => "bytes read from files, pipes, sockets",
        (ObservableSource::Io("wchar"), _) => "bytes written to them",
        (ObservableSource::Io("syscr"), _) => "system calls that read",
        (ObservableSource::Io("syscw"), _) => "system calls that write",
        (ObservableSource::Io("read_bytes"), _) => "bytes read from a disk",
        (ObservableSource::Io(_), _) => "bytes written to a disk",
        (ObservableSource::Papi(_), _) => "an event of PAPI",
        (ObservableSource::Simulated(event), _) => match *event {
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
        (ObservableSource::Perf(_), "cpu-clock") => "the kernel's own clock of the processor",
        (ObservableSource::Perf(_), "task-clock") => "the kernel's own clock of the thread",
        (ObservableSource::Perf(_), "page-faults") => "first accesses to pages of memory",
        (ObservableSource::Perf(_), "minor-faults") => "page faults without disk access",
        (ObservableSource::Perf(_), "major-faults") => "page faults with disk access",
        (ObservableSource::Perf(_), "context-switches") => "context switches of the thread",
        (ObservableSource::Perf(_), "cpu-migrations") => "moves of the thread to another processor",
        (ObservableSource::Perf(event), _) if event.is_hardware() => "counted by the processor",
        (ObservableSource::Perf(_), _) => "counted by the kernel",
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
