//! Analyses all functions of a file, in every variant of its conditional groups.

use std::collections::HashSet;
use std::ops::Range;

use cll_csource::TokenKind;
use cll_csource::conditional::Conditionals;
use cll_csource::file::{Function, Variant};
use cll_csource::tree::Tree;
use cll_diagnostic::Diagnostic;

use crate::edits::{Code, Edits};
use crate::language::Directive;
use crate::marks::{Mark, Marked};
use crate::regions::Site;

/// Maximum number of variants of one function that are analysed.
pub(crate) const MAX_VARIANTS: usize = 64;

/// The edits that a file needs, and the pragmas that were seen.
pub(crate) struct FileEdits {
    pub edits: Edits,
    /// For every pragma of ours whether some variant compiles it.
    pub seen: Vec<bool>,
}

/// Analyses every function that contains a pragma of ours, in every variant.
pub(crate) fn analyse(marked: &Marked<'_>, diagnostics: &mut Vec<Diagnostic>) -> FileEdits {
    let mut analysis = FileEdits { edits: Edits::default(), seen: vec![false; marked.marks.len()] };
    let places = places(marked);
    let conditionals = marked.file.conditionals();
    let variants = conditionals.variants(&places);
    let mut known: HashSet<(usize, Vec<usize>)> = HashSet::new();
    for number in 0..variants.min(MAX_VARIANTS) {
        let variant = marked.file.variant(&places, number);
        for (function, held) in with_marks(marked, &variant) {
            let Some(function) = function else {
                for &token in &held {
                    at_file_scope(marked, &variant, token, &mut analysis, diagnostics);
                }
                continue;
            };
            for &token in &held {
                analysis.seen[marked.id(&variant.tokens[token])] = true;
            }
            let bytes = extent(&variant, &function);
            let selection = Conditionals::fingerprint(&variant.left_out, &bytes);
            if !known.insert((bytes.start, selection)) {
                continue;
            }
            let tree = Tree::parse(&variant, &function);
            let site = Site { marked, variant: &variant, function: &function, tree: &tree };
            site.analyse(&mut analysis.edits, diagnostics);
        }
    }
    for (mark, seen) in marked.marks.iter().zip(&mut analysis.seen) {
        *seen |= mark.is_made();
    }
    for (id, mark) in marked.marks.iter().enumerate() {
        if let Directive::Begin(begin) = &mark.directive
            && let Some(bounds) = &begin.extent
        {
            bounds.thread_ends.iter().for_each(|end| analysis.edits.leave_made(id, end));
        }
    }
    if variants > MAX_VARIANTS {
        let unseen = analysis.seen.iter().position(|seen| !seen).unwrap_or(0);
        diagnostics.push(
            Diagnostic::error(
                "T017",
                marked.marks[unseen].span.clone(),
                format!("the conditional groups of this file have {variants} combinations"),
            )
            .label("only 64 of them are analysed")
            .help("move the annotated code into a function with fewer `#if` branches"),
        );
    }
    analysis
}

/// The extents of the functions that contain pragmas of ours, and of the pragmas outside functions:
/// there branches must be distinguished.
fn places(marked: &Marked<'_>) -> Vec<Range<usize>> {
    let mut places: Vec<Range<usize>> = Vec::new();
    if marked.file.conditionals().is_empty() || marked.marks.iter().all(Mark::is_made) {
        return places;
    }
    // Functions that only another branch contains are found in a second round.
    for round in 0..2 {
        let variants = match round {
            0 => 1,
            _ => marked.file.conditionals().variants(&places).min(MAX_VARIANTS),
        };
        let mut more: Vec<Range<usize>> = marked
            .marks
            .iter()
            .filter(|mark| !mark.is_made())
            .map(|mark| mark.span.clone())
            .collect();
        for number in 0..variants {
            let variant = marked.file.variant(&places, number);
            more.extend(
                with_marks(marked, &variant)
                    .into_iter()
                    .filter_map(|(function, _)| Some(extent(&variant, &function?))),
            );
        }
        places.append(&mut more);
        places.sort_by_key(|place| place.start);
        places.dedup_by(|next, place| {
            let joins = next.start < place.end;
            if joins {
                place.end = place.end.max(next.end);
            }
            joins
        });
    }
    places
}

pub(crate) fn extent(variant: &Variant<'_>, function: &Function) -> Range<usize> {
    let last = function.close.min(variant.tokens.len() - 1);
    variant.tokens[function.open].start..variant.tokens[last].end
}

/// The tokens of our pragmas by the function that contains them.
fn with_marks(marked: &Marked<'_>, variant: &Variant<'_>) -> Vec<(Option<Function>, Vec<usize>)> {
    if marked.marks.is_empty() {
        return Vec::new();
    }
    let mut marks = variant
        .tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| token.kind == TokenKind::Marker)
        .map(|(index, _)| index)
        .peekable();
    let mut held = Vec::new();
    let mut outside = Vec::new();
    for function in variant.functions() {
        while let Some(mark) = marks.next_if(|&mark| mark < function.open) {
            outside.push(mark);
        }
        let mut inside = Vec::new();
        while let Some(mark) = marks.next_if(|&mark| mark < function.close) {
            inside.push(mark);
        }
        if !inside.is_empty() {
            held.push((Some(function), inside));
        }
    }
    outside.extend(marks);
    held.push((None, outside));
    held
}

fn at_file_scope(
    marked: &Marked<'_>,
    variant: &Variant<'_>,
    token: usize,
    analysis: &mut FileEdits,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let id = marked.id(&variant.tokens[token]);
    analysis.seen[id] = true;
    let span = marked.marks[id].span.clone();
    let what = match &marked.marks[id].directive {
        Directive::Parallel { .. } | Directive::Wrong => {
            analysis.edits.line(id, span, Code::default(), diagnostics);
            return;
        }
        Directive::For(_) => "`cll for`".to_string(),
        Directive::EndFor => "`end for`".into(),
        Directive::Begin(begin) => format!("experiment `{}`", begin.name),
        Directive::End { name } => format!("`end {name}`"),
        Directive::Report { .. } => "`report`".into(),
    };
    diagnostics.push(
        Diagnostic::error("T005", span, format!("{what} is outside of all functions"))
            .help("only `#pragma cll parallel` may be at file scope"),
    );
}
