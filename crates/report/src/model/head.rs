//! What was modelled, from what data, and the model itself.

use cll_fit::{Aggregate, Fit, Outliers, Weights};

use super::ModelView;
use super::formula::{fitted, place_of};
use super::section::{INDENT, hanging, paragraph};
use crate::Notation;
use crate::style::{Role, Style};
use crate::text::columns;

/// The experiment, its formula, its data, and the formula with constants.
pub(crate) fn head(view: &ModelView<'_>, style: &Style) -> String {
    let ModelView { fit, name, place, .. } = *view;
    let notation = style.notation();
    let name = notation.text(name);
    let mut out = style.paint(Role::Title, &name);
    if !place.is_empty() {
        let place = notation.text(place);
        out.push_str("  ");
        out.push_str(&style.paint(Role::Faint, &place));
    }
    out.push('\n');
    let left = notation.observable(fit);
    let formula = format!("{left} = {}", notation.text(fit.formula.text()));
    out.push_str(&paragraph(&formula, INDENT, Role::Plain, style));
    out.push_str(&paragraph(&data(fit, style), INDENT, Role::Faint, style));
    out.push('\n');
    out.push_str(&model(fit, style));
    if let Some(text) = other(fit, notation) {
        out.push_str(&hanging("! ", &text, INDENT, Role::Caution, style));
    }
    out
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
    let out = fit.residuals.iter().filter(|r| r.excluded.is_some()).count();
    if out > 0 {
        text.push_str(&format!("; {} left out", notation.count(out, "point", "points")));
    } else if fit.options.outliers == Outliers::Spikes {
        text.push_str("; spikes left out");
    }
    text
}

/// What stands beside the model where another formula explains the data better.
pub(crate) fn other(fit: &Fit, notation: Notation) -> Option<String> {
    let other = fit.other.as_ref()?;
    let than = match fit.intervals.len() {
        1 => String::new(),
        count => format!(" than {count} intervals"),
    };
    Some(format!(
        "The formula may be wrong: one formula explains the data better{than}, {}",
        notation.text(other.formula.text())
    ))
}

/// For each interval the right side with its constants, and where it holds; `None`: everywhere.
pub(crate) fn lines(fit: &Fit, notation: Notation) -> Vec<(String, Option<String>)> {
    let each = fit.intervals.iter().map(|interval| {
        let right = notation.text(&fitted(fit, interval, notation));
        (right, place_of(fit, interval.low, interval.high, notation))
    });
    each.collect()
}

/// The formula with constants, one line for each interval.
fn model(fit: &Fit, style: &Style) -> String {
    let notation = style.notation();
    let left = format!("{} = ", notation.observable(fit));
    let lines = lines(fit, notation);
    let widest = lines.iter().map(|(right, _)| columns(right)).max().unwrap_or(0);
    let mut out = String::new();
    for (right, place) in lines {
        let text = match &place {
            None => right,
            Some(place) => {
                let spaces = widest - columns(&right) + 3;
                let line = format!("{right}{}for {place}", " ".repeat(spaces));
                if INDENT + columns(&left) + columns(&line) <= style.columns() {
                    // Aligned, and on one line: written as it is.
                    out.push_str(&" ".repeat(INDENT));
                    out.push_str(&left);
                    out.push_str(&style.paint(Role::Value, &right));
                    out.push_str(&" ".repeat(spaces));
                    out.push_str(&format!("for {place}\n"));
                    continue;
                }
                format!("{right} for {place}")
            }
        };
        out.push_str(&hanging(&left, &text, INDENT, Role::Value, style));
    }
    out
}
