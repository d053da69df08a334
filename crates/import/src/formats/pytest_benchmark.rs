//! The JSON of pytest-benchmark (`--benchmark-json`).

use crate::error::ImportError;
use crate::format::{Content, Format, Input, each_file};
use crate::json::{JsonKind, JsonValue};
use crate::measurements::{Measurements, Of, Wanted};

/// `machine_info` and `benchmarks`. The experiment is the test's name without its parameters; those that are numbers
/// are the parameters.
pub(crate) const FORMAT: Format =
    Format { name: "pytest-benchmark", title: "pytest-benchmark's JSON", is, read };

fn is(content: &Content<'_>) -> bool {
    let Content::Document(document) = content else { return false };
    document.get("benchmarks").is_some() && document.get("machine_info").is_some()
}

fn read(inputs: &[Input<'_>], to: &mut Measurements<'_>) -> Result<(), ImportError> {
    to.wanted = Wanted::Preferred(vec!["time".to_owned()]);
    each_file(inputs, |input| {
        let source = input.source;
        for test in input.document()?.member(source, "benchmarks")?.list(source)? {
            let full = test.member(source, "name")?.text(source)?;
            let mut name = full.split('[').next().unwrap_or(full).to_owned();
            let mut parameters = Vec::new();
            let given = test.get("params").filter(|value| !value.is_null());
            if let Some(JsonKind::Object(given)) = given.map(|value| &value.kind) {
                for (parameter, value) in given {
                    match (value.as_number(), value.as_text()) {
                        (Some(number), _) => parameters.push((parameter.to_string(), number)),
                        (None, Some(text)) => name = format!("{name}[{parameter}={text}]"),
                        (None, None) => {}
                    }
                }
            }
            let labels_of =
                |metric| Of { experiment: &name, metric, unit: Some("s"), parameters: &parameters };
            let stats = test.member(source, "stats")?;
            match stats.get("data").map(|data| &data.kind) {
                Some(JsonKind::List(times)) if !times.is_empty() => {
                    for time in times {
                        to.add(labels_of("time"), time.number(source)?, source, time.span.clone());
                    }
                }
                _ => {
                    to.note(
                        "the file has no single times (--benchmark-save-data): medians are taken",
                    );
                    let median: &JsonValue<'_> = stats.member(source, "median")?;
                    to.add(labels_of("time"), median.number(source)?, source, median.span.clone());
                }
            }
        }
        Ok(())
    })
}
