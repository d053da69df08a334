//! `N=3000` without its option: the error names the options that take it.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

/// The error, with the options of the command that take such a value.
pub fn explained(mut error: Error, definition: &Command, words: &[OsString]) -> Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else { return error };
    if !is_assignment(word) {
        return error;
    }
    let options = options(command(definition, words));
    let Some(options) = listed(&options, word) else { return error };
    let tip = ContextValue::StyledStrs(vec![StyledStr::from(format!("say {options}"))]);
    error.insert(ContextKind::Suggested, tip);
    error
}

/// Whether it is `NAME=…`.
fn is_assignment(word: &str) -> bool {
    let is_first = |letter: char| letter.is_alphabetic() || letter == '_';
    let is_later = |letter: char| letter.is_alphanumeric() || letter == '_';
    let name = word.split_once('=').map_or("", |(name, _)| name);
    name.starts_with(is_first) && name.chars().all(is_later)
}

/// The command that the words name.
fn command<'a>(definition: &'a Command, words: &[OsString]) -> &'a Command {
    let names = words.iter().skip(1).filter_map(|word| word.to_str());
    names.fold(definition, |command, name| command.find_subcommand(name).unwrap_or(command))
}

/// The options of a command for values of variables.
fn options(command: &Command) -> Vec<String> {
    let arguments = command.get_arguments().filter(|argument| {
        let names = argument.get_value_names().into_iter().flatten();
        names
            .into_iter()
            .any(|name| ["VAR=VALUE", "NAME=RANGE"].iter().any(|start| name.starts_with(start)))
    });
    arguments.filter_map(|argument| argument.get_long().map(str::to_owned)).collect()
}

/// `--vary N=3 or --predict N=3`; none without an option.
fn listed(options: &[String], word: &str) -> Option<String> {
    let all: Vec<String> = options.iter().map(|option| format!("'--{option} {word}'")).collect();
    (!all.is_empty()).then(|| all.join(" or "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli;

    fn error(words: &[&str]) -> String {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        let error = cli::definition().try_get_matches_from(&words).unwrap_err();
        explained(error, &cli::definition(), &words).to_string()
    }

    #[test]
    fn a_value_without_its_option_is_answered_with_the_option() {
        let message = error(&["cll", "predict", "model.json", "N=abc"]);
        assert!(message.contains("say '--at N=abc'\n"), "{message}");
        let message = error(&["cll", "predict", "model.json", "other.json"]);
        assert!(!message.contains("--at"), "{message}");
        // Two options take one here.
        let message = error(&["cll", "plan", "model.json", "N=1:8:+1"]);
        assert!(message.contains("--vary N=1:8:+1") && message.contains("--predict"), "{message}");
    }
}
