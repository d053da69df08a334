//! The graph of an MPI program, as text, SVG and DOT.

mod dot;
mod layout;
mod svg;
mod words;

use cll_result::{GraphFlow, GraphStep, GraphSymbol, MpiGraph};

use crate::document::{Document, Section};
use crate::style::Style;
use crate::text::escape;

pub use dot::mpi_graph_dot;
pub use svg::mpi_graph_svg;

use words::{bytes, calls, loop_count, name, segment, times, title};

/// Lines of a flow that are shown.
const LINES: usize = 60;
/// Flows that are shown.
const FLOWS: usize = 8;

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
    Document::new(sections).text(style)
}

fn flow_section(flow: &GraphFlow, style: &Style) -> Section {
    let mut lines = Vec::new();
    steps(&flow.steps, 0, style, &mut lines);
    let section = Section::plain(name(flow));
    let more = lines.len().saturating_sub(LINES);
    let section = lines.into_iter().take(LINES).fold(section, Section::line);
    match more {
        0 => section,
        more => section.line(format!("{more} other lines (--svg, --json have all)")),
    }
}

fn steps(all: &[GraphStep], depth: usize, style: &Style, lines: &mut Vec<String>) {
    let bar = style.glyph("│ ", "| ");
    let indent = bar.repeat(depth);
    for step in all {
        match step {
            GraphStep::Segment(of) => {
                let box_ = style.glyph("▭", "[]");
                let text = escape(&segment(of, style.notation()));
                lines.push(format!("{indent}{box_} {text}{}", times(of.times, style)));
            }
            GraphStep::Call(of) => {
                let mut text =
                    format!("{} {}", mark(of.symbol, style), calls(of, style.notation()));
                if let Some(bytes) = bytes(of, style.notation()) {
                    text.push_str(&format!(", {bytes}"));
                }
                lines.push(format!("{indent}{}{}", escape(&text), times(of.times, style)));
            }
            GraphStep::Loop(of) => {
                lines.push(format!("{indent}{}", loop_count(of)));
                steps(&of.steps, depth + 1, style, lines);
            }
        }
    }
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
