//! Boundaries of intervals and named places: vertical lines, and their names over the plot.

use crate::Notation;
use crate::plot::{Gap, Mapping, PlotSpec};

use super::layout::{Area, Layout};
use super::measure::width;
use super::shapes::rectangle;
use super::writer::{Writer, path};

/// A name at a place of the x axis.
pub(crate) struct Label {
    value: f64,
    text: String,
    boundary: bool,
}

/// The names of places on the x axis.
pub(crate) fn labels(spec: &PlotSpec) -> Vec<Label> {
    let x = spec.x_mapping(0.0, 1.0);
    let notation = Notation::Unicode;
    let mut labels: Vec<Label> = spec
        .boundaries
        .iter()
        .map(|gap| Label { value: gap.at, text: ends(gap, notation), boundary: true })
        .chain(spec.references.iter().map(|r| Label {
            value: r.at,
            text: r.label.clone(),
            boundary: false,
        }))
        .filter(|l| x.holds(l.value) && x.scale.shows(l.value))
        .collect();
    // Boundaries first, if there is no room for all.
    labels.sort_by(|a, b| a.boundary.cmp(&b.boundary).reverse().then(a.value.total_cmp(&b.value)));
    labels
}

/// The ends of a gap, or the one place that it is.
fn ends(gap: &Gap, notation: Notation) -> String {
    let [low, high] = [gap.low, gap.high].map(|end| notation.number(end));
    if low == high { low } else { format!("{low}–{high}") }
}

/// The gaps that contain boundaries, as strips.
pub(crate) fn gaps(out: &mut Writer, spec: &PlotSpec, x: &Mapping, area: &Area) {
    for gap in &spec.boundaries {
        if let (Some(left), Some(right)) = (x.place(gap.low), x.place(gap.high)) {
            rectangle(out, "gap", (left, right.max(left + 2.0)), (area.top, area.bottom));
        }
    }
}

/// Boundaries of intervals, and the named values.
pub(crate) fn lines(out: &mut Writer, spec: &PlotSpec, x: &Mapping, area: &Area) {
    let boundaries = spec.boundaries.iter().map(|g| (g.at, "at"));
    let references = spec.references.iter().map(|r| (r.at, "reference"));
    for (value, class) in boundaries.chain(references).filter(|(value, _)| x.holds(*value)) {
        if let Some(left) = x.place(value) {
            let d = path([(left, area.top), (left, area.bottom)]);
            out.leaf("path", &[("class", class.into()), ("d", (&d).into())]);
        }
    }
}

/// Names in the rows over the plot; those without room are left out.
pub(crate) fn names(out: &mut Writer, labels: &[Label], x: &Mapping, page: &Layout) {
    let font = 0.92 * page.font;
    let line = (page.font * 1.35).round();
    let mut rows: Vec<Vec<(f64, f64)>> = vec![Vec::new(); page.rows];
    for label in labels {
        let Some(middle) = x.place(label.value) else { continue };
        let wide = width(&label.text, font);
        let left = (middle - 0.5 * wide)
            .clamp(page.main.left, (page.main.right - wide).max(page.main.left));
        let gap = 0.5 * font;
        let free = |row: &Vec<(f64, f64)>| {
            row.iter().all(|&(start, end)| end + gap < left || left + wide + gap < start)
        };
        let Some(row) = rows.iter().position(free) else { continue };
        if left + wide > page.main.right + 1.0 {
            continue;
        }
        rows[row].push((left, left + wide));
        out.text(
            "text",
            &[
                ("class", "faint num".into()),
                ("x", left.into()),
                ("y", (page.main.top - 5.0 - row as f64 * line).into()),
                ("font-size", font.into()),
            ],
            &label.text,
        );
    }
}
