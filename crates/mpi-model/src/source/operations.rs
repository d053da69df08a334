//! Arithmetic operations of a segment: a sum of products of the passages of its loops, as they are written.

use std::collections::BTreeMap;

use cll_csource::tree::{NodeId, Statement};

use super::evaluate::{Values, value};
use super::program::{Body, Program, closing, head, passages, split, words};

/// The depth of calls that is followed.
const DEPTH: usize = 6;
/// A sum of more terms is not readable.
const TERMS: usize = 6;

/// A number of operations.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Operations {
    /// How often each product of passages; factors are tokens of the source.
    terms: BTreeMap<Vec<Vec<String>>, u64>,
    /// Whether some are under a condition, or in a loop whose passages are not known: these are counted once.
    is_more: bool,
}

impl Operations {
    pub(super) fn add(&mut self, other: Operations) {
        for (factors, count) in other.terms {
            *self.terms.entry(factors).or_default() += count;
        }
        self.is_more |= other.is_more;
    }

    /// `2*n*n*n + n`; with `>=` before it if there may be more; empty if there are none or too many terms.
    pub(super) fn text(&self) -> String {
        let mut terms: Vec<(&Vec<Vec<String>>, u64)> =
            self.terms.iter().map(|(factors, &count)| (factors, count)).collect();
        terms.retain(|term| term.1 > 0);
        if terms.is_empty() || terms.len() > TERMS {
            return String::new();
        }
        terms.sort_by_key(|term| std::cmp::Reverse(term.0.len()));
        let term_text = |(factors, count): &(&Vec<Vec<String>>, u64)| {
            let written = factors.iter().map(|factor| match factor.as_slice() {
                [name] => name.clone(),
                all => format!("({})", words(all)),
            });
            let number = (*count > 1 || factors.is_empty()).then(|| count.to_string());
            number.into_iter().chain(written).collect::<Vec<_>>().join("*")
        };
        let sum = terms.iter().map(term_text).collect::<Vec<_>>().join(" + ");
        if self.is_more { format!(">= {sum}") } else { sum }
    }

    fn repeated(self, by: &Repeated) -> Operations {
        let terms = self.terms.into_iter().map(|(mut factors, count)| match by {
            Repeated::Known(number) => (factors, count.saturating_mul(*number)),
            Repeated::Written(factor) => {
                factors.push(factor.clone());
                factors.sort();
                (factors, count)
            }
            Repeated::Unknown => (factors, count),
        });
        let is_more = self.is_more || *by == Repeated::Unknown;
        Operations { terms: terms.collect(), is_more }
    }
}

#[derive(PartialEq)]
enum Repeated {
    Known(u64),
    Written(Vec<String>),
    Unknown,
}

/// The values of a function's parameters where it is called.
type Arguments = BTreeMap<String, Vec<String>>;

/// Counts operations of a program.
pub(super) struct Counter<'p> {
    pub(super) program: &'p Program,
}

impl Counter<'_> {
    /// The operations of a statement.
    pub(super) fn statement(&self, body: &Body, id: NodeId, values: &Values) -> Operations {
        self.node(body, id, values, &Arguments::new(), 0)
    }

    /// The operations of an expression.
    pub(super) fn expression(&self, tokens: &[String], values: &Values) -> Operations {
        self.tokens(tokens, values, &Arguments::new(), 0)
    }

    fn node(
        &self,
        body: &Body,
        id: NodeId,
        values: &Values,
        arguments: &Arguments,
        depth: usize,
    ) -> Operations {
        let node = &body.tree.nodes[id];
        let mut sum = Operations::default();
        let children = &body.children[id];
        let inner = |child: &NodeId| self.node(body, *child, values, arguments, depth);
        match node.statement {
            Statement::Simple | Statement::Return => {
                return self.tokens(body.text(node.first, node.end), values, arguments, depth);
            }
            Statement::If => {
                let (condition, _) = head(body, node.first, node.end);
                let is_else =
                    |child: &&NodeId| body.tree.nodes[**child].statement == Statement::Else;
                let known = value(condition, values);
                for child in children {
                    match known {
                        Some(0) if !is_else(&child) => {}
                        Some(other) if other != 0 && is_else(&child) => {}
                        _ => sum.add(inner(child)),
                    }
                }
                sum.is_more |= known.is_none() && !sum.terms.is_empty();
                return sum;
            }
            _ => children.iter().for_each(|child| sum.add(inner(child))),
        }
        let (written, _) = head(body, node.first, node.end);
        match node.statement {
            Statement::For => sum.repeated(&repeated(written, values, arguments)),
            Statement::While | Statement::Do | Statement::Macro(true) => {
                sum.repeated(&Repeated::Unknown)
            }
            _ => sum,
        }
    }

    fn tokens(
        &self,
        tokens: &[String],
        values: &Values,
        arguments: &Arguments,
        depth: usize,
    ) -> Operations {
        let mut sum = Operations::default();
        let mut own = 0;
        let mut brackets = 0usize;
        for (index, token) in tokens.iter().enumerate() {
            match token.as_str() {
                "[" => brackets += 1,
                "]" => brackets = brackets.saturating_sub(1),
                // An index is no work of the program.
                _ if brackets > 0 => {}
                "+=" | "-=" | "*=" | "/=" | "%=" => own += 1,
                "+" | "-" | "*" | "/" | "%" => {
                    own += u64::from(index > 0 && is_operand(&tokens[index - 1]));
                }
                name if tokens.get(index + 1).is_some_and(|next| next == "(") && depth < DEPTH => {
                    if let Some(&called) = self.program.by_name.get(name) {
                        let close = closing(tokens, index + 1);
                        let given = split(&tokens[(index + 2).min(close)..close], ",");
                        sum.add(self.called(called, &given, values, arguments, depth));
                    }
                }
                _ => {}
            }
        }
        if own > 0 {
            sum.add(Operations { terms: [(Vec::new(), own)].into(), is_more: false });
        }
        sum
    }

    fn called(
        &self,
        called: usize,
        given: &[&[String]],
        values: &Values,
        arguments: &Arguments,
        depth: usize,
    ) -> Operations {
        let body = &self.program.bodies[called];
        let mut own = self.program.constants.clone();
        let mut names = Arguments::new();
        for (parameter, argument) in body.parameters.iter().zip(given) {
            own.insert(parameter.clone(), value(argument, values));
            names.insert(parameter.clone(), replaced(argument, arguments));
        }
        if body.tree.nodes.is_empty() {
            Operations::default()
        } else {
            self.node(body, 0, &own, &names, depth + 1)
        }
    }
}

fn is_operand(token: &str) -> bool {
    const WORDS: [&str; 13] = [
        "return", "sizeof", "int", "long", "char", "short", "float", "double", "void", "const",
        "unsigned", "size_t", "case",
    ];
    let is_word = token.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    (is_word && !WORDS.contains(&token)) || token == ")" || token == "]"
}

/// With arguments in place of parameters.
fn replaced(tokens: &[String], arguments: &Arguments) -> Vec<String> {
    let mut all = Vec::new();
    for token in tokens {
        match arguments.get(token).map(Vec::as_slice) {
            None => all.push(token.clone()),
            Some([text]) => all.push(text.clone()),
            Some(many) => {
                all.push("(".to_owned());
                all.extend(many.iter().cloned());
                all.push(")".to_owned());
            }
        }
    }
    all
}

/// The passages of `i = a; i < b; i++`.
fn repeated(written: &[String], values: &Values, arguments: &Arguments) -> Repeated {
    if let Some(known) = passages(written, values) {
        return Repeated::Known(known);
    }
    let [first, condition, step] = split(written, ";")[..] else { return Repeated::Unknown };
    let Some(equals) = first.iter().position(|token| token == "=") else {
        return Repeated::Unknown;
    };
    let Some(name) = equals.checked_sub(1).map(|index| &first[index]) else {
        return Repeated::Unknown;
    };
    let from = replaced(&first[equals + 1..], arguments);
    let is_one = step.len() == 2 && step.contains(name) && step.iter().any(|text| text == "++");
    match condition {
        [variable, operator, bound @ ..] if variable == name && is_one => {
            let mut to = replaced(bound, arguments);
            match operator.as_str() {
                "<" => {}
                "<=" => to.extend(["+", "1"].map(str::to_owned)),
                _ => return Repeated::Unknown,
            }
            match from.as_slice() {
                [zero] if zero == "0" => {}
                // From 1 to n, n included.
                [literal] if literal == "1" && operator == "<=" => to.truncate(to.len() - 2),
                _ => {
                    to.push("-".to_owned());
                    let is_one = from.len() == 1;
                    to.extend((!is_one).then(|| "(".to_owned()));
                    to.extend(from);
                    to.extend((!is_one).then(|| ")".to_owned()));
                }
            }
            if to.first().is_some_and(|text| text == "(") && closing(&to, 0) + 1 == to.len() {
                to = to[1..to.len() - 1].to_vec();
            }
            if to.is_empty() { Repeated::Unknown } else { Repeated::Written(to) }
        }
        _ => Repeated::Unknown,
    }
}
