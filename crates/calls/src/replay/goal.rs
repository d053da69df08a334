//! GOAL, the language of LogGOPSim (Hoefler, Siebert, Lumsdaine: *Group Operation Assembly Language*, 2009).

use std::collections::HashMap;
use std::io::Write;

use super::operations::{Operation, Operations};
use super::{Groups, LeftOut};
use crate::{Calls, ExportError, Opener, Overview, relate};

/// Writes the calls of a run as a GOAL program: `calc` in nanoseconds.
///
/// # Errors
/// If a log cannot be read or the output cannot be written.
pub fn goal(
    overviews: &mut [Overview],
    open: &mut Opener<'_>,
    out: &mut dyn Write,
) -> Result<LeftOut, ExportError> {
    relate(overviews);
    let overviews = &*overviews;
    let groups = Groups::read(overviews, open)?;
    let ranks = overviews.iter().filter_map(Overview::rank).map(|(_, all)| all).max().unwrap_or(0);
    writeln!(out, "num_ranks {ranks}")?;
    let mut left_out = LeftOut::default();
    for index in super::time_independent::by_rank(overviews) {
        let overview = &overviews[index];
        let Some((rank, _)) = overview.rank() else { continue };
        writeln!(out, "\nrank {rank} {{")?;
        let mut operations = Operations::new(overview, &groups);
        let mut writer = Writer { out, label: 0, needs: Vec::new(), requests: HashMap::new() };
        let mut calls = Calls::new(open(index)?, overview);
        while let Some(call) = calls.next_call()? {
            for operation in operations.operations(&call) {
                writer.write(&operation)?;
            }
        }
        writeln!(out, "}}")?;
        left_out.one_sided += operations.left_out.one_sided;
        left_out.outside += operations.left_out.outside;
        left_out.collectives += operations.left_out.collectives;
    }
    Ok(left_out)
}

struct Writer<'a> {
    out: &'a mut dyn Write,
    label: u64,
    /// Labels that must be complete before the next operation.
    needs: Vec<u64>,
    /// Labels of requests that are not waited for yet.
    requests: HashMap<u64, u64>,
}

impl Writer<'_> {
    fn write(&mut self, operation: &Operation) -> Result<(), ExportError> {
        let label = self.label + 1;
        let request = match operation {
            // None stays whole.
            Operation::Collective { .. } => return Ok(()),
            Operation::Wait(requests) => {
                let done = requests.iter().filter_map(|request| self.requests.remove(request));
                self.needs.extend(done);
                return Ok(());
            }
            Operation::Compute(time) => {
                let ns = (time.get() * 1e9).round() as u64;
                if ns == 0 {
                    return Ok(());
                }
                writeln!(self.out, "l{label}: calc {ns}")?;
                None
            }
            Operation::Send { to, bytes, tag, request, .. } => {
                writeln!(self.out, "l{label}: send {}b to {to} tag {tag}", bytes.get())?;
                *request
            }
            Operation::Receive { from, bytes, tag, request } => {
                writeln!(self.out, "l{label}: recv {}b from {from} tag {tag}", bytes.get())?;
                *request
            }
        };
        self.label = label;
        for needed in &self.needs {
            writeln!(self.out, "l{label} requires l{needed}")?;
        }
        match request {
            // What follows does not need it before it is waited for.
            Some(request) => {
                self.requests.insert(request, label);
            }
            None => self.needs = vec![label],
        }
        Ok(())
    }
}
