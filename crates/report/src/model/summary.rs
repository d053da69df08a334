//! Several experiments in one table.

use cll_fit::sentences;

use super::ModelView;
use super::formula::fitted;
use crate::document::{Block, Document, Section};
use crate::style::{Role, Style};
use crate::text::{Cell, Column, Table};

/// One row for each experiment: its model on the interval with most points, its errors, and its
/// number of warnings.
pub fn summary_text(views: &[ModelView<'_>], style: &Style) -> String {
    Document::new([section(views, style)]).text(style)
}

/// The same as a section.
pub(crate) fn section(views: &[ModelView<'_>], style: &Style) -> Section {
    let notation = style.notation();
    let mut table = Table::new(vec![
        Column::left("experiment").flexible(),
        Column::left("model").flexible(),
        Column::right("intervals"),
        Column::right("median error"),
        Column::right("largest"),
        Column::right("warnings"),
    ]);
    for view in views {
        let fit = view.fit;
        let widest = fit.intervals.iter().max_by_key(|i| i.points);
        let model = widest.map_or_else(String::new, |i| fitted(fit, i, notation));
        let several = match (fit.intervals.len(), fit.splits.is_empty()) {
            (1, _) => "",
            (_, true) => " (largest interval)",
            (_, false) => " (largest region)",
        };
        let warnings = sentences(&fit.warnings, &fit.unit).len();
        table.row([
            Cell::new(notation.text(view.name)).role(Role::Title),
            Cell::new(format!("{}{several}", notation.text(&model))),
            Cell::new(fit.intervals.len().to_string()),
            Cell::new(notation.percent(fit.quality.median_error)),
            Cell::new(notation.percent(fit.quality.largest_error)),
            Cell::new(if warnings == 0 { String::new() } else { warnings.to_string() })
                .role(Role::Caution),
        ]);
    }
    Section::untitled(vec![Block::table(table, "Experiments")])
}
