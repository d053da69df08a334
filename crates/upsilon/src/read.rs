//! Reads a Υ file, as `docs/formats/upsilon.md` describes it.

use std::ops::Range;

use cll_diagnostic::fields::{Fields, Messages, Style, read_fields};
use cll_diagnostic::{Diagnostic, suggestion};
use cll_formula::Formula;
use toml::de::DeValue;

use crate::sets::{By, ExperimentSets, Sets, Statement};

/// The key for the kind of the file and its version.
pub(crate) const KEY: &str = "cll-upsilon";
/// It is increased when something is removed or changes its meaning.
pub(crate) const VERSION: i64 = 1;

/// The messages about Υ files.
const STYLE: Style = Style {
    file: "a Υ file",
    syntax: "U001",
    unknown: "U003",
    missing: "U003",
    kind: "U003",
    word: "U003",
    is: "is",
};

/// The sets of a file, and the messages about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// The sets; `None` if an error is among the diagnostics.
    pub sets: Option<Sets>,
    /// The places of experiments in the file, each with those of its statements.
    pub places: Vec<(Range<usize>, Vec<Range<usize>>)>,
    /// In the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a Υ file. All errors are reported together, each with its place.
pub fn read(text: &[u8]) -> Read {
    let (read, diagnostics) = read_fields(text, STYLE, read_sets);
    let (sets, places) = read.unwrap_or_default();
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    Read { sets: sets.filter(|_| !failed), places, diagnostics }
}

type Places = Vec<(Range<usize>, Vec<Range<usize>>)>;

fn read_sets(mut fields: Fields<'_, '_>, messages: &mut Messages) -> (Option<Sets>, Places) {
    let version = fields.take(KEY).map(|value| (value.span(), value.get_ref()));
    let is_known = match version {
        None => {
            let place = fields.place.clone();
            let wrong = Diagnostic::error("U002", place, "this does not say that it is a Υ file");
            messages.push(wrong.help(format!("its first line is {KEY} = {VERSION}")));
            false
        }
        Some((place, value)) => {
            let is_known = matches!(value, DeValue::Integer(number) if number.as_str() == "1");
            if !is_known {
                let text = format!("the version of the format is {VERSION}");
                let wrong = Diagnostic::error("U002", place, text);
                messages.push(wrong.help("a later version is read by a later cll"));
            }
            is_known
        }
    };
    if !is_known {
        return (None, Vec::new());
    }
    let mut sets = Sets {
        source: fields.needed_text("source", messages).unwrap_or_default(),
        crc32: fields.needed_text("crc32", messages).unwrap_or_default(),
        by: fields.text("by", messages).unwrap_or_default(),
        experiments: Vec::new(),
    };
    let mut places = Places::new();
    for mut fields in fields.tables("experiments", "an experiment", messages) {
        let place = fields.place.clone();
        let (experiment, statements) = experiment(&mut fields, messages);
        if sets.experiment(&experiment.name).is_some() {
            let text = format!("experiment `{}` is there twice", experiment.name);
            messages.push(Diagnostic::error("U004", place.clone(), text));
        }
        sets.experiments.push(experiment);
        places.push((place, statements));
    }
    fields.end(messages);
    (Some(sets), places)
}

fn experiment(
    fields: &mut Fields<'_, '_>,
    messages: &mut Messages,
) -> (ExperimentSets, Vec<Range<usize>>) {
    let name = fields.needed_text("name", messages).unwrap_or_default();
    let formula_place = fields.place_of("formula");
    let text = fields.needed_text("formula", messages).unwrap_or_default();
    let parsed = cll_formula::parse(&name, &text);
    if let (false, Some(wrong)) =
        (text.is_empty(), parsed.diagnostics.iter().find(|diagnostic| diagnostic.is_error()))
    {
        let text = format!("the formula of `{name}` is wrong: {}", wrong.message);
        messages.push(Diagnostic::error("U005", formula_place, text));
    }
    let mut experiment = ExperimentSets {
        name,
        formula: parsed.formula.as_ref().map_or(text, |formula| formula.text().to_owned()),
        notes: fields.texts("notes", messages),
        statements: Vec::new(),
    };
    let mut places = Vec::new();
    for mut fields in fields.tables("statements", "a statement", messages) {
        let place = fields.place.clone();
        let statement = statement(&mut fields, parsed.formula.as_ref(), messages);
        let same = |other: &Statement| {
            other.line == statement.line
                && other.text == statement.text
                && other.constants == statement.constants
        };
        if statement.line > 0
            && !statement.constants.is_empty()
            && experiment.statements.iter().any(same)
        {
            let text = format!("the statement of line {} is there twice", statement.line);
            messages.push(Diagnostic::warning("U004", place.clone(), text));
        }
        experiment.statements.push(statement);
        places.push(place);
    }
    fields.end(messages);
    (experiment, places)
}

fn statement(
    fields: &mut Fields<'_, '_>,
    formula: Option<&Formula>,
    messages: &mut Messages,
) -> Statement {
    let line = fields.need("line", messages).and_then(|_| fields.integer_from("line", 1, messages));
    let text = fields.needed_text("text", messages).unwrap_or_default();
    let known: Vec<&str> = formula
        .iter()
        .flat_map(|formula| formula.terms())
        .map(|term| term.constant_name())
        .collect();
    let mut constants: Vec<String> = Vec::new();
    for (place, constant) in fields.placed_texts("constants", messages) {
        if formula.is_some() && !known.contains(&constant.as_str()) {
            let text = format!("the formula has no constant `{constant}`");
            let wrong = Diagnostic::error("U005", place, text);
            messages.push(wrong.help(suggestion(&constant, &known)));
        } else if constants.contains(&constant) {
            let text = format!("`{constant}` is there twice");
            messages.push(Diagnostic::error("U004", place, text));
        }
        constants.push(constant);
    }
    let by_place = fields.place_of("by");
    let by = fields.text("by", messages);
    let names = By::ALL.map(By::name);
    let by = by.map_or(By::Hand, |word| {
        By::ALL.into_iter().find(|by| by.name() == word).unwrap_or_else(|| {
            let text = format!("nobody is called {word:?} here");
            let wrong = Diagnostic::error("U003", by_place, text);
            messages.push(wrong.help(suggestion(&word, &names)));
            By::Hand
        })
    });
    let statement = Statement {
        line: line.unwrap_or(0),
        text,
        function: fields.text("function", messages).unwrap_or_default(),
        constants,
        by,
        times: fields.text("times", messages).unwrap_or_default(),
        note: fields.text("note", messages).unwrap_or_default(),
    };
    fields.end(messages);
    statement
}
