//! From bytes to samples: finds blocks, orders, decodes and groups them.

mod assemble;
mod exclusive_times;
mod group;
mod scan;
mod stream;
mod thread;

use std::io::{self, Read};
use std::panic::resume_unwind;
use std::sync::mpsc::{channel, sync_channel};
use std::thread::Builder;

use cll_units::Bytes;

use crate::damage::Damage;
use crate::layout::FORMAT_VERSION;
use crate::meta;
use crate::runs::number_runs;
use crate::trace::{Process, Run, Trace};

use assemble::{Assembler, Sink};
use group::CellGroups;
use thread::RawSample;

pub use group::key;
pub(crate) use group::{Group, order};
pub use scan::{Batch, Block, Scanner};
pub use stream::{Counted, Sample, stream};

/// Why a trace cannot be read at all. Damage is not an error: see [`Trace::damage`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The input cannot be read.
    #[error("cannot read the trace: {0}")]
    Io(#[from] io::Error),
    /// There are no bytes, or only zeros.
    #[error(
        "the file is empty, or has only zeros: the process that made it recorded nothing, since it ended too early \
         (killed at its start?) or the disk was full"
    )]
    Empty,
    /// No block was found in the whole input.
    #[error(
        "this is not a trace: it begins with \"{start}\" and has no block that begins with \
         \"CLL1\""
    )]
    NotATrace {
        /// The first bytes, escaped.
        start: String,
    },
    /// A later version has written it.
    #[error(
        "the trace has format version {found} and this program reads up to version {FORMAT_VERSION}: \
         use a newer one"
    )]
    Newer {
        /// The version of the trace.
        found: u32,
    },
    /// The blocks of the trace are of a later kind.
    #[error("the trace begins with \"{magic}\", blocks of a later version: use a newer program")]
    NewerBlocks {
        /// The first four bytes of the trace.
        magic: String,
    },
    /// A second reading of the same trace differs from the first.
    #[error("the trace changed between two readings: is the program still running?")]
    Changed,
}

/// Number of batches in flight from the reading thread to the grouping thread.
const BATCHES: usize = 4;

/// Reads a trace: checks every block, orders each thread's blocks, groups the samples.
///
/// Damaged and missing parts are listed in [`Trace::damage`]; all else is read. One thread reads and verifies, a
/// second one decodes and groups.
///
/// # Errors
/// If there is nothing to read: see [`TraceError`].
pub fn read(mut input: impl Read) -> Result<Trace, TraceError> {
    gather(&mut input, CellGroups::default(), |groups, processes| groups.finish(processes))
}

/// As [`read`] without the samples: everything but the cells, with the number of samples. In
/// constant memory.
///
/// # Errors
/// As [`read`].
pub fn survey(mut input: impl Read) -> Result<Trace, TraceError> {
    gather(&mut input, Overview::default(), |survey, processes| survey.0.finish(processes))
}

/// The experiments and their places, without samples.
#[derive(Debug, Default)]
struct Overview(CellGroups);

impl Sink for Overview {
    fn place(
        &mut self,
        process: usize,
        unit: &meta::Unit,
        place: &meta::Place,
        observables: &[meta::Observable],
    ) {
        self.0.place(process, unit, place, observables);
    }

    fn thread(&mut self, process: usize, thread: u32) {
        self.0.thread(process, thread);
    }

    fn sample(&mut self, sample: &RawSample<'_>) {
        self.0.count(sample);
    }
}

/// Reads all of `input` into `sink`, with a second thread if one can be started.
fn gather<S: Sink + Send>(
    input: &mut dyn Read,
    mut sink: S,
    finish: impl FnOnce(S, &[Process]) -> Vec<Group>,
) -> Result<Trace, TraceError> {
    let mut scanner = Scanner::new(input);
    let mut assembler = Assembler::default();
    let mut batch = Batch::default();
    // A short trace is finished before a thread would be started.
    let mut more = scanner.next(&mut batch)?;
    if more {
        assembler.accept(&batch, &mut sink);
        more = scanner.next(&mut batch)?;
    }
    if more {
        let (full, to_group) = sync_channel::<Batch>(BATCHES);
        let (emptied, to_fill) = channel::<Batch>();
        let (assembler, sink) = (&mut assembler, &mut sink);
        let group = move || {
            for batch in to_group {
                assembler.accept(&batch, sink);
                // If the reader has stopped, nobody needs the batch.
                let _ = emptied.send(batch);
            }
        };
        std::thread::scope(|scope| -> Result<(), TraceError> {
            let worker = Builder::new().name("cll-group".into()).spawn_scoped(scope, group)?;
            let mut batch_count = 0;
            while more {
                // The worker is gone only if it panicked.
                if full.send(batch).is_err() {
                    break;
                }
                batch_count += 1;
                batch = if batch_count <= BATCHES {
                    Batch::default()
                } else {
                    to_fill.recv().unwrap_or_default()
                };
                more = scanner.next(&mut batch)?;
            }
            drop(full);
            worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            Ok(())
        })?;
    }
    assembler.finish(&mut sink);
    let (bytes, damage) = scanner.finish()?;
    if assembler.newest_format > FORMAT_VERSION {
        return Err(TraceError::Newer { found: assembler.newest_format });
    }
    Ok(assemble(assembler, bytes, damage, |processes| finish(sink, processes)))
}

fn assemble(
    mut assembler: Assembler,
    bytes: u64,
    mut damage: Vec<Damage>,
    finish: impl FnOnce(&[Process]) -> Vec<Group>,
) -> Trace {
    damage.append(&mut assembler.damage);
    damage.sort_by_key(|damage| damage.offset.unwrap_or(u64::MAX));
    let run = |table| Run { trace: 0, table };
    let mut trace = Trace {
        runs: std::mem::take(&mut assembler.runs).into_iter().map(run).collect(),
        report: std::mem::take(&mut assembler.report),
        damage,
        samples: assembler.samples,
        bytes: Bytes(bytes),
        unknown_blocks: assembler.unknown_blocks,
        traces: 1,
        first_mono_ns: assembler.first_mono_ns.unwrap_or(0),
        processes: with_runs(assembler.into_processes()),
        ..Trace::default()
    };
    let groups = finish(&trace.processes);
    trace.add_summary_notes(groups);
    trace
}

fn with_runs(mut processes: Vec<Process>) -> Vec<Process> {
    number_runs(&mut processes);
    processes
}
