//! hyperfine's JSON (`--export-json`).

use std::collections::HashMap;

use crate::error::ImportError;
use crate::format::{Content, Format, Input, each_file};
use crate::json::Value;
use crate::measurements::{Measurements, Of, Wanted};
use crate::place::Source;

/// `results`: a command each, with all its `times`. The experiment is the command with the names of the parameters
/// in place of their values.
pub(crate) const FORMAT: Format = Format { name: "hyperfine", title: "hyperfine's JSON", is, read };

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
    if commands.len() > 1 && commands.iter().all(|one| one.numbers.is_empty()) {
        let found = numbers_in_words(&mut commands);
        if found {
            to.note("hyperfine was given no parameters: the numbers in which the commands differ are taken");
        }
    }
    let names = templates(&commands);
    let mut commands = commands.iter().zip(names);
    each_file(inputs, |input| {
        let source = input.source;
        for result in input.document()?.member(source, "results")?.list(source)? {
            let Some((command, name)) = commands.next() else { break };
            add(source, result, command, &name, to)?;
        }
        Ok(())
    })
}

/// A command with its parameters.
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
        let mut command =
            Measured { text, numbers: Vec::new(), words: Vec::new(), others: Vec::new() };
        let Some(parameters) = result.get("parameters").filter(|value| !value.is_null()) else {
            return Ok(command);
        };
        for (name, value) in parameters.object(source)? {
            let (name, word) = match value.as_number() {
                Some(number) => (name.to_string(), number.to_string()),
                None => (name.to_string(), value.text(source)?.to_owned()),
            };
            match word.trim().parse::<f64>().ok().filter(|number| number.is_finite()) {
                Some(number) => command.numbers.push((name.clone(), number)),
                None => command.others.push((name.clone(), word.clone())),
            }
            command.words.push((name, word));
        }
        Ok(command)
    }

    /// The command with names of numeric parameters in place of some of their values, in all ways.
    fn templates(&self) -> Vec<String> {
        let mut places: Vec<(usize, usize, &str)> = Vec::new();
        for (name, word) in self.words.iter().filter(|(name, _)| self.is_number(name)) {
            for (at, _) in self.text.match_indices(word.as_str()) {
                let is_apart =
                    |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || c == '.');
                let end = at + word.len();
                if !word.is_empty()
                    && is_apart(self.text[..at].chars().next_back())
                    && is_apart(self.text[end..].chars().next())
                {
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
    to: &mut Measurements<'_>,
) -> Result<(), ImportError> {
    let mut name = template.to_owned();
    let is_shown = |word: &str| name.split_whitespace().any(|known| known == word);
    let hidden: Vec<String> = command
        .others
        .iter()
        .filter(|(_, word)| !is_shown(word))
        .map(|(name, word)| format!("{name}={word}"))
        .collect();
    if !hidden.is_empty() {
        name = format!("{name} ({})", hidden.join(", "));
    }
    let of =
        |metric| Of { experiment: &name, metric, unit: Some("s"), parameters: &command.numbers };
    let codes = match result.get("exit_codes") {
        Some(codes) => codes.list(source)?,
        None => &[],
    };
    match result.get("times").filter(|times| !times.is_null()) {
        Some(times) => {
            for (index, time) in times.list(source)?.iter().enumerate() {
                let code = codes.get(index).filter(|code| !code.is_null());
                if code.and_then(Value::as_number).is_some_and(|code| code != 0.0) {
                    to.note(format!(
                        "runs that failed are left out, such as one of `{}`",
                        command.text
                    ));
                    continue;
                }
                to.add(of("time"), time.number(source)?, source, time.span.clone());
            }
        }
        None => {
            let mean = result.member(source, "mean")?;
            to.note("the file has no single times: means are taken");
            to.add(of("time"), mean.number(source)?, source, mean.span.clone());
        }
    }
    for metric in ["user", "system"] {
        if let Some(value) = result.get(metric).filter(|value| !value.is_null()) {
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
