//! The graph of an MPI program, as text, SVG and DOT.

mod dot;
mod layout;
mod pen;
mod svg;
mod task_texts;
mod tasks;
mod unused;
mod widths;
mod words;

use cll_result::{GraphFlow, GraphStep, GraphSymbol, GraphTask, MpiGraph};

use crate::document::{Document, Section};
use crate::style::Style;
use crate::text::escape;

pub use dot::mpi_graph_dot;
pub use svg::mpi_graph_svg;
pub(crate) use svg::{mpi_graph_drawing, mpi_graph_shapes};
pub(crate) use unused::section as mpi_unused_section;

use words::{bytes, calls, loop_count, name, segment, times, title};

/// Lines of a flow that are shown.
const LINES: usize = 60;
/// Flows that are shown.
const FLOWS: usize = 8;

/// The title of the graph, in a line.
pub(crate) fn mpi_graph_title(graph: &MpiGraph) -> String {
    title(graph, crate::Notation::Unicode)
}

/// The graph as text: each flow with its steps in order, loops indented.
pub fn mpi_graph_text(graph: &MpiGraph, style: &Style) -> String {
    let mut head = Section::plain(title(graph, style.notation()));
    if graph.small_segments > 0 {
        head = head.line(format!(
            "{} segments of less than a thousandth of the time of their ranks are left out",
            graph.small_segments
        ));
    }
    for link in &graph.deadlock {
        let call = escape(&link.call);
        head = head
            .line(format!("deadlock: rank {} in {call} waits for rank {}", link.rank, link.awaits));
    }
    if !graph.missing.is_empty() {
        head = head.line(format!("{} ranks have no log here", graph.missing.len()));
    }
    let mut sections = vec![head];
    for flow in graph.flows.iter().take(FLOWS) {
        sections.push(flow_section(flow, style));
    }
    if graph.flows.len() > FLOWS {
        let more = graph.flows.len() - FLOWS;
        sections.push(Section::plain(format!("{more} other flows (--svg, --json have all)")));
    }
    if graph.is_tasks && !(graph.messages.is_empty() && graph.collectives.is_empty()) {
        sections.push(joins(graph, style));
    }
    sections.extend(graph.unused.as_ref().map(|unused| unused::section(unused, style)));
    Document::new(sections).text(style)
}

fn flow_section(flow: &GraphFlow, style: &Style) -> Section {
    let mut lines = Vec::new();
    steps(&flow.steps, 0, style, &mut 0, &mut lines);
    let section = Section::plain(name(flow));
    let more = lines.len().saturating_sub(LINES);
    let section = lines.into_iter().take(LINES).fold(section, Section::line);
    match more {
        0 => section,
        more => section.line(format!("{more} other lines (--svg, --json have all)")),
    }
}

/// `task` is that of the step before.
fn steps(all: &[GraphStep], depth: usize, style: &Style, task: &mut u32, lines: &mut Vec<String>) {
    let bar = style.glyph("│ ", "| ");
    let indent = bar.repeat(depth);
    for step in all {
        // Where a task begins, its number; a bar where its process waits for others.
        let (number, waits) = match step {
            GraphStep::Segment(graph_segment) => (graph_segment.task, false),
            GraphStep::Call(graph_call) => (graph_call.task, graph_call.synchronises.is_certain()),
            GraphStep::Task(graph_task) => (graph_task.number, !graph_task.joins.is_empty()),
            GraphStep::Loop(_) => (0, false),
        };
        let begins = number != 0 && number != *task;
        let label = if begins { format!("T{number}") } else { String::new() };
        if begins {
            *task = number;
        }
        let bar = if waits { style.glyph("═", "=") } else { " " };
        let indent = format!("{label:<4}{bar} {indent}");
        match step {
            GraphStep::Segment(graph_segment) => {
                let box_ = style.glyph("▭", "[]");
                let text = escape(&segment(graph_segment, style.notation()));
                lines.push(format!("{indent}{box_} {text}{}", times(graph_segment.times, style)));
            }
            GraphStep::Call(graph_call) => {
                let mut text = format!(
                    "{} {}",
                    mark(graph_call.symbol, style),
                    calls(graph_call, style.notation())
                );
                if let Some(bytes) = bytes(graph_call, style.notation()) {
                    text.push_str(&format!(", {bytes}"));
                }
                lines.push(format!("{indent}{}{}", escape(&text), times(graph_call.times, style)));
            }
            GraphStep::Loop(graph_loop) => {
                lines.push(format!("{indent}{}", loop_count(graph_loop)));
                steps(&graph_loop.steps, depth + 1, style, task, lines);
            }
            GraphStep::Task(graph_task) => task_lines(graph_task, &indent, style, lines),
        }
    }
}

/// Writes the beginning of a task and its work.
fn task_lines(task: &GraphTask, indent: &str, style: &Style, lines: &mut Vec<String>) {
    let notation = style.notation();
    let segments = task_texts::numerals(&task.segments);
    let words = [
        segments,
        task_texts::times(task, notation),
        task_texts::traffic(task, notation),
        task_texts::place(task),
    ];
    let known: Vec<String> = words.into_iter().filter(|text| !text.is_empty()).collect();
    lines.push(format!("{indent}{}{}", escape(&known.join("; ")), times(task.times, style)));
    for join in &task.joins {
        let rest: String = indent.chars().skip(6).collect();
        lines.push(format!("      {rest}  after {}", escape(join)));
    }
}

/// Which tasks wait for which.
fn joins(graph: &MpiGraph, style: &Style) -> Section {
    let mut section = Section::plain("Tasks that wait for others".to_owned());
    let arrow = style.glyph("→", "->");
    for edge in graph.messages.iter().take(LINES) {
        let count = match edge.messages {
            0 => String::new(),
            1 => ", 1 message".to_owned(),
            count => format!(", {count} messages"),
        };
        section = section.line(format!("T{} {arrow} T{}{count}", edge.from + 1, edge.to + 1));
    }
    for group in graph.collectives.iter().take(LINES) {
        let names: Vec<String> = group.iter().map(|node| format!("T{}", node + 1)).collect();
        section = section.line(format!("{}, together in a collective", names.join(", ")));
    }
    section
}

fn mark(symbol: GraphSymbol, style: &Style) -> &'static str {
    match symbol {
        GraphSymbol::Send => style.glyph("△", "^"),
        GraphSymbol::Receive => style.glyph("▽", "v"),
        GraphSymbol::Both => style.glyph("◇", "<>"),
        GraphSymbol::Completion => style.glyph("○", "o"),
        GraphSymbol::Other => style.glyph("·", "."),
    }
}
