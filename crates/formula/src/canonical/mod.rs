//! From a tree to the canonical form: a sum of terms, each one constant times an expression without
//! constants.

mod advice;
mod dependence;
mod factors;
mod points;
mod term;

use std::ops::Range;

use cll_diagnostic::Diagnostic;

use crate::syntax::{Ast, MAX_VARIABLES, Report, Syntax, SyntaxNode};
use crate::{Expression, codes};

/// A term of the canonical form and its position in the text.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) constant: u32,
    pub(crate) expression: Expression,
    pub(crate) span: Range<usize>,
}

/// The terms of a formula. If there are none, the report contains the error.
pub(crate) fn terms(syntax: &Syntax, text: &str, report: &mut Report) -> Vec<Draft> {
    let Some(tree) = &syntax.tree else {
        let name = if syntax.experiment.is_empty() { "f" } else { &syntax.experiment };
        report.push(Diagnostic::error(codes::EMPTY, 0..text.len(), "the formula is empty").help(
            format!(
                "write a sum of terms, each with a constant, such as `{name}[0] + {name}[1]*N`"
            ),
        ));
        return Vec::new();
    };
    let mut summands = Vec::new();
    collect(tree, false, &mut summands);
    let mut reader = term::SummandReader::new(syntax, text, &summands, report);
    let drafts: Vec<Draft> =
        summands.iter().filter_map(|(negative, summand)| reader.read(summand, *negative)).collect();
    check_numbers(syntax, &drafts, report);
    if !report.has_errors() {
        note_gaps(syntax, &drafts, report);
        dependence::check(syntax, &drafts, report);
    }
    drafts
}

/// The summands below sums and signs; `true` for one that is subtracted.
fn collect<'a>(ast: &'a Ast, negative: bool, out: &mut Vec<(bool, &'a Ast)>) {
    match &ast.node {
        SyntaxNode::Sum(parts) => {
            parts.iter().for_each(|(minus, part)| collect(part, negative ^ minus, out))
        }
        SyntaxNode::Negated(inner) if is_sum(inner) => collect(inner, !negative, out),
        _ => out.push((negative, ast)),
    }
}

fn is_sum(ast: &Ast) -> bool {
    match &ast.node {
        SyntaxNode::Sum(_) => true,
        SyntaxNode::Negated(inner) => is_sum(inner),
        _ => false,
    }
}

/// Checks that each constant occurs once, and the number of terms and variables.
fn check_numbers(syntax: &Syntax, drafts: &[Draft], report: &mut Report) {
    let name = &syntax.experiment;
    let mut first = std::collections::HashMap::new();
    for draft in drafts {
        let before = first.entry(draft.constant).or_insert_with(|| draft.span.clone());
        if *before != draft.span {
            let constant = format!("{name}[{}]", draft.constant);
            report.push(
                Diagnostic::error(codes::TWICE, draft.span.clone(), format!("{constant} is in two terms"))
                    .label("here again")
                    .also(before.clone(), "here first")
                    .help(format!(
                        "if it is one unknown number, write `{constant}*(… + …)`; if they are two, give the second another index"
                    )),
            );
        }
    }
    for (count, what) in [(drafts.len(), "terms"), (syntax.variables.len(), "variables")] {
        if count > MAX_VARIABLES {
            let end = syntax.tree.as_ref().map_or(0, |tree| tree.span.end);
            report.error(
                codes::TOO_MANY,
                0..end,
                format!("the formula has {count} {what}, more than {MAX_VARIABLES}"),
            );
        }
    }
}

fn note_gaps(syntax: &Syntax, drafts: &[Draft], report: &mut Report) {
    let name = &syntax.experiment;
    let mut sorted: Vec<&Draft> = drafts.iter().collect();
    sorted.sort_by_key(|draft| draft.constant);
    let mut next = 0;
    for draft in sorted {
        let constant = draft.constant;
        if constant > next {
            let missing = match constant - next {
                1 => format!("there is no {name}[{next}]"),
                _ => format!("there are no {name}[{next}] to {name}[{}]", constant - 1),
            };
            report.push(
                Diagnostic::note(codes::GAP, draft.span.clone(), missing)
                    .help("this is allowed; if a term is missing, add it"),
            );
        }
        next = constant.saturating_add(1);
    }
}
