//! Fits of samples, by the code of `cll fit`.

use std::sync::Arc;

use cll_analysis::{DataSource, Error, FitRequest, Imported, Messages, ReadData, fit_model};
use cll_diagnostic::counted;
use cll_files::Advice;
use cll_formula::Complexity;
use cll_import::{Group, ResultKind, Table};
use cll_samples::{Policy, prepare};

use super::Model;
use crate::samples::Samples;
use crate::value::Unit;

impl Model {
    /// The model of samples by the formula of their source, with the options that `cll fit` has by default.
    ///
    /// # Errors
    /// Why there is none.
    pub fn of_samples(samples: &Arc<Samples>) -> Result<Model, crate::Error> {
        if samples.formula.is_empty() {
            return Err(crate::Error::NoFormula);
        }
        let model = Model::fitted(samples, FitRequest::default())
            .map_err(|error| crate::Error::NotFitted(sentence(&error).0))?;
        let only = model.only()?;
        model.fit(only)?;
        Ok(model)
    }

    /// The model of samples by these choices.
    ///
    /// # Errors
    /// Why there is none; an experiment that cannot be fitted says so itself.
    pub fn fitted(samples: &Arc<Samples>, request: FitRequest) -> Result<Model, Error> {
        let mut file = fit_model(ReadData::of(samples.source()), &request)?;
        for change in &samples.changes {
            let text = format!("the samples were changed before the fit: {change}");
            file.warnings.push(cll_result::Notice::new("changed", text));
        }
        if samples.marked() > 0 {
            let were = counted(samples.marked(), "marked sample was", "marked samples were");
            let text = format!("{were} left out");
            file.warnings.push(cll_result::Notice::new("marked", text));
        }
        Ok(Model::new(file, Some(Arc::clone(samples))))
    }
}

impl Samples {
    /// As data of the analysis.
    fn source(&self) -> DataSource {
        match &self.column {
            None => {
                DataSource::Trace(Box::new(prepare(self.to_trace(false), &Policy::default()).0))
            }
            Some(column) => {
                let groups = self.groups.iter().filter_map(|group| {
                    let results = group.cell(false)?.inclusive;
                    Some(Group { values: group.values.clone(), results, ..Group::default() })
                });
                let table = Table {
                    variables: self.variables.clone(),
                    result: column.name.clone(),
                    quantity: if self.unit == Unit::seconds() {
                        ResultKind::Time { unit: "s", factor: 1.0 }
                    } else {
                        ResultKind::Other(self.unit.to_string())
                    },
                    groups: groups.collect(),
                    ..Table::default()
                };
                let region = self.name.clone();
                DataSource::Tables(vec![Imported { file: column.file.clone(), region, table }])
            }
        }
    }
}

/// A formula for samples: its constants may have any name.
///
/// # Errors
/// The diagnostics have places in `text`.
pub(crate) fn formula_of(
    text: &str,
    name: &str,
) -> Result<Complexity, Vec<cll_diagnostic::Diagnostic>> {
    let silent = Collected::default();
    let read = |text: String| cll_analysis::formulas(&[text], &silent);
    match read(text.to_owned()) {
        Ok(mut formulas) => {
            let formula = formulas.remove(0);
            // The constants have the name of the experiment, if it can be one.
            let (own, wanted) = (format!("{}[", formula.experiment()), format!("{name}["));
            match read(text.replace(&own, &wanted)) {
                Ok(mut renamed) if renamed[0].experiment() == name => Ok(renamed.remove(0)),
                _ => Ok(formula),
            }
        }
        Err(_) => Err(silent.0.into_inner()),
    }
}

/// Splits an error into its message and its advice.
pub(crate) fn sentence(error: &Error) -> (String, Vec<String>) {
    match error {
        Error::Diagnosed => ("it cannot be done".to_owned(), Vec::new()),
        error => (error.to_string(), error.help()),
    }
}

/// Diagnostics of a text.
#[derive(Default)]
struct Collected(std::cell::RefCell<Vec<cll_diagnostic::Diagnostic>>);

impl cll_files::Notices for Collected {
    fn note(&self, _: &str) {}

    fn warn(&self, _: &str) {}
}

impl Messages for Collected {
    fn diagnose(&self, _: &str, _: &[u8], diagnostics: &[cll_diagnostic::Diagnostic]) {
        self.0.borrow_mut().extend_from_slice(diagnostics);
    }
}
