//! Points, whiskers, curves, bands and predictions.

use crate::Notation;
use crate::plot::{Curve, Mapping, Marker, PlotPoint, PlotSpec, Series};

use super::layout::Area;
use super::measure::width;
use super::shapes::{caps, cross, curve_class, dash, diamond, fill_class, shape};
use super::theme::MAX_LOOKS;
use super::writer::{Writer, path};

/// Tooltips are for plots whose points can be pointed at.
const MAX_TOOLTIPS: usize = 600;

/// The bands of the curves, if there is one series: those of several would hide each other.
pub(crate) fn bands(out: &mut Writer, spec: &PlotSpec, x: &Mapping, y: &Mapping) {
    if let [series] = &spec.series[..] {
        for curve in &series.curves {
            band(out, curve, x, y);
        }
    }
}

/// The curves of all series.
pub(crate) fn curves(out: &mut Writer, spec: &PlotSpec, x: &Mapping, y: &Mapping) {
    let several = spec.series.len() > 1;
    for (k, series) in spec.series.iter().enumerate() {
        for curve in &series.curves {
            let places = curve.points.iter().filter_map(|p| Some((x.place(p.x)?, y.place(p.y)?)));
            let places: Vec<(f64, f64)> = places.collect();
            let places = match places[..] {
                [] => continue,
                // A single place: the value of the model there.
                [(x, y)] => vec![(x - 10.0, y), (x + 10.0, y)],
                _ => places,
            };
            let colour = curve_class(k, several);
            let (class, dashes) = if curve.beyond {
                (format!("curve beyond {colour}"), "0.1 4.5")
            } else {
                (format!("curve {colour}"), dash(k, several))
            };
            out.leaf(
                "path",
                &[
                    ("class", (&class).into()),
                    ("d", (&path(places)).into()),
                    ("stroke-dasharray", dashes.into()),
                ],
            );
        }
    }
}

fn band(out: &mut Writer, curve: &Curve, x: &Mapping, y: &Mapping) {
    // A logarithmic axis cannot show values below zero: the band ends at the lower end of the axis.
    let y_of = |v: f64| y.place(v).or_else(|| y.place(y.low));
    let ends = |p: &crate::CurvePoint| {
        let (low, high) = p.band?;
        Some((x.place(p.x)?, y_of(low)?, y_of(high)?))
    };
    let places: Vec<(f64, f64, f64)> = curve.points.iter().filter_map(ends).collect();
    if places.len() < 2 {
        return;
    }
    let upper = places.iter().map(|&(x, _, high)| (x, high));
    let lower = places.iter().rev().map(|&(x, low, _)| (x, low));
    let d = format!("{} Z", path(upper.chain(lower)));
    let class = if curve.beyond { "band far model-fill" } else { "band model-fill" };
    out.leaf("path", &[("class", class.into()), ("d", (&d).into())]);
}

/// The measured points of all series, with the spread of their repetitions.
pub(crate) fn points(out: &mut Writer, spec: &PlotSpec, x: &Mapping, y: &Mapping, area: &Area) {
    let all: usize = spec.series.iter().map(|s| s.points.len()).sum();
    for (k, series) in spec.series.iter().enumerate() {
        let radius = radius(series, area);
        let visible = series.points.iter().filter_map(|p| Some((p, x.place(p.x)?, y.place(p.y)?)));
        for (point, left, top) in visible {
            let spread = &point.spread;
            let y_of = |v: f64| y.place(v).or_else(|| y.place(y.low)).unwrap_or(top);
            let (low, high) = (y_of(spread.minimum), y_of(spread.maximum));
            out.open("g", &[]);
            if all <= MAX_TOOLTIPS {
                out.text("title", &[], &tooltip(spec, series, point));
            }
            if low - high > 1.0 && !point.excluded {
                let line = path([(left, low), (left, high)]);
                let d =
                    if radius > 2.5 { format!("{line} {}", caps(left, high, low)) } else { line };
                let class = format!("whisker line{}", k % MAX_LOOKS);
                out.leaf("path", &[("class", (&class).into()), ("d", (&d).into())]);
                let (q1, q3) = (y_of(spread.lower_quartile), y_of(spread.upper_quartile));
                if radius > 2.5 && spread.count >= 4 && q1 - q3 > 1.0 {
                    let class = format!("box line{}", k % MAX_LOOKS);
                    let d = path([(left, q1), (left, q3)]);
                    out.leaf("path", &[("class", (&class).into()), ("d", (&d).into())]);
                }
            }
            mark(out, k, point, left, top, radius);
            out.close();
        }
    }
}

/// A point as a shape, or as a cross if it was left out of the fit.
pub(crate) fn mark(out: &mut Writer, series: usize, p: &PlotPoint, x: f64, y: f64, radius: f64) {
    if p.excluded {
        cross(out, x, y, radius);
    } else {
        shape(out, series, x, y, radius, &format!("point {}", fill_class(series)));
    }
}

/// Points are smaller if they are many.
pub(crate) fn radius(series: &Series, area: &Area) -> f64 {
    let each = area.width() / series.points.len().max(1) as f64;
    let scale = (area.width() / 600.0).clamp(0.6, 1.0);
    scale * (0.45 * each).clamp(1.6, 4.2)
}

fn tooltip(spec: &PlotSpec, series: &Series, point: &PlotPoint) -> String {
    let notation = Notation::Unicode;
    let unit = &spec.y.unit;
    let place = format!("{} = {}", spec.x.title, notation.number(point.x));
    let place = if series.label.is_empty() { place } else { format!("{place}, {}", series.label) };
    let mut text = format!("{place}: measured {}", notation.rounded(point.y, 4, unit));
    if point.points > 1 {
        text.push_str(&format!(" (median of {} points)", point.points));
    }
    if point.spread.count > 1 {
        let range = notation.range(point.spread.minimum, point.spread.maximum, unit);
        text.push_str(&format!(", {} repetitions {range}", point.spread.count));
    }
    text.push_str(&format!(
        "; model {}, error {}",
        notation.rounded(point.model, 4, unit),
        notation.percent(point.error)
    ));
    if point.excluded {
        text.push_str("; left out of the fit");
    }
    text
}

/// Predictions, with labels in this size of text if there is room.
pub(crate) fn markers(
    out: &mut Writer,
    spec: &PlotSpec,
    x: &Mapping,
    y: &Mapping,
    area: &Area,
    font: Option<f64>,
) {
    let several = spec.series.len() > 1;
    let size = 0.5 * font.unwrap_or(9.0);
    for marker in &spec.markers {
        let (Some(left), Some(top)) = (x.place(marker.x), y.place(marker.y)) else { continue };
        let colour = curve_class(marker.series, several);
        out.open("g", &[]);
        out.text("title", &[], &marker_tooltip(spec, marker));
        if let Some((low, high)) = marker.band {
            let y_of = |v: f64| y.place(v).or_else(|| y.place(y.low)).unwrap_or(top);
            let (low, high) = (y_of(low), y_of(high));
            let d = format!("{} {}", path([(left, low), (left, high)]), caps(left, high, low));
            let class = format!("curve {colour}");
            out.leaf("path", &[("class", (&class).into()), ("d", (&d).into())]);
        }
        diamond(out, left, top, size, &format!("marker {colour}"));
        out.close();
    }
    let Some(font) = font else { return };
    let mut taken: Vec<Area> = Vec::new();
    let obstacles = obstacles(spec, x, y);
    for marker in spec.markers.iter().take(8) {
        let (Some(left), Some(top)) = (x.place(marker.x), y.place(marker.y)) else { continue };
        let wide = width(&marker.label, font);
        let (before, behind) = (left - size - 6.0 - wide, left + size + 6.0);
        // First the sides without the curve of a growing time: above to the left, below to the right.
        let places = [
            (before, -0.4),
            (before, -1.6),
            (behind, 1.4),
            (before, -2.9),
            (behind, 2.7),
            (behind, 0.4),
            (before, 1.0),
            (before, -4.2),
            (behind, 4.0),
            (left - 0.5 * wide, -1.2),
        ];
        let texts = places.into_iter().map(|(start, lines)| {
            let base = top + lines * font;
            let area = Area {
                left: start,
                top: base - 0.9 * font,
                right: start + wide,
                bottom: base + 0.25 * font,
            };
            (area, base)
        });
        let inside = |a: &Area| {
            a.left >= area.left + 2.0
                && a.right <= area.right - 2.0
                && a.top >= area.top
                && a.bottom <= area.bottom
        };
        let free = texts
            .filter(|(a, _)| inside(a) && taken.iter().all(|t| are_separate(t, a)))
            .min_by_key(|(a, _)| obstacles.iter().filter(|o| holds(a, **o)).count());
        let Some((place, base)) = free else { continue };
        out.text(
            "text",
            &[
                ("class", "ink halo num".into()),
                ("x", place.left.into()),
                ("y", base.into()),
                ("font-size", font.into()),
            ],
            &marker.label,
        );
        taken.push(place);
    }
}

/// Places that a label should not cover: points, predictions, and curves.
fn obstacles(spec: &PlotSpec, x: &Mapping, y: &Mapping) -> Vec<(f64, f64)> {
    let series = || spec.series.iter();
    let points = series().flat_map(|s| &s.points).map(|p| (p.x, p.y));
    let markers = spec.markers.iter().map(|m| (m.x, m.y));
    let curves = series().flat_map(|s| &s.curves).flat_map(|c| &c.points).map(|p| (p.x, p.y));
    let all = points.chain(markers).chain(curves);
    all.filter_map(|(vx, vy)| Some((x.place(vx)?, y.place(vy)?))).collect()
}

fn are_separate(a: &Area, b: &Area) -> bool {
    a.right < b.left || a.left > b.right || a.bottom < b.top || a.top > b.bottom
}

/// Whether a place is in an area or as near as a point is wide.
fn holds(area: &Area, (x, y): (f64, f64)) -> bool {
    let near = 4.0;
    x > area.left - near && x < area.right + near && y > area.top - near && y < area.bottom + near
}

fn marker_tooltip(spec: &PlotSpec, marker: &Marker) -> String {
    let notation = Notation::Unicode;
    let mut text = format!("prediction: {}", marker.label);
    if let Some((low, high)) = marker.band {
        let range = notation.range(low, high, &spec.y.unit);
        text.push_str(&format!(" ({}: {range})", notation.percent(spec.confidence)));
    }
    if marker.beyond {
        text.push_str(", beyond the data");
    }
    text
}
