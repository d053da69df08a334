//! Two sets of profiles beside each other.

use std::fmt::Write;

use cll_fit::Unit;
use cll_profile::Metric;
use cll_profile::diff::{Change, Difference, Row, Status, Verdict};
use cll_profile::export::Figure;

use super::lines::{Label, Lines};
use super::{shortened, value};
use crate::style::Style;
use crate::text::escape;

/// What is shown of a difference.
#[derive(Clone, Copy, Debug)]
pub struct DifferenceView<'a> {
    /// What was found.
    pub found: &'a Difference,
    /// What became of the conditions.
    pub verdicts: &'a [Verdict],
    /// What is compared.
    pub figure: Figure,
    /// Bytes of the unit of h-relations.
    pub h_unit: u32,
    /// Whether it is read on a terminal: names are shortened there.
    pub on_terminal: bool,
}

impl DifferenceView<'_> {
    /// As text.
    pub fn text(&self, style: &Style) -> String {
        text(self, style)
    }
}

fn text(view: &DifferenceView<'_>, style: &Style) -> String {
    let DifferenceView { found, verdicts, figure, h_unit, on_terminal } = *view;
    let notation = style.notation();
    let value = |of: f64| match figure {
        Figure::Time => notation.quantity(of, &Unit::Seconds),
        Figure::Maximum(metric) => self::value(notation, metric, of, h_unit),
    };
    let mut out = String::new();
    let [runs, others] = found.runs;
    let _ = writeln!(
        out,
        "{} before, {} after, by {} (maximum)",
        notation.count(runs, "run", "runs"),
        notation.count(others, "run", "runs"),
        figure.name()
    );
    let mut lines = Lines::new("call tree");
    for title in ["before", "after", "difference", "ratio"] {
        lines.column(title);
    }
    let spread = found.rows.iter().any(|row| row.of(figure).interval.is_some());
    if spread {
        lines.column("interval");
    }
    lines.column("");
    let mut lead = String::new();
    for (level, row) in found.ordered() {
        let change = row.of(figure);
        if Label::is_indented(level) {
            lead = "  ".repeat(level);
        }
        let label = Label::at(level, lead.clone(), shortened(&row.label));
        let mut cells = vec![
            value(change.before),
            value(change.after),
            signed(change.difference, &value),
            ratio(change),
        ];
        if spread {
            cells.push(match change.interval {
                Some((low, high)) => format!("{} to {}", signed(low, &value), signed(high, &value)),
                None => String::new(),
            });
        }
        cells.push(words(row, change));
        lines.row(label, cells);
    }
    out.push_str(&lines.render(style, on_terminal));
    let unmatched = |status| found.rows.iter().filter(|row| row.status == status).count();
    let (gone, new) = (unmatched(Status::Gone), unmatched(Status::New));
    if gone + new > 0 {
        let _ = writeln!(
            out,
            "\n{} only before (gone), {} only after (new); {} of the time is in places that both have",
            notation.count(gone, "node", "nodes"),
            notation.count(new, "node", "nodes"),
            notation.percent(found.matched)
        );
    }
    let h = Metric::HRelation.index();
    let root = &found.rows[0];
    let _ = writeln!(
        out,
        "\nthe whole: h-relation {} -> {}, balance {} -> {}, supersteps {} -> {}",
        self::value(notation, Metric::HRelation, root.metrics[h].before, h_unit),
        self::value(notation, Metric::HRelation, root.metrics[h].after, h_unit),
        notation.percent(root.balance[h].before),
        notation.percent(root.balance[h].after),
        notation.number(root.supersteps.before),
        notation.number(root.supersteps.after)
    );
    for verdict in verdicts {
        let what = if verdict.met { "is met" } else { "is not met" };
        let Change { before, after, .. } = verdict.change;
        let _ = writeln!(
            out,
            "--fail-if {} {what}: {} before, {} after",
            escape(&verdict.condition),
            notation.number(before),
            notation.number(after)
        );
    }
    out
}

fn signed(of: f64, value: &dyn Fn(f64) -> String) -> String {
    if of > 0.0 { format!("+{}", value(of)) } else { value(of) }
}

fn ratio(change: &Change) -> String {
    let ratio = change.ratio();
    if ratio.is_finite() { format!("{ratio:.3}") } else { "-".to_owned() }
}

fn names(of: &[String]) -> String {
    of.iter().map(|one| shortened(one)).collect::<Vec<_>>().join(", ")
}

/// How a node was matched, and whether its change may be chance.
fn words(row: &Row, change: &Change) -> String {
    let mut words = match (row.status, &row.now) {
        (Status::Same, _) => String::new(),
        (Status::Moved, Some(now)) => format!("moved to {}", shortened(now)),
        (Status::Moved, None) => "moved".to_owned(),
        (Status::Renamed, Some(now)) => format!("renamed {}", shortened(now)),
        (Status::Renamed, None) => "renamed".to_owned(),
        (Status::Inlined, _) => "inlined".to_owned(),
        (Status::Split, _) if row.with.is_empty() => "split off".to_owned(),
        (Status::Split, _) if row.is_before() => format!("split into {}", names(&row.with)),
        (Status::Split, _) => format!("split off {}", names(&row.with)),
        (Status::Joined, _) if row.is_before() => format!("joined into {}", names(&row.with)),
        (Status::Joined, _) => format!("made of {}", names(&row.with)),
        (Status::Gone, _) => "gone".to_owned(),
        (Status::New, _) => "new".to_owned(),
    };
    if change.may_be_chance() && change.difference != 0.0 {
        words.push_str(if words.is_empty() { "may be chance" } else { ", may be chance" });
    }
    words
}
