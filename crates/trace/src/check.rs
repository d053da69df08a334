use std::ops::ControlFlow;

use crate::read::{read, stream, survey};
use crate::trace::Trace;

/// Reads arbitrary bytes in every way there is and asserts what must hold for any input: the entry
/// of the fuzz target and of the tests of damage.
///
/// # Panics
/// If one of the ways panics, or two of them disagree.
pub fn check(bytes: &[u8]) {
    let (Ok(trace), Ok(surveyed)) = (read(bytes), survey(bytes)) else {
        assert!(read(bytes).is_err() && survey(bytes).is_err(), "read and survey disagree");
        return;
    };
    assert_eq!(trace.damage, surveyed.damage);
    assert_eq!(trace.samples, surveyed.samples);
    assert_eq!(trace.bytes.get(), bytes.len() as u64);
    let mut cells = 0;
    for experiment in &trace.experiments {
        for cell in &experiment.cells {
            cells += cell.inclusive.len() as u64;
            assert_eq!(cell.values.len(), experiment.variables.len());
            assert_eq!(cell.inclusive.len(), cell.exclusive().len());
            assert_eq!(cell.observed.len(), experiment.observables.len());
            for series in &cell.observed {
                assert_eq!(series.inclusive.len(), cell.inclusive.len());
                assert_eq!(series.exclusive.len(), cell.inclusive.len());
            }
            assert_eq!(cell.origins(experiment).count(), cell.inclusive.len());
        }
    }
    assert_eq!(cells, trace.samples);
    let mut streamed = 0;
    let result = stream(bytes, &surveyed, |_| {
        streamed += 1;
        ControlFlow::Continue(())
    });
    assert!(result.is_ok(), "{result:?}");
    assert_eq!(streamed, trace.samples);
    let merged = Trace::merge(vec![trace.clone(), trace]);
    assert_eq!(merged.traces, 2);
}
