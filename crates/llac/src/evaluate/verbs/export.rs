//! `print x as csv into "x.csv"` and `report m`.

use std::path::Path;
use std::sync::Arc;

use cll_report::{ReportOptions, Style, model_report};

use super::Phrase;
use crate::display;
use crate::evaluate::arguments::{Clauses, only};
use crate::evaluate::{Evaluator, Scope, Wrong, error};
use crate::printed::Printed;
use crate::syntax::ast::{ExprKind, Span};
use crate::syntax::{ClauseWord, Verb};
use crate::value::Value;

/// How a value is printed.
#[derive(Clone, Copy, PartialEq)]
enum Format {
    Text,
    Csv,
    Json,
}

const FORMATS: &[(&str, Format)] = &[
    ("text", Format::Text),
    ("table", Format::Text),
    ("csv", Format::Csv),
    ("json", Format::Json),
];

/// The style of text in files.
const PLAIN: Style = Style { width: 100, color: false, unicode: true };

impl Evaluator<'_> {
    /// A value as text, CSV or JSON, shown or written to a file; of a model the whole report.
    pub(super) fn export(
        &mut self,
        phrase: &Phrase<'_>,
        scope: &Scope<'_>,
    ) -> Result<Value, Wrong> {
        let known = match phrase.verb {
            Verb::Save => &[ClauseWord::Into][..],
            _ => &[ClauseWord::As, ClauseWord::Into],
        };
        let clauses = Clauses::new(phrase.verb, phrase.clauses, known)?;
        let expr = only(phrase.verb, phrase.arguments, "a value", phrase.span)?;
        let value = self.value(expr, scope)?;
        let into = self.file_of(&clauses, scope)?;
        let format = match clauses.single_value(ClauseWord::As)? {
            None => match (phrase.verb, &value, into.as_deref().and_then(format_of)) {
                (Verb::Save, Value::Model(_), Some(Format::Csv)) => {
                    let file = into.as_deref().unwrap_or_default();
                    let wrong = error("L163", phrase.span, format!("a model is JSON, not {file}"));
                    return Err(wrong.help("such as `save m into \"m.json\"`").into());
                }
                (Verb::Save, Value::Model(_), _) => Format::Json,
                (_, _, known) => known.unwrap_or(Format::Text),
            },
            Some(word) => {
                let name = match &word.kind {
                    ExprKind::Name(name) | ExprKind::Text(name) => name.as_str(),
                    _ => "",
                };
                let entry = FORMATS.iter().find(|(known, _)| *known == name);
                entry.map(|(_, format)| *format).ok_or_else(|| {
                    let message = "`as` takes one of text, csv, json";
                    error("L163", &word.span, message)
                })?
            }
        };
        let json = display::json(&value, self.confidence);
        let confidence = self.confidence;
        let is_report = phrase.verb == Verb::Report;
        let text = match (format, &value) {
            (Format::Text, _) => None,
            (Format::Csv, _) => Some(display::csv(&value).map_err(|kind| {
                let message = format!("a {kind} is no table");
                error("L171", &expr.span, message).help("`as json` writes every value")
            })?),
            // `open` and other commands read it.
            (Format::Json, Value::Model(model)) => {
                let text = model.chosen().to_json();
                let text = text.map_err(|why| error("L180", phrase.span, why.to_string()))?;
                Some(String::from_utf8_lossy(&text).into_owned())
            }
            (Format::Json, _) => {
                Some(format!("{}\n", serde_json::to_string_pretty(&json).unwrap_or_default()))
            }
        };
        match into {
            Some(file) => {
                let text =
                    text.unwrap_or_else(|| whole_text(&value, &PLAIN, confidence, is_report));
                self.write(&file, text.as_bytes(), phrase.span)?;
                self.notice(format!("{file} is written"));
                let done = Printed::text(String::new(), serde_json::json!({ "file": file }));
                Ok(Value::Thing(Arc::new(done)))
            }
            None => Ok(Value::Thing(Arc::new(match text {
                Some(text) => Printed::text(text, json),
                None => Printed::styled(
                    move |style| whole_text(&value, style, confidence, is_report),
                    json,
                ),
            }))),
        }
    }

    /// The file of `into`.
    pub(super) fn file_of(
        &mut self,
        clauses: &Clauses<'_>,
        scope: &Scope<'_>,
    ) -> Result<Option<String>, Wrong> {
        let Some(expr) = clauses.single_value(ClauseWord::Into)? else { return Ok(None) };
        match self.value(expr, scope)? {
            Value::Text(file) if !file.is_empty() => Ok(Some(file.to_string())),
            _ => {
                let wrong = error("L172", &expr.span, "`into` takes the name of a file");
                Err(wrong.help("such as `into \"fft.svg\"`").into())
            }
        }
    }

    /// Writes a file.
    pub(super) fn write(&mut self, file: &str, content: &[u8], span: &Span) -> Result<(), Wrong> {
        self.host.write(Path::new(file), content).map_err(|refusal| refused(refusal, span))
    }
}

/// A refusal at a place.
pub(super) fn refused(refusal: crate::refusal::Refusal, span: &Span) -> Wrong {
    let wrong = error("L180", span, refusal.message);
    refusal.help.into_iter().fold(wrong, cll_diagnostic::Diagnostic::help).into()
}

/// The format that a file's name stands for.
fn format_of(file: &str) -> Option<Format> {
    match Path::new(file).extension()?.to_str()? {
        "csv" => Some(Format::Csv),
        "json" => Some(Format::Json),
        _ => None,
    }
}

/// All rows of a table, the whole report of a model.
fn whole_text(value: &Value, style: &Style, confidence: f64, is_report: bool) -> String {
    match value {
        Value::Model(model) if is_report => {
            model_report(&model.chosen(), &[], ReportOptions { points: true, accept: true }, style)
        }
        other => match display::as_table(other) {
            Some(table) if !is_report && !matches!(other, Value::Model(_) | Value::Samples(_)) => {
                display::table_text(&table, style, None)
            }
            _ => display::text(other, style, confidence),
        },
    }
}
