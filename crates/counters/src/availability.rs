//! Finds what this machine can count, as far as the system reports it.

use std::fs;
use std::path::{Path, PathBuf};

use cll_trace::observable::{Observable, ObservableSource};

use super::processor::has_counters;
use super::simulation::{is_simulated, valgrind};

/// This machine and its kernel.
#[derive(Clone, Debug)]
pub struct Availability {
    /// Whether the kernel has `perf_event_open`.
    perf: bool,
    /// Whether the kernel shows the processor's counters.
    hardware: bool,
    /// `kernel.perf_event_paranoid`.
    level: i64,
    /// Whether we may do what `perf_event_paranoid` forbids.
    privileged: bool,
    /// PAPI's library.
    papi: Option<PathBuf>,
    valgrind: bool,
}

const LEVEL: &str = "/proc/sys/kernel/perf_event_paranoid";
const UNITS: &str = "/sys/bus/event_source/devices";
/// Folders of libraries; their subfolders for kinds of machines are searched, too.
const LIBRARIES: [&str; 4] = ["/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib"];

impl Availability {
    /// Reads the system's information; counts nothing.
    pub fn query() -> Availability {
        let level = fs::read_to_string(LEVEL).ok();
        let units = fs::read_dir(UNITS).into_iter().flatten().flatten();
        let names = units.map(|unit| unit.file_name().to_string_lossy().into_owned());
        Availability {
            perf: level.is_some(),
            // Some containers hide the list but can count.
            hardware: names.into_iter().any(|name| is_processor(&name)) || has_counters(),
            level: level.and_then(|text| text.trim().parse().ok()).unwrap_or(2),
            privileged: rustix::process::geteuid().is_root(),
            papi: LIBRARIES.iter().find_map(|folder| papi(Path::new(folder), 1)),
            valgrind: valgrind().is_some(),
        }
    }

    /// Why an observable cannot be counted here; `None` if no reason is known.
    pub fn refuses(&self, observable: &Observable) -> Option<String> {
        match &observable.source {
            ObservableSource::Perf(_) if !self.perf => {
                Some("the kernel has no perf_event_open (CONFIG_PERF_EVENTS)".to_owned())
            }
            ObservableSource::Perf(event) if event.is_hardware() && !self.hardware => Some(
                "the kernel shows no counters of this processor; most virtual machines have none"
                    .to_owned(),
            ),
            ObservableSource::Perf(event) if !self.privileged => {
                let in_kernel = !event.is_hardware() && matches!(event.config, 3 | 4 | 11);
                let allowed = if in_kernel { 1 } else { 2 };
                (self.level > allowed).then(|| {
                    format!(
                        "the kernel refuses it (kernel.perf_event_paranoid is {}): sysctl \
                         kernel.perf_event_paranoid={allowed} would allow it",
                        self.level
                    )
                })
            }
            ObservableSource::Papi(_) if self.papi.is_none() => Some(
                "PAPI's library (libpapi.so) is not installed (Debian package libpapi-dev)"
                    .to_owned(),
            ),
            ObservableSource::Simulated(_) if !self.valgrind => {
                Some("valgrind is not installed".to_owned())
            }
            _ => None,
        }
    }

    /// How a run can record what a trace lacks; where this machine refuses it, why.
    pub fn advice(&self, name: &str) -> Vec<String> {
        const LIST: &str = "cll counters lists the available counters";
        let Some(wanted) = Observable::parse(name) else {
            return vec![format!("no counter has the name {name}; {LIST}")];
        };
        let name = &wanted.name;
        match self.refuses(&wanted) {
            Some(why) => vec![format!("{name} cannot be counted here: {why}"), LIST.to_owned()],
            None if is_simulated(name) => {
                vec![format!("cll run --simulate-caches records {name} with each sample")]
            }
            None => vec![format!("cll run --counters {name} records it with each sample")],
        }
    }

    /// PAPI's library, if it is installed.
    pub fn papi(&self) -> Option<&Path> {
        self.papi.as_deref()
    }
}

/// Whether a unit in the kernel's list is the processor's counters.
fn is_processor(name: &str) -> bool {
    name == "cpu" || name.starts_with("cpu_") || name.starts_with("armv")
}

fn papi(folder: &Path, deeper: u32) -> Option<PathBuf> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder).ok()?.flatten() {
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with("libpapi.so") {
            return Some(path);
        }
        if deeper > 0 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            folders.push(path);
        }
    }
    folders.iter().find_map(|folder| papi(folder, deeper - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_and_what_would_help() {
        let here = Availability {
            perf: true,
            hardware: false,
            level: 3,
            privileged: false,
            papi: None,
            valgrind: false,
        };
        let why = |here: &Availability, name: &str| here.refuses(&Observable::parse(name).unwrap());
        assert!(why(&here, "cycles").unwrap().contains("virtual machines"));
        assert!(why(&here, "page-faults").unwrap().contains("perf_event_paranoid=2"));
        assert!(why(&here, "context-switches").unwrap().contains("perf_event_paranoid=1"));
        assert!(why(&here, "papi::x").unwrap().contains("libpapi-dev"));
        assert!(why(&here, "sim::Ir").unwrap().contains("valgrind"));
        let advice = |here: &Availability, name: &str| here.advice(name).join("; ");
        let refused = advice(&here, "faults");
        assert!(
            refused.contains("page-faults cannot be counted here: the kernel refuses"),
            "{refused}"
        );
        assert!(!refused.contains("--counters"), "{refused}");
        assert!(advice(&here, "sim::Ir").contains("valgrind is not installed"));
        for name in ["cpu-time", "switches", "memory-peak", "io-read"] {
            assert_eq!(why(&here, name), None);
        }
        let open = Availability { hardware: true, level: 2, ..here.clone() };
        assert_eq!((why(&open, "cycles"), why(&open, "page-faults")), (None, None));
        assert!(advice(&open, "page-faults").starts_with("cll run --counters page-faults records"));
        let simulating = Availability { valgrind: true, ..open.clone() };
        assert!(advice(&simulating, "sim::Ir").starts_with("cll run --simulate-caches records"));
        assert!(advice(&open, "page-falts").contains("no counter has the name page-falts"));
        assert!(why(&open, "cpu-migrations").is_some());
        assert_eq!(why(&Availability { privileged: true, ..open }, "cpu-migrations"), None);
        assert!(
            why(&Availability { perf: false, ..here }, "page-faults").unwrap().contains("CONFIG")
        );
        assert!(is_processor("cpu") && is_processor("cpu_core") && is_processor("armv8_pmuv3_0"));
        assert!(!is_processor("software") && !is_processor("msr"));
    }
}
