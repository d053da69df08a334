//! Evaluation of expressions.

mod arguments;
mod arithmetic;
mod builtin;
mod call;
mod columns;
mod expression;
mod groups;
mod limits;
mod member;
mod names;
pub(crate) mod verbs;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cll_diagnostic::Diagnostic;

pub(crate) use arithmetic::elements;
pub use builtin::BUILTINS;
pub(crate) use columns::{cells, ranges};
pub use limits::Limits;
pub(crate) use names::names_in;

use crate::host::Host;
use crate::samples::Frame;
use crate::syntax::ast::{Name, Span};
use crate::value::Value;

/// Values of arguments, with their names if they have one.
pub(crate) type Given = Vec<(Option<Name>, Value)>;

/// The error of a statement.
pub(crate) type Wrong = Box<Diagnostic>;

/// Everything that an expression may use.
pub(crate) struct Evaluator<'s> {
    /// The names of the session.
    pub names: &'s BTreeMap<String, Value>,
    /// The host: files and commands outside of the session.
    pub host: &'s dyn Host,
    /// Bounds of time, depth and memory.
    pub limits: Limits,
    /// Whether the user wants it to end.
    pub interrupted: &'s AtomicBool,
    /// Notices for the user, each once.
    pub notices: Vec<String>,
    /// Confidence of intervals.
    pub confidence: f64,
    /// Whether the columns are those of a group, of which functions make one value.
    pub is_group: bool,
    steps: u64,
    depth: usize,
}

/// Names that hold in a part of an expression, and the text its places refer to.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    /// The text of the statement, or of the function.
    pub text: &'a str,
    /// Parameters of the function.
    pub locals: &'a [(String, Value)],
    /// Columns of samples.
    pub frame: Option<&'a dyn Columns>,
}

/// Columns by name.
pub(crate) trait Columns {
    /// Number of rows.
    fn rows(&self) -> usize;

    /// The column of a name; `None`: there is no such column.
    fn get(&self, name: &str) -> Option<Value>;

    /// The names of all columns.
    fn all(&self) -> Vec<String>;
}

impl Columns for Frame<'_> {
    fn rows(&self) -> usize {
        self.len()
    }

    fn get(&self, name: &str) -> Option<Value> {
        self.column(name).map(|cells| Value::from_cells(&cells))
    }

    fn all(&self) -> Vec<String> {
        self.samples.column_names()
    }
}

impl Columns for crate::value::Table {
    fn rows(&self) -> usize {
        crate::value::Table::rows(self)
    }

    fn get(&self, name: &str) -> Option<Value> {
        self.column(name).map(Value::from_cells)
    }

    fn all(&self) -> Vec<String> {
        self.columns().iter().map(|(name, _)| name.clone()).collect()
    }
}

impl<'s> Evaluator<'s> {
    /// For one statement.
    pub fn new(
        names: &'s BTreeMap<String, Value>,
        host: &'s dyn Host,
        limits: Limits,
        interrupted: &'s AtomicBool,
    ) -> Evaluator<'s> {
        let notices = Vec::new();
        Evaluator {
            names,
            host,
            limits,
            interrupted,
            notices,
            confidence: 0.90,
            is_group: false,
            steps: 0,
            depth: 0,
        }
    }

    /// Counts work, of about a microsecond each.
    ///
    /// # Errors
    /// If there was too much, or the user ended it.
    pub fn step(&mut self, count: u64, span: &Span) -> Result<(), Wrong> {
        self.steps += count;
        if self.steps > self.limits.steps {
            let message = format!("this takes more than {} steps", self.limits.steps);
            return Err(error("L140", span, message)
                .help("a recursion that ends needs fewer; `limits` sets how many are allowed")
                .into());
        }
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(error("L141", span, "interrupted").into());
        }
        Ok(())
    }

    /// Something that the user should know; said once.
    pub fn notice(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !self.notices.contains(&text) {
            self.notices.push(text);
        }
    }

    /// Standard deviations of half an interval of the session's confidence.
    pub fn normal(&self) -> f64 {
        crate::normal::deviations(self.confidence)
    }
}

/// An error at a place.
pub(crate) fn error(code: &'static str, span: &Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(code, span.clone(), message)
}

/// A list of values.
pub(crate) fn list(values: Vec<Value>) -> Value {
    Value::List(Arc::from(values))
}
