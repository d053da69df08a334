//! Translates annotated C to experiments and instrumented C.
//!
//! [`translate`] reads the `#pragma cll` lines of one source. It returns their content, and a text
//! to compile instead of the source. This text is the source with insertions: without them it is
//! the source again, and no line moves. The insertions are macros of a generated header; with
//! `CLL_OFF` defined they are empty, and the object code is that of the source.

#![forbid(unsafe_code)]

mod automatic;
mod edits;
mod emit;
mod experiments;
mod file;
mod header;
mod language;
mod made;
mod marks;
mod numbers;
mod probe;
mod regions;
mod translation;
mod written;

use std::ops::Range;

use cll_diagnostic::{Diagnostic, Lines};

pub use header::Header;
pub use translation::{
    Automatic, Experiment, LeftOut, Loop, Model, Options, OwnNames, PASSAGE, Region, RegionKind,
    RegionPlace, Report, Source, Translation,
};
pub use written::{copied, is_translated};

use emit::{Emitted, Purpose};
use language::Directive;
use numbers::Numbers;

/// The begin of a record in an object's section [`MODEL_SECTION`]; one JSON object follows, then a
/// zero byte.
pub const MODEL_MAGIC: &str = emit::MAGIC;

/// The section of an ELF object with a record for each translated unit.
pub const MODEL_SECTION: &str = ".cll.model";

/// All codes of this crate's diagnostics, without those of formulas; `docs/language.md` explains
/// each.
pub const CODES: [&str; 24] = [
    "T001", "T002", "T003", "T004", "T005", "T006", "T007", "T008", "T009", "T010", "T011", "T012",
    "T013", "T014", "T015", "T016", "T017", "T018", "T019", "T020", "T021", "T022", "T023", "T024",
];

/// Translates one source.
///
/// Never fails: errors are in [`Translation::diagnostics`], and with an error there is no
/// [`Translation::code`]. The time is linear in the length of the source.
pub fn translate(source: &Source<'_>, options: &Options) -> Translation {
    let mut diagnostics = Vec::new();
    let is_wanted = options.automatic.is_some();
    let Some(mut marked) = marks::find(source.text, is_wanted, &mut diagnostics) else {
        return Translation { diagnostics, ..Translation::default() };
    };
    let lines = Lines::new(source.text);
    let (mut regions, mut left_out) = (Vec::new(), Vec::new());
    if let Some(choice) = &options.automatic {
        (regions, left_out) =
            automatic::add(&mut marked, choice, &options.unit, &|offset| lines.line(offset));
        if marked.marks.is_empty() {
            return Translation { left_out, diagnostics, ..Translation::default() };
        }
    }
    let analysis = file::analyse(&marked, &mut diagnostics);
    for (mark, _) in marked.marks.iter().zip(&analysis.seen).filter(|&(_, &seen)| seen) {
        diagnostics.extend(mark.diagnostics.iter().cloned());
    }
    let numbers = Numbers::new(&marked, &analysis.seen);
    let parallel = experiments::model(&marked, &analysis.seen, is_wanted, &mut diagnostics);
    for (&mark, candidates) in &analysis.edits.candidates {
        if let Directive::Begin(begin) = &mut marked.marks[mark].directive {
            begin.candidates.clone_from(candidates);
        }
    }
    automatic::resolve(&mut marked, &numbers, options, parallel.model, &mut diagnostics);
    let experiments = experiments::experiments(&marked, &numbers, &mut diagnostics);
    experiments::advise(&marked, &numbers, parallel.model, &experiments, &mut diagnostics);
    tidy(&mut diagnostics);
    let emitted = Emitted {
        marked: &marked,
        edits: &analysis.edits,
        numbers: &numbers,
        own: &options.own,
        parallel: &parallel,
        name: source.name,
        unit: &options.unit,
        compiler: &options.compiler,
        lines: &lines,
        is_pilot: options.automatic.as_ref().is_some_and(|choice| choice.is_pilot),
        is_automatic: is_wanted,
    };
    emitted.advise_handle(&mut diagnostics);
    let mut translation = Translation {
        directives_found: true,
        experiments,
        model: parallel.model,
        has_parallel_line: parallel.is_said,
        procs: parallel.procs.clone(),
        regions,
        left_out,
        diagnostics,
        ..Translation::default()
    };
    describe(&emitted, &mut translation);
    if !translation.failed() {
        let insertions = emit::insertions(&emitted, Purpose::Program);
        translation.code = Some(emit::joined(source.text, &insertions));
        translation.insertions = insertions;
        translation.header = Some(emit::header(&emitted));
        let asks = emitted.asks();
        translation.probe =
            asks.then(|| emit::joined(source.text, &emit::insertions(&emitted, Purpose::Probe)));
    }
    translation
}

/// Fills in places, loops and reports.
fn describe(emitted: &Emitted<'_>, translation: &mut Translation) {
    let line = |span: &Range<usize>| emitted.lines.line(span.start);
    for (id, mark) in emitted.marked.marks.iter().enumerate() {
        let end_line = emitted.end_line(id);
        match &mark.directive {
            Directive::Begin(begin) if emitted.numbers.places.contains_key(&id) => {
                translation.places.push(RegionPlace {
                    experiment: begin.name.clone(),
                    function: emitted.function(id).to_owned(),
                    line: emitted.line(id),
                    end_line,
                    every: begin.every,
                    sync: begin.sync,
                    counters: begin.counters.clone(),
                });
            }
            Directive::For(Some(head)) if emitted.numbers.loops.contains_key(&id) => {
                translation.loops.push(Loop {
                    variables: head.variables.clone(),
                    head: head.text.clone(),
                    ordered: head.ordered,
                    line: line(&mark.span),
                    end_line,
                });
            }
            Directive::Report { names } if emitted.numbers.reports.contains_key(&id) => {
                translation.reports.push(Report {
                    names: names.iter().map(|(name, _)| name.clone()).collect(),
                    line: line(&mark.span),
                });
            }
            _ => {}
        }
    }
}

/// Sorted by position, each once: variants of a file report the same thing again.
fn tidy(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by(|a, b| {
        (a.primary.span.start, a.code, &a.message).cmp(&(b.primary.span.start, b.code, &b.message))
    });
    diagnostics.dedup_by(|next, before| {
        next.code == before.code
            && next.primary.span == before.primary.span
            && next.message == before.message
    });
}
