//! A session: names, and statements one after the other.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cll_diagnostic::Diagnostic;

use crate::host::Host;
use crate::syntax::ast::{Statement, StatementKind};
use crate::value::Value;

/// Names and what they name, and where files come from.
pub struct Session {
    host: Box<dyn Host>,
    names: BTreeMap<String, Value>,
    interrupted: Arc<AtomicBool>,
}

/// What a statement has done.
#[derive(Debug)]
pub struct Answer {
    /// The value to show; `None`: the statement shows nothing.
    pub value: Option<Value>,
    /// What the user should know about it.
    pub notices: Vec<Diagnostic>,
    /// Whether the session ends (`quit`).
    pub ends: bool,
}

impl Session {
    /// A session without names.
    pub fn new(host: Box<dyn Host>) -> Session {
        Session { host, names: BTreeMap::new(), interrupted: Arc::default() }
    }

    /// Evaluates a statement of `text`. Spans of the error are places in `text`.
    ///
    /// # Errors
    /// What is wrong with it. The names are as they were before.
    pub fn evaluate(&mut self, statement: &Statement, text: &str) -> Result<Answer, Diagnostic> {
        let _ = (&self.host, text);
        self.interrupted.store(false, Ordering::Relaxed);
        match &statement.kind {
            StatementKind::Value(_) => Ok(Answer { value: None, notices: Vec::new(), ends: false }),
            _ => Err(Diagnostic::error("L000", statement.span.clone(), "not yet")),
        }
    }

    /// Set to `true` from elsewhere, it ends the statement that is evaluated with an error.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupted)
    }

    /// The names, with the kind of each value in a word: `samples`, `model`.
    pub fn names(&self) -> impl Iterator<Item = (&str, &'static str)> {
        self.names.iter().map(|(name, value)| (name.as_str(), value.kind()))
    }

    /// What may stand after `NAME.`: columns of samples and tables, experiments of a model.
    pub fn members(&self, name: &str) -> Vec<String> {
        self.names.get(name).map_or_else(Vec::new, Value::members)
    }
}
