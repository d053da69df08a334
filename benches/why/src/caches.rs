//! Simulated caches, and their misses in a program.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Sizes of two levels.
#[derive(Clone, Copy)]
pub struct Caches {
    pub first: u64,
    pub last: u64,
    words: &'static str,
}

impl Caches {
    pub const FIRST: Caches =
        Caches { first: 6 << 10, last: 80 << 10, words: "D1=6K:12:64,LL=80K:20:64" };
    pub const SECOND: Caches =
        Caches { first: 12 << 10, last: 160 << 10, words: "D1=12K:12:64,LL=160K:20:64" };

    /// A machine file with these levels.
    pub fn machine(&self) -> String {
        format!(
            "cll-machine = 2\nname = \"simulated\"\n\n[origin]\nby = \"hand\"\n\n\
             [[level]]\nname = \"L1\"\nsize = \"{} B\"\nlatency = \"1 ns\"\n\n\
             [[level]]\nname = \"L2\"\nsize = \"{} B\"\nlatency = \"5 ns\"\n\n\
             [[level]]\nname = \"memory\"\nlatency = \"60 ns\"\n",
            self.first, self.last
        )
    }
}

/// The counts at a size, for each unit of work.
struct Point {
    size: f64,
    /// Misses of the first level and of the last one.
    misses: [f64; 2],
    accesses: f64,
}

/// Misses and accesses for each unit of work by size.
pub struct Misses(Vec<Point>);

impl Misses {
    /// At a size, interpolated; `None` beyond what was simulated.
    pub fn misses_at(&self, level: &str, size: f64) -> Option<f64> {
        self.between(size, |point| level_misses(point, level))
    }

    /// Accesses at a size.
    pub fn accesses(&self, size: f64) -> Option<f64> {
        self.between(size, |point| point.accesses)
    }

    fn between(&self, size: f64, value_of: impl Fn(&Point) -> f64) -> Option<f64> {
        let is_around = |pair: &&[Point]| pair[0].size <= size && size <= pair[1].size;
        let pair = self.0.windows(2).find(is_around)?;
        let part = (size - pair[0].size) / (pair[1].size - pair[0].size);
        Some(value_of(&pair[0]) + part * (value_of(&pair[1]) - value_of(&pair[0])))
    }

    /// The largest minus the smallest.
    pub fn rise(&self, level: &str) -> f64 {
        let all = self.0.iter().map(|point| level_misses(point, level));
        all.clone().fold(0.0, f64::max) - all.fold(f64::MAX, f64::min)
    }
}

fn level_misses(point: &Point, level: &str) -> f64 {
    point.misses[usize::from(level != "L1")]
}

/// Runs the program under callgrind.
pub fn misses(
    cll: &Path,
    source: &Path,
    experiment: &str,
    caches: Caches,
    unit: fn(f64) -> f64,
) -> Result<Misses> {
    let folder = tempfile::tempdir()?;
    let program = folder.path().join("program");
    let built =
        Command::new(cll).args(["cc", "-O2", "-w", "-o"]).args([&program, source]).status()?;
    ensure!(built.success(), "cll cc: {} does not compile", source.display());
    let output = Command::new(cll)
        .arg("run")
        .arg(format!("--simulate-caches={}", caches.words))
        .arg(&program)
        .current_dir(folder.path())
        .output()?;
    ensure!(
        output.status.success(),
        "cll run {}: {}",
        source.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    let trace = folder.path().join("program.cll.0.dat");
    let output = Command::new(cll).arg("export").arg(&trace).output()?;
    ensure!(output.status.success(), "cll export: {}", String::from_utf8_lossy(&output.stderr));
    of_table(&String::from_utf8_lossy(&output.stdout), experiment, unit)
}

/// The sums by size of the rows of an experiment.
fn of_table(text: &str, experiment: &str, unit: fn(f64) -> f64) -> Result<Misses> {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().context("an empty table")?.split(',').collect();
    let column = |name: &str| {
        names.iter().position(|text| *text == name).with_context(|| format!("no {name}: {names:?}"))
    };
    let wanted = ["sim::D1mr", "sim::D1mw", "sim::DLmr", "sim::DLmw", "sim::Dr", "sim::Dw"];
    let columns: Vec<usize> = wanted.iter().map(|name| column(name)).collect::<Result<_>>()?;
    let (name, size) = (column("experiment")?, column("N")?);
    let mut sums: Vec<(f64, [f64; 3], f64)> = Vec::new();
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        if cells.get(name) != Some(&experiment) {
            continue;
        }
        let number = |index: usize| cells.get(index).and_then(|cell| cell.parse::<f64>().ok());
        let Some(size) = number(size) else { continue };
        let position = sums.iter().position(|sum| sum.0 == size).unwrap_or_else(|| {
            sums.push((size, [0.0; 3], 0.0));
            sums.len() - 1
        });
        sums[position].2 += unit(size);
        for (place, pair) in columns.chunks(2).enumerate() {
            sums[position].1[place] +=
                pair.iter().filter_map(|column| number(*column)).sum::<f64>();
        }
    }
    sums.sort_by(|a, b| a.0.total_cmp(&b.0));
    ensure!(sums.len() > 3, "{experiment}: {} sizes were simulated", sums.len());
    let point = |(size, [first, last, accesses], units): (f64, [f64; 3], f64)| Point {
        size,
        misses: [first / units, last / units],
        accesses: accesses / units,
    };
    Ok(Misses(sums.into_iter().map(point).collect()))
}
