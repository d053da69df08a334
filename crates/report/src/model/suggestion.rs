//! The formula that is suggested in place of a given one.

use cll_fit::Unit;
use cll_result::{FormulaChange, SuggestionModel};

use crate::Notation;
use crate::document::{Block, Notice, Section};
use crate::style::{Role, Style};
use crate::text::{Cell, Column, Table};

/// The section of a model's report.
pub(crate) fn section(suggestion: &SuggestionModel, unit: &Unit, style: &Style) -> Section {
    let notation = style.notation();
    let mut blocks = Vec::new();
    if suggestion.changes.is_empty() {
        blocks.push(Block::paragraph(
            format!(
                "the formula is as good as any tried: it is right with a probability of {} beside them",
                notation.percent(suggestion.probability)
            ),
            Role::Good,
        ))
    } else {
        let changes = suggestion.changes.iter();
        blocks.extend(
            changes.map(|formula_change| {
                Block::marked(change(formula_change, notation), Role::Caution)
            }),
        );
        let text = format!("suggested: {}", notation.text(&suggestion.formula));
        blocks.push(Block::paragraph(text, Role::Value));
        blocks.push(Block::table(constants(suggestion, unit, notation), "Suggested constants"));
        blocks.push(Block::paragraph(gain(suggestion, notation), Role::Plain));
    }
    let notes = suggestion.notes.iter();
    let notes: Vec<Notice> =
        notes.map(|note| Notice { code: note.code.clone(), text: note.text.clone() }).collect();
    if !notes.is_empty() {
        blocks.push(Block::Notices(notes));
    }
    let points = notation.count(suggestion.points, "point", "points");
    let tried = notation.count(suggestion.tried, "formula", "formulas");
    Section::new("Suggestion", format!("{points}; {tried} tried"), blocks)
}

fn change(change: &FormulaChange, notation: Notation) -> String {
    let term = notation.text(&change.term);
    let text = match (change.kind.as_str(), &change.replaced) {
        ("superfluous", _) => format!("the data do not show the term {term}"),
        (_, Some(old)) => format!("{term} fits in place of {}", notation.text(old)),
        _ => format!("a term is missing: {term}"),
    };
    match change.as_good.as_slice() {
        [] => text,
        others => format!("{text} (as good: {})", notation.text(&others.join(", "))),
    }
}

fn constants(suggestion: &SuggestionModel, unit: &Unit, notation: Notation) -> Table {
    let mut table = Table::new(vec![
        Column::left("constant"),
        Column::left("of"),
        Column::right("value"),
        Column::left("interval"),
    ]);
    for value in &suggestion.constants {
        table.row([
            Cell::new(notation.text(&value.constant)),
            Cell::new(notation.text(&value.term)),
            Cell::new(notation.within(value.value, value.low, value.high, unit)),
            Cell::new(notation.range(value.low, value.high, unit)),
        ]);
    }
    table
}

fn gain(suggestion: &SuggestionModel, notation: Notation) -> String {
    let percent = |share: f64| notation.percent(share);
    let left_out = match (suggestion.left_out_before, suggestion.left_out_after) {
        (Some(before), Some(after)) => format!(
            "; at sizes that were left out {} before, {} after",
            percent(before),
            percent(after)
        ),
        _ => String::new(),
    };
    format!(
        "error {} before, {} after{left_out}; ln of the evidence {} by {:.1}",
        percent(suggestion.error_before),
        percent(suggestion.error_after),
        if suggestion.evidence < 0.0 { "falls" } else { "rises" },
        suggestion.evidence.abs()
    )
}
