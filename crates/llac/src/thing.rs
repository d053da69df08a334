//! Values that the program makes: machines, logs, profiles, programs, reports.

use std::fmt::Debug;

use serde_json::Value as Json;

use crate::Refusal;
use crate::value::{Quantity, Value};

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

    /// What may stand after a dot.
    fn members(&self) -> Vec<String> {
        Vec::new()
    }

    /// What stands behind a member's name.
    fn member(&self, _name: &str) -> Option<Value> {
        None
    }

    /// What a program or a log gives for values of its variables, such as its time; `None`: it cannot be called.
    fn call(&self, _at: &[(String, f64)], _confidence: f64) -> Option<Result<Quantity, String>> {
        None
    }

    /// What it costs at values of its variables, on a machine by its file or name.
    ///
    /// # Errors
    /// If it has no costs.
    fn cost(&self, _machine: Option<&str>, _at: &[Vec<(String, f64)>]) -> Result<Value, Refusal> {
        let message = format!("a {} has no costs by BSP", self.kind());
        Err(Refusal { message, help: vec!["programs (`.obsp.toml`) and logs have".to_owned()] })
    }

    /// The thing itself, for the program that made it.
    fn as_any(&self) -> &dyn std::any::Any;
}
