//! The constants of a model, and its points, as tables.

use cll_fit::Segment;

use super::Model;
use crate::error::Error;
use crate::value::{Cells, Column, Quantity, Table, Unit, Words};

impl Model {
    /// Each constant in each interval where it holds: value, interval, and where.
    pub(crate) fn constants(&self, experiment: usize) -> Option<Table> {
        let fit = self.fit(experiment).ok()?;
        let axis = fit.axis.clone().unwrap_or_default();
        let mut names = Vec::new();
        let mut terms = Vec::new();
        let mut numbers: [Vec<f64>; 6] = Default::default();
        for constant in &fit.constants {
            for segment in &constant.segments {
                names.push(constant.constant.clone());
                terms.push(constant.term.clone());
                let estimate = &segment.estimate;
                let (from, to) = fit.measured_range(segment);
                let row = [
                    estimate.value,
                    estimate.low,
                    estimate.high,
                    estimate.standard_error,
                    Some(from),
                    Some(to),
                ];
                for (all, value) in numbers.iter_mut().zip(row) {
                    all.push(value.unwrap_or(f64::NAN));
                }
            }
        }
        let [value, low, high, error, from, to] = numbers;
        let unit = Unit::of_fit(&fit.unit);
        let with = |values: Vec<f64>| Column { values: values.into(), unit: unit.clone() };
        let mut table = Table::new()
            .with("constant", Cells::Words(Words::from_rows(names)))
            .with("term", Cells::Words(Words::from_rows(terms)))
            .numbers("value", with(value))
            .numbers("low", with(low))
            .numbers("high", with(high))
            .numbers("error", with(error));
        if !axis.is_empty() {
            table = table
                .numbers(format!("from_{axis}"), Column::plain(from))
                .numbers(format!("to_{axis}"), Column::plain(to));
        }
        Some(table)
    }

    /// The fitted points: values, measured, fitted, relative error.
    pub(crate) fn points(&self, experiment: usize) -> Option<Table> {
        let fit = self.fit(experiment).ok()?;
        let unit = Unit::of_fit(&fit.unit);
        let mut table = Table::new();
        for (k, name) in fit.recorded.iter().enumerate() {
            let values = fit.residuals.iter().map(|residual| residual.values[k]);
            table = table.numbers(name.clone(), Column::plain(values.collect::<Vec<_>>()));
        }
        let values_of = |get: fn(&cll_fit::Residual) -> f64| {
            fit.residuals.iter().map(get).collect::<std::sync::Arc<[f64]>>()
        };
        let with = |values| Column { values, unit: unit.clone() };
        let table = table
            .numbers("measured", with(values_of(|residual| residual.measured)))
            .numbers("fitted", with(values_of(|residual| residual.fitted)))
            .numbers("error", Column::plain(values_of(|residual| residual.error)));
        Some(table)
    }

    /// The constant of this number, `f[2]`: one for each interval.
    ///
    /// # Errors
    /// If there is no such constant.
    pub fn constant(&self, number: usize) -> Result<Vec<Quantity>, Error> {
        let experiment = self.only()?;
        let fit = self.fit(experiment)?;
        let name = format!("{}[{number}]", fit.formula.experiment());
        let Some(position) = fit.constants.iter().position(|values| values.constant == name) else {
            let known = fit.constants.iter().map(|values| values.constant.clone()).collect();
            return Err(Error::NoConstant { name, known });
        };
        let unit = Unit::of_fit(&fit.unit);
        let doubtful = !self.doubts(experiment).is_measurable();
        let quantity = |(index, segment): (usize, &Segment)| {
            let estimate = &segment.estimate;
            let value = estimate.value.ok_or_else(|| Error::Undetermined(name.clone()))?;
            let column = fit.column(position, index);
            let parts = self.parts_of_constant(experiment, segment.first_interval, column);
            let band = estimate.low.zip(estimate.high);
            Ok(Quantity { parts, band, doubtful, ..Quantity::with_unit(value, unit.clone()) })
        };
        fit.constants[position].segments.iter().enumerate().map(quantity).collect()
    }
}
