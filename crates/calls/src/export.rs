//! Calls of MPI as rows and as JSON, one after the other.

use std::io::{self, Write};

use csv::WriterBuilder;
use serde::Serialize;

use crate::{Call, CallData, Calls, Message, Opener, Overview};
use cll_supersteps::csv_names;
use cll_trace::TraceError;
use cll_trace::layout::call::{ANY, NOBODY};
use cll_units::{Bytes, Seconds};

/// Why an export stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The output cannot be written. For a broken pipe the kind is `BrokenPipe`.
    #[error("cannot write the export: {0}")]
    Io(#[from] io::Error),
    /// A log cannot be read a second time.
    #[error(transparent)]
    Trace(#[from] TraceError),
}

/// Version of the JSON.
const VERSION: u32 = 1;

/// A call, as it is written.
#[derive(Default, Serialize)]
struct CallRow<'a> {
    rank: u32,
    thread: u32,
    call: String,
    start_s: Seconds,
    /// Empty: it had not returned.
    time_s: Option<Seconds>,
    unsuccessful: u32,
    communicator: &'a str,
    partner: String,
    tag: Option<i64>,
    bytes_sent: Bytes,
    bytes_received: Bytes,
    request: Option<u64>,
    /// Numbers of the requests that it completed, between spaces.
    completed: String,
    point: Option<u32>,
    module: &'a str,
    /// Hexadecimal.
    offset: String,
    error: u32,
    /// Since the call before; empty: not known.
    off_core_s: Option<Seconds>,
    /// The part of `off_core_s` in which the thread was ready to run.
    ready_s: Option<Seconds>,
}

fn row<'a>(overview: &'a Overview, call: &Call) -> CallRow<'a> {
    let (bytes_sent, bytes_received) = call.bytes();
    let message = message(call);
    let communicator = match call.what {
        CallData::Collective { communicator, .. } | CallData::Create { communicator } => {
            Some(communicator)
        }
        CallData::File { communicator, .. } => communicator,
        CallData::Access { window, .. } | CallData::Epoch { window, .. } => {
            window.and_then(|id| Some(overview.windows.get(&id)?.communicator))
        }
        _ => message.map(|message| message.communicator),
    };
    let partner = match call.what {
        CallData::Collective { root, .. } => root.map_or(String::new(), |root| root.to_string()),
        CallData::Access { partner, .. } => rank(partner),
        CallData::Epoch { partner, .. } if partner != ANY => rank(partner),
        _ => message.map_or(String::new(), |message| rank(message.partner)),
    };
    let completed: Vec<String> = call.done.iter().map(|done| done.request.to_string()).collect();
    let place = overview.place(call.lane, call.point);
    let innermost = place.and_then(|(point, modules)| {
        let &(module, offset) = point.path.first()?;
        Some((modules.iter().find(|candidate| candidate.id == module)?, offset))
    });
    CallRow {
        rank: overview.rank().map_or(0, |(rank, _)| rank),
        thread: call.lane,
        call: format!("MPI_{}", call.op.name()),
        start_s: call.start,
        time_s: call.time(),
        unsuccessful: call.unsuccessful,
        communicator: communicator.map_or("", |communicator| overview.key(communicator)),
        partner,
        tag: message.map(|message| message.tag).filter(|&tag| tag != ANY),
        bytes_sent,
        bytes_received,
        request: call.request,
        completed: completed.join(" "),
        point: call.point,
        module: innermost.map_or("", |(module, _)| module.path.as_str()),
        offset: innermost.map_or(String::new(), |(_, offset)| format!("{offset:x}")),
        error: call.error,
        off_core_s: call.off_core.map(|off| off.time),
        ready_s: call.off_core.and_then(|off| off.ready),
    }
}

/// The exported data of a call's message; for a receiver, of the message that was received.
fn message(call: &Call) -> Option<Message> {
    let came = |message: Message| match call.got {
        Some(got) => Message { partner: got.source, tag: got.tag, ..message },
        None => message,
    };
    match call.what {
        CallData::Send(message) | CallData::Exchange { sent: message, .. } => Some(message),
        CallData::Receive(message) | CallData::Probe(message) => Some(came(message)),
        _ => None,
    }
}

fn rank(rank: i64) -> String {
    match rank {
        ANY => "any".to_owned(),
        NOBODY => "none".to_owned(),
        rank => rank.to_string(),
    }
}

/// Writes calls as CSV, one row each below the names of the columns: the logs one after the other, each thread's calls
/// in their order.
///
/// # Errors
/// If `out` cannot be written, or a log cannot be read a second time.
pub fn calls_csv(
    overviews: &[Overview],
    open: &mut Opener<'_>,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    out.write_all(&csv_names::<CallRow<'_>>()?)?;
    let mut out = WriterBuilder::new().has_headers(false).from_writer(out);
    for (index, overview) in overviews.iter().enumerate() {
        let mut calls = Calls::new(open(index)?, overview);
        while let Some(call) = calls.next_call()? {
            out.serialize(row(overview, &call)).map_err(io::Error::from)?;
        }
    }
    out.flush().map_err(ExportError::Io)
}

/// Writes calls as JSON: `version`, what each process says of itself in `processes` (its communicators, windows, places
/// and modules, and what is missing), and `calls`, rows as in the CSV.
///
/// # Errors
/// As [`calls_csv`].
pub fn calls_json(
    overviews: &[Overview],
    open: &mut Opener<'_>,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    let processes: Vec<_> = overviews.iter().map(process).collect();
    write!(out, "{{\n\"version\": {VERSION},\n\"processes\": ")?;
    serde_json::to_writer(&mut *out, &processes).map_err(io::Error::from)?;
    write!(out, ",\n\"calls\": [")?;
    let mut first = true;
    for (index, overview) in overviews.iter().enumerate() {
        let mut calls = Calls::new(open(index)?, overview);
        while let Some(call) = calls.next_call()? {
            out.write_all(if first { b"\n" } else { b",\n" })?;
            first = false;
            serde_json::to_writer(&mut *out, &row(overview, &call)).map_err(io::Error::from)?;
        }
    }
    out.write_all(b"\n]\n}\n")?;
    Ok(())
}

fn process(overview: &Overview) -> serde_json::Value {
    let lanes: Vec<_> = overview
        .lanes
        .iter()
        .map(|(number, lane)| {
            let points: Vec<_> = lane.points.values().collect();
            serde_json::json!({ "thread": number, "modules": lane.modules, "points": points })
        })
        .collect();
    let communicators: Vec<_> = overview.communicators.values().collect();
    let windows: Vec<_> = overview.windows.values().collect();
    let damage: Vec<String> = overview.damage.iter().map(ToString::to_string).collect();
    serde_json::json!({
        "rank": overview.rank().map(|(rank, _)| rank),
        "ranks": overview.rank().map(|(_, ranks)| ranks),
        "library": overview.mpi.as_ref().map(|mpi| &mpi.library),
        "host": overview.process.host,
        "pid": overview.process.pid,
        "program": overview.process.program,
        "communicators": communicators,
        "unrecorded": overview.mpi.as_ref().filter(|mpi| mpi.counted).map(|_| &overview.unrecorded),
        "windows": windows,
        "threads": lanes,
        "damage": damage,
    })
}
