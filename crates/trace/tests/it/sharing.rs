//! Calibrations of short traces by each other's clock readings.

use crate::support::*;
use cll_trace::clock::CalibrationSource;
use cll_trace::layout::meta_block;
use cll_trace::meta::{Meta, Unit};
use cll_trace::write::SampleBlock;
use cll_trace::{Trace, Warning, read, share_calibrations, survey};

/// A trace of 50 µs that begins `ns` after the machine's start plus one second, `torn` ns
/// between the two readings at its end, of a machine that started at `boot` (Unix, ns).
fn short(pid: u32, ns: u64, torn: u64, boot: u64) -> Vec<u8> {
    let unit = Unit { places: vec![place(0, "f", "f[0]", &[])], ..Unit::default() };
    let mut process = process(pid);
    process.start_unix_ns = boot + 1_000_000_000 + ns;
    let mut trace = meta_block(&[Meta::Process(process), Meta::Unit(unit)], opened(pid, 0, 0, ns));
    let mut block = SampleBlock::new(opened(pid, 0, 0, ns), 65536);
    assert!(block.push(&sample(0, 0, ns + 100, ns + 20_100), &[]));
    trace.extend(block.seal_compact(5_000 + (ns + 50_000) * TICKS, 1_000_050_000 + ns + torn));
    trace
}

const BOOT: u64 = 1_700_000_000_000_000_000;

fn times(trace: &Trace) -> Vec<f64> {
    trace
        .experiments
        .iter()
        .flat_map(|experiment| &experiment.cells)
        .flat_map(|c| c.inclusive.clone())
        .collect()
}

fn uncertain(trace: &Trace) -> usize {
    trace.warnings.iter().filter(|warning| matches!(warning, Warning::Calibration { .. })).count()
}

#[test]
fn short_traces_of_one_machine_calibrate_each_other() {
    let texts: Vec<Vec<u8>> =
        (0..6).map(|k| short(100 + k, u64::from(k) * 200_000_000, 700, BOOT)).collect();
    let traces: Vec<Trace> = texts.iter().map(|text| read(&text[..]).unwrap()).collect();
    // Alone each is wrong by 700 ns in 50 µs, and warns about it.
    for trace in &traces {
        assert_eq!(uncertain(trace), 1);
        assert!((times(trace)[0] / 20e-6 - 1.0).abs() > 0.01, "{:?}", times(trace));
    }
    let merged = Trace::merge(traces);
    assert_eq!(uncertain(&merged), 0, "{:?}", merged.warnings);
    for time in times(&merged) {
        assert!((time / 20e-6 - 1.0).abs() < 1e-5, "{time}");
    }
    assert!(
        merged
            .processes
            .iter()
            .all(|process| process.calibration.source == CalibrationSource::Machine)
    );

    let mut surveys: Vec<Trace> = texts.iter().map(|text| survey(&text[..]).unwrap()).collect();
    share_calibrations(&mut surveys);
    for (process, merged) in surveys.iter().flat_map(|s| &s.processes).zip(&merged.processes) {
        assert_eq!(process.calibration.tick, merged.calibration.tick);
    }
    assert_eq!(surveys.iter().map(uncertain).sum::<usize>(), 0);
}

#[test]
fn other_boots_and_other_machines_say_nothing() {
    let day = 86_400_000_000_000;
    let texts = [
        short(1, 0, 0, BOOT),
        short(2, 300_000_000, 0, BOOT + day),
        short(3, 600_000_000, 0, BOOT + 2 * day),
    ];
    let merged = Trace::merge(texts.iter().map(|text| read(&text[..]).unwrap()).collect());
    assert_eq!(uncertain(&merged), 3);
    assert!(
        merged
            .processes
            .iter()
            .all(|process| process.calibration.source == CalibrationSource::Measured)
    );
}

#[test]
fn a_clock_that_contradicts_the_process_is_not_taken() {
    // The second reading claims that ticks are half as long.
    let mut other = short(2, 0, 0, BOOT);
    let mut faster = opened(2, 0, 0, 400_000_000);
    faster.ticks_open = 5_000 + 4 * 400_000_000;
    other = [other, meta_block(&[], faster)].concat();
    let texts = [short(1, 0, 0, BOOT), other];
    let merged = Trace::merge(texts.iter().map(|text| read(&text[..]).unwrap()).collect());
    assert!((merged.processes[0].calibration.tick.get() / 0.5e-9 - 1.0).abs() < 1e-6);
}
