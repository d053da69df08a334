//! The experiment, its data, and the model.

use cll_fit::{Aggregate, Fit, Loss, Outliers, Weights};

use super::formula::{fitted, place_of};
use super::levels;
use super::{Causes, ModelView};
use crate::Notation;
use crate::document::{Block, Formulas, Section, Title};
use crate::style::{Role, Style};

/// The experiment, its formula, its data, and the formula with constants.
pub(crate) fn section(view: &ModelView<'_>, style: &Style) -> Section {
    let ModelView { fit, name, place, causes, .. } = *view;
    let notation = style.notation();
    let formula = format!("{} = {}", notation.observable(fit), notation.text(fit.formula.text()));
    let mut blocks = vec![
        Block::paragraph(formula, Role::Plain),
        Block::paragraph(data(fit, style), Role::Faint),
        Block::Space,
        Block::Formulas(formulas(fit, causes, false, notation)),
    ];
    blocks.extend(other(fit, notation).map(|text| Block::marked(text, Role::Caution)));
    let title = Title::Subject { name: notation.text(name), place: notation.text(place) };
    Section { title, blocks, ..Section::default() }
}

/// The formula with constants, a line for each interval.
pub(crate) fn formulas(
    fit: &Fit,
    causes: Causes<'_>,
    is_doubtful: bool,
    notation: Notation,
) -> Formulas {
    Formulas {
        left: notation.observable(fit),
        lines: lines(fit, notation),
        levels: levels::sentences(fit, causes, notation),
        is_doubtful,
    }
}

/// `25 points, N from 64 to 4096, 5 repetitions each, their median fitted by relative error`
pub(crate) fn data(fit: &Fit, style: &Style) -> String {
    let notation = style.notation();
    let quality = &fit.quality;
    let mut parts = vec![notation.count(quality.points, "point", "points")];
    for range in &fit.domain {
        let name = notation.text(&range.variable);
        parts.push(if range.low == range.high {
            format!("{name} = {}", notation.number(range.low))
        } else {
            format!("{name} from {} to {}", notation.number(range.low), notation.number(range.high))
        });
    }
    match quality.repetitions {
        (1, 1) => parts.push("each measured once, fitted".to_owned()),
        (least, most) => {
            let times = if least == most {
                format!("{most} repetitions each")
            } else {
                format!("{least} to {most} repetitions each")
            };
            let aggregate = match fit.options.aggregate {
                Aggregate::Median => "their median fitted",
                Aggregate::Minimum => "their minimum fitted",
                Aggregate::Mean => "their mean fitted",
                Aggregate::All => "all of them fitted",
            };
            parts.push(times);
            parts.push(aggregate.to_owned());
        }
    }
    let mut text = parts.join(", ");
    text.push_str(match fit.options.weights {
        Weights::Relative => " by relative error",
        Weights::Absolute => " by absolute error",
    });
    if fit.options.non_negative {
        text.push_str(", no constant below zero");
    }
    if fit.options.loss == Loss::Huber {
        let less = fit.residuals.iter().filter(|r| r.weight.is_some_and(|w| w < 0.95)).count();
        text.push_str(&format!(
            "; Huber's loss, {} less",
            notation.count(less, "point counts", "points count")
        ));
    }
    let out = fit.residuals.iter().filter(|r| r.excluded.is_some()).count();
    if out > 0 {
        text.push_str(&format!("; {} left out", notation.count(out, "point", "points")));
    } else if fit.options.outliers == Outliers::Spikes {
        text.push_str("; spikes left out");
    }
    text
}

/// The warning if another formula explains the data better.
pub(crate) fn other(fit: &Fit, notation: Notation) -> Option<String> {
    let other = fit.other.as_ref()?;
    let than = match fit.intervals.len() {
        1 if !fit.changes.is_empty() => " than levels".to_owned(),
        1 => String::new(),
        count if fit.splits.is_empty() => format!(" than {count} intervals"),
        count => format!(" than {count} regions"),
    };
    Some(format!(
        "The formula may be wrong: one formula explains the data better{than}, {}",
        notation.text(other.formula.text())
    ))
}

/// For each interval the right side with its constants, and its bounds; `None`: no bounds.
fn lines(fit: &Fit, notation: Notation) -> Vec<(String, Option<String>)> {
    let each = fit.intervals.iter().map(|interval| {
        let right = notation.text(&fitted(fit, interval, notation));
        (right, place_of(fit, interval, notation))
    });
    each.collect()
}
