//! The formula of an answer: the terms that the data show, and a letter for each constant that changes.

use cll_fit::{Estimate, Fit};
use cll_result::Growth;

use super::lines::Lines;
use crate::Notation;
use crate::model::ModelView;
use crate::model::formula::{is_unseen, place_of, sum};
use crate::model::levels::sentences;
use crate::style::{Role, Style};
use crate::text::columns;

/// Letters for constants with levels, the first ones that are no variables.
const LETTERS: &str = "cdekabghmqrsuvw";
/// Intervals that are printed.
const MAX_INTERVALS: usize = 3;

/// Lines of one formula.
const MAX_LINES: usize = 2;

/// The lines of the formula, at most `room` unless the formula itself is longer.
pub(super) fn text(view: &ModelView<'_>, room: usize, style: &Style) -> String {
    let fit = view.fit;
    let FormulaParts { left, rows, others: hidden, remark, levels: changing } =
        parts(view, style.notation());
    let mark = format!("{left} = ");
    let mut lines = Lines::new(style);
    let widest = rows.iter().map(|(right, _)| columns(right)).max().unwrap_or(0);
    let mut others = rows.len() + hidden;
    for (right, place) in &rows {
        let beside = if place.is_empty() { &remark } else { place };
        let gap = if place.is_empty() { 0 } else { widest - columns(right) };
        let mut own = Lines::new(style);
        line(&mut own, &mark, right, beside, gap, style);
        // A line says how many there are more.
        if lines.count() > 0 && lines.count() + own.count() >= room {
            break;
        }
        lines.push(&own.finish());
        others -= 1;
    }
    if others > 0 {
        let what = if fit.splits.is_empty() { "interval" } else { "region" };
        let count = style.notation().count(others, what, &format!("{what}s"));
        lines.hanging(2, "", &format!("{count} more"), Role::Faint);
    }
    if fit.intervals.len() > 1 && !remark.is_empty() {
        lines.short(2, "", &remark, Role::Faint);
    }
    levels(&changing, &mut lines, room, style);
    lines.finish()
}

/// The formula before it is put on lines.
pub(super) struct FormulaParts {
    /// The name of what it gives.
    pub left: String,
    /// The right side for each interval that is shown, and where it holds (`for N <= 100`, or empty).
    pub rows: Vec<(String, String)>,
    /// Intervals that are not shown.
    pub others: usize,
    /// Constants that the data do not show.
    pub remark: String,
    pub levels: Vec<ConstantLevel>,
}

/// A constant that changes.
pub(super) struct ConstantLevel {
    /// The letter that stands for it in the formula.
    pub letter: String,
    /// Whether its term decides for large values.
    pub is_leading: bool,
    pub sentence: String,
}

/// The formula with its constants.
pub(super) fn parts(view: &ModelView<'_>, notation: Notation) -> FormulaParts {
    let fit = view.fit;
    let letters = letters(fit);
    let unseen: Vec<usize> =
        (0..fit.formula.terms().len()).filter(|t| is_hidden(fit, *t)).collect();
    let named = |term: usize, estimate: &Estimate| {
        let letter = letters.get(term).and_then(Option::as_ref);
        let name = || letter.cloned().unwrap_or_else(|| notation.text(&estimate.constant));
        (!unseen.contains(&term)).then(name)
    };
    let is_all = unseen.len() == fit.formula.terms().len();
    let remark = if is_all { String::new() } else { not_seen(fit, &unseen, notation) };
    let rows: Vec<(String, String)> = shown(view)
        .iter()
        .map(|index| {
            let interval = &fit.intervals[*index];
            let place = place_of(fit, interval, notation);
            let right = notation.text(&sum(fit, interval, notation, named));
            (right, place.map_or(String::new(), |place| format!("for {place}")))
        })
        .collect();
    let leading = Growth::from_fit(fit).map(|growth| growth.term);
    let changing = fit.constants.iter().zip(&letters).filter_map(|(constant, letter)| {
        Some((letter.as_ref()?, leading.as_ref() == Some(&constant.term)))
    });
    let sentences = sentences(fit, view.causes, notation);
    let levels = changing.zip(sentences).map(|((letter, is_leading), (_, sentence))| {
        ConstantLevel { letter: letter.clone(), is_leading, sentence }
    });
    FormulaParts {
        left: notation.observable(fit),
        others: fit.intervals.len() - rows.len(),
        remark,
        levels: levels.collect(),
        rows,
    }
}

/// A formula with its bounds or a remark beside it, or below it if there is no room.
fn line(lines: &mut Lines<'_>, mark: &str, right: &str, beside: &str, gap: usize, style: &Style) {
    let width = 2 + columns(mark) + columns(right) + gap + 3 + columns(beside);
    if beside.is_empty() {
        lines.cut(2, mark, right, Role::Value, MAX_LINES);
    } else if width <= style.columns() {
        let spaces = " ".repeat(gap + 3);
        let (right, beside) = (style.paint(Role::Value, right), style.paint(Role::Plain, beside));
        let mark = style.paint(Role::Caution, mark.trim_end());
        lines.push(&format!("  {mark} {right}{spaces}{beside}\n"));
    } else if beside.starts_with("for ") {
        lines.cut(2, mark, &format!("{right} {beside}"), Role::Value, MAX_LINES);
    } else {
        lines.cut(2, mark, right, Role::Value, MAX_LINES);
        lines.short(2, "", beside, Role::Faint);
    }
}

/// The sentences of the constants that change, as many as fit: first that of the term that decides for large values.
fn levels(all: &[ConstantLevel], lines: &mut Lines<'_>, room: usize, style: &Style) {
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|index| !all[*index].is_leading);
    let mut told: Vec<(usize, String)> = Vec::new();
    let mut count = lines.count();
    for (rank, index) in order.iter().enumerate() {
        let ConstantLevel { letter, sentence, .. } = &all[*index];
        let mark = format!("{letter} = ");
        let mut own = Lines::new(style);
        let left = room.saturating_sub(count);
        // The first is always told; a line says which are not.
        let most = if rank == 0 { left.max(2) } else { usize::MAX };
        own.cut(6, &mark, sentence, Role::Plain, most);
        let rest = usize::from(rank + 1 < order.len());
        if rank == 0 || own.count() + rest <= left {
            count += own.count();
            told.push((*index, own.finish()));
        }
    }
    told.sort_by_key(|(index, _)| *index);
    told.iter().for_each(|(_, text)| lines.push(text));
    let is_told = |index: usize| told.iter().any(|(known, _)| *known == index);
    let others = all.iter().enumerate().filter(|(index, _)| !is_told(*index));
    let others: Vec<&str> = others.map(|(_, level)| level.letter.as_str()).collect();
    if !others.is_empty() {
        let verb = if others.len() == 1 { "changes" } else { "change" };
        lines.hanging(6, "", &format!("{} {verb} too", others.join(", ")), Role::Plain);
    }
}

/// For each term the letter of its constant, if that has levels.
fn letters(fit: &Fit) -> Vec<Option<String>> {
    let is_free = |letter: &char| {
        let letter = letter.to_string();
        !fit.variables.contains(&letter) && !fit.recorded.contains(&letter)
    };
    let mut free = LETTERS.chars().filter(is_free);
    let letter = |changes: &Vec<_>| {
        if changes.is_empty() { None } else { free.next().map(String::from) }
    };
    fit.changes.iter().map(letter).collect()
}

/// `(f[0], f[1]: not seen in the data)`
fn not_seen(fit: &Fit, unseen: &[usize], notation: Notation) -> String {
    /// More are counted.
    const MAX_NAMES: usize = 4;
    let name = |term: &usize| notation.text(&fit.constants[*term].constant);
    let mut names: Vec<String> = unseen.iter().take(MAX_NAMES).map(name).collect();
    if names.is_empty() {
        return String::new();
    }
    if unseen.len() > MAX_NAMES {
        names.push(format!("{} more", unseen.len() - MAX_NAMES));
    }
    format!("({}: not seen in the data)", names.join(", "))
}

/// Whether a term is left out: its constant may as well be 0, and the model is the same without it.
fn is_hidden(fit: &Fit, term: usize) -> bool {
    /// A share of the value that is less than any error that matters.
    const SHARE: f64 = 0.01;
    /// The same, of rounding.
    const ROUNDING: f64 = 1e-10;
    let mut own = fit.intervals.iter().filter_map(|interval| interval.constants.get(term));
    let is_held = |estimate: &Estimate| is_unseen(fit, term, estimate);
    let around_zero = |estimate: &Estimate| match (estimate.low, estimate.high) {
        (Some(low), Some(high)) => low <= 0.0 && 0.0 <= high,
        _ => false,
    };
    let is_one = fit.changes.get(term).is_none_or(Vec::is_empty);
    let is_known = own.clone().all(|estimate| estimate.value.is_some());
    let may_be_zero = own.clone().all(|estimate| is_held(estimate) || around_zero(estimate));
    own.all(is_held)
        || (is_one && may_be_zero && is_below(fit, term, SHARE))
        || (is_one && is_known && is_below(fit, term, ROUNDING))
}

/// Whether the term is less than this share of the value at all measured points.
fn is_below(fit: &Fit, term: usize, share: f64) -> bool {
    let columns: Option<Vec<usize>> =
        fit.variables.iter().map(|name| fit.recorded.iter().position(|r| r == name)).collect();
    let Some(columns) = columns else { return false };
    let points = fit.residuals.iter().filter(|residual| residual.excluded.is_none());
    points.clone().count() > 0
        && points.into_iter().all(|residual| {
            let at: Vec<f64> =
                columns.iter().filter_map(|c| residual.values.get(*c).copied()).collect();
            let Ok(terms) = fit.terms_at(&at) else { return false };
            let solution = fit.intervals.get(residual.interval).map(|i| &i.solution[..]);
            let constant = solution.and_then(|all| all.get(term));
            let part = constant.zip(terms.terms.get(term)).map(|(c, t)| (c * t).abs());
            part.is_some_and(|part| part <= share * residual.fitted.abs())
        })
}

/// The intervals that are printed, in their order: those of predictions, then those with most points.
fn shown(view: &ModelView<'_>) -> Vec<usize> {
    let fit = view.fit;
    let asked = view
        .predictions
        .iter()
        .filter_map(|prediction| Some(prediction.result.as_ref().ok()?.interval));
    let asked: Vec<usize> = asked.collect();
    let mut all: Vec<usize> = (0..fit.intervals.len()).collect();
    all.sort_by_key(|index| {
        (!asked.contains(index), std::cmp::Reverse(fit.intervals[*index].points))
    });
    all.truncate(MAX_INTERVALS);
    all.sort_unstable();
    all
}
