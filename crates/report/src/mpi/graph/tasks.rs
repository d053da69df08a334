//! Tasks of the high-level graph: boxes in columns, with one entry and one exit, joined where a task waits.

use cll_result::{GraphTask, MpiGraph};

use super::layout::{Element, Layout};
use super::pen::{INSET, SMALL, arrow, text, y};
use super::task_texts::{BESIDE, INDENT, PADDING, lines, wider};
use super::widths::Widths;
use crate::svg::measure::shorten;
use crate::svg::writer::{Writer, coordinate, path};

/// A box, with a bar above it if it begins with a wait.
pub(super) fn task(
    out: &mut Writer,
    widths: &Widths,
    column: usize,
    element: &Element<'_>,
    graph_task: &GraphTask,
) {
    let (x, wide) = edges(widths, column, element);
    let (top, bottom) = (y(element.top) + 8.0, y(element.top + element.height()) - 8.0);
    let attributes = [
        ("class", "segment".into()),
        ("x", x.into()),
        ("y", top.into()),
        ("width", wide.into()),
        ("height", (bottom - top).into()),
        ("rx", 4.0.into()),
    ];
    out.leaf("rect", &attributes);
    if !graph_task.joins.is_empty() {
        let line = path([(x, top), (x + wide, top)]);
        out.leaf("path", &[("class", "sync".into()), ("d", (&line).into())]);
    }
    let mut baseline = top + 17.0;
    for (class, size, words) in lines(graph_task) {
        let words = shorten(&words, wide - 2.0 * PADDING, wider(class) * size);
        text(out, class, x + PADDING, baseline, size, &words);
        baseline += 14.5;
    }
}

/// The left edge of a box, and its width.
fn edges(widths: &Widths, column: usize, element: &Element<'_>) -> (f64, f64) {
    let inset = INDENT + INSET * element.depth as f64;
    (widths.left(column) + inset, widths.column - BESIDE - 2.0 * inset)
}

/// Lines from the entry through each column to the exit.
pub(super) fn flow(out: &mut Writer, layout: &Layout<'_>, widths: &Widths) {
    let centre = (widths.left(0) + widths.left(layout.columns.len()) - BESIDE) / 2.0;
    let (entry, exit) = (y(0.25), y(layout.height - 0.25));
    for (index, column) in layout.columns.iter().enumerate() {
        let Some(last) = column.last() else { continue };
        let (top, bottom) = (y(0.8), y(last.top + last.height()) + 4.0);
        let x = widths.axis(index);
        let line = path([(centre, entry), (x, top), (x, bottom), (centre, exit)]);
        out.leaf("path", &[("class", "order".into()), ("d", (&line).into())]);
    }
    for (place, word) in [(entry, "entry"), (exit, "exit")] {
        let attributes = [
            ("class", "hollow".into()),
            ("cx", centre.into()),
            ("cy", place.into()),
            ("r", 6.0.into()),
        ];
        out.leaf("circle", &attributes);
        text(out, "faint", centre + 11.0, place + 4.0, SMALL, word);
    }
}

/// Arrows from tasks to those that wait for them.
pub(super) fn joins(out: &mut Writer, graph: &MpiGraph, layout: &Layout<'_>, widths: &Widths) {
    let element_of = |node: usize| {
        let &(column, index) = layout.places.get(&node)?;
        Some((column, &layout.columns[column][index]))
    };
    for edge in &graph.messages {
        let (Some((from, element)), Some((to, other))) =
            (element_of(edge.from), element_of(edge.to))
        else {
            continue;
        };
        let count = if edge.messages > 1 { format!("{}×", edge.messages) } else { String::new() };
        let (start_y, end_y) = (y(element.top + element.height()) - 16.0, y(other.top) + 14.0);
        let ((start_x, start_wide), (end_x, end_wide)) =
            (edges(widths, from, element), edges(widths, to, other));
        let (start, end, side) = match from.cmp(&to) {
            std::cmp::Ordering::Less => {
                ((start_x + start_wide, start_y), (end_x - 1.0, end_y), 1.0)
            }
            std::cmp::Ordering::Greater => {
                ((start_x, start_y), (end_x + end_wide + 1.0, end_y), -1.0)
            }
            // Between processes of one column: round the right side.
            std::cmp::Ordering::Equal => {
                ((start_x + start_wide, start_y), (end_x + end_wide + 1.0, end_y), 0.0)
            }
        };
        let (first, second) = if side == 0.0 {
            ((start.0 + 30.0, start.1), (end.0 + 30.0, end.1))
        } else {
            ((start.0 + 24.0 * side, start.1), (end.0 - 24.0 * side, end.1))
        };
        let line = format!(
            "M{} {} C{} {} {} {} {} {}",
            coordinate(start.0),
            coordinate(start.1),
            coordinate(first.0),
            coordinate(first.1),
            coordinate(second.0),
            coordinate(second.1),
            coordinate(end.0),
            coordinate(end.1)
        );
        out.leaf("path", &[("class", "message".into()), ("d", (&line).into())]);
        arrow(out, end, (if side == 0.0 { -1.0 } else { side }, 0.0));
        let middle = ((start.0 + end.0) / 2.0 + 4.0, (start.1 + end.1) / 2.0 - 4.0);
        text(out, "faint", middle.0, middle.1, SMALL, &count);
    }
    for group in &graph.collectives {
        let mut columns: Vec<(usize, f64)> = group
            .iter()
            .filter_map(|&node| element_of(node))
            .map(|(column_index, element)| (column_index, element.top))
            .collect();
        columns.sort_by_key(|column| column.0);
        let places =
            columns.iter().map(|&(column_index, top)| (widths.axis(column_index), y(top) + 8.0));
        let line = path(places);
        let attributes = [("class", "bar".into()), ("fill", "none".into()), ("d", (&line).into())];
        out.leaf("path", &attributes);
    }
}
