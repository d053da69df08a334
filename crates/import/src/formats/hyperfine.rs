//! hyperfine's JSON (`--export-json`) and CSV (`--export-csv`).

use std::collections::HashMap;

use crate::csv::split;
use crate::error::{ImportCause, ImportError};
use crate::format::{Content, Format, Input, each_file};
use crate::json::Value;
use crate::measurements::{Measurements, Of, Wanted};
use crate::place::Source;

/// `results`: a command each, with all its `times`. The experiment is the command with the names of the parameters
/// in place of their values.
pub(crate) const FORMAT: Format = Format { name: "hyperfine", title: "hyperfine's JSON", is, read };

/// A line with statistics for each command, and its parameters.
pub(crate) const CSV: Format =
    Format { name: "hyperfine-csv", title: "hyperfine's CSV", is: is_csv, read: read_csv };

/// The first columns of the CSV.
const COLUMNS: [&str; 8] = ["command", "mean", "stddev", "median", "user", "system", "min", "max"];
/// Before the name of a parameter among these columns.
const PARAMETER: &str = "parameter_";

/// Values that are looked for in a command at most: there are 2 to this power commands to compare.
const MAX_PLACES: usize = 8;

fn is(content: &Content<'_>) -> bool {
    let Content::Document(document) = content else { return false };
    let first = document.get("results").and_then(|results| match &results.kind {
        crate::json::Kind::List(results) => results.first(),
        _ => None,
    });
    first.is_some_and(|first| first.get("command").is_some())
}

fn is_csv(content: &Content<'_>) -> bool {
    let Content::Text(text) = content else { return false };
    text.lines().next().is_some_and(|first| first.trim_end().starts_with(&COLUMNS.join(",")))
}

fn read(inputs: &[Input<'_>], to: &mut Measurements<'_>) -> Result<(), ImportError> {
    to.wanted = Wanted::Preferred(vec!["time".to_owned()]);
    let mut commands = Vec::new();
    each_file(inputs, |input| {
        let source = input.source;
        for result in input.document()?.member(source, "results")?.list(source)? {
            commands.push(Measured::new(source, result)?);
        }
        Ok(())
    })?;
    let mut commands = named(commands, to).into_iter();
    let mut failures = Failures::default();
    each_file(inputs, |input| {
        let source = input.source;
        for result in input.document()?.member(source, "results")?.list(source)? {
            let Some((command, name)) = commands.next() else { break };
            add(source, result, &command, &name, &mut failures, to)?;
        }
        Ok(())
    })?;
    failures.done(to)
}

/// The median of each command, with the parameters.
fn read_csv(inputs: &[Input<'_>], to: &mut Measurements<'_>) -> Result<(), ImportError> {
    to.wanted = Wanted::Preferred(vec!["median".to_owned()]);
    let mut rows = Vec::new();
    each_file(inputs, |input| {
        let source = input.source;
        let mut names: Vec<String> = Vec::new();
        let mut at = 0;
        for (index, line) in source.text.split_inclusive('\n').enumerate() {
            let start = at;
            at += line.len();
            let fields = split(line.trim_end().as_bytes(), b',', index as u64 + 1)?;
            if names.is_empty() {
                names = fields;
                continue;
            }
            if fields.len() != names.len() {
                let (expected, found) = (names.len(), fields.len());
                let cause = ImportCause::Fields { expected, found, commas: false };
                return Err(cause.at(index as u64 + 1, 0));
            }
            let given = names.iter().zip(&fields).filter_map(|(name, word)| {
                Some((name.strip_prefix(PARAMETER)?.to_owned(), word.clone()))
            });
            let command = Measured::of(fields[0].clone(), given.collect());
            let mut values = Vec::new();
            for (name, text) in names.iter().zip(&fields) {
                if COLUMNS[1..].contains(&name.as_str()) && !text.is_empty() {
                    let error = || {
                        let (text, column) = (text.clone(), name.clone());
                        let span = start..start + line.trim_end().len();
                        source.error(span, ImportCause::NotANumber { text, column })
                    };
                    values.push((name.clone(), text.parse::<f64>().map_err(|_| error())?));
                }
            }
            rows.push((source, start, command, values));
        }
        Ok(())
    })?;
    let commands = rows.iter().map(|(_, _, command, _)| command.clone()).collect();
    to.note("the file has no single times: medians are taken");
    for ((source, at, _, values), (command, name)) in rows.into_iter().zip(named(commands, to)) {
        let experiment = command.with_hidden(name);
        for (metric, value) in values {
            let parameters = &command.numbers;
            let of = Of { experiment: &experiment, metric: &metric, unit: Some("s"), parameters };
            to.add(of, value, source, at..at);
        }
    }
    Ok(())
}

/// The commands with the names of their experiments.
fn named(mut commands: Vec<Measured>, to: &mut Measurements<'_>) -> Vec<(Measured, String)> {
    if commands.len() > 1 && commands.iter().all(|one| one.numbers.is_empty()) {
        let found = numbers_in_words(&mut commands);
        if found {
            to.note("hyperfine was given no parameters: the numbers in which the commands differ are taken");
        }
    }
    let mut names = templates(&commands);
    if has_own_names(&commands) {
        to.note(format!(
            "{} commands have one value each and differ in their names only (--command-name): they are one experiment",
            commands.len()
        ));
        let name = format!("{} … {}", names[0], names[names.len() - 1]);
        names.fill(name);
    }
    commands.into_iter().zip(names).collect()
}

/// Whether each value of the parameters was given a command name of its own.
fn has_own_names(commands: &[Measured]) -> bool {
    let Some(first) = commands.first().filter(|_| commands.len() > 2) else { return false };
    let names = |command: &Measured| -> Vec<String> {
        command.numbers.iter().map(|(name, _)| name.clone()).collect()
    };
    let is_own = |(index, command): (usize, &Measured)| {
        let is_new =
            |other: &Measured| other.text != command.text && other.numbers != command.numbers;
        let holds_none = command.templates().len() == 1;
        names(command) == names(first)
            && command.others.is_empty()
            && holds_none
            && commands[..index].iter().all(is_new)
    };
    !first.numbers.is_empty() && commands.iter().enumerate().all(is_own)
}

/// Runs that failed.
#[derive(Default)]
struct Failures {
    /// Command, exit code (none: ended by a signal), and number of runs.
    left_out: Vec<(String, Option<f64>, usize)>,
    kept: usize,
}

impl Failures {
    fn add(&mut self, command: &str, code: Option<f64>) {
        match self.left_out.iter_mut().find(|(known, own, _)| known == command && *own == code) {
            Some((_, _, count)) => *count += 1,
            None => self.left_out.push((command.to_owned(), code, 1)),
        }
    }

    /// Notes what is left out.
    ///
    /// # Errors
    /// If no run is left.
    fn done(self, to: &mut Measurements<'_>) -> Result<(), ImportError> {
        const SHOWN: usize = 4;
        let runs: usize = self.left_out.iter().map(|(_, _, count)| count).sum();
        if runs == 0 {
            return Ok(());
        }
        let said = |code: &Option<f64>| match code {
            Some(code) => format!("exit code {code}"),
            None => "ended by a signal".to_owned(),
        };
        if self.kept == 0 {
            let mut codes: Vec<String> = Vec::new();
            let mut kept: Vec<String> = Vec::new();
            for (_, code, _) in &self.left_out {
                if !codes.contains(&said(code)) {
                    codes.push(said(code));
                    kept.extend(code.map(|code| code.to_string()));
                }
            }
            let message = format!("all {runs} runs failed: {}", codes.join(", "));
            let error = ImportCause::Unexpected(message).at(0, 0);
            return Err(match kept.is_empty() {
                true => error.help("a run that a signal has ended has no time: measure it again"),
                false => error.help(format!(
                    "--exit-codes {} keeps them, if that is no failure of the program",
                    kept.join(",")
                )),
            });
        }
        let shown: Vec<String> = self
            .left_out
            .iter()
            .take(SHOWN)
            .map(|(command, code, count)| format!("{count} of `{command}` ({})", said(code)))
            .collect();
        let more = match self.left_out.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(", and {more} more commands"),
        };
        to.note(format!("runs that failed are left out: {}{more}", shown.join(", ")));
        Ok(())
    }
}

/// A command with its parameters.
#[derive(Clone)]
struct Measured {
    text: String,
    numbers: Vec<(String, f64)>,
    /// The same as they stand in the command.
    words: Vec<(String, String)>,
    /// Parameters that are no numbers.
    others: Vec<(String, String)>,
}

impl Measured {
    fn new(source: Source<'_>, result: &Value<'_>) -> Result<Measured, ImportError> {
        let text = result.member(source, "command")?.text(source)?.to_owned();
        let Some(parameters) = result.get("parameters").filter(|value| !value.is_null()) else {
            return Ok(Measured::of(text, Vec::new()));
        };
        let mut given = Vec::new();
        for (name, value) in parameters.object(source)? {
            given.push(match value.as_number() {
                Some(number) => (name.to_string(), number.to_string()),
                None => (name.to_string(), value.text(source)?.to_owned()),
            });
        }
        Ok(Measured::of(text, given))
    }

    /// A command with its parameters as they stand in it.
    fn of(text: String, words: Vec<(String, String)>) -> Measured {
        let (mut numbers, mut others) = (Vec::new(), Vec::new());
        for (name, word) in &words {
            match word.trim().parse::<f64>().ok().filter(|number| number.is_finite()) {
                Some(number) => numbers.push((name.clone(), number)),
                None => others.push((name.clone(), word.clone())),
            }
        }
        Measured { text, numbers, words, others }
    }

    /// The name of its experiment with those parameters that are no numbers and are not in it.
    fn with_hidden(&self, name: String) -> String {
        let is_shown = |word: &str| name.split_whitespace().any(|known| known == word);
        let hidden: Vec<String> = self
            .others
            .iter()
            .filter(|(_, word)| !is_shown(word))
            .map(|(name, word)| format!("{name}={word}"))
            .collect();
        if hidden.is_empty() { name } else { format!("{name} ({})", hidden.join(", ")) }
    }

    /// The command with names of numeric parameters in place of some of their values, in all ways.
    fn templates(&self) -> Vec<String> {
        let mut places: Vec<(usize, usize, &str)> = Vec::new();
        for (name, word) in self.words.iter().filter(|(name, _)| self.is_number(name)) {
            for (at, _) in self.text.match_indices(word.as_str()) {
                let end = at + word.len();
                // Inside of a longer number it is another one.
                let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
                let mut before = self.text[..at].chars().rev();
                let mut behind = self.text[end..].chars();
                let (first, second) = (before.next(), before.next());
                let is_begun = digit(first) || (first == Some('.') && digit(second));
                let (first, second) = (behind.next(), behind.next());
                let goes_on = digit(first) || (first == Some('.') && digit(second));
                if !word.is_empty() && !is_begun && !goes_on {
                    places.push((at, end, name));
                }
            }
        }
        places.sort_unstable();
        places.truncate(MAX_PLACES);
        let mut all = Vec::new();
        for chosen in (0..1_u32 << places.len()).rev() {
            let (mut made, mut from) = (String::new(), 0);
            for (index, &(at, end, name)) in places.iter().enumerate() {
                if chosen & (1 << index) != 0 && at >= from {
                    made += &format!("{}{{{name}}}", &self.text[from..at]);
                    from = end;
                }
            }
            all.push(made + &self.text[from..]);
        }
        all
    }

    fn is_number(&self, name: &str) -> bool {
        self.numbers.iter().any(|(known, _)| known == name)
    }
}

/// For each command the template that it shares with most others.
fn templates(commands: &[Measured]) -> Vec<String> {
    let all: Vec<Vec<String>> = commands.iter().map(Measured::templates).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for templates in &all {
        let mut seen: Vec<&str> = Vec::new();
        for template in templates {
            if !seen.contains(&template.as_str()) {
                seen.push(template);
                *counts.entry(template).or_default() += 1;
            }
        }
    }
    // Of equals the first, with most names.
    let best = |templates: &Vec<String>| {
        let mut best = templates.first()?;
        for template in templates {
            if counts[template.as_str()] > counts[best.as_str()] {
                best = template;
            }
        }
        Some(best.clone())
    };
    all.iter().map(|templates| best(templates).unwrap_or_default()).collect()
}

/// Takes the numbers in which commands of the same words differ as parameters; whether there are any.
fn numbers_in_words(commands: &mut [Measured]) -> bool {
    let is_number = |word: &&str| word.parse::<f64>().is_ok_and(f64::is_finite);
    let shape = |text: &str| {
        let words = text.split_whitespace();
        words.map(|word| if is_number(&word) { "\0" } else { word }).collect::<Vec<_>>().join(" ")
    };
    let first = shape(&commands[0].text);
    if commands.iter().any(|one| shape(&one.text) != first) {
        return false;
    }
    let numbers: Vec<Vec<String>> = commands
        .iter()
        .map(|one| one.text.split_whitespace().filter(is_number).map(str::to_owned).collect())
        .collect();
    let differs = |&at: &usize| numbers.iter().any(|row| row[at] != numbers[0][at]);
    let places: Vec<usize> = (0..numbers[0].len()).filter(differs).collect();
    for (command, row) in commands.iter_mut().zip(&numbers) {
        for (index, &at) in places.iter().enumerate() {
            let name = if places.len() == 1 { "N".to_owned() } else { format!("N{index}") };
            command.numbers.push((name.clone(), row[at].parse().unwrap_or(f64::NAN)));
            command.words.push((name, row[at].clone()));
        }
    }
    !places.is_empty()
}

fn add(
    source: Source<'_>,
    result: &Value<'_>,
    command: &Measured,
    template: &str,
    failures: &mut Failures,
    to: &mut Measurements<'_>,
) -> Result<(), ImportError> {
    let name = command.with_hidden(template.to_owned());
    let of =
        |metric| Of { experiment: &name, metric, unit: Some("s"), parameters: &command.numbers };
    let codes = match result.get("exit_codes") {
        Some(codes) => codes.list(source)?,
        None => &[],
    };
    let mut has_failed = false;
    match result.get("times").filter(|times| !times.is_null()) {
        Some(times) => {
            for (index, time) in times.list(source)?.iter().enumerate() {
                // Without a code the run was ended by a signal.
                let code = codes.get(index).map(Value::as_number);
                let is_accepted = |code: f64| {
                    code == 0.0 || to.options.exit_codes.iter().any(|kept| f64::from(*kept) == code)
                };
                match code {
                    Some(code) if !code.is_some_and(is_accepted) => {
                        failures.add(&command.text, code);
                        has_failed = true;
                    }
                    _ => {
                        failures.kept += 1;
                        to.add(of("time"), time.number(source)?, source, time.span.clone());
                    }
                }
            }
        }
        None => {
            let mean = result.member(source, "mean")?;
            to.note("the file has no single times: means are taken");
            failures.kept += 1;
            to.add(of("time"), mean.number(source)?, source, mean.span.clone());
        }
    }
    // These are means over all runs.
    for metric in ["user", "system"] {
        if let Some(value) = result.get(metric).filter(|value| !value.is_null() && !has_failed) {
            to.add(of(metric), value.number(source)?, source, value.span.clone());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(text: &str, numbers: &[(&str, f64)]) -> Measured {
        let own = |(name, number): &(&str, f64)| ((*name).to_owned(), *number);
        let word = |(name, number): &(&str, f64)| ((*name).to_owned(), number.to_string());
        Measured {
            text: text.to_owned(),
            numbers: numbers.iter().map(own).collect(),
            words: numbers.iter().map(word).collect(),
            others: Vec::new(),
        }
    }

    #[test]
    fn commands_of_one_template_have_one_name() {
        let commands =
            [1.0, 2.0, 10.0].map(|n| command(&format!("prog {n} --depth 1 -x10"), &[("n", n)]));
        assert_eq!(templates(&commands), vec!["prog {n} --depth 1 -x10"; 3]);
        let two = [(1.0, 1.0), (1.0, 2.0), (2.0, 2.0)]
            .map(|(n, p)| command(&format!("prog {n} {p}"), &[("n", n), ("p", p)]));
        assert_eq!(templates(&two), vec!["prog {n} {p}"; 3]);
        let inside = [1000.0, 2000.0]
            .map(|n| command(&format!("sort data-{n}.txt --v=1.5 out{n}"), &[("n", n)]));
        assert_eq!(templates(&inside), vec!["sort data-{n}.txt --v=1.5 out{n}"; 2]);
        let parts = [5.0, 7.0].map(|n| command(&format!("walk {n} 0.5 0.7"), &[("n", n)]));
        assert_eq!(templates(&parts), vec!["walk {n} 0.5 0.7"; 2]);
        let named = [1.0, 2.0].map(|n| command("sort", &[("n", n)]));
        assert_eq!(templates(&named), ["sort", "sort"]);
    }

    #[test]
    fn numbers_in_words_are_parameters() {
        let mut commands = [10.0, 20.0].map(|n| command(&format!("prog {n} 7"), &[]));
        assert!(numbers_in_words(&mut commands));
        assert_eq!(commands[1].numbers, [("N".to_owned(), 20.0)]);
        assert_eq!(templates(&commands), ["prog {N} 7", "prog {N} 7"]);
        let mut other = [command("a 1", &[]), command("b 2", &[])];
        assert!(!numbers_in_words(&mut other));
    }
}
