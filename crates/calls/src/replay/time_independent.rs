//! Time-independent traces of SimGrid, for `smpirun -replay`.

use std::collections::HashMap;
use std::io::Write;

use super::operations::{Operation, Operations};
use super::{Groups, LeftOut};
use crate::{Calls, ExportError, Opener, Overview, relate};

/// Indices of overviews in the order of their ranks.
pub(super) fn by_rank(overviews: &[Overview]) -> Vec<usize> {
    let mut all: Vec<usize> = (0..overviews.len()).collect();
    all.sort_by_key(|&index| overviews[index].rank());
    all
}

/// Writes the calls of a run as one time-independent trace. Computation is given as operations: its seconds times
/// `speed`, the operations per second of the simulated hosts.
///
/// # Errors
/// If a log cannot be read or the output cannot be written.
pub fn time_independent(
    overviews: &mut [Overview],
    open: &mut Opener<'_>,
    speed: f64,
    out: &mut dyn Write,
) -> Result<LeftOut, ExportError> {
    relate(overviews);
    let overviews = &*overviews;
    let groups = Groups::read(overviews, open)?;
    let mut left_out = LeftOut::default();
    for index in by_rank(overviews) {
        let overview = &overviews[index];
        let Some((rank, _)) = overview.rank() else { continue };
        writeln!(out, "{rank} init")?;
        let mut operations = Operations::new(overview, &groups);
        // Sender, receiver and tag of requests.
        let mut requests: HashMap<u64, (u32, u32, u64)> = HashMap::new();
        let mut calls = Calls::new(open(index)?, overview);
        while let Some(call) = calls.next_call()? {
            for operation in operations.operations(&call) {
                match operation {
                    Operation::Compute(time) => {
                        writeln!(out, "{rank} compute {:.0}", time.get() * speed)?;
                    }
                    Operation::Send { to, bytes, tag, request, .. } => {
                        let name = if request.is_some() { "isend" } else { "send" };
                        writeln!(out, "{rank} {name} {to} {tag} {}", bytes.get())?;
                        requests.extend(request.map(|request| (request, (rank, to, tag))));
                    }
                    Operation::Receive { from, bytes, tag, request: None } => {
                        writeln!(out, "{rank} recv {from} {tag} {}", bytes.get())?;
                    }
                    Operation::Receive { from, bytes, tag, request: Some(request) } => {
                        writeln!(out, "{rank} irecv {from} {tag} {}", bytes.get())?;
                        requests.insert(request, (from, rank, tag));
                    }
                    // None stays whole.
                    Operation::Collective { .. } => {}
                    Operation::Wait(done) => {
                        for request in done {
                            if let Some((from, to, tag)) = requests.remove(&request) {
                                writeln!(out, "{rank} wait {from} {to} {tag}")?;
                            }
                        }
                    }
                }
            }
        }
        writeln!(out, "{rank} finalize")?;
        left_out.one_sided += operations.left_out.one_sided;
        left_out.outside += operations.left_out.outside;
        left_out.collectives += operations.left_out.collectives;
    }
    Ok(left_out)
}
