//! The text that `go test -bench` prints.

use crate::error::{ImportCause, ImportError};
use crate::format::{Content, Format, Input, each_file};
use crate::measurements::{Measurements, Of, Wanted};

/// Lines `BenchmarkSort/n=1000-8  500  2313 ns/op  0 B/op`. The experiment is the name without parameters.
pub(crate) const FORMAT: Format = Format { name: "go-test", title: "Go's benchmarks", is, read };

fn is(content: &Content<'_>) -> bool {
    let Content::Text(text) = content else { return false };
    let mut lines = text.lines().take(100);
    lines.any(|line| line.starts_with("Benchmark") && line.contains(" ns/op"))
}

fn read(inputs: &[Input<'_>], to: &mut Measurements<'_>) -> Result<(), ImportError> {
    to.wanted = Wanted::Preferred(vec!["time".to_owned()]);
    let single = match to.options.used.as_slice() {
        [only] => only.clone(),
        _ => "N".to_owned(),
    };
    each_file(inputs, |input| {
        let source = input.source;
        let mut offset = 0;
        for line in source.text.split_inclusive('\n') {
            let span = offset..offset + line.trim_end().len();
            offset += line.len();
            let mut words = line.split_whitespace();
            let Some(full) = words.next().filter(|name| name.starts_with("Benchmark")) else {
                continue;
            };
            // A line with the name only says what runs.
            if words.next().is_none_or(|count| count.parse::<u64>().is_err()) {
                continue;
            }
            let (name, parameters) = apart(full, &single);
            let rest: Vec<&str> = words.collect();
            for pair in rest.chunks(2) {
                let [number, unit] = pair else { continue };
                let number = number.parse::<f64>().map_err(|_| {
                    let (text, column) = ((*number).to_owned(), (*unit).to_owned());
                    source.error(span.clone(), ImportCause::NotANumber { text, column })
                })?;
                let (metric, unit) = match *unit {
                    "ns/op" => ("time", "ns"),
                    other => (other, other),
                };
                let labels =
                    Of { experiment: &name, metric, unit: Some(unit), parameters: &parameters };
                to.add(labels, number, source, span.clone());
            }
        }
        Ok(())
    })
}

/// `BenchmarkSort/n=1000/quick-8` is `BenchmarkSort/quick` with n = 1000; `-8` is the number of processors. A number
/// without a name is called `single`.
fn apart(full: &str, single: &str) -> (String, Vec<(String, f64)>) {
    let is_count = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let (path, processors) = match full.rsplit_once('-') {
        Some((path, digits)) if is_count(digits) => (path, digits.parse().ok()),
        _ => (full, None),
    };
    let mut name = String::new();
    let mut parameters: Vec<(String, f64)> = Vec::new();
    for part in path.split('/') {
        let number = |text: &str| text.parse::<f64>().ok().filter(|value| value.is_finite());
        let pair = part.split_once(['=', ':']).and_then(|(key, value)| Some((key, number(value)?)));
        let is_new = |key: &str| !parameters.iter().any(|(known, _)| known == key);
        match (pair, number(part)) {
            (Some((key, value)), _) if is_new(key) => parameters.push((key.to_owned(), value)),
            (None, Some(value)) if is_new(single) => parameters.push((single.to_owned(), value)),
            _ if name.is_empty() => name = part.to_owned(),
            _ => name.extend(["/", part]),
        }
    }
    parameters.extend(processors.map(|count| ("GOMAXPROCS".to_owned(), count)));
    (name, parameters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_parts_of_the_name() {
        let (name, parameters) = apart("BenchmarkSort/quick/n=1000/2-8", "N");
        assert_eq!(name, "BenchmarkSort/quick");
        let expected = [("n", 1000.0), ("N", 2.0), ("GOMAXPROCS", 8.0)];
        assert_eq!(parameters, expected.map(|(name, value)| (name.to_owned(), value)));
        assert_eq!(apart("BenchmarkAll", "N"), ("BenchmarkAll".to_owned(), vec![]));
    }
}
