//! Plots as SVG: one file without scripts, fonts or anything else from outside.

mod axes;
mod errors;
mod layout;
mod legend;
mod marks;
pub(crate) mod measure;
pub(crate) mod shapes;
mod theme;
mod verticals;
pub(crate) mod writer;

use crate::Notation;
use crate::plot::{PlotSpec, Ticks, ticks};

use layout::{Area, Layout, layout};
use measure::{shorten, width};
use writer::{Writer, coordinate};

pub use theme::Theme;
pub(crate) use theme::sheet;

/// How a plot is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SvgOptions {
    /// Width in CSS pixels; at least 16 are taken.
    pub width: u32,
    /// Height in CSS pixels; at least 16 are taken.
    pub height: u32,
    /// The ground it is drawn for.
    pub theme: Theme,
    /// Prefix of the ids inside, different for every plot of one page. Other characters than ASCII
    /// letters, digits, `-` and `_` become `_`.
    pub id: String,
}

impl Default for SvgOptions {
    /// 900 x 600, for light and dark.
    fn default() -> SvgOptions {
        SvgOptions { width: 900, height: 600, theme: Theme::Auto, id: "plot".to_owned() }
    }
}

/// The plot as an SVG document. The same plot and options give the same bytes.
///
/// Parts for which there is no room are left out, the least important first: notes, the panel of
/// errors, the legend, the formula, titles, labels. Doubts in the numbers are the last.
pub fn svg(spec: &PlotSpec, options: &SvgOptions) -> String {
    let (wide, high) = (f64::from(options.width.max(16)), f64::from(options.height.max(16)));
    let id = identifier(&options.id);
    let notation = Notation::Unicode;

    let share = |part: f64, each: f64| (part * high / each).clamp(2.0, 8.0) as usize;
    let y_ticks = ticks(&spec.y_mapping(1.0, 0.0), share(0.55, 42.0), &spec.y.unit, notation);
    let percent = cll_fit::Unit::Other(String::new());
    // Three at least: zero alone does not show the size of errors.
    let error_ticks = (3..7)
        .map(|target| ticks(&spec.error_mapping(1.0, 0.0), target, &percent, notation))
        .find(|ticks| ticks.major.len() >= 3)
        .unwrap_or_default();
    let widest =
        |ticks: &Ticks| ticks.major.iter().map(|(_, label)| width(label, 1.0)).fold(0.0, f64::max);
    let entries = legend::entries(spec);
    let labels = verticals::labels(spec);
    let widths = (widest(&y_ticks), widest(&error_ticks));
    let page = layout(spec, &entries, widths, labels.len(), wide, high);

    let mut out = Writer::default();
    begin(&mut out, spec, options, &id, wide, high);
    clips(&mut out, &page, &id);
    header(&mut out, &page, spec.series.len() > 1);

    let x = spec.x_mapping(page.main.left, page.main.right);
    let y = spec.y_mapping(page.main.bottom, page.main.top);
    let across = (page.main.width() / (7.0 * page.font)).clamp(2.0, 12.0) as usize;
    let x_ticks = ticks(&x, across, &spec.x.unit, notation);
    let lowest = page.errors.unwrap_or(page.main);

    out.open("g", &[("clip-path", (&format!("url(#{id}-main)")).into())]);
    verticals::gaps(&mut out, spec, &x, &page.main);
    out.close();
    axes::grid(&mut out, &page.main, (&x, &x_ticks), (&y, &y_ticks), page.errors.is_none());
    out.open("g", &[("clip-path", (&format!("url(#{id}-main)")).into())]);
    verticals::lines(&mut out, spec, &x, &page.main);
    marks::bands(&mut out, spec, &x, &y);
    // Points that would hide the curve are drawn under it.
    let dense = spec.series.iter().any(|s| s.points.len() > 100);
    if !dense {
        marks::curves(&mut out, spec, &x, &y);
    }
    marks::points(&mut out, spec, &x, &y, &page.main);
    if dense {
        marks::curves(&mut out, spec, &x, &y);
    }
    let font = page.labels.then_some(page.font);
    marks::markers(&mut out, spec, &x, &y, &page.main, font);
    out.close();
    axes::frame(&mut out, &page.main);
    verticals::names(&mut out, &labels, &x, &page);

    if let Some(area) = page.errors {
        let y = spec.error_mapping(area.bottom, area.top);
        errors::panel(&mut out, spec, (&x, &x_ticks), (&y, &error_ticks), (&area, &id));
        if page.labels {
            axes::y_labels(&mut out, &area, &y, &error_ticks, page.font);
        }
    }
    if page.labels {
        axes::y_labels(&mut out, &page.main, &y, &y_ticks, page.font);
        axes::x_labels(&mut out, &lowest, &x, &x_ticks, page.font);
    }
    if page.axis_titles {
        titles(&mut out, spec, &page, &lowest, &y_ticks.unit, &x_ticks.unit);
    }
    for (base, note) in &page.notes {
        text(&mut out, "faint", page.margin, *base, 0.92 * page.font, note);
    }
    for (base, doubt) in &page.doubts {
        text(&mut out, "doubt bold", page.margin, *base, page.font, doubt);
    }
    out.finish()
}

/// The root element with names, style sheet and clips; and the background.
fn begin(out: &mut Writer, spec: &PlotSpec, options: &SvgOptions, id: &str, wide: f64, high: f64) {
    let view = format!("0 0 {} {}", coordinate(wide), coordinate(high));
    out.open(
        "svg",
        &[
            ("xmlns", "http://www.w3.org/2000/svg".into()),
            ("viewBox", (&view).into()),
            ("width", wide.into()),
            ("height", high.into()),
            ("class", options.theme.class().into()),
            ("role", "img".into()),
            ("aria-labelledby", (&format!("{id}-title {id}-desc")).into()),
        ],
    );
    let title = format!("{}: measured and modelled over {}", spec.title, spec.x.title);
    out.text("title", &[("id", (&format!("{id}-title")).into())], &title);
    let description: Vec<String> =
        spec.doubt_texts().into_iter().chain([spec.description.clone()]).collect();
    out.text("desc", &[("id", (&format!("{id}-desc")).into())], &description.join(". "));
    out.raw("style", &theme::sheet(options.theme));
    shapes::rectangle(out, "ground", (0.0, wide), (0.0, high));
}

/// Clips what is drawn to an area.
fn clips(out: &mut Writer, page: &Layout, id: &str) {
    let areas = [("main", Some(page.main)), ("errors", page.errors)];
    for (name, area) in areas {
        let Some(area) = area else { continue };
        out.open("clipPath", &[("id", (&format!("{id}-{name}")).into())]);
        let (x, y) = ((area.left, area.right), (area.top, area.bottom));
        shapes::rectangle(out, "clip", x, y);
        out.close();
    }
}

fn header(out: &mut Writer, page: &Layout, several: bool) {
    if !page.title.is_empty() {
        text(out, "ink bold", page.margin, page.title_at, page.title_font, &page.title);
    }
    for (base, line) in &page.formula {
        text(out, "faint num", page.margin, *base, page.font, line);
    }
    for (left, base, entry) in &page.legend {
        legend::draw(out, entry, *left, *base, page.font, several);
        text(out, "ink", left + entry.sample(page.font), *base, page.font, &entry.text);
    }
}

fn titles(
    out: &mut Writer,
    spec: &PlotSpec,
    page: &Layout,
    lowest: &Area,
    y_unit: &str,
    x_unit: &str,
) {
    let name = |title: &str, unit: &str| match unit {
        "" => title.to_owned(),
        unit if unit.ends_with(title) => unit.to_owned(),
        unit => format!("{title} ({unit})"),
    };
    let left = page.margin + page.font;
    axes::y_title(out, &page.main, left, &name(&spec.y.title, y_unit), page.font);
    if let Some(area) = &page.errors {
        axes::y_title(out, area, left, "error (%)", page.font);
    }
    let base = lowest.bottom + 2.6 * page.font + 5.0;
    let title = shorten(&name(&spec.x.title, x_unit), lowest.width(), page.font);
    out.text(
        "text",
        &[
            ("class", "ink".into()),
            ("x", (0.5 * (lowest.left + lowest.right)).into()),
            ("y", base.into()),
            ("font-size", page.font.into()),
            ("text-anchor", "middle".into()),
        ],
        &title,
    );
}

fn text(out: &mut Writer, class: &str, x: f64, y: f64, size: f64, text: &str) {
    out.text(
        "text",
        &[("class", class.into()), ("x", x.into()), ("y", y.into()), ("font-size", size.into())],
        text,
    );
}

fn identifier(id: &str) -> String {
    let legal = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    let id: String = id.chars().map(legal).collect();
    if id.is_empty() { "plot".to_owned() } else { id }
}
