//! Statements as text: one way for each, with the brackets that are needed.

use cll_diagnostic::shell_word;

use super::ast::{
    Argument, Binary, Clause, Expr, ExprKind, Name, RangeStep, Statement, StatementKind, Unary,
};
use super::strength::{self, MINUS, NOT, OR, POSTFIX, PRIMARY, RANGE};
use super::vocabulary::{COMMAND, name_text};

/// The statement on one line. Reading it gives the same statement.
pub fn statement_text(statement: &Statement) -> String {
    let mut out = String::new();
    match &statement.kind {
        StatementKind::Assign { name, value } => {
            out.push_str(&name_text(&name.text));
            out.push_str(" = ");
            full_expression(&mut out, value, PrintedPlace::Verb);
        }
        StatementKind::Define { name, parameters, body } => {
            let parameters: Vec<String> =
                parameters.iter().map(|parameter| name_text(&parameter.text)).collect();
            out.push_str(&format!("{}({}) = ", name_text(&name.text), parameters.join(", ")));
            full_expression(&mut out, body, PrintedPlace::Verb);
        }
        StatementKind::Value(value) => full_expression(&mut out, value, PrintedPlace::Verb),
        StatementKind::Command { arguments } => {
            out.push_str(COMMAND);
            for argument in arguments {
                out.push(' ');
                out.push_str(&shell_word(argument));
            }
        }
    }
    out
}

/// The expression on one line.
pub fn expression_text(expression: &Expr) -> String {
    let mut out = String::new();
    full_expression(&mut out, expression, PrintedPlace::Verb);
    out
}

/// Where a whole expression stands.
#[derive(Clone, Copy, PartialEq)]
enum PrintedPlace {
    /// Where a verb may begin it.
    Verb,
    /// Alone, but not a verb.
    Alone,
    /// Between commas.
    Item,
    /// After `where`; a value of `set`.
    Condition,
}

/// An expression where `if` may stand.
fn full_expression(out: &mut String, expr: &Expr, place: PrintedPlace) {
    let fits = match &expr.kind {
        ExprKind::Verb { .. } => place == PrintedPlace::Verb,
        ExprKind::Where(..) | ExprKind::Set(..) => place != PrintedPlace::Condition,
        _ => true,
    };
    if !fits || place == PrintedPlace::Item && ends_in_set(expr) {
        return bracketed(out, expr);
    }
    match &expr.kind {
        ExprKind::If { condition, then, otherwise } => {
            let inside = match place {
                PrintedPlace::Item => PrintedPlace::Alone,
                other => other,
            };
            out.push_str("if ");
            full_expression(
                out,
                condition,
                if inside == PrintedPlace::Verb { PrintedPlace::Alone } else { inside },
            );
            out.push_str(" then ");
            full_expression(out, then, inside);
            out.push_str(" else ");
            full_expression(out, otherwise, inside);
        }
        ExprKind::Verb { verb, arguments, clauses } => {
            out.push_str(verb.word());
            if !arguments.is_empty() {
                out.push(' ');
                items(out, arguments, PrintedPlace::Item);
            }
            for Clause { word, items: given, .. } in clauses {
                out.push_str(&format!(" {} ", word.word()));
                items(out, given, PrintedPlace::Item);
            }
        }
        _ => joined(out, expr, 0),
    }
}

fn bracketed(out: &mut String, expr: &Expr) {
    out.push('(');
    full_expression(out, expr, PrintedPlace::Verb);
    out.push(')');
}

/// Whether a comma after it would belong to a `set` in it.
fn ends_in_set(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Set(..) => true,
        ExprKind::If { otherwise, .. } => ends_in_set(otherwise),
        _ => false,
    }
}

fn items(out: &mut String, items: &[Argument], place: PrintedPlace) {
    for (number, Argument { name, value }) in items.iter().enumerate() {
        if number > 0 {
            out.push_str(", ");
        }
        if let Some(Name { text, .. }) = name {
            out.push_str(&name_text(text));
            out.push_str(" = ");
        }
        full_expression(out, value, place);
    }
}

/// How strongly an expression binds; `where` and `set` are 0.
fn own_strength(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Where(..) | ExprKind::Set(..) => 0,
        ExprKind::Binary(operator, ..) => strength::binary(*operator),
        ExprKind::Unary(Unary::Minus, _) => MINUS,
        ExprKind::Unary(Unary::Not, _) => NOT,
        ExprKind::Range { .. } => RANGE,
        ExprKind::Call { .. } | ExprKind::Member(..) | ExprKind::Index(..) => POSTFIX,
        _ => PRIMARY,
    }
}

/// An expression among operators that bind so strongly.
fn joined(out: &mut String, expr: &Expr, least: u8) {
    let whole_only = matches!(expr.kind, ExprKind::If { .. } | ExprKind::Verb { .. });
    if whole_only || own_strength(expr) < least {
        return bracketed(out, expr);
    }
    match &expr.kind {
        ExprKind::Number { value, unit } => {
            out.push_str(&number(*value));
            if let Some(unit) = unit {
                out.push_str(&format!(" {}", unit.text));
            }
        }
        ExprKind::Text(text) => quoted(out, text),
        ExprKind::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        ExprKind::Name(name) => out.push_str(&name_text(name)),
        ExprKind::List(values) => {
            out.push('[');
            for (number, value) in values.iter().enumerate() {
                out.push_str(if number > 0 { ", " } else { "" });
                full_expression(out, value, PrintedPlace::Item);
            }
            out.push(']');
        }
        ExprKind::Unary(Unary::Minus, operand) => {
            out.push('-');
            joined(out, operand, MINUS);
        }
        ExprKind::Unary(Unary::Not, operand) => {
            out.push_str("not ");
            joined(out, operand, NOT);
        }
        ExprKind::Binary(operator, left, right) => binary(out, *operator, left, right),
        ExprKind::Range { first, last, step } => {
            joined(out, first, RANGE + 1);
            out.push(':');
            joined(out, last, RANGE + 1);
            if let Some((step, value)) = step {
                out.push_str(if *step == RangeStep::Add { ":+" } else { ":*" });
                joined(out, value, RANGE + 1);
            }
        }
        ExprKind::Call { function, arguments } => {
            base(out, function);
            out.push('(');
            items(out, arguments, PrintedPlace::Item);
            out.push(')');
        }
        ExprKind::Member(receiver, member) => {
            base(out, receiver);
            out.push('.');
            out.push_str(&name_text(&member.text));
        }
        ExprKind::Index(receiver, index) => {
            base(out, receiver);
            out.push('[');
            full_expression(out, index, PrintedPlace::Alone);
            out.push(']');
        }
        ExprKind::Where(receiver, condition) => {
            joined(out, receiver, 0);
            out.push_str(" where ");
            full_expression(out, condition, PrintedPlace::Condition);
        }
        ExprKind::Set(receiver, columns) => {
            joined(out, receiver, 0);
            out.push_str(" set ");
            items(out, columns, PrintedPlace::Condition);
        }
        ExprKind::If { .. } | ExprKind::Verb { .. } => unreachable!("in brackets above"),
    }
}

/// Writes the expression that a call, a member or an index is applied to. Numbers stand in brackets there.
fn base(out: &mut String, expr: &Expr) {
    match expr.kind {
        ExprKind::Number { .. } => bracketed(out, expr),
        _ => joined(out, expr, POSTFIX),
    }
}

fn binary(out: &mut String, operator: Binary, left: &Expr, right: &Expr) {
    let own = strength::binary(operator);
    let (before, after) = match operator {
        Binary::Power => (POSTFIX, MINUS),
        _ if own == strength::COMPARISON => (own + 1, own + 1),
        _ => (own, own + 1),
    };
    joined(out, left, before.max(OR));
    out.push_str(match operator {
        Binary::Add => " + ",
        Binary::Subtract => " - ",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Power => "^",
        Binary::Remainder => " mod ",
        Binary::Equal => " == ",
        Binary::NotEqual => " != ",
        Binary::Less => " < ",
        Binary::LessEqual => " <= ",
        Binary::Greater => " > ",
        Binary::GreaterEqual => " >= ",
        Binary::And => " and ",
        Binary::Or => " or ",
        Binary::In => " in ",
    });
    joined(out, right, after);
}

/// The shortest digits that are read as this number. Numbers are not negative here.
fn number(value: f64) -> String {
    if value == 0.0 || (1e-5..1e16).contains(&value) {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

fn quoted(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
    out.push('"');
}
