//! Two sets of profiles compared.

use cll_fit::Unit;
use cll_profile::Metric;
use cll_profile::diff::{Change, DiffRow, Difference, Status, Verdict};
use cll_profile::export::Figure;

use super::{shortened, value};
use crate::document::{Block, Document, Section};
use crate::style::Style;
use crate::text::{Label, TreeTable, escape};

/// The options of the report on a difference.
#[derive(Clone, Copy, Debug)]
pub struct DifferenceView<'a> {
    /// The difference.
    pub found: &'a Difference,
    /// Whether the conditions are met.
    pub verdicts: &'a [Verdict],
    /// The figure that is compared.
    pub figure: Figure,
    /// Bytes of the unit of h-relations.
    pub h_unit: u32,
    /// Whether it is read on a terminal: names are shortened there.
    pub on_terminal: bool,
    /// Whether both are of calls, which have bytes in place of the h-relation.
    pub by_calls: bool,
}

impl DifferenceView<'_> {
    /// As text.
    pub fn text(&self, style: &Style) -> String {
        self.document(style).text(style)
    }

    /// As a document.
    pub(crate) fn document(&self, style: &Style) -> Document {
        Document::new([self.tree(style), self.unmatched(style), self.summary(style)])
    }

    /// How many runs are compared, and a row for each node.
    fn tree(&self, style: &Style) -> Section {
        let DifferenceView { found: difference, figure, h_unit, on_terminal, .. } = *self;
        let notation = style.notation();
        let value = |amount: f64| match figure {
            Figure::Time => notation.quantity(amount, &Unit::Seconds),
            Figure::Maximum(metric) => self::value(notation, metric, amount, h_unit),
        };
        let mut tree = TreeTable::new("call tree");
        for title in ["before", "after", "difference", "ratio"] {
            tree.column(title);
        }
        let has_intervals = difference.rows.iter().any(|row| row.change(figure).interval.is_some());
        if has_intervals {
            tree.column("interval");
        }
        tree.column("");
        let is_unsure = self.is_unsure();
        let mut lead = String::new();
        for (level, row) in difference.ordered() {
            let change = row.change(figure);
            if Label::is_indented(level) {
                lead = "  ".repeat(level);
            }
            let mut cells = vec![
                value(change.before),
                value(change.after),
                signed(change.difference, &value),
                ratio(change),
            ];
            if has_intervals {
                let text =
                    |(low, high)| format!("{} to {}", signed(low, &value), signed(high, &value));
                cells.push(change.interval.map_or(String::new(), text));
            }
            cells.push(remark(row, change, is_unsure));
            tree.row(Label::at_level(level, lead.clone(), shortened(&row.label)), cells);
        }
        let [before, after] = difference.runs.map(|runs| notation.count(runs, "run", "runs"));
        let head = format!("{before} before, {after} after, by {} (maximum)", figure.name());
        let mut blocks = vec![Block::at_margin(head)];
        blocks.extend(is_unsure.then(|| Block::at_margin(self.doubt())));
        blocks.push(Block::Tree { tree, on_terminal });
        Section::untitled(blocks)
    }

    /// Whether times are compared of which a side has one run: nothing says what differs by chance.
    fn is_unsure(&self) -> bool {
        let is_time = match self.figure {
            Figure::Time => true,
            Figure::Maximum(metric) => metric.is_time(),
        };
        is_time && self.found.runs.contains(&1)
    }

    /// Why the differences are not certain, and what to run.
    fn doubt(&self) -> String {
        let sides = match self.found.runs {
            [1, 1] => "one run each",
            [1, _] => "one run before",
            _ => "one run after",
        };
        let conditions = if self.verdicts.is_empty() {
            ""
        } else {
            ", and so may a condition on times that is met or not"
        };
        format!(
            "{sides} cannot tell a change from noise: any difference of times may be chance{conditions}. \
             Several runs of both have intervals: cll profile diff BEFORE... --with AFTER..."
        )
    }

    /// Nodes that only one side has. Empty if there are none.
    fn unmatched(&self, style: &Style) -> Section {
        let (difference, notation) = (self.found, style.notation());
        let count = |status| difference.rows.iter().filter(|row| row.status == status).count();
        let (gone, new) = (count(Status::Gone), count(Status::New));
        if gone + new == 0 {
            return Section::default();
        }
        Section::default().at_margin(format!(
            "{} only before (gone), {} only after (new); {} of the time is in places that both have",
            notation.count(gone, "node", "nodes"),
            notation.count(new, "node", "nodes"),
            notation.percent(difference.matched)
        ))
    }

    /// The metrics that are not in the tree, and the conditions.
    fn summary(&self, style: &Style) -> Section {
        let notation = style.notation();
        let h = Metric::HRelation.index();
        let root = &self.found.rows[0];
        let (bytes, steps) =
            if self.by_calls { ("bytes", "calls") } else { ("h-relation", "supersteps") };
        let section = Section::default().at_margin(format!(
            "the whole: {bytes} {} -> {}, balance {} -> {}, {steps} {} -> {}",
            value(notation, Metric::HRelation, root.metrics[h].before, self.h_unit),
            value(notation, Metric::HRelation, root.metrics[h].after, self.h_unit),
            notation.percent(root.balance[h].before),
            notation.percent(root.balance[h].after),
            notation.number(root.supersteps.before),
            notation.number(root.supersteps.after)
        ));
        self.verdicts.iter().fold(section, |section, verdict| {
            let what = if verdict.met { "is met" } else { "is not met" };
            let Change { before, after, .. } = verdict.change;
            section.at_margin(format!(
                "--fail-if {} {what}: {} before, {} after",
                escape(&verdict.condition),
                notation.number(before),
                notation.number(after)
            ))
        })
    }
}

fn signed(amount: f64, value: &dyn Fn(f64) -> String) -> String {
    if amount > 0.0 { format!("+{}", value(amount)) } else { value(amount) }
}

fn ratio(change: &Change) -> String {
    let ratio = change.ratio();
    if ratio.is_finite() { format!("{ratio:.3}") } else { "-".to_owned() }
}

fn names(texts: &[String]) -> String {
    texts.iter().map(|text| shortened(text)).collect::<Vec<_>>().join(", ")
}

/// How a node was matched, and whether its change may be chance: without an interval it is, if the figure has noise.
fn remark(row: &DiffRow, change: &Change, is_unsure: bool) -> String {
    let mut text = match (row.status, &row.now) {
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
    if (change.may_be_chance() || is_unsure) && change.difference != 0.0 {
        text.push_str(if text.is_empty() { "may be chance" } else { ", may be chance" });
    }
    text
}
