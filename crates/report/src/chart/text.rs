//! Charts in the terminal: a line for each bin or category.

use crate::Notation;
use crate::style::{Role, Style};
use crate::text::{columns, pad, truncate};

use super::{Bars, Chart, ChartContent, Histogram, Spread};

/// The widest name of a category.
const MAX_NAME: usize = 28;

/// The chart in characters.
pub fn chart_text(chart: &Chart, style: &Style) -> String {
    let notation = style.notation();
    let title = style.paint(Role::Heading, &notation.text(&chart.title));
    let lines = match &chart.content {
        ChartContent::Histogram(distribution) => histogram(chart, distribution, style),
        ChartContent::Boxes(boxes) => spreads(chart, boxes, style),
        ChartContent::Bars(bars) => values(chart, bars, style),
    };
    format!("{title}\n{lines}")
}

/// A name, a bar and a number, for each line; the bars are shares of the room.
fn lines(rows: &[(String, String, String)], style: &Style) -> String {
    let widest = |field: fn(&(String, String, String)) -> &String| {
        rows.iter().map(|row| columns(field(row))).max().unwrap_or(0)
    };
    let (name, number) = (widest(|row| &row.0).min(MAX_NAME), widest(|row| &row.2));
    let mut out = String::new();
    for (label, bar, text) in rows {
        let label = truncate(label, name, style.glyph("…", "."));
        let line = format!("{}  {}  {bar}", pad(&label, name, false), pad(text, number, true));
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn room(rows: impl Iterator<Item = (usize, usize)>, style: &Style) -> usize {
    let (name, number) = rows.fold((0, 0), |(a, b), (x, y)| (a.max(x), b.max(y)));
    style.columns().saturating_sub(name.min(MAX_NAME) + number + 4).clamp(8, 60)
}

fn bar(length: usize, style: &Style) -> String {
    style.glyph("█", "#").repeat(length)
}

fn histogram(chart: &Chart, histogram: &Histogram, style: &Style) -> String {
    let notation = style.notation();
    let most =
        histogram.series.iter().flat_map(|(_, counts)| counts).copied().max().unwrap_or(0).max(1);
    let several = histogram.series.len() > 1;
    let mut rows = Vec::new();
    for (name, counts) in &histogram.series {
        for (k, count) in counts.iter().enumerate() {
            let range =
                notation.range(histogram.edges[k], histogram.edges[k + 1], &chart.values.unit);
            let label = if several { format!("{} {range}", notation.text(name)) } else { range };
            rows.push((label, *count));
        }
    }
    let room = room(rows.iter().map(|(a, b)| (columns(a), b.to_string().len())), style);
    let long = |count: usize| (count * room).div_ceil(most);
    let rows: Vec<_> = rows
        .into_iter()
        .map(|(label, count)| (label, bar(long(count), style), count.to_string()))
        .collect();
    lines(&rows, style)
}

fn values(chart: &Chart, bars: &Bars, style: &Style) -> String {
    let notation = style.notation();
    let several = bars.series.len() > 1;
    let mut rows = Vec::new();
    for (k, category) in bars.labels.iter().enumerate() {
        for (name, values) in &bars.series {
            let value = values.get(k).copied().filter(|value| value.is_finite());
            let label = if several { format!("{category}, {name}") } else { category.clone() };
            let text = value.map(|value| notation.rounded(value, 4, &chart.values.unit));
            rows.push((notation.text(&label), value.unwrap_or(0.0), text.unwrap_or_default()));
        }
    }
    let room = room(rows.iter().map(|row| (columns(&row.0), columns(&row.2))), style);
    let map = chart.mapping(0.0, room as f64);
    let zero = map.place(0.0).unwrap_or(0.0).round() as usize;
    let rows: Vec<_> = rows
        .into_iter()
        .map(|(label, value, text)| {
            let end = map.place(value).unwrap_or(0.0).round() as usize;
            let (from, to) = (zero.min(end), zero.max(end));
            (label, format!("{}{}", " ".repeat(from), bar(to - from, style)), text)
        })
        .collect();
    lines(&rows, style)
}

/// `├──[▓▓│▓▓]──┤`: range, quartiles and median.
fn spreads(chart: &Chart, boxes: &[Spread], style: &Style) -> String {
    let notation = style.notation();
    let texts: Vec<(String, String)> = boxes
        .iter()
        .map(|spread| {
            let median = notation.rounded(spread.median, 4, &chart.values.unit);
            (notation.text(&spread.label), median)
        })
        .collect();
    let room = room(texts.iter().map(|(a, b)| (columns(a), columns(b))), style);
    let map = chart.mapping(0.0, room as f64 - 1.0);
    let rows: Vec<_> = boxes
        .iter()
        .zip(texts)
        .map(|(text, (label, median))| {
            let column_of = |value: f64| map.place(value).unwrap_or(0.0).round() as usize;
            let spread = &text.spread;
            let (low, high) = (column_of(spread.minimum), column_of(spread.maximum));
            let (first, third) =
                (column_of(spread.lower_quartile), column_of(spread.upper_quartile));
            let glyph = |k: usize| match k {
                k if k == column_of(text.median) => style.glyph("┃", "|"),
                k if (first..=third).contains(&k) => style.glyph("▒", "="),
                k if k == low => style.glyph("├", "|"),
                k if k == high => style.glyph("┤", "|"),
                k if (low..=high).contains(&k) => style.glyph("─", "-"),
                _ => " ",
            };
            let drawn: String = (0..room).map(glyph).collect();
            (label, drawn.trim_end().to_owned(), median)
        })
        .collect();
    let head = match notation {
        Notation::Unicode => "median; ├ least, ▒ quartiles, ┤ greatest",
        Notation::Ascii => "median; | least, = quartiles, | greatest",
    };
    format!("{}{}\n", lines(&rows, style), style.paint(Role::Faint, head))
}
