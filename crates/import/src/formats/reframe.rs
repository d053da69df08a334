//! ReFrame's reports (JSON) and its logs of performance.

use std::collections::HashMap;

use crate::ResultKind;
use crate::csv::split;
use crate::distinct::distinct;
use crate::error::{ImportCause, ImportError};
use crate::format::{Content, Format, Input, each_file};
use crate::json::JsonValue;
use crate::measurements::{Measurements, Of, Wanted};
use crate::place::PlacedText;

/// `session_info` and `runs` with their test cases and `perfvalues`.
pub(crate) const REPORT: Format =
    Format { name: "reframe", title: "ReFrame's report", is: is_report, read: read_report };

/// Lines with `|` between fields, and their names in the first line.
pub(crate) const LOG: Format = Format {
    name: "reframe-log",
    title: "ReFrame's log of performance",
    is: is_log,
    read: read_log,
};

/// How many processes a test has, beside its own parameters.
const TASKS: &str = "num_tasks";

fn is_report(content: &Content<'_>) -> bool {
    let Content::Document(document) = content else { return false };
    document.get("session_info").is_some() && document.get("runs").is_some()
}

fn is_log(content: &Content<'_>) -> bool {
    let Content::Text(text) = content else { return false };
    let first = text.lines().next().unwrap_or_default();
    let has = |end: &str| first.split('|').any(|name| name.ends_with(end));
    (has("_value") && has("_unit") && (has("name") || has("result"))) || is_by_variable(first)
}

/// Whether the names of a log are those of one with a line for each variable (`perflog_multiline`).
fn is_by_variable(names: &str) -> bool {
    let has = |wanted: &str| names.trim().split(['|', ',']).any(|name| name == wanted);
    has("pvar") && has("pval") && (has("name") || has("display_name"))
}

/// A test with its values.
struct Test {
    /// The name without parameters that are numbers.
    name: String,
    /// The system's partition and the environment.
    place: String,
    parameters: Vec<(String, f64)>,
    tasks: Option<f64>,
    /// Metric, value, unit, and where it stands.
    values: Vec<(String, f64, Option<String>, std::ops::Range<usize>)>,
}

impl Test {
    /// `sorting %n=1000 %algo=quick` is the test `sorting %algo=quick` with the parameter n.
    fn new(display: &str) -> Test {
        let mut name = String::new();
        let mut parameters = Vec::new();
        for word in display.split_whitespace() {
            let pair = word.strip_prefix('%').and_then(|word| word.split_once('='));
            // A parameter of a fixture is called `fixture.name`.
            match pair.and_then(|(name, value)| Some((name, value.parse::<f64>().ok()?))) {
                Some((name, value)) if value.is_finite() => {
                    parameters.push((name.to_owned(), value))
                }
                _ if name.is_empty() => name = word.to_owned(),
                _ => name.extend([" ", word]),
            }
        }
        Test { name, place: String::new(), parameters, tasks: None, values: Vec::new() }
    }
}

/// Adds tests. Where they ran is in their names, and the number of tasks a parameter, if these differ.
fn add(source: PlacedText<'_>, tests: Vec<Test>, to: &mut Measurements<'_>) {
    let has_places = tests.iter().any(|test| test.place != tests[0].place);
    let has_tasks = tests.iter().any(|test| test.tasks != tests[0].tasks);
    let is_used = to.options.used.iter().any(|name| name == TASKS);
    for mut test in tests {
        if let Some(tasks) = test.tasks.filter(|_| has_tasks || is_used) {
            test.parameters.push((TASKS.to_owned(), tasks));
        }
        let name = if has_places { format!("{} @{}", test.name, test.place) } else { test.name };
        for (metric, value, unit, span) in test.values {
            let unit = unit.as_deref().filter(|unit| !unit.is_empty());
            let labels =
                Of { experiment: &name, metric: &metric, unit, parameters: &test.parameters };
            to.add(labels, value, source, span);
        }
    }
}

/// The metrics that are times, which are taken if the user names none.
fn prefer_times(tests: &[Test], to: &mut Measurements<'_>) {
    let values = tests.iter().flat_map(|test| &test.values);
    let times =
        values.filter(|(_, _, unit, _)| unit.as_deref().and_then(ResultKind::time).is_some());
    let times = distinct(times.map(|(metric, ..)| metric)).into_iter().cloned();
    if let Wanted::Preferred(known) = &mut to.wanted {
        known.extend(times);
    } else {
        to.wanted = Wanted::Preferred(times.collect());
    }
}

fn read_report(inputs: &[Input<'_>], to: &mut Measurements<'_>) -> Result<(), ImportError> {
    each_file(inputs, |input| {
        let source = input.source;
        let document = input.document()?;
        let mut tests = Vec::new();
        let mut failed = 0;
        for run in document.member(source, "runs")?.list(source)? {
            for case in run.member(source, "testcases")?.list(source)? {
                let result = case.get("result").and_then(JsonValue::as_text);
                if result.is_some_and(|result| result != "pass" && result != "success") {
                    failed += 1;
                    continue;
                }
                tests.push(case_of_report(source, case)?);
            }
        }
        finish(source, tests, failed, to);
        Ok(())
    })
}

fn finish(source: PlacedText<'_>, tests: Vec<Test>, failed: usize, to: &mut Measurements<'_>) {
    if failed > 0 {
        to.note(format!("tests that did not pass are left out: {failed}"));
    }
    prefer_times(&tests, to);
    if !tests.is_empty() {
        add(source, tests, to);
    }
}

fn case_of_report(source: PlacedText<'_>, case: &JsonValue<'_>) -> Result<Test, ImportError> {
    let display = match case.get("display_name") {
        Some(display) => display,
        None => case.member(source, "name")?,
    };
    let mut test = Test::new(display.text(source)?);
    let text = |name: &str| case.get(name).and_then(JsonValue::as_text).unwrap_or_default();
    test.place = format!("{}:{}+{}", text("system"), text("partition"), text("environ"));
    test.tasks = case.get(TASKS).and_then(JsonValue::as_number);
    let Some(values) = case.get("perfvalues").filter(|values| !values.is_null()) else {
        return Ok(test);
    };
    for (key, value) in values.object(source)? {
        // The value, the reference with two thresholds, the unit.
        let parts = value.list(source)?;
        let Some(number) = parts.first() else {
            return Err(value.expected(source, "a list of the value, its reference and its unit"));
        };
        let unit = parts.iter().skip(4).find_map(JsonValue::as_text).map(str::to_owned);
        let metric = key.rsplit(':').next().unwrap_or(key).to_owned();
        test.values.push((metric, number.number(source)?, unit, number.span.clone()));
    }
    Ok(test)
}

fn read_log(inputs: &[Input<'_>], to: &mut Measurements<'_>) -> Result<(), ImportError> {
    each_file(inputs, |input| {
        let source = input.source;
        let (names, positions) = (Vec::new(), HashMap::new());
        let mut log = Log { source, names, positions, separator: b'|', failed: 0, empty: 0 };
        let mut tests = Vec::new();
        let mut offset = 0;
        for (index, line) in source.text.split_inclusive('\n').enumerate() {
            let start = offset;
            offset += line.len();
            let line = line.trim_end_matches(['\n', '\r']);
            if line.trim().is_empty() {
                continue;
            }
            match log.line(line, start, index as u64 + 1) {
                Ok(test) => tests.extend(test),
                Err(error) => to.skip(error)?,
            }
        }
        if log.empty > 0 {
            to.note(format!("values that are null are left out: {}", log.empty));
        }
        finish(source, tests, log.failed, to);
        Ok(())
    })
}

/// A log being read.
struct Log<'a> {
    source: PlacedText<'a>,
    names: Vec<String>,
    /// The first field of each name.
    positions: HashMap<String, usize>,
    separator: u8,
    /// Tests that did not pass.
    failed: usize,
    /// Values that are null.
    empty: usize,
}

impl Log<'_> {
    /// The test of a line; none for names, and for a test that did not pass.
    fn line(&mut self, line: &str, start: usize, number: u64) -> Result<Option<Test>, ImportError> {
        // A log that tests of several kinds have written has several first lines.
        let is_names = |fields: &[&str]| {
            fields.iter().any(|field| field.ends_with("_value")) && fields.contains(&"name")
        };
        if is_names(&line.split('|').collect::<Vec<_>>()) || is_by_variable(line) {
            self.separator = if line.contains('|') { b'|' } else { b',' };
            self.names = self.fields(line, number)?;
            let names = self.names.iter().cloned().enumerate().rev();
            self.positions = names.map(|(position, name)| (name, position)).collect();
            return Ok(None);
        }
        let fields = self.fields(line, number)?;
        if fields.len() != self.names.len() {
            let (expected, found) = (self.names.len(), fields.len());
            return Err(ImportCause::Fields { expected, found, commas: false }.error_at(number, 0));
        }
        let field =
            |name: &str| self.positions.get(name).map(|&position| fields[position].as_str());
        if field("result").is_some_and(|result| result != "pass") {
            self.failed += 1;
            return Ok(None);
        }
        let mut test = Test::new(field("display_name").or(field("name")).unwrap_or_default());
        let place = |name| field(name).unwrap_or_default();
        test.place = format!("{}:{}+{}", place("system"), place("partition"), place("environ"));
        test.tasks = field(TASKS).and_then(|tasks| tasks.parse().ok());
        let mut offset = start;
        for (name, text) in self.names.iter().zip(&fields) {
            // Without quotes a field stands as it is.
            let span = match line[offset - start..].find(text.as_str()) {
                Some(position) => offset + position..offset + position + text.len(),
                None => start..start + line.len(),
            };
            offset = span.end.min(start + line.len());
            let metric = match name.strip_suffix("_value") {
                Some(metric) => metric.to_owned(),
                None if name == "pval" => field("pvar").unwrap_or_default().to_owned(),
                None => continue,
            };
            if text.is_empty() || matches!(text.as_str(), "null" | "None") {
                self.empty += 1;
                continue;
            }
            let number = text.parse::<f64>().map_err(|_| {
                let (text, column) = (text.clone(), name.clone());
                self.source.error(span.clone(), ImportCause::NotANumber { text, column })
            })?;
            let unit =
                if name == "pval" { field("punit") } else { field(&format!("{metric}_unit")) };
            test.values.push((metric, number, unit.map(str::to_owned), span));
        }
        Ok(Some(test))
    }

    /// The fields of a line. Quotes are those of CSV only where commas separate fields.
    fn fields(&self, line: &str, number: u64) -> Result<Vec<String>, ImportError> {
        match self.separator {
            b'|' => Ok(line.split('|').map(str::to_owned).collect()),
            separator => split(line.as_bytes(), separator, number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_in_the_name() {
        let test = Test::new("sorting %n=1000 %algo=quick %mesh.size=2.5");
        assert_eq!(test.name, "sorting %algo=quick");
        assert_eq!(test.parameters, [("n".to_owned(), 1000.0), ("mesh.size".to_owned(), 2.5)]);
    }
}
