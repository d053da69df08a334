//! Criterion's results: the files in `target/criterion`, and the messages of `cargo criterion`.

use std::collections::HashMap;

use crate::error::ImportError;
use crate::format::{Content, Format, Input, each_file, each_line};
use crate::json::JsonValue;
use crate::measurements::{Measurements, Of, Wanted};
use crate::place::PlacedText;

/// Lines of `cargo criterion --message-format json`, or the file `sample.json` of a benchmark beside its
/// `benchmark.json`. The experiment is group and function, the value is the parameter N.
pub(crate) const FORMAT: Format = Format { name: "criterion", title: "Criterion's JSON", is, read };

fn is(content: &Content<'_>) -> bool {
    let Some(first) = content.first() else { return false };
    is_message(first) || is_sample(first) || is_benchmark(first)
}

fn is_message(value: &JsonValue<'_>) -> bool {
    let reason = value.get("reason").and_then(JsonValue::as_text);
    reason.is_some_and(|reason| reason == "benchmark-complete" || reason == "group-complete")
}

fn is_sample(value: &JsonValue<'_>) -> bool {
    value.get("sampling_mode").is_some()
        && value.get("iters").is_some()
        && value.get("times").is_some()
}

fn is_benchmark(value: &JsonValue<'_>) -> bool {
    value.get("group_id").is_some() && value.get("full_id").is_some()
}

fn read(inputs: &[Input<'_>], to: &mut Measurements<'_>) -> Result<(), ImportError> {
    to.wanted = Wanted::Preferred(vec!["time".to_owned()]);
    let benchmarks = inputs.iter().filter(|input| input.content.first().is_some_and(is_benchmark));
    // Of several in a folder the first.
    let benchmarks: HashMap<Option<&str>, &Input<'_>> =
        benchmarks.rev().map(|input| (folder(input), input)).collect();
    let single = single_name(&to.options.used);
    each_file(inputs, |input| {
        let source = input.source;
        match input.content.first() {
            Some(first) if is_benchmark(first) => Ok(()),
            Some(first) if is_sample(first) => {
                let Some(benchmark) = benchmarks.get(&folder(input)) else {
                    let error =
                        source.wrong(0..1, "the benchmark.json beside this sample.json is missing");
                    return Err(error.help("give the folder, target/criterion, and not its files"));
                };
                let id = id_of_benchmark(benchmark.source, benchmark.document()?)?;
                sample(source, first, &id, &single, to)
            }
            _ => {
                let skip_bad = to.options.skip_bad;
                let read =
                    |line: &JsonValue<'_>| match line.get("reason").and_then(JsonValue::as_text) {
                        Some("benchmark-complete") => message(source, line, &single, to),
                        _ => Ok(()),
                    };
                let errors = each_line(source, skip_bad, read)?;
                errors.into_iter().try_for_each(|error| to.skip(error))
            }
        }
    })
}

fn folder<'a>(input: &Input<'a>) -> Option<&'a str> {
    input.name.rsplit_once('/').map(|(folder, _)| folder)
}

/// The parameter is what the formula calls its only variable, else `N`.
fn single_name(used: &[String]) -> String {
    match used {
        [only] => only.clone(),
        _ => "N".to_owned(),
    }
}

/// Group, function and value of a benchmark.
struct Id {
    experiment: String,
    value: Option<f64>,
}

impl Id {
    /// `group/function/value`, where the last part may be a number.
    fn of_path(path: &str) -> Id {
        match path.rsplit_once('/') {
            Some((experiment, value)) if value.parse::<f64>().is_ok_and(f64::is_finite) => {
                Id { experiment: experiment.to_owned(), value: value.parse().ok() }
            }
            _ => Id { experiment: path.to_owned(), value: None },
        }
    }
}

fn id_of_benchmark(source: PlacedText<'_>, benchmark: &JsonValue<'_>) -> Result<Id, ImportError> {
    let group = benchmark.member(source, "group_id")?.text(source)?;
    let part = |name: &str| benchmark.get(name).and_then(JsonValue::as_text);
    let mut experiment = group.to_owned();
    if let Some(function) = part("function_id") {
        experiment = format!("{experiment}/{function}");
    }
    match part("value_str") {
        Some(value) => match value.parse::<f64>().ok().filter(|value| value.is_finite()) {
            Some(number) => Ok(Id { experiment, value: Some(number) }),
            None => Ok(Id { experiment: format!("{experiment}/{value}"), value: None }),
        },
        None => Ok(Id { experiment, value: None }),
    }
}

/// Adds the time of one iteration in each sample.
fn samples(
    source: PlacedText<'_>,
    id: &Id,
    single: &str,
    unit: &str,
    of_samples: (&JsonValue<'_>, &JsonValue<'_>),
    to: &mut Measurements<'_>,
) -> Result<(), ImportError> {
    let (counts, times) = (of_samples.0.list(source)?, of_samples.1.list(source)?);
    if counts.len() != times.len() {
        let message = format!(
            "the numbers of samples and of times differ: {} and {}",
            counts.len(),
            times.len()
        );
        return Err(source.wrong(of_samples.1.span.start..of_samples.1.span.start + 1, message));
    }
    let parameters: Vec<(String, f64)> =
        id.value.map(|value| (single.to_owned(), value)).into_iter().collect();
    if id.value.is_some() {
        to.note(format!("the value of benchmarks is {single} in formulas"));
    }
    let labels = Of {
        experiment: &id.experiment,
        metric: "time",
        unit: Some(unit),
        parameters: &parameters,
    };
    for (count, time) in counts.iter().zip(times) {
        let iterations = count.number(source)?;
        if iterations <= 0.0 || iterations.is_nan() {
            return Err(
                source.wrong(count.span.clone(), "the number of iterations must be above 0")
            );
        }
        to.add(labels, time.number(source)? / iterations, source, time.span.clone());
    }
    Ok(())
}

fn sample(
    source: PlacedText<'_>,
    sample: &JsonValue<'_>,
    id: &Id,
    single: &str,
    to: &mut Measurements<'_>,
) -> Result<(), ImportError> {
    let both = (sample.member(source, "iters")?, sample.member(source, "times")?);
    samples(source, id, single, "ns", both, to)
}

fn message(
    source: PlacedText<'_>,
    line: &JsonValue<'_>,
    single: &str,
    to: &mut Measurements<'_>,
) -> Result<(), ImportError> {
    let id = Id::of_path(line.member(source, "id")?.text(source)?);
    let unit = line.member(source, "unit")?.text(source)?;
    let both = (line.member(source, "iteration_count")?, line.member(source, "measured_values")?);
    samples(source, &id, single, unit, both, to)
}
