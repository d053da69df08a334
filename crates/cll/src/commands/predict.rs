//! `cll predict`: predictions with a model.

use std::path::Path;

use cll_fit::{Domain, PredictError, Unit};
use cll_machine::Machine;
use cll_report::predictions_report;
use cll_result::{
    Doubts, ExperimentModel, ModelFile, Predicted, Predictions, allow_for_next_level,
};

use super::curves::{self, CurveSource, CurveTime};
use super::environment::loaded;
use super::fit::asked;
use crate::cli::{Loaded, PredictArgs};
use crate::failure::{Failure, Status};
use crate::files::Output;
use crate::terminal::Terminal;
use cll_analysis::{predict_all, read_model, select};

/// Predicts and prints.
pub fn run(args: &PredictArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    if args.machine.is_some() {
        return super::on_machine::run(args, terminal);
    }
    let asked = asked(&args.at)?;
    let mut model = read_model(&args.model)?;
    model.experiments = select(model.experiments, &args.experiment, |experiment| &experiment.name)?;
    for experiment in &model.experiments {
        if let Some(failure) = &experiment.failure {
            terminal.warn(&format!("{} has no fit: {failure}", experiment.name));
        }
    }
    if !model.has_fit() {
        return Err(Failure::fit("the model has no fitted experiment to predict with"));
    }
    if let Some(reservation) = model.reservation() {
        terminal.warn(&reservation);
    }
    if args.curves.curves.is_some() {
        if let Some(svg) = &args.curves.svg {
            let inputs = std::iter::once(&args.model).chain(&args.curves.against);
            Output::apart_from(svg, &inputs.cloned().collect::<Vec<_>>())?;
        }
        let base = curves::base(&asked, &args.curves)?;
        let mut all = vec![model];
        for path in &args.curves.against {
            let other = read_model(path)?;
            if let Some(reservation) = other.reservation() {
                terminal.warn(&format!("{}: {reservation}", path.display()));
            }
            all.push(other);
        }
        let several = all.len() > 1;
        let mut subjects: Vec<Box<dyn CurveSource + '_>> = Vec::new();
        for (place, model) in all.iter().enumerate() {
            for experiment in model.experiments.iter().filter(|experiment| experiment.fit.is_some())
            {
                let name = if several {
                    format!("{}: {}", model_path(place, args).display(), experiment.name)
                } else {
                    experiment.name.clone()
                };
                subjects.push(Box::new(Fitted {
                    name,
                    one: experiment,
                    doubts: model.doubts_of(experiment),
                }));
            }
        }
        return curves::run(&mut subjects, &base, &args.curves, args.json, terminal);
    }
    let mut predicted = predict_all(&model, &asked)?;
    if let Some(machine) = &args.measured_on {
        let machine = super::on_machine::measured_on(&model, machine, terminal)?;
        allow_for_levels(&mut predicted, &model, &machine, terminal);
    }
    let failures: Vec<String> =
        predicted.iter().filter_map(|prediction| prediction.failure.clone()).collect();
    if args.json {
        terminal.json(&Predictions::of(&model, &predicted))?;
    } else {
        terminal.print(predictions_report(&model, &predicted, &terminal.style()))?;
    }
    let is_refused =
        |candidate: &Predicted| candidate.view.result.as_ref().is_err_and(|e| e.is_refusal());
    if failures.len() == predicted.len() {
        // No prediction at all was possible.
        Err(match (args.json, predicted.iter().any(is_refused)) {
            (true, true) => Failure::Reported(Status::Fit),
            (true, false) => Failure::Reported(Status::Usage),
            (false, true) => Failure::fit(failures.into_iter().next().unwrap_or_default()),
            (false, false) => Failure::usage(failures.into_iter().next().unwrap_or_default()),
        })
    } else if model.is_not_measurable() && loaded(None)? == Loaded::Refuse {
        Ok(Status::NotMeasurable.code())
    } else {
        Ok(0)
    }
}

/// Widens the intervals of predictions that leave the level of memory in which the data were. Says once for each experiment
/// why it cannot.
fn allow_for_levels(
    predicted: &mut [Predicted],
    model: &ModelFile,
    machine: &Machine,
    terminal: &Terminal,
) {
    let mut warned = None;
    for prediction in predicted {
        let experiment = &model.experiments[prediction.experiment];
        if let Err(reason) = allow_for_next_level(prediction, experiment, machine)
            && warned.replace(prediction.experiment) != Some(prediction.experiment)
        {
            terminal.warn(&reason.to_string());
        }
    }
}

/// The model of a curve.
fn model_path(place: usize, args: &PredictArgs) -> &Path {
    match place {
        0 => &args.model,
        other => &args.curves.against[other - 1],
    }
}

/// The time of an experiment along a variable.
struct Fitted<'a> {
    name: String,
    one: &'a ExperimentModel,
    doubts: Doubts,
}

impl CurveSource for Fitted<'_> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn kind(&self) -> &'static str {
        "fit"
    }

    fn doubts(&self) -> Doubts {
        self.doubts.clone()
    }

    fn time(&mut self, point: &[(String, f64)], _: &Terminal) -> Result<CurveTime, Failure> {
        let wrong = |why: String| Failure::usage(format!("{}: {why}", self.name));
        let Some(fit) = &self.one.fit else { return Err(wrong("it has no fit".to_owned())) };
        if fit.unit != Unit::Seconds {
            return Err(wrong(format!("it is in {}, not a time", fit.unit)));
        }
        let completed = fit.complete(point);
        if let Some(PredictError::Missing { variable, .. }) = &completed.missing {
            return Err(wrong(format!("it needs {variable}: --at {variable}=…")));
        }
        let prediction = completed.predict(fit).map_err(|error| wrong(error.to_string()))?;
        let notes = match &prediction.domain {
            Domain::Beyond { variable, value, nearest, .. } => vec![format!(
                "{}: {variable} = {value} is beyond the data, the nearest of which is {nearest}",
                self.name
            )],
            Domain::Apart { variables, values, .. } => {
                let pairs = variables.iter().zip(values).map(|(n, v)| format!("{n} = {v}"));
                let pairs: Vec<String> = pairs.collect();
                vec![format!("{}: {} were not measured together", self.name, pairs.join(" with "))]
            }
            Domain::Inside { .. } | Domain::Between { .. } => Vec::new(),
        };
        Ok(CurveTime {
            value: prediction.value,
            band: prediction.band.map(|band| (band.low, band.high)),
            beyond: Some(prediction.domain.is_extrapolation()),
            beside: Vec::new(),
            notes,
        })
    }
}
