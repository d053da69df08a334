//! Counts of each instruction of a binary, from callgrind.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use cll_symbols::callgrind::{Event, Reader};

/// The counts of an instruction.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Executions.
    pub executed: u64,
    /// Reads and writes.
    pub reads: u64,
    pub writes: u64,
    /// Reads and writes that missed each cache, the first one first.
    pub read_misses: Vec<u64>,
    pub write_misses: Vec<u64>,
    /// Reads and writes whose page was in no entry of each level of translation, the first one first.
    pub read_pages: Vec<u64>,
    pub write_pages: Vec<u64>,
    /// Pages that it was the first to use.
    pub new_pages: u64,
    /// Branches, and those that were predicted wrongly.
    pub branches: u64,
    pub mispredicted: u64,
    /// Where jumps went, and how often.
    pub jumps: Vec<(u64, u64)>,
    /// The calls: each callee's address, and how often it was called.
    pub calls: Vec<(u64, u64)>,
}

/// By address.
pub type Program = BTreeMap<u64, Counts>;

/// The sizes for which misses are counted: those of the caches, and those of pages with their reaches.
pub struct Sizes {
    pub caches: Vec<f64>,
    pub page: f64,
    pub reaches: Vec<f64>,
}

/// Bytes of a cache line.
const LINE: f64 = 64.0;
/// No program here uses as many bytes of pages: what misses them is used for the first time.
const ALL_PAGES: f64 = 1e9;

/// Runs a program once for each cache beyond the first one: callgrind simulates two levels at a time. Then with lines as
/// long as pages for the levels of translation, and for pages that are used first.
pub fn counted(program: &Path, arguments: &[&str], sizes: &Sizes) -> Result<Program> {
    let caches = &sizes.caches;
    let reaches: Vec<f64> = sizes.reaches.iter().copied().chain([ALL_PAGES]).collect();
    let lines = caches.iter().skip(1).map(|last| (cache(caches[0], LINE), cache(*last, LINE)));
    let pages = reaches
        .chunks(2)
        .map(|pair| (cache(pair[0], sizes.page), cache(pair[pair.len() - 1], sizes.page)));
    let pairs: Vec<(String, String)> = lines.chain(pages).collect();
    // They take long, and are as many as there are levels.
    let runs: Vec<Result<Program>> = std::thread::scope(|scope| {
        let one = |(number, pair): (usize, &(String, String))| {
            let (first, last) = pair.clone();
            scope.spawn(move || parsed(&run(program, arguments, (first, last), number)?))
        };
        let started: Vec<_> = pairs.iter().enumerate().map(one).collect();
        let joined = started.into_iter().map(|handle| handle.join().expect("no panic"));
        joined.collect()
    });
    let mut runs = runs.into_iter();
    let mut all = Program::new();
    for (index, result) in runs.by_ref().take(caches.len() - 1).enumerate() {
        for (address, counts) in result? {
            let known = all.entry(address).or_default();
            let (reads, writes) = (&counts.read_misses, &counts.write_misses);
            if index == 0 {
                *known = counts;
            } else {
                known.read_misses.push(reads[1]);
                known.write_misses.push(writes[1]);
            }
        }
    }
    for (pair, write) in reaches.chunks(2).zip(runs) {
        for (address, counts) in write? {
            let known = all.entry(address).or_default();
            known.read_pages.extend(&counts.read_misses[..pair.len()]);
            known.write_pages.extend(&counts.write_misses[..pair.len()]);
        }
    }
    for counts in all.values_mut() {
        counts.read_pages.resize(reaches.len(), 0);
        counts.write_pages.resize(reaches.len(), 0);
        counts.new_pages = counts.read_pages.pop().unwrap_or_default()
            + counts.write_pages.pop().unwrap_or_default();
    }
    all.values_mut().for_each(|counts| {
        counts.read_misses.resize(caches.len(), 0);
        counts.write_misses.resize(caches.len(), 0);
    });
    Ok(all)
}

/// Pages that a program was the first to use.
pub fn new_pages(program: &Program) -> u64 {
    program.values().map(|counts| counts.new_pages).sum()
}

/// `number`: of runs of the same program at the same time.
fn run(
    program: &Path,
    arguments: &[&str],
    (first, last): (String, String),
    number: usize,
) -> Result<String> {
    let file = program.with_extension(format!("callgrind.{number}"));
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "-q", "--dump-instr=yes", "--dump-line=no"])
        .args(["--compress-strings=no", "--compress-pos=no", "--collect-jumps=yes"])
        .args(["--cache-sim=yes", "--branch-sim=yes"])
        .arg(format!("--D1={first}"))
        .arg(format!("--LL={last}"))
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .context("valgrind is needed")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{}: {said}", program.display());
    Ok(std::fs::read_to_string(&file)?)
}

/// Size, ways and line of a cache of about so many bytes: callgrind wants a power of two of sets.
fn cache(bytes: f64, line: f64) -> String {
    let sets = (bytes / line / 12.0).log2().round().max(0.0).exp2();
    let ways = (bytes / line / sets).round().max(1.0);
    format!("{},{ways},{line}", sets * ways * line)
}

fn parsed(text: &str) -> Result<Program> {
    let mut found = Program::new();
    let mut reader = Reader::new(text);
    while let Some(record) = reader.next() {
        let counts = found.entry(record.place).or_default();
        match record.event {
            Event::Call { target, times } => add(&mut counts.calls, target, times),
            Event::Jump { target, times } => add(&mut counts.jumps, target, times),
            Event::Cost(costs) => {
                let of = |name: &str| {
                    let at = reader.names().iter().position(|known| *known == name);
                    at.and_then(|at| costs.get(at)).copied().unwrap_or(0)
                };
                counts.read_misses.resize(2, 0);
                counts.write_misses.resize(2, 0);
                counts.executed += of("Ir");
                counts.reads += of("Dr");
                counts.writes += of("Dw");
                counts.read_misses[0] += of("D1mr");
                counts.read_misses[1] += of("DLmr");
                counts.write_misses[0] += of("D1mw");
                counts.write_misses[1] += of("DLmw");
                counts.branches += of("Bc") + of("Bi");
                counts.mispredicted += of("Bcm") + of("Bim");
            }
        }
    }
    ensure!(!reader.names().is_empty() && !found.is_empty(), "callgrind counted nothing");
    Ok(found)
}

fn add(to: &mut Vec<(u64, u64)>, target: u64, number: u64) {
    match to.iter_mut().find(|pair| pair.0 == target) {
        Some(known) => known.1 += number,
        None => to.push((target, number)),
    }
}
