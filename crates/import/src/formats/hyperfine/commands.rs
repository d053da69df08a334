//! Commands that hyperfine has measured, and the experiments that they are of.

use std::collections::{HashMap, HashSet};

use crate::error::ImportError;
use crate::json::JsonValue;
use crate::measurements::Measurements;
use crate::place::PlacedText;

/// Values that are looked for in a command at most: there are 2 to this power commands to compare.
const MAX_PLACES: usize = 8;

/// The commands with the names of their experiments.
pub(super) fn named(
    mut commands: Vec<MeasuredEntry>,
    to: &mut Measurements<'_>,
) -> Vec<(MeasuredEntry, String)> {
    if commands.len() > 1 && commands.iter().all(|measurement| measurement.numbers.is_empty()) {
        let has_numbers = numbers_in_words(&mut commands);
        if has_numbers {
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
fn has_own_names(commands: &[MeasuredEntry]) -> bool {
    let Some(first) = commands.first().filter(|_| commands.len() > 2) else { return false };
    let names = |command: &MeasuredEntry| -> Vec<String> {
        command.numbers.iter().map(|(name, _)| name.clone()).collect()
    };
    let mut texts: HashSet<String> = HashSet::new();
    let mut values: HashSet<Vec<u64>> = HashSet::new();
    let mut is_own = |command: &MeasuredEntry| {
        let numbers = command.numbers.iter().map(|(_, value)| (value + 0.0).to_bits()).collect();
        names(command) == names(first)
            && command.others.is_empty()
            && command.templates().len() == 1
            && texts.insert(command.text.clone())
            && values.insert(numbers)
    };
    !first.numbers.is_empty() && commands.iter().all(&mut is_own)
}

/// A command with its parameters.
#[derive(Clone)]
pub(super) struct MeasuredEntry {
    pub(super) text: String,
    pub(super) numbers: Vec<(String, f64)>,
    /// The same as they stand in the command.
    words: Vec<(String, String)>,
    /// Parameters that are no numbers.
    others: Vec<(String, String)>,
}

impl MeasuredEntry {
    pub(super) fn new(
        source: PlacedText<'_>,
        result: &JsonValue<'_>,
    ) -> Result<MeasuredEntry, ImportError> {
        let text = result.member(source, "command")?.text(source)?.to_owned();
        let Some(parameters) = result.get("parameters").filter(|value| !value.is_null()) else {
            return Ok(MeasuredEntry::from_words(text, Vec::new()));
        };
        let mut given = Vec::new();
        for (name, value) in parameters.object(source)? {
            given.push(match value.as_number() {
                Some(number) => (name.to_string(), number.to_string()),
                None => (name.to_string(), value.text(source)?.to_owned()),
            });
        }
        Ok(MeasuredEntry::from_words(text, given))
    }

    /// A command with its parameters as they stand in it.
    pub(super) fn from_words(text: String, words: Vec<(String, String)>) -> MeasuredEntry {
        let (mut numbers, mut others) = (Vec::new(), Vec::new());
        for (name, word) in &words {
            match word.trim().parse::<f64>().ok().filter(|number| number.is_finite()) {
                Some(number) => numbers.push((name.clone(), number)),
                None => others.push((name.clone(), word.clone())),
            }
        }
        MeasuredEntry { text, numbers, words, others }
    }

    /// The name of its experiment with those parameters that are no numbers and are not in it.
    pub(super) fn with_hidden(&self, name: String) -> String {
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
            for (start, _) in self.text.match_indices(word.as_str()) {
                let end = start + word.len();
                // Inside of a longer number it is another one.
                let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
                let mut before = self.text[..start].chars().rev();
                let mut behind = self.text[end..].chars();
                let (first, second) = (before.next(), before.next());
                let is_begun = digit(first) || (first == Some('.') && digit(second));
                let (first, second) = (behind.next(), behind.next());
                let goes_on = digit(first) || (first == Some('.') && digit(second));
                if !word.is_empty() && !is_begun && !goes_on {
                    places.push((start, end, name));
                }
            }
        }
        places.sort_unstable();
        places.truncate(MAX_PLACES);
        let mut all = Vec::new();
        for chosen in (0..1_u32 << places.len()).rev() {
            let (mut template, mut from) = (String::new(), 0);
            for (index, &(start, end, name)) in places.iter().enumerate() {
                if chosen & (1 << index) != 0 && start >= from {
                    template += &format!("{}{{{name}}}", &self.text[from..start]);
                    from = end;
                }
            }
            all.push(template + &self.text[from..]);
        }
        all
    }

    fn is_number(&self, name: &str) -> bool {
        self.numbers.iter().any(|(known, _)| known == name)
    }
}

/// For each command the template that it shares with most others.
fn templates(commands: &[MeasuredEntry]) -> Vec<String> {
    let all: Vec<Vec<String>> = commands.iter().map(MeasuredEntry::templates).collect();
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
fn numbers_in_words(commands: &mut [MeasuredEntry]) -> bool {
    let is_number = |word: &&str| word.parse::<f64>().is_ok_and(f64::is_finite);
    let shape = |text: &str| {
        let words = text.split_whitespace();
        words.map(|word| if is_number(&word) { "\0" } else { word }).collect::<Vec<_>>().join(" ")
    };
    let first = shape(&commands[0].text);
    if commands.iter().any(|measurement| shape(&measurement.text) != first) {
        return false;
    }
    let numbers: Vec<Vec<String>> = commands
        .iter()
        .map(|measurement| {
            measurement.text.split_whitespace().filter(is_number).map(str::to_owned).collect()
        })
        .collect();
    let differs = |&place: &usize| numbers.iter().any(|row| row[place] != numbers[0][place]);
    let places: Vec<usize> = (0..numbers[0].len()).filter(differs).collect();
    for (command, row) in commands.iter_mut().zip(&numbers) {
        for (index, &place) in places.iter().enumerate() {
            let name = if places.len() == 1 { "N".to_owned() } else { format!("N{index}") };
            command.numbers.push((name.clone(), row[place].parse().unwrap_or(f64::NAN)));
            command.words.push((name, row[place].clone()));
        }
    }
    !places.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(text: &str, numbers: &[(&str, f64)]) -> MeasuredEntry {
        let own = |(name, number): &(&str, f64)| ((*name).to_owned(), *number);
        let word = |(name, number): &(&str, f64)| ((*name).to_owned(), number.to_string());
        MeasuredEntry {
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
