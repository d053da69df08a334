//! Models compared with each other and with measurements.
//!
//! A model is confirmed, rejected, or neither, by tests on its relative error at each measured point ([`verdict`]).
//! The paper asks for this: "confirm or reject the predictive accuracy of a given performance model, not just OBSP*"
//! (González et al., 2003, section 5).

mod constants;
mod display;
mod verdict;

pub use constants::{ConstantRow, constants};
pub use verdict::{Judgement, Verdict, verdict};

use crate::value::{Cells, Column, Quantity, Table, Unit};

/// Models at points, beside what was measured there.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Names of the variables.
    pub variables: Vec<String>,
    /// The models.
    pub models: Vec<Compared>,
    /// The points, in order.
    pub points: Vec<ComparedPoint>,
    /// Unit of all values.
    pub unit: Unit,
    /// Largest relative error of an accurate model.
    pub tolerance: f64,
    /// Confidence of tests and intervals.
    pub confidence: f64,
    /// The name of the measurements; empty: there are none.
    pub measured: String,
    /// The constants of fitted models beside those that the others imply.
    pub constants: Vec<ConstantRow>,
    /// By how much a model that is no sum of the fitted model's terms differs from such a sum, relative to it.
    pub misfits: Vec<(String, f64)>,
}

/// A model of a comparison.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The name of the model.
    pub name: String,
    /// The verdict; `None` without measurements.
    pub judgement: Option<Judgement>,
}

/// A point of a comparison.
#[derive(Clone, Debug)]
pub struct ComparedPoint {
    /// Values of the variables.
    pub coordinates: Vec<f64>,
    /// The measured repetitions, if there are any.
    pub measured: Option<MeasuredPoint>,
    /// The value of each model, or why there is none.
    pub values: Vec<Result<Quantity, String>>,
}

/// The repetitions of a measured point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredPoint {
    /// Their median.
    pub median: f64,
    /// Standard deviation of the median.
    pub deviation: f64,
    /// How many.
    pub count: usize,
}

impl ComparedPoint {
    /// (measured - model)/measured.
    pub fn error(&self, model: usize) -> Option<f64> {
        let measured = self.measured?.median;
        let value = self.values[model].as_ref().ok()?.value;
        (measured != 0.0).then(|| (measured - value) / measured)
    }

    /// Where the measured value is expected; `normal`: in standard deviations to both sides.
    ///
    /// The interval of a fitted model is that of a measurement aggregated like those of its fit. A composed value has
    /// the uncertainty of its parts, which are medians of many passages through each block; the median of the few
    /// passages that were measured varies beside that.
    pub fn interval(&self, model: usize, normal: f64) -> Option<(f64, f64)> {
        let value = self.values[model].as_ref().ok()?;
        let (low, high) = value.interval(normal)?;
        match (value.band, self.measured) {
            (None, Some(measured)) => {
                let half = normal * value.deviation().hypot(measured.deviation);
                Some((value.value - half, value.value + half))
            }
            _ => Some((low, high)),
        }
    }

    /// Standard deviation of the difference of a value and what was measured; that of a model's own prediction has the
    /// variation of measurements in it.
    pub fn deviation(&self, value: &Quantity, measured: MeasuredPoint) -> f64 {
        match value.band {
            Some(_) => value.deviation().max(measured.deviation),
            None => value.deviation().hypot(measured.deviation),
        }
    }

    /// Whether the measured value is in the model's interval.
    pub fn is_inside(&self, model: usize, normal: f64) -> Option<bool> {
        let measured = self.measured?.median;
        let (low, high) = self.interval(model, normal)?;
        Some((low..=high).contains(&measured))
    }
}

impl Comparison {
    /// One row for each point: values of variables, measured, each model with its interval and error.
    pub fn table(&self) -> Table {
        let z = crate::normal::deviations(self.confidence);
        let with = |values: Vec<f64>| Column { values: values.into(), unit: self.unit.clone() };
        let mut table = Table::new();
        for (k, name) in self.variables.iter().enumerate() {
            let values: Vec<f64> = self.points.iter().map(|point| point.coordinates[k]).collect();
            table = table.numbers(name.clone(), Column::plain(values));
        }
        if !self.measured.is_empty() {
            let medians =
                self.points.iter().map(|point| point.measured.map_or(f64::NAN, |m| m.median));
            table = table.numbers("measured", with(medians.collect()));
        }
        for (k, model) in self.models.iter().enumerate() {
            let column = |get: &dyn Fn(&Quantity) -> f64| -> Vec<f64> {
                let value_at =
                    |point: &ComparedPoint| point.values[k].as_ref().map_or(f64::NAN, get);
                self.points.iter().map(value_at).collect()
            };
            let name = &model.name;
            let end = |get: fn((f64, f64)) -> f64| -> Vec<f64> {
                self.points.iter().map(|point| point.interval(k, z).map_or(f64::NAN, get)).collect()
            };
            table = table
                .numbers(name.clone(), with(column(&|value| value.value)))
                .numbers(format!("{name}_low"), with(end(|pair| pair.0)))
                .numbers(format!("{name}_high"), with(end(|pair| pair.1)));
            if !self.measured.is_empty() {
                let errors = self.points.iter().map(|point| point.error(k).unwrap_or(f64::NAN));
                table = table
                    .numbers(format!("{name}_error"), Column::plain(errors.collect::<Vec<_>>()));
            }
            let inside = self
                .points
                .iter()
                .map(|point| point.values[k].as_ref().is_ok_and(|value| !value.beyond));
            table = table.with(format!("{name}_inside"), Cells::Truths(inside.collect()));
        }
        table
    }

    /// In a line.
    pub fn summary(&self) -> String {
        let each = self.models.iter().map(|model| match &model.judgement {
            Some(judgement) => format!("{} {}", model.name, judgement.verdict.words()),
            None => model.name.clone(),
        });
        each.collect::<Vec<_>>().join(", ")
    }
}
