//! Tables as text.

use cll_report::{Column as TextColumn, Notation, Style, Table as TextTable};

use crate::value::{Cells, Table, Unit};

/// A number with its unit: whole numbers without a unit as they are.
pub(crate) fn number_text(value: f64, unit: &Unit, notation: Notation) -> String {
    if unit.is_none() {
        return plain(value);
    }
    notation.rounded(value, 4, &unit.to_fit())
}

/// Without a unit: whole numbers as they are, others to six digits.
fn plain(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        return format!("{value}");
    }
    let size = value.abs();
    if !value.is_finite() || (1e-3..1e7).contains(&size) {
        let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
        return format!("{rounded}");
    }
    let text = format!("{value:.4e}");
    match text.split_once('e') {
        Some((digits, exponent)) if digits.contains('.') => {
            format!("{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text,
    }
}

/// A table with its first rows; `None`: all rows.
pub(crate) fn table_text(table: &Table, style: &Style, most: Option<usize>) -> String {
    if table.rows() == 0 {
        return "no rows\n".to_owned();
    }
    let notation = if style.unicode { Notation::Unicode } else { Notation::Ascii };
    let columns = table.columns().iter().map(|(name, cells)| match cells {
        Cells::Numbers(_) => TextColumn::right(name),
        Cells::Words(_) | Cells::Truths(_) => TextColumn::left(name),
    });
    let mut text = TextTable::new(columns.collect());
    let shown = most.map_or(table.rows(), |most| most.min(table.rows()));
    for row in 0..shown {
        let cells = table.columns().iter().map(|(_, cells)| {
            match cells {
                Cells::Numbers(column) => match column.values[row] {
                    value if value.is_nan() => String::new(),
                    value => number_text(value, &column.unit, notation),
                },
                Cells::Words(words) => words.word(row).to_owned(),
                Cells::Truths(truths) => if truths[row] { "yes" } else { "no" }.to_owned(),
            }
            .into()
        });
        text.row(cells);
    }
    let rendered = text.render(style, 0);
    match table.rows() - shown {
        0 => rendered,
        more => format!("{rendered}and {more} more rows; `print` shows all\n"),
    }
}
