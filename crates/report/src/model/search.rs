//! The result of a search of formulas: candidates and ties.

use cll_fit::Unit;
use cll_result::{FormulaTie, SearchModel};

use crate::Notation;
use crate::document::{Block, Notice, Section};
use crate::style::{Role, Style};
use crate::text::{Cell, Column, Table};

/// Candidates that are shown.
const MAX_SHOWN: usize = 5;

/// The section of a model's report.
pub(crate) fn section(search: &SearchModel, unit: &Unit, style: &Style) -> Section {
    let notation = style.notation();
    let mut blocks = vec![Block::table(candidates(search, notation), "Formulas")];
    for tie in search.ties.iter().filter(|tie| tie.candidate < MAX_SHOWN) {
        blocks.push(Block::marked(distinction(tie, unit, notation), Role::Caution));
    }
    let notes =
        search.notes.iter().map(|note| Notice { code: note.code.clone(), text: note.text.clone() });
    let notes: Vec<Notice> = notes.collect();
    if !notes.is_empty() {
        blocks.push(Block::Notices(notes));
    }
    let points = notation.count(search.points, "point", "points");
    let remark = format!("{points}; left out: error at sizes that were left out");
    Section::new("Search", remark, blocks)
}

fn candidates(search: &SearchModel, notation: Notation) -> Table {
    let mut table = Table::new(vec![
        Column::right("no."),
        Column::left("terms").flexible(),
        Column::right("probability"),
        Column::right("AICc"),
        Column::right("Akaike"),
        Column::right("left out"),
    ]);
    let percent =
        |share: Option<f64>| share.map_or("-".to_owned(), |share| notation.percent(share));
    // As differences from the least: its zero has no meaning.
    let least = search
        .candidates
        .iter()
        .filter_map(|candidate| candidate.aicc)
        .fold(f64::INFINITY, f64::min);
    let difference = |value: Option<f64>| {
        value.map_or("-".to_owned(), |value| notation.text(&format!("{:.1}", value + 0.0)))
    };
    for (index, candidate) in search.candidates.iter().take(MAX_SHOWN).enumerate() {
        table.row([
            Cell::new((index + 1).to_string()),
            Cell::new(notation.text(&candidate.terms.join(" + "))),
            Cell::new(notation.percent(candidate.weight)),
            Cell::new(difference(candidate.aicc.map(|aicc| aicc - least))),
            Cell::new(percent(candidate.akaike_weight)),
            Cell::new(percent(candidate.left_out)),
        ]);
    }
    table
}

/// The measurement that would distinguish a formula from the first.
fn distinction(tie: &FormulaTie, unit: &Unit, notation: Notation) -> String {
    let both = format!("formulas 1 and {} can hardly be distinguished", tie.candidate + 1);
    match (&tie.at, &tie.values) {
        (Some(point), Some((a, b))) => {
            format!(
                "{both}: measure {} (expected: {} or {})",
                notation.values(point),
                notation.quantity(*a, unit),
                notation.quantity(*b, unit)
            )
        }
        _ => format!("{both}; no larger size was found that would distinguish them"),
    }
}
