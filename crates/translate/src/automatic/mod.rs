//! Experiments that no pragma names: functions and outermost loops (`--auto`), and the values that an experiment
//! without a formula saves.
//!
//! A function is measured from its opening brace; whatever leaves it closes the region. A loop gets braces around it.
//! Only text within lines is inserted, so that no line moves. What cannot be placed safely is left out, with the
//! reason.

mod body;
mod candidates;
mod directives;
mod functions;
mod loops;
mod parameters;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use cll_csource::TokenKind;
use cll_csource::lex::lex;
use cll_diagnostic::Diagnostic;

use crate::language::{Begin, Directive, Value};
use crate::made::Made;
use crate::marks::{Mark, Marked};
use crate::numbers::Numbers;
use crate::translation::{Automatic, LeftOut, Model, Options, PASSAGE, Region, RegionKind};

pub(crate) use candidates::candidates;

/// A place for an experiment, before it has a name.
#[derive(Clone, Debug)]
struct UnnamedExperiment {
    extent: Made,
    kind: RegionKind,
    /// Offset of what messages name: the loop's keyword, the function's brace.
    offset: usize,
    candidates: Vec<Value>,
}

/// Adds an experiment for each function and each outermost loop; returns them, and what was left out.
pub(crate) fn add(
    marked: &mut Marked<'_>,
    choice: &Automatic,
    unit: &str,
    line: &dyn Fn(usize) -> usize,
) -> (Vec<Region>, Vec<LeftOut>) {
    let unit: String = unit
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' })
        .collect();
    let (founds, mut left_out) = functions::find(marked, line);
    let mut taken: HashSet<String> = marked.names();
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut regions = Vec::new();
    let mut marks = Vec::new();
    let without: BTreeSet<&str> = choice.without.iter().map(String::as_str).collect();
    for candidate in founds {
        let function = candidate.extent.function.clone();
        let wanted = match candidate.kind {
            RegionKind::Function => function.clone(),
            RegionKind::Loop => {
                let number = numbers.entry(function.clone()).or_insert(0);
                *number += 1;
                format!("{function}_loop{number}")
            }
        };
        // Static functions of two files may have the same name.
        let wanted =
            if choice.taken.contains(&wanted) { format!("{wanted}_in_{unit}") } else { wanted };
        let elsewhere = format!("{wanted}_in_{unit}");
        let name = free(&wanted, candidate.kind, &mut taken);
        let (line, end_line) = (line(candidate.offset), line(candidate.extent.last));
        let region = Region { name: name.clone(), kind: candidate.kind, function, line, end_line };
        // Alone, a file does not know the names of the others.
        if without.contains(name.as_str()) || without.contains(elsewhere.as_str()) {
            let why = "you left it out (--auto-without)".to_owned();
            left_out.push(LeftOut { name, line, why });
            continue;
        }
        regions.push(region);
        let span = candidate.extent.open..candidate.extent.open;
        let directive = Directive::Begin(Box::new(Begin {
            name,
            name_span: candidate.offset..candidate.offset + 1,
            sync: false,
            every: 1,
            formula: None,
            is_searched: true,
            values: Vec::new(),
            candidates: candidate.candidates,
            extent: Some(candidate.extent),
            counters: Vec::new(),
        }));
        marks.push(Mark { span, directive, diagnostics: Vec::new() });
    }
    marked.marks.append(&mut marks);
    marked.marks.sort_by_key(|mark| mark.span.start);
    left_out.sort_by_key(|out| out.line);
    left_out.dedup();
    (regions, left_out)
}

/// A name that no experiment of the file has.
fn free(wanted: &str, kind: RegionKind, taken: &mut HashSet<String>) -> String {
    let reserved = ["end", "for", "sync", "report", "parallel"];
    let mut name = wanted.to_owned();
    if taken.contains(&name) || reserved.contains(&wanted) {
        name = match kind {
            RegionKind::Function => format!("{wanted}_function"),
            RegionKind::Loop => format!("{wanted}_outermost"),
        };
    }
    let mut number = 2;
    while !taken.insert(name.clone()) {
        name = format!("{wanted}_{number}");
        number += 1;
    }
    name
}

/// The parallel model by what the file includes, if no `parallel` line says it.
pub(crate) fn model(marked: &Marked<'_>) -> Model {
    let source = marked.file.source;
    let includes = |name: &str| {
        let mut directives = lex(source).filter(|token| token.kind == TokenKind::Directive);
        directives.any(|token| {
            let text = String::from_utf8_lossy(&source[token.start..token.end]);
            let rest = text.trim_start_matches(['#', ' ', '\t']);
            rest.strip_prefix("include").is_some_and(|rest| {
                rest.trim().trim_start_matches(['<', '"']).starts_with(&format!("{name}.h"))
            })
        })
    };
    match () {
        () if includes("bsp") => Model::Bsp,
        () if includes("pub") => Model::Pub,
        () if includes("mpi") => Model::Mpi,
        () if marked.openmp => Model::OpenMp,
        () => Model::Sequential,
    }
}

/// Decides what the experiments without a formula save: the values that the user names; else the candidates that are
/// integers; in a parallel program `P` too, unless the program has something else of that name.
pub(crate) fn resolve(
    marked: &mut Marked<'_>,
    numbers: &Numbers,
    options: &Options,
    model: Model,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let own = &options.own;
    for (&mark, &place) in &numbers.places {
        let span = marked.marks[mark].span.clone();
        let Directive::Begin(begin) = &mut marked.marks[mark].directive else { continue };
        if !begin.is_searched {
            continue;
        }
        if !begin.values.is_empty() {
            // They are named by the user: nothing is asked.
            begin.candidates.clear();
        }
        let candidates = begin.candidates.iter().enumerate();
        let integers = candidates.filter(|(index, _)| own.integers.contains(&(place, *index)));
        begin.values.extend(integers.map(|(_, value)| value.clone()));
        let has_own = own.processors.contains(&place);
        if model != Model::Sequential && !has_own && begin.values.iter().all(|v| v.name != "P") {
            begin.values.push(Value { name: "P".into(), c: "P".into(), is_named: false });
        }
        let is_decided = own.is_known || begin.candidates.is_empty();
        if begin.extent.is_none() && begin.values.is_empty() && is_decided {
            diagnostics.push(
                Diagnostic::warning(
                    "T004",
                    span,
                    format!("`auto` of experiment `{}` finds no variable to save", begin.name),
                )
                .label("no integer parameter or bound of a loop has a value here")
                .help(format!("name what its time depends on: `{} uses(N) auto`", begin.name)),
            );
        }
        let is_pilot = options.automatic.as_ref().is_some_and(|choice| choice.is_pilot);
        if begin.extent.is_some() && is_pilot {
            begin.values.push(Value { name: PASSAGE.into(), c: "0".into(), is_named: true });
        }
    }
}
