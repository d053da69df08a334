//! How good the model is.

use cll_fit::{BetweenRuns, Fit, Quality, Residual, Runs};

use crate::Notation;
use crate::document::{Block, Section};
use crate::style::{Role, Style};

/// Scaled condition numbers above this mean that terms can hardly be distinguished.
const MAX_CONDITION: f64 = 30.0;
/// Below this probability a lack of fit is significant.
const SIGNIFICANCE_LEVEL: f64 = 0.05;

/// Errors, lack of fit, condition, spread.
pub(crate) fn section(fit: &Fit, style: &Style) -> Section {
    let rows = rows(fit, style).into_iter().map(|(name, text, role)| (name.to_owned(), text, role));
    Section::new(
        "Quality",
        "error = (measured - model)/measured",
        vec![Block::Named(rows.collect())],
    )
}

/// Name and value of a measure of quality.
type QualityRow = (&'static str, String, Role);

/// Each measure of quality that is known.
fn rows(fit: &Fit, style: &Style) -> Vec<QualityRow> {
    let notation = style.notation();
    let quality = &fit.quality;
    let mut rows = vec![errors(fit, style), lack_of_fit(quality, notation)];
    rows.extend(undivided(fit, notation));
    rows.extend(quality.runs.as_ref().map(|runs| signs(runs, notation)));
    rows.push(condition(quality.condition, notation));
    rows.extend(repetitions(quality, notation));
    rows.extend(fit.between_runs.as_ref().map(|between| between_runs(between, notation)));
    if let Some(r2) = quality.r2_adjusted {
        let name = style.glyph("adjusted R²", "adjusted R2");
        rows.push((name, share_of_variance(r2), Role::Plain));
    }
    rows
}

/// The errors of the formula at the points.
fn errors(fit: &Fit, style: &Style) -> QualityRow {
    let notation = style.notation();
    let quality = &fit.quality;
    let mut errors = format!(
        "median {}, 90 % of the points within {}, largest {}",
        notation.percent(quality.median_error),
        notation.percent(quality.p90_error),
        notation.percent(quality.largest_error),
    );
    if let Some(worst) = worst(fit)
        && !worst.values.is_empty()
    {
        errors.push_str(&format!(" at {}", place(fit, worst, style)));
    }
    ("error", errors, Role::Plain)
}

/// The errors that repetitions do not explain.
fn lack_of_fit(quality: &Quality, notation: Notation) -> QualityRow {
    let (text, role) = match &quality.lack_of_fit {
        None if quality.exact_misfit == Some(0.0) => (
            "none: the observations repeat exactly, and the formula gives them".to_owned(),
            Role::Good,
        ),
        None if quality.exact_misfit.is_some() => {
            ("all of the errors: the observations repeat exactly".to_owned(), Role::Caution)
        }
        None => (
            "not known: it needs repetitions and more points than constants".to_owned(),
            Role::Plain,
        ),
        Some(lack) if lack.p_value >= SIGNIFICANCE_LEVEL => (
            format!(
                "none seen: the repetitions explain the errors (F = {}, p = {})",
                notation.number(rounded(lack.f)),
                notation.number(rounded(lack.p_value))
            ),
            Role::Good,
        ),
        Some(lack) => (
            format!(
                "{} more than the repetitions explain (F = {}, p {})",
                notation.percent(lack.size),
                notation.number(rounded(lack.f)),
                if lack.p_value < 1e-4 {
                    "< 0.0001".to_owned()
                } else {
                    format!("= {}", notation.number(rounded(lack.p_value)))
                }
            ),
            Role::Caution,
        ),
    };
    ("lack of fit", text, role)
}

/// The errors with one interval or level beside those of the fit; `None` if the fit has only one.
fn undivided(fit: &Fit, notation: Notation) -> Option<QualityRow> {
    let quality = &fit.quality;
    let interval = quality.one_interval.as_ref()?;
    let parts = match (fit.changes.is_empty(), fit.splits.is_empty()) {
        (false, _) => "levels".to_owned(),
        (true, true) => format!("{} intervals", fit.intervals.len()),
        (true, false) => format!("{} regions", fit.intervals.len()),
    };
    let mut text = format!(
        "the formula misses by {}; with {parts} by {} (root mean square)",
        notation.percent(interval.rmse_relative),
        notation.percent(quality.rmse_relative)
    );
    if let (Some(value), Some(divided)) = (interval.left_out, quality.left_out) {
        text.push_str(&format!(
            "; values that are left out are predicted to {}, with {parts} to {}",
            notation.percent(value),
            notation.percent(divided)
        ));
    }
    let name = if fit.changes.is_empty() { "one interval" } else { "one level" };
    Some((name, text, Role::Plain))
}

/// Whether neighbouring errors have the same sign.
fn signs(runs: &Runs, notation: Notation) -> QualityRow {
    let text = format!(
        "{} of {} residuals in the order of the axis, p = {} of so few or fewer",
        notation.count(runs.runs, "run of equal signs", "runs of equal signs"),
        runs.positive + runs.negative,
        notation.number(rounded(runs.p_value))
    );
    let role = if runs.p_value < SIGNIFICANCE_LEVEL { Role::Caution } else { Role::Good };
    ("signs", text, role)
}

/// How well the terms can be distinguished.
fn condition(condition: f64, notation: Notation) -> QualityRow {
    let number = notation.number(rounded(condition));
    if condition <= MAX_CONDITION {
        ("condition", format!("{number}: the terms can be distinguished (below 30)"), Role::Good)
    } else {
        (
            "condition",
            format!("{number}: some terms can hardly be distinguished (above 30)"),
            Role::Caution,
        )
    }
}

/// How much repetitions differ; `None` if no point was repeated.
fn repetitions(quality: &Quality, notation: Notation) -> Option<QualityRow> {
    if quality.repetitions.1 <= 1 {
        return None;
    }
    let mut text = match quality.repetition_spread {
        Some(spread) => format!("spread by {}", notation.percent(spread)),
        None => "spread not known".to_owned(),
    };
    if let Some(limit) = quality.spike_threshold {
        text.push_str(&match quality.spike_rate {
            0.0 => format!("; no spike (above {} their point's median)", notation.ratio(limit)),
            rate => format!(
                "; {} are spikes (above {} their point's median)",
                notation.percent(rate),
                notation.ratio(limit)
            ),
        });
    }
    Some(("repetitions", text, Role::Plain))
}

/// How much runs differ.
fn between_runs(between: &BetweenRuns, notation: Notation) -> QualityRow {
    let text = if between.deviation > 0.0 {
        format!(
            "{} differ by {}, which all intervals contain",
            between.runs,
            notation.percent(between.deviation)
        )
    } else {
        format!("{} differ no more than their repetitions explain", between.runs)
    };
    ("runs", text, Role::Plain)
}

/// Three digits of the difference to 1: `0.99987`, never a rounded `1.000`.
fn share_of_variance(r2: f64) -> String {
    let lacking = 1.0 - r2;
    if !(1e-12..1.0).contains(&lacking) {
        return format!("{r2:.3}");
    }
    let digits = (1.0 - lacking.log10().floor()).clamp(3.0, 12.0) as usize;
    format!("{r2:.digits$}")
}

/// Three significant digits.
fn rounded(value: f64) -> f64 {
    if !value.is_finite() {
        return value;
    }
    format!("{value:.2e}").parse().unwrap_or(value)
}

fn worst(fit: &Fit) -> Option<&Residual> {
    let used = fit.residuals.iter().filter(|r| r.excluded.is_none());
    used.max_by(|a, b| a.error.abs().total_cmp(&b.error.abs()))
}

/// A point by the formula's variables, or by all if it has none: `N = 431, P = 2`.
fn place(fit: &Fit, residual: &Residual, style: &Style) -> String {
    let notation = style.notation();
    let names = if fit.variables.is_empty() { &fit.recorded } else { &fit.variables };
    let pairs = names.iter().filter_map(|name| {
        let column = fit.recorded.iter().position(|r| r == name)?;
        let value = residual.values.get(column)?;
        Some(format!("{} = {}", notation.text(name), notation.number(*value)))
    });
    let pairs: Vec<String> = pairs.collect();
    if pairs.is_empty() { "its only point".to_owned() } else { pairs.join(", ") }
}
