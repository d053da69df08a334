//! Traces are read as they were written: times, nesting, order, groups, merging.

use std::io::Read;
use std::ops::ControlFlow;

use crate::support::*;
use cll_trace::clock::CalibrationSource;
use cll_trace::layout::{FLAG_LEFT, SampleHeader, meta_block};
use cll_trace::meta::{Meta, Report, Run, Unit};
use cll_trace::{Cause, Trace, TraceError, Warning, read, stream, survey};
use cll_units::Seconds;
use expect_test::expect;

fn ns(seconds: &[f64]) -> Vec<i64> {
    seconds.iter().map(|s| (s * 1e9).round() as i64).collect()
}

fn sound(bytes: &[u8]) -> Trace {
    let trace = read(bytes).unwrap();
    assert_eq!(trace.damage, []);
    trace
}

#[test]
fn experiments_cells_and_times_are_those_written() {
    let trace = sound(&small());
    assert_eq!(trace.warnings, []);
    assert_eq!((trace.samples, trace.processes.len(), trace.traces), (27, 1, 1));
    assert_eq!(trace.bytes.get(), small().len() as u64);
    let calibration = trace.processes[0].calibration;
    assert_eq!(calibration.source, CalibrationSource::Measured);
    assert!((calibration.tick.get() - 0.5e-9).abs() < 1e-20);

    let [outer, inner] = &trace.experiments[..] else { panic!("{:?}", trace.experiments) };
    assert_eq!((outer.name.as_str(), inner.name.as_str()), ("outer", "inner"));
    assert_eq!(outer.variables, ["N", "P"]);
    assert_eq!(outer.cells.len(), 3);
    for (cell, n) in outer.cells.iter().zip([64.0, 128.0, 256.0]) {
        assert_eq!(cell.values, [n, 1.0]);
        assert_eq!(ns(&cell.inclusive), [1000, 2000, 3000]);
        assert_eq!(ns(cell.exclusive()), [800, 1800, 2800]);
        let origins: Vec<_> = cell.origins(outer).collect();
        assert_eq!(origins.len(), 3);
        assert!(origins.iter().all(|o| (o.process, o.thread, o.place, o.left) == (0, 0, 0, false)));
    }
    assert_eq!(ns(inner.cells[1].exclusive()), [100; 6]);
    assert_eq!((inner.samples(), inner.places[0].samples, inner.places[0].line), (18, 18, 20));
}

#[test]
fn blocks_out_of_order_are_put_in_order() {
    let bytes = small();
    let places = blocks(&bytes);
    let block = |i: usize| &bytes[places[i].0..places[i].0 + places[i].1];
    // Samples before tables, the last block of samples first, the end before all of them.
    for order in [[0, 3, 2, 1, 4], [4, 3, 1, 2, 0], [2, 0, 4, 1, 3]] {
        let shuffled: Vec<u8> = order.iter().flat_map(|&i| block(i)).copied().collect();
        let trace = sound(&shuffled);
        assert_eq!(trace.samples, 27, "{order:?}");
        let cells = &trace.experiments[0].cells;
        let values: Vec<f64> = cells.iter().map(|cell| cell.values[0]).collect();
        assert_eq!(values, [64.0, 128.0, 256.0], "{order:?}");
        assert!(cells.iter().all(|cell| ns(cell.exclusive()) == [800, 1800, 2800]), "{order:?}");
    }
}

#[test]
fn exclusive_time_reaches_across_blocks_and_threads_do_not_mix() {
    let mut bytes = tables(PID, vec![place(0, "f", "f[0]", &[])]);
    let none: &[f64] = &[];
    bytes.extend(block(
        PID,
        0,
        0,
        0,
        &[(sample(0, 2, 20, 30), none), (sample(0, 2, 30, 45), none)],
    ));
    bytes.extend(block(
        PID,
        7,
        0,
        0,
        &[(sample(0, 1, 22, 32), none), (sample(0, 0, 21, 51), none)],
    ));
    bytes.extend(block(PID, 0, 1, 50, &[(sample(0, 1, 10, 50), none)]));
    bytes.extend(block(PID, 0, 2, 100, &[(sample(0, 0, 0, 100), none)]));
    bytes.extend(end(PID, 6));
    let trace = sound(&bytes);
    let [cell] = &trace.experiments[0].cells[..] else { panic!() };
    assert_eq!(ns(&cell.inclusive), [10, 15, 10, 30, 40, 100]);
    assert_eq!(ns(cell.exclusive()), [10, 15, 10, 20, 15, 60]);
    let threads: Vec<u32> = cell.origins(&trace.experiments[0]).map(|o| o.thread).collect();
    assert_eq!(threads, [0, 0, 7, 7, 0, 0]);
    assert_eq!(trace.processes[0].threads, 2);
}

#[test]
fn values_are_distinguished_by_their_bits_but_zeros_and_nans_are_one() {
    let mut bytes = tables(PID, vec![place(0, "f", "f[0]*x", &["x"])]);
    let other_nan = f64::from_bits(f64::NAN.to_bits() | 0x8000_0000_0000_0123);
    let next = f64::from_bits(1.0f64.to_bits() + 1);
    let values = [0.0, -0.0, f64::NAN, other_nan, 1.0, next, f64::INFINITY, 1.0];
    let one: Vec<[f64; 1]> = values.iter().map(|&value| [value]).collect();
    let samples: Vec<_> = one
        .iter()
        .enumerate()
        .map(|(i, v)| (sample(0, 0, i as u64, i as u64 + 1), &v[..]))
        .collect();
    bytes.extend(block(PID, 0, 0, 0, &samples));
    bytes.extend(end(PID, 8));
    let trace = sound(&bytes);
    let counts: Vec<usize> = trace.experiments[0].cells.iter().map(|c| c.inclusive.len()).collect();
    assert_eq!(counts, [2, 2, 2, 1, 1]);
}

#[test]
fn negative_left_waiting_and_open_are_flagged_and_kept() {
    use cll_trace::meta::ThreadEnds;

    let mut bytes = tables(PID, vec![place(0, "f", "f[0]", &[])]);
    let none: &[f64] = &[];
    let left = SampleHeader { flags: FLAG_LEFT, ..sample(0, 0, 10, 20) };
    let mut header = opened(PID, 0, 0, 0);
    header.waited_ns = 3_000_000;
    let mut samples = cll_trace::write::SampleBlock::new(header, 4096);
    for sample in [left, sample(0, 0, 50, 40), sample(0, 0, 60, 70)] {
        assert!(samples.push(&sample, none));
    }
    bytes.extend(samples.seal(5_000_000, 1_002_500_000));
    let thread_ends = [ThreadEnds { place: 0, count: 4 }, ThreadEnds { place: 8, count: 3 }];
    let end = cll_trace::meta::End {
        open: vec![0, 9],
        thread_ends: thread_ends.to_vec(),
        dropped: 5,
        samples: Some(4),
        ..Default::default()
    };
    let run = Run { number: 3, signal: Some(9), ..Run::default() };
    bytes.extend(meta_block(&[Meta::End(end), Meta::Run(run)], opened(PID, 0, 0, 10_000_000)));
    let trace = read(&bytes[..]).unwrap();
    let experiment = &trace.experiments[0];
    assert_eq!(ns(&experiment.cells[0].inclusive), [10, -10, 10]);
    assert_eq!((experiment.left, experiment.negative), (1, 1));
    assert_eq!(experiment.cells[0].stretches.len(), 2);
    let said: Vec<String> = trace.warnings.iter().map(ToString::to_string).collect();
    expect![[r#"
        run 3 was ended by signal 9
        process 4711 waited 1 time, 3.000 ms in all, until its samples were copied
        regions of process 4711 had begun and never ended: f at prog.c:10, place 9
        7 threads of process 4711 ended in regions (pthread_exit in a called function, or cancelled), and left no sample of: f at prog.c:10 (4), place 8 (3)
        1 of 3 samples of experiment f is of a region that was left by a jump, a return or the end of its thread
        1 sample of experiment f has a negative time: the clock went backwards; run with CLL_CLOCK=mono"#]].assert_eq(&said.join("\n"));
    let causes: Vec<_> = trace.damage.iter().map(|damage| damage.cause.clone()).collect();
    assert_eq!(
        causes,
        [
            Cause::MissingSamples { process: PID, count: 1 },
            Cause::Dropped { process: PID, count: 5 }
        ]
    );
}

#[test]
fn one_name_with_two_formulas_is_two_experiments_and_both_are_shown() {
    let mut bytes =
        tables(PID, vec![place(0, "f", "f[0]*N", &["N"]), place(1, "f", "f[0]*N^2", &["N"])]);
    bytes.extend(block(
        PID,
        0,
        0,
        0,
        &[(sample(0, 0, 0, 9), &[1.0]), (sample(1, 0, 9, 19), &[1.0])],
    ));
    bytes.extend(end(PID, 2));
    let trace = sound(&bytes);
    assert_eq!(trace.experiments.len(), 2);
    let [warning @ Warning::Formulas { .. }] = &trace.warnings[..] else { panic!() };
    expect!["experiment f has 2 formulas: `f[0]*N` at prog.c:10; `f[0]*N^2` at prog.c:20; each is fitted on its own: give them different names"].assert_eq(&warning.to_string());
}

#[test]
fn places_of_one_experiment_are_joined_by_the_names_of_their_variables() {
    let mut bytes = tables(
        PID,
        vec![
            place(0, "f", "f[0]*N*P", &["N", "P"]),
            place(1, "f", "f[0]*N*P", &["P", "N"]),
            place(2, "f", "f[0]*N*P", &["N", "P", "depth"]),
        ],
    );
    bytes.extend(block(
        PID,
        0,
        0,
        0,
        &[
            (sample(0, 0, 0, 10), &[8.0, 2.0]),
            (sample(1, 0, 10, 30), &[2.0, 8.0]),
            (sample(2, 0, 30, 60), &[8.0, 2.0, 5.0]),
            (sample(0, 0, 60, 100), &[8.0, 2.0]),
        ],
    ));
    bytes.extend(end(PID, 4));
    let trace = sound(&bytes);
    let [experiment] = &trace.experiments[..] else { panic!() };
    assert_eq!(experiment.variables, ["N", "P", "depth"]);
    assert_eq!(experiment.places.len(), 3);
    let cells: Vec<_> = experiment.cells.iter().map(|c| ns(&c.inclusive)).collect();
    assert_eq!(cells, [vec![10, 20, 40], vec![30]]);
    assert!(experiment.cells[0].values[2].is_nan());
    expect!["the places of experiment f record different variables: N, P at prog.c:10; P, N at prog.c:20; N, P, depth at prog.c:30; missing values are NaN"].assert_eq(&trace.warnings[0].to_string());
}

#[test]
fn several_processes_in_one_trace_and_a_number_used_again() {
    let mut bytes = small();
    let mut again = process(PID);
    again.start_unix_ns += 5;
    let unit = Unit { places: vec![place(0, "g", "g[0]", &[])], ..Unit::default() };
    let from = opened(PID, 0, 0, 3_000_000_000);
    bytes.extend(meta_block(&[Meta::Process(again), Meta::Unit(unit)], from));
    bytes.extend(block(
        PID,
        0,
        0,
        3_000_000_000,
        &[(sample(0, 0, 3_000_000_000, 3_000_000_700), &[])],
    ));
    bytes.extend(end(PID, 1));
    let trace = sound(&bytes);
    assert_eq!(trace.processes.len(), 2);
    assert_eq!(trace.processes[1].samples, 1);
    let g = &trace.experiments[2];
    assert_eq!((g.name.as_str(), ns(&g.cells[0].inclusive)), ("g", vec![700]));
    assert_eq!(g.origins[0].process, 1);
}

#[test]
fn merging_joins_experiments_and_keeps_whence_they_come() {
    let trace = sound(&small());
    let mut bytes =
        tables(PID + 1, vec![place(1, "inner", "inner[0]*N", &["N"]), place(0, "h", "h[0]", &[])]);
    bytes.extend(block(
        PID + 1,
        3,
        0,
        0,
        &[(sample(1, 0, 0, 77), &[128.0]), (sample(0, 0, 80, 90), &[])],
    ));
    let two = read(&bytes[..]).unwrap();
    let merged = Trace::merge(vec![trace.clone(), two.clone()]);
    assert_eq!((merged.traces, merged.samples), (2, 29));
    let names: Vec<&str> = merged.experiments.iter().map(|e| e.name.as_str()).collect();
    assert_eq!(names, ["outer", "inner", "h"]);
    let inner = &merged.experiments[1];
    assert_eq!(ns(&inner.cells[1].inclusive), [100, 100, 100, 100, 100, 100, 77]);
    let last = inner.cells[1].origins(inner).last().unwrap();
    assert_eq!((last.process, last.thread), (1, 3));
    assert_eq!(merged.processes[1].trace, 1);
    assert_eq!(merged.damage[0].trace, 1);
    assert_eq!(Trace::merge(vec![trace.clone()]), trace);
    let nested = Trace::merge(vec![Trace::merge(vec![trace.clone(), two.clone()]), two.clone()]);
    assert_eq!(nested, Trace::merge(vec![trace, two.clone(), two]));
}

#[test]
fn what_the_program_asks_to_report() {
    let asks = |names: &[&[&str]]| {
        let mut bytes = small();
        for names in names {
            let names = names.iter().map(|&name| name.into()).collect();
            bytes.extend(meta_block(&[Meta::Report(Report { names })], opened(PID, 0, 0, 9)));
        }
        sound(&bytes).report
    };
    assert_eq!(asks(&[]), [""; 0]);
    assert_eq!(asks(&[&["f"], &["g", "f"]]), ["f", "g"]);
    assert_eq!(asks(&[&["f"], &[], &["g"]]), [""; 0]);
}

#[test]
fn streaming_shows_the_same_samples_with_their_start() {
    let bytes = small();
    let known = survey(&bytes[..]).unwrap();
    assert_eq!((known.samples, known.experiments[0].cells.len()), (27, 0));
    assert_eq!(known.experiments[0].samples(), 9);
    let mut seen = Vec::new();
    stream(&bytes[..], &known, |sample| {
        let name = sample.place.experiment.clone();
        let parent = sample.parent.map(|place| place.experiment.clone());
        let times = ns(&[sample.start, sample.inclusive, sample.exclusive].map(Seconds::get));
        seen.push((name, parent, times, sample.values.to_vec()));
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(seen.len(), 27);
    let outer = "outer".to_owned();
    assert_eq!(seen[0], ("inner".into(), Some(outer.clone()), vec![100, 100, 100], vec![64.0]));
    assert_eq!(seen[2], (outer, None, vec![0, 1000, 800], vec![64.0, 1.0]));

    let mut first = 0;
    stream(&bytes[..], &known, |_| {
        first += 1;
        ControlFlow::Break(())
    })
    .unwrap();
    assert_eq!(first, 1);
    let (offset, size) = blocks(&bytes)[2];
    let shorter = [&bytes[..offset], &bytes[offset + size..]].concat();
    let changed = stream(&shorter[..], &known, |_| ControlFlow::Continue(()));
    assert!(matches!(changed, Err(TraceError::Changed)));
}

#[test]
fn reading_in_crumbs_gives_the_same() {
    struct Crumbs<'a>(&'a [u8], usize);
    impl Read for Crumbs<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.1 += 1;
            if self.1.is_multiple_of(3) {
                return Err(std::io::ErrorKind::Interrupted.into());
            }
            let n = (self.1 % 7 + 1).min(self.0.len()).min(buffer.len());
            buffer[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }
    assert_eq!(read(Crumbs(&small(), 0)).unwrap(), sound(&small()));
}

#[test]
fn a_long_trace_in_two_threads_is_the_same_as_its_parts() {
    // Several batches, so that the second thread takes part.
    let mut bytes = tables(PID, vec![place(0, "f", "f[0]*N", &["N"])]);
    let mut expected = 0;
    for sequence in 0..60u32 {
        let base = u64::from(sequence) * 1_000_000;
        let values: Vec<[f64; 1]> = (0..1500).map(|i| [f64::from(i % 5)]).collect();
        let samples: Vec<_> = values
            .iter()
            .enumerate()
            .map(|(i, v)| (sample(0, 0, base + i as u64 * 100, base + i as u64 * 100 + 50), &v[..]))
            .collect();
        expected += samples.len() as u64;
        bytes.extend(block(PID, 0, sequence, base, &samples));
    }
    bytes.extend(end(PID, expected));
    let trace = sound(&bytes);
    assert_eq!(trace.samples, expected);
    assert_eq!(trace.experiments[0].cells.len(), 5);
    assert!(trace.experiments[0].cells.iter().all(|c| ns(&c.inclusive) == vec![50; 18_000]));
    let mut streamed = 0;
    stream(&bytes[..], &survey(&bytes[..]).unwrap(), |_| {
        streamed += 1;
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(streamed, expected);
}
