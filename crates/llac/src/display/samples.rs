//! Samples as text: what they are, and their points.

use cll_report::{Column, Notation, Style, Table};
use cll_statistics::{quantile, sorted};

use crate::samples::Samples;

/// Points that are shown.
const SHOWN_POINTS: usize = 30;

/// Describes the samples, with each point's median and spread.
pub(super) fn text(samples: &Samples, style: &Style) -> String {
    let mut lines = Vec::new();
    let formula =
        if samples.formula.is_empty() { String::new() } else { format!(" = {}", samples.formula) };
    let name = if samples.name.is_empty() { "samples" } else { &samples.name };
    lines.push(format!("{name}{formula}"));
    let places: Vec<String> = samples.places.iter().map(ToString::to_string).collect();
    let origin = match &samples.column {
        Some(column) => column.to_string(),
        None => places.join(", "),
    };
    let about = crate::display::brief(&crate::value::Value::samples(samples.clone()));
    lines.push(if origin.is_empty() { about } else { format!("{about}; {origin}") });
    lines.extend(samples.changes.iter().map(|change| format!("changed: {change}")));
    let mut text =
        lines.iter().map(|line| format!("{}\n", cll_report::escape(line))).collect::<String>();
    text.push_str(&points(samples, style));
    text
}

fn points(samples: &Samples, style: &Style) -> String {
    let notation = if style.unicode { Notation::Unicode } else { Notation::Ascii };
    let mut columns: Vec<Column> =
        samples.variables.iter().map(|name| Column::right(name)).collect();
    let titles = ["samples", "median", "minimum", "maximum", "quartiles"];
    columns.extend(titles.map(Column::right));
    let mut table = Table::new(columns);
    let unit = samples.unit.to_fit();
    for group in samples.groups.iter().take(SHOWN_POINTS) {
        let values = sorted(group.cell.inclusive.iter().copied().filter(|value| !value.is_nan()));
        let mut cells: Vec<cll_report::Cell> =
            group.values.iter().map(|value| format!("{value}").into()).collect();
        cells.push(group.len().to_string().into());
        if let (Some(least), Some(greatest)) = (values.first(), values.last()) {
            cells.push(notation.rounded(quantile(&values, 0.5), 4, &unit).into());
            cells.push(notation.rounded(*least, 4, &unit).into());
            cells.push(notation.rounded(*greatest, 4, &unit).into());
            let spread = notation.range(quantile(&values, 0.25), quantile(&values, 0.75), &unit);
            cells.push(spread.into());
        }
        table.row(cells);
    }
    let more = samples.groups.len().saturating_sub(SHOWN_POINTS);
    let mut text = table.render(style, 2);
    if more > 0 {
        text.push_str(&format!(
            "  and {more} more points; `group {} by …` puts them together\n",
            samples.name
        ));
    }
    text
}
