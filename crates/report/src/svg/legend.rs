//! The meaning of the marks of a plot.

use crate::Notation;
use crate::plot::{Curve, PlotSpec, Series};

use super::shapes::{caps, cross, curve_class, dash, diamond, fill_class, rectangle, shape};
use super::theme::dashes;
use super::writer::Writer;

/// An entry of the legend: a sample of a mark, and what it means.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) sample: Sample,
    pub(crate) text: String,
}

/// A mark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Sample {
    /// A measured point of a series.
    Point(usize),
    /// The line and point of a series.
    Series(usize),
    /// The model's curve.
    Curve,
    /// The range of the repetitions.
    Whisker,
    /// The band of a curve.
    Band,
    /// The curve of a series beyond the data.
    Beyond(usize),
    /// A prediction in a series.
    Marker(usize),
    /// The gap between two intervals.
    Gap,
    /// A point that was left out.
    LeftOut,
}

impl Entry {
    /// Width of the sample and the space after it.
    pub(crate) fn sample(&self, font: f64) -> f64 {
        let wide = match self.sample {
            Sample::Series(_) | Sample::Curve | Sample::Beyond(_) | Sample::Band => 2.4,
            Sample::Gap => 1.4,
            _ => 1.0,
        };
        (wide + 0.5) * font
    }
}

/// Lists the marks of the plot, in the order of their importance.
pub(crate) fn entries(spec: &PlotSpec) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut add = |sample, text: &str| entries.push(Entry { sample, text: text.to_owned() });
    let points = || spec.series.iter().flat_map(|s| &s.points);
    let curves = || spec.series.iter().flat_map(|s| &s.curves);
    let several = spec.series.len() > 1;
    if several {
        for (k, series) in spec.series.iter().enumerate() {
            add(Sample::Series(k), &series.label);
        }
    } else {
        if points().any(|p| !p.excluded) {
            add(Sample::Point(0), "measured");
        }
        if curves().any(|c| !c.points.is_empty()) {
            add(Sample::Curve, "model");
        }
    }
    if points().any(|p| p.spread.minimum < p.spread.maximum) {
        add(Sample::Whisker, "repetitions: range, quartiles");
    }
    if points().any(|p| p.excluded) {
        add(Sample::LeftOut, "left out of the fit");
    }
    let banded = |c: &Curve| c.points.iter().filter(|p| p.band.is_some()).count() > 1;
    if !several && curves().any(banded) {
        let share = Notation::Unicode.percent(spec.confidence);
        add(Sample::Band, &format!("{share} band of a new measurement"));
    }
    if let Some(marker) = spec.markers.first() {
        add(Sample::Marker(marker.series), "prediction");
    }
    let beyond = |s: &Series| s.curves.iter().any(|c| c.beyond && c.points.len() > 1);
    if let Some(series) = spec.series.iter().position(beyond) {
        add(Sample::Beyond(series), "beyond the data");
    }
    if !spec.boundaries.is_empty() {
        add(Sample::Gap, "constants change");
    }
    entries
}

/// Draws a sample whose text has this base line.
pub(crate) fn draw(
    out: &mut Writer,
    entry: &Entry,
    left: f64,
    base: f64,
    font: f64,
    several: bool,
) {
    let middle = base - 0.34 * font;
    let right = left + entry.sample(font) - 0.5 * font;
    let centre = 0.5 * (left + right);
    let line = |out: &mut Writer, class: &str, dashes: &str| {
        out.leaf(
            "path",
            &[
                ("class", class.into()),
                ("d", (&super::writer::path([(left, middle), (right, middle)])).into()),
                ("stroke-dasharray", dashes.into()),
            ],
        );
    };
    match entry.sample {
        Sample::Point(k) => {
            shape(out, k, centre, middle, 0.32 * font, &format!("point {}", fill_class(k)));
        }
        Sample::Series(k) => {
            line(out, &format!("curve {}", curve_class(k, true)), dashes(k));
            shape(out, k, centre, middle, 0.32 * font, &format!("point {}", fill_class(k)));
        }
        Sample::Curve => line(out, &format!("curve {}", curve_class(0, false)), dash(0, false)),
        Sample::Beyond(k) => {
            line(out, &format!("curve beyond {}", curve_class(k, several)), "0.1 4.5")
        }
        Sample::Whisker => {
            let (top, bottom) = (middle - 0.5 * font, middle + 0.5 * font);
            let d = format!(
                "{} {}",
                super::writer::path([(centre, top), (centre, bottom)]),
                caps(centre, top, bottom)
            );
            out.leaf("path", &[("class", "whisker line0".into()), ("d", (&d).into())]);
            let quarter = 0.22 * font;
            let d = super::writer::path([(centre, middle - quarter), (centre, middle + quarter)]);
            out.leaf("path", &[("class", "box line0".into()), ("d", (&d).into())]);
        }
        Sample::Band => rectangle(
            out,
            "band model-fill",
            (left, right),
            (middle - 0.45 * font, middle + 0.45 * font),
        ),
        Sample::Gap => {
            let (top, bottom) = (middle - 0.55 * font, middle + 0.55 * font);
            rectangle(out, "gap", (left, right), (top, bottom));
            let d = super::writer::path([(centre, top), (centre, bottom)]);
            out.leaf("path", &[("class", "at".into()), ("d", (&d).into())]);
        }
        Sample::Marker(k) => {
            let class = format!("marker {}", curve_class(k, several));
            diamond(out, centre, middle, 0.46 * font, &class);
        }
        Sample::LeftOut => cross(out, centre, middle, 0.3 * font),
    }
}
