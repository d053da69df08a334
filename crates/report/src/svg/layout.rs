//! The places of the parts of a plot, and which of them there is room for.

use crate::plot::PlotSpec;

use super::legend::Entry;
use super::measure::{lines, shorten, width};

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Area {
    pub(crate) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(crate) fn height(&self) -> f64 {
        self.bottom - self.top
    }
}

/// The parts of the drawing, with their places.
pub(crate) struct Layout {
    /// Size of ordinary text.
    pub(crate) font: f64,
    /// Size of the title.
    pub(crate) title_font: f64,
    pub(crate) title: String,
    /// Base line of the title.
    pub(crate) title_at: f64,
    /// Lines of the formula with their base lines.
    pub(crate) formula: Vec<(f64, String)>,
    /// Legend entries: left end and base line.
    pub(crate) legend: Vec<(f64, f64, Entry)>,
    /// Rows over the plot for names of boundaries and references.
    pub(crate) rows: usize,
    pub(crate) main: Area,
    /// The panel of relative errors, if the model has errors.
    pub(crate) errors: Option<Area>,
    /// Whether the axes have titles.
    pub(crate) axis_titles: bool,
    /// Whether ticks have labels.
    pub(crate) labels: bool,
    pub(crate) notes: Vec<(f64, String)>,
    /// Why the numbers are not to be believed; the last part that is left out.
    pub(crate) doubts: Vec<(f64, String)>,
    /// Left margin of texts.
    pub(crate) margin: f64,
}

/// How much is left out, from nothing to all but the points.
const LEVELS: usize = 8;

/// The layout with the most parts that leaves the points room enough.
pub(crate) fn layout(
    spec: &PlotSpec,
    entries: &[Entry],
    widths: (f64, f64),
    labelled: usize,
    wide: f64,
    high: f64,
) -> Layout {
    for level in 0..LEVELS {
        let layout = at_level(spec, entries, widths, labelled, wide, high, level);
        let enough = layout.main.height() >= (0.42 * high).clamp(24.0, 150.0)
            && layout.main.width() >= 0.55 * wide;
        if enough {
            return layout;
        }
    }
    let bare = at_level(spec, entries, widths, labelled, wide, high, LEVELS);
    Layout { main: sound(bare.main, wide, high), ..bare }
}

/// `widths`: of the widest tick label of the main and of the error panel, in ordinary text.
fn at_level(
    spec: &PlotSpec,
    entries: &[Entry],
    widths: (f64, f64),
    labelled: usize,
    wide: f64,
    high: f64,
    level: usize,
) -> Layout {
    let font = font(wide, high);
    let title_font = (font * 1.4).round();
    let line = (font * 1.35).round();
    let margin = if level >= LEVELS { 2.0 } else { (0.015 * wide).clamp(4.0, 14.0) };
    let room = wide - 2.0 * margin;
    let has = |limit: usize| level < limit;

    let mut top = margin;
    let title = if has(7) { shorten(&spec.title, room, title_font * 1.04) } else { String::new() };
    let title_at = top + title_font;
    if !title.is_empty() {
        top += title_font + 6.0;
    }
    let most = most_formula_lines(level);
    let formula: Vec<(f64, String)> = formula_lines(&spec.formula, most, room, font)
        .into_iter()
        .map(|text| {
            let base = top + font;
            top += line;
            (base, text)
        })
        .collect();
    if !formula.is_empty() {
        top += 4.0;
    }
    let legend = if has(4) { place(entries, margin, top, room, font, line) } else { Vec::new() };
    if let Some((_, last, _)) = legend.last() {
        top = last + 0.45 * font + 4.0;
    }
    let rows = if has(6) { labelled.min(2) } else { 0 };
    top += 8.0 + rows as f64 * line;

    let (labels, axis_titles) = (has(7), has(6));
    let mut bottom = high - margin;
    let (doubts, above) = upwards(doubts(spec, level, room, font, high), bottom, line);
    bottom = above;
    let all = if has(2) { spec.all_notes() } else { Vec::new() };
    let note_lines = all.iter().flat_map(|n| lines(n, room, font * 0.92, 2)).take(4);
    let (notes, above) = upwards(note_lines.collect(), bottom, line);
    bottom = above;
    bottom -= if axis_titles { line + 2.0 } else { 0.0 };
    bottom -= if labels { line + 4.0 } else { 0.0 };
    let compared = spec.series.iter().any(|s| !s.points.is_empty() && !s.curves.is_empty());
    let with_errors = has(3) && high >= 260.0 && compared;
    let widest = if with_errors { widths.0.max(widths.1) } else { widths.0 };
    let left = margin
        + if axis_titles { line + 2.0 } else { 0.0 }
        + if labels { widest * font + 8.0 } else { 0.0 };
    let right = wide - margin - if labels { 0.8 * font } else { 0.0 };
    let panels = Area { left, top, right, bottom };
    let (main, errors) = if with_errors { with_errors_below(panels, font) } else { (panels, None) };
    Layout {
        font,
        title_font,
        title,
        title_at,
        formula,
        legend,
        rows,
        main,
        errors,
        axis_titles,
        labels,
        notes,
        doubts,
        margin,
    }
}

/// The lines of the formula, as many as there may be; the last says how many texts are left out.
fn formula_lines(formula: &[String], most: usize, room: f64, font: f64) -> Vec<String> {
    let (mut shown, mut texts) = (Vec::new(), 0);
    for text in formula {
        let left = most - shown.len();
        if left == 0 {
            break;
        }
        shown.extend(lines(text, room, font, left.min(2)));
        texts += 1;
    }
    if let Some(last) = shown.last_mut()
        && texts < formula.len()
    {
        let more = format!("   (and {} more)", formula.len() - texts);
        let rest = room - width(&more, font);
        *last = shorten(last, rest, font) + if rest > 0.0 { &more } else { "" };
    }
    shown
}

/// Lines one above another with their base lines, the last one first and lowest; and where what is above them ends.
fn upwards(texts: Vec<String>, mut bottom: f64, line: f64) -> (Vec<(f64, String)>, f64) {
    let lines = texts.into_iter().rev().map(|text| {
        let place = bottom - 2.0;
        bottom -= line;
        (place, text)
    });
    let lines = lines.collect();
    (lines, bottom)
}

/// Lines of the formula at this level of leaving out.
fn most_formula_lines(level: usize) -> usize {
    match level {
        0 | 1 => 4,
        2 | 3 => 2,
        4 => 1,
        _ => 0,
    }
}

/// The area of the points, and below it that of the errors.
fn with_errors_below(panels: Area, font: f64) -> (Area, Option<Area>) {
    let Area { top, bottom, .. } = panels;
    let errors_high = (0.24 * (bottom - top)).clamp(48.0, 130.0);
    let errors = Area { top: bottom - errors_high, ..panels };
    (Area { bottom: errors.top - font, ..panels }, Some(errors))
}

/// The lines on doubts: fewer where there is little room, but at least the first.
fn doubts(spec: &PlotSpec, level: usize, room: f64, font: f64, high: f64) -> Vec<String> {
    /// A picture of fewer lines than this has no text at all.
    const LEAST_LINES: f64 = 6.0;
    /// They are bold, which is wider.
    const BOLD: f64 = 1.14;
    let most = match level {
        _ if high < LEAST_LINES * font => 0,
        0..2 => 6,
        2..5 => 3,
        _ => 1,
    };
    let all = spec.doubt_texts();
    let each = all.iter().flat_map(|text| lines(text, room, BOLD * font, most.clamp(1, 3)));
    each.take(most).collect()
}

/// The size of ordinary text in a plot of this size.
pub(crate) fn font(wide: f64, high: f64) -> f64 {
    (wide / 62.0).min(high / 36.0).clamp(9.0, 13.0)
}

/// An area that is not inside out, however small the plot is.
fn sound(area: Area, wide: f64, high: f64) -> Area {
    if area.width() >= 1.0 && area.height() >= 1.0 {
        return area;
    }
    Area { left: 0.0, top: 0.0, right: wide.max(1.0), bottom: high.max(1.0) }
}

/// Legend entries one after another, in rows.
fn place(
    entries: &[Entry],
    margin: f64,
    top: f64,
    room: f64,
    font: f64,
    line: f64,
) -> Vec<(f64, f64, Entry)> {
    let mut placed = Vec::new();
    let (mut left, mut base) = (margin, top + font);
    for entry in entries {
        let text = shorten(&entry.text, room - entry.sample(font), font);
        let wide = entry.sample(font) + width(&text, font);
        if left > margin && left + wide > margin + room {
            left = margin;
            base += line + 2.0;
        }
        placed.push((left, base, Entry { text, ..entry.clone() }));
        left += wide + 1.4 * font;
    }
    placed
}
