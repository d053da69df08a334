//! The page of a graph of an MPI program: its drawings, the list of parallelism that is not used, and the sources.

use cll_result::{MpiGraph, ProfileSource};

use super::bundle;
use super::head::{Head, head};
use super::html::{Html, brief};
use super::policy;
use crate::document::Document;
use crate::document::html::document as render;
use crate::mpi::{mpi_graph_drawing, mpi_graph_shapes, mpi_graph_title, mpi_unused_section};
use crate::style::Style;

/// The browser wraps text.
const STYLE: Style = Style { width: 10_000, color: false, unicode: true };

/// The contents of the page of a graph.
#[derive(Debug)]
pub struct GraphPage<'a> {
    /// The low-level graph, DP\*Graph.
    pub graph: &'a MpiGraph,
    /// The tasks of the graph, T-Graph\*.
    pub tasks: &'a MpiGraph,
    /// The sources of its places.
    pub sources: &'a [ProfileSource],
    /// The program that writes it.
    pub tool: &'a str,
}

/// The page as an HTML document. The same values give the same bytes.
pub fn graph_page(page: &GraphPage<'_>) -> String {
    let mut out = Html::default();
    let name = brief(&page.graph.program);
    graph_head(&mut out, &name, page.tool);
    out.open("body", &[]);
    out.open("header", &[("class", "top")]);
    out.open("h1", &[("class", "brand")]);
    out.element("bdi", &[], &name);
    out.close();
    for id in ["zoom", "search"] {
        out.element("div", &[("class", "bar"), ("id", id)], "");
    }
    out.element("div", &[("class", "tools"), ("data-island", "theme")], "");
    out.close();
    out.open("main", &[("id", "main")]);
    let texts: Vec<(&str, &str)> = page
        .sources
        .iter()
        .filter_map(|source| Some((file_name(&source.file), source.text.as_deref()?)))
        .collect();
    out.open("div", &[("class", if texts.is_empty() { "panes alone" } else { "panes" })]);
    out.open("div", &[("class", "pane"), ("id", "drawings")]);
    for (graph, name, about, prefix) in [
        (page.graph, "Calls", "Calls and segments in order (DP*Graph)", "n"),
        (page.tasks, "Tasks", "Tasks between waits for others (T-Graph*)", "t"),
    ] {
        let label = mpi_graph_title(graph);
        let attributes = [
            ("class", "drawing"),
            ("data-name", name),
            ("data-about", about),
            ("role", "group"),
            ("aria-label", &label),
        ];
        out.raw("div", &attributes, &mpi_graph_drawing(graph, prefix));
    }
    out.close();
    sources(&mut out, &texts);
    out.close();
    if let Some(unused) = &page.graph.unused {
        out.open("section", &[("class", "list")]);
        out.element("h2", &[], "What could run at the same time");
        render(&mut out, &Document::new([mpi_unused_section(unused, &STYLE)]));
        out.close();
    }
    out.close();
    super::foot(&mut out, page.tool, &[bundle::NOTICE]);
    out.finish()
}

/// A file's name without folders, as places have it.
fn file_name(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// The texts, each line with its number.
fn sources(out: &mut Html, texts: &[(&str, &str)]) {
    if texts.is_empty() {
        return;
    }
    out.open("div", &[("class", "pane source"), ("id", "sources")]);
    for (file, text) in texts {
        out.open("details", &[("open", "")]);
        out.element("summary", &[], file);
        out.open("div", &[("class", "text"), ("data-file", file)]);
        out.open("pre", &[]);
        for (index, line) in text.lines().enumerate() {
            out.open("span", &[("class", "line")]);
            out.element("span", &[("class", "no"), ("data-line", &(index + 1).to_string())], "");
            out.verbatim(line);
            out.close();
            out.raw_text("\n");
        }
        out.close();
        out.close();
        out.close();
    }
    out.close();
}

/// The invisible part.
fn graph_head(out: &mut Html, title: &str, tool: &str) {
    let shapes = mpi_graph_shapes();
    let styles = [bundle::GRAPH_STYLE, &shapes];
    let scripts = [bundle::GRAPH_SCRIPT];
    let policy = policy::policy(&scripts, &styles);
    let title = format!("{title} · graph");
    head(out, &Head { title: &title, tool, policy: &policy, styles: &styles, scripts: &scripts });
}

#[cfg(test)]
mod tests {
    use cll_result::{GraphCall, GraphFlow, GraphStep};

    use super::*;

    #[test]
    fn foreign_names_are_no_markup_and_places_lead_to_lines() {
        let call = GraphCall {
            call: "MPI_Send".to_owned(),
            place: "a<b.c:2".to_owned(),
            task: 1,
            ..GraphCall::default()
        };
        let graph = MpiGraph {
            program: "</title><script>alert(1)</script>".to_owned(),
            flows: vec![GraphFlow {
                ranks: vec![0],
                thread: None,
                steps: vec![GraphStep::Call(call)],
            }],
            ..MpiGraph::new()
        };
        let tasks = MpiGraph { is_tasks: true, flows: Vec::new(), ..graph.clone() };
        let source = ProfileSource {
            file: "/src/a<b.c".to_owned(),
            text: Some("int a;\nMPI_Send(\"<b>\");\n".to_owned()),
            note: String::new(),
        };
        let page = GraphPage { graph: &graph, tasks: &tasks, sources: &[source], tool: "cll" };
        let text = graph_page(&page);
        assert!(!text.contains("<script>alert") && !text.contains("<b>"), "{text}");
        assert!(text.contains("data-file=\"a&lt;b.c\""), "{text}");
        assert!(text.contains("data-at=\"a&lt;b.c:2\" data-task=\"1\""), "{text}");
        assert_eq!(text.matches("class=\"line\"").count(), 2);
    }
}
