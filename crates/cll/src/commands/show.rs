//! `cll show`: everything that is known of a model, or parts of it.

use cll_analysis::{predict_all, predicted_held_out, read_model, select};
use cll_report::{ReportOptions, ReportPart, parts_report};
use cll_result::ModelJson;

use super::environment::loaded;
use super::fit::asked;
use super::report::{self, Shown};
use crate::cli::{Loaded, ShowArgs};
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;

/// Prints the report, or the sections that are named.
pub fn run(args: &ShowArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let parts = args.sections.iter().map(|name| part(name)).collect::<Result<Vec<_>, _>>()?;
    let asked = asked(&args.predict)?;
    let mut model = read_model(&args.model)?;
    model.experiments = select(model.experiments, &args.experiment, |experiment| &experiment.name)?;
    let mut predicted = predict_all(&model, &asked)?;
    predicted.extend(predicted_held_out(&model));
    let loaded = loaded(None)?;
    let accept = loaded == Loaded::Accept;
    if args.json {
        terminal.json(&ModelJson::of(&model, &predicted))?;
    } else {
        if accept && let Some(reservation) = model.reservation() {
            terminal.warn(&reservation);
        }
        if parts.is_empty() {
            let shown = Shown { details: true, accept, ..Shown::default() };
            report::print(&model, &predicted, shown, terminal)?;
        } else {
            let options = ReportOptions { points: parts.contains(&ReportPart::Points), accept };
            let style = terminal.style();
            terminal.print(parts_report(&model, &predicted, &parts, options, &style))?;
        }
    }
    match (model.has_fit() || model.has_ranked_formula(), model.is_not_measurable()) {
        (false, _) => Err(Failure::Reported(Status::Fit)),
        (true, true) if loaded == Loaded::Refuse => Ok(Status::NotMeasurable.code()),
        (true, _) => Ok(0),
    }
}

/// The section of this name.
fn part(name: &str) -> Result<ReportPart, Failure> {
    ReportPart::named(name).ok_or_else(|| {
        let names: Vec<&str> = ReportPart::NAMED.iter().map(|(name, _)| *name).collect();
        let failure = Failure::usage(format!("there is no section `{name}`"));
        let failure = match cll_diagnostic::nearest(name, names.iter().copied()) {
            Some(known) => failure.help(format!("did you mean `{known}`?")),
            None => failure,
        };
        failure.help(format!("the sections are {}", names.join(", ")))
    })
}
