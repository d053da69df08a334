//! The observables of a region, which can be recorded besides its time: names, units, meanings.
//!
//! Names are those of Linux's `perf` if it has one; PAPI's events have their names after `papi::`.

use crate::meta;

/// Largest number of observables of a process.
pub const MAX_OBSERVABLES: usize = 16;
/// The value in a record of an observable that could not be read.
pub const MISSING: u64 = u64::MAX;

/// A quantity that can be recorded with each sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observable {
    /// The canonical name of the observable.
    pub name: String,
    /// How it is read.
    pub source: ObservableSource,
}

/// How an observable is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObservableSource {
    /// The processor time of the thread, nanoseconds.
    CpuTime,
    /// Number of involuntary context switches of the thread.
    Switches,
    /// Peak memory of the process, kibibytes.
    MemoryPeak,
    /// A line of the thread's `/proc/thread-self/io`.
    Io(&'static str),
    /// An event of Linux's `perf_event_open`.
    Perf(PerfEvent),
    /// An event of PAPI, by PAPI's name.
    Papi(String),
    /// An event of a simulation by callgrind, by callgrind's name.
    Simulated(&'static str),
}

/// An event of `perf_event_open`: its type and number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerfEvent {
    /// `PERF_TYPE_…`.
    pub kind: u32,
    /// The event's number.
    pub config: u64,
}

impl PerfEvent {
    /// Type of the events that the kernel counts itself.
    pub const SOFTWARE: u32 = 1;
    /// The processor's cycles.
    pub const CYCLES: PerfEvent = PerfEvent { kind: PerfEvent::HARDWARE, config: 0 };
    const HARDWARE: u32 = 0;
    const CACHE: u32 = 3;
    const RAW: u32 = 4;

    /// Whether it is one of the kernel's clocks.
    pub fn is_clock(self) -> bool {
        self.kind == PerfEvent::SOFTWARE && self.config <= 1
    }

    /// Whether the processor counts it.
    pub fn is_hardware(self) -> bool {
        self.kind != PerfEvent::SOFTWARE
    }
}

/// Prefix of PAPI's names.
const PAPI: &str = "papi::";
/// Optional prefix of the kernel's names.
const PERF: &str = "perf::";
/// Prefix of callgrind's names.
const SIMULATED: &str = "sim::";

const OWN: [(&str, ObservableSource); 9] = [
    ("cpu-time", ObservableSource::CpuTime),
    ("switches", ObservableSource::Switches),
    ("memory-peak", ObservableSource::MemoryPeak),
    ("io-read", ObservableSource::Io("rchar")),
    ("io-write", ObservableSource::Io("wchar")),
    ("io-read-calls", ObservableSource::Io("syscr")),
    ("io-write-calls", ObservableSource::Io("syscw")),
    ("disk-read", ObservableSource::Io("read_bytes")),
    ("disk-write", ObservableSource::Io("write_bytes")),
];

/// The events counted by the kernel, with their numbers.
const SOFTWARE: [(&str, u64); 10] = [
    ("cpu-clock", 0),
    ("task-clock", 1),
    ("page-faults", 2),
    ("context-switches", 3),
    ("cpu-migrations", 4),
    ("minor-faults", 5),
    ("major-faults", 6),
    ("alignment-faults", 7),
    ("emulation-faults", 8),
    ("cgroup-switches", 11),
];

/// The events counted by the processor for which the kernel has numbers.
const HARDWARE: [(&str, u64); 10] = [
    ("cycles", 0),
    ("instructions", 1),
    ("cache-references", 2),
    ("cache-misses", 3),
    ("branches", 4),
    ("branch-misses", 5),
    ("bus-cycles", 6),
    ("stalled-cycles-frontend", 7),
    ("stalled-cycles-backend", 8),
    ("ref-cycles", 9),
];

/// Caches, operations and results of the kernel's cache events.
const CACHES: [(&str, u64); 7] = [
    ("L1-dcache", 0),
    ("L1-icache", 1),
    ("LLC", 2),
    ("dTLB", 3),
    ("iTLB", 4),
    ("branch", 5),
    ("node", 6),
];
const OPERATIONS: [(&str, u64); 6] = [
    ("loads", 0),
    ("load-misses", 1 << 16),
    ("stores", 1 << 8),
    ("store-misses", 1 << 8 | 1 << 16),
    ("prefetches", 2 << 8),
    ("prefetch-misses", 2 << 8 | 1 << 16),
];

/// The events that callgrind counts when it simulates caches, in its order.
pub const SIMULATED_EVENTS: [&str; 9] =
    ["Ir", "Dr", "Dw", "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw"];

impl Observable {
    /// The observable with this name; `None` if there is none. It does not check whether PAPI or
    /// the processor knows the event.
    pub fn parse(name: &str) -> Option<Observable> {
        let observable = |name: &str, source| Some(Observable { name: name.to_owned(), source });
        if let Some((name, source)) = OWN.iter().find(|(own, _)| *own == name) {
            return observable(name, source.clone());
        }
        if let Some(event) = name.strip_prefix(SIMULATED) {
            let event = SIMULATED_EVENTS.iter().find(|known| **known == event)?;
            return observable(name, ObservableSource::Simulated(event));
        }
        let papi = name.strip_prefix(PAPI).or_else(|| is_papi(name).then_some(name));
        if let Some(event) = papi {
            let sound = !event.is_empty() && !event.contains(|c: char| c.is_control());
            return sound.then(|| Observable {
                name: format!("{PAPI}{event}"),
                source: ObservableSource::Papi(event.to_owned()),
            });
        }
        let name = name.strip_prefix(PERF).unwrap_or(name);
        let name = synonym(name);
        observable(name, ObservableSource::Perf(perf_event(name)?))
    }

    /// All names that do not depend on what is installed.
    pub fn known() -> Vec<String> {
        let plain = OWN.iter().map(|(name, _)| *name);
        let perf = SOFTWARE.iter().chain(&HARDWARE).map(|(name, _)| *name);
        let caches = CACHES.iter().flat_map(|(cache, _)| {
            OPERATIONS.iter().map(move |(operation, _)| format!("{cache}-{operation}"))
        });
        let simulated = SIMULATED_EVENTS.iter().map(|event| format!("{SIMULATED}{event}"));
        plain.chain(perf).map(str::to_owned).chain(caches).chain(simulated).collect()
    }

    /// The events of which these are misses, `sim::Dr` for `sim::D1mr`; `None` if these are no
    /// misses.
    pub fn accesses(&self) -> Option<String> {
        if let ObservableSource::Simulated(event) = self.source {
            let accessed = match event {
                "I1mr" | "ILmr" => "Ir",
                "D1mr" | "DLmr" => "Dr",
                "D1mw" | "DLmw" => "Dw",
                _ => return None,
            };
            return Some(format!("{SIMULATED}{accessed}"));
        }
        if let ObservableSource::Papi(event) = &self.source {
            // The accesses of PAPI_L1_DCM are PAPI_L1_DCA.
            let cache = event.strip_prefix("PAPI_L").and_then(|rest| rest.strip_suffix('M'));
            return match (event.as_str(), cache.filter(|cache| cache.ends_with('C'))) {
                ("PAPI_BR_MSP", _) => Some(format!("{PAPI}PAPI_BR_CN")),
                (_, Some(cache)) => Some(format!("{PAPI}PAPI_L{cache}A")),
                _ => None,
            };
        }
        match self.name.strip_suffix("-misses")? {
            "cache" => Some("cache-references".to_owned()),
            "branch" => Some("branches".to_owned()),
            operation if operation.ends_with("prefetch") => Some(format!("{operation}es")),
            operation => Some(format!("{operation}s")),
        }
    }

    /// Unit of its values.
    pub fn unit(&self) -> &'static str {
        match &self.source {
            ObservableSource::CpuTime => "s",
            ObservableSource::Switches => "switches",
            ObservableSource::MemoryPeak => "B",
            ObservableSource::Io("syscr" | "syscw") => "calls",
            ObservableSource::Io(_) => "B",
            ObservableSource::Perf(event) if event.is_clock() => "s",
            ObservableSource::Perf(PerfEvent { kind: PerfEvent::SOFTWARE, config }) => match config
            {
                3 | 11 => "switches",
                4 => "migrations",
                _ => "faults",
            },
            ObservableSource::Perf(PerfEvent { kind: PerfEvent::HARDWARE, config }) => match config
            {
                0 | 6..=9 => "cycles",
                1 => "instructions",
                2 => "references",
                4 => "branches",
                _ => "misses",
            },
            ObservableSource::Perf(_) if self.name.ends_with("misses") => "misses",
            ObservableSource::Perf(_) | ObservableSource::Papi(_) => "events",
            ObservableSource::Simulated(event) => match *event {
                "Ir" => "instructions",
                "Dr" => "reads",
                "Dw" => "writes",
                _ => "misses",
            },
        }
    }

    /// The factor from a raw value to the unit.
    pub fn scale(&self) -> f64 {
        match (&self.source, self.unit()) {
            (_, "s") => 1e-9,
            (ObservableSource::MemoryPeak, _) => 1024.0,
            _ => 1.0,
        }
    }

    /// Whether the value of a region is the sum of that of the regions inside and of the rest.
    pub fn is_additive(&self) -> bool {
        self.source != ObservableSource::MemoryPeak
    }

    /// The observable in the form of a trace's table.
    pub fn table(&self) -> meta::Observable {
        meta::Observable {
            name: self.name.clone(),
            unit: self.unit().to_owned(),
            scale: self.scale(),
            additive: self.is_additive(),
        }
    }
}

/// PAPI's preset names need no prefix.
fn is_papi(name: &str) -> bool {
    name.starts_with("PAPI_") || name.contains(":::")
}

fn synonym(name: &str) -> &str {
    match name {
        "faults" => "page-faults",
        "cs" => "context-switches",
        "migrations" => "cpu-migrations",
        "cpu-cycles" => "cycles",
        "branch-instructions" => "branches",
        name => name,
    }
}

fn perf_event(name: &str) -> Option<PerfEvent> {
    let number = |list: &[(&str, u64)]| {
        list.iter().find(|(known, _)| *known == name).map(|(_, number)| *number)
    };
    if let Some(config) = number(&SOFTWARE) {
        return Some(PerfEvent { kind: PerfEvent::SOFTWARE, config });
    }
    if let Some(config) = number(&HARDWARE) {
        return Some(PerfEvent { kind: PerfEvent::HARDWARE, config });
    }
    for (cache, which) in CACHES {
        let Some(rest) = name.strip_prefix(cache).and_then(|rest| rest.strip_prefix('-')) else {
            continue;
        };
        let operation = OPERATIONS.iter().find(|(known, _)| *known == rest);
        if let Some((_, operation)) = operation {
            return Some(PerfEvent { kind: PerfEvent::CACHE, config: which | operation });
        }
    }
    let digits = name.strip_prefix('r').filter(|digits| !digits.starts_with('+'))?;
    let config = u64::from_str_radix(digits, 16).ok()?;
    Some(PerfEvent { kind: PerfEvent::RAW, config })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn perf(name: &str) -> (u32, u64) {
        match Observable::parse(name).unwrap().source {
            ObservableSource::Perf(PerfEvent { kind, config }) => (kind, config),
            other => panic!("{name}: {other:?}"),
        }
    }

    #[test]
    fn every_known_name_is_understood_as_itself() {
        let known = Observable::known();
        for name in &known {
            let observable = Observable::parse(name).unwrap();
            assert_eq!((&observable.name, observable.unit().is_empty()), (name, false));
        }
        let mut once = known.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), known.len());
    }

    #[test]
    fn numbers_are_the_kernels() {
        assert_eq!((perf("page-faults"), perf("perf::faults")), ((1, 2), (1, 2)));
        assert_eq!((perf("instructions"), perf("cpu-cycles")), ((0, 1), (0, 0)));
        assert_eq!(perf("LLC-load-misses"), (3, 0x1_0002));
        assert_eq!(perf("dTLB-store-misses"), (3, 0x1_0103));
        assert_eq!(perf("r01c2"), (4, 0x1c2));
    }

    #[test]
    fn names_of_others() {
        let papi = |name: &str| {
            Observable::parse(name).map(|observable| (observable.name, observable.source))
        };
        let expected = |name: &str, event: &str| {
            Some((name.to_owned(), ObservableSource::Papi(event.to_owned())))
        };
        assert_eq!(papi("PAPI_TOT_INS"), expected("papi::PAPI_TOT_INS", "PAPI_TOT_INS"));
        assert_eq!(papi("papi::sde:::l::x"), expected("papi::sde:::l::x", "sde:::l::x"));
        assert_eq!(papi("sde:::l::x"), expected("papi::sde:::l::x", "sde:::l::x"));
        for wrong in ["", "papi::", "page-fault", "rxyz", "r", "r+1", "sim::ir", "LLC-", "time"] {
            assert_eq!(papi(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn units_and_scales() {
        let reported = |name: &str| {
            let table = Observable::parse(name).unwrap().table();
            (table.unit, table.scale, table.additive)
        };
        assert_eq!(reported("cpu-time"), ("s".into(), 1e-9, true));
        assert_eq!(reported("task-clock"), ("s".into(), 1e-9, true));
        assert_eq!(reported("memory-peak"), ("B".into(), 1024.0, false));
        assert_eq!(reported("LLC-load-misses"), ("misses".into(), 1.0, true));
        assert_eq!(reported("sim::D1mr"), ("misses".into(), 1.0, true));
    }

    #[test]
    fn misses_are_of_accesses() {
        let accesses_of = |name: &str| Observable::parse(name).expect("a name").accesses();
        let reported = [
            ("sim::D1mr", "sim::Dr"),
            ("sim::DLmw", "sim::Dw"),
            ("sim::ILmr", "sim::Ir"),
            ("cache-misses", "cache-references"),
            ("branch-misses", "branches"),
            ("L1-dcache-load-misses", "L1-dcache-loads"),
            ("LLC-store-misses", "LLC-stores"),
            ("L1-icache-prefetch-misses", "L1-icache-prefetches"),
            ("PAPI_L1_DCM", "papi::PAPI_L1_DCA"),
            ("papi::PAPI_L2_TCM", "papi::PAPI_L2_TCA"),
            ("PAPI_BR_MSP", "papi::PAPI_BR_CN"),
        ];
        for (misses, accesses) in reported {
            assert_eq!(accesses_of(misses).as_deref(), Some(accesses), "{misses}");
        }
        for name in [
            "cpu-time",
            "sim::Dr",
            "page-faults",
            "LLC-loads",
            "PAPI_TOT_INS",
            "PAPI_L1_DCA",
            "r01c2",
        ] {
            assert_eq!(accesses_of(name), None, "{name}");
        }
        // All accesses are also observables.
        for name in Observable::known().iter().filter_map(|name| accesses_of(name)) {
            assert!(Observable::parse(&name).is_some_and(|entry| entry.name == name), "{name}");
        }
    }
}
