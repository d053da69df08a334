//! TaLPas's lines, which Extra-P reads: JSON with semicolons between the members.

use crate::error::ImportError;
use crate::format::{Content, Format, Input, each_file, each_line};
use crate::json::JsonValue;
use crate::measurements::{Measurements, Of};
use crate::place::{LineEnds, PlacedText};

/// `{"parameters":{"x":20};"metric":"time";"callpath":"compute";"value":8.1}` on each line.
pub(crate) const FORMAT: Format = Format { name: "talpas", title: "TaLPas's lines", is, read };

fn is(content: &Content<'_>) -> bool {
    matches!(content, Content::Text(text) if is_talpas(text))
}

/// Whether a text begins with such a line.
pub(crate) fn is_talpas(text: &str) -> bool {
    let first = text.trim_start().lines().next().unwrap_or_default();
    first.starts_with("{\"parameters\"") && first.contains("};\"")
}

fn read(inputs: &[Input<'_>], to: &mut Measurements<'_>) -> Result<(), ImportError> {
    each_file(inputs, |input| {
        let text = with_commas(input.source.text);
        let ends = LineEnds::default();
        let source = PlacedText::new(&text, &ends);
        let skip_bad = to.options.skip_bad;
        let errors = each_line(source, skip_bad, |line| record(source, line, to))?;
        errors.into_iter().try_for_each(|error| to.skip(error))
    })
}

/// The same text with commas for the semicolons outside of quotes: places stay as they are.
fn with_commas(text: &str) -> String {
    let mut is_quoted = false;
    let mut before = ' ';
    let comma = |c: char| {
        is_quoted ^= c == '"' && before != '\\';
        before = c;
        if c == ';' && !is_quoted { ',' } else { c }
    };
    text.chars().map(comma).collect()
}

fn record(
    source: PlacedText<'_>,
    line: &JsonValue<'_>,
    to: &mut Measurements<'_>,
) -> Result<(), ImportError> {
    let mut parameters: Vec<(String, f64)> = Vec::new();
    for (name, value) in line.member(source, "parameters")?.object(source)? {
        parameters.push((name.to_string(), value.number(source)?));
    }
    let text = |name: &str| line.get(name).map(|value| value.text(source)).transpose();
    let labels = Of {
        experiment: text("callpath")?.unwrap_or_default(),
        metric: text("metric")?.unwrap_or("time"),
        unit: None,
        parameters: &parameters,
    };
    let value = line.member(source, "value")?;
    to.add(labels, value.number(source)?, source, value.span.clone());
    Ok(())
}
