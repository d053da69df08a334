//! A comparison as text and JSON.

use cll_diagnostic::counted;
use cll_report::{Column, Notation, Style, Table};
use serde_json::{Value as Json, json};

use super::{Comparison, Judgement, Verdict};
use crate::display::{of_number, of_table};
use crate::normal::deviations;
use crate::value::Quantity;
use cll_units::text::{self, PercentDigits};

/// Points that are shown.
const SHOWN: usize = 24;

impl Comparison {
    /// The verdicts first, then constants, then points.
    pub fn text(&self, style: &Style, _: f64) -> String {
        let notation = if style.unicode { Notation::Unicode } else { Notation::Ascii };
        let mut text = String::new();
        for (k, model) in self.models.iter().enumerate() {
            if let Some(judgement) = &model.judgement {
                text.push_str(&self.sentence(k, &model.name, judgement));
            }
        }
        for (model, misfit) in &self.misfits {
            text.push_str(&format!(
                "{model} is no sum of the fitted terms: the nearest sum differs by up to {}\n",
                percent(*misfit)
            ));
        }
        if !self.constants.is_empty() {
            text.push('\n');
            text.push_str(&self.constants_text(style, notation));
        }
        text.push('\n');
        text.push_str(&self.points_text(style, notation));
        text
    }

    fn sentence(&self, k: usize, name: &str, judged: &Judgement) -> String {
        let Judgement {
            verdict,
            points,
            failing,
            open,
            median_error,
            largest_error,
            worst,
            inside,
            ..
        } = judged;
        let all = counted(*points, "point", "points");
        let every = if *points == 1 { "its only point".to_owned() } else { format!("all {all}") };
        let tolerance = percent(self.tolerance);
        let confidence = percent(self.confidence);
        let errors = match worst {
            Some(worst) => format!(
                "median error {}, largest {} at {}",
                percent(*median_error),
                percent(*largest_error),
                self.place(*worst)
            ),
            None => String::new(),
        };
        let mut text = match verdict {
            Verdict::Confirmed => format!(
                "{name}: confirmed. At {every} its error is within {tolerance}, with {confidence} \
                 confidence ({errors}).\n"
            ),
            Verdict::Rejected => format!(
                "{name}: rejected. At {} of {all} its error is beyond {tolerance}, with {confidence} \
                 confidence ({errors}).\n  It fails {}.\n",
                failing.len(),
                self.region(k, failing)
            ),
            Verdict::CannotTell => format!(
                "{name}: cannot tell. At {} of {all} its error may be within {tolerance} or beyond it \
                 ({errors}).\n  More repetitions there would tell: {}.\n",
                open.len(),
                self.region(k, open)
            ),
            Verdict::NoPoints => {
                format!("{name}: not tested. No point was measured at which it has a value.\n")
            }
        };
        if inside.1 > 0 {
            let share = percent(inside.0 as f64 / inside.1 as f64);
            text.push_str(&format!(
                "  {} of {} ({share}) are in its {confidence} intervals.\n",
                inside.0,
                counted(inside.1, "measured value", "measured values")
            ));
        }
        text
    }

    /// The values at a point.
    fn place(&self, point: usize) -> String {
        let values = self.variables.iter().zip(&self.points[point].coordinates);
        values.map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
    }

    /// The values that some points have, and in which direction the model errs there.
    fn region(&self, model: usize, points: &[usize]) -> String {
        let ranges = self.variables.iter().enumerate().map(|(k, name)| {
            let values = points.iter().map(|point| self.points[*point].coordinates[k]);
            let (low, high) = values
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                    (low.min(value), high.max(value))
                });
            if low == high {
                format!("{name} = {low}")
            } else {
                format!("{name} = {low} to {high}")
            }
        });
        let ranges: Vec<String> = ranges.collect();
        let errors: Vec<f64> =
            points.iter().filter_map(|point| self.points[*point].error(model)).collect();
        let direction = match (errors.iter().all(|e| *e > 0.0), errors.iter().all(|e| *e < 0.0)) {
            (true, _) => ", always too low",
            (_, true) => ", always too high",
            _ => "",
        };
        format!("at {}{direction}", ranges.join(", "))
    }

    fn constants_text(&self, style: &Style, notation: Notation) -> String {
        let mut table = Table::new(vec![
            Column::left("constant"),
            Column::left("term"),
            Column::left("where"),
            Column::right("fitted"),
            Column::left("by"),
            Column::right("implied"),
            Column::right("ratio"),
            Column::left("agree"),
        ]);
        let z = deviations(self.confidence);
        let shown = |quantity: &Quantity| {
            let half = z * quantity.deviation();
            notation.plus_minus(
                quantity.value,
                if half > 0.0 { half } else { f64::NAN },
                &quantity.unit.to_fit(),
            )
        };
        for row in &self.constants {
            table.row([
                row.constant.as_str().into(),
                row.term.as_str().into(),
                row.place.as_str().into(),
                shown(&row.fitted).into(),
                row.model.as_str().into(),
                shown(&row.implied).into(),
                format!("{:.3}", row.implied.value / row.fitted.value).into(),
                (if row.agrees { "yes" } else { "no" }).into(),
            ]);
        }
        table.render(style, 0)
    }

    fn points_text(&self, style: &Style, notation: Notation) -> String {
        let z = deviations(self.confidence);
        let mut columns: Vec<Column> =
            self.variables.iter().map(|name| Column::right(name)).collect();
        if !self.measured.is_empty() {
            columns.push(Column::right("measured"));
        }
        for model in &self.models {
            columns.push(Column::right(&model.name));
            columns.push(Column::left(""));
            if !self.measured.is_empty() {
                columns.push(Column::right("error"));
            }
        }
        let mut table = Table::new(columns);
        let unit = self.unit.to_fit();
        for point in self.points.iter().take(SHOWN) {
            let mut cells: Vec<cll_report::Cell> =
                point.coordinates.iter().map(|value| format!("{value}").into()).collect();
            if !self.measured.is_empty() {
                let measured = point
                    .measured
                    .map(|measurement| notation.rounded(measurement.median, 3, &unit));
                cells.push(measured.unwrap_or_default().into());
            }
            for (k, value) in point.values.iter().enumerate() {
                match value {
                    Ok(value) => {
                        let half =
                            point.interval(k, z).map_or(0.0, |(low, high)| (high - low) / 2.0);
                        let (number, half) = if half > 0.0 {
                            notation.plus_minus_parts(value.value, half, &unit)
                        } else {
                            (notation.rounded(value.value, 3, &unit), String::new())
                        };
                        cells.push(number.into());
                        let beyond = if value.beyond { " beyond the data" } else { "" };
                        let doubt = if value.doubtful { " not measurable" } else { "" };
                        cells.push(format!("{half}{beyond}{doubt}").into());
                    }
                    Err(_) => cells.extend(["none".into(), "".into()]),
                }
                if !self.measured.is_empty() {
                    let error = point.error(k).map(signed_percent);
                    cells.push(error.unwrap_or_default().into());
                }
            }
            table.row(cells);
        }
        let more = self.points.len().saturating_sub(SHOWN);
        let mut text = table.render(style, 0);
        if more > 0 {
            text.push_str(&format!("and {more} more points; `print` shows all\n"));
        }
        let failure = self
            .points
            .iter()
            .flat_map(|point| &point.values)
            .find_map(|quantity| quantity.as_ref().err());
        if let Some(why) = failure {
            text.push_str(&format!("none: {why}\n"));
        }
        text
    }

    /// All of it.
    pub fn json(&self, _: f64) -> Json {
        let models = self.models.iter().map(|model| {
            let judged = model.judgement.as_ref().map(|judgement| {
                json!({
                    "verdict": judgement.verdict.words(),
                    "points": judgement.points,
                    "failing": judgement.failing,
                    "open": judgement.open,
                    "median_error": judgement.median_error,
                    "largest_error": judgement.largest_error,
                    "worst": judgement.worst,
                    "inside": judgement.inside.0,
                    "with_interval": judgement.inside.1,
                    "p": judgement.p,
                })
            });
            json!({ "name": model.name, "judgement": judged })
        });
        let constants = self.constants.iter().map(|row| {
            json!({
                "constant": row.constant,
                "term": row.term,
                "where": row.place,
                "fitted": of_number(&row.fitted, self.confidence),
                "model": row.model,
                "implied": of_number(&row.implied, self.confidence),
                "agrees": row.agrees,
            })
        });
        let misfits =
            self.misfits.iter().map(|(model, error)| json!({ "model": model, "error": error }));
        json!({
            "measured": self.measured,
            "tolerance": self.tolerance,
            "confidence": self.confidence,
            "models": models.collect::<Vec<_>>(),
            "constants": constants.collect::<Vec<_>>(),
            "misfits": misfits.collect::<Vec<_>>(),
            "points": of_table(&self.table()),
        })
    }
}

fn percent(share: f64) -> String {
    text::percent(share, PercentDigits::Few)
}

fn signed_percent(share: f64) -> String {
    text::percent(share, PercentDigits::Change)
}
