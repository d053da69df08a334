//! The options of a fit, as the package writes them, to those of the crates. Names are those of `cll fit`.

use std::fmt::Display;

use cll_analysis::Error;
use cll_analysis::{
    Choices, FitRequest, GivenFit, HoldOut, Messages, NamedExpression, SearchChoice, Time, Words,
    formulas, locations, parse_outliers, search_options, search_terms,
};
use cll_diagnostic::suggestion;
use cll_import::{Decimal, ImportOptions};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The options of `fit`, `search` and `suggest`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FitOptions {
    /// Formulas; none: those of the source, or a search.
    pub formulas: Vec<String>,
    /// Whether formulas are searched.
    pub search: bool,
    /// Terms of which a searched formula is a sum.
    pub terms: Option<String>,
    /// Whether a change of the formula is looked for.
    pub suggest: bool,
    /// Names of experiments; none: all.
    pub experiments: Vec<String>,
    /// How a table is read.
    pub import: TableOptions,
    /// Whether runs of different programs are fitted together.
    pub mixed: bool,
    weights: Option<String>,
    loss: Option<String>,
    aggregate: Option<String>,
    intervals: Option<String>,
    max_intervals: Option<usize>,
    error_threshold: Option<f64>,
    breaks: Vec<(String, f64)>,
    axis: Option<String>,
    working_set: Vec<String>,
    join: Option<bool>,
    non_negative: bool,
    signed: bool,
    hold_out: Vec<String>,
    follow: Option<bool>,
    outliers: Option<String>,
    confidence: Option<f64>,
    time: Option<String>,
    observable: Option<String>,
    share: Vec<String>,
    predict: Vec<String>,
}

/// How a table is read.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TableOptions {
    column: Option<String>,
    unit: Option<String>,
    format: Option<String>,
    by: Option<String>,
    columns: Option<Vec<String>>,
    decimal: Option<char>,
    skip_bad: bool,
    exit_codes: Vec<i32>,
}

impl TableOptions {
    /// The same for the readers.
    ///
    /// # Errors
    /// If there is no such format.
    pub fn options(&self) -> Result<ImportOptions, Error> {
        if let Some(format) = &self.format {
            let known: Vec<&str> = cll_import::format_names().into_iter().collect();
            if !known.contains(&format.as_str()) {
                let near = suggestion(format, &known);
                return Err(Error::request(format!("there is no format {format}: {near}")));
            }
        }
        let decimal =
            match self.decimal {
                None => None,
                Some(sign) => Some(Decimal::of(sign).ok_or_else(|| {
                    Error::request(format!("decimal={sign}: it must be `.` or `,`"))
                })?),
            };
        Ok(ImportOptions {
            format: self.format.clone(),
            result: self.column.clone(),
            unit: self.unit.clone(),
            by: self.by.clone(),
            columns: self.columns.clone(),
            decimal,
            skip_bad: self.skip_bad,
            exit_codes: self.exit_codes.clone(),
            ..ImportOptions::default()
        })
    }

    /// Whether one is given.
    pub fn is_given(&self) -> bool {
        let TableOptions { column, unit, format, by, columns, decimal, skip_bad, exit_codes } =
            self;
        [column, unit, format, by].iter().any(|text| text.is_some())
            || columns.is_some()
            || decimal.is_some()
            || *skip_bad
            || !exit_codes.is_empty()
    }
}

/// Options from their JSON.
///
/// # Errors
/// If one is of another kind than it must be.
pub fn parse<T: DeserializeOwned>(json: &str) -> Result<T, Error> {
    serde_json::from_str(json).map_err(|error| Error::request(format!("options: {error}")))
}

/// The value that an option's word stands for.
fn word<T: Words>(option: &str, given: Option<&String>) -> Result<Option<T>, Error> {
    let Some(text) = given else { return Ok(None) };
    let value = T::from_word(text).ok_or_else(|| {
        Error::request(format!("{option}={text}: {}", suggestion(text, &T::all())))
    })?;
    Ok(Some(value))
}

impl FitOptions {
    /// Returns the request for a fit: the values that are fitted, and how.
    ///
    /// # Errors
    /// If an option is wrong; `messages` has the diagnostics of a formula.
    pub fn request(&self, messages: &dyn Messages) -> Result<FitRequest, Error> {
        let formulas = formulas(&self.formulas, messages)?;
        let options = self.options()?;
        let time = word::<Time>("time", self.time.as_ref())?.unwrap_or_default();
        let mut at = Vec::new();
        for text in &self.predict {
            at.extend(locations(text)?);
        }
        let mut searched = search_options(&options);
        if let Some(terms) = &self.terms {
            searched.dictionary = search_terms(terms, |term, diagnostics| {
                messages.diagnose("terms", term.as_bytes(), diagnostics);
            })?;
        }
        let working_sets = self.working_set.iter().map(|text| text.parse::<NamedExpression>());
        let choices = Choices {
            formulas,
            experiments: self.experiments.clone(),
            working_sets: working_sets.collect::<Result<_, _>>().map_err(wrong("working_set"))?,
            observable: self.observable.clone().filter(|name| name != "time"),
            held_out: HoldOut::all(&self.hold_out)?,
            search: self.search.then(|| SearchChoice { options: searched, at: at.clone() }),
            suggest: self.suggest.then(|| search_options(&options)),
            auto: SearchChoice { options: search_options(&options), at },
            options,
            ..Choices::default()
        };
        Ok(FitRequest { time, choices, shared: self.share.clone(), mixture: None })
    }

    fn options(&self) -> Result<cll_fit::Options, Error> {
        let given = GivenFit {
            weights: word("weights", self.weights.as_ref())?,
            loss: word("loss", self.loss.as_ref())?,
            aggregate: word("aggregate", self.aggregate.as_ref())?,
            rule: word("intervals", self.intervals.as_ref())?,
            max_intervals: self.max_intervals,
            error_threshold: self.error_threshold,
            breaks: self.breaks.clone(),
            axis: self.axis.clone(),
            no_join: self.join == Some(false),
            non_negative: self.non_negative,
            signed: self.signed,
            no_follow: self.follow == Some(false),
            outliers: self
                .outliers
                .as_deref()
                .map(parse_outliers)
                .transpose()
                .map_err(wrong("outliers"))?,
            confidence: self.confidence,
        };
        given.options().map_err(|error| Error::request(error.to_string()))
    }
}

fn wrong<E: Display>(option: &'static str) -> impl Fn(E) -> Error {
    move |error| Error::request(format!("{option}: {error}"))
}
