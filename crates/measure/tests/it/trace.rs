//! The trace of a launch.

use cll_trace::layout::{BlockHeader, NO_PARENT, SampleHeader, meta_block};
use cll_trace::meta::{Clock, End, Meta, Place, Process, Run, Unit};
use cll_trace::write::SampleBlock;

/// A tick is half a nanosecond.
const TICKS: u64 = 2;

/// A process that has passed the experiment `walk` at the size `n` in so many nanoseconds.
pub fn trace(pid: u32, n: f64, times: &[u64]) -> Vec<u8> {
    let opened = |ns: u64| BlockHeader {
        process: pid,
        ticks_open: 5_000 + ns * TICKS,
        mono_open: 1_000_000_000 + ns,
        ..BlockHeader::default()
    };
    let place = Place {
        id: 0,
        experiment: "walk".to_owned(),
        formula: "walk[0] + walk[1]*N".to_owned(),
        file: "walk.c".to_owned(),
        line: 9,
        end_line: 12,
        function: "walk".to_owned(),
        variables: vec!["N".to_owned()],
        every: 1,
        observables: 0,
    };
    let process = Process {
        format: 2,
        runtime: "0.1.0".to_owned(),
        program: "walk".to_owned(),
        host: "there".to_owned(),
        pid,
        parent_pid: 1,
        start_unix_ns: 1_700_000_000_000_000_000,
        clock: Clock::Tsc,
        processors: 1,
        ..Process::default()
    };
    let (file, compiler, model) = ("walk.c".to_owned(), "gcc".to_owned(), "sequential".to_owned());
    let unit = Unit { base: 0, file, compiler, model, places: vec![place] };
    let mut trace = meta_block(&[Meta::Process(process), Meta::Unit(unit)], opened(0));
    let mut block = SampleBlock::new(opened(0), 65536);
    let mut start = 1000;
    for time in times {
        let sample = SampleHeader {
            start: 5_000 + start * TICKS,
            end: 5_000 + (start + time) * TICKS,
            place: 0,
            parent: NO_PARENT,
            depth: 0,
            flags: 0,
        };
        assert!(block.push(&sample, &[n]));
        start += time + 100;
    }
    trace.extend(block.seal_compact(5_000 + 1_000_000_000 * TICKS, 2_000_000_000));
    let end = End { samples: Some(times.len() as u64), ..End::default() };
    trace.extend(meta_block(&[Meta::End(end)], opened(1_500_000_000)));
    trace.extend(meta_block(&[Meta::Run(Run::default())], BlockHeader::default()));
    trace
}
