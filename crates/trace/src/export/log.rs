//! Supersteps as rows and as JSON.

use std::io::Write;

use csv::Writer;
use serde::Serialize;

use crate::log::{Log, Processor, Relation, Superstep};

use super::ExportError;

/// A superstep on one processor, as it is written.
#[derive(Serialize)]
struct Row<'a> {
    machine: &'a str,
    superstep: u64,
    processor: u32,
    processors: u32,
    /// In the program.
    of_program: u32,
    ending: &'a str,
    file: &'a str,
    line: u32,
    start_s: f64,
    computation_s: f64,
    communication_s: f64,
    waiting_s: f64,
    requests: u64,
    bytes_sent: u64,
    bytes_received: u64,
    h_bytes: u64,
}

/// Version of the JSON.
const VERSION: u32 = 1;

fn row<'a>(processor: &'a Processor, superstep: &Superstep, relation: &Relation) -> Row<'a> {
    let machine = processor.machine(superstep.machine);
    let key = machine.map_or("", |machine| machine.key.as_str());
    let pid = machine.map_or(processor.number, |machine| machine.pid);
    let point = processor.point(superstep);
    let share = relation.share(key, superstep, pid);
    Row {
        machine: key,
        superstep: superstep.number,
        processor: pid,
        processors: machine.map_or(0, |machine| machine.nprocs),
        of_program: processor.number,
        ending: superstep.ending.name(),
        file: point.map_or("", |point| point.file.as_str()),
        line: point.map_or(0, |point| point.line),
        start_s: superstep.start_s,
        computation_s: superstep.computation_s,
        communication_s: superstep.communication_s,
        waiting_s: superstep.waiting_s,
        requests: share.requests,
        bytes_sent: share.sent,
        bytes_received: share.received,
        h_bytes: share.h(),
    }
}

/// Writes the supersteps as CSV, one row for each on each processor, in ascending order of processors.
///
/// # Errors
/// If `out` cannot be written.
pub fn log_csv(log: &Log, out: impl Write) -> Result<(), ExportError> {
    let relation = Relation::of(log);
    let mut out = Writer::from_writer(out);
    for processor in &log.processors {
        for superstep in &processor.supersteps {
            out.serialize(row(processor, superstep, &relation)).map_err(super::csv::failed)?;
        }
    }
    out.flush().map_err(ExportError::Io)
}

/// Writes the supersteps as JSON: rows as in the CSV, each with its call path (module and offset,
/// from the call outwards) and its partners; the modules; what is missing.
///
/// # Errors
/// If `out` cannot be written.
pub fn log_json(log: &Log, mut out: impl Write) -> Result<(), ExportError> {
    let relation = Relation::of(log);
    let supersteps: Vec<serde_json::Value> = log
        .processors
        .iter()
        .flat_map(|processor| processor.supersteps.iter().map(move |one| (processor, one)))
        .map(|(processor, superstep)| {
            let path = processor.point(superstep).map_or(&[][..], |point| &point.path);
            let partners: Vec<_> = processor
                .traffic(superstep)
                .iter()
                .map(|traffic| {
                    serde_json::json!({
                        "processor": traffic.partner,
                        "requests": traffic.requests,
                        "bytes_sent": traffic.sent,
                        "bytes_got": traffic.got,
                    })
                })
                .collect();
            let mut value = serde_json::to_value(row(processor, superstep, &relation))?;
            value["path"] = serde_json::json!(path);
            value["partners"] = partners.into();
            Ok(value)
        })
        .collect::<Result<_, serde_json::Error>>()
        .map_err(|error| ExportError::Io(error.into()))?;
    let modules: Vec<_> = log.processors.iter().flat_map(|processor| &processor.modules).collect();
    let machines: Vec<_> = log.processors.iter().flat_map(|one| &one.machines).collect();
    let damage: Vec<String> = log.damage.iter().map(ToString::to_string).collect();
    let whole = serde_json::json!({
        "version": VERSION,
        "supersteps": supersteps,
        "modules": modules,
        "machines": machines,
        "damage": damage,
    });
    serde_json::to_writer_pretty(&mut out, &whole)
        .map_err(|error| ExportError::Io(error.into()))?;
    writeln!(out).map_err(ExportError::Io)
}
