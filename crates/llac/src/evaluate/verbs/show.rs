//! `show`, `show f`.

use std::sync::Arc;

use super::Phrase;
use crate::display;
use crate::evaluate::arguments::Clauses;
use crate::evaluate::{Evaluator, Scope, Wrong};
use crate::printed::Printed;
use crate::value::Value;

impl Evaluator<'_> {
    /// All names, or a value.
    pub(super) fn show(&mut self, phrase: &Phrase<'_>, scope: &Scope<'_>) -> Result<Value, Wrong> {
        Clauses::new(phrase.verb, phrase.clauses, &[])?;
        match phrase.arguments {
            [] => {
                let names = self.names.clone();
                let json: serde_json::Map<String, serde_json::Value> = names
                    .iter()
                    .map(|(name, value)| {
                        let about = serde_json::json!({
                            "kind": value.kind(), "summary": display::brief(value),
                        });
                        (name.clone(), about)
                    })
                    .collect();
                let text = move |style: &cll_report::Style| {
                    display::overview(
                        names.iter().map(|(name, value)| (name.as_str(), value)),
                        style,
                    )
                };
                Ok(Value::Thing(Arc::new(Printed::styled(text, json.into()))))
            }
            [argument] => self.value(&argument.value, scope),
            several => {
                let values = several.iter().map(|argument| self.value(&argument.value, scope));
                Ok(Value::List(values.collect::<Result<Vec<_>, _>>()?.into()))
            }
        }
    }
}
