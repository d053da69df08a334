//! `open "f.cll.1.dat", "f.cll.2.dat"`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Phrase;
use super::export::refused;
use crate::evaluate::arguments::Clauses;
use crate::evaluate::{Evaluator, Scope, Wrong, error};
use crate::value::Value;

impl Evaluator<'_> {
    /// What files hold, by name: experiments, models, machines, logs.
    pub(super) fn open(&mut self, phrase: &Phrase<'_>, scope: &Scope<'_>) -> Result<Value, Wrong> {
        Clauses::new(phrase.verb, phrase.clauses, &[])?;
        let mut files = Vec::new();
        for argument in phrase.arguments {
            match self.value(&argument.value, scope)? {
                Value::Text(file) => files.push(file.to_string()),
                other => {
                    let message = format!("`open` takes names of files, not {}", other.a_kind());
                    let wrong = error("L172", &argument.value.span, message);
                    return Err(wrong.help("such as `open \"fft.cll.1.dat\"`").into());
                }
            }
        }
        if files.is_empty() {
            return Err(error("L172", phrase.span, "`open` takes names of files").into());
        }
        let opened = self.host.open(&files).map_err(|refusal| refused(refusal, phrase.span))?;
        opened.notices.iter().for_each(|notice| self.notice(notice));
        let names: BTreeMap<String, Value> = opened.values.into_iter().collect();
        Ok(Value::Space(Arc::new(names)))
    }
}
