//! The Trace Event Format of Chrome, which Perfetto and speedscope read, with an arrow for each message.
//!
//! A run may have millions of calls: events are written one by one, without intermediate values.

use std::io::Write;

use cll_units::Seconds;

use crate::merged::Merged;
use crate::{Analysis, Call, ExportError, LastCall, Located, Opener, Overview, Thread, relate};

/// Bytes that are written at once.
const PIECE: usize = 1 << 16;

/// Writes the calls of a run in the order of time: a process for each rank, a slice for each call, arrows from sends
/// to receipts.
///
/// # Errors
/// If a log cannot be read or the output cannot be written.
pub fn chrome(
    overviews: &mut [Overview],
    open: &mut Opener<'_>,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    relate(overviews);
    let overviews = &*overviews;
    let mut writer = Writer::new(out, overviews);
    overviews.iter().try_for_each(|overview| writer.names(overview))?;
    let mut analysis = Analysis::with_messages(overviews);
    Merged::new(overviews, open)?.each(overviews, |process, call| {
        // The slices of a message come before its arrow: an arrow belongs to the slice that is there.
        writer.call(process, call)?;
        analysis.add(&Located { process, call, ideal: Seconds::ZERO });
        for fact in analysis.drain() {
            if let LastCall::Matched { from, to, sent, began, received } = fact {
                writer.arrow((from.0, nanoseconds(sent)), (to.0, last(began, received)))?;
            }
        }
        Ok::<_, ExportError>(())
    })?;
    writer.finish()
}

/// All times are written in these, as numbers of microseconds with three digits behind the point: so a time that is inside
/// of a slice stays inside.
fn nanoseconds(time: Seconds) -> i64 {
    (time.get() * 1e9).round() as i64
}

/// The end of a slice, which is longer than nothing: no arrow belongs to a slice without length.
fn end(start: Seconds, end: Seconds) -> i64 {
    nanoseconds(end).max(nanoseconds(start) + 1)
}

/// The last moment that is inside of a slice.
fn last(start: Seconds, finish: Seconds) -> i64 {
    end(start, finish) - 1
}

struct Writer<'a> {
    out: &'a mut dyn Write,
    /// By process.
    pids: Vec<u32>,
    /// Whether several programs run, which have names then.
    has_programs: bool,
    text: Vec<u8>,
    has_written: bool,
    arrows: u64,
}

impl<'a> Writer<'a> {
    fn new(out: &'a mut dyn Write, overviews: &[Overview]) -> Writer<'a> {
        let pid = |overview: &Overview| overview.rank().map_or(0, |(rank, _)| rank);
        let mut text = Vec::with_capacity(PIECE + 1024);
        text.extend_from_slice(b"{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
        Writer {
            out,
            pids: overviews.iter().map(pid).collect(),
            has_programs: overviews.iter().any(|overview| overview.world.is_some()),
            text,
            has_written: false,
            arrows: 0,
        }
    }

    fn finish(mut self) -> Result<(), ExportError> {
        self.text.extend_from_slice(b"\n]}\n");
        Ok(self.out.write_all(&self.text)?)
    }

    /// Writes the beginning of an event.
    fn event(&mut self, ph: u8, name: [&str; 2], cat: &str) -> Result<(), ExportError> {
        if self.text.len() >= PIECE {
            self.out.write_all(&self.text)?;
            self.text.clear();
        }
        let begin: &[u8] = if self.has_written { b",\n{\"ph\":\"" } else { b"\n{\"ph\":\"" };
        self.has_written = true;
        self.text.extend_from_slice(begin);
        self.text.push(ph);
        self.add(b"\",\"name\":\"", name[0]);
        self.text.extend_from_slice(name[1].as_bytes());
        self.add(b"\",\"cat\":\"", cat);
        self.text.push(b'"');
        Ok(())
    }

    fn add(&mut self, key: &[u8], text: &str) {
        self.text.extend_from_slice(key);
        self.text.extend_from_slice(text.as_bytes());
    }

    fn number(&mut self, key: &[u8], number: u64) {
        self.text.extend_from_slice(key);
        let _ = write!(self.text, "{number}");
    }

    fn microseconds(&mut self, key: &[u8], nanoseconds: i64) {
        self.text.extend_from_slice(key);
        if nanoseconds < 0 {
            self.text.push(b'-');
        }
        let number = nanoseconds.unsigned_abs();
        let _ = write!(self.text, "{}", number / 1000);
        let rest = (number % 1000) as u32;
        let digit = |number: u32| b'0' + (number % 10) as u8;
        self.text.extend_from_slice(&[b'.', digit(rest / 100), digit(rest / 10), digit(rest)]);
    }

    fn position(&mut self, process: usize, lane: u32, nanoseconds: i64) {
        self.number(b",\"pid\":", self.pids[process].into());
        self.number(b",\"tid\":", lane.into());
        self.microseconds(b",\"ts\":", nanoseconds);
    }

    /// The names of a process and, if there are several, of its threads.
    fn names(&mut self, overview: &Overview) -> Result<(), ExportError> {
        let pid = overview.rank().map_or(0, |(rank, _)| rank);
        let program = overview.world.as_ref().filter(|_| self.has_programs);
        let name = match program {
            Some(world) => {
                let program = world.program.rsplit('/').next().unwrap_or_default();
                format!("rank {pid} ({program})")
            }
            None => format!("rank {pid}"),
        };
        self.name("process_name", pid, 0, &name)?;
        for &lane in overview.lanes.keys().filter(|_| overview.lanes.len() > 1) {
            self.name("thread_name", pid, lane, &format!("thread {lane}"))?;
        }
        Ok(())
    }

    fn name(&mut self, what: &str, pid: u32, tid: u32, name: &str) -> Result<(), ExportError> {
        self.event(b'M', [what, ""], "__metadata")?;
        self.number(b",\"pid\":", pid.into());
        self.number(b",\"tid\":", tid.into());
        let name = serde_json::to_string(name).map_err(std::io::Error::from)?;
        self.add(b",\"ts\":0,\"args\":{\"name\":", &name);
        self.text.extend_from_slice(b"}}");
        Ok(())
    }

    fn call(&mut self, process: usize, call: &Call) -> Result<(), ExportError> {
        let (sent, received) = call.bytes();
        // A call that has not returned only begins.
        let ph = if call.end.is_some() { b'X' } else { b'B' };
        self.event(ph, ["MPI_", call.op.name()], "mpi")?;
        let start = nanoseconds(call.start);
        self.position(process, call.lane, start);
        if let Some(finish) = call.end {
            self.microseconds(b",\"dur\":", end(call.start, finish) - start);
        }
        self.text.extend_from_slice(b",\"args\":{");
        let mut is_first = true;
        for (key, value) in [
            (&b"\"sent\":"[..], sent.get()),
            (b"\"received\":", received.get()),
            (b"\"unsuccessful\":", call.unsuccessful.into()),
        ] {
            if value > 0 {
                if !std::mem::take(&mut is_first) {
                    self.text.push(b',');
                }
                self.number(key, value);
            }
        }
        self.text.extend_from_slice(b"}}");
        Ok(())
    }

    /// From a moment of a thread to one of another.
    fn arrow(&mut self, from: (Thread, i64), to: (Thread, i64)) -> Result<(), ExportError> {
        self.arrows += 1;
        for (ph, (thread, time)) in [(b's', from), (b'f', to)] {
            self.event(ph, ["message", ""], "message")?;
            self.position(thread.process, thread.lane, time);
            self.number(b",\"id\":", self.arrows);
            // It ends in the slice around that moment, not in the next one.
            let ends: &[u8] = if ph == b'f' { b",\"bp\":\"e\"}" } else { b"}" };
            self.text.extend_from_slice(ends);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_behind_the_point() {
        let mut out = Vec::new();
        let mut writer = Writer::new(&mut out, &[]);
        writer.text.clear();
        for number in [0, 5, 1_000, 1_234_056, -20_007] {
            writer.microseconds(b" ", number);
        }
        assert_eq!(writer.text, b" 0.000 0.005 1.000 1234.056 -20.007");
    }

    #[test]
    fn the_end_of_an_arrow_is_inside_of_its_slice() {
        for (start_s, end_s) in [(0.0, 0.0), (1.0, 1.0 + 1e-9), (0.1, 0.3), (1e5, 1e5 + 1e-10)] {
            let (start, finish) = (Seconds(start_s), Seconds(end_s));
            let moment = last(start, finish);
            assert!(nanoseconds(start) <= moment && moment < end(start, finish));
        }
    }
}
