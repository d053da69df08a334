//! Plots in the terminal.

mod canvas;

use anstyle::{AnsiColor, Style as Ansi};

use crate::plot::{Mapping, PlotSpec, Ticks, ticks};
use crate::style::{Role, Style};
use crate::text::{columns, pad, truncate, wrap};

use canvas::{Canvas, Glyph};

/// A point of each series; they differ without colour.
const UNICODE: [char; 6] = ['●', '■', '▲', '▼', '○', '□'];
const ASCII: [char; 6] = ['o', '#', 'x', '%', '+', '&'];
const INKS: [AnsiColor; 6] = [
    AnsiColor::Cyan,
    AnsiColor::Yellow,
    AnsiColor::Green,
    AnsiColor::Magenta,
    AnsiColor::Blue,
    AnsiColor::Red,
];

/// The plot in characters: measured points over the model's curve, with axes and a legend. So many
/// rows are used for the plot (at least 3); the width is the style's.
///
/// The curve is drawn in braille, or in ASCII with dots.
pub fn terminal_plot(spec: &PlotSpec, style: &Style, rows: usize) -> String {
    let Drawn { y_unit, text, x_unit, wide, labels } = drawn(spec, style, rows.clamp(3, 200));
    let (notation, room) = (style.notation(), style.columns());
    let mut out = title(spec, &y_unit, "", style) + &text;
    let name = if x_unit.is_empty() {
        notation.text(&spec.x.title)
    } else {
        format!("{} ({x_unit})", notation.text(&spec.x.title))
    };
    let name = truncate(&name, wide, style.glyph("…", "."));
    let left = labels + 2 + (wide.saturating_sub(columns(&name))) / 2;
    out.push_str(&format!("{}{}\n", " ".repeat(left), style.paint(Role::Heading, &name)));
    out.push_str(&legend(spec, style));
    for doubt in spec.doubt_texts() {
        for line in wrap(&notation.text(&doubt), room) {
            out.push_str(&style.paint(Role::Bad, &line));
            out.push('\n');
        }
    }
    for note in spec.all_notes() {
        for line in wrap(&notation.text(&note), room) {
            out.push_str(&style.paint(Role::Faint, &line));
            out.push('\n');
        }
    }
    out
}

/// The plot in ten lines, without a legend: a title, the points and curves, and the axis.
pub(crate) fn small_plot(spec: &PlotSpec, style: &Style) -> String {
    /// With title, axis and its labels.
    const ROWS: usize = 7;
    let Drawn { y_unit, text, x_unit, .. } = drawn(spec, style, ROWS);
    let x = style.notation().text(&spec.x.title);
    let x = if x_unit.is_empty() { x } else { format!("{x} ({x_unit})") };
    title(spec, &y_unit, &format!(" over {x}"), style) + &text
}

/// A plot down to the labels of its axis.
struct Drawn {
    /// The unit of the labels of the rows.
    y_unit: String,
    text: String,
    /// The unit of the labels of the horizontal axis.
    x_unit: String,
    /// Columns of the plot, and of the labels of its rows.
    wide: usize,
    labels: usize,
}

fn drawn(spec: &PlotSpec, style: &Style, rows: usize) -> Drawn {
    let notation = style.notation();
    let y_ticks = ticks(&spec.y_mapping(1.0, 0.0), (rows / 3).clamp(2, 8), &spec.y.unit, notation);
    let labels = y_ticks.major.iter().map(|(_, l)| columns(l)).max().unwrap_or(0);
    let room = style.columns();
    let labels = labels.min(room / 3);
    let wide = room.saturating_sub(labels + 2).clamp(8, 400);

    let mut canvas = Canvas::new(wide, rows, style.unicode);
    let (across, down) = canvas.size();
    let x = spec.x_mapping(0.0, across as f64 - 1.0);
    let y = spec.y_mapping(down as f64 - 1.0, 0.0);
    draw(&mut canvas, spec, &x, &y, style);

    let mut out = String::new();
    let per_row = down / rows;
    for (row, line) in canvas.rows().enumerate() {
        let label = y_ticks.major.iter().rev().find(|(value, _)| {
            y.place(*value).is_some_and(|place| place.round() as usize / per_row == row)
        });
        let text = label.map_or("", |(_, text)| text.as_str());
        let text = truncate(text, labels, style.glyph("…", "."));
        out.push_str(&style.paint(Role::Faint, &pad(&text, labels, true)));
        let edge =
            if label.is_some() { style.glyph(" ┤", " +") } else { style.glyph(" │", " |") };
        out.push_str(&style.paint(Role::Faint, edge));
        let end = line.iter().rposition(|s| s.letter != ' ').map_or(0, |last| last + 1);
        out.push_str(&painted(&line[..end], style));
        out.push('\n');
    }
    let x_ticks = ticks(&x, (wide / 12).clamp(2, 10), &spec.x.unit, notation);
    let per_column = across / wide;
    out.push_str(&x_axis(&x, &x_ticks, labels, wide, per_column, style));
    Drawn { y_unit: y_ticks.unit, text: out, x_unit: x_ticks.unit, wide, labels }
}

/// The drawing, followed by `over`.
fn title(spec: &PlotSpec, y_unit: &str, over: &str, style: &Style) -> String {
    let notation = style.notation();
    let y = notation.text(&spec.y.title);
    let y = match y_unit {
        "" => y,
        unit if unit.ends_with(y.as_str()) => unit.to_owned(),
        unit => format!("{y} ({unit})"),
    };
    let name = notation.text(&spec.title);
    let text = truncate(&format!("{name}: {y}{over}"), style.columns(), style.glyph("…", "."));
    format!("{}\n", style.paint(Role::Heading, &text))
}

fn point(series: usize, style: &Style) -> char {
    if style.unicode { UNICODE[series % 6] } else { ASCII[series % 6] }
}

fn draw(canvas: &mut Canvas, spec: &PlotSpec, x: &Mapping, y: &Mapping, style: &Style) {
    for (k, series) in spec.series.iter().enumerate() {
        for curve in &series.curves {
            let places = curve.points.iter().filter_map(|p| Some((x.place(p.x)?, y.place(p.y)?)));
            let places: Vec<(f64, f64)> = places.collect();
            // A single place: the value of the model there.
            if let [(left, top)] = places[..] {
                canvas.line((left - 2.0, top), (left + 2.0, top), k + 1);
            }
            for (n, pair) in places.windows(2).enumerate() {
                // Beyond the data the curve is broken.
                if !curve.beyond || n % 4 < 2 {
                    canvas.line(pair[0], pair[1], k + 1);
                }
            }
        }
    }
    let dot = |v: f64| v.round().max(0.0) as usize;
    let visible = |vx: f64, vy: f64| Some((dot(x.place(vx)?), dot(y.place(vy)?)));
    for (k, series) in spec.series.iter().enumerate() {
        for p in &series.points {
            if let Some((left, top)) = visible(p.x, p.y) {
                let letter = if p.excluded {
                    if style.unicode { '×' } else { '!' }
                } else {
                    point(k, style)
                };
                canvas.mark(left, top, letter, k + 1, !p.excluded);
            }
        }
    }
    for m in &spec.markers {
        if let Some((left, top)) = visible(m.x, m.y) {
            canvas.mark(left, top, if style.unicode { '◆' } else { '*' }, m.series + 1, true);
        }
    }
    for gap in &spec.boundaries {
        if let Some(place) = x.place(gap.at).filter(|_| x.holds(gap.at)) {
            canvas.column(dot(place), if style.unicode { '┊' } else { ':' });
        }
    }
}

fn painted(line: &[Glyph], style: &Style) -> String {
    let mut out = String::new();
    for group in line.chunk_by(|a, b| a.ink == b.ink) {
        let text: String = group.iter().map(|s| s.letter).collect();
        match group[0].ink {
            0 => out.push_str(&style.paint(Role::Faint, &text)),
            ink => out.push_str(&coloured(&text, ink - 1, style)),
        }
    }
    out
}

fn coloured(text: &str, series: usize, style: &Style) -> String {
    if !style.color {
        return text.to_owned();
    }
    let ansi = Ansi::new().fg_color(Some(INKS[series % 6].into()));
    format!("{}{text}{}", ansi.render(), ansi.render_reset())
}

/// The line under the plot with its ticks, and their labels.
fn x_axis(
    x: &Mapping,
    ticks: &Ticks,
    labels: usize,
    wide: usize,
    per_column: usize,
    style: &Style,
) -> String {
    let line = style.glyph("─", "-");
    let tick = style.glyph("┬", "+");
    let mut axis: Vec<&str> = vec![line; wide];
    let mut text = String::new();
    let mut used = 0;
    for (value, label) in &ticks.major {
        let Some(place) = x.place(*value) else { continue };
        let column = (place.round() as usize / per_column).min(wide - 1);
        let width = columns(label);
        let start = column.saturating_sub(width / 2).min(wide.saturating_sub(width));
        if used > 0 && start <= used {
            continue;
        }
        axis[column] = tick;
        text.push_str(&" ".repeat(start - used));
        text.push_str(label);
        used = start + width;
    }
    let corner = style.glyph(" └", " +");
    let axis = format!("{}{corner}{}", " ".repeat(labels), axis.concat());
    let text = format!("{}{text}", " ".repeat(labels + 2));
    format!("{}\n{}\n", style.paint(Role::Faint, &axis), style.paint(Role::Faint, text.trim_end()))
}

/// Explains the marks, in lines that fit.
fn legend(spec: &PlotSpec, style: &Style) -> String {
    let notation = style.notation();
    let points = || spec.series.iter().flat_map(|s| &s.points);
    let curves = || spec.series.iter().flat_map(|s| &s.curves);
    let mut entries: Vec<(String, usize)> = Vec::new();
    match &spec.series[..] {
        // A prediction alone has no points.
        [series] if series.points.is_empty() => {}
        [_] => entries.push((format!("{} measured", point(0, style)), 1)),
        many => {
            for (k, series) in many.iter().enumerate() {
                entries
                    .push((format!("{} {}", point(k, style), notation.text(&series.label)), k + 1));
            }
        }
    }
    if curves().any(|c| c.points.len() > 1) {
        entries.push((style.glyph("⠤⠤ model", ".. model").to_owned(), 0));
    }
    if curves().any(|c| c.beyond && c.points.len() > 1) {
        entries.push((style.glyph("⠤ ⠤ beyond the data", ". . beyond the data").to_owned(), 0));
    }
    if let Some(marker) = spec.markers.first() {
        let text = style.glyph("◆ prediction", "* prediction").to_owned();
        entries.push((text, marker.series + 1));
    }
    if points().any(|p| p.excluded) {
        entries.push((style.glyph("× left out of the fit", "! left out of the fit").to_owned(), 0));
    }
    if !spec.boundaries.is_empty() {
        let text = style.glyph("┊ constants change", ": constants change");
        entries.push((text.to_owned(), 0));
    }
    let mut out = String::new();
    let mut used = 0;
    for (text, ink) in entries {
        let text = truncate(&text, style.columns(), style.glyph("…", "."));
        let width = columns(&text);
        if used > 0 && used + 3 + width > style.columns() {
            out.push('\n');
            used = 0;
        }
        if used > 0 {
            out.push_str("   ");
            used += 3;
        }
        used += width;
        out.push_str(&if ink == 0 { text } else { coloured(&text, ink - 1, style) });
    }
    out.push('\n');
    out
}
