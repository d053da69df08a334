//! The predictions of `cll predict` for pages: compiled to WebAssembly, called by `viewer/src/model/predictor.ts`.
//!
//! A page has no file and no clock, and numbers are all that passes its border. Text crosses in a
//! buffer of this module: [`input`] makes room, the page writes there, a function reads it and leaves
//! its answer there. [`load`] takes what is needed of an experiment (`fit`, `average`) as `model.json`
//! has it; [`predict`] takes values by name, and answers as one element of `predictions` of
//! `cll predict --json` (`docs/formats/model.md`), without the names of experiment and unit.

use std::cell::RefCell;

use cll_fit::{Completed, Domain, Fit, PredictError, Warning};
use cll_search::Average;
use serde::{Deserialize, Serialize};

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static MODELS: RefCell<Vec<Model>> = const { RefCell::new(Vec::new()) };
}

#[derive(Deserialize)]
struct Model {
    fit: Fit,
    average: Option<Average>,
}

#[derive(Serialize)]
struct Answer {
    /// Names with their values, in the order of the formula.
    at: Vec<(String, f64)>,
    assumed: Vec<String>,
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    repetitions: Option<usize>,
    run_low: Option<f64>,
    run_high: Option<f64>,
    confidence: Option<f64>,
    domain: Option<Domain>,
    follows: Option<bool>,
    averaged: Option<Averaged>,
    warnings: Vec<Notice>,
    error: Option<String>,
}

#[derive(Serialize)]
struct Averaged {
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    error: Option<String>,
}

#[derive(Serialize)]
struct Notice {
    code: &'static str,
    text: String,
}

impl Model {
    fn predict(&self, given: &[(String, f64)]) -> Answer {
        let completed = self.fit.complete(given);
        let result = completed.predict(&self.fit);
        let Completed { at, assumed, .. } = completed;
        let error = result.as_ref().err().map(PredictError::to_string);
        let averaged = self.average.as_ref().map(|average| {
            match average.ready().and_then(|ready| ready.predict_beside(&self.fit, given)) {
                Ok(found) => Averaged {
                    value: Some(found.value),
                    low: Some(found.low),
                    high: Some(found.high),
                    error: None,
                },
                Err(error) => {
                    Averaged { value: None, low: None, high: None, error: Some(error.to_string()) }
                }
            }
        });
        let found = result.ok();
        let band = found.as_ref().and_then(|one| one.band);
        let run = found.as_ref().and_then(|one| one.run);
        let notice = |w: &Warning| Notice { code: w.code(), text: w.text(&self.fit.unit) };
        Answer {
            at,
            assumed,
            value: found.as_ref().map(|one| one.value),
            low: band.map(|band| band.low),
            high: band.map(|band| band.high),
            repetitions: found.as_ref().map(|one| one.repetitions),
            run_low: run.map(|run| run.low),
            run_high: run.map(|run| run.high),
            confidence: found.as_ref().map(|one| one.confidence),
            follows: found.as_ref().map(|one| one.follows),
            averaged,
            warnings: found.iter().flat_map(|one| one.warnings.iter().map(notice)).collect(),
            domain: found.map(|one| one.domain),
            error,
        }
    }
}

/// Makes room for this many bytes; the answer is where they are to be written.
#[unsafe(no_mangle)]
pub extern "C" fn input(bytes: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|buffer| {
        *buffer = vec![0; bytes];
        buffer.as_mut_ptr()
    })
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    BUFFER.with_borrow(|buffer| buffer.as_ptr())
}

/// Keeps the model in the buffer. Its number; -1 if it is none.
#[unsafe(no_mangle)]
pub extern "C" fn load() -> i32 {
    let read = BUFFER.with_borrow(|buffer| serde_json::from_slice::<Model>(buffer));
    let Ok(model) = read else { return -1 };
    MODELS.with_borrow_mut(|models| {
        models.push(model);
        i32::try_from(models.len() - 1).unwrap_or(-1)
    })
}

/// Predicts with the model of this number for the values in the buffer, `[["N",1000],…]`. Leaves the
/// answer there; its length in bytes, 0 if there is no such model or the values are not readable.
#[unsafe(no_mangle)]
pub extern "C" fn predict(model: usize) -> usize {
    let given = BUFFER.with_borrow(|buffer| serde_json::from_slice::<Vec<(String, f64)>>(buffer));
    let Ok(given) = given else { return 0 };
    let answer = MODELS.with_borrow(|models| models.get(model).map(|model| model.predict(&given)));
    let text = answer.and_then(|answer| serde_json::to_vec(&answer).ok()).unwrap_or_default();
    let length = text.len();
    BUFFER.set(text);
    length
}
