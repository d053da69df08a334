//! The points to measure next, as text.

use cll_fit::Unit;
use cll_result::{NextPoint, NextPoints, NextPrediction};

use crate::Notation;
use crate::document::{Block, Document, Notice, Section};
use crate::style::{Role, Style};
use crate::text::{Cell, Column, Table};

/// Points that are shown, the cheapest first.
const MAX_SHOWN: usize = 16;

/// The points with what each costs and why, then the predictions now and after, then the noise.
pub fn next_text(next: &NextPoints, style: &Style) -> String {
    let notation = style.notation();
    let cost = notation.quantity(next.cost.get(), &Unit::Seconds);
    let suffix = if next.core_time { " of core time" } else { "" };
    let budget = notation.quantity(next.budget.get(), &Unit::Seconds);
    let remark = format!("about {cost}{suffix}, of {budget}");
    let shown = &next.points[..next.points.len().min(MAX_SHOWN)];
    let (title, mut blocks) = if shown.is_empty() {
        ("Measure nothing more", Vec::new())
    } else {
        ("Measure next", vec![Block::table(points(shown, notation), "Points to measure")])
    };
    let more = match next.points.len() - shown.len() {
        0 if shown.is_empty() => "the notes say why".to_owned(),
        0 => "--out FILE writes this as a plan that cll campaign runs".to_owned(),
        more => format!(
            "and {more} that cost more: --json lists all, --out FILE writes them as a plan that cll campaign runs"
        ),
    };
    blocks.push(Block::paragraph(more, Role::Faint));
    let mut sections = vec![Section::new(title, remark, blocks)];
    if !next.predictions.is_empty() {
        let table = Block::table(predictions(&next.predictions, notation), "Predictions");
        let remark = "half the width of the interval of a new measurement";
        sections.push(Section::new("Predictions", remark, vec![table]));
    }
    let noise = next.noise.iter().map(|noise| {
        let text = match noise.kind {
            "absolute" => format!("the same at all sizes, {:.2e}", noise.absolute),
            "relative" => format!("{} of the value", notation.percent(noise.relative)),
            _ => {
                format!(
                    "{:.2e} and {} of the value",
                    noise.absolute,
                    notation.percent(noise.relative)
                )
            }
        };
        (noise.experiment.as_str(), text)
    });
    let details = vec![Block::named(noise)];
    sections.push(Section::new(
        "Noise",
        "standard deviation of a run, by which it is planned",
        details,
    ));
    let notes: Vec<Notice> = next
        .notes
        .iter()
        .map(|note| Notice { code: note.code.clone(), text: note.text.clone() })
        .collect();
    if !notes.is_empty() {
        sections.push(Section::untitled(vec![Block::Notices(notes)]));
    }
    Document::new(sections).text(style)
}

fn points(points: &[NextPoint], notation: Notation) -> Table {
    let names = points.first().map_or(&[][..], |point| &point.at[..]);
    let mut columns: Vec<Column> =
        names.iter().map(|(name, _)| Column::right(&notation.text(name))).collect();
    columns.extend([Column::right("runs"), Column::right("cost"), Column::left("why").flexible()]);
    let mut table = Table::new(columns);
    for point in points {
        let mut row: Vec<Cell> =
            point.at.iter().map(|(_, value)| Cell::new(notation.number(*value))).collect();
        row.extend([
            Cell::new(point.runs.to_string()),
            Cell::new(notation.quantity(point.cost.get(), &Unit::Seconds)),
            Cell::new(notation.text(&point.why)),
        ]);
        table.row(row);
    }
    table
}

fn predictions(predictions: &[NextPrediction], notation: Notation) -> Table {
    let mut table = Table::new(vec![
        Column::left("experiment"),
        Column::left("at"),
        Column::right("expected"),
        Column::right("now"),
        Column::right("after"),
        Column::right("at best"),
    ]);
    let width = |share: f64| format!("{}{}", notation.plus_minus_sign(), notation.percent(share));
    for prediction in predictions {
        let place = notation.values(&prediction.at);
        let unit = match prediction.unit.as_str() {
            "s" => Unit::Seconds,
            other => Unit::Other(other.to_owned()),
        };
        table.row([
            Cell::new(notation.text(&prediction.experiment)),
            Cell::new(place),
            Cell::new(notation.quantity(prediction.value, &unit)),
            Cell::new(prediction.now.map_or("not determined".to_owned(), width)),
            Cell::new(width(prediction.after)),
            Cell::new(width(prediction.least)),
        ]);
    }
    table
}
