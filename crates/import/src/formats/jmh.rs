//! The JSON of JMH (`-rf json`).

use crate::error::ImportError;
use crate::format::{Content, Format, Input, each_file};
use crate::json::{JsonKind, JsonValue};
use crate::measurements::{Measurements, Of, Wanted};
use crate::place::PlacedText;

/// A list of benchmarks with their `primaryMetric`. Parameters that are numbers are the parameters.
pub(crate) const FORMAT: Format = Format { name: "jmh", title: "JMH's JSON", is, read };

fn is(content: &Content<'_>) -> bool {
    let Content::Document(JsonValue { kind: JsonKind::List(all), .. }) = content else {
        return false;
    };
    all.first().is_some_and(|value| {
        value.get("benchmark").is_some() && value.get("primaryMetric").is_some()
    })
}

fn read(inputs: &[Input<'_>], to: &mut Measurements<'_>) -> Result<(), ImportError> {
    to.wanted = Wanted::Preferred(vec!["time".to_owned()]);
    each_file(inputs, |input| {
        let source = input.source;
        for benchmark in input.document()?.list(source)? {
            add(source, benchmark, to)?;
        }
        Ok(())
    })
}

fn add(
    source: PlacedText<'_>,
    benchmark: &JsonValue<'_>,
    to: &mut Measurements<'_>,
) -> Result<(), ImportError> {
    let mut name = benchmark.member(source, "benchmark")?.text(source)?.to_owned();
    let mut parameters = Vec::new();
    let given = benchmark.get("params").filter(|value| !value.is_null());
    if let Some(JsonKind::Object(given)) = given.map(|value| &value.kind) {
        for (parameter, value) in given {
            let text = value.text(source)?;
            match text.parse::<f64>().ok().filter(|number| number.is_finite()) {
                Some(number) => parameters.push((parameter.to_string(), number)),
                None => name = format!("{name}[{parameter}={text}]"),
            }
        }
    }
    let metric = benchmark.member(source, "primaryMetric")?;
    let unit = metric.member(source, "scoreUnit")?.text(source)?;
    // `ms/op` is the time of an operation, `ops/ms` how many there are in one.
    let time = unit.strip_suffix("/op");
    let labels = Of {
        experiment: &name,
        metric: if time.is_some() { "time" } else { "throughput" },
        unit: Some(time.unwrap_or(unit)),
        parameters: &parameters,
    };
    let mut count = 0;
    if let Some(JsonKind::List(forks)) = metric.get("rawData").map(|data| &data.kind) {
        for fork in forks {
            // Of samples there are pairs of a time and how often it occurred.
            let JsonKind::List(scores) = &fork.kind else { continue };
            for score in scores.iter().filter(|score| score.as_number().is_some()) {
                to.add(labels, score.number(source)?, source, score.span.clone());
                count += 1;
            }
        }
    }
    if count == 0 {
        let score = metric.member(source, "score")?;
        to.note("the file has no single values of some benchmarks: means are taken");
        to.add(labels, score.number(source)?, source, score.span.clone());
    }
    Ok(())
}
