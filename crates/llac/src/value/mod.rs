//! The values of the language.

mod column;
mod quantity;
mod table;
mod unit;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use column::{Column, Words};
pub use quantity::{Quantity, Source};
pub use table::{Cells, Table};
pub use unit::Unit;

use crate::compare::Comparison;
use crate::evaluate::Function;
use crate::model::{Model, Prediction};
use crate::samples::Samples;
use crate::thing::Thing;

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
    Samples(Arc<Samples>),
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

    /// What may stand after a dot.
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
