//! The graph in the language of Graphviz.

use std::fmt::Write;

use cll_result::{GraphStep, GraphSymbol, MpiGraph, roman};

use super::task_texts;
use super::words::{bytes, loop_count, name, place, seconds, title};
use crate::Notation;
use crate::text::escape;

/// The graph in the language of Graphviz: a cluster for each flow, clusters for loops.
pub fn mpi_graph_dot(graph: &MpiGraph) -> String {
    let mut out = String::from("digraph mpi {\n  node [fontname=\"sans-serif\", fontsize=10];\n");
    let _ = writeln!(out, "  label={};", quoted(&title(graph, Notation::Unicode)));
    let mut ends = String::new();
    for (index, flow) in graph.flows.iter().enumerate() {
        let _ = writeln!(out, "  subgraph cluster_flow{index} {{");
        let _ = writeln!(out, "    label={};", quoted(&name(flow)));
        let mut order = Vec::new();
        let mut clusters = 0;
        steps(&flow.steps, &format!("flow{index}"), &mut clusters, &mut order, &mut out);
        if let (true, Some(first), Some(last)) = (graph.is_tasks, order.first(), order.last()) {
            ends.push_str(&format!("  entry -> n{first};\n  n{last} -> exit;\n"));
        }
        for pair in order.windows(2) {
            let _ = writeln!(out, "    n{} -> n{};", pair[0], pair[1]);
        }
        out.push_str("  }\n");
    }
    out.push_str(&ends);
    for edge in &graph.messages {
        let label = if edge.messages > 1 { format!("{}×", edge.messages) } else { String::new() };
        let _ = writeln!(
            out,
            "  n{} -> n{} [style=dashed, constraint=false, label={}];",
            edge.from,
            edge.to,
            quoted(&label)
        );
    }
    for group in &graph.collectives {
        for pair in group.windows(2) {
            let _ = writeln!(
                out,
                "  n{} -> n{} [dir=none, penwidth=2, constraint=false];",
                pair[0], pair[1]
            );
        }
    }
    out.push_str("}\n");
    out
}

fn steps(
    all: &[GraphStep],
    prefix: &str,
    clusters: &mut usize,
    order: &mut Vec<usize>,
    out: &mut String,
) {
    for step in all {
        match step {
            GraphStep::Segment(segment) => {
                let time =
                    segment.time.map_or(String::new(), |time| seconds(time, Notation::Unicode));
                let label = format!("{}\n{time}\n{}", roman(segment.number), place(segment));
                let _ =
                    writeln!(out, "    n{} [shape=box, label={}];", segment.node, quoted(&label));
                order.push(segment.node);
            }
            GraphStep::Call(call) => {
                let shape = match call.symbol {
                    GraphSymbol::Send => "triangle",
                    GraphSymbol::Receive => "invtriangle",
                    GraphSymbol::Both => "diamond",
                    GraphSymbol::Completion => "circle",
                    GraphSymbol::Other => "plaintext",
                };
                // A double line is a synchronisation point.
                let lines = if call.synchronises.is_certain() { ", peripheries=2" } else { "" };
                let bytes = bytes(call, Notation::Unicode).unwrap_or_default();
                let label = format!("{} {}\n{bytes}\n{}", call.call, call.partners, call.place);
                let _ = writeln!(
                    out,
                    "    n{} [shape={shape}{lines}, label={}];",
                    call.node,
                    quoted(&label)
                );
                order.push(call.node);
            }
            GraphStep::Task(task) => {
                let words = [
                    task_texts::name(task),
                    task_texts::times(task, Notation::Unicode),
                    task_texts::traffic(task, Notation::Unicode),
                    task_texts::place(task),
                ];
                let lines = if task.joins.is_empty() { 1 } else { 2 };
                let label = quoted(&words.join("\n"));
                let _ = writeln!(
                    out,
                    "    n{} [shape=box, peripheries={lines}, label={label}];",
                    task.node
                );
                order.push(task.node);
            }
            GraphStep::Loop(graph_loop) => {
                *clusters += 1;
                let _ = writeln!(out, "    subgraph cluster_{prefix}_{clusters} {{");
                let label = loop_count(graph_loop);
                let _ = writeln!(out, "    style=rounded; label={};", quoted(&label));
                steps(&graph_loop.steps, prefix, clusters, order, out);
                out.push_str("    }\n");
            }
        }
    }
}

/// A string of the language.
fn quoted(text: &str) -> String {
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| escape(line.trim()).replace('\\', "\\\\").replace('"', "\\\""))
        .filter(|line| !line.is_empty())
        .collect();
    format!("\"{}\"", lines.join("\\n"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn names_cannot_end_a_string() {
        assert_eq!(quoted("a\"b\\ \n\n c"), "\"a\\\"b\\\\\\nc\"");
    }
}
