//! Sizes and places of a drawing, its texts and the heads of its arrows.

use crate::svg::writer::{Writer, path};

/// Sizes in CSS pixels.
pub(super) const ROW: f64 = 46.0;
pub(super) const MARGIN: f64 = 16.0;
pub(super) const HEAD: f64 = 64.0;
/// How much wider bold letters are than others.
pub(super) const BOLD: f64 = 1.1;
pub(super) const FONT: f64 = 12.0;
pub(super) const SMALL: f64 = 10.5;
/// By how much a loop is narrower than what is around it.
pub(super) const INSET: f64 = 9.0;

pub(super) fn y(rows: f64) -> f64 {
    HEAD + ROW * rows
}

pub(super) fn text(out: &mut Writer, class: &str, x: f64, y: f64, size: f64, text: &str) {
    let attributes =
        [("class", class.into()), ("x", x.into()), ("y", y.into()), ("font-size", size.into())];
    out.text("text", &attributes, text);
}

/// The head of an arrow that ends there in this direction.
pub(super) fn arrow(out: &mut Writer, end: (f64, f64), (dx, dy): (f64, f64)) {
    let back =
        |side: f64| (end.0 - 10.0 * dx - side * dy * 4.5, end.1 - 10.0 * dy + side * dx * 4.5);
    let line = format!("{} Z", path([end, back(1.0), back(-1.0)]));
    out.leaf("path", &[("class", "head".into()), ("d", (&line).into())]);
}
