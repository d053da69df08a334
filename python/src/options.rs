//! The options of a fit, as the package writes them, to those of the crates. Names are those of `cll fit`.

use std::fmt::Display;

use cll_analysis::Error;
use cll_analysis::{
    Choices, FitRequest, HoldOut, Messages, NamedExpression, SearchChoice, Time, formulas,
    locations, search_options, search_terms,
};
use cll_diagnostic::suggestion;
use cll_fit::Intervals;
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

/// The option's value of this name; the default if it is not given.
fn word<T: DeserializeOwned + Default>(
    option: &str,
    given: Option<&String>,
    known: &[&str],
) -> Result<T, Error> {
    let Some(text) = given else { return Ok(T::default()) };
    let wrong = || Error::request(format!("{option}={text}: {}", suggestion(text, known)));
    if !known.contains(&text.as_str()) {
        return Err(wrong());
    }
    serde_json::from_value(serde_json::Value::String(text.clone())).map_err(|_| wrong())
}

fn share(option: &str, given: Option<f64>, default: f64) -> Result<f64, Error> {
    match given {
        None => Ok(default),
        Some(value) if value > 0.0 && value < 1.0 => Ok(value),
        Some(value) => Err(Error::request(format!("{option}={value}: it must be between 0 and 1"))),
    }
}

impl FitOptions {
    /// Returns the request for a fit: the values that are fitted, and how.
    ///
    /// # Errors
    /// If an option is wrong; `messages` has the diagnostics of a formula.
    pub fn request(&self, messages: &dyn Messages) -> Result<FitRequest, Error> {
        let formulas = formulas(&self.formulas, messages)?;
        let options = self.options()?;
        let time = match &self.time {
            Some(text) => text.parse::<Time>().map_err(wrong("time"))?,
            None => Time::default(),
        };
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
        let defaults = cll_fit::Options::default();
        Ok(cll_fit::Options {
            weights: word("weights", self.weights.as_ref(), &["relative", "absolute"])?,
            loss: word("loss", self.loss.as_ref(), &["squares", "huber"])?,
            aggregate: word(
                "aggregate",
                self.aggregate.as_ref(),
                &["median", "minimum", "mean", "all"],
            )?,
            intervals: self.intervals()?,
            axis: self.axis.clone(),
            join: self.join.unwrap_or(true),
            non_negative: self.non_negative,
            signed: self.signed,
            outliers: self.outliers()?,
            follow: self.follow.unwrap_or(true),
            confidence: share("confidence", self.confidence, defaults.confidence)?,
            runs: defaults.runs,
        })
    }

    fn intervals(&self) -> Result<Intervals, Error> {
        const MOST: usize = 64;
        let max_intervals = self.max_intervals.unwrap_or(6);
        if !(1..=MOST).contains(&max_intervals) {
            let text = format!("max_intervals={max_intervals}: it must be from 1 to {MOST}");
            return Err(Error::request(text));
        }
        if let Some((variable, _)) = self.breaks.first() {
            if let Some((other, _)) = self.breaks.iter().find(|(name, _)| name != variable) {
                return Err(Error::request(format!(
                    "breaks are given for {variable} and for {other}: boundaries lie along one variable"
                )));
            }
            let breaks = self.breaks.iter().map(|(_, value)| *value).collect();
            return Ok(Intervals::ByHand { variable: variable.clone(), breaks });
        }
        let known = ["levels", "dynamic", "greedy", "none"];
        // A choice about intervals asks for them.
        let is_asked = self.max_intervals.is_some() || self.join == Some(false);
        let by_default = if is_asked { "dynamic" } else { "levels" };
        match self.intervals.as_deref().unwrap_or(by_default) {
            "levels" => Ok(Intervals::levels()),
            "dynamic" => Ok(Intervals::Dynamic { max_intervals }),
            "greedy" => Ok(Intervals::Greedy {
                error_threshold: self.error_threshold.unwrap_or(0.10),
                max_intervals,
            }),
            "none" => Ok(Intervals::None),
            text => Err(Error::request(format!("intervals={text}: {}", suggestion(text, &known)))),
        }
    }

    fn outliers(&self) -> Result<cll_fit::Outliers, Error> {
        let text = self.outliers.as_deref().unwrap_or("keep");
        match text.split_once('=') {
            None if text == "keep" => Ok(cll_fit::Outliers::Keep),
            None if text == "spikes" => Ok(cll_fit::Outliers::Spikes),
            None if text == "points" => Ok(cll_fit::Outliers::Points { limit: 4.0 }),
            Some(("points", limit)) => match limit.parse() {
                Ok(limit) if limit > 0.0 => Ok(cll_fit::Outliers::Points { limit }),
                _ => Err(Error::request(format!("outliers: `{limit}` is not a number above 0"))),
            },
            _ => Err(Error::request(format!(
                "outliers={text}: it must be one of keep, spikes, points, points=LIMIT"
            ))),
        }
    }
}

fn wrong<E: Display>(option: &'static str) -> impl Fn(E) -> Error {
    move |error| Error::request(format!("{option}: {error}"))
}
