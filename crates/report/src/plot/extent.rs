//! Which range of values each axis shows.

use super::{Mapping, PlotSpec, Scale};

impl PlotSpec {
    /// The x axis between two ends: all points and predictions; if there are none, the curves.
    pub(crate) fn x_mapping(&self, from: f64, to: f64) -> Mapping {
        let points = self.series.iter().flat_map(|s| s.points.iter().map(|p| p.x));
        let markers = self.markers.iter().map(|m| m.x);
        let mut places: Vec<f64> = points.chain(markers).collect();
        if places.is_empty() {
            let curves = self.series.iter().flat_map(|s| &s.curves).flat_map(|c| &c.points);
            places.extend(curves.map(|p| p.x));
        }
        Mapping::around(places.into_iter(), self.x.scale, 0.035, from, to)
    }

    /// The y axis between two ends: all points, curves and predictions with their bands, but not
    /// repetitions far above them: one spike must not flatten everything else.
    pub(crate) fn y_mapping(&self, from: f64, to: f64) -> Mapping {
        let scale = self.y.scale;
        let visible = |p: &&super::PlotPoint| self.x.scale.shows(p.x) && scale.shows(p.y);
        let points: Vec<&super::PlotPoint> =
            self.series.iter().flat_map(|s| &s.points).filter(visible).collect();
        let mut values: Vec<f64> = points.iter().map(|p| p.y).collect();
        values.extend(
            self.series.iter().flat_map(|s| &s.curves).flat_map(|c| &c.points).map(|p| p.y),
        );
        values.extend(self.markers.iter().map(|m| m.y));
        values.retain(|&v| scale.shows(v));
        let (low, high) = limits(&values);
        // Ends of bands and whiskers, as far as they leave room for points and curves.
        let allowed = |v: f64| {
            scale.shows(v)
                && if scale.is_log() {
                    let room = (high / low).max(10.0).sqrt();
                    v <= high * room && v >= low / room
                } else {
                    let room = (high - low).max(0.1 * high.abs());
                    v <= high + 0.5 * room && v >= low - 0.5 * room
                }
        };
        let bands = self.markers.iter().filter_map(|m| m.band);
        let curves = self.series.iter().flat_map(|s| &s.curves).flat_map(|c| &c.points);
        let bands = bands.chain(curves.filter_map(|p| p.band)).flat_map(|b| [b.0, b.1]);
        let whiskers = points.iter().flat_map(|p| [p.spread.minimum, p.spread.maximum]);
        let ends: Vec<f64> = bands.chain(whiskers).filter(|&v| allowed(v)).collect();
        values.extend(ends);
        let (low, high) = limits(&values);
        if scale == Scale::Linear && low > 0.0 && low < 0.4 * high {
            let top = Mapping::around([0.0, high].into_iter(), scale, 0.05, from, to);
            return Mapping::exact(0.0, top.high, scale, from, to);
        }
        Mapping::around(values.into_iter(), scale, 0.05, from, to)
    }

    /// The axis of relative errors in percent between two ends. It holds zero; errors far beyond
    /// the others are placed at its end.
    pub(crate) fn error_mapping(&self, from: f64, to: f64) -> Mapping {
        let compared = self.series.iter().filter(|s| !s.curves.is_empty());
        let shown = compared.flat_map(|s| &s.points).filter(|p| !p.excluded);
        let worst = |p: &super::PlotPoint| 100.0 * p.errors.0.abs().max(p.errors.1.abs());
        let mut sizes: Vec<f64> = shown.map(worst).collect();
        sizes.retain(|v| v.is_finite());
        sizes.sort_by(f64::total_cmp);
        let largest = sizes.last().copied().unwrap_or(1.0);
        let most = sizes.get(sizes.len() * 9 / 10).copied().unwrap_or(1.0);
        let end = if most > 0.0 { largest.min(5.0 * most) } else { largest };
        // Below a tenth of a percent there is nothing to see.
        let end = 1.15 * end.max(0.1);
        Mapping::exact(-end, end, Scale::Linear, from, to)
    }
}

fn limits(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &v| (l.min(v), h.max(v)))
}
