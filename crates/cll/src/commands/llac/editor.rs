//! The line editor: completion and colours.

use std::borrow::Cow;
use std::fs;

use anstyle::{AnsiColor, Style};
use cll_llac::completion::{Completion, SessionNames, completion};
use cll_llac::syntax::{Class, classes};
use rustyline::completion::{Completer, Pair};
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};

use crate::cli;

/// The data that the editor asks for while a line is typed.
#[derive(Debug, Default)]
pub struct EditorLines {
    /// The names of the session.
    pub names: SessionNames,
    /// The lines of the statement before this one.
    pub before: String,
    /// Whether there are colours.
    pub color: bool,
}

impl Helper for EditorLines {}

impl Hinter for EditorLines {
    type Hint = String;
}

impl Validator for EditorLines {}

impl Completer for EditorLines {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        cursor: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let text = format!("{}{}", self.before, &line[..cursor]);
        let here = |start: usize| start.saturating_sub(self.before.len());
        let plain = |word: String| Pair { display: word.clone(), replacement: word };
        Ok(match completion(&text, &self.names) {
            Completion::Words { start, words } => {
                (here(start), words.into_iter().map(plain).collect())
            }
            Completion::File { start } => (here(start), files(&text[start..], "\"")),
            Completion::Command { before, start } => {
                let typed = &text[start..];
                let known = of_command(&before, typed);
                if known.is_empty() {
                    (here(start), files(typed, " "))
                } else {
                    (here(start), known.into_iter().map(plain).collect())
                }
            }
        })
    }
}

/// Names of files that begin so; after a whole name stands `end`.
fn files(typed: &str, end: &str) -> Vec<Pair> {
    let (folder, begin) = match typed.rfind('/') {
        Some(slash) => typed.split_at(slash + 1),
        None => ("", typed),
    };
    let place = if folder.is_empty() { "." } else { folder };
    let Ok(entries) = fs::read_dir(place) else { return Vec::new() };
    let mut found: Vec<Pair> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let is_hidden = name.starts_with('.') && !begin.starts_with('.');
            // These would need quotes or escapes.
            let is_odd = name.contains(['"', '\\', '\n', '\t']);
            if !name.starts_with(begin) || is_hidden || is_odd {
                return None;
            }
            let is_folder = entry.path().is_dir();
            let tail = if is_folder { "/" } else { end };
            let display = if is_folder { format!("{name}/") } else { name.clone() };
            Some(Pair { display, replacement: format!("{folder}{name}{tail}") })
        })
        .collect();
    found.sort_by(|a, b| a.display.cmp(&b.display));
    found
}

/// Commands of the program and their options.
fn of_command(before: &[String], typed: &str) -> Vec<String> {
    let definition = cli::definition();
    let mut command = &definition;
    for word in before {
        if let Some(inner) = command.find_subcommand(word) {
            command = inner;
        }
    }
    let mut words: Vec<String> = if typed.starts_with('-') {
        let long = command.get_arguments().filter_map(|arg| arg.get_long());
        long.map(|name| format!("--{name}")).collect()
    } else {
        command.get_subcommands().map(|command| command.get_name().to_owned()).collect()
    };
    words.retain(|word| word.starts_with(typed));
    words.sort();
    words
}

impl Highlighter for EditorLines {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        if !self.color {
            return Cow::Borrowed(line);
        }
        let text = format!("{}{line}", self.before);
        let begin = self.before.len();
        let mut out = String::with_capacity(2 * line.len());
        let mut position = begin;
        for (span, class) in classes(&text) {
            if span.end <= begin {
                continue;
            }
            let start = span.start.max(position);
            out.push_str(&text[position..start]);
            // A text that is being typed has no end yet.
            let is_text = class == Class::Wrong && text[span.clone()].starts_with('"');
            let style = style(if is_text { Class::Text } else { class });
            out.push_str(&format!("{style}{}{style:#}", &text[start..span.end]));
            position = span.end;
        }
        out.push_str(&text[position..]);
        Cow::Owned(out)
    }

    fn highlight_char(&self, _: &str, _: usize, kind: CmdKind) -> bool {
        self.color && kind != CmdKind::MoveCursor
    }
}

/// The look of a part.
fn style(class: Class) -> Style {
    match class {
        Class::Verb | Class::Command => AnsiColor::Blue.on_default().bold(),
        Class::Clause | Class::Keyword => AnsiColor::Magenta.on_default(),
        Class::Number | Class::Unit => AnsiColor::Cyan.on_default(),
        Class::Text => AnsiColor::Green.on_default(),
        Class::Comment => Style::new().dimmed(),
        Class::Wrong => AnsiColor::Red.on_default(),
        Class::Name | Class::Operator | Class::Bracket => Style::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_change_nothing_but_the_look() {
        let lines =
            EditorLines { color: true, before: "x = [1,\n".to_owned(), ..EditorLines::default() };
        let colored = lines.highlight("2] # why", 0);
        assert!(colored.contains("\u{1b}["), "{colored:?}");
        let mut plain = String::new();
        let mut characters = colored.chars();
        while let Some(c) = characters.next() {
            match c {
                '\u{1b}' => drop(characters.by_ref().find(char::is_ascii_alphabetic)),
                c => plain.push(c),
            }
        }
        assert_eq!(plain, "2] # why");
        let lines = EditorLines::default();
        assert_eq!(lines.highlight("fit f", 0), "fit f");
    }

    #[test]
    fn commands_and_their_options_are_known() {
        let words = |before: &[&str], typed: &str| {
            let before: Vec<String> = before.iter().map(|&word| word.to_owned()).collect();
            of_command(&before, typed)
        };
        assert_eq!(words(&[], "prof"), ["profile"]);
        assert_eq!(words(&["profile"], "sh"), ["show"]);
        assert_eq!(words(&["fit", "a.dat"], "--sug"), ["--suggest"]);
    }
}
