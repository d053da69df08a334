//! `cll fit`: fits traces or a table.

use cll_analysis::{
    Choices, FitRequest, HoldOut, Location, SearchChoice, fit_model, formulas, locations, mixture,
    predict_all, predicted_held_out, read_data, search_options, search_terms, write_model,
};
use cll_result::ModelJson;

use super::report::{self, Shown};
use crate::cli::FitArgs;
use crate::failure::{Failure, Status};
use crate::files::Output;
use crate::model::Older;
use crate::terminal::{Terminal, Text};

/// Fits, reports, and writes the model if requested.
pub fn run(args: &FitArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let formulas = formulas(&args.formula, terminal)?;
    let options = args.fit.options().map_err(|error| Failure::usage(error.to_string()))?;
    let held_out = HoldOut::all(&args.fit.hold_out)?;
    let asked = asked(&args.predict)?;
    let choices = Choices {
        formulas,
        experiments: args.experiment.clone(),
        working_sets: args.fit.working_sets.clone(),
        observable: args.fit.fitted().map(str::to_owned),
        held_out,
        by: None,
        search: args.search.then(|| search(args, &options, &asked, terminal)).transpose()?,
        suggest: args.suggest.then(|| search_options(&options)),
        auto: SearchChoice { options: search_options(&options), at: asked.clone() },
        options,
    };
    let older = Older::read(&args.comparison, args.fit.confidence)?;
    let output = args.output.as_deref().map(|path| Output::apart_from(path, &args.files));
    let output = output.transpose()?;
    let mixture = mixture(&args.files, args.mixed)?;
    let data = read_data(&args.files, args.import.options(), &choices.formulas, terminal)?;
    if data.has_trace() {
        args.import.refuse_for_traces()?;
    }
    let shared = args.fit.share.clone();
    let model = fit_model(data, &FitRequest { time: args.fit.time, choices, shared, mixture })?;
    let mut predicted = predict_all(&model, &asked)?;
    predicted.extend(predicted_held_out(&model));
    if let Some(output) = output {
        write_model(&model, output)?;
    }
    let comparison = older.as_ref().map(|older| older.compare(&model, !args.json, terminal));
    let comparison = comparison.transpose()?;
    if args.json {
        terminal.json(&ModelJson::of(&model, &predicted).compared(comparison.as_ref()))?
    } else {
        let shown = Shown {
            details: args.details,
            points: args.points,
            accept: true,
            model: args.output.as_deref(),
            page: None,
        };
        report::print(&model, &predicted, shown, terminal)?;
    }
    if model.has_fit() {
        Ok(match (&older, &comparison) {
            (Some(older), Some(comparison)) => older.status(comparison, 0),
            _ => 0,
        })
    } else {
        Err(Failure::Reported(Status::Fit))
    }
}

/// How formulas are searched.
fn search(
    args: &FitArgs,
    options: &cll_fit::Options,
    asked: &[Location],
    terminal: &Terminal,
) -> Result<SearchChoice, Failure> {
    let mut options = search_options(options);
    if let Some(terms) = &args.terms {
        options.dictionary = search_terms(terms, |term, diagnostics| {
            terminal.diagnose(Text { name: "--terms", bytes: term.as_bytes() }, diagnostics);
        })?;
    }
    Ok(SearchChoice { options, at: asked.to_vec() })
}

/// The values of all `--predict` or `--at`.
pub fn asked(texts: &[String]) -> Result<Vec<Location>, Failure> {
    let mut asked = Vec::new();
    for text in texts {
        asked.extend(locations(text)?);
    }
    Ok(asked)
}
