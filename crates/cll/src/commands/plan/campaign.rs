//! The points as a plan of a campaign.

use std::path::Path;

use cll_campaign::{Plan, PlannedPoint, write as plan_text};
use cll_diagnostic::counted;
use cll_result::{ModelFile, NextPoints};

use crate::cli::PlanArgs;
use crate::failure::Failure;
use crate::files;
use crate::sampling::{Range, Template};
use cll_analysis::planning::PROCESSORS;
use cll_units::text::{PercentDigits, percent};

/// The text of a plan.
pub struct PlanText {
    /// The text.
    pub text: String,
    /// A note on values that the reader should check.
    pub note: Option<String>,
}

/// Writes the plan: `P` is the number of processors, all other variables are parameters.
///
/// # Errors
/// If the given arguments do not take the variables.
pub fn write(args: &PlanArgs, model: &ModelFile, next: &NextPoints) -> Result<PlanText, Failure> {
    let names: Vec<String> = next.points.first().map_or(Vec::new(), |point| {
        point.at.iter().map(|(name, _)| name.clone()).filter(|name| name != PROCESSORS).collect()
    });
    let short: Vec<&str> = names.iter().map(String::as_str).collect();
    let is_counted =
        next.points.iter().any(|point| point.at.iter().any(|(name, _)| name == PROCESSORS));
    let (program, arguments, note) = match args.command.split_first() {
        Some((program, arguments)) => (program.clone(), arguments.to_vec(), None),
        None => {
            let name = model.program.as_ref().map(|program| program.name.as_str());
            let program =
                format!("./{}", name.filter(|name| !name.is_empty()).unwrap_or("program"));
            let arguments: Vec<String> = names.iter().map(|name| format!("{{{name}}}")).collect();
            let line = [&[program.clone()][..], &arguments].concat().join(" ");
            let note = format!(
                "the plan runs {line}; if that is not how the program takes its sizes, change the plan, or \
                 give the command after `--`"
            );
            (program, arguments, Some(note))
        }
    };
    let template =
        Template::parse(&arguments, &short).map_err(crate::sampling::Error::Arguments)?;
    template.check_processors(&short, is_counted).map_err(crate::sampling::Error::Arguments)?;
    let stem =
        args.out.as_deref().map_or_else(|| "next".to_owned(), |path: &Path| files::stem(path));
    let mut plan = Plan::new(stem, program);
    plan.arguments = arguments;
    plan.points = next
        .points
        .iter()
        .map(|point| PlannedPoint {
            values: point
                .at
                .iter()
                .filter(|(name, _)| name != PROCESSORS)
                .map(|(_, value)| *value)
                .collect(),
            processors: point
                .at
                .iter()
                .find(|(name, _)| name == PROCESSORS)
                .map(|(_, value)| value.round().max(1.0) as u32),
            rounds: Some(point.runs),
        })
        .collect();
    let column =
        |index: usize| Range::from_values(plan.points.iter().map(|point| point.values[index]));
    plan.parameters = names
        .iter()
        .enumerate()
        .map(|(index, name)| (name.clone(), column(index).values().to_vec()))
        .collect();
    let mut notes = vec![format!(
        "{}, about {:.3} {}",
        counted(plan.points.len(), "point", "points"),
        next.cost.get(),
        if next.core_time { "core seconds" } else { "seconds" }
    )];
    notes.extend(next.predictions.iter().map(|prediction| {
        let at: Vec<String> =
            prediction.at.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let width = |share: f64| format!("±{}", percent(share, PercentDigits::Decimals(1)));
        let now = prediction.now.map_or("not determined".to_owned(), width);
        format!(
            "{} at {}: {now} now, {} after",
            prediction.experiment,
            at.join(", "),
            width(prediction.after)
        )
    }));
    let why: Vec<String> = next.points.iter().map(|point| point.why.clone()).collect();
    Ok(PlanText { text: plan_text(&plan, &notes, &why), note })
}
