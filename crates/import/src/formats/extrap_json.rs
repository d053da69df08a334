//! The JSON document that Extra-P reads, and the one inside of the experiments that it saves.

use crate::error::ImportError;
use crate::format::{Content, Format, Input, each_file};
use crate::json::{JsonKind, JsonValue};
use crate::measurements::{Measurements, Of};
use crate::place::PlacedText;

/// `parameters`, and `measurements` by call path and metric: lists of a point with its values. In `experiment.json`
/// of a saved experiment points have a median, mean and extremes in place of values.
pub(crate) const FORMAT: Format = Format { name: "extrap-json", title: "Extra-P's JSON", is, read };

fn is(content: &Content<'_>) -> bool {
    let Content::Document(document) = content else { return false };
    let kind = |name| document.get(name).map(|value| &value.kind);
    matches!(kind("parameters"), Some(JsonKind::List(_)))
        && matches!(kind("measurements"), Some(JsonKind::Object(_)))
}

fn read(inputs: &[Input<'_>], to: &mut Measurements<'_>) -> Result<(), ImportError> {
    each_file(inputs, |input| read_one(input.source, input.document()?, to))
}

fn read_one(
    source: PlacedText<'_>,
    document: &JsonValue<'_>,
    to: &mut Measurements<'_>,
) -> Result<(), ImportError> {
    let mut names = Vec::new();
    for parameter in document.member(source, "parameters")?.list(source)? {
        names.push(parameter.text(source)?.to_owned());
    }
    let measurements = document.member(source, "measurements")?;
    for (callpath, metrics) in measurements.object(source)? {
        for (metric, points) in metrics.object(source)? {
            for point in points.list(source)? {
                let parameters = coordinate(source, point, &names)?;
                let labels =
                    Of { experiment: callpath, metric, unit: None, parameters: &parameters };
                values(source, point, labels, to)?;
            }
        }
    }
    Ok(())
}

fn coordinate(
    source: PlacedText<'_>,
    point: &JsonValue<'_>,
    names: &[String],
) -> Result<Vec<(String, f64)>, ImportError> {
    let given = match point.get("coordinate") {
        Some(given) => given,
        None => point.member(source, "point")?,
    };
    let numbers = match &given.kind {
        JsonKind::List(numbers) => numbers.as_slice(),
        _ => std::slice::from_ref(given),
    };
    if numbers.len() != names.len() {
        let message = format!(
            "this point has {} values, and there are {} parameters",
            numbers.len(),
            names.len()
        );
        return Err(source.wrong(given.span.clone(), message));
    }
    let mut parameters = Vec::new();
    for (name, number) in names.iter().zip(numbers) {
        parameters.push((name.clone(), number.number(source)?));
    }
    Ok(parameters)
}

/// All repetitions, or the median if nothing else was kept.
fn values(
    source: PlacedText<'_>,
    point: &JsonValue<'_>,
    labels: Of<'_>,
    to: &mut Measurements<'_>,
) -> Result<(), ImportError> {
    match point.get("values").filter(|values| !values.is_null()) {
        Some(values) => {
            let all = match &values.kind {
                JsonKind::List(all) => all.as_slice(),
                _ => std::slice::from_ref(values),
            };
            for value in all {
                to.add(labels, value.number(source)?, source, value.span.clone());
            }
        }
        None => {
            if point.get("median").is_none() {
                point.member(source, "values")?;
            }
            let median = point.member(source, "median")?;
            to.note("the file keeps no repetitions: the median of each point is taken");
            to.add(labels, median.number(source)?, source, median.span.clone());
        }
    }
    Ok(())
}
