//! Times with and without changes: of a model's experiments, and of programs of supersteps.

use cll_fit::{Fit, Unit};
use cll_model::{Draws, Pricing, Program, Quantities, Rule, Target, influences};
use cll_result::{Change, ModelFile, WhatIfPoint, of_experiments, of_supersteps};

use crate::Error;

use crate::Location;
use crate::messages::Messages;
use crate::obsp::unpriced;

/// The sum of a model's experiments with and without changes, at each of the values; and the confidence of the intervals.
///
/// # Errors
/// If nothing is fitted, a value is missing, or a change is of a block that is not there.
pub fn changed(
    model: &ModelFile,
    points: &[Location],
    change: &Change,
    messages: &dyn Messages,
) -> Result<(f64, Vec<WhatIfPoint>), Error> {
    let mut fits: Vec<(&str, &Fit)> = Vec::new();
    for experiment in &model.experiments {
        match &experiment.fit {
            Some(fit) if fit.unit == Unit::Seconds => fits.push((&experiment.name, fit)),
            Some(fit) => {
                messages
                    .warn(&format!("{} is in {}, not a time: left out", experiment.name, fit.unit));
            }
            None => messages.warn(&format!("{} has no fit: left out", experiment.name)),
        }
    }
    let Some((_, first)) = fits.first() else {
        return Err(Error::data("the model has no fitted time"));
    };
    let constants = fits.iter().flat_map(|(_, fit)| &fit.constants);
    let names: Vec<String> = constants.map(|values| values.constant.clone()).collect();
    all_known(change, &names)?;
    if points.is_empty() {
        let mut variables: Vec<&String> = fits.iter().flat_map(|(_, fit)| &fit.variables).collect();
        variables.sort();
        variables.dedup();
        let wanted: Vec<String> = variables.iter().map(|name| format!("{name}=…")).collect();
        return Err(Error::request("a model needs values for the prediction")
            .advise(format!("--at {}", wanted.join(","))));
    }
    let mut results = Vec::new();
    for location in points {
        let mut experiments = Vec::new();
        for (name, fit) in &fits {
            experiments.push((*name, *fit, values_at(name, fit, location)?));
        }
        let mut point =
            of_experiments(&experiments, change).map_err(|error| Error::data(error.to_string()))?;
        point.at = location.values().to_vec();
        if fits.len() > 1 {
            point.notes.push(format!(
                "the time is the sum of {} experiments, each passed once; -e NAME chooses",
                fits.len()
            ));
        }
        results.push(point);
    }
    Ok((first.options.confidence, results))
}

/// A program of supersteps by OBSP\* with and without changes. `notes` come before those of the pricing.
///
/// # Errors
/// If the machine's file has not the costs, or a change is of a block that is not there.
pub fn changed_program(
    program: &Program,
    mut quantities: Quantities,
    target: &Target<'_>,
    change: &Change,
    mut notes: Vec<String>,
) -> Result<WhatIfPoint, Error> {
    let mut taken = Vec::new();
    let pricing = Pricing::new(program, Rule::ObspStar, target, &mut quantities, &mut taken)
        .map_err(|missing| unpriced(&missing))?;
    let names: Vec<String> =
        quantities.all().iter().map(|quantity| quantity.name.clone()).collect();
    all_known(change, &names)?;
    let influences = influences(program, &pricing, &quantities);
    let draws = Draws::default();
    let mut point = of_supersteps(program, &pricing, &quantities, &draws, change, &influences);
    notes.extend(taken.iter().map(|taken| format!("{}: {}", taken.asked, taken.substitution)));
    point.notes.splice(0..0, notes);
    Ok(point)
}

/// The values of a fit's variables; one that has only one value in the data may be left out.
///
/// # Errors
/// If another one is missing.
pub fn values_at(name: &str, fit: &Fit, at: &Location) -> Result<Vec<f64>, Error> {
    let value = |variable: &String| {
        let given = at.values().iter().find(|(known, _)| known == variable);
        let only = || {
            let range = fit.domain.iter().find(|range| range.variable == *variable)?;
            (range.distinct == 1).then_some(range.low)
        };
        given.map(|(_, value)| *value).or_else(only).ok_or_else(|| {
            Error::request(format!("{name} needs {variable}: --at {variable}=…"))
                .advise("-e NAME chooses other experiments")
        })
    };
    fit.variables.iter().map(value).collect()
}

/// Whether all changed blocks are among these names.
///
/// # Errors
/// If one is not.
fn all_known(change: &Change, names: &[String]) -> Result<(), Error> {
    match change.unknown(names) {
        None => Ok(()),
        Some(name) => Err(Error::request(format!("--block: there is no block or constant {name}"))
            .advise(format!("there are: {}", names.join(", ")))),
    }
}
