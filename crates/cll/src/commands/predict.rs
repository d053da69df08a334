//! `cll predict`: values of a model where nothing was measured.

use serde::Serialize;

use super::environment::loaded;
use super::fit::asked;
use crate::cli::{Loaded, PredictArgs};
use crate::failure::{Failure, Status};
use crate::model::{ModelFile, PredictionJson, predict_all, predictions_report, select};
use crate::terminal::Terminal;

/// The JSON of `--json`.
#[derive(Serialize)]
struct Answer<'a> {
    format: &'static str,
    version: u32,
    measurable: bool,
    predictions: Vec<PredictionJson<'a>>,
}

/// Predicts and prints.
pub fn run(args: &PredictArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let asked = asked(&args.at)?;
    let mut model = ModelFile::read(&args.model)?;
    model.experiments = select(model.experiments, &args.experiment, |one| &one.name)?;
    for one in &model.experiments {
        if let Some(failure) = &one.failure {
            terminal.warn(&format!("{} has no fit: {failure}", one.name));
        }
    }
    if !model.has_fit() {
        return Err(Failure::fit("the model has no fitted experiment to predict with"));
    }
    if let Some(reservation) = model.reservation() {
        terminal.warn(&reservation);
    }
    let predicted = predict_all(&model, &asked)?;
    let failures: Vec<String> = predicted.iter().filter_map(|one| one.failure(&asked)).collect();
    if args.json {
        let predictions =
            predicted.iter().map(|one| PredictionJson::of(&model, one, &asked)).collect();
        terminal.json(&Answer {
            format: "cll-predictions",
            version: 1,
            measurable: !model.is_not_measurable(),
            predictions,
        })?;
    } else {
        terminal.print(predictions_report(&model, &predicted, &asked, &terminal.style()))?;
    }
    match failures.len() == predicted.len() {
        // Nothing at all could be told.
        true => Err(match args.json {
            true => Failure::Told(Status::Usage),
            false => Failure::usage(failures.into_iter().next().unwrap_or_default()),
        }),
        false if model.is_not_measurable() && loaded(None)? == Loaded::Refuse => {
            Ok(Status::NotMeasurable.code())
        }
        false => Ok(0),
    }
}
