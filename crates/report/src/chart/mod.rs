//! Charts of values that lie along no variable: histograms, boxes and bars.

mod svg;
mod text;

use cll_fit::Unit;
use cll_statistics::{quantile, sorted};
use serde::Serialize;

use crate::Whiskers;
use crate::plot::{Axis, Mapping, Scale};

pub use svg::chart_svg;
pub use text::chart_text;

/// A chart: what is drawn, and the axis of its values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chart {
    /// The title.
    pub title: String,
    /// The axis of the values: along x in a histogram, along y in the others.
    pub values: Axis,
    /// The name of the categories; empty in a histogram.
    pub categories: String,
    /// The values that are drawn.
    pub content: ChartContent,
}

/// The values of a chart.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChartContent {
    /// How many values lie in each bin.
    Histogram(Histogram),
    /// Median, quartiles and range of each category.
    Boxes(Vec<Spread>),
    /// A value for each category, of one or more series.
    Bars(Bars),
}

/// How many values lie in each of neighbouring bins.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Histogram {
    /// The ends of the bins, ascending: one more than bins.
    pub edges: Vec<f64>,
    /// A name and the number of values in each bin, for each series.
    pub series: Vec<(String, Vec<usize>)>,
}

/// The spread of a category's values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The category.
    pub label: String,
    /// Their median.
    pub median: f64,
    /// Their number, quartiles and range.
    pub spread: Whiskers,
}

/// Values of categories.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bars {
    /// The categories.
    pub labels: Vec<String>,
    /// A name and a value for each category, for each series; a value that is not finite is missing.
    pub series: Vec<(String, Vec<f64>)>,
}

/// The most bins that are chosen.
const MAX_BINS: usize = 60;

impl Histogram {
    /// The histogram of the finite values; without a number of bins it is that of Freedman and Diaconis (1981):
    /// widths of twice the interquartile range by the cube root of the number. `None`: there is no finite value.
    pub fn new(series: &[(String, Vec<f64>)], bins: Option<usize>) -> Option<Histogram> {
        let values = series.iter().flat_map(|(_, values)| values.iter().copied());
        let all: Vec<f64> = sorted(values.filter(|value| value.is_finite()));
        let (low, high) = (*all.first()?, *all.last()?);
        let chosen = || {
            let middle = quantile(&all, 0.75) - quantile(&all, 0.25);
            let width = 2.0 * middle / (all.len() as f64).cbrt();
            let count = ((high - low) / width).ceil();
            if count.is_finite() { count as usize } else { (all.len() as f64).sqrt() as usize }
        };
        let bins = bins.unwrap_or_else(|| chosen().clamp(1, MAX_BINS)).max(1);
        let (low, high) = if low < high {
            (low, high)
        } else {
            let half = if low == 0.0 { 0.5 } else { 0.05 * low.abs() };
            (low - half, high + half)
        };
        let edge = |k: usize| low + (high - low) * (k as f64 / bins as f64);
        let edges: Vec<f64> = (0..=bins).map(edge).collect();
        let count = |values: &[f64]| {
            let mut counts = vec![0; bins];
            for value in values.iter().filter(|value| value.is_finite()) {
                // The last bin has its upper end.
                let bin = ((value - low) / (high - low) * bins as f64) as usize;
                counts[bin.min(bins - 1)] += 1;
            }
            counts
        };
        let series = series.iter().map(|(name, values)| (name.clone(), count(values))).collect();
        Some(Histogram { edges, series })
    }
}

impl Spread {
    /// The spread of the finite values; `None`: there is none.
    pub fn new(label: String, values: &[f64]) -> Option<Spread> {
        let all = sorted(values.iter().copied().filter(|value| value.is_finite()));
        let (minimum, maximum) = (*all.first()?, *all.last()?);
        let spread = Whiskers {
            count: all.len(),
            minimum,
            lower_quartile: quantile(&all, 0.25),
            upper_quartile: quantile(&all, 0.75),
            maximum,
        };
        Some(Spread { label, median: quantile(&all, 0.5), spread })
    }
}

impl Chart {
    /// A chart of values in a unit. Boxes that are spread over more than a factor of ten have an axis of ratios; bars
    /// and histograms begin at zero or at the least value.
    pub fn new(
        title: String,
        (values, unit): (String, Unit),
        categories: String,
        content: ChartContent,
    ) -> Chart {
        let scale = match &content {
            ChartContent::Boxes(boxes) => {
                let low =
                    boxes.iter().map(|spread| spread.spread.minimum).fold(f64::INFINITY, f64::min);
                let high = boxes.iter().map(|spread| spread.spread.maximum).fold(0.0, f64::max);
                if low > 0.0 && high >= 10.0 * low { Scale::Log } else { Scale::Linear }
            }
            _ => Scale::Linear,
        };
        Chart { title, values: Axis { title: values, unit, scale }, categories, content }
    }

    /// The places of the values between two ends.
    fn mapping(&self, from: f64, to: f64) -> Mapping {
        match &self.content {
            ChartContent::Histogram(histogram) => {
                let ends = (histogram.edges.first().copied(), histogram.edges.last().copied());
                let (low, high) = (ends.0.unwrap_or(0.0), ends.1.unwrap_or(1.0));
                Mapping::exact(low, high, self.values.scale, from, to)
            }
            ChartContent::Boxes(boxes) => {
                let ends =
                    boxes.iter().flat_map(|spread| [spread.spread.minimum, spread.spread.maximum]);
                Mapping::around(ends, self.values.scale, 0.05, from, to)
            }
            ChartContent::Bars(bars) => {
                let all = bars.series.iter().flat_map(|(_, values)| values.iter().copied());
                let all = all.filter(|value| value.is_finite());
                let (low, high) = all.fold((0.0f64, 0.0f64), |(l, h), v| (l.min(v), h.max(v)));
                Mapping::exact(1.05 * low, 1.05 * high, Scale::Linear, from, to)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_is_in_one_bin() {
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        let series = [("a".to_owned(), values), ("b".to_owned(), vec![0.0, 99.0, f64::NAN])];
        let ten = Histogram::new(&series, Some(10)).unwrap();
        assert_eq!(ten.edges.len(), 11);
        assert_eq!(ten.series[0].1.iter().sum::<usize>(), 100);
        assert_eq!(ten.series[1].1, [1, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
        // 2 * 49.5 / 100^(1/3) are bins of 21.3.
        assert_eq!(Histogram::new(&series[..1], None).unwrap().series[0].1.len(), 5);
        assert_eq!(Histogram::new(&[("c".to_owned(), vec![f64::NAN])], None), None);
        let alike = Histogram::new(&[("d".to_owned(), vec![4.0; 9])], None).unwrap();
        assert_eq!(alike.series[0].1.iter().sum::<usize>(), 9);
    }

    #[test]
    fn quartiles_are_those_of_r() {
        let spread = Spread::new("x".to_owned(), &[4.0, 1.0, 2.0, 3.0, f64::INFINITY]).unwrap();
        assert_eq!((spread.median, spread.spread.lower_quartile), (2.5, 1.75));
        assert_eq!(
            (spread.spread.minimum, spread.spread.maximum, spread.spread.count),
            (1.0, 4.0, 4)
        );
    }
}
