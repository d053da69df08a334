//! The program's arguments with `{NAME}` for the values of `--vary`.

use std::ffi::OsString;

use super::argument;
use crate::names::suggestion;

/// Arguments with places for values.
#[derive(Clone, Debug, PartialEq)]
pub struct Template(Vec<Vec<Part>>);

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Text(String),
    /// Index among the variables.
    Value(usize),
}

impl Template {
    /// Understands arguments: `{NAME}` is a variable's value; `{{` is `{`.
    /// Other braces are the program's.
    ///
    /// # Errors
    /// If a variable is never used, or what looks like one is unknown.
    pub fn parse(arguments: &[String], variables: &[&str]) -> Result<Template, String> {
        let parsed: Result<Vec<Vec<Part>>, String> =
            arguments.iter().map(|argument| parts(argument, variables)).collect();
        let template = Template(parsed?);
        let used = |index| template.0.iter().flatten().any(|part| *part == Part::Value(index));
        match variables.iter().enumerate().find(|&(index, _)| !used(index)) {
            Some((_, name)) => Err(format!(
                "--vary {name}: {{{name}}} does not stand in the program's arguments, which \
                 follow `--`"
            )),
            None => Ok(template),
        }
    }

    /// The arguments for these values of the variables.
    pub fn fill(&self, values: &[f64]) -> Vec<OsString> {
        let text = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Value(index) => argument(values[*index]),
        };
        self.0.iter().map(|parts| parts.iter().map(text).collect::<String>().into()).collect()
    }
}

fn parts(argument: &str, variables: &[&str]) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut rest = argument;
    while let Some(open) = rest.find('{') {
        text.push_str(&rest[..open]);
        let after = &rest[open + 1..];
        if let Some(escaped) = after.strip_prefix('{') {
            text.push('{');
            rest = escaped;
            continue;
        }
        let name = after.split('}').next().filter(|name| after.len() > name.len() && is_name(name));
        match name {
            None => {
                text.push('{');
                rest = after;
            }
            Some(name) => {
                let index = variables.iter().position(|known| *known == name).ok_or_else(|| {
                    format!(
                        "{{{name}}} in the program's arguments is no variable of --vary: {}; {{{{ \
                         stands for a brace",
                        suggestion(name, variables)
                    )
                })?;
                if !text.is_empty() {
                    parts.push(Part::Text(std::mem::take(&mut text)));
                }
                parts.push(Part::Value(index));
                rest = &after[name.len() + 1..];
            }
        }
    }
    text.push_str(rest);
    if !text.is_empty() || parts.is_empty() {
        parts.push(Part::Text(text));
    }
    Ok(parts)
}

fn is_name(text: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !text.is_empty() && text.chars().all(letter) && !text.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(arguments: &[&str], variables: &[&str], values: &[f64]) -> Result<String, String> {
        let arguments: Vec<String> = arguments.iter().map(|&a| a.to_owned()).collect();
        let words = Template::parse(&arguments, variables)?.fill(values);
        Ok(words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join("|"))
    }

    #[test]
    fn values_take_their_places() {
        assert_eq!(filled(&["-n", "{N}x{M}", ""], &["N", "M"], &[5.0, 2.5]).unwrap(), "-n|5x2.5|");
        assert_eq!(filled(&["{{N}", "{}", "{1}", "{N}"], &["N"], &[1.0]).unwrap(), "{N}|{}|{1}|1");
    }

    #[test]
    fn what_is_unknown_or_unused_is_told() {
        assert!(filled(&["{M}"], &["N"], &[1.0]).unwrap_err().contains("did you mean N"));
        assert!(filled(&["5"], &["N"], &[1.0]).unwrap_err().contains("does not stand"));
        assert!(filled(&["{N}"], &[], &[]).unwrap_err().contains("there is none"));
    }
}
