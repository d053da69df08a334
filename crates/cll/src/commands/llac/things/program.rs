//! A program in formulas, and its times by BSP, OBSP and OBSP\*.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cll_analysis::machine::load;
use cll_analysis::obsp::{Described, ObspOptions, predict, price_logs};
use cll_llac::value::{Cells, Column, Quantity, Table, Unit, Value, Words};
use cll_llac::{Refusal, Thing};
use cll_machine::Machine;
use cll_model::{Draws, Rule};
use cll_report::Style;
use cll_result::obsp::{Prediction, Subject};
use serde_json::{Value as Json, json};

use super::super::heard::Heard;
use super::on_machine::needed;
use crate::failure::Failure;

/// A program in formulas, `NAME.obsp.toml`.
#[derive(Debug)]
pub struct Program {
    path: PathBuf,
    described: Arc<Described>,
}

impl Program {
    /// Reads it, and the models that it names.
    pub fn read(path: &Path, heard: &Heard) -> Result<Program, Failure> {
        Ok(Program { path: path.to_owned(), described: Arc::new(Described::read(path, heard)?) })
    }
}

impl Thing for Program {
    fn kind(&self) -> &'static str {
        "program"
    }

    fn summary(&self) -> String {
        self.path.display().to_string()
    }

    fn text(&self, _: &Style) -> String {
        self.described.text()
    }

    fn json(&self) -> Json {
        json!({ "file": self.path.display().to_string(), "text": self.described.text() })
    }

    fn call(&self, _: &[(String, f64)], _: f64) -> Option<Result<Quantity, String>> {
        let help = "on which machine? `fft = cost NAME on \"MACHINE\"` gives a function";
        Some(Err(help.to_owned()))
    }

    fn cost(&self, machine: Option<&str>, points: &[Vec<(String, f64)>]) -> Result<Value, Refusal> {
        let heard = Heard::default();
        let machine =
            load(Path::new(needed(machine)?), &heard).map_err(|failure| heard.refusal(failure))?;
        let on = ProgramCosts { described: Arc::clone(&self.described), machine };
        if points.iter().all(Vec::is_empty) {
            return Ok(Value::Thing(Arc::new(on)));
        }
        let all = points
            .iter()
            .map(|point| on.predicted(point, 0.90, &heard))
            .collect::<Result<Vec<_>, _>>();
        let all = all.map_err(|failure| heard.refusal(failure))?;
        Ok(Value::Table(Arc::new(table(&all))))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A program on a machine: a function of its variables.
#[derive(Debug)]
pub struct ProgramCosts {
    described: Arc<Described>,
    machine: Machine,
}

impl ProgramCosts {
    /// Computes the costs of the logs of a run on a machine, as a table.
    pub fn of_logs(paths: &[PathBuf], machine: &Path, heard: &Heard) -> Result<Value, Failure> {
        let machine = load(machine, heard)?;
        let prediction = price_logs(paths, &machine, heard)?;
        Ok(Value::Table(Arc::new(table(&[prediction]))))
    }

    fn predicted(
        &self,
        point: &[(String, f64)],
        confidence: f64,
        heard: &Heard,
    ) -> Result<Prediction, Failure> {
        let built = self.described.build(point, heard)?;
        if let Some(refusal) = built.refusals.first() {
            return Err(Failure::fit(refusal.to_string()));
        }
        let options = ObspOptions::default();
        let target = options.target(&self.machine, true);
        let subject = Subject {
            program: &built.program,
            quantities: built.quantities,
            values: point,
            measured: None,
            of_virtual_processors: false,
            notes: built.notes.iter().map(ToString::to_string).collect(),
        };
        let draws = Draws { confidence, ..Draws::default() };
        Ok(predict(subject, &target, &draws, false)?)
    }
}

impl Thing for ProgramCosts {
    fn kind(&self) -> &'static str {
        "program"
    }

    fn summary(&self) -> String {
        format!("{} on {}", self.described.name(), self.machine.name)
    }

    fn text(&self, _: &Style) -> String {
        format!("{}\n", self.summary())
    }

    fn json(&self) -> Json {
        json!({ "program": self.described.name(), "machine": self.machine.name })
    }

    /// The time by OBSP\*, with its interval.
    fn call(&self, point: &[(String, f64)], confidence: f64) -> Option<Result<Quantity, String>> {
        let heard = Heard::default();
        let prediction = match self.predicted(point, confidence, &heard) {
            Ok(prediction) => prediction,
            Err(failure) => return Some(Err(heard.refusal(failure).message)),
        };
        let model_result =
            prediction.models.iter().find(|model_result| model_result.model == Rule::ObspStar);
        let Some(model_result) = model_result else {
            return Some(Err("OBSP* gives no time".to_owned()));
        };
        Some(match &model_result.time {
            Some(time) => {
                let band = Some((time.low.get(), time.high.get()));
                Ok(Quantity { band, ..Quantity::with_unit(time.value.get(), Unit::seconds()) })
            }
            None => Err(model_result
                .missing
                .clone()
                .unwrap_or_else(|| "OBSP* gives no time".to_owned())),
        })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A row for each prediction and model.
fn table(all: &[Prediction]) -> Table {
    let mut names: Vec<String> = Vec::new();
    for name in all.iter().flat_map(|prediction| prediction.at.keys()) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let rows = || {
        all.iter().flat_map(|prediction| {
            prediction.models.iter().map(move |model_result| (prediction, model_result))
        })
    };
    let mut table = Table::new();
    for name in names {
        let value = |row: &Prediction| row.at.get(&name).and_then(Json::as_f64).unwrap_or(f64::NAN);
        let values: Vec<f64> = rows().map(|(prediction, _)| value(prediction)).collect();
        table = table.numbers(name.clone(), Column::plain(values));
    }
    let seconds = |values: Vec<f64>| Column { values: values.into(), unit: Unit::seconds() };
    let processors: Vec<f64> =
        rows().map(|(prediction, _)| f64::from(prediction.processors)).collect();
    table = table
        .with(
            "model",
            Cells::Words(Words::from_rows(
                rows().map(|(_, model_result)| model_result.model.name()),
            )),
        )
        .numbers("processors", Column::plain(processors));
    if all.iter().any(|prediction| prediction.measured.is_some()) {
        let measured = rows()
            .map(|(prediction, _)| prediction.measured.map_or(f64::NAN, cll_units::Seconds::get));
        table = table.numbers("measured", seconds(measured.collect()));
    }
    let time = |part: fn(&cll_model::Interval) -> f64| {
        seconds(
            rows()
                .map(|(_, model_result)| model_result.time.as_ref().map_or(f64::NAN, part))
                .collect(),
        )
    };
    table
        .numbers("value", time(|interval| interval.value.get()))
        .numbers("low", time(|interval| interval.low.get()))
        .numbers("high", time(|interval| interval.high.get()))
}
