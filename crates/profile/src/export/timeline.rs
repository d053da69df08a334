//! Trace events: a track for each processor, with what it did in every superstep.

use std::io::{self, Write};

use cll_supersteps::{Common, Stored, StoredProcessor};
use cll_trace::layout::SUPERSTEP_END;
use serde_json::json;

use super::plain_text;

/// Writes the JSON that Chrome, Perfetto and speedscope read, record by record. Times are microseconds from the
/// log's earliest moment; clocks of several hosts are related by the supersteps that they ended together.
///
/// # Errors
/// Those of the writer.
pub fn timeline(logs: &[Stored<'_>], out: &mut dyn Write) -> io::Result<()> {
    let mut processors: Vec<&StoredProcessor<'_>> =
        logs.iter().flat_map(|log| &log.processors).collect();
    processors.sort_by_key(|one| one.tables.number);
    let first_ns = processors.iter().map(|one| one.first_ns).min().unwrap_or(0);
    out.write_all(b"{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n")?;
    let mut begun = false;
    let mut event = |out: &mut dyn Write, event: serde_json::Value| -> io::Result<()> {
        if std::mem::replace(&mut begun, true) {
            out.write_all(b",\n")?;
        }
        serde_json::to_writer(out, &event).map_err(io::Error::from)
    };
    let common = Common::of(&processors, first_ns);
    for (at, one) in processors.into_iter().enumerate() {
        let number = one.tables.number;
        let name = json!({"name": format!("processor {number}")});
        let head = json!({"name": "thread_name", "ph": "M", "pid": 0, "tid": number, "args": name});
        event(out, head)?;
        let mut records = one.records();
        while let Some((record, superstep)) = records.peek() {
            records.advance(&record, superstep);
            let nanos = |ticks: u64| {
                let own = one.clock.seconds_since(first_ns, ticks);
                (common.as_ref().map_or(own, |common| common.seconds(at, own)) * 1e9).round()
            };
            // They are told in the order of their numbers; only damage makes it otherwise.
            let (points, id) = (&one.tables.points, u32::from(record.point));
            let told = points.get(id as usize).filter(|point| point.id == id);
            let point = told.or_else(|| points.iter().find(|point| point.id == id));
            let place = match point {
                Some(point) if !point.file.is_empty() => {
                    let file = point.file.rsplit('/').next().unwrap_or(&point.file);
                    format!("{}:{}", plain_text(file), point.line)
                }
                _ if record.flags & SUPERSTEP_END != 0 => "end".to_owned(),
                _ => "unknown place".to_owned(),
            };
            let waiting = f64::from(record.waiting) * one.clock.tick_seconds * 1e9;
            let (start, entered, end) =
                (nanos(record.start), nanos(record.entered), nanos(record.end));
            let args = json!({"superstep": superstep, "machine": record.machine, "place": place});
            // Where one ends another begins, at the same number: a length that is added to the beginning would be
            // rounded, and readers take what overlaps for one within the other.
            let mut phase = |name: &str, from: f64, to: f64| {
                if to <= from {
                    return Ok(());
                }
                let begin = json!({
                    "name": name, "cat": "bsp", "ph": "B", "pid": 0, "tid": number, "ts": from / 1e3,
                    "args": args,
                });
                event(out, begin)?;
                event(
                    out,
                    json!({"name": name, "ph": "E", "pid": 0, "tid": number, "ts": to / 1e3}),
                )
            };
            phase(&format!("computation to {place}"), start, entered)?;
            let waited = (entered + waiting.max(0.0).round()).min(end.max(entered));
            phase("waiting", entered, waited)?;
            phase("communication", waited, end)?;
        }
    }
    out.write_all(b"\n]}\n")
}
