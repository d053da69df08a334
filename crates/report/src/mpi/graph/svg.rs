//! The graph as SVG: rectangles, triangles and loops in columns, messages as dashed arrows, collectives as bars.

use cll_result::{GraphCall, GraphSegment, GraphStep, GraphSymbol, MpiGraph, roman};

use super::layout::{Element, Layout, LayoutKind, layout};
use super::pen::{BOLD, FONT, HEAD, INSET, MARGIN, ROW, SMALL, arrow, text, y};
use super::tasks;
use super::widths::{Widths, labels, node_width};
use super::words::{loop_count, name, range, title};
use crate::Notation;
use crate::svg::measure::{lines, shorten};
use crate::svg::writer::{Writer, coordinate, path};

/// Room below the drawing, in CSS pixels.
const FOOT: f64 = 34.0;

const LEGEND: &str = "rectangle: computation (mean time of a passage × passages); triangle up: sends; triangle down: \
    receives; diamond: both; circle: waits for requests; pale: non-blocking; dashed arrow: messages, with their number; \
    bar: collective; line above a symbol: synchronisation point, it waits for others; T1, T2, …: tasks; ring: did not return";

const TASKS: &str = "box: a task, from one synchronisation point to the next, with its segments (of a passage on average; × \
    passages by all processes); line above a box: it begins with a wait; dashed arrow: messages to the task that waits for \
    them, with their number; bar: collective";

/// Between lines of the heading.
const HEADING: f64 = 18.0;

/// Colours: ground, ink, faint text, lines, fill of segments, sends, receipts, collectives.
struct Colours([&'static str; 8]);

const LIGHT: Colours = Colours([
    "#ffffff", "#1b2430", "#5a6675", "#8b96a5", "#eef3f8", "#0072b2", "#d55e00", "#007f5c",
]);
const DARK: Colours = Colours([
    "#12171e", "#e8ecf1", "#9fabba", "#67758a", "#1d2631", "#5ab4f0", "#ff9a4d", "#3fd0a4",
]);

impl Colours {
    fn sheet(&self) -> String {
        let Colours([ground, ink, faint, line, fill, send, receive, bar]) = self;
        format!(
            ".graph text{{fill:{ink};stroke:{ground}}}\n.graph .faint{{fill:{faint}}}\n.graph .ground{{fill:{ground}}}\n\
             .graph .order{{stroke:{line}}}\n.graph .sync{{stroke:{ink}}}\n.graph .segment{{fill:{fill};stroke:{ink}}}\n\
             .graph .send{{fill:{send}}}\n.graph .receive{{fill:{receive}}}\n.graph .both{{fill:{bar}}}\n\
             .graph .hollow{{fill:{ground};stroke:{ink}}}\n.graph .nonblocking{{stroke:{ink}}}\n\
             .graph .loop{{stroke:{line}}}\n.graph .message{{stroke:{send}}}\n.graph .head{{fill:{send}}}\n\
             .graph .bar{{stroke:{bar}}}\n.graph .open{{stroke:{receive}}}\n"
        )
    }
}

/// The style rules that do not depend on colours.
pub(crate) fn mpi_graph_shapes() -> String {
    ".graph text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;\
        paint-order:stroke;stroke-width:3px;stroke-linejoin:round}\n\
        .graph .bold{font-weight:600}\n.graph .order{stroke-width:1.4;fill:none}\n\
        .graph .sync{stroke-width:3;fill:none}\n.graph .segment{stroke-width:1.2}\n.graph .hollow{stroke-width:1.4}\n\
        .graph .nonblocking{fill-opacity:.35;stroke-width:1.2}\n\
        .graph .loop{fill:none;stroke-width:1.2;stroke-dasharray:2 3}\n\
        .graph .message{stroke-width:1.5;fill:none;stroke-dasharray:6 4;stroke-opacity:.75}\n\
        .graph .bar{stroke-width:3;stroke-opacity:.55;fill:none}\n.graph .open{fill:none;stroke-width:2}\n"
        .to_owned()
}

fn sheet() -> String {
    let shapes = mpi_graph_shapes();
    let dark = DARK.sheet();
    format!("\n{shapes}{}@media (prefers-color-scheme:dark){{\n{dark}}}\n", LIGHT.sheet())
}

/// The graph as an SVG document. The same graph gives the same bytes.
pub fn mpi_graph_svg(graph: &MpiGraph) -> String {
    draw(graph, "n", Some(&sheet()))
}

/// The same without its own colours, for a page; ids of nodes begin with `prefix`.
pub(crate) fn mpi_graph_drawing(graph: &MpiGraph, prefix: &str) -> String {
    draw(graph, prefix, None)
}

fn draw(graph: &MpiGraph, prefix: &str, sheet: Option<&str>) -> String {
    let layout = layout(graph);
    let widths = Widths::new(graph, &layout);
    let wide = 2.0 * MARGIN + widths.column * layout.columns.len().max(1) as f64;
    let legend = lines(if graph.is_tasks { TASKS } else { LEGEND }, wide - 2.0 * MARGIN, SMALL, 6);
    let high = HEAD + ROW * layout.height + 14.0 * legend.len() as f64 + FOOT;
    let title = title(graph, Notation::Unicode);
    let size = FONT + 2.0;
    let heading = lines(&title, wide - 2.0 * MARGIN, BOLD * size, 3);
    // Further lines of the heading are above the first, which has its place in every graph.
    let above = HEADING * heading.len().saturating_sub(1) as f64;
    let mut out = Writer::default();
    let all = [coordinate(wide), coordinate(high + above)];
    let view = format!("0 {} {} {}", coordinate(-above), all[0], all[1]);
    out.open(
        "svg",
        &[
            ("xmlns", "http://www.w3.org/2000/svg".into()),
            ("viewBox", (&view).into()),
            ("width", wide.into()),
            ("height", (high + above).into()),
            ("class", "graph".into()),
        ],
    );
    out.text("title", &[], &title);
    if let Some(sheet) = sheet {
        out.raw("style", sheet);
    }
    out.leaf(
        "rect",
        &[
            ("class", "ground".into()),
            ("y", (-above).into()),
            ("width", wide.into()),
            ("height", (high + above).into()),
        ],
    );
    for (index, line) in heading.iter().enumerate() {
        text(&mut out, "bold", MARGIN, 24.0 - above + HEADING * index as f64, size, line);
    }
    for (index, flow) in graph.flows.iter().enumerate() {
        let words = shorten(&name(flow), widths.column - 12.0, BOLD * FONT);
        text(&mut out, "bold", widths.left(index), HEAD - 14.0, FONT, &words);
    }
    if graph.is_tasks {
        tasks::flow(&mut out, &layout, &widths)
    } else {
        (0..layout.columns.len()).for_each(|index| order(&mut out, &layout, &widths, index))
    }
    layout
        .columns
        .iter()
        .enumerate()
        .for_each(|(index, column)| loops(&mut out, &widths, index, column));
    if !graph.is_tasks {
        collectives(&mut out, graph, &layout, &widths);
        messages(&mut out, graph, &layout, &widths);
    }
    // Labels are above the lines, with a margin of the ground's colour.
    for (index, column) in layout.columns.iter().enumerate() {
        let mut task = 0;
        column
            .iter()
            .for_each(|element| step(&mut out, &widths, index, element, prefix, &mut task));
    }
    if graph.is_tasks {
        tasks::joins(&mut out, graph, &layout, &widths);
    }
    for (index, line) in legend.iter().enumerate() {
        let y = high - FOOT - 14.0 * (legend.len() - index) as f64 + 24.0;
        text(&mut out, "faint", MARGIN, y, SMALL, line);
    }
    out.finish()
}

/// The middle of a node.
fn centre(layout: &Layout<'_>, widths: &Widths, node: usize) -> Option<(f64, f64)> {
    let &(column, index) = layout.places.get(&node)?;
    let element = &layout.columns[column][index];
    Some((widths.axis(column), y(element.top + element.height() / 2.0)))
}

/// The line through the nodes of a column, in the order of execution.
fn order(out: &mut Writer, layout: &Layout<'_>, widths: &Widths, index: usize) {
    let column = &layout.columns[index];
    let middle = |element: &Element<'_>| y(element.top + element.height() / 2.0);
    let nodes: Vec<&Element<'_>> =
        column.iter().filter(|element| element.node().is_some()).collect();
    if let [first, .., last] = nodes[..] {
        let line = path([(widths.axis(index), middle(first)), (widths.axis(index), middle(last))]);
        out.leaf("path", &[("class", "order".into()), ("d", (&line).into())]);
    }
}

/// Boxes around loops, with their counts.
fn loops(out: &mut Writer, widths: &Widths, index: usize, column: &[Element<'_>]) {
    let mut open = Vec::new();
    for element in column {
        match element.kind {
            LayoutKind::Step(_) => {}
            LayoutKind::Begin(graph_loop) => open.push((graph_loop, element)),
            LayoutKind::End => {
                let Some((graph_loop, begin)) = open.pop() else { continue };
                let inset = INSET * begin.depth as f64;
                let top = y(begin.top) + 6.0;
                let attributes = [
                    ("class", "loop".into()),
                    ("x", (widths.left(index) + inset).into()),
                    ("y", top.into()),
                    ("width", (widths.column - 20.0 - 2.0 * inset).into()),
                    ("height", (y(element.top + element.height()) - top - 4.0).into()),
                    ("rx", 8.0.into()),
                ];
                out.leaf("rect", &attributes);
                let words = loop_count(graph_loop);
                let x = widths.left(index) + inset + 10.0;
                let words = shorten(&words, widths.loop_room(begin.depth), SMALL);
                text(out, "faint", x, top + 16.0, SMALL, &words);
            }
        }
    }
}

/// `task` is that of the step before.
fn step(
    out: &mut Writer,
    widths: &Widths,
    column: usize,
    element: &Element<'_>,
    prefix: &str,
    task: &mut u32,
) {
    let middle = y(element.top + element.height() / 2.0);
    let Some(node) = element.node() else { return };
    let id = format!("{prefix}{node}");
    // Where it is in the source, and its task, for a page.
    let (place, of_task) = match element.kind {
        LayoutKind::Step(GraphStep::Segment(graph_segment)) => {
            (range(&graph_segment.from, &graph_segment.to), graph_segment.task)
        }
        LayoutKind::Step(GraphStep::Call(graph_call)) => {
            (graph_call.place.clone(), graph_call.task)
        }
        LayoutKind::Step(GraphStep::Task(graph_task)) => {
            (range(&graph_task.from, &graph_task.to), graph_task.number)
        }
        _ => return,
    };
    let of_task = of_task.to_string();
    let attributes = [
        ("id", (&id).into()),
        ("class", "node".into()),
        ("data-at", (&place).into()),
        ("data-task", (&of_task).into()),
    ];
    out.open("g", &attributes);
    let x = widths.axis(column);
    // The half of what stands there.
    let (number, half) = match element.kind {
        LayoutKind::Step(GraphStep::Segment(graph_segment)) => {
            segment(out, (x, middle), graph_segment);
            (graph_segment.task, node_width(graph_segment) / 2.0)
        }
        LayoutKind::Step(GraphStep::Call(graph_call)) => {
            call(out, (x, middle), graph_call);
            (graph_call.task, 0.0)
        }
        LayoutKind::Step(GraphStep::Task(graph_task)) => {
            tasks::task(out, widths, column, element, graph_task);
            (0, 0.0)
        }
        _ => (0, 0.0),
    };
    if let LayoutKind::Step(graph_step @ (GraphStep::Segment(_) | GraphStep::Call(_))) =
        element.kind
    {
        beside(out, widths, (x, middle), graph_step);
    }
    if number != 0 && number != *task {
        *task = number;
        let attributes = [
            ("class", "faint".into()),
            ("x", (x - (half + 4.0).max(22.0)).into()),
            // Above arrows that end here.
            ("y", (middle - 15.0).into()),
            ("font-size", SMALL.into()),
            ("text-anchor", "end".into()),
        ];
        out.text("text", &attributes, &format!("T{number}"));
    }
    out.close();
}

/// The labels of a symbol; if they are cut, a pointer on them shows all.
fn beside(out: &mut Writer, widths: &Widths, (x, middle): (f64, f64), step: &GraphStep) {
    let (upper, lower) = labels(step);
    let (x, room) = (x + widths.label, widths.room());
    let shown = [shorten(&upper, room, FONT), shorten(&lower, room, SMALL)];
    if shown != [upper.as_str(), lower.as_str()] {
        out.text("title", &[], &[upper, lower].join("\n"));
    }
    text(out, "", x, middle - 3.0, FONT, &shown[0]);
    text(out, "faint", x, middle + 11.0, SMALL, &shown[1]);
}

fn segment(out: &mut Writer, (x, middle): (f64, f64), graph_segment: &GraphSegment) {
    let (numeral, wide, high) = (roman(graph_segment.number), node_width(graph_segment), 28.0);
    let attributes = [
        ("class", "segment".into()),
        ("x", (x - wide / 2.0).into()),
        ("y", (middle - high / 2.0).into()),
        ("width", wide.into()),
        ("height", high.into()),
    ];
    out.leaf("rect", &attributes);
    let attributes = [
        ("class", "bold".into()),
        ("x", x.into()),
        ("y", (middle + 4.0).into()),
        ("font-size", FONT.into()),
        ("text-anchor", "middle".into()),
    ];
    out.text("text", &attributes, &numeral);
}

fn call(out: &mut Writer, (x, middle): (f64, f64), graph_call: &GraphCall) {
    let r = 11.0;
    let class = |name: &str| {
        if graph_call.nonblocking { format!("{name} nonblocking") } else { name.to_owned() }
    };
    let mut polygon = |name: &str, places: &[(f64, f64)]| {
        let line = format!("{} Z", path(places.iter().map(|&(dx, dy)| (x + dx, middle + dy))));
        out.leaf("path", &[("class", (&class(name)).into()), ("d", (&line).into())]);
    };
    match graph_call.symbol {
        GraphSymbol::Send => polygon("send", &[(0.0, -r), (r, r * 0.8), (-r, r * 0.8)]),
        GraphSymbol::Receive => polygon("receive", &[(0.0, r), (r, -r * 0.8), (-r, -r * 0.8)]),
        GraphSymbol::Both => polygon("both", &[(0.0, -r), (r, 0.0), (0.0, r), (-r, 0.0)]),
        GraphSymbol::Completion | GraphSymbol::Other => {
            let r = if graph_call.symbol == GraphSymbol::Other { 4.0 } else { 8.0 };
            let attributes = [
                ("class", "hollow".into()),
                ("cx", x.into()),
                ("cy", middle.into()),
                ("r", r.into()),
            ];
            out.leaf("circle", &attributes);
        }
    }
    if graph_call.synchronises.is_certain() {
        let line = path([(x - 18.0, middle - 15.0), (x + 18.0, middle - 15.0)]);
        out.leaf("path", &[("class", "sync".into()), ("d", (&line).into())]);
    }
    if graph_call.open > 0 {
        let attributes =
            [("class", "open".into()), ("cx", x.into()), ("cy", middle.into()), ("r", 16.0.into())];
        out.leaf("circle", &attributes);
    }
}

/// Bars that join the nodes of collectives.
fn collectives(out: &mut Writer, graph: &MpiGraph, layout: &Layout<'_>, widths: &Widths) {
    for group in &graph.collectives {
        let places: Vec<(f64, f64)> =
            group.iter().filter_map(|&node| centre(layout, widths, node)).collect();
        if places.len() > 1 {
            let line = path(places);
            let attributes =
                [("class", "bar".into()), ("fill", "none".into()), ("d", (&line).into())];
            out.leaf("path", &attributes);
        }
    }
}

fn messages(out: &mut Writer, graph: &MpiGraph, layout: &Layout<'_>, widths: &Widths) {
    let centre_of = |node: usize| centre(layout, widths, node);
    for edge in &graph.messages {
        let (Some(from), Some(to)) = (centre_of(edge.from), centre_of(edge.to)) else {
            continue;
        };
        let count = if edge.messages > 1 { format!("{}×", edge.messages) } else { String::new() };
        if from.0 == to.0 {
            within(out, from, to, &count);
            continue;
        }
        let side = if to.0 > from.0 { 1.0 } else { -1.0 };
        let (start, end) = ((from.0 + side * 13.0, from.1), (to.0 - side * 18.0, to.1));
        let line = path([start, end]);
        out.leaf("path", &[("class", "message".into()), ("d", (&line).into())]);
        let length = (end.0 - start.0).hypot(end.1 - start.1).max(1.0);
        let (dx, dy) = ((end.0 - start.0) / length, (end.1 - start.1) / length);
        arrow(out, end, (dx, dy));
        let middle = (start.0 * 0.2 + end.0 * 0.8, start.1 * 0.2 + end.1 * 0.8 - 5.0);
        text(out, "faint", middle.0, middle.1, SMALL, &count);
    }
}

/// A message between processes of one column.
fn within(out: &mut Writer, from: (f64, f64), to: (f64, f64), count: &str) {
    // Of a node to itself it leaves above and comes back below.
    let apart = if from == to { 7.0 } else { 0.0 };
    let (start, end) = ((from.0 - 13.0, from.1 - apart), (to.0 - 16.0, to.1 + apart));
    let out_by = 34.0;
    let line = format!(
        "M{} {} C{} {} {} {} {} {}",
        coordinate(start.0),
        coordinate(start.1),
        coordinate(start.0 - out_by),
        coordinate(start.1),
        coordinate(end.0 - out_by),
        coordinate(end.1),
        coordinate(end.0 - 8.0),
        coordinate(end.1)
    );
    out.leaf("path", &[("class", "message".into()), ("d", (&line).into())]);
    arrow(out, end, (1.0, 0.0));
    let y = (start.1 + end.1) / 2.0 + 4.0;
    text(out, "faint", start.0 - out_by - 4.0, y, SMALL, count);
}
