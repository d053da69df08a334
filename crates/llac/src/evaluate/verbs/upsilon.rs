//! `upsilon f`, `upsilon f into "f.html"` and `aleph m`: the sets of the 2003 paper (section 2.1), by the code of `cll upsilon show` and of reports.

use std::sync::Arc;

use cll_report::{Style, aleph_text};
use cll_result::ModelFile;

use super::Phrase;
use super::export::refused;
use crate::evaluate::arguments::{Clauses, only};
use crate::evaluate::{Evaluator, Scope, Wrong, error};
use crate::host::Regions;
use crate::printed::Printed;
use crate::syntax::ClauseWord;
use crate::value::Value;

impl Evaluator<'_> {
    /// The statements that the constants of an experiment stand for: Table 1 of the paper. Of a model also their values.
    pub(super) fn upsilon(
        &mut self,
        phrase: &Phrase<'_>,
        scope: &Scope<'_>,
    ) -> Result<Value, Wrong> {
        let clauses = Clauses::new(phrase.verb, phrase.clauses, &[ClauseWord::Into])?;
        let into = self.file_of(&clauses, scope)?;
        let expr = only(phrase.verb, phrase.arguments, "an experiment or a model", phrase.span)?;
        let asked = match self.value(expr, scope)? {
            Value::Samples(samples) => Regions {
                experiments: vec![samples.name.clone()],
                files: samples.places.iter().map(|place| place.file.clone()).collect(),
                beside: samples.context.files.clone(),
                // Only a page is of a model.
                model: match into {
                    Some(_) => Some(self.own_model(&samples, &expr.span)?.chosen()),
                    None => None,
                },
            },
            Value::Model(model) => {
                let file = model.chosen();
                let places = file.experiments.iter().flat_map(|experiment| &experiment.places);
                let named = |place: &String| {
                    place.rsplit_once(':').map_or(place.clone(), |(file, _)| file.to_owned())
                };
                Regions {
                    experiments: file
                        .experiments
                        .iter()
                        .map(|experiment| experiment.name.clone())
                        .collect(),
                    files: places.map(named).collect(),
                    beside: model
                        .samples
                        .iter()
                        .flat_map(|samples| samples.context.files.clone())
                        .collect(),
                    model: Some(file),
                }
            }
            other => {
                let message =
                    format!("`upsilon` takes an experiment or a model, not {}", other.a_kind());
                return Err(error("L183", &expr.span, message).into());
            }
        };
        if asked.files.is_empty() {
            let message = "it is not known which source these data are from";
            let wrong = error("L183", &expr.span, message);
            return Err(wrong
                .help("sets are of traces of annotated programs, and of their models")
                .into());
        }
        if let (Some(file), Some(model)) = (into, &asked.model) {
            let page = self.host.page(model, &asked.beside);
            let page = page.map_err(|refusal| refused(refusal, phrase.span))?;
            self.write(&file, page.as_bytes(), phrase.span)?;
            self.notice(format!("the page is {file}"));
            let done = Printed::text(String::new(), serde_json::json!({ "file": file }));
            return Ok(Value::Thing(Arc::new(done)));
        }
        let opened = self.host.upsilon(&asked).map_err(|refusal| refused(refusal, phrase.span))?;
        opened.notices.iter().for_each(|notice| self.notice(notice));
        let mut values: Vec<Value> = opened.values.into_iter().map(|(_, value)| value).collect();
        Ok(match values.len() {
            1 => values.swap_remove(0),
            _ => Value::List(values.into()),
        })
    }

    /// The values of constants with the intervals where they hold: Table 2 of the paper, for each model.
    pub(super) fn aleph(&mut self, phrase: &Phrase<'_>, scope: &Scope<'_>) -> Result<Value, Wrong> {
        Clauses::new(phrase.verb, phrase.clauses, &[])?;
        let mut models: Vec<ModelFile> = Vec::new();
        for argument in phrase.arguments {
            let expr = &argument.value;
            models.push(match self.value(expr, scope)? {
                Value::Model(model) => model.chosen(),
                Value::Samples(samples) => self.own_model(&samples, &expr.span)?.chosen(),
                other => {
                    let message = format!("`aleph` takes models, not {}", other.a_kind());
                    let wrong = error("L183", &expr.span, message);
                    return Err(wrong.help("such as `m = fit f; aleph m`").into());
                }
            });
        }
        if models.is_empty() {
            let wrong = error("L183", phrase.span, "`aleph` takes models");
            return Err(wrong.help("such as `m = fit f; aleph m`").into());
        }
        let json = serde_json::Value::Array(models.iter().flat_map(sets).collect());
        let text = move |style: &Style| {
            let each: Vec<String> = models.iter().map(|model| aleph_text(model, style)).collect();
            each.join("\n")
        };
        Ok(Value::Thing(Arc::new(Printed::styled(text, json))))
    }
}

/// The sets of each experiment.
fn sets(model: &ModelFile) -> Vec<serde_json::Value> {
    let host = model.machine.as_ref().map(|machine| machine.host.clone());
    let each = model.experiments.iter().map(|experiment| {
        serde_json::json!({
            "experiment": experiment.name,
            "formula": experiment.formula,
            "host": host,
            "unit": experiment.unit,
            "axis": experiment.fit.as_ref().and_then(|fit| fit.axis.clone()),
            "sets": experiment.fit.as_ref().map(|fit| &fit.constants),
        })
    });
    each.collect()
}
