//! Frames, grids, ticks and axis titles.

use crate::plot::{Mapping, Ticks};

use super::layout::Area;
use super::measure::width;
use super::writer::{Writer, path};

/// Lines of the grid at the ticks, and small ones outside the frame.
pub(crate) fn grid(
    out: &mut Writer,
    area: &Area,
    x: (&Mapping, &Ticks),
    y: (&Mapping, &Ticks),
    outer: bool,
) {
    let mut lines = String::new();
    let mut add = |a: (f64, f64), b: (f64, f64)| {
        lines.push_str(&path([a, b]));
        lines.push(' ');
    };
    for (value, _) in &x.1.major {
        if let Some(left) = x.0.place(*value) {
            add((left, area.top), (left, area.bottom));
        }
    }
    for (value, _) in &y.1.major {
        if let Some(top) = y.0.place(*value) {
            add((area.left, top), (area.right, top));
        }
    }
    let lines = lines.trim_end().to_owned();
    out.leaf("path", &[("class", "grid".into()), ("d", (&lines).into())]);

    let mut small = String::new();
    let mut tick = |a: (f64, f64), b: (f64, f64)| {
        small.push_str(&path([a, b]));
        small.push(' ');
    };
    if outer {
        let values = x.1.major.iter().map(|(v, _)| (*v, 4.0));
        for (value, long) in values.chain(x.1.minor.iter().map(|v| (*v, 2.5))) {
            if let Some(left) = x.0.place(value) {
                tick((left, area.bottom), (left, area.bottom + long));
            }
        }
    }
    let values = y.1.major.iter().map(|(v, _)| (*v, 4.0));
    for (value, long) in values.chain(y.1.minor.iter().map(|v| (*v, 2.5))) {
        if let Some(top) = y.0.place(value) {
            tick((area.left - long, top), (area.left, top));
        }
    }
    let small = small.trim_end().to_owned();
    out.leaf("path", &[("class", "frame".into()), ("d", (&small).into())]);
}

/// The frame round an area.
pub(crate) fn frame(out: &mut Writer, area: &Area) {
    out.leaf(
        "rect",
        &[
            ("class", "frame".into()),
            ("x", area.left.into()),
            ("y", area.top.into()),
            ("width", area.width().into()),
            ("height", area.height().into()),
        ],
    );
}

/// Labels of the x ticks under the area; those that would touch their left neighbour are left out.
pub(crate) fn x_labels(out: &mut Writer, area: &Area, map: &Mapping, ticks: &Ticks, font: f64) {
    let mut end = f64::NEG_INFINITY;
    for (value, label) in &ticks.major {
        let Some(middle) = map.place(*value) else { continue };
        let half = 0.5 * width(label, font);
        if middle - half < end + 0.6 * font || middle + half > area.right + 1.5 * font {
            continue;
        }
        end = middle + half;
        out.text(
            "text",
            &[
                ("class", "faint num".into()),
                ("x", middle.into()),
                ("y", (area.bottom + 5.0 + font).into()),
                ("font-size", font.into()),
                ("text-anchor", "middle".into()),
            ],
            label,
        );
    }
}

/// Labels of the y ticks left of the area.
pub(crate) fn y_labels(out: &mut Writer, area: &Area, map: &Mapping, ticks: &Ticks, font: f64) {
    let mut end = f64::INFINITY;
    for (value, label) in &ticks.major {
        let Some(middle) = map.place(*value) else { continue };
        if middle + 0.5 * font > end {
            continue;
        }
        end = middle - 0.6 * font;
        out.text(
            "text",
            &[
                ("class", "faint num".into()),
                ("x", (area.left - 7.0).into()),
                ("y", (middle + 0.35 * font).into()),
                ("font-size", font.into()),
                ("text-anchor", "end".into()),
            ],
            label,
        );
    }
}

/// The title of a y axis, upwards along the left edge.
pub(crate) fn y_title(out: &mut Writer, area: &Area, x: f64, text: &str, font: f64) {
    let text = super::measure::shorten(text, area.height() + font, font);
    let middle = 0.5 * (area.top + area.bottom);
    let turn = format!(
        "rotate(-90 {} {})",
        super::writer::coordinate(x),
        super::writer::coordinate(middle)
    );
    out.text(
        "text",
        &[
            ("class", "ink".into()),
            ("x", x.into()),
            ("y", middle.into()),
            ("font-size", font.into()),
            ("text-anchor", "middle".into()),
            ("transform", (&turn).into()),
        ],
        &text,
    );
}
