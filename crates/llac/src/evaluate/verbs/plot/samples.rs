//! Samples in a plot.

use super::{Asked, Plotted, table_of};
use crate::evaluate::{Wrong, error};
use crate::samples::Samples;
use crate::syntax::ast::Span;
use crate::value::Value;

/// The samples that the rows of a table are; `None` for what is no table.
pub(super) fn rows_as_samples(value: &Plotted, place: &Span) -> Result<Option<Value>, Wrong> {
    let Some(table) = table_of(value) else { return Ok(None) };
    let samples = Samples::of_table(&table, None);
    samples.map(|samples| Some(Value::samples(samples))).map_err(|_| {
        let wrong = error("L177", place, "which column of the table is drawn?");
        wrong.help("such as `plot t.median by t.N`").into()
    })
}

/// Whether the samples have the variables and labels that are asked for.
pub(super) fn check_names(
    samples: &Samples,
    each: &[String],
    asked: &Asked,
    place: &Span,
) -> Result<(), Wrong> {
    let mut names = each.iter().chain(asked.variations.iter().map(|(name, _)| name));
    let unknown =
        |name: &&String| samples.variable(name).is_none() && samples.label(name).is_none();
    names.find(unknown).map_or(Ok(()), |name| {
        let known = samples.variables.join(", ");
        let message = format!("{} has no variable {name}: {known}", samples.name);
        Err(error("L177", place, message).into())
    })
}
