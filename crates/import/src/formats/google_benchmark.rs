//! Google Benchmark's JSON (`--benchmark_format=json`, `--benchmark_out`).

use std::collections::{HashMap, HashSet};

use crate::error::ImportError;
use crate::format::{Content, Format, Input, each_file};
use crate::json::JsonValue;
use crate::measurements::{Measurements, Of, Wanted};
use crate::place::PlacedText;

/// `context` and `benchmarks`. The experiment is the family, the parameters are the arguments in the name.
pub(crate) const FORMAT: Format =
    Format { name: "google-benchmark", title: "Google Benchmark's JSON", is, read };

/// Members of a benchmark that are no counters of the user.
const OWN: [&str; 24] = [
    "family_index",
    "per_family_instance_index",
    "run_name",
    "name",
    "run_type",
    "repetitions",
    "repetition_index",
    "threads",
    "iterations",
    "real_time",
    "cpu_time",
    "time_unit",
    "label",
    "aggregate_name",
    "aggregate_unit",
    "error_occurred",
    "error_message",
    "skipped",
    "skip_message",
    "cpu_coefficient",
    "real_coefficient",
    "big_o",
    "rms",
    "allocs_per_iter",
];

/// Settings in names that are no arguments.
const SETTINGS: [&str; 5] = ["iterations", "repeats", "min_time", "min_warmup_time", "warmup_time"];

fn is(content: &Content<'_>) -> bool {
    let Content::Document(document) = content else { return false };
    document.get("benchmarks").is_some() && document.get("context").is_some()
}

fn read(inputs: &[Input<'_>], to: &mut Measurements<'_>) -> Result<(), ImportError> {
    to.wanted = Wanted::Preferred(vec!["real_time".to_owned()]);
    let mut names = ArgumentNames::default();
    each_file(inputs, |input| {
        let source = input.source;
        let benchmarks = input.document()?.member(source, "benchmarks")?.list(source)?;
        names.learn(source, benchmarks)?;
        Ok(())
    })?;
    names.choose(&to.options.used);
    let mut contexts = contexts(inputs, to)?.into_iter();
    let has_values = |entry: &JsonValue<'_>| kind(entry) == BenchmarkKind::Run;
    each_file(inputs, |input| {
        let source = input.source;
        let context = contexts.next().unwrap_or_default();
        let benchmarks = input.document()?.member(source, "benchmarks")?.list(source)?;
        let aggregates_only = !benchmarks.iter().any(has_values);
        let mut left_out = 0;
        let mut failed: Vec<Failed<'_>> = Vec::new();
        let mut of_name: HashMap<&str, usize> = HashMap::new();
        let mut runs: HashMap<&str, usize> = HashMap::new();
        for entry in benchmarks {
            let is_median =
                entry.get("aggregate_name").and_then(JsonValue::as_text) == Some("median");
            match kind(entry) {
                BenchmarkKind::Run => {
                    benchmark(source, entry, &names, &context, to)?;
                    let name = entry.get("name").and_then(JsonValue::as_text).unwrap_or_default();
                    *runs.entry(name).or_default() += 1;
                }
                BenchmarkKind::Aggregate if aggregates_only && is_median => {
                    benchmark(source, entry, &names, &context, to)?;
                }
                BenchmarkKind::Aggregate => left_out += 1,
                BenchmarkKind::Failed => {
                    let name = entry.member(source, "name")?.text(source)?;
                    let why = entry.get("error_message").or(entry.get("skip_message"));
                    let why = why.and_then(JsonValue::as_text).unwrap_or("no message");
                    let index = *of_name.entry(name).or_insert_with(|| {
                        failed.push(Failed { name, why, count: 0 });
                        failed.len() - 1
                    });
                    failed[index].count += 1;
                }
            }
        }
        for Failed { name, why, count } in failed {
            to.note(match runs.get(name).copied().unwrap_or(0) {
                0 => format!("{name} is left out, it failed: {why}"),
                others => format!(
                    "{count} of {} repetitions of {name} are left out, they failed: {why}",
                    count + others
                ),
            });
        }
        match (left_out, aggregates_only) {
            (0, _) => {}
            (_, true) => to.note("the file has no single repetitions: medians are taken"),
            (1, false) => {
                to.note("1 line of statistics (mean, median, complexity and the like) is left out")
            }
            (count, false) => to.note(format!(
                "{count} lines of statistics (mean, median, complexity and the like) are left out"
            )),
        }
        Ok(())
    })
}

/// The host and build of each file, as far as the files differ in them: their times are no
/// repetitions of each other.
fn contexts(inputs: &[Input<'_>], to: &mut Measurements<'_>) -> Result<Vec<String>, ImportError> {
    const ITEMS: [(&str, &str); 4] = [
        ("host_name", "host"),
        ("library_version", "version of the library"),
        ("library_build_type", "build of the library"),
        ("executable", "program"),
    ];
    let mut files: Vec<[String; ITEMS.len()]> = Vec::new();
    each_file(inputs, |input| {
        let context = input.document()?.member(input.source, "context")?;
        let text = |name| context.get(name).and_then(JsonValue::as_text).unwrap_or("unknown");
        files.push(ITEMS.map(|(name, _)| text(name).to_owned()));
        Ok(())
    })?;
    let differs = |item: usize| files.iter().any(|file| file[item] != files[0][item]);
    let differing: Vec<usize> = (0..ITEMS.len()).filter(|&item| differs(item)).collect();
    for &item in &differing {
        to.note(format!("the files differ in the {}: each is fitted apart", ITEMS[item].1));
    }
    let version = 1;
    if differing.contains(&version) {
        to.note("since version 1.9 the real time of several threads is no longer divided by them");
    }
    let label = |file: &[String; ITEMS.len()]| {
        let parts: Vec<&str> = differing.iter().map(|&item| file[item].as_str()).collect();
        if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
    };
    Ok(files.iter().map(label).collect())
}

/// A benchmark that failed, so often.
struct Failed<'a> {
    name: &'a str,
    why: &'a str,
    count: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BenchmarkKind {
    Run,
    Aggregate,
    Failed,
}

fn kind(entry: &JsonValue<'_>) -> BenchmarkKind {
    let flag =
        |name: &str| entry.get(name).is_some_and(|v| v.kind == crate::json::JsonKind::Bool(true));
    let failed = flag("error_occurred")
        || flag("skipped")
        || entry.get("skipped").and_then(JsonValue::as_text).is_some();
    // Old versions have no `run_type`.
    let name = entry.get("name").and_then(JsonValue::as_text).unwrap_or_default();
    let is_old = entry.get("run_type").is_none();
    let statistics = ["_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"];
    let is_aggregate = entry.get("run_type").and_then(JsonValue::as_text) == Some("aggregate")
        || (is_old && statistics.iter().any(|end| name.ends_with(end)));
    match (failed, is_aggregate) {
        (true, _) => BenchmarkKind::Failed,
        (false, true) => BenchmarkKind::Aggregate,
        (false, false) => BenchmarkKind::Run,
    }
}

/// A name taken apart.
struct Named {
    /// The name without arguments.
    family: String,
    /// Arguments with a name.
    named: Vec<(String, f64)>,
    /// Arguments without a name.
    unnamed: Vec<f64>,
}

impl Named {
    /// `BM_sort/n:1024/threads:4` is the family `BM_sort` with two arguments.
    fn new(name: &str) -> Named {
        let mut parts = parts(name).into_iter();
        let mut family = parts.next().unwrap_or_default().to_owned();
        let (mut named, mut unnamed) = (Vec::new(), Vec::new());
        for part in parts {
            let pair = part.split_once(':').filter(|(name, value)| {
                !name.is_empty() && (number(value).is_some() || SETTINGS.contains(name))
            });
            match (pair, number(part)) {
                (Some((name, _)), _) if SETTINGS.contains(&name) => {}
                (Some((name, value)), _) => {
                    named.push((name.to_owned(), number(value).unwrap_or(f64::NAN)));
                }
                (None, Some(value)) => unnamed.push(value),
                (None, None) => family.extend(["/", part]),
            }
        }
        Named { family, named, unnamed }
    }
}

/// The parts between slashes that are not inside of `<>`.
fn parts(name: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0_usize, 0);
    for (index, c) in name.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '/' if depth == 0 => {
                parts.push(&name[from..index]);
                from = index + 1;
            }
            _ => {}
        }
    }
    parts.push(&name[from..]);
    parts
}

fn number(text: &str) -> Option<f64> {
    let is_number = text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    text.parse().ok().filter(|value: &f64| is_number && value.is_finite())
}

/// The names of the arguments that have none.
#[derive(Default)]
struct ArgumentNames {
    /// The most arguments without name of a benchmark.
    most: usize,
    taken: HashSet<String>,
    single: String,
}

impl ArgumentNames {
    fn learn(
        &mut self,
        source: PlacedText<'_>,
        benchmarks: &[JsonValue<'_>],
    ) -> Result<(), ImportError> {
        for entry in benchmarks {
            let name =
                entry.get("run_name").unwrap_or(entry.member(source, "name")?).text(source)?;
            let named = Named::new(name);
            self.most = self.most.max(named.unnamed.len());
            self.taken.extend(named.named.into_iter().map(|(name, _)| name));
        }
        Ok(())
    }

    /// A single argument is what the formula calls otherwise unknown, else `N`.
    fn choose(&mut self, used: &[String]) {
        let mut unknown = used.iter().filter(|name| !self.taken.contains(*name));
        self.single = match (unknown.next(), unknown.next()) {
            (Some(only), None) => only.clone(),
            _ => "N".to_owned(),
        };
    }

    fn parameters(&self, named: Named) -> Vec<(String, f64)> {
        let count = named.unnamed.len();
        let unnamed = named.unnamed.into_iter().enumerate().map(|(index, value)| match count {
            1 => (self.single.clone(), value),
            _ => (format!("arg{index}"), value),
        });
        unnamed.chain(named.named).collect()
    }
}

fn benchmark(
    source: PlacedText<'_>,
    entry: &JsonValue<'_>,
    names: &ArgumentNames,
    context: &str,
    to: &mut Measurements<'_>,
) -> Result<(), ImportError> {
    let name = entry.get("run_name").unwrap_or(entry.member(source, "name")?).text(source)?;
    let named = Named::new(name);
    let family = format!("{}{context}", named.family);
    let count = named.unnamed.len();
    let parameters = names.parameters(named);
    if let (1, Some((name, _))) = (count, parameters.first()) {
        to.note(format!("the argument of benchmarks is {name} in formulas"));
    } else if count > 1 {
        to.note("the arguments of benchmarks are arg0, arg1, … in formulas");
    }
    let unit = match entry.get("time_unit") {
        Some(unit) => unit.text(source)?,
        None => "ns",
    };
    let labels_of =
        |metric, unit| Of { experiment: &family, metric, unit, parameters: &parameters };
    for metric in ["real_time", "cpu_time"] {
        let time = entry.member(source, metric)?;
        to.add(labels_of(metric, Some(unit)), time.number(source)?, source, time.span.clone());
    }
    for (metric, value) in entry.object(source)? {
        let metric = metric.as_ref();
        let is_counter = !OWN.contains(&metric);
        if let (true, Some(number)) = (is_counter, value.as_number()) {
            let unit = match metric {
                "bytes_per_second" => "B/s",
                "items_per_second" => "items/s",
                other => other,
            };
            to.add(labels_of(metric, Some(unit)), number, source, value.span.clone());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        let apart = |name: &str| {
            let Named { family, named, unnamed } = Named::new(name);
            (family, named, unnamed)
        };
        assert_eq!(apart("BM_empty"), ("BM_empty".into(), vec![], vec![]));
        assert_eq!(
            apart("BM_sort/n:1024/-3/threads:4/iterations:10/min_time:0.500"),
            ("BM_sort".into(), vec![("n".into(), 1024.0), ("threads".into(), 4.0)], vec![-3.0])
        );
        assert_eq!(
            apart("Fixture/Walk<std::pair<a/b, int>>/8/real_time"),
            ("Fixture/Walk<std::pair<a/b, int>>/real_time".into(), vec![], vec![8.0])
        );
        assert_eq!(apart("BM_x/min_time:2.000s/ns::a").0, "BM_x/ns::a");
    }
}
