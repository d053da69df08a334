//! The values of the language.

mod column;
mod quantity;
mod table;
mod unit;

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use serde_json::Value as Json;

pub use column::{Column, Words};
pub use quantity::{Quantity, UncertaintySource};
pub use table::{Cells, Table};
pub use unit::Unit;

use crate::compare::Comparison;
use crate::experiment::Experiment;
use crate::function::Function;
use crate::model::{Model, Prediction};
use crate::refusal::Refusal;
use crate::samples::Samples;

/// A value of the language.
#[derive(Clone, Debug)]
pub enum Value {
    /// True or false.
    Bool(bool),
    /// A number with unit and uncertainty.
    Number(Quantity),
    /// A text.
    Text(Arc<str>),
    /// Many exact numbers of one unit.
    Column(Column),
    /// Many words.
    Words(Words),
    /// Many truth values.
    Truths(Arc<[bool]>),
    /// Values of any kind, such as numbers with their uncertainty.
    List(Arc<[Value]>),
    /// Named columns.
    Table(Arc<Table>),
    /// Samples of an experiment.
    Samples(Arc<Experiment>),
    /// A fitted model.
    Model(Arc<Model>),
    /// Predictions of a model.
    Prediction(Arc<Prediction>),
    /// Models compared.
    Comparison(Arc<Comparison>),
    /// A function of the user.
    Function(Arc<Function>),
    /// A plot.
    Plot(Arc<cll_report::PlotSpec>),
    /// A machine, a log, a profile, a program or a report.
    Thing(Arc<dyn Thing>),
    /// Named values, such as the experiments of a file.
    Space(Arc<BTreeMap<String, Value>>),
}

impl Value {
    /// An exact number without a unit.
    pub fn number(value: f64) -> Value {
        Value::Number(Quantity::exact(value))
    }

    /// A text.
    pub fn text(text: impl AsRef<str>) -> Value {
        Value::Text(Arc::from(text.as_ref()))
    }

    /// The content of a column.
    pub fn from_cells(cells: &Cells) -> Value {
        match cells {
            Cells::Numbers(column) => Value::Column(column.clone()),
            Cells::Words(words) => Value::Words(words.clone()),
            Cells::Truths(truths) => Value::Truths(Arc::clone(truths)),
        }
    }

    /// Samples.
    pub fn samples(samples: Samples) -> Value {
        Value::Samples(Arc::new(Experiment::new(samples)))
    }

    /// The kind in a word or two, as messages use it.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Bool(_) => "truth value",
            Value::Number(_) => "number",
            Value::Text(_) => "text",
            Value::Column(_) => "column of numbers",
            Value::Words(_) => "column of words",
            Value::Truths(_) => "column of truth values",
            Value::List(_) => "list",
            Value::Table(_) => "table",
            Value::Samples(_) => "samples",
            Value::Model(_) => "model",
            Value::Prediction(_) => "prediction",
            Value::Comparison(_) => "comparison",
            Value::Function(_) => "function",
            Value::Plot(_) => "plot",
            Value::Thing(thing) => thing.kind(),
            Value::Space(_) => "file",
        }
    }

    /// The kind with its article.
    pub fn a_kind(&self) -> String {
        match self {
            Value::Samples(_) => "samples".to_owned(),
            other => format!("a {}", other.kind()),
        }
    }

    /// Lists the names that may stand after a dot.
    pub fn members(&self) -> Vec<String> {
        match self {
            Value::Samples(samples) => {
                let mut all = samples.column_names();
                all.push("formula".to_owned());
                all
            }
            Value::Table(table) => table.columns().iter().map(|(name, _)| name.clone()).collect(),
            Value::Model(model) => model.members(),
            Value::Prediction(prediction) => {
                prediction.table().columns().iter().map(|(name, _)| name.clone()).collect()
            }
            Value::Comparison(comparison) => {
                comparison.table().columns().iter().map(|(name, _)| name.clone()).collect()
            }
            Value::Space(names) => names.keys().cloned().collect(),
            Value::Thing(thing) => thing.members(),
            _ => Vec::new(),
        }
    }
}

/// A value whose content the language does not know: how it is shown, and what it is made of.
pub trait Thing: Debug + Send + Sync {
    /// The kind in a word: `machine`, `log`.
    fn kind(&self) -> &'static str;

    /// One line for `show`.
    fn summary(&self) -> String;

    /// The report that the program's commands print.
    fn text(&self, style: &cll_report::Style) -> String;

    /// The same as JSON.
    fn json(&self) -> Json;

    /// Lists the names that may stand after a dot.
    fn members(&self) -> Vec<String> {
        Vec::new()
    }

    /// Finds the value that a member's name stands for.
    fn member(&self, _name: &str) -> Option<Value> {
        None
    }

    /// Computes the value of a program or a log for values of its variables, such as its time; `None`: it cannot be
    /// called.
    fn call(&self, _at: &[(String, f64)], _confidence: f64) -> Option<Result<Quantity, String>> {
        None
    }

    /// Computes the cost at values of the variables, on a machine by its file or name.
    ///
    /// # Errors
    /// If it has no costs.
    fn cost(&self, _machine: Option<&str>, _at: &[Vec<(String, f64)>]) -> Result<Value, Refusal> {
        let message = format!("a {} has no costs by BSP", self.kind());
        Err(Refusal { message, help: vec!["programs (`.obsp.toml`) and logs have".to_owned()] })
    }

    /// The thing itself, for the program that made it.
    fn as_any(&self) -> &dyn Any;
}
