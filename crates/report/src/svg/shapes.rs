//! The shapes and classes that the legend and the marks have in common.

use super::theme::{MAX_LOOKS, dashes};
use super::writer::{Writer, path};

pub(crate) fn fill_class(series: usize) -> String {
    format!("fill{}", series % MAX_LOOKS)
}

/// The model has a separate colour if there is one series, else its series' colour.
pub(crate) fn curve_class(series: usize, several: bool) -> String {
    if several { format!("line{}", series % MAX_LOOKS) } else { "model-line".to_owned() }
}

pub(crate) fn dash(series: usize, several: bool) -> &'static str {
    if several { dashes(series) } else { "none" }
}

/// The shape of a series: distinct without colour.
pub(crate) fn shape(out: &mut Writer, series: usize, x: f64, y: f64, r: f64, class: &str) {
    let polygon = |points: &[(f64, f64)]| {
        let places = points.iter().map(|&(dx, dy)| (x + r * dx, y + r * dy));
        format!("{} Z", path(places))
    };
    let d = match series % MAX_LOOKS {
        0 => {
            let circle: [(&str, super::writer::AttributeValue<'_>); 4] =
                [("class", class.into()), ("cx", x.into()), ("cy", y.into()), ("r", r.into())];
            out.leaf("circle", &circle);
            return;
        }
        1 => polygon(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        2 => polygon(&[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)]),
        3 => polygon(&[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)]),
        4 => polygon(&[
            (-0.4, -1.1),
            (0.4, -1.1),
            (0.4, -0.4),
            (1.1, -0.4),
            (1.1, 0.4),
            (0.4, 0.4),
            (0.4, 1.1),
            (-0.4, 1.1),
            (-0.4, 0.4),
            (-1.1, 0.4),
            (-1.1, -0.4),
            (-0.4, -0.4),
        ]),
        _ => {
            polygon(&[(-1.2, 0.0), (-0.6, -1.0), (0.6, -1.0), (1.2, 0.0), (0.6, 1.0), (-0.6, 1.0)])
        }
    };
    out.leaf("path", &[("class", class.into()), ("d", (&d).into())]);
}

/// A prediction.
pub(crate) fn diamond(out: &mut Writer, x: f64, y: f64, r: f64, class: &str) {
    let d = format!("{} Z", path([(x, y - r), (x + r, y), (x, y + r), (x - r, y)]));
    out.leaf("path", &[("class", class.into()), ("d", (&d).into())]);
}

/// A point that was left out of the fit.
pub(crate) fn cross(out: &mut Writer, x: f64, y: f64, r: f64) {
    let d = format!(
        "{} {}",
        path([(x - r, y - r), (x + r, y + r)]),
        path([(x - r, y + r), (x + r, y - r)])
    );
    out.leaf("path", &[("class", "left-out".into()), ("d", (&d).into())]);
}

/// Short lines across both ends of a vertical one.
pub(crate) fn caps(x: f64, top: f64, bottom: f64) -> String {
    let cap = |y| path([(x - 3.0, y), (x + 3.0, y)]);
    format!("{} {}", cap(top), cap(bottom))
}

/// A filled rectangle.
pub(crate) fn rectangle(out: &mut Writer, class: &str, x: (f64, f64), y: (f64, f64)) {
    out.leaf(
        "rect",
        &[
            ("class", class.into()),
            ("x", x.0.into()),
            ("y", y.0.into()),
            ("width", (x.1 - x.0).max(0.0).into()),
            ("height", (y.1 - y.0).max(0.0).into()),
        ],
    );
}
