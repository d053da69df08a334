//! Times of messages and collectives that the OSU micro-benchmarks, the Intel MPI Benchmarks, MPBench and NetPIPE print.

use std::ops::Range;

use cll_diagnostic::Diagnostic;

use super::rows::{Word, are_numbers, lines, number, words};
use crate::message_passing::{Collective, MessageCall, Partner};

/// The subject of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Subject {
    /// A time of messages.
    Message(MessageCall, Option<Partner>),
    /// A collective.
    Collective(Collective),
}

/// A table of times.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Timed {
    pub subject: Subject,
    /// The number of processes of a collective; `None` if the output does not say.
    pub processes: Option<u32>,
    /// Bytes and seconds.
    pub rows: Vec<(f64, f64)>,
    /// Where it begins.
    pub place: Range<usize>,
}

/// The program that has written a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writer {
    Osu,
    Imb,
    MpBench,
    NetPipe,
}

impl Writer {
    /// By its content.
    pub fn from_text(text: &str) -> Option<Writer> {
        let mut all = text.lines();
        if all.any(|line| line.starts_with("# OSU MPI")) {
            return Some(Writer::Osu);
        }
        if text.lines().any(|line| line.trim_start().starts_with("# Benchmarking")) {
            return Some(Writer::Imb);
        }
        let first = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'))?;
        if heads(first).is_some() {
            return Some(Writer::MpBench);
        }
        // Bytes, megabits per second, seconds of one message.
        let fields = words(first, 0);
        let fits = are_numbers(&fields) && fields.len() == 3;
        let value = |index: usize| fields[index].text.parse::<f64>().unwrap_or(0.0);
        let is_right = |bits: f64| (0.5..2.0).contains(&(bits / (8.0 * value(0)).max(1.0)));
        (fits && is_right(value(1) * value(2) * 1_048_576.0)).then_some(Writer::NetPipe)
    }

    /// Returns the name of the writer.
    pub fn name(self) -> &'static str {
        match self {
            Writer::Osu => "the OSU micro-benchmarks",
            Writer::Imb => "the Intel MPI Benchmarks",
            Writer::MpBench => "a table of MPBench",
            Writer::NetPipe => "NetPIPE",
        }
    }

    /// The tables of a text.
    pub fn read(self, text: &str, messages: &mut Vec<Diagnostic>) -> Vec<Timed> {
        match self {
            Writer::Osu => osu(text, messages),
            Writer::Imb => imb(text, messages),
            Writer::MpBench => mpbench(text, messages),
            Writer::NetPipe => netpipe(text, messages),
        }
    }
}

const WHOLE: Subject = Subject::Message(MessageCall::Total, None);

/// Returns the subject that a benchmark of this name measures, `None` if it measures something else.
fn subject(name: &str) -> Option<Subject> {
    let name = name.to_lowercase();
    if matches!(name.as_str(), "pingpong" | "latency") {
        return Some(WHOLE);
    }
    let mut all = Collective::ALL.into_iter();
    let same = |collective: &Collective| {
        name == collective.name()
            || (*collective == Collective::Bcast && name == "broadcast")
            || (*collective == Collective::Alltoall && name == "all-to-all")
    };
    all.find(same).map(Subject::Collective)
}

fn left_out(place: Range<usize>, what: &str) -> Diagnostic {
    Diagnostic::warning(
        "M023",
        place,
        format!("{what}: left out, a machine file has no place for it"),
    )
    .help("latency of messages and of collectives are read")
}

/// `# OSU MPI Allreduce Latency Test v7.0`, `# Size Avg Latency(us) [Min Latency(us) Max Latency(us) Iterations]`.
fn osu(text: &str, messages: &mut Vec<Diagnostic>) -> Vec<Timed> {
    let mut found: Vec<Timed> = Vec::new();
    // The column of the time, if there is something to be read.
    let (mut column, mut has_size) = (None, true);
    for (line, place) in lines(text) {
        if let Some(rest) = line.strip_prefix("# OSU MPI") {
            column = None;
            let name = rest.split_whitespace().collect::<Vec<_>>().join(" ");
            let name = name.split(" Latency Test").next().unwrap_or_default();
            let subject = if name.starts_with("Latency") { Some(WHOLE) } else { subject(name) };
            match subject.filter(|_| rest.contains("Latency")) {
                Some(of) => {
                    column = Some(1);
                    found.push(Timed { subject: of, processes: None, rows: Vec::new(), place });
                }
                None => messages.push(left_out(place, rest.trim())),
            }
            continue;
        }
        if line.starts_with('#') {
            if column.is_some() && line.contains("Latency") {
                // The times of a collective are those of the slowest process, where that is printed.
                let heads: Vec<&str> = line.trim_start_matches('#').split("(us)").collect();
                has_size = line.contains("Size");
                let slowest = heads.iter().position(|head| head.contains("Max"));
                column = Some(slowest.unwrap_or(0) + usize::from(has_size));
            }
            continue;
        }
        let (Some(index), Some(table)) = (column, found.last_mut()) else { continue };
        let fields = words(line, place.start);
        // Launchers print lines of their own; a row begins with a number.
        if fields
            .first()
            .is_none_or(|word| !word.text.starts_with(|c: char| c.is_ascii_digit() || c == '-'))
        {
            continue;
        }
        let bytes = if has_size { number(&fields[0], messages) } else { Some(0.0) };
        table.rows.extend(bytes.zip(timed(&fields, index, place, messages)));
    }
    found
}

/// Microseconds of a column.
fn timed(
    fields: &[Word<'_>],
    index: usize,
    place: Range<usize>,
    messages: &mut Vec<Diagnostic>,
) -> Option<f64> {
    match fields.get(index) {
        Some(word) => number(word, messages).map(|value| value * 1e-6),
        None => {
            messages.push(
                Diagnostic::error("M022", place, format!("the row has no column {}", index + 1))
                    .help("the output may have been cut off here"),
            );
            None
        }
    }
}

/// `# Benchmarking PingPong`, `# #processes = 2`, `#bytes #repetitions t[usec] Mbytes/sec`, or `t_min[usec] t_max[usec]`.
fn imb(text: &str, messages: &mut Vec<Diagnostic>) -> Vec<Timed> {
    let mut found: Vec<Timed> = Vec::new();
    let (mut current, mut column, mut sized) = (None, None, true);
    let mut processes = None;
    for (line, place) in lines(text) {
        let bare = line.trim_start();
        if let Some(rest) = bare.strip_prefix("# Benchmarking") {
            (current, column, processes) = (subject(rest.trim()), None, None);
            if current.is_none() {
                messages.push(left_out(place, rest.trim()));
            }
        } else if let Some(rest) = bare.strip_prefix("# #processes =") {
            processes = rest.split_whitespace().next().and_then(|word| word.parse().ok());
        } else if bare.starts_with('#') && bare.contains("[usec]") {
            let heads: Vec<&str> = bare.split_whitespace().collect();
            sized = heads[0] == "#bytes";
            column = heads.iter().position(|head| head.starts_with("t_max"));
            column = column.or_else(|| heads.iter().position(|head| head.starts_with("t[")));
            if let (Some(subject), Some(_)) = (current, column) {
                found.push(Timed { subject, processes, rows: Vec::new(), place });
            }
        } else if let (Some(_), Some(index), Some(table)) = (current, column, found.last_mut()) {
            let fields = words(line, place.start);
            if fields.is_empty() {
                continue;
            }
            if bare.starts_with('#') {
                column = None;
                continue;
            }
            let bytes = if sized { number(&fields[0], messages) } else { Some(0.0) };
            table.rows.extend(bytes.zip(timed(&fields, index, place, messages)));
        }
    }
    found
}

/// The columns of a head such as `bytes,send_us,receive_us`.
fn heads(line: &str) -> Option<Vec<Option<(Subject, f64)>>> {
    let line = line.to_lowercase();
    let names: Vec<&str> =
        line.split([',', ';', ' ', '\t']).filter(|name| !name.is_empty()).collect();
    if !matches!(names.first().copied(), Some("bytes" | "size")) || names.len() < 2 {
        return None;
    }
    let units = [("_us", 1e-6), ("_ms", 1e-3), ("_ns", 1e-9), ("_s", 1.0)];
    let head_of = |name: &&str| {
        let (bare, factor) =
            units.into_iter().find_map(|(end, factor)| Some((name.strip_suffix(end)?, factor)))?;
        let call = match bare {
            "send" => Subject::Message(MessageCall::Send, Some(Partner::Posted)),
            "receive" | "recv" => Subject::Message(MessageCall::Receive, Some(Partner::Late)),
            "time" | "latency" | "oneway" => WHOLE,
            other => subject(other)?,
        };
        Some((call, factor))
    };
    let all: Vec<Option<(Subject, f64)>> = names[1..].iter().map(head_of).collect();
    all.iter().any(Option::is_some).then_some(all)
}

fn mpbench(text: &str, messages: &mut Vec<Diagnostic>) -> Vec<Timed> {
    let mut found: Vec<Timed> = Vec::new();
    let mut columns: Option<Vec<Option<(Subject, f64)>>> = None;
    for (line, place) in lines(text) {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let Some(known) = &columns else {
            let heads = heads(line).unwrap_or_default();
            for (subject, _) in heads.iter().flatten() {
                let place = place.clone();
                found.push(Timed { subject: *subject, processes: None, rows: Vec::new(), place });
            }
            columns = Some(heads);
            continue;
        };
        let fields = words(line, place.start);
        if fields.len() != known.len() + 1 {
            let text = format!("{} values in place of {}", fields.len(), known.len() + 1);
            messages.push(
                Diagnostic::error("M022", place, text).help("each row has a value for each column"),
            );
            continue;
        }
        let Some(bytes) = number(&fields[0], messages) else { continue };
        let mut tables = found.iter_mut();
        for (word, column) in fields[1..].iter().zip(known) {
            let Some((_, factor)) = column else { continue };
            let (Some(table), Some(time)) = (tables.next(), number(word, messages)) else {
                continue;
            };
            table.rows.push((bytes, time * factor));
        }
    }
    found
}

/// Bytes, megabits per second, seconds of one message.
fn netpipe(text: &str, messages: &mut Vec<Diagnostic>) -> Vec<Timed> {
    let mut rows = Vec::new();
    for (line, place) in lines(text) {
        let fields = words(line, place.start);
        match fields.len() {
            0 => {}
            3 => rows.extend(number(&fields[0], messages).zip(number(&fields[2], messages))),
            count => {
                let text = format!("{count} values in place of 3");
                messages.push(
                    Diagnostic::error("M022", place, text)
                        .help("each row has bytes, megabits per second, seconds"),
                );
            }
        }
    }
    vec![Timed { subject: WHOLE, processes: None, rows, place: 0..0 }]
}
