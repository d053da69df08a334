//! Predictions of a model as a value: a report and a table.

use std::sync::Arc;

use cll_result::Predicted;

use super::Model;
use crate::value::{Cells, Column, Table, Unit, Words};

/// Predictions of a model.
#[derive(Clone, Debug)]
pub struct Prediction {
    /// The model.
    pub model: Arc<Model>,
    /// The predictions, in the order of experiments and values; their index is that in the model's file.
    pub predicted: Vec<Predicted>,
}

impl Prediction {
    /// One row for each: experiment, values, prediction, interval, interval of one run, whether it is inside the data.
    pub fn table(&self) -> Table {
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in self.predicted.iter().flat_map(|prediction| &prediction.at) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        let mut table = Table::new();
        if self.model.experiments.len() > 1 {
            let name_of = |predicted: &Predicted| {
                self.model.file.experiments[predicted.experiment].name.clone()
            };
            table = table.with(
                "experiment",
                Cells::Words(Words::from_rows(self.predicted.iter().map(name_of))),
            );
        }
        for name in names {
            let value_of = |predicted: &Predicted| {
                let coordinate = predicted.at.iter().find(|(known, _)| known == name);
                coordinate.map_or(f64::NAN, |(_, value)| *value)
            };
            let values: Vec<f64> = self.predicted.iter().map(value_of).collect();
            table = table.numbers(name, Column::plain(values));
        }
        let unit = self.predicted.first().map_or(Unit::NONE, |prediction| {
            let fit = self.model.file.experiments[prediction.experiment].fit.as_ref();
            fit.map_or(Unit::NONE, |fit| Unit::of_fit(&fit.unit))
        });
        let with = |part: fn(&cll_fit::Prediction) -> f64| {
            let value_of =
                |predicted: &Predicted| predicted.view.result.as_ref().map_or(f64::NAN, part);
            Column { values: self.predicted.iter().map(value_of).collect(), unit: unit.clone() }
        };
        let inside = |predicted: &Predicted| {
            let result = predicted.view.result.as_ref();
            result.is_ok_and(|prediction| !prediction.domain.is_extrapolation())
        };
        let measurable =
            |predicted: &Predicted| self.model.doubts(predicted.experiment).is_measurable();
        let is_measurable = self.predicted.iter().all(measurable);
        let table = table
            .numbers("value", with(|prediction| prediction.value))
            .numbers("low", with(|prediction| prediction.band.map_or(f64::NAN, |band| band.low)))
            .numbers("high", with(|prediction| prediction.band.map_or(f64::NAN, |band| band.high)))
            .numbers("run_low", with(|prediction| prediction.run.map_or(f64::NAN, |band| band.low)))
            .numbers(
                "run_high",
                with(|prediction| prediction.run.map_or(f64::NAN, |band| band.high)),
            )
            .with("inside", Cells::Truths(self.predicted.iter().map(inside).collect()));
        // A column that says so, where not all is as it should be.
        if is_measurable {
            table
        } else {
            table.with("measurable", Cells::Truths(self.predicted.iter().map(measurable).collect()))
        }
    }
}
