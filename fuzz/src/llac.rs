//! Statements of the analyzer's language.

use cll_llac::completion::{SessionNames, completion};
use cll_llac::syntax::ast::{Argument, Expr, ExprKind, Name, Statement, StatementKind};
use cll_llac::syntax::{Completeness, classes, is_complete, parse, statement_text};

/// Reads `data` in every way; panics if something does not hold.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let parsed = parse(&text);
    for diagnostic in &parsed.diagnostics {
        for label in std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary) {
            assert!(text.get(label.span.clone()).is_some(), "{text:?}: {diagnostic:?}");
        }
        assert!(!diagnostic.message.is_empty());
    }
    for statement in &parsed.statements {
        assert!(text.get(statement.span.clone()).is_some(), "{text:?}: {statement:?}");
        check_text(&text, statement);
    }
    let is_right = parsed.diagnostics.is_empty();
    match is_complete(&text) {
        Completeness::Complete => assert!(is_right, "{text:?}: {:?}", parsed.diagnostics),
        Completeness::Incomplete => {}
        Completeness::Wrong => assert!(!is_right, "{text:?}"),
    }
    completion(&text, &SessionNames::default());
    let mut end = 0;
    for (span, _) in classes(&text) {
        assert!(span.start >= end && span.start < span.end, "{text:?}: {span:?}");
        assert!(text.get(span.clone()).is_some(), "{text:?}: {span:?}");
        end = span.end;
    }
}

/// Checks that a statement that is written is read as the same statement.
pub fn check_text(text: &str, statement: &Statement) {
    let written = statement_text(statement);
    let again = parse(&written);
    assert!(again.diagnostics.is_empty(), "{text:?}: {written:?}: {:?}", again.diagnostics);
    let [again] = &again.statements[..] else {
        panic!("{text:?}: {written:?}: {} statements", again.statements.len())
    };
    assert_eq!(without_places(again), without_places(statement), "{text:?}: {written:?}");
    assert_eq!(statement_text(again), written);
}

/// The statement with empty spans.
pub fn without_places(statement: &Statement) -> Statement {
    let mut statement = statement.clone();
    statement.span = 0..0;
    match &mut statement.kind {
        StatementKind::Assign { name, value } => {
            erase_name(name);
            erase(value);
        }
        StatementKind::Define { name, parameters, body } => {
            erase_name(name);
            parameters.iter_mut().for_each(erase_name);
            erase(body);
        }
        StatementKind::Value(value) => erase(value),
        StatementKind::Command { .. } => {}
    }
    statement
}

fn erase_name(name: &mut Name) {
    name.span = 0..0;
}

fn erase_items(items: &mut [Argument]) {
    for item in items {
        item.name.iter_mut().for_each(erase_name);
        erase(&mut item.value);
    }
}

fn erase(expr: &mut Expr) {
    expr.span = 0..0;
    match &mut expr.kind {
        ExprKind::Number { unit, .. } => unit.iter_mut().for_each(erase_name),
        ExprKind::Text(_) | ExprKind::Bool(_) | ExprKind::Name(_) => {}
        ExprKind::Unary(_, operand) => erase(operand),
        ExprKind::Binary(_, left, right)
        | ExprKind::Index(left, right)
        | ExprKind::Where(left, right) => {
            erase(left);
            erase(right);
        }
        ExprKind::If { condition, then, otherwise } => {
            [condition, then, otherwise].into_iter().for_each(|part| erase(part));
        }
        ExprKind::Call { function, arguments } => {
            erase(function);
            erase_items(arguments);
        }
        ExprKind::Member(of, member) => {
            erase(of);
            erase_name(member);
        }
        ExprKind::Range { first, last, step } => {
            erase(first);
            erase(last);
            step.iter_mut().for_each(|(_, value)| erase(value));
        }
        ExprKind::List(values) => values.iter_mut().for_each(erase),
        ExprKind::Set(of, columns) => {
            erase(of);
            erase_items(columns);
        }
        ExprKind::Verb { arguments, clauses, .. } => {
            erase_items(arguments);
            for clause in clauses {
                clause.span = 0..0;
                erase_items(&mut clause.items);
            }
        }
    }
}
