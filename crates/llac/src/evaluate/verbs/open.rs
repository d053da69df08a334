//! `open "f.cll.1.dat", "f.cll.2.dat"`, `open "t.csv" by machine with column = time`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Phrase;
use super::export::refused;
use crate::evaluate::arguments::Clauses;
use crate::evaluate::{Evaluator, Scope, Wrong, error};
use crate::host::TableOptions;
use crate::syntax::ClauseWord;
use crate::value::Value;

impl Evaluator<'_> {
    /// Opens files and gives their contents by name: experiments, models, machines, logs.
    pub(super) fn open(&mut self, phrase: &Phrase<'_>, scope: &Scope<'_>) -> Result<Value, Wrong> {
        let known = [ClauseWord::By, ClauseWord::As, ClauseWord::With];
        let clauses = Clauses::new(phrase.verb, phrase.clauses, &known)?;
        let options = self.open_options(&clauses, scope)?;
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
        let opened =
            self.host.open(&files, &options).map_err(|refusal| refused(refusal, phrase.span))?;
        opened.notices.iter().for_each(|notice| self.notice(notice));
        let names: BTreeMap<String, Value> = opened.values.into_iter().collect();
        Ok(Value::Space(Arc::new(names)))
    }

    fn open_options(
        &mut self,
        clauses: &Clauses<'_>,
        scope: &Scope<'_>,
    ) -> Result<TableOptions, Wrong> {
        let by = clauses.single_value(ClauseWord::By)?.map(|expr| self.name_or_text(expr, scope));
        let table = match clauses.single_value(ClauseWord::As)? {
            None => false,
            Some(word) if self.as_written(word, scope) == "table" => true,
            Some(word) => {
                let wrong = error("L163", &word.span, "`open` knows `as table` only");
                return Err(wrong.help("a name is given so: `day = open …`").into());
            }
        };
        let mut options = clauses.options()?;
        let this = &*self;
        let mut text = |name: &str| -> Result<Option<String>, Wrong> {
            match options.take(name) {
                None => Ok(None),
                Some((_, Some(expr))) => Ok(Some(this.name_or_text(expr, scope))),
                Some((span, None)) => {
                    Err(error("L162", span, format!("`{name}` needs a value")).into())
                }
            }
        };
        let (column, unit) = (text("column")?, text("unit")?);
        options.end(&["column", "unit"])?;
        Ok(TableOptions { by, column, unit, table })
    }
}
