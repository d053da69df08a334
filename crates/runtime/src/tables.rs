//! Tables of a process about itself, as text that is prepared in advance: at the first record no memory may be
//! allocated.

use std::ffi::{CStr, c_char, c_uint};
use std::mem;

use cll_trace::layout::{FORMAT_VERSION, MAX_PLACES};
use cll_trace::meta::{Clock, Meta, Place, Process, Processor, Report, Unit};

use crate::abi;
use crate::clock;
use crate::counters::Counters;
use crate::switches;
use crate::sys;

/// Bytes of arguments that are recorded; some programs get file lists of megabytes.
const ARGUMENTS: usize = 16 * 1024;
/// Places in one line: a line must fit into a block.
const PLACES_PER_LINE: usize = 32;

/// The table of the process.
#[derive(Debug)]
pub struct ProcessTable {
    line: Vec<u8>,
    pid: usize,
    parent_pid: usize,
    start: usize,
    processors: usize,
}

/// The tables of the units, numbered.
#[derive(Debug, Default)]
pub struct Units {
    units: Vec<KnownUnit>,
    places: usize,
    /// Whether a unit's model is OpenMP.
    pub openmp: bool,
    /// Whether a unit's model is MPI.
    pub mpi: bool,
}

#[derive(Debug)]
struct KnownUnit {
    base: c_uint,
    /// With all numbers 0, for comparison.
    unit: Unit,
    lines: Vec<Vec<u8>>,
    /// Places in the lines where the number of observables is written: line and offset.
    counted: Vec<(usize, usize)>,
}

/// Why a unit cannot be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It was translated for another version of `cll.h`.
    Version(c_uint),
    /// Records can distinguish 65535 places, and there are more.
    Places,
}

/// The result of [`Units::register`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registered {
    /// Number of the unit's first place.
    pub base: c_uint,
    /// Index of the unit, if it was not known.
    pub new: Option<usize>,
}

impl ProcessTable {
    /// Collects what does not change from now on.
    pub fn new(clock: Clock, order: &str, gate: bool, cwd: &[u8]) -> ProcessTable {
        let command = std::fs::read("/proc/self/cmdline").unwrap_or_default();
        let process = Process {
            format: FORMAT_VERSION,
            runtime: env!("CARGO_PKG_VERSION").into(),
            program: program_path(),
            args: arguments(&command),
            cwd: String::from_utf8_lossy(cwd).into(),
            host: host(),
            clock_of: String::new(),
            cpu: processor_model(),
            // Found and overwritten below.
            pid: u32::MAX,
            parent_pid: u32::MAX,
            start_unix_ns: u64::MAX,
            clock,
            tick_hz: clock::nominal_hz(),
            order: order.into(),
            switched: if switches::are_seen() { "rseq" } else { "none" }.into(),
            gate: if gate { "on" } else { "off" }.into(),
            processors: u32::MAX,
        };
        ProcessTable::from_process(&process)
    }

    fn from_process(process: &Process) -> ProcessTable {
        let mut line = Meta::Process(process.clone()).to_json().into_bytes();
        line.push(b'\n');
        // Inside a string the quotes would be escaped, so each is found once.
        let offset_of = |key: &str| find(&line, format!("\"{key}\":").as_bytes());
        let (pid, parent_pid) = (offset_of("pid"), offset_of("parent_pid"));
        let (start, processors) = (offset_of("start_unix_ns"), offset_of("processors"));
        let mut table = ProcessTable { pid, parent_pid, start, processors, line };
        table.identify(0, 0, 0);
        table.set_processors(1);
        table
    }

    /// From now on the table is that of process `pid`.
    pub fn identify(&mut self, pid: u32, parent_pid: u32, start_unix_ns: u64) {
        overwrite(&mut self.line[self.pid..][..10], u64::from(pid));
        overwrite(&mut self.line[self.parent_pid..][..10], u64::from(parent_pid));
        overwrite(&mut self.line[self.start..][..20], start_unix_ns);
    }

    /// `P` of the program's model.
    pub fn set_processors(&mut self, processors: u32) {
        overwrite(&mut self.line[self.processors..][..10], u64::from(processors));
    }

    /// The table, with the line's end.
    pub fn line(&self) -> &[u8] {
        &self.line
    }
}

impl Units {
    pub const fn new() -> Units {
        Units { units: Vec::new(), places: 0, openmp: false, mpi: false }
    }

    /// The number of places.
    pub fn places(&self) -> usize {
        self.places
    }

    /// Numbers the places of a unit and copies its tables. If the same unit is registered again (an object that
    /// is loaded, unloaded and loaded), it has the same numbers.
    ///
    /// # Safety
    /// All pointers in `unit` are null or valid, strings end with a zero byte.
    pub unsafe fn register(
        &mut self,
        unit: &abi::Unit,
        counters: &mut Counters,
    ) -> Result<Registered, Refusal> {
        if unit.version != abi::VERSION {
            return Err(Refusal::Version(unit.version));
        }
        // SAFETY: by the caller.
        let copy = unsafe { copy_unit(unit) };
        let same = |known: &&KnownUnit| known.unit == copy;
        if let Some(known) = self.units.iter().find(same) {
            return Ok(Registered { base: known.base, new: None });
        }
        let base = self.places;
        if base + copy.places.len() > usize::from(MAX_PLACES) {
            return Err(Refusal::Places);
        }
        self.places += copy.places.len();
        self.openmp |= copy.model == "OpenMP";
        self.mpi |= copy.model == "MPI";
        // SAFETY: by the caller.
        let clauses = unsafe { clauses(unit) };
        clauses.iter().flatten().for_each(|name| counters.want(name));
        let is_counted = |index: usize| {
            counters.counts_all() || clauses.get(index).is_some_and(|names| !names.is_empty())
        };
        let lines = lines(&copy, base as u32, is_counted);
        let counted = lines.iter().enumerate().flat_map(|(number, line)| {
            let offsets = find_all(line, COUNTED.as_bytes());
            offsets.into_iter().map(move |offset| (number, offset))
        });
        let counted = counted.collect();
        let base = base as c_uint;
        self.units.push(KnownUnit { base, unit: copy, lines, counted });
        Ok(Registered { base, new: Some(self.units.len() - 1) })
    }

    /// Sets the number of observables of counted places, in units from index `from` on.
    pub fn set_observables(&mut self, from: usize, count: u32) {
        for known in &mut self.units[from..] {
            for &(line, offset) in &known.counted {
                overwrite(&mut known.lines[line][offset..][..10], u64::from(count));
            }
        }
    }

    /// The lines of the units from index `from` on.
    pub fn lines(&self, from: usize) -> impl Iterator<Item = &[u8]> {
        self.units[from..].iter().flat_map(|known| known.lines.iter().map(Vec::as_slice))
    }
}

/// The line with the number of the processor.
pub fn processor(number: usize, count: usize, job: String, engine: &str) -> Vec<u8> {
    let saturated = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let engine = engine.to_owned();
    let table = Processor { number: saturated(number), count: saturated(count), job, engine };
    let mut line = Meta::Processor(table).to_json().into_bytes();
    line.push(b'\n');
    line
}

/// The line that requests a report of `names`.
///
/// # Safety
/// `names` points to `count` strings, each null or ended by a zero byte.
pub unsafe fn report(names: *const *const c_char, count: c_uint) -> Vec<u8> {
    // SAFETY: by the caller.
    let names = unsafe { strings(names, count) };
    let mut line = Meta::Report(Report { names }).to_json().into_bytes();
    line.push(b'\n');
    line
}

fn lines(unit: &Unit, base: u32, is_counted: impl Fn(usize) -> bool) -> Vec<Vec<u8>> {
    let number = |(index, place): (usize, &Place)| Place {
        id: base + index as u32,
        // Found and overwritten when the number is known.
        observables: if is_counted(index) { u32::MAX } else { 0 },
        ..place.clone()
    };
    let mut places: Vec<Place> = unit.places.iter().enumerate().map(number).collect();
    let mut lines = Vec::new();
    while !places.is_empty() || lines.is_empty() {
        let rest = places.split_off(places.len().min(PLACES_PER_LINE));
        let part = Unit { base, places: mem::replace(&mut places, rest), ..unit.clone() };
        let mut line = Meta::Unit(part).to_json().into_bytes();
        line.push(b'\n');
        lines.push(line);
    }
    lines
}

unsafe fn copy_unit(unit: &abi::Unit) -> Unit {
    let places = if unit.places.is_null() {
        &[]
    } else {
        // SAFETY: by the caller of `register`.
        unsafe { std::slice::from_raw_parts(unit.places, unit.nplaces as usize) }
    };
    // SAFETY: by the caller of `register`.
    unsafe {
        Unit {
            base: 0,
            file: string(unit.file),
            compiler: string(unit.compiler),
            model: string(unit.model),
            places: places.iter().map(|place| copy_place(place)).collect(),
        }
    }
}

unsafe fn copy_place(place: &abi::Place) -> Place {
    // SAFETY: by the caller of `register`.
    unsafe {
        Place {
            id: 0,
            experiment: string(place.experiment),
            formula: string(place.formula),
            file: string(place.file),
            line: place.line,
            end_line: place.end_line,
            function: string(place.function),
            variables: strings(place.variables, place.nvalues),
            every: place.every,
            observables: 0,
        }
    }
}

/// The names in the clauses of each place.
unsafe fn clauses(unit: &abi::Unit) -> Vec<Vec<String>> {
    let places = if unit.places.is_null() {
        &[]
    } else {
        // SAFETY: by the caller of `register`.
        unsafe { std::slice::from_raw_parts(unit.places, unit.nplaces as usize) }
    };
    // SAFETY: as above.
    places.iter().map(|place| unsafe { strings(place.counters, place.ncounters) }).collect()
}

unsafe fn string(text: *const c_char) -> String {
    if text.is_null() {
        String::new()
    } else {
        // SAFETY: by the caller.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }
}

unsafe fn strings(texts: *const *const c_char, count: c_uint) -> Vec<String> {
    if texts.is_null() {
        vec![String::new(); count as usize]
    } else {
        // SAFETY: by the caller.
        (0..count as usize).map(|index| unsafe { string(*texts.add(index)) }).collect()
    }
}

/// Where the value of a key begins.
fn find(line: &[u8], key: &[u8]) -> usize {
    let number = line.windows(key.len()).position(|window| window == key);
    number.map_or(0, |start| start + key.len())
}

/// The key of the numbers of observables that are overwritten. Inside a string the quotes would be escaped.
const COUNTED: &str = "\"observables\":";

/// Where the values of all keys begin.
fn find_all(line: &[u8], key: &[u8]) -> Vec<usize> {
    let windows = line.windows(key.len()).enumerate();
    windows.filter(|(_, window)| *window == key).map(|(start, _)| start + key.len()).collect()
}

/// Writes a number with leading blanks.
fn overwrite(field: &mut [u8], number: u64) {
    let mut rest = number;
    let last = field.len() - 1;
    for (index, digit) in field.iter_mut().enumerate().rev() {
        *digit = if rest > 0 || index == last { b'0' + (rest % 10) as u8 } else { b' ' };
        rest /= 10;
    }
}

/// Path of the running program, empty if unknown.
pub fn program_path() -> String {
    let path = std::fs::read_link("/proc/self/exe");
    path.map_or_else(|_| String::new(), |path| path.to_string_lossy().into_owned())
}

fn arguments(command: &[u8]) -> Vec<String> {
    let mut room = ARGUMENTS;
    let mut args = Vec::new();
    let command = command.strip_suffix(b"\0").unwrap_or(command);
    for (index, arg) in command.split(|&byte| byte == 0).skip(1).enumerate() {
        if arg.len() > room {
            let rest = command.split(|&byte| byte == 0).skip(1 + index).count();
            args.push(format!("({rest} more)"));
            break;
        }
        room -= arg.len();
        args.push(String::from_utf8_lossy(arg).into_owned());
    }
    args
}

/// The name of this host.
pub fn host() -> String {
    let mut name = [0; 256];
    // SAFETY: the length is passed, and one more byte is zero.
    unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) };
    CStr::from_bytes_until_nul(&name)
        .map_or_else(|_| String::new(), |name| name.to_string_lossy().into())
}

#[cfg(target_arch = "x86_64")]
fn processor_model() -> String {
    use std::arch::x86_64::__cpuid;
    if __cpuid(0x8000_0000).eax < 0x8000_0004 {
        return String::new();
    }
    let mut text = Vec::new();
    for leaf in 0x8000_0002..=0x8000_0004u32 {
        let part = __cpuid(leaf);
        for word in [part.eax, part.ebx, part.ecx, part.edx] {
            text.extend(word.to_le_bytes());
        }
    }
    let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(text).trim().to_owned()
}

#[cfg(not(target_arch = "x86_64"))]
fn processor_model() -> String {
    use std::io::Read;
    // The first processor is at the beginning, and the file is long.
    let mut start = [0; 4096];
    let file = std::fs::File::open("/proc/cpuinfo");
    let count = file.and_then(|mut file| file.read(&mut start)).unwrap_or(0);
    let text = String::from_utf8_lossy(&start[..count]);
    let value = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    match (value("model name"), value("CPU implementer"), value("CPU part")) {
        (Some(model), ..) => model,
        (None, Some(implementer), Some(part)) => format!("{implementer} {part}"),
        _ => String::new(),
    }
}

/// The process's own ID, its parent's and the time, for [`ProcessTable::identify`].
pub fn identity() -> (u32, u32, u64) {
    (sys::pid(), sys::parent_pid(), clock::unix_ns())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_identified_in_place() {
        let tricky = Process {
            pid: u32::MAX,
            parent_pid: u32::MAX,
            start_unix_ns: u64::MAX,
            processors: u32::MAX,
            args: vec!["\"pid\":4294967295".into()],
            ..Process::default()
        };
        let mut table = ProcessTable::from_process(&tricky);
        for (pid, start) in [(17, 5), (4_000_000_000, u64::MAX), (0, 0)] {
            table.identify(pid, pid, start);
            table.set_processors(pid);
            let process = Process {
                pid,
                parent_pid: pid,
                start_unix_ns: start,
                processors: pid,
                ..tricky.clone()
            };
            let read: Process = serde_json::from_slice(table.line()).unwrap();
            assert_eq!(read, process);
        }
    }

    #[test]
    fn long_arguments_are_counted() {
        let mut command = b"prog\0-n\0".to_vec();
        command.extend([b'x'; 20_000]);
        command.extend(b"\0last\0");
        assert_eq!(arguments(&command), ["-n", "(2 more)"]);
        assert_eq!(arguments(b"prog\0\0a\0"), ["", "a"]);
        assert!(arguments(b"").is_empty());
    }

    #[test]
    fn a_unit_again_has_the_same_numbers() {
        let place = |line| abi::Place {
            experiment: c"f".as_ptr(),
            formula: c"f[0]".as_ptr(),
            file: c"a.c".as_ptr(),
            function: std::ptr::null(),
            line,
            end_line: line + 1,
            nvalues: 0,
            every: 0,
            variables: std::ptr::null(),
            ncounters: 0,
            counters: std::ptr::null(),
        };
        let many: Vec<abi::Place> = (0..70).map(place).collect();
        let unit = |places: &[abi::Place], version| abi::Unit {
            version,
            nplaces: places.len() as c_uint,
            places: places.as_ptr(),
            file: c"a.c".as_ptr(),
            model: c"OpenMP".as_ptr(),
            compiler: std::ptr::null(),
            base: 0,
            automatic: 0,
        };
        let mut units = Units::new();
        // SAFETY: the tables are valid.
        let mut register = |unit: &abi::Unit| unsafe { units.register(unit, &mut Counters::new()) };
        let registered = |base, new| Ok(Registered { base, new });
        assert_eq!(register(&unit(&many, abi::VERSION)), registered(0, Some(0)));
        assert_eq!(register(&unit(&many[..3], abi::VERSION)), registered(70, Some(1)));
        assert_eq!(register(&unit(&many, abi::VERSION)), registered(0, None));
        assert_eq!(register(&unit(&many[..3], abi::VERSION)), registered(70, None));
        assert_eq!(register(&unit(&many, 9)), Err(Refusal::Version(9)));
        let all: Vec<abi::Place> = (0..65_463).map(place).collect();
        assert_eq!(register(&unit(&all, abi::VERSION)), Err(Refusal::Places));
        assert_eq!(units.lines(0).count(), 4);
        assert!(units.openmp);
        let ids: Vec<u32> = units
            .lines(0)
            .flat_map(|line| serde_json::from_slice::<Unit>(line).unwrap().places)
            .map(|place| place.id)
            .collect();
        assert_eq!(ids, (0..73).collect::<Vec<u32>>());
    }
}
