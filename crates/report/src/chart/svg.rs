//! Charts as SVG, in the colours of plots.

use crate::Notation;
use crate::plot::{Mapping, Scale, ticks};
use crate::svg::measure::{shorten, width};
use crate::svg::shapes::rectangle;
use crate::svg::writer::{Writer, coordinate, path};
use crate::svg::{SvgOptions, sheet};

use super::{Bars, Chart, ChartContent, Histogram, Spread};

/// Size of texts.
const FONT: f64 = 13.0;
/// Series that look different.
const LOOKS: usize = 6;

/// The rectangle of the values.
struct Area {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

/// The chart as an SVG document. The same chart and options give the same bytes.
pub fn chart_svg(chart: &Chart, options: &SvgOptions) -> String {
    let (wide, high) = (f64::from(options.width.max(120)), f64::from(options.height.max(120)));
    let mut out = Writer::default();
    let view = format!("0 0 {} {}", coordinate(wide), coordinate(high));
    let root = [
        ("xmlns", "http://www.w3.org/2000/svg".into()),
        ("viewBox", (&view).into()),
        ("width", wide.into()),
        ("height", high.into()),
        ("class", options.theme.class().into()),
        ("role", "img".into()),
        ("aria-label", (&chart.title).into()),
    ];
    out.open("svg", &root);
    out.raw("style", &sheet(options.theme));
    rectangle(&mut out, "ground", (0.0, wide), (0.0, high));
    text(&mut out, "ink bold", (14.0, 24.0), "start", 1.3, &shorten(&chart.title, wide, 17.0));

    let names: Vec<&str> = match &chart.content {
        ChartContent::Histogram(histogram) => {
            histogram.series.iter().map(|(name, _)| name.as_str()).collect()
        }
        ChartContent::Bars(bars) => bars.series.iter().map(|(name, _)| name.as_str()).collect(),
        ChartContent::Boxes(_) => Vec::new(),
    };
    if names.len() > 1 {
        legend(&mut out, &names, wide);
    }
    let area = Area { left: 96.0, right: wide - 16.0, top: 60.0, bottom: high - 56.0 };
    match &chart.content {
        ChartContent::Histogram(distribution) => histogram(&mut out, chart, distribution, &area),
        ChartContent::Boxes(boxes) => {
            let map = values_axis(&mut out, chart, &area);
            let labels: Vec<&str> = boxes.iter().map(|spread| spread.label.as_str()).collect();
            categories(&mut out, &labels, &chart.categories, &area);
            for (k, box_plot) in boxes.iter().enumerate() {
                spread(&mut out, box_plot, &map, slot(&area, k, boxes.len()));
            }
        }
        ChartContent::Bars(bars) => {
            let map = values_axis(&mut out, chart, &area);
            let labels: Vec<&str> = bars.labels.iter().map(String::as_str).collect();
            categories(&mut out, &labels, &chart.categories, &area);
            columns(&mut out, bars, &map, &area);
        }
    }
    out.finish()
}

/// The left and right end of a category's room.
fn slot(area: &Area, index: usize, count: usize) -> (f64, f64) {
    let wide = (area.right - area.left) / count.max(1) as f64;
    let left = area.left + wide * index as f64;
    (left + 0.15 * wide, left + 0.85 * wide)
}

fn histogram(out: &mut Writer, chart: &Chart, histogram: &Histogram, area: &Area) {
    let most = histogram.series.iter().flat_map(|(_, counts)| counts).copied().max().unwrap_or(0);
    let x = chart.mapping(area.left, area.right);
    let y = Mapping::exact(0.0, 1.05 * (most.max(1)) as f64, Scale::Linear, area.bottom, area.top);
    let counts = cll_fit::Unit::Other(String::new());
    let across = ticks(&x, 8, &chart.values.unit, Notation::Unicode);
    grid(out, &y, &counts, "values", area);
    for (value, label) in &across.major {
        let Some(left) = x.place(*value) else { continue };
        text(out, "faint num", (left, area.bottom + 5.0 + FONT), "middle", 1.0, label);
    }
    let middle = 0.5 * (area.left + area.right);
    let title = with_unit(&chart.values.title, &across.unit);
    text(out, "ink", (middle, area.bottom + 3.0 * FONT), "middle", 1.0, &title);
    let count = histogram.series.len();
    for (k, (_, counts)) in histogram.series.iter().enumerate() {
        for (bin, number) in counts.iter().enumerate() {
            let ends = (
                x.place(histogram.edges[bin]),
                x.place(histogram.edges[bin + 1]),
                y.place(*number as f64),
            );
            let (Some(left), Some(right), Some(top)) = ends else { continue };
            let wide = (right - left) / count as f64;
            let left = left + wide * k as f64;
            let class = format!("fill{}", k % LOOKS);
            rectangle(out, &class, (left, left + 0.94 * wide), (top, area.bottom));
        }
    }
}

fn columns(out: &mut Writer, bars: &Bars, map: &Mapping, area: &Area) {
    let zero = map.place(0.0).unwrap_or(area.bottom);
    for category in 0..bars.labels.len() {
        let (left, right) = slot(area, category, bars.labels.len());
        let wide = (right - left) / bars.series.len().max(1) as f64;
        for (k, (_, values)) in bars.series.iter().enumerate() {
            let value = values.get(category).copied().filter(|value| value.is_finite());
            let Some(end) = value.and_then(|value| map.place(value)) else { continue };
            let left = left + wide * k as f64;
            let class = format!("fill{}", k % LOOKS);
            rectangle(out, &class, (left, left + 0.94 * wide), (zero.min(end), zero.max(end)));
        }
    }
    let line = path([(area.left, zero), (area.right, zero)]);
    out.leaf("path", &[("class", "zero".into()), ("d", (&line).into())]);
}

/// Range, quartiles and median.
fn spread(out: &mut Writer, spread: &Spread, map: &Mapping, (left, right): (f64, f64)) {
    let places = [
        spread.spread.minimum,
        spread.spread.lower_quartile,
        spread.median,
        spread.spread.upper_quartile,
        spread.spread.maximum,
    ]
    .map(|value| map.place(value));
    let [Some(low), Some(first), Some(median), Some(third), Some(high)] = places else { return };
    let middle = 0.5 * (left + right);
    let line = |out: &mut Writer, class: &str, from: (f64, f64), to: (f64, f64)| {
        let d = path([from, to]);
        out.leaf("path", &[("class", class.into()), ("d", (&d).into())]);
    };
    let quarter = 0.25 * (right - left);
    line(out, "whisker line0", (middle, low), (middle, first));
    line(out, "whisker line0", (middle, third), (middle, high));
    for end in [low, high] {
        line(out, "whisker line0", (middle - quarter, end), (middle + quarter, end));
    }
    out.leaf(
        "rect",
        &[
            ("class", "fill0".into()),
            ("fill-opacity", "0.25".into()),
            ("x", left.into()),
            ("y", third.into()),
            ("width", (right - left).into()),
            ("height", (first - third).max(0.5).into()),
        ],
    );
    line(out, "curve line0", (left, median), (right, median));
}

/// The vertical axis of values.
fn values_axis(out: &mut Writer, chart: &Chart, area: &Area) -> Mapping {
    let map = chart.mapping(area.bottom, area.top);
    grid(out, &map, &chart.values.unit, &chart.values.title, area);
    map
}

fn grid(out: &mut Writer, map: &Mapping, unit: &cll_fit::Unit, title: &str, area: &Area) {
    let ticks = ticks(map, 7, unit, Notation::Unicode);
    for (value, label) in &ticks.major {
        let Some(place) = map.place(*value) else { continue };
        let line = path([(area.left, place), (area.right, place)]);
        out.leaf("path", &[("class", "grid".into()), ("d", (&line).into())]);
        text(out, "faint num", (area.left - 7.0, place + 0.35 * FONT), "end", 1.0, label);
    }
    let title = with_unit(title, &ticks.unit);
    let middle = 0.5 * (area.top + area.bottom);
    let turn = format!("rotate(-90 {} {})", coordinate(20.0), coordinate(middle));
    let attributes = [
        ("class", "ink".into()),
        ("x", 20.0.into()),
        ("y", middle.into()),
        ("font-size", FONT.into()),
        ("text-anchor", "middle".into()),
        ("transform", (&turn).into()),
    ];
    out.text("text", &attributes, &title);
}

/// The names of the categories; every second, third, … if there is no room for all.
fn categories(out: &mut Writer, labels: &[&str], title: &str, area: &Area) {
    let room = (area.right - area.left) / labels.len().max(1) as f64;
    let least = 3.0 * FONT;
    let every = (least / room.max(1e-9)).ceil().max(1.0) as usize;
    for (k, label) in labels.iter().enumerate().step_by(every) {
        let (left, right) = slot(area, k, labels.len());
        let label = shorten(label, room * every as f64 - 6.0, FONT);
        let place = (0.5 * (left + right), area.bottom + 5.0 + FONT);
        text(out, "faint", place, "middle", 1.0, &label);
    }
    let middle = 0.5 * (area.left + area.right);
    text(out, "ink", (middle, area.bottom + 3.0 * FONT), "middle", 1.0, title);
}

fn legend(out: &mut Writer, names: &[&str], wide: f64) {
    let mut left = 14.0;
    for (k, name) in names.iter().enumerate() {
        let long = width(name, FONT) + 34.0;
        if left + long > wide {
            break;
        }
        rectangle(out, &format!("fill{}", k % LOOKS), (left, left + 11.0), (36.0, 47.0));
        text(out, "ink", (left + 16.0, 46.0), "start", 1.0, name);
        left += long;
    }
}

fn with_unit(title: &str, unit: &str) -> String {
    match unit {
        "" => title.to_owned(),
        unit if unit.ends_with(title) => unit.to_owned(),
        unit => format!("{title} ({unit})"),
    }
}

fn text(out: &mut Writer, class: &str, (x, y): (f64, f64), anchor: &str, size: f64, content: &str) {
    let attributes = [
        ("class", class.into()),
        ("x", x.into()),
        ("y", y.into()),
        ("font-size", (size * FONT).into()),
        ("text-anchor", anchor.into()),
    ];
    out.text("text", &attributes, content);
}
