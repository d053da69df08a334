//! The JSON of Extra-P 3, in which measurements name all parts by their numbers.

use std::collections::HashMap;

use crate::error::ImportError;
use crate::format::{Content, Format, Input, each_file};
use crate::json::{JsonKind, JsonValue};
use crate::measurements::{Measurements, Of};
use crate::place::PlacedText;

/// `parameters`, `metrics`, `callpaths` and `coordinates` with numbers, and `measurements` that refer to them.
pub(crate) const FORMAT: Format =
    Format { name: "extrap-3-json", title: "the JSON of Extra-P 3", is, read };

fn is(content: &Content<'_>) -> bool {
    let Content::Document(document) = content else { return false };
    let is_list =
        |name| document.get(name).is_some_and(|value| matches!(value.kind, JsonKind::List(_)));
    is_list("parameters") && is_list("measurements")
}

fn read(inputs: &[Input<'_>], to: &mut Measurements<'_>) -> Result<(), ImportError> {
    each_file(inputs, |input| {
        let (source, document) = (input.source, input.document()?);
        let parameters = names(source, document, "parameters")?;
        let metrics = names(source, document, "metrics")?;
        let callpaths = names(source, document, "callpaths")?;
        let points = points(source, document, &parameters)?;
        for measured in document.member(source, "measurements")?.list(source)? {
            let labels = Of {
                experiment: part(source, measured, "callpath_id", &callpaths)?,
                metric: part(source, measured, "metric_id", &metrics)?,
                unit: None,
                parameters: part(source, measured, "coordinate_id", &points)?,
            };
            let value = measured.member(source, "value")?;
            to.add(labels, value.number(source)?, source, value.span.clone());
        }
        Ok(())
    })
}

/// The number of a part, as a key.
fn id(source: PlacedText<'_>, value: &JsonValue<'_>, member: &str) -> Result<u64, ImportError> {
    Ok(value.member(source, member)?.number(source)?.to_bits())
}

fn names(
    source: PlacedText<'_>,
    document: &JsonValue<'_>,
    list: &str,
) -> Result<HashMap<u64, String>, ImportError> {
    let mut names = HashMap::new();
    for part in document.member(source, list)?.list(source)? {
        let name = part.member(source, "name")?.text(source)?.to_owned();
        names.insert(id(source, part, "id")?, name);
    }
    Ok(names)
}

/// The values of the parameters at each point.
fn points(
    source: PlacedText<'_>,
    document: &JsonValue<'_>,
    parameters: &HashMap<u64, String>,
) -> Result<HashMap<u64, Vec<(String, f64)>>, ImportError> {
    let mut points = HashMap::new();
    for point in document.member(source, "coordinates")?.list(source)? {
        let mut values = Vec::new();
        for pair in point.member(source, "parameter_value_pairs")?.list(source)? {
            let name = part(source, pair, "parameter_id", parameters)?;
            values.push((name.clone(), pair.member(source, "parameter_value")?.number(source)?));
        }
        points.insert(id(source, point, "id")?, values);
    }
    Ok(points)
}

/// The part that a member refers to.
fn part<'p, T>(
    source: PlacedText<'_>,
    value: &JsonValue<'_>,
    member: &str,
    parts: &'p HashMap<u64, T>,
) -> Result<&'p T, ImportError> {
    let number = value.member(source, member)?;
    let known = parts.get(&number.number(source)?.to_bits());
    known.ok_or_else(|| {
        source.wrong(number.span.clone(), format!("no part has this number (`{member}`)"))
    })
}
