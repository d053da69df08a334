//! How fast `cll llac` answers: `cargo build --release && cargo run --release -p bench-llac`.
//!
//! A prompt on 10^6 samples at 200 points (asked: at most 50 ms): a subset by a variable, one by samples, groups, a
//! fit. The start with 10^7 samples (asked: at most 0.6 s), beside reading the same trace alone. Each is the median of
//! several, and the ratio to a reference in the same run: the sum of the same number of times. `-- table3` measures
//! and predicts Table 3 of the CALL paper (`table3.rs`).

#![forbid(unsafe_code)]

mod table3;

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use cll_llac::syntax::parse;
use cll_llac::value::Value;
use cll_llac::{Host, Opened, Refusal, Session, TableOptions, trace_samples};
use cll_trace::layout::{BlockHeader, SampleHeader, meta_block};
use cll_trace::meta::{Clock, Meta, Place, Process, Unit};
use cll_trace::write::SampleBlock;

/// Statements at the prompt.
const STATEMENTS: &[&str] = &[
    "big = f where N > 100000",
    "slow = f where time > 1 ms",
    "t = group f by N",
    "r = f set rate = N/time",
    "m = fit f",
];

fn main() -> Result<()> {
    if std::env::args().nth(1).is_some_and(|word| word == "table3") {
        return table3::run(&program()?);
    }
    let folder = tempfile::tempdir()?;
    let large = folder.path().join("large.dat");
    write(&large, 10_000_000)?;
    let small = folder.path().join("small.dat");
    write(&small, 1_000_000)?;

    println!("10^6 samples at 200 points");
    let bytes = std::fs::read(&small)?;
    let trace = cll_trace::read(&bytes[..])?;
    let times: Vec<f64> =
        trace.experiments[0].cells.iter().flat_map(|cell| cell.inclusive.clone()).collect();
    let reference = median(9, || {
        black_box(times.iter().sum::<f64>());
    });
    let mut session = Session::new(Box::new(Memory { trace }));
    evaluate(&mut session, "open \"small.dat\"")?;
    for statement in STATEMENTS {
        let mut failure = None;
        let time = median(9, || failure = evaluate(&mut session, statement).err());
        if let Some(failure) = failure {
            return Err(failure);
        }
        println!(
            "  {:8.1} ms  {:7.0} x the sum of the times  {statement}",
            time.as_secs_f64() * 1e3,
            time.as_secs_f64() / reference.as_secs_f64()
        );
    }

    println!("start with 10^7 samples");
    let bytes = std::fs::read(&large)?;
    let alone = median(5, || {
        black_box(cll_trace::read(&bytes[..]).is_ok());
    });
    drop(bytes);
    let program = program()?;
    let mut failure = None;
    let start = median(5, || failure = start(&program, &large, "count(f)").err());
    if let Some(failure) = failure {
        return Err(failure);
    }
    println!("  {:8.3} s   cll llac large.dat -e 'count(f)'", start.as_secs_f64());
    println!("  {:8.3} s   reading the trace alone", alone.as_secs_f64());
    Ok(())
}

fn start(program: &Path, file: &Path, statement: &str) -> Result<()> {
    let mut command = Command::new(program);
    command.arg("llac").arg(file).args(["-e", statement]).stdin(Stdio::null());
    let output = command.output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    ensure!(text.trim() == "10000000", "{text}{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// The program, built beside this one.
fn program() -> Result<PathBuf> {
    let path = std::env::current_exe()?.with_file_name("cll");
    ensure!(path.exists(), "{} is missing: cargo build --release", path.display());
    Ok(path)
}

fn median(count: usize, mut what: impl FnMut()) -> Duration {
    let times = (0..count).map(|_| {
        let begin = Instant::now();
        what();
        begin.elapsed().as_secs_f64()
    });
    Duration::from_secs_f64(cll_statistics::median(times).unwrap_or_default())
}

fn evaluate(session: &mut Session, text: &str) -> Result<()> {
    let parsed = parse(text);
    let statement = parsed.statements.first().context("a statement")?;
    session.evaluate(statement, text).map_err(|wrong| anyhow::anyhow!("{text}: {wrong}"))?;
    Ok(())
}

/// A trace of so many samples of one experiment at 200 points.
fn write(path: &Path, samples: usize) -> Result<()> {
    let process = Process { clock: Clock::Mono, ..Process::default() };
    let place = Place {
        experiment: "f".into(),
        formula: "f[0]+f[1]*N*log(N)".into(),
        variables: vec!["N".into()],
        ..Place::default()
    };
    let unit = Unit { places: vec![place], ..Unit::default() };
    let mut trace = meta_block(&[Meta::Process(process), Meta::Unit(unit)], BlockHeader::default());
    let mut random = fastrand::Rng::with_seed(1);
    let mut clock = 1000u64;
    let (mut written, mut sequence) = (0, 0);
    while written < samples {
        let header = BlockHeader { sequence, ..BlockHeader::default() };
        let mut block = SampleBlock::new(header, 65536);
        sequence += 1;
        for _ in 0..1000.min(samples - written) {
            let n = 100.0 * 1.05f64.powi(random.i32(0..200));
            let time = (1000.0 + 2.0 * n * n.ln()) * (1.0 + 0.02 * random.f64());
            let header =
                SampleHeader { start: clock, end: clock + time as u64, ..SampleHeader::default() };
            block.push(&header, &[n.round()]);
            clock += time as u64 + 100;
            written += 1;
        }
        trace.extend(block.seal_compact(clock, clock));
    }
    std::fs::write(path, trace).with_context(|| path.display().to_string())
}

/// One trace in memory.
struct Memory {
    trace: cll_trace::Trace,
}

impl Host for Memory {
    fn open(&self, files: &[String], _: &TableOptions) -> Result<Opened, Refusal> {
        let values = trace_samples(self.trace.clone(), files.to_vec()).into_iter();
        let values = values.map(|one| (one.name.clone(), Value::samples(one))).collect();
        Ok(Opened { values, notices: Vec::new() })
    }

    fn read(&self, _: &Path) -> Result<String, Refusal> {
        Err(none())
    }

    fn write(&self, _: &Path, _: &[u8]) -> Result<(), Refusal> {
        Err(none())
    }

    fn plan(
        &self,
        _: &cll_llac::ModelFile,
        _: &[Vec<(String, f64)>],
        _: &[(String, String)],
    ) -> Result<Value, Refusal> {
        Err(none())
    }

    fn upsilon(&self, _: &cll_llac::Regions) -> Result<Opened, Refusal> {
        Err(none())
    }

    fn page(&self, _: &cll_llac::ModelFile, _: &[String]) -> Result<String, Refusal> {
        Err(none())
    }

    fn command(&self, _: &[String]) -> Result<u8, Refusal> {
        Err(none())
    }
}

fn none() -> Refusal {
    Refusal { message: "there are no files".to_owned(), help: Vec::new() }
}
