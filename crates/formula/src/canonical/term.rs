//! Reads a summand as a term, or reports why it is none.

use std::collections::HashSet;
use std::ops::Range;

use cll_diagnostic::Diagnostic;

use super::Draft;
use super::advice;
use super::factors::{Factors, product};
use crate::print::text;
use crate::syntax::{Ast, Report, Syntax, SyntaxNode, close};
use crate::{Expression, VariableKind, codes};

/// Reads the summands of one formula.
pub(super) struct SummandReader<'a> {
    syntax: &'a Syntax,
    text: &'a str,
    /// The constants that occur in the formula, and those that were suggested.
    taken: HashSet<u32>,
    report: &'a mut Report,
}

impl<'a> SummandReader<'a> {
    pub(super) fn new(
        syntax: &'a Syntax,
        text: &'a str,
        summands: &[(bool, &Ast)],
        report: &'a mut Report,
    ) -> SummandReader<'a> {
        let mut taken = HashSet::new();
        summands.iter().for_each(|(_, summand)| {
            constants(summand, &mut |index, _| {
                taken.insert(index);
            })
        });
        SummandReader { syntax, text, taken, report }
    }

    /// The term, or `None` if the summand is not one, which is reported.
    pub(super) fn read(&mut self, summand: &Ast, negative: bool) -> Option<Draft> {
        if summand.broken || self.report.is_full() {
            return None;
        }
        let factors = Factors::new(summand, negative);
        let span = summand.span.clone();
        if !(factors.scale.is_finite() && factors.scale != 0.0) {
            self.unusable_factor(&factors, span);
            return None;
        }
        if !factors.is_canonical() {
            self.not_canonical(summand, &factors);
            return None;
        }
        let constant = factors.constants[0].1;
        let (scale, numbers) = (factors.scale, factors.numbers);
        let draft = Draft { constant, expression: product(factors.rest), span };
        if scale != 1.0 {
            self.note_absorbed(&draft, scale, &numbers);
        }
        Some(draft)
    }

    fn unusable_factor(&mut self, factors: &Factors<'_>, span: Range<usize>) {
        let place = match &factors.numbers[..] {
            [range] => range.clone(),
            _ => span,
        };
        let message = if factors.scale == 0.0 {
            "the factor is 0, and so is the term".to_owned()
        } else {
            format!("the numeric factor is {}, which is not a finite number", factors.scale)
        };
        self.report.push(
            Diagnostic::error(codes::FACTOR, place, message)
                .help("remove the term, or correct the factor"),
        );
    }

    fn note_absorbed(&mut self, draft: &Draft, scale: f64, numbers: &[Range<usize>]) {
        let place = match numbers {
            [range] => range.clone(),
            _ => draft.span.clone(),
        };
        let constant = format!("{}[{}]", self.syntax.experiment, draft.constant);
        let term = text::term(&constant, &draft.expression, &self.syntax.variables);
        let (what, factor) = if scale == -1.0 {
            ("the minus sign".to_owned(), "-1".to_owned())
        } else {
            let factor = text::factor(scale);
            (format!("the factor {factor}"), factor)
        };
        self.report.push(
            Diagnostic::note(
                codes::ABSORBED,
                place,
                format!("{what} is absorbed by {constant}: the term is {term}"),
            )
            .help(format!("the fitted {constant} is {factor} times the one in this text")),
        );
    }

    fn not_canonical(&mut self, summand: &Ast, factors: &Factors<'_>) {
        let name = &self.syntax.experiment;
        let mut places = Vec::new();
        constants(summand, &mut |index, span| places.push((index, span)));
        let Some((first, place)) = places.first().cloned() else {
            return self.without_constant(summand, factors);
        };
        let snippet = self.snippet(&summand.span);
        let diagnostic = match (&factors.constants[..], &factors.mixed[..]) {
            ([(true, ..)], []) => Diagnostic::error(
                codes::DIVISOR,
                place,
                format!("{name}[{first}] is a divisor in `{snippet}`"),
            )
            .label("a divisor")
            .help(advice::multiply(self.syntax, first, factors)),
            ([], [(true, _)]) => Diagnostic::error(
                codes::DIVISOR,
                place,
                format!("`{snippet}` has a divisor that contains {name}[{first}]"),
            )
            .label("below the line")
            .help("a constant must be a factor of a whole term, not a divisor"),
            ([], [(false, inner)]) if is_sum(inner) => {
                let sum = self.snippet(&inner.span);
                Diagnostic::error(
                    codes::EXPANSION,
                    summand.span.clone(),
                    format!(
                        "`{snippet}` is a product with the sum `{sum}`, which contains constants"
                    ),
                )
                .help(advice::expanded(self.syntax, summand, inner))
            }
            ([], [(false, inner)]) => self.inside(inner, factors, first, place),
            _ => {
                let fresh = self.fresh();
                let mut diagnostic = Diagnostic::error(
                    codes::SEVERAL_CONSTANTS,
                    summand.span.clone(),
                    format!("the term `{snippet}` has {} constants", places.len()),
                );
                for (index, span) in places.iter().take(4) {
                    diagnostic = diagnostic.also(span.clone(), format!("{name}[{index}]"));
                }
                diagnostic.help(advice::one_of_several(self.syntax, first, factors, fresh))
            }
        };
        self.report.push(diagnostic);
    }

    fn inside(
        &mut self,
        inner: &Ast,
        factors: &Factors<'_>,
        first: u32,
        place: Range<usize>,
    ) -> Diagnostic {
        let name = &self.syntax.experiment;
        let snippet = self.snippet(&inner.span);
        let container = match &inner.node {
            SyntaxNode::Call(function, _) => format!("`{}`", function.name()),
            SyntaxNode::Power(_, exponent) if exponent.constant => "the exponent".to_owned(),
            SyntaxNode::Power(..) => "the power".to_owned(),
            _ => "the remainder".to_owned(),
        };
        let fresh = self.fresh();
        Diagnostic::error(
            codes::INSIDE,
            place,
            format!("{name}[{first}] is inside {container} in `{snippet}`"),
        )
        .label("a constant")
        .also(inner.span.clone(), "inside of this")
        .help(advice::outside(self.syntax, inner, factors, fresh))
    }

    fn without_constant(&mut self, summand: &Ast, factors: &Factors<'_>) {
        let name = &self.syntax.experiment;
        let snippet = self.snippet(&summand.span);
        let fresh = self.fresh();
        self.taken.insert(fresh);
        let constant = format!("{name}[{fresh}]");
        let rest = product(factors.rest.clone());
        let help = if factors.rest.is_empty() {
            format!("a constant alone, such as `{constant}`, is a fixed time")
        } else {
            let term = text::term(&constant, &rest, &self.syntax.variables);
            format!("each term is one constant times an expression: write `{term}`")
        };
        let mut diagnostic = Diagnostic::error(
            codes::NO_CONSTANT,
            summand.span.clone(),
            format!("the term `{snippet}` has no constant"),
        )
        .help(help);
        if holds(&rest, &|index| self.syntax.variables[index].name == *name) {
            diagnostic = diagnostic.help(format!(
                "`{name}` without an index is a variable of the program; the constants are {name}[0], {name}[1], …"
            ));
        }
        let element = self
            .syntax
            .variables
            .iter()
            .position(|variable| variable.kind == VariableKind::Element);
        if let Some(slip) = self.slip(&rest) {
            diagnostic = diagnostic.help(slip);
        } else if let Some(element) =
            element.filter(|element| holds(&rest, &|index| index == *element))
        {
            diagnostic = diagnostic.help(format!(
                "`{}` is an element of an array of the program; the constants of this experiment are {name}[0], {name}[1], …",
                self.syntax.variables[element].name
            ));
        }
        self.report.push(diagnostic);
    }

    /// Help for an array element that is probably a constant with a misspelt name.
    fn slip(&self, expression: &Expression) -> Option<String> {
        let name = &self.syntax.experiment;
        let meant = |index: usize| {
            let variable = &self.syntax.variables[index].name;
            let (array, rest) = variable.split_once('[')?;
            let number = rest.strip_suffix(']')?.parse::<u32>().ok()?;
            close(array, name).then(|| format!("did you mean `{name}[{number}]`? `{variable}` is an element of an array of the program"))
        };
        (0..self.syntax.variables.len())
            .filter(|index| holds(expression, &|other| other == *index))
            .find_map(meant)
    }

    /// The smallest index that no constant has.
    fn fresh(&self) -> u32 {
        (0..).find(|index| !self.taken.contains(index)).unwrap_or(0)
    }

    /// A part of the text, on one line.
    fn snippet(&self, span: &Range<usize>) -> String {
        let piece = &self.text[span.clone()];
        let head: String = piece.chars().take(200).collect();
        let mut words =
            head.split_whitespace().filter(|word| *word != "\\").collect::<Vec<_>>().join(" ");
        if let Some((end, _)) = words.char_indices().nth(48) {
            words.truncate(end);
            words.push('…');
        } else if head.len() < piece.len() {
            words.push('…');
        }
        words
    }
}

fn is_sum(ast: &Ast) -> bool {
    matches!(ast.node, SyntaxNode::Sum(_))
}

/// Passes every constant in `ast` with its position, from left to right.
fn constants(ast: &Ast, visit: &mut impl FnMut(u32, Range<usize>)) {
    if !ast.constant {
        return;
    }
    match &ast.node {
        SyntaxNode::Constant(index) => visit(*index, ast.span.clone()),
        SyntaxNode::Broken | SyntaxNode::Number(_) | SyntaxNode::Variable(_) => {}
        SyntaxNode::Negated(inner) => constants(inner, visit),
        SyntaxNode::Sum(parts) | SyntaxNode::Product(parts) => {
            parts.iter().for_each(|(_, part)| constants(part, visit))
        }
        SyntaxNode::Remainder(a, b) | SyntaxNode::Power(a, b) => {
            constants(a, visit);
            constants(b, visit);
        }
        SyntaxNode::Call(_, arguments) => arguments.iter().for_each(|part| constants(part, visit)),
    }
}

/// Whether `expression` contains a variable for which `wanted` is true.
fn holds(expression: &Expression, wanted: &impl Fn(usize) -> bool) -> bool {
    match expression {
        Expression::Number(_) => false,
        Expression::Variable(index) => wanted(*index),
        Expression::Negated(a) => holds(a, wanted),
        Expression::Sum(parts) | Expression::Product(parts) => {
            parts.iter().any(|(_, part)| holds(part, wanted))
        }
        Expression::Remainder(a, b) | Expression::Power(a, b) => {
            holds(a, wanted) || holds(b, wanted)
        }
        Expression::Call(_, arguments) => arguments.iter().any(|part| holds(part, wanted)),
    }
}
