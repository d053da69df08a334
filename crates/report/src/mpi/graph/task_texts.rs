//! The texts of tasks of the high-level graph, and the room that they need in their boxes.

use cll_result::{GraphTask, roman};
use cll_units::{Bytes, Seconds};

use super::pen::{BOLD, FONT, SMALL};
use super::words::{range, seconds};
use crate::Notation;
use crate::svg::measure::width;

/// Room in a box on each side of its text.
pub(super) const PADDING: f64 = 12.0;

/// `T3: II-IV, VI`.
pub(super) fn name(task: &GraphTask) -> String {
    if task.segments.is_empty() {
        format!("T{}", task.number)
    } else {
        format!("T{}: {}", task.number, numerals(&task.segments))
    }
}

/// `I-III, V`.
pub(super) fn numerals(numbers: &[u32]) -> String {
    let mut stretches: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match stretches.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => stretches.push((number, number)),
        }
    }
    let stretch = |&(first, last): &(u32, u32)| match last - first {
        0 => roman(first),
        1 => format!("{}, {}", roman(first), roman(last)),
        _ => format!("{}-{}", roman(first), roman(last)),
    };
    stretches.iter().map(stretch).collect::<Vec<_>>().join(", ")
}

/// `computing 1.2 ms, calls 0.3 ms, waiting 2 ms`; empty if nothing was run.
pub(super) fn times(task: &GraphTask, notation: Notation) -> String {
    let parts = [("computing", task.computing), ("calls", task.calls), ("waiting", task.waiting)];
    let known = parts.into_iter().filter_map(|(word, time)| {
        let time = time.filter(|&time| time > Seconds::ZERO)?;
        Some(format!("{word} {}", seconds(time, notation)))
    });
    let operations = task.operations.iter().map(|operation| format!("{operation} operations"));
    known.chain(operations).collect::<Vec<_>>().join(", ")
}

/// `sends 6 messages, 1 MiB; receives 2 KiB`, `sends n * n MPI_DOUBLE`.
pub(super) fn traffic(task: &GraphTask, notation: Notation) -> String {
    let mut parts = Vec::new();
    let bytes = |bytes: Bytes| notation.bytes(bytes.get());
    match (task.messages, task.sent.get(), task.sizes.is_empty()) {
        (_, _, false) => parts.push(format!("sends {}", task.sizes.join(", "))),
        (0, 0, _) => {}
        (0, ..) => parts.push(format!("sends {}", bytes(task.sent))),
        (1, ..) => parts.push(format!("sends 1 message, {}", bytes(task.sent))),
        (count, ..) => parts.push(format!("sends {count} messages, {}", bytes(task.sent))),
    }
    if task.received.get() > 0 {
        parts.push(format!("receives {}", bytes(task.received)));
    }
    parts.join("; ")
}

/// `main, serve heat.c:10-20`.
pub(super) fn place(task: &GraphTask) -> String {
    format!("{} {}", task.functions.join(", "), range(&task.from, &task.to)).trim().to_owned()
}

/// How much wider the letters of a class are than others.
pub(super) fn wider(class: &str) -> f64 {
    if class == "bold" { BOLD } else { 1.0 }
}

/// The lines in a box: class, size and words.
pub(super) fn lines(task: &GraphTask) -> Vec<(&'static str, f64, String)> {
    let times_of = match task.times {
        0 | 1 => String::new(),
        times => format!(" × {times}"),
    };
    let mut lines = vec![("bold", FONT, format!("{}{times_of}", name(task)))];
    let after = match task.joins.as_slice() {
        [] => String::new(),
        [text] => format!("after {text}"),
        [text, more @ ..] => format!("after {text} and {} more", more.len()),
    };
    lines.push(("", SMALL, times(task, Notation::Unicode)));
    lines.push(("", SMALL, traffic(task, Notation::Unicode)));
    lines.push(("faint", SMALL, after));
    lines.push(("faint", SMALL, place(task)));
    lines.retain(|line| !line.2.is_empty());
    lines
}

/// The width of the column that the lines of a task need, with no loop around it.
pub(super) fn needed(task: &GraphTask) -> f64 {
    let widest =
        lines(task).into_iter().map(|(class, size, words)| width(&words, wider(class) * size));
    widest.fold(0.0, f64::max) + 2.0 * PADDING + BESIDE + 2.0 * INDENT
}

/// Beside a box: between columns, and at both sides.
pub(super) const BESIDE: f64 = 36.0;
pub(super) const INDENT: f64 = 8.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_of_segments_are_short() {
        assert_eq!(numerals(&[1, 2, 3, 5]), "I-III, V");
        assert_eq!(numerals(&[4, 5, 9]), "IV, V, IX");
    }
}
