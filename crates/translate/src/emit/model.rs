//! The record of a unit in the program's section `.cll.model`.
//!
//! Records follow each other, each ended by a zero byte: the words `CLLMODEL 1 `, then one JSON
//! object.

use std::fmt::Write;

use super::Emitted;
use super::literal::literal;

/// The begin of a record.
pub(crate) const MAGIC: &str = "CLLMODEL 1 ";

/// The version of `cll.h` that the generated code needs.
pub(super) const INTERFACE: u32 = 2;

/// The record as a C initialiser with its `;`.
pub(super) fn record(emitted: &Emitted<'_>) -> String {
    let mut json = format!(
        "{MAGIC}{{\"file\":{},\"model\":{},\"compiler\":{},\"places\":[",
        string(emitted.name),
        string(emitted.parallel.model.name()),
        string(emitted.compiler)
    );
    for (number, &mark) in emitted.numbers.places.keys().enumerate() {
        let Some(begin) = emitted.begin(mark) else { continue };
        if number > 0 {
            json.push(',');
        }
        if begin.extent.is_some() {
            // There are many of these: only what is read from a program is written.
            let _ = write!(
                json,
                "{{\"experiment\":{},\"line\":{}}}",
                string(&begin.name),
                emitted.line(mark)
            );
            continue;
        }
        let formula = begin.formula_text();
        let function = emitted.function(mark);
        let names: Vec<String> = begin.values.iter().map(|value| string(&value.name)).collect();
        let _ = write!(
            json,
            "{{\"experiment\":{},\"formula\":{},\"variables\":[{}],\"function\":{},\
             \"line\":{},\"end_line\":{}{}}}",
            string(&begin.name),
            string(formula),
            names.join(","),
            string(function),
            emitted.line(mark),
            emitted.end_line(mark),
            counters(&begin.counters),
        );
    }
    let _ = write!(json, "],\"interface\":{INTERFACE}}}");
    format!("    {};", literal(&json))
}

/// The field with the counters of a place, if it has any.
fn counters(names: &[String]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let names: Vec<String> = names.iter().map(|name| string(name)).collect();
    format!(",\"counters\":[{}]", names.join(","))
}

/// `text` as a JSON string.
fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            letter if (letter as u32) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", letter as u32);
            }
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}
