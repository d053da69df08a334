//! Bytes that experiments touch, compared with the sizes of caches.

use std::str::FromStr;

use cll_report::{Reference, TouchedMemory};
use cll_result::ExperimentModel;
use cll_result::Machine;

use crate::Error;
use cll_diagnostic::suggestion;

/// An expression for one experiment, or for all experiments that have its variables.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedExpression {
    /// The experiment's name; `None`: any.
    pub name: Option<String>,
    /// The expression.
    pub expression: String,
}

impl FromStr for NamedExpression {
    type Err = String;

    fn from_str(text: &str) -> Result<NamedExpression, String> {
        let (name, expression) = match text.split_once('=') {
            Some((name, expression)) => (Some(name.trim().to_owned()), expression),
            None => (None, text),
        };
        match expression.trim() {
            "" => Err("the expression is missing, such as 8*N*N".into()),
            expression => Ok(NamedExpression { name, expression: expression.to_owned() }),
        }
    }
}

/// Gives every experiment its working set: the one with its name, else one without a name whose variables the
/// experiment has.
///
/// # Errors
/// If one belongs to no experiment, or is not an expression.
pub fn assign(
    experiments: &mut [ExperimentModel],
    working_sets: &[NamedExpression],
) -> Result<(), Error> {
    for named_expression in working_sets {
        let expression = &named_expression.expression;
        let mut wrong = None;
        let mut used = false;
        for experiment in experiments.iter_mut() {
            let Some(fit) = &experiment.fit else { continue };
            if named_expression.name.as_ref().is_some_and(|name| *name != experiment.name) {
                continue;
            }
            match fit.working_set(expression) {
                Ok(_) => {
                    used = true;
                    if named_expression.name.is_some() || experiment.working_set.is_none() {
                        experiment.working_set = Some(expression.clone());
                    }
                }
                Err(error) => wrong = Some(error),
            }
        }
        match (used, wrong, &named_expression.name) {
            (true, ..) => {}
            (false, Some(error), _) => {
                return Err(Error::request(format!("--working-set {expression}: {error}")));
            }
            (false, None, Some(name)) if experiments.iter().all(|known| known.name != *name) => {
                let names: Vec<&str> =
                    experiments.iter().map(|experiment| experiment.name.as_str()).collect();
                return Err(Error::request(format!(
                    "--working-set: there is no experiment {name}: {}",
                    suggestion(name, &names)
                )));
            }
            // The experiment could not be fitted, which is reported elsewhere.
            (false, None, _) => {}
        }
    }
    Ok(())
}

/// The values of a variable at which the caches are full.
pub fn references(
    machine: Option<&Machine>,
    experiment: &ExperimentModel,
    along: &str,
) -> Vec<Reference> {
    let (Some(fit), Some(working_set)) = (&experiment.fit, &experiment.working_set) else {
        return Vec::new();
    };
    TouchedMemory { working_set, caches: &machine.map(Machine::sizes).unwrap_or_default() }
        .references(fit, along)
}
