//! Time to read ten million samples, compared to reading and checksumming the same bytes.
//!
//! The file (400 MB, in the folder for temporary files) has three experiments of two values each:
//! one swept over 9 sizes, one nested in it, one whose values change with every sample. Prints the
//! median of the runs; with `--check` it fails above 0.5 s.

use std::error::Error;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::time::Instant;

use cll_trace::layout::{BlockHeader, SampleHeader, meta_block};
use cll_trace::live::SLOT_SIZE;
use cll_trace::meta::{End, Meta, Place, Process, Unit};
use cll_trace::write::SampleBlock;

const SAMPLES: u64 = 10_000_000;
const RUNS: usize = 7;
const GOAL_SECONDS: f64 = 0.5;

fn main() -> Result<(), Box<dyn Error>> {
    let mut file = tempfile::tempfile()?;
    let bytes = write(&mut file)?;
    let plain = median(|| plain(&mut file))?;
    let mut samples = 0;
    let seconds = median(|| {
        file.rewind()?;
        let trace = cll_trace::read(&file)?;
        assert!(trace.damage.is_empty(), "{:?}", trace.damage.first());
        samples = trace.experiments.iter().map(|experiment| experiment.samples()).sum();
        Ok(())
    })?;
    assert_eq!(samples, SAMPLES);
    println!("{samples} samples, {:.0} MB, medians of {RUNS} runs", bytes as f64 * 1e-6);
    println!("read and checksum   {plain:.3} s");
    println!("read into cells     {seconds:.3} s   ratio {:.2}", seconds / plain);
    if std::env::args().any(|argument| argument == "--check") && seconds > GOAL_SECONDS {
        return Err(format!("{seconds:.3} s is more than {GOAL_SECONDS} s").into());
    }
    Ok(())
}

fn median(mut run: impl FnMut() -> Result<(), Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
    let mut seconds = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        run()?;
        seconds.push(start.elapsed().as_secs_f64());
    }
    Ok(cll_statistics::median(seconds).unwrap_or(f64::NAN))
}

fn plain(file: &mut File) -> Result<(), Box<dyn Error>> {
    file.rewind()?;
    let mut crc = crc32fast::Hasher::new();
    let mut bytes = vec![0; 256 * 1024];
    loop {
        match file.read(&mut bytes)? {
            0 => break,
            n => crc.update(&bytes[..n]),
        }
    }
    std::hint::black_box(crc.finalize());
    Ok(())
}

fn write(file: &mut File) -> Result<u64, Box<dyn Error>> {
    let place = |id: u32, name: &str| Place {
        id,
        experiment: name.into(),
        formula: format!("{name}[0] + {name}[1]*N"),
        file: "bench.c".into(),
        line: 10 + id,
        variables: vec!["N".into(), "P".into()],
        ..Place::default()
    };
    let places = vec![place(0, "outer"), place(1, "inner"), place(2, "many")];
    let process = Process { format: 1, pid: 1, ..Process::default() };
    let tables = [Meta::Process(process), Meta::Unit(Unit { places, ..Unit::default() })];
    let opened = BlockHeader { process: 1, mono_open: 1, ..BlockHeader::default() };
    file.write_all(&meta_block(&tables, opened))?;
    let mut ticks = 0;
    let mut sequence = 0;
    let mut bytes = 0;
    let mut block = SampleBlock::new(opened, SLOT_SIZE);
    for i in 0..SAMPLES {
        // Four inner samples, their outer one, one of the third kind.
        let (place, depth, start) = match i % 6 {
            0..=3 => (1, 1, ticks + 10),
            4 => (0, 0, ticks - 500),
            _ => (2, 0, ticks + 10),
        };
        ticks += 125;
        let n = match place {
            2 => i % 1000,
            _ => 256 << (i / 6000 % 9),
        };
        let sample = SampleHeader { start, end: ticks, place, depth, ..SampleHeader::default() };
        let values = [n as f64, 1.0];
        if !block.push(&sample, &values) {
            sequence += 1;
            let header =
                BlockHeader { sequence, ticks_open: ticks * 5 / 2, mono_open: 1 + ticks, ..opened };
            let full = std::mem::replace(&mut block, SampleBlock::new(header, SLOT_SIZE));
            let full = full.seal_compact(ticks * 5 / 2, 1 + ticks);
            bytes += full.len() as u64;
            file.write_all(&full)?;
            block.push(&sample, &values);
        }
    }
    file.write_all(&block.seal_compact(ticks * 5 / 2, 1 + ticks))?;
    let end = Meta::End(End { samples: Some(SAMPLES), ..End::default() });
    file.write_all(&meta_block(&[end], opened))?;
    Ok(bytes)
}
