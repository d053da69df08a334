//! Trace events: a track for each processor, with what it did in every superstep.

use std::io::{self, Write};

use cll_supersteps::{CommonClock, Ending, Stored, StoredProcessor};
use cll_units::Ticks;
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
    processors.sort_by_key(|processor| processor.tables.number);
    let first_ns = processors.iter().map(|processor| processor.first_ns).min().unwrap_or(0);
    out.write_all(b"{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n")?;
    let mut begun = false;
    let mut event = |out: &mut dyn Write, event: serde_json::Value| -> io::Result<()> {
        if std::mem::replace(&mut begun, true) {
            out.write_all(b",\n")?;
        }
        serde_json::to_writer(out, &event).map_err(io::Error::from)
    };
    let clock = CommonClock::new(&processors, first_ns);
    for (index, processor) in processors.into_iter().enumerate() {
        let number = processor.tables.number;
        let name = json!({"name": format!("processor {number}")});
        let head = json!({"name": "thread_name", "ph": "M", "pid": 0, "tid": number, "args": name});
        event(out, head)?;
        let mut records = processor.records();
        while let Some((record, step_number)) = records.peek() {
            records.advance(&record, step_number);
            let superstep = clock.superstep(index, processor, &record, step_number);
            let nanos = |ticks| (clock.time(index, processor, Ticks(ticks)).get() * 1e9).round();
            let place = match processor.tables.point(&superstep) {
                Some(point) if !point.file.is_empty() => {
                    let file = point.file.rsplit('/').next().unwrap_or(&point.file);
                    format!("{}:{}", plain_text(file), point.line)
                }
                _ if superstep.ending == Ending::End => "end".to_owned(),
                _ => "unknown place".to_owned(),
            };
            let waiting = superstep.waiting.get() * 1e9;
            let (start, entered, end) =
                (nanos(record.start), nanos(record.entered), nanos(record.end));
            let args = json!({"superstep": superstep.number, "machine": superstep.machine, "place": place});
            // The end of an event is exactly the number at which the next one begins. A length added to the beginning
            // would be rounded. Then events could overlap, and the reading programs would show them as nested.
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
