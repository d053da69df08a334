//! Writes a Υ file.

use std::fmt::Write;

use crate::read::{KEY, VERSION};
use crate::sets::{Sets, Statement};

/// The file: one line for each statement. [`crate::read()`] of it gives the same sets.
pub fn write(sets: &Sets) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "# Which statements the constants of each formula stand for.");
    let _ = writeln!(
        out,
        "# After a correction of `constants` write by = \"hand\"; `cll upsilon check` checks the file."
    );
    let _ = writeln!(out, "{KEY} = {VERSION}");
    let _ = writeln!(out, "source = {}", quoted(&sets.source));
    let _ = writeln!(out, "crc32 = {}", quoted(&sets.crc32));
    if !sets.by.is_empty() {
        let _ = writeln!(out, "by = {}", quoted(&sets.by));
    }
    for experiment in &sets.experiments {
        let _ = writeln!(out, "\n[[experiments]]");
        let _ = writeln!(out, "name = {}", quoted(&experiment.name));
        let _ = writeln!(out, "formula = {}", quoted(&experiment.formula));
        if !experiment.notes.is_empty() {
            let _ = writeln!(out, "notes = [");
            for note in &experiment.notes {
                let _ = writeln!(out, "  {},", quoted(note));
            }
            let _ = writeln!(out, "]");
        }
        let _ = writeln!(out, "statements = [");
        for statement in &experiment.statements {
            let _ = writeln!(out, "  {},", line(statement));
        }
        let _ = writeln!(out, "]");
    }
    out
}

fn line(statement: &Statement) -> String {
    let constants: Vec<String> =
        statement.constants.iter().map(|constant| quoted(constant)).collect();
    let mut out = format!(
        "{{ line = {}, text = {}, constants = [{}], by = {}",
        statement.line,
        quoted(&statement.text),
        constants.join(", "),
        quoted(statement.by.name()),
    );
    let more =
        [("times", &statement.times), ("function", &statement.function), ("note", &statement.note)];
    for (key, value) in more.into_iter().filter(|(_, value)| !value.is_empty()) {
        let _ = write!(out, ", {key} = {}", quoted(value));
    }
    out.push_str(" }");
    out
}

/// A text of TOML: plain if it can be, else with escapes.
fn quoted(text: &str) -> String {
    let is_plain = text.chars().all(|letter| letter != '\'' && !letter.is_control());
    if is_plain && text.contains(['"', '\\']) {
        return format!("'{text}'");
    }
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            letter if letter.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(letter));
            }
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}
