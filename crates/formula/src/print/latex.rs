//! Prints a formula as LaTeX, for math mode, with LaTeX's own commands only.

use super::{Constants, text};
use crate::syntax::is_name;
use crate::{Expression, Formula, Function, Variable, VariableKind};

impl Formula {
    /// As LaTeX, for math mode.
    pub fn to_latex(&self, constants: Constants<'_>) -> String {
        formula(self, constants)
    }
}

/// The whole formula.
fn formula(formula: &Formula, constants: Constants<'_>) -> String {
    let printer = Printer { variables: formula.variables() };
    let mut out = String::new();
    for (place, term) in formula.terms().iter().enumerate() {
        let (negative, factor) = match constants.value(place) {
            None => (false, format!("{}_{{{}}}", word(formula.experiment()), term.constant)),
            Some((value, digits)) => {
                let magnitude = value.abs();
                let text = digits.map_or_else(
                    || text::number(magnitude),
                    |digits| text::rounded(magnitude, digits),
                );
                (value.is_sign_negative(), number(&text))
            }
        };
        out.push_str(match (place, negative) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        });
        out.push_str(&printer.term(&factor, &term.expression));
    }
    out
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    Atom,
}

struct Printer<'a> {
    variables: &'a [Variable],
}

impl Printer<'_> {
    fn term(&self, constant: &str, expression: &Expression) -> String {
        match expression {
            Expression::Number(1.0) => constant.to_owned(),
            Expression::Product(parts) => self.product(Some(constant), parts),
            other => self.product(Some(constant), std::slice::from_ref(&(false, other.clone()))),
        }
    }

    fn at(&self, expression: &Expression, least: Binding) -> String {
        let text = self.plain(expression);
        let binding = match expression {
            Expression::Sum(_) | Expression::Negated(_) => Binding::Sum,
            Expression::Product(_) | Expression::Remainder(..) => Binding::Product,
            _ => Binding::Atom,
        };
        if binding < least { format!("\\left({text}\\right)") } else { text }
    }

    fn plain(&self, expression: &Expression) -> String {
        match expression {
            Expression::Number(value) => number(&text::number(*value)),
            Expression::Variable(index) => variable(&self.variables[*index]),
            Expression::Negated(inner) => format!("-{}", self.at(inner, Binding::Product)),
            Expression::Sum(parts) => {
                let mut out = String::new();
                for (place, (negative, part)) in parts.iter().enumerate() {
                    if place > 0 {
                        out.push_str(if *negative { " - " } else { " + " });
                    }
                    let signed = place > 0 || matches!(part, Expression::Sum(_));
                    out.push_str(
                        &self.at(part, if signed { Binding::Product } else { Binding::Sum }),
                    );
                }
                out
            }
            Expression::Product(parts) => self.product(None, parts),
            Expression::Remainder(a, b) => {
                format!("{} \\bmod {}", self.at(a, Binding::Product), self.at(b, Binding::Atom))
            }
            Expression::Power(a, b) => format!("{}^{{{}}}", self.base(a), self.plain(b)),
            Expression::Call(function, arguments) => self.call(*function, arguments),
        }
    }

    /// Numerator and denominator, with equal neighbouring factors as a power.
    fn product(&self, first: Option<&str>, parts: &[(bool, Expression)]) -> String {
        let mut above: Vec<String> = first.map(str::to_owned).into_iter().collect();
        let ones = |(_, part): &&(bool, Expression)| *part != Expression::Number(1.0);
        let (below, over): (Vec<_>, Vec<_>) =
            parts.iter().filter(ones).partition(|(divides, _)| *divides);
        // A single product in the denominator needs no parentheses.
        let mut under = Vec::new();
        for (_, part) in below {
            match part {
                Expression::Product(inner) if inner.iter().all(|(divides, _)| !divides) => {
                    under.extend(inner.iter().map(|(_, part)| part));
                }
                other => under.push(other),
            }
        }
        above.extend(self.factors(
            over.into_iter().map(|(_, part)| part).collect(),
            !under.is_empty() && first.is_none(),
        ));
        if under.is_empty() {
            return above.join(" \\, ");
        }
        let numerator = if above.is_empty() { "1".to_owned() } else { above.join(" \\, ") };
        format!("\\frac{{{numerator}}}{{{}}}", self.factors(under, true).join(" \\, "))
    }

    fn factors(&self, parts: Vec<&Expression>, alone: bool) -> Vec<String> {
        let alone = alone && parts.len() == 1;
        let mut out = Vec::new();
        let mut at = 0;
        while at < parts.len() {
            let part = parts[at];
            let count = parts[at..].iter().take_while(|other| **other == part).count();
            out.push(match count {
                1 if alone => self.plain(part),
                1 => self.at(
                    part,
                    if matches!(part, Expression::Product(_)) {
                        Binding::Product
                    } else {
                        Binding::Atom
                    },
                ),
                _ => format!("{}^{{{count}}}", self.base(part)),
            });
            at += count;
        }
        out
    }

    /// The base of a power.
    fn base(&self, expression: &Expression) -> String {
        let simple = match expression {
            Expression::Number(value) => {
                text::number(*value).bytes().all(|b| b.is_ascii_digit() || b == b'.')
            }
            Expression::Variable(index) => self.variables[*index].kind != VariableKind::Size,
            _ => false,
        };
        let text = self.plain(expression);
        if simple { text } else { format!("\\left({text}\\right)") }
    }

    fn call(&self, function: Function, arguments: &[Expression]) -> String {
        let inner: Vec<String> = arguments.iter().map(|argument| self.plain(argument)).collect();
        let inner = inner.join(", ");
        match function {
            Function::Log => format!("\\log\\left({inner}\\right)"),
            Function::Log2 => format!("\\log_{{2}}\\left({inner}\\right)"),
            Function::Log10 => format!("\\log_{{10}}\\left({inner}\\right)"),
            Function::Exp => format!("\\exp\\left({inner}\\right)"),
            Function::Sqrt => format!("\\sqrt{{{inner}}}"),
            Function::Cbrt => format!("\\sqrt[3]{{{inner}}}"),
            Function::Abs => format!("\\left|{inner}\\right|"),
            Function::Min => format!("\\min\\left({inner}\\right)"),
            Function::Max => format!("\\max\\left({inner}\\right)"),
            Function::Floor => format!("\\left\\lfloor {inner}\\right\\rfloor"),
            Function::Ceil => format!("\\left\\lceil {inner}\\right\\rceil"),
            Function::Factorial => {
                arguments.first().map_or_else(String::new, |n| format!("{}!", self.base(n)))
            }
        }
    }
}

/// A number, its exponent as a power of ten.
fn number(text: &str) -> String {
    match text.split_once('e') {
        None if text == "NaN" => "\\mathrm{NaN}".to_owned(),
        None if text == "inf" => "\\infty".to_owned(),
        None => text.to_owned(),
        Some(("1", exponent)) => format!("10^{{{exponent}}}"),
        Some((mantissa, exponent)) => format!("{mantissa} \\times 10^{{{exponent}}}"),
    }
}

/// A variable; indices as subscripts.
fn variable(variable: &Variable) -> String {
    let name = &variable.name;
    if let Some(size) = name.strip_prefix("sizeof(").and_then(|rest| rest.strip_suffix(')'))
        && variable.kind == VariableKind::Size
    {
        return format!("\\mathrm{{sizeof}}\\left({}\\right)", verbatim(size));
    }
    path(name).unwrap_or_else(|| verbatim(name))
}

/// Names joined by members and plain indices; `None` for anything else.
fn path(name: &str) -> Option<String> {
    let mut out = String::new();
    let mut indices: Vec<String> = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('[') {
            let (index, tail) = after.split_once(']')?;
            indices.push(plain_index(index)?);
            rest = tail;
            continue;
        }
        flush(&mut out, &mut indices);
        if let Some(after) = rest.strip_prefix("->") {
            out.push_str("{\\to}");
            rest = after;
        } else if let Some(after) = rest.strip_prefix('.') {
            out.push('.');
            rest = after;
        } else {
            let end = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
            if end == 0 {
                return None;
            }
            out.push_str(&word(&rest[..end]));
            rest = &rest[end..];
        }
    }
    flush(&mut out, &mut indices);
    Some(out)
}

fn flush(out: &mut String, indices: &mut Vec<String>) {
    if !indices.is_empty() {
        out.push_str(&format!("_{{{}}}", indices.join(", ")));
        indices.clear();
    }
}

/// An index of names, numbers, `+` and `-`.
fn plain_index(index: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = index;
    while let Some(first) = rest.chars().next() {
        if matches!(first, '+' | '-') {
            out.push(first);
            rest = &rest[1..];
            continue;
        }
        let end = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
        if end == 0 {
            return None;
        }
        let piece = &rest[..end];
        out.push_str(&if first.is_ascii_digit() { piece.to_owned() } else { word(piece) });
        rest = &rest[end..];
    }
    Some(out)
}

/// A name: one letter unchanged, more in one italic word.
fn word(name: &str) -> String {
    if name.chars().count() == 1 && name != "_" {
        name.to_owned()
    } else {
        format!("\\mathit{{{}}}", name.replace('_', "\\_"))
    }
}

/// C text, unchanged.
fn verbatim(text: &str) -> String {
    let mut out = String::from("\\texttt{");
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '{' | '}' | '_' | '%' | '&' | '#' | '$' => {
                out.push('\\');
                out.push(character);
            }
            '-' => out.push_str("{-}"),
            other => out.push(other),
        }
    }
    out.push('}');
    out
}
