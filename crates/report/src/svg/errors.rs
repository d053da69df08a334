//! The panel of relative errors below the plot.

use crate::plot::{Mapping, PlotSpec, Ticks};

use super::layout::Area;
use super::marks::{mark, radius};
use super::theme::MAX_LOOKS;
use super::writer::{Writer, path};
use super::{axes, verticals};

/// The panel without its labels. `id`: the prefix of the drawing's ids.
pub(crate) fn panel(
    out: &mut Writer,
    spec: &PlotSpec,
    (x, x_ticks): (&Mapping, &Ticks),
    (y, y_ticks): (&Mapping, &Ticks),
    (area, id): (&Area, &str),
) {
    let clip = format!("url(#{id}-errors)");
    out.open("g", &[("clip-path", (&clip).into())]);
    verticals::gaps(out, spec, x, area);
    out.close();
    axes::grid(out, area, (x, x_ticks), (y, y_ticks), true);
    out.open("g", &[("clip-path", (&clip).into())]);
    verticals::lines(out, spec, x, area);
    errors(out, spec, x, y, area);
    out.close();
    axes::frame(out, area);
}

/// Points with stems from the zero line; those beyond the panel become triangles at its edge.
fn errors(out: &mut Writer, spec: &PlotSpec, x: &Mapping, y: &Mapping, area: &Area) {
    let Some(zero) = y.place(0.0) else { return };
    let line = path([(area.left, zero), (area.right, zero)]);
    out.leaf("path", &[("class", "zero".into()), ("d", (&line).into())]);
    // Points without a model have no errors.
    let compared = spec.series.iter().enumerate().filter(|(_, series)| !series.curves.is_empty());
    for (k, series) in compared {
        let radius = radius(series, area);
        for point in series.points.iter().filter(|p| !p.excluded && spec.y.scale.shows(p.y)) {
            let percent = 100.0 * point.error;
            let (Some(left), Some(top)) = (x.place(point.x), y.place(percent)) else { continue };
            if let (Some(low), Some(high)) =
                (y.place(100.0 * point.errors.0), y.place(100.0 * point.errors.1))
                && low - high > 1.0
            {
                let class = format!("whisker line{}", k % MAX_LOOKS);
                let d = path([(left, low), (left, high)]);
                out.leaf("path", &[("class", (&class).into()), ("d", (&d).into())]);
            } else if series.points.len() <= 80 && (top - zero).abs() > radius {
                let d = path([(left, zero), (left, top)]);
                let class = format!("stem line{}", k % MAX_LOOKS);
                out.leaf("path", &[("class", (&class).into()), ("d", (&d).into())]);
            }
            if y.holds(percent) {
                mark(out, k, point, left, top, radius);
            } else {
                // Its tip is at the point.
                let sign = if percent > 0.0 { 1.0 } else { -1.0 };
                let foot = top + sign * 7.0;
                let d =
                    format!("{} Z", path([(left - 4.0, foot), (left, top), (left + 4.0, foot)]));
                let class = format!("fill{}", k % MAX_LOOKS);
                out.leaf("path", &[("class", (&class).into()), ("d", (&d).into())]);
            }
        }
    }
}
