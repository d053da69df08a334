//! How wide the columns of a drawing are, by the texts in them.

use cll_result::{GraphCall, GraphSegment, GraphStep, MpiGraph, roman};

use super::layout::{Element, Layout, LayoutKind};
use super::pen::{BOLD, FONT, INSET, MARGIN, SMALL};
use super::task_texts;
use super::words::{bytes, loop_count, name, place, seconds};
use crate::Notation;
use crate::svg::measure::width;

/// The least and the most width of a column. Longer texts than the most has room for are cut.
const LEAST: f64 = 350.0;
const MOST: f64 = 800.0;
/// From the left edge of a column to the middle of its symbols, and from there to their labels, if no symbol is wider than
/// usual.
const AXIS: f64 = 66.0;
const LABEL: f64 = 24.0;
/// Half of the width of a usual symbol.
const HALF: f64 = 18.0;
/// Right of the labels.
const BEHIND: f64 = 30.0;

/// The places of what is in a column, in CSS pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Widths {
    pub(super) column: f64,
    /// From the left edge of a column to the middle of its symbols.
    axis: f64,
    /// From the middle of a symbol to its labels.
    pub(super) label: f64,
}

impl Widths {
    /// Computes the widths of a graph.
    pub(super) fn new(graph: &MpiGraph, layout: &Layout<'_>) -> Widths {
        let all = || layout.columns.iter().flatten();
        let halves = all().map(|element| match element.kind {
            LayoutKind::Step(GraphStep::Segment(graph_segment)) => node_width(graph_segment) / 2.0,
            _ => 0.0,
        });
        let more = halves.fold(HALF, f64::max) - HALF;
        let (axis, label) = (AXIS + more, LABEL + more);
        let within = all().map(|element| needed(element, axis + label + BEHIND));
        let names = graph.flows.iter().map(|flow| BOLD * width(&name(flow), FONT) + 12.0);
        let column = within.chain(names).fold(LEAST, f64::max).min(MOST).ceil();
        Widths { column, axis, label }
    }

    pub(super) fn left(&self, column: usize) -> f64 {
        MARGIN + self.column * column as f64
    }

    pub(super) fn axis(&self, column: usize) -> f64 {
        self.left(column) + self.axis
    }

    /// The room for labels.
    pub(super) fn room(&self) -> f64 {
        self.column - self.axis - self.label - BEHIND
    }

    /// The room for the count of a loop with so many loops around it.
    pub(super) fn loop_room(&self, depth: usize) -> f64 {
        self.column - LOOP - 2.0 * INSET * depth as f64
    }
}

/// Beside the count of a loop.
const LOOP: f64 = 40.0;

/// The width of the column that an element needs; `around` is what is beside the labels of a symbol.
fn needed(element: &Element<'_>, around: f64) -> f64 {
    let insets = 2.0 * INSET * element.depth as f64;
    match element.kind {
        LayoutKind::Begin(graph_loop) => width(&loop_count(graph_loop), SMALL) + LOOP + insets,
        LayoutKind::End => 0.0,
        LayoutKind::Step(GraphStep::Task(graph_task)) => task_texts::needed(graph_task) + insets,
        LayoutKind::Step(step) => {
            let (upper, lower) = labels(step);
            width(&upper, FONT).max(width(&lower, SMALL)) + around
        }
    }
}

/// The width of a segment's box: its numeral, bold.
pub(super) fn node_width(segment: &GraphSegment) -> f64 {
    (BOLD * width(&roman(segment.number), FONT) + 14.0).max(30.0)
}

/// The two lines beside a symbol.
pub(super) fn labels(step: &GraphStep) -> (String, String) {
    match step {
        GraphStep::Segment(segment) => of_segment(segment),
        GraphStep::Call(call) => of_call(call),
        _ => (String::new(), String::new()),
    }
}

fn of_segment(segment: &GraphSegment) -> (String, String) {
    match segment.time {
        Some(time) => {
            let time = seconds(time, Notation::Unicode);
            let times =
                if segment.times > 1 { format!(" × {}", segment.times) } else { String::new() };
            (format!("{time}{times}"), place(segment))
        }
        None if segment.operations.is_empty() => (place(segment), String::new()),
        None => (format!("{} operations", segment.operations), place(segment)),
    }
}

fn of_call(call: &GraphCall) -> (String, String) {
    let mut lower = Vec::new();
    if let Some(time) = call.time {
        let times = if call.times > 1 { format!(" × {}", call.times) } else { String::new() };
        lower.push(format!("{}{times}", seconds(time, Notation::Unicode)));
    }
    lower.extend(bytes(call, Notation::Unicode));
    if !call.place.is_empty() {
        lower.push(call.place.clone());
    }
    let upper = format!("{} {}", call.call, call.partners);
    (upper.trim().to_owned(), lower.join(", "))
}
