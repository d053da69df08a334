//! A line for each prediction: its value, its interval, and how far it can be trusted.

use cll_fit::{Domain, Fit, PredictError, Prediction, Residual, Unit};
use cll_result::{DoubtKind, Doubts, PredictionView};

use super::lines::Lines;
use crate::Notation;
use crate::model::memory::CacheBeyond;
use crate::model::predictions::place;
use crate::model::{Causes, ModelView};
use crate::notation::scale::{UnitKind, unit_kind};
use crate::style::{Role, Style};
use crate::text::{columns, pad};
use cll_units::text::long_time;

/// The lines of the predictions, each by itself.
pub(super) fn text(experiment: &ModelView<'_>, doubts: &Doubts, style: &Style) -> Vec<String> {
    let (fit, notation) = (experiment.fit, style.notation());
    let shown = distinct(experiment.predictions);
    let rows: Vec<(String, Result<PredictedText, String>)> = shown
        .iter()
        .map(|view| {
            let row = match &view.result {
                Ok(prediction) => {
                    let causes = experiment.causes;
                    Ok(PredictedText::new((fit, causes), view, prediction, doubts, notation))
                }
                Err(error) => Err(notation.text(&reason(error, &label(fit, view, style)))),
            };
            (label(fit, view, style), row)
        })
        .collect();
    let numbers = || rows.iter().filter_map(|(_, row)| row.as_ref().ok());
    let labels = rows.iter().map(|(label, _)| columns(label)).max().unwrap_or(0);
    let values = numbers().map(|row| columns(&row.value)).max().unwrap_or(0);
    let ranges = numbers().map(|row| columns(&row.range)).max().unwrap_or(0);
    rows.iter()
        .map(|(label, row)| {
            let mut lines = Lines::new(style);
            match row {
                Ok(row) => {
                    let start = format!(
                        "{}   {}   {}",
                        pad(label, labels, false),
                        pad(&row.value, values, false),
                        pad(&row.range, ranges, false)
                    );
                    push(&mut lines, &start, &row.words, row.role, style);
                }
                Err(why) => {
                    let text = format!("no prediction: {why}");
                    lines.short(2, &format!("{label}   "), &text, Role::Caution);
                }
            }
            lines.finish()
        })
        .collect()
}

fn push(lines: &mut Lines<'_>, start: &str, words: &str, role: Role, style: &Style) {
    if 2 + columns(start) + 3 + columns(words) <= style.columns() {
        lines.push(&format!("  {start}   {}\n", style.paint(role, words)));
    } else {
        let start = start.trim_end();
        if 2 + columns(start) <= style.columns() {
            lines.push(&format!("  {start}\n"));
        } else {
            lines.hanging(2, "", start, Role::Plain);
        }
        lines.hanging(4, "", words, role);
    }
}

/// Why there is no prediction, without what stands beside it or in the long report.
pub(super) fn reason(error: &PredictError, label: &str) -> String {
    let text = error.to_string();
    let text = match text.strip_prefix("no prediction at ").and_then(|text| text.split_once(": ")) {
        Some((_, why)) => why.to_owned(),
        None => text,
    };
    let text = text.split(';').next().unwrap_or_default();
    text.trim_end_matches(": no prediction").replace(&format!(", and at {label} "), ", and ")
}

/// The largest measured value of the only variable, with what was measured there.
pub(super) fn largest(fit: &Fit, notation: Notation) -> Option<String> {
    let [variable] = &fit.variables[..] else { return None };
    let column = fit.recorded.iter().position(|name| name == variable)?;
    let points = fit.residuals.iter().filter(|residual| residual.excluded.is_none());
    let value = |residual: &Residual| residual.values.get(column).copied().unwrap_or(f64::NAN);
    let largest = points.max_by(|a, b| value(a).total_cmp(&value(b)))?;
    let runs = largest.spread.count;
    Some(format!(
        "measured at the largest {}, {}: {} ({})",
        notation.text(variable),
        notation.number(value(largest)),
        notation.quantity(largest.measured, &fit.unit),
        notation.count(runs, "run", "runs")
    ))
}

/// Predictions without repetition: that of an experiment without the varied variable is told once.
pub(super) fn distinct(all: &[PredictionView]) -> Vec<&PredictionView> {
    let mut shown: Vec<&PredictionView> = Vec::new();
    for view in all {
        if !shown.iter().any(|other| other.at == view.at && other.measured == view.measured) {
            shown.push(view);
        }
    }
    shown
}

/// `N = 3000`
pub(super) fn label(fit: &Fit, view: &PredictionView, style: &Style) -> String {
    match place(fit, &view.at, style) {
        label if label.is_empty() => "at any size".to_owned(),
        label => label,
    }
}

/// A predicted value in words.
pub(crate) struct PredictedText {
    pub value: String,
    /// In brackets.
    pub range: String,
    pub words: String,
    pub role: Role,
}

impl PredictedText {
    pub fn new(
        (fit, causes): (&Fit, Causes<'_>),
        view: &PredictionView,
        prediction: &Prediction,
        doubts: &Doubts,
        notation: Notation,
    ) -> PredictedText {
        let unit = &prediction.unit;
        let (value, range) = match prediction.band {
            Some(band) => {
                let value = notation.within(prediction.value, band.low, band.high, unit);
                let range = bracketed((band.low, band.high), &value, unit, notation);
                (value, range)
            }
            None => (notation.quantity(prediction.value, unit), "(interval not known)".to_owned()),
        };
        let (mut words, mut role) = whereabouts(fit, prediction, notation);
        if let Domain::Beyond { variable, value, nearest, .. } = &prediction.domain
            && let Some(memory) = causes.memory.filter(|_| *unit == Unit::Seconds)
            && let Some(CacheBeyond::Holds { cache: (cache, _), bytes }) =
                memory.beyond(fit, variable, (*nearest, *value))
        {
            let bytes = notation.rounded(bytes, 3, &Unit::Other("B".to_owned()));
            words.push_str(&format!(": holds while {bytes} stay in {}", notation.text(cache)));
        }
        if let (Some(measured), Some(error)) = (view.measured, view.error()) {
            let error = notation.percent(error.abs());
            words = format!("measured {}, error {error}", notation.quantity(measured, unit));
        }
        for doubt in doubts {
            words.push_str(match doubt.kind {
                DoubtKind::NotMeasurable => ", not measurable",
                DoubtKind::Disturbed => ", disturbed",
                DoubtKind::Predicted => ", of another machine",
            });
            role = if doubt.kind == DoubtKind::NotMeasurable { Role::Bad } else { Role::Caution };
        }
        let is_time = matches!(unit_kind(unit), UnitKind::Seconds);
        if let Some(clock) = long_time(prediction.value).filter(|_| is_time) {
            words = format!("{clock}, {words}");
        }
        PredictedText { value, range, words, role }
    }
}

/// `(49 to 63)`: the unit is that of the value, if it has the same prefix.
fn bracketed((low, high): (f64, f64), value: &str, unit: &Unit, notation: Notation) -> String {
    let (first, last) = (notation.rounded(low, 6, unit), notation.rounded(high, 6, unit));
    if first == last {
        return "(exact)".to_owned();
    }
    let range = notation.range(low, high, unit);
    let suffix = value.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
    let ends = range.strip_suffix(suffix).filter(|_| !suffix.is_empty()).unwrap_or(&range);
    // Ends with prefixes of their own keep them.
    let is_plain = ends.split(" to ").all(|end| !end.contains(' '));
    let range = if is_plain { ends } else { &range };
    if range.starts_with('(') { range.to_owned() } else { format!("({range})") }
}

/// `inside the data`, `5.7 times beyond the data`
pub(super) fn whereabouts(
    fit: &Fit,
    prediction: &Prediction,
    notation: Notation,
) -> (String, Role) {
    let text = match &prediction.domain {
        _ if prediction.follows => return ("inside the data".to_owned(), Role::Good),
        Domain::Inside { .. } => return ("inside the data".to_owned(), Role::Good),
        Domain::Between { split: None, .. } => "between two intervals".to_owned(),
        Domain::Between { .. } => "between two regions".to_owned(),
        Domain::Apart { .. } => "not measured together".to_owned(),
        Domain::Beyond { variable, value, nearest, factor } => {
            let side = if value > nearest { "beyond" } else { "below" };
            let times =
                factor.map_or(String::new(), |factor| format!("{} ", times(factor, notation)));
            let suffix = match fit.variables.len() {
                1 => String::new(),
                _ => format!(" ({})", notation.text(variable)),
            };
            format!("{times}{side} the data{suffix}")
        }
    };
    (text, Role::Caution)
}

/// `5.7 times`
fn times(factor: f64, notation: Notation) -> String {
    let text = notation.ratio(factor);
    format!("{} times", text.trim_end_matches(['×', 'x']))
}

/// Predictions for which a value was not given, each sentence once.
pub(super) fn missing<'a>(
    failures: impl Iterator<Item = (&'a PredictError, &'a str)>,
) -> Vec<&'a str> {
    let mut texts: Vec<&str> = Vec::new();
    for (_, text) in failures.filter(|(error, _)| matches!(error, PredictError::Missing { .. })) {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}
