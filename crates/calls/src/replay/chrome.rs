//! The Trace Event Format of Chrome, which Perfetto and speedscope read, with an arrow for each message.

use std::io::{Read, Seek, Write};

use serde::Serialize;

use cll_trace::TraceError;
use cll_units::Seconds;

use crate::{Analysis, Call, Calls, ExportError, Found, Located, Overview, Thread, relate};

/// An event. Times are microseconds.
#[derive(Serialize)]
struct Event<'a> {
    ph: &'a str,
    name: &'a str,
    cat: &'a str,
    pid: u32,
    tid: u32,
    ts: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bp: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<Arguments>,
}

#[derive(Serialize)]
struct Arguments {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sent: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    received: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unsuccessful: Option<u32>,
}

/// Writes the calls of a run in the order of time: a process for each rank, a slice for each call, arrows from sends
/// to receipts.
///
/// # Errors
/// If a log cannot be read or the output cannot be written.
pub fn chrome<R: Read + Seek>(
    overviews: &mut [Overview],
    mut open: impl FnMut(usize) -> Result<R, TraceError>,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    relate(overviews);
    let overviews = &*overviews;
    let mut writer = Writer { out, overviews, has_written: false, arrows: 0 };
    write!(writer.out, "{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")?;
    let mut sources = Vec::new();
    for (index, overview) in overviews.iter().enumerate() {
        writer.rank(overview)?;
        let mut calls = Calls::new(open(index)?, overview);
        sources.push((calls.next_call()?, calls));
    }
    let mut analysis = Analysis::with_messages(overviews);
    loop {
        let heads = sources.iter().enumerate();
        let heads = heads.filter_map(|(at, (head, _))| Some((at, head.as_ref()?.start)));
        let Some((process, _)) = heads.min_by(|one, other| one.1.total_cmp(&other.1)) else {
            break;
        };
        let (head, calls) = &mut sources[process];
        let Some(call) = std::mem::replace(head, calls.next_call()?) else { break };
        writer.call(process, &call)?;
        analysis.add(&Located { process, call: &call, ideal: Seconds::ZERO });
        for found in analysis.take() {
            if let Found::Matched { from, to, sent, received } = found {
                writer.arrow(from.0, to.0, sent, received)?;
            }
        }
    }
    writeln!(writer.out, "\n]}}")?;
    Ok(())
}

struct Writer<'a> {
    out: &'a mut dyn Write,
    overviews: &'a [Overview],
    has_written: bool,
    arrows: u64,
}

impl Writer<'_> {
    fn event(&mut self, event: &Event<'_>) -> Result<(), ExportError> {
        self.out.write_all(if self.has_written { b",\n" } else { b"\n" })?;
        self.has_written = true;
        serde_json::to_writer(&mut *self.out, event).map_err(std::io::Error::from)?;
        Ok(())
    }

    fn rank(&mut self, overview: &Overview) -> Result<(), ExportError> {
        let pid = overview.rank().map_or(0, |(rank, _)| rank);
        let name = Some(format!("rank {pid}"));
        let args = Some(Arguments { name, sent: None, received: None, unsuccessful: None });
        let (ph, name, cat) = ("M", "process_name", "__metadata");
        self.event(&Event {
            ph,
            name,
            cat,
            pid,
            tid: 0,
            ts: 0.0,
            dur: None,
            id: None,
            bp: None,
            args,
        })
    }

    fn pid(&self, process: usize) -> u32 {
        self.overviews[process].rank().map_or(0, |(rank, _)| rank)
    }

    fn call(&mut self, process: usize, call: &Call) -> Result<(), ExportError> {
        let (sent, received) = call.bytes();
        let some = |bytes: u64| Some(bytes).filter(|&bytes| bytes > 0);
        let args = Arguments {
            name: None,
            sent: some(sent.get()),
            received: some(received.get()),
            unsuccessful: Some(call.unsuccessful).filter(|&count| count > 0),
        };
        let time = call.end.map_or(Seconds::ZERO, |end| end - call.start);
        let name = format!("MPI_{}", call.op.name());
        self.event(&Event {
            // A call that has not returned only begins.
            ph: if call.end.is_some() { "X" } else { "B" },
            name: &name,
            cat: "mpi",
            pid: self.pid(process),
            tid: call.lane,
            ts: call.start.get() * 1e6,
            dur: call.end.map(|_| time.get() * 1e6),
            id: None,
            bp: None,
            args: Some(args),
        })
    }

    fn arrow(
        &mut self,
        from: Thread,
        to: Thread,
        sent: Seconds,
        received: Seconds,
    ) -> Result<(), ExportError> {
        self.arrows += 1;
        for (ph, thread, time, bp) in [("s", from, sent, None), ("f", to, received, Some("e"))] {
            self.event(&Event {
                ph,
                name: "message",
                cat: "message",
                pid: self.pid(thread.process),
                tid: thread.lane,
                ts: time.get() * 1e6,
                dur: None,
                id: Some(self.arrows),
                bp,
                args: None,
            })?;
        }
        Ok(())
    }
}
