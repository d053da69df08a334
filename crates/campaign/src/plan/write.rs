//! Writes a plan of points as TOML, to be read and changed by its user.

use std::fmt::Write;

use super::{KEY, Plan, VERSION};
use crate::range::argument;

/// The text of a plan with points. `notes` are comments: one line each before the points, then one for each point.
pub fn write(plan: &Plan, notes: &[String], why: &[String]) -> String {
    let mut text = format!("{KEY} = {VERSION}\n");
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    // Writing to a text cannot fail.
    let mut line = |key: &str, value: String| {
        let _ = writeln!(text, "{key} = {value}");
    };
    line("name", quoted(&plan.name));
    line("program", quoted(&plan.program));
    let arguments: Vec<String> = plan.arguments.iter().map(|argument| quoted(argument)).collect();
    line("arguments", format!("[{}]", arguments.join(", ")));
    line("rounds", plan.rounds.to_string());
    if let Some(limit) = plan.limit() {
        let unit = if limit.is_core_time { "core-s" } else { "s" };
        line("budget", quoted(&format!("{}{unit}", limit.seconds)));
    }
    for note in notes {
        let _ = write!(text, "\n# {}", note.replace('\n', " "));
    }
    text.push('\n');
    for (index, point) in plan.points.iter().enumerate() {
        let _ = write!(text, "\n[[points]]");
        if let Some(why) = why.get(index) {
            let _ = write!(text, " # {}", why.replace('\n', " "));
        }
        text.push('\n');
        for ((name, _), value) in plan.parameters.iter().zip(&point.values) {
            // A name of a parameter is a bare key; a float has a point or an exponent.
            let _ = writeln!(text, "{name} = {}", argument(*value));
        }
        if let Some(processors) = point.processors {
            let _ = writeln!(text, "processors = {processors}");
        }
        if let Some(rounds) = point.rounds {
            let _ = writeln!(text, "rounds = {rounds}");
        }
    }
    text
}
