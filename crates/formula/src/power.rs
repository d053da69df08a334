//! Formulas with constants in exponents, `f[0] + f[1]*N^f[2]`: formulas for given exponents.

use std::ops::Range;

use cll_diagnostic::Diagnostic;

use crate::{Formula, Parsed, codes, parse, parse_anonymous};

/// Most constants in exponents of a formula.
pub const MAX_EXPONENTS: usize = 3;

/// A formula in which some exponents are constants of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct PowerFormula {
    template: Template,
    shape: Formula,
}

impl PowerFormula {
    /// The constants in exponents, in the order of their appearance.
    pub fn names(&self) -> &[String] {
        &self.template.names
    }

    /// The text as it was given, without comments and with single spaces.
    pub fn text(&self) -> &str {
        &self.template.text
    }

    /// A formula that stands for all: with exponents that are no powers of one another it has the same terms as with
    /// most others.
    pub fn shape(&self) -> &Formula {
        &self.shape
    }

    /// The formula with these exponents, finite numbers in the order of [`PowerFormula::names`]; `None` if it is none
    /// then, because two of its terms are equal.
    pub fn with_exponents(&self, exponents: &[f64]) -> Option<Formula> {
        parse(self.shape.experiment(), &self.template.with_exponents(exponents)).formula
    }
}

/// Parses the formula of `experiment`, `None`: of that whose constant comes first. `None` if all exponents are numbers.
///
/// The exponents of an experiment are its own constants: other arrays are variables. Diagnostics are about the text
/// that was given.
pub(crate) fn parse_power(experiment: Option<&str>, text: &str) -> Option<Parsed<PowerFormula>> {
    let template = Template::find(experiment, text)?;
    let Parsed { formula, diagnostics } = template.shape(experiment);
    Some(Parsed { formula: formula.map(|shape| PowerFormula { template, shape }), diagnostics })
}

/// The text of a formula, with gaps for the exponents.
#[derive(Clone, Debug, PartialEq)]
struct Template {
    /// The text between the exponents: one more than occurrences.
    parts: Vec<String>,
    /// For each occurrence the place of its constant in `names`.
    occurrences: Vec<usize>,
    /// For each occurrence its place in the text that was given.
    spans: Vec<Range<usize>>,
    names: Vec<String>,
    text: String,
}

impl Template {
    /// `None` if no constant is an exponent.
    fn find(experiment: Option<&str>, text: &str) -> Option<Template> {
        let text = without_comments(text);
        let mut template = Template {
            parts: Vec::new(),
            occurrences: Vec::new(),
            spans: Vec::new(),
            names: Vec::new(),
            text: text.split_whitespace().collect::<Vec<_>>().join(" "),
        };
        let mut rest = text.as_str();
        let mut before = String::new();
        let is_own = |name: &str| {
            experiment.is_none_or(|own| name.strip_prefix(own).is_some_and(|r| r.starts_with('[')))
        };
        while let Some(caret) = rest.find('^') {
            let (head, tail) = rest.split_at(caret + 1);
            before.push_str(head);
            match constant(tail).filter(|(name, _)| is_own(name)) {
                Some((name, length)) => {
                    let known = template.names.iter().position(|other| *other == name);
                    let place = known.unwrap_or(template.names.len());
                    if known.is_none() {
                        template.names.push(name);
                    }
                    template.occurrences.push(place);
                    let start = text.len() - tail.len();
                    template.spans.push(start..start + length);
                    template.parts.push(std::mem::take(&mut before));
                    rest = &tail[length..];
                }
                None => rest = tail,
            }
        }
        before.push_str(rest);
        template.parts.push(before);
        (!template.names.is_empty()).then_some(template)
    }

    /// The formula that stands for all.
    fn shape(&self, experiment: Option<&str>) -> Parsed {
        let some: Vec<f64> = (0..self.names.len()).map(stand_in).collect();
        let text = self.with_exponents(&some);
        let Parsed { mut formula, mut diagnostics } = match experiment {
            Some(experiment) => parse(experiment, &text),
            None => parse_anonymous(&text),
        };
        // Exponents are constants, too: the numbers of the others may have gaps.
        diagnostics.retain(|diagnostic| diagnostic.code != codes::GAP);
        for diagnostic in &mut diagnostics {
            diagnostic.primary.span = self.given(&diagnostic.primary.span);
            diagnostic.secondary.iter_mut().for_each(|label| label.span = self.given(&label.span));
        }
        let known = formula.iter().flat_map(|formula| formula.terms());
        let known: Vec<String> = known.map(|term| term.constant_name().to_owned()).collect();
        let mut errors = Vec::new();
        for (k, span) in self.occurrences.iter().zip(&self.spans) {
            let name = &self.names[*k];
            if known.contains(name) {
                let text = format!("`{name}` is an exponent and the constant of a term");
                errors.push(Diagnostic::error(codes::TWICE, span.clone(), text));
            } else if *k >= MAX_EXPONENTS && experiment.is_some() {
                let text = format!("more than {MAX_EXPONENTS} constants are exponents");
                errors.push(
                    Diagnostic::error(codes::TOO_MANY, span.clone(), text)
                        .help("exponents are sought together: give the others as numbers"),
                );
            }
        }
        if !errors.is_empty() {
            formula = None;
            diagnostics.retain(Diagnostic::is_error);
            diagnostics.append(&mut errors);
        }
        Parsed { formula, diagnostics }
    }

    /// A place of the text with the exponents of [`stand_in`], in the text that was given.
    fn given(&self, span: &Range<usize>) -> Range<usize> {
        let map = |position: usize, is_end: bool| {
            let mut start = 0;
            let mut own = 0;
            for ((part, &place), given) in self.parts.iter().zip(&self.occurrences).zip(&self.spans)
            {
                if position < start + part.len() || (is_end && position == start + part.len()) {
                    return own + position - start;
                }
                start += part.len();
                let length = written(stand_in(place)).len();
                if position < start + length || (is_end && position == start + length) {
                    return if is_end { given.end } else { given.start };
                }
                start += length;
                own = given.end;
            }
            own + position.saturating_sub(start)
        };
        map(span.start, false)..map(span.end, true)
    }

    fn with_exponents(&self, exponents: &[f64]) -> String {
        let mut text = self.parts[0].clone();
        for (&place, part) in self.occurrences.iter().zip(&self.parts[1..]) {
            text += &written(exponents.get(place).copied().unwrap_or(f64::NAN));
            text += part;
        }
        text
    }
}

/// An exponent that is no power of the others.
fn stand_in(place: usize) -> f64 {
    1.37 + 0.41 * place as f64
}

fn written(exponent: f64) -> String {
    format!("({exponent})")
}

/// The text with blanks in place of comments and of `\` at the ends of lines, each byte in its place.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or(rest.len(), |end| end + 4)
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("\\\n") {
            2
        } else if rest.starts_with("\\\r\n") {
            3
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        out.extend(std::iter::repeat_n(' ', length));
        rest = &rest[length..];
    }
    out
}

/// `f[2]` at the beginning, also in parentheses, and its length.
fn constant(text: &str) -> Option<(String, usize)> {
    let inner = text.trim_start();
    let opened = inner.strip_prefix('(').map(str::trim_start);
    let body = opened.unwrap_or(inner);
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let name = body.find(|c: char| !word(c)).filter(|&end| end > 0)?;
    if body.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let index = body[name..].strip_prefix('[')?;
    let digits = index.find(|c: char| !c.is_ascii_digit()).filter(|&end| end > 0)?;
    let mut after = index[digits..].strip_prefix(']')?;
    let constant = format!("{}[{}]", &body[..name], &index[..digits]);
    if opened.is_some() {
        after = after.trim_start().strip_prefix(')')?;
    }
    Some((constant, text.len() - after.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn power(experiment: Option<&str>, text: &str) -> PowerFormula {
        parse_power(experiment, text).expect(text).formula.expect(text)
    }

    #[test]
    fn constants_in_exponents_are_found() {
        let formula = power(None, "f[0] + f[1]*N^f[2] + f[3]*P^( f[4] )*N^f[2]");
        assert_eq!(formula.names(), ["f[2]", "f[4]"]);
        let linear = formula.with_exponents(&[1.5, -0.5]).unwrap();
        assert_eq!(linear.terms().len(), 3);
        let mut terms = [0.0; 3];
        let at: Vec<f64> =
            linear.variables().iter().map(|v| if v.name == "N" { 4.0 } else { 16.0 }).collect();
        linear.terms_at(&at, &mut terms);
        assert_eq!(terms, [1.0, 8.0, 2.0]);
    }

    #[test]
    fn diagnostics_are_about_the_text_that_was_given() {
        let text = "f[0] + f[1]*N^f[2] + f[3]*sqqrt(N)";
        let diagnosed = parse_power(Some("f"), text).unwrap();
        assert_eq!(diagnosed.formula, None);
        let span = diagnosed.diagnostics[0].primary.span.clone();
        assert_eq!(&text[span], "sqqrt");
        let text = "f[1]*N^/* two */f[1] + f[0]";
        let parsed = parse_power(Some("f"), text).unwrap();
        assert_eq!(parsed.diagnostics[0].code, codes::TWICE);
        assert!(text[parsed.diagnostics[0].primary.span.clone()].ends_with("f[1]"));
        let text = "f[1]*N^/* two */f[2] + f[0]";
        assert_eq!(power(Some("f"), text).text(), "f[1]*N^ f[2] + f[0]");
    }

    #[test]
    fn only_the_experiments_own_constants_are_exponents() {
        assert_eq!(parse_power(Some("f"), "f[0]*N^g[2]"), None);
        let text = "f[0]*N^f[1] + f[2]\\\n *P";
        let parsed = parse_power(Some("f"), text).unwrap();
        assert!(parsed.diagnostics.is_empty(), "{parsed:?}");
        let formula = parsed.formula.unwrap();
        assert_eq!(formula.names(), ["f[1]"]);
        assert_eq!(formula.text(), "f[0]*N^f[1] + f[2] *P");
        assert_eq!(formula.shape().experiment(), "f");
    }

    #[test]
    fn only_a_source_is_refused_for_too_many_exponents() {
        let many = "f[0]*a^f[1] + f[2]*b^f[3] + f[4]*c^f[5] + f[6]*d^f[7]";
        let parsed = parse_power(Some("f"), many).unwrap();
        assert_eq!(parsed.diagnostics[0].code, codes::TOO_MANY);
        assert_eq!(&many[parsed.diagnostics[0].primary.span.clone()], "f[7]");
        assert_eq!(power(None, many).names().len(), 4);
    }

    #[test]
    fn other_exponents_are_left_alone() {
        for text in
            ["f[0] + f[1]*N^2", "f[0]*N^(1/2)", "f[0]*N^(f[1] + 1)", "f[0]*N^2[1]", "^", "é^é["]
        {
            assert_eq!(parse_power(None, text), None, "{text}");
        }
        let collide = power(None, "f[0]*N + f[1]*N^f[2]");
        assert!(collide.with_exponents(&[1.0]).is_none(), "the terms are equal");
    }
}
