//! The values that names stand for.

use cll_diagnostic::nearest;

use super::{BUILTINS, Evaluator, Scope, Wrong, error};
use crate::syntax::ast::{Argument, Expr, ExprKind, Span};
use crate::value::Value;

impl Evaluator<'_> {
    /// The value of a name: a column, a parameter, a name of the session.
    pub(super) fn named(
        &mut self,
        name: &str,
        scope: &Scope<'_>,
        span: &Span,
    ) -> Result<Value, Wrong> {
        if let Some(value) = scope.frame.and_then(|frame| frame.get(name)) {
            return Ok(value);
        }
        if let Some((_, value)) = scope.locals.iter().find(|(known, _)| known == name) {
            return Ok(value.clone());
        }
        if let Some(value) = self.names.get(name) {
            return Ok(value.clone());
        }
        if name == "pi" {
            return Ok(Value::number(std::f64::consts::PI));
        }
        let mut known: Vec<String> = self.names.keys().cloned().collect();
        known.extend(scope.locals.iter().map(|(name, _)| name.clone()));
        known.extend(scope.frame.iter().flat_map(|frame| frame.all()));
        let builtin = BUILTINS.iter().map(|builtin| builtin.name);
        let columns = scope.frame.map(|frame| frame.all()).unwrap_or_default();
        let of_columns = nearest(name, columns.iter().map(String::as_str)).map(str::to_owned);
        let near = nearest(name, known.iter().map(String::as_str).chain(builtin));
        // Case does not count.
        let near = of_columns.as_deref().or(near);
        let mut wrong = error("L130", span, format!("there is no `{name}`"));
        if BUILTINS.iter().any(|builtin| builtin.name == name) {
            wrong = error("L130", span, format!("`{name}` is a function"));
            wrong = wrong.help(format!("call it: `{name}(…)`"));
        } else if let Some(near) = near {
            wrong = wrong.help(format!("did you mean `{near}`?"));
        } else if known.is_empty() {
            wrong = wrong.help("`open \"FILE\"` reads samples or a model");
        } else {
            wrong = wrong.help("`show` lists what there is");
        }
        Err(wrong.into())
    }
}

/// The names that occur in an expression, each once.
pub(crate) fn names_in(expr: &Expr) -> Vec<&str> {
    let mut names = Vec::new();
    collect(expr, &mut names);
    names
}

fn collect<'e>(expr: &'e Expr, names: &mut Vec<&'e str>) {
    let items = |arguments: &'e [Argument], names: &mut Vec<&'e str>| {
        arguments.iter().for_each(|argument| collect(&argument.value, names));
    };
    match &expr.kind {
        ExprKind::Name(name) => {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        ExprKind::Number { .. } | ExprKind::Text(_) | ExprKind::Bool(_) => {}
        ExprKind::Unary(_, expr) | ExprKind::Member(expr, _) => collect(expr, names),
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) | ExprKind::Where(a, b) => {
            collect(a, names);
            collect(b, names);
        }
        ExprKind::If { condition, then, otherwise } => {
            [condition, then, otherwise].into_iter().for_each(|expr| collect(expr, names));
        }
        ExprKind::Call { function, arguments } => {
            collect(function, names);
            items(arguments, names);
        }
        ExprKind::Range { first, last, step } => {
            collect(first, names);
            collect(last, names);
            step.iter().for_each(|(_, by)| collect(by, names));
        }
        ExprKind::List(all) => all.iter().for_each(|expr| collect(expr, names)),
        ExprKind::Set(base, arguments) => {
            collect(base, names);
            items(arguments, names);
        }
        ExprKind::Verb { arguments, clauses, .. } => {
            items(arguments, names);
            clauses.iter().for_each(|clause| items(&clause.items, names));
        }
    }
}
