//! Traces: read up to the damage.

use std::ops::ControlFlow;

use cll_trace::{read, stream, survey};

/// Reads `data` as a trace; panics if two ways to read it differ.
pub fn check(data: &[u8]) {
    let (whole, tables) = match (read(data), survey(data)) {
        (Ok(whole), Ok(tables)) => (whole, tables),
        (Err(_), Err(_)) => return,
        (whole, tables) => panic!("read: {:?}, survey: {:?}", whole.err(), tables.err()),
    };
    assert_eq!(whole.processes.len(), tables.processes.len());
    let grouped: usize = whole
        .experiments
        .iter()
        .flat_map(|experiment| &experiment.cells)
        .map(|cell| cell.inclusive.len())
        .sum();
    let mut shown = 0_usize;
    let streamed = stream(data, &tables, |sample| {
        shown += 1;
        assert!(sample.values.len() <= data.len() / 8);
        ControlFlow::Continue(())
    });
    if streamed.is_ok() {
        assert_eq!(shown, grouped, "samples that were streamed and grouped");
    }
    for cell in whole.experiments.iter().flat_map(|experiment| &experiment.cells) {
        assert_eq!(cell.inclusive.len(), cell.exclusive().len());
    }
}
