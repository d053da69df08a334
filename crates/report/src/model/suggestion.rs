//! What is suggested in place of a given formula.

use cll_fit::Unit;
use cll_result::{FormulaChange, SuggestionModel};

use crate::Notation;
use crate::document::{Block, Notice, Section};
use crate::style::{Role, Style};
use crate::text::{Cell, Column, Table};

/// The section of a model's report.
pub(crate) fn section(found: &SuggestionModel, unit: &Unit, style: &Style) -> Section {
    let notation = style.notation();
    let mut blocks = Vec::new();
    if found.changes.is_empty() {
        blocks.push(Block::paragraph(
            format!(
                "the formula is as good as any tried: it is right with a probability of {} beside them",
                notation.percent(found.probability)
            ),
            Role::Good,
        ))
    } else {
        let changes = found.changes.iter();
        blocks.extend(changes.map(|one| Block::marked(change(one, notation), Role::Caution)));
        let text = format!("suggested: {}", notation.text(&found.formula));
        blocks.push(Block::paragraph(text, Role::Value));
        blocks.push(Block::table(constants(found, unit, notation), "Suggested constants"));
        blocks.push(Block::paragraph(gain(found, notation), Role::Plain));
    }
    let notes = found.notes.iter();
    let notes: Vec<Notice> =
        notes.map(|note| Notice { code: note.code.clone(), text: note.text.clone() }).collect();
    if !notes.is_empty() {
        blocks.push(Block::Notices(notes));
    }
    let points = notation.count(found.points, "point", "points");
    let tried = notation.count(found.tried, "formula", "formulas");
    Section::new("Suggestion", format!("{points}; {tried} tried"), blocks)
}

fn change(one: &FormulaChange, notation: Notation) -> String {
    let term = notation.text(&one.term);
    let text = match (one.kind.as_str(), &one.replaced) {
        ("superfluous", _) => format!("the data do not show the term {term}"),
        (_, Some(old)) => format!("{term} fits in place of {}", notation.text(old)),
        _ => format!("a term is missing: {term}"),
    };
    match one.as_good.as_slice() {
        [] => text,
        others => format!("{text} (as good: {})", notation.text(&others.join(", "))),
    }
}

fn constants(found: &SuggestionModel, unit: &Unit, notation: Notation) -> Table {
    let mut table = Table::new(vec![
        Column::left("constant"),
        Column::left("of"),
        Column::right("value"),
        Column::left("interval"),
    ]);
    for one in &found.constants {
        table.row([
            Cell::new(notation.text(&one.constant)),
            Cell::new(notation.text(&one.term)),
            Cell::new(notation.within(one.value, one.low, one.high, unit)),
            Cell::new(notation.range(one.low, one.high, unit)),
        ]);
    }
    table
}

fn gain(found: &SuggestionModel, notation: Notation) -> String {
    let percent = |share: f64| notation.percent(share);
    let left_out = match (found.left_out_before, found.left_out_after) {
        (Some(before), Some(after)) => format!(
            "; at sizes that were left out {} before, {} after",
            percent(before),
            percent(after)
        ),
        _ => String::new(),
    };
    format!(
        "error {} before, {} after{left_out}; ln of the evidence {} by {:.1}",
        percent(found.error_before),
        percent(found.error_after),
        if found.evidence < 0.0 { "falls" } else { "rises" },
        found.evidence.abs()
    )
}
