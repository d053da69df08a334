//! Why a program did not end normally.

use crate::start::StartError;

/// Why [`Machine::run`](crate::Machine::run) has no result.
///
/// ```
/// use cll_bsp::{Failure, Machine};
///
/// let failure = Machine::threads(4).run(|bsp| {
///     assert!(bsp.pid() != 3, "not with me");
///     bsp.sync();
/// });
/// match failure {
///     Err(Failure::Processor { processor, nprocs, reason }) => {
///         assert_eq!((processor, nprocs), (3, 4));
///         assert_eq!(reason, "panicked: not with me");
///     }
///     other => panic!("{other:?}"),
/// }
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The processors could not be started.
    #[error("{}", of_start(.0))]
    Start(StartError),
    /// A processor panicked, misused the machine, or was killed.
    #[error("processor {processor} of {nprocs}: {reason}")]
    Processor {
        /// The number of the processor.
        processor: usize,
        /// The number of processors of the machine.
        nprocs: usize,
        /// The reason of the failure.
        reason: String,
    },
    /// No processor was the cause.
    #[error("{0}")]
    Machine(String),
}

impl Failure {
    pub(super) fn from_stop(why: Option<(Option<usize>, String)>, nprocs: usize) -> Failure {
        match why.map(|(processor, reason)| (processor, in_rust(&reason))) {
            Some((Some(processor), reason)) => Failure::Processor { processor, nprocs, reason },
            Some((None, reason)) => Failure::Machine(reason),
            None => Failure::Machine("the machine was stopped without a reason".to_owned()),
        }
    }
}

fn of_start(error: &StartError) -> String {
    match error {
        StartError::Threads(threads) => format!(
            "the program has {threads} threads, and a forked process has only one of them: run machines of processes before other threads are started, or use Machine::threads"
        ),
        error => error.to_string(),
    }
}

/// Replaces names of BSPlib in a message by those of this interface.
fn in_rust(text: &str) -> String {
    let names = [
        ("is in bsp_end", "has ended"),
        ("before bsp_end", "before its program's end"),
        ("bsp_oblsync", "Part::oblsync"),
        ("bsp_partition", "partition"),
        ("bsp_nprocs", "nprocs"),
        ("bsp_sync", "sync"),
        ("bsp_push_reg", "Bsp::area"),
        ("bsp_pop_reg", "Bsp::release"),
        ("bsp_set_tagsize", "Bsp::set_tag"),
    ];
    names.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}
