//! Conditions under which a comparison fails: `h.max > +5%`.

use std::ops::Range;

use cll_diagnostic::Diagnostic;
use schemars::JsonSchema;
use serde::Serialize;

use super::interval::Change;
use crate::graph::{Graph, GraphNode};
use crate::metric::{Costs, Metric};
use crate::oxford::brief;
use crate::profile::Profile;

/// The quantity that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Supersteps,
    Time,
    Maximum(Metric),
    Average(Metric),
    Minimum(Metric),
    /// Average divided by maximum, 0 to 1.
    Balance(Metric),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Bound {
    /// A change in per cent.
    Percent(f64),
    /// A change.
    Change(f64),
    /// A value after.
    Value(f64),
}

/// A condition that was understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    text: String,
    node: Option<String>,
    what: What,
    above: bool,
    or_equal: bool,
    bound: Bound,
}

/// Whether a condition is met.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Verdict {
    /// The condition as it was given.
    pub condition: String,
    /// Whether it is met; with several runs, whether the whole interval meets it.
    pub met: bool,
    /// The change that the verdict is about.
    pub change: Change,
}

const NAMES: [&str; 8] =
    ["computation", "communication", "idle", "h", "h-relation", "time", "supersteps", "syncs"];
const PARTS: [&str; 4] = ["max", "avg", "min", "balance"];

impl Condition {
    /// Reads `[NODE:]METRIC[.WHAT] OPERATOR VALUE[%]`.
    ///
    /// # Errors
    /// If the condition is wrong: the diagnostic says what is wrong, and where.
    pub fn read(text: &str) -> Result<Condition, Diagnostic> {
        let Some(operator) = text.rfind(['<', '>']) else {
            let wrong =
                Diagnostic::error("P101", text.len()..text.len(), "there is no < or > in it");
            return Err(wrong.help("a condition is METRIC.WHAT > VALUE, such as h.max > +5%"));
        };
        let above = text.as_bytes()[operator] == b'>';
        let or_equal = text[operator + 1..].starts_with('=');
        let left = &text[..operator];
        let from = left
            .rfind(':')
            .filter(|colon| !left[*colon + 1..].contains('>'))
            .map(|colon| colon + 1);
        let node = from.map(|from| left[..from - 1].trim().to_owned());
        let from = from.unwrap_or(0);
        let what = what(&left[from..]).map_err(|wrong| wrong.shifted(from))?;
        let from = operator + 1 + usize::from(or_equal);
        let bound = bound(&text[from..]).map_err(|wrong| wrong.shifted(from))?;
        Ok(Condition { text: text.to_owned(), node, what, above, or_equal, bound })
    }

    /// Whether it is met. The node is a function, or a place, by its name in the call graph.
    ///
    /// # Errors
    /// If neither set has such a node.
    pub fn judge(
        &self,
        before: &[Profile],
        after: &[Profile],
        confidence: f64,
    ) -> Result<Verdict, Diagnostic> {
        let costs_of =
            |set: &[Profile]| set.iter().map(|profile| self.costs(profile)).collect::<Vec<_>>();
        let (a, b) = (costs_of(before), costs_of(after));
        if a.iter().chain(&b).all(Option::is_none) {
            return Err(self.names_nothing(before.iter().chain(after)));
        }
        let value = |costs: &Option<Costs>| costs.map_or(0.0, |costs| self.what.value_of(&costs));
        let values = |set: &[Option<Costs>]| set.iter().map(value).collect::<Vec<_>>();
        let change = Change::new(&values(&a), &values(&b), confidence);
        let (low, high) = change.ends();
        // The end of the interval that is nearest to the bound.
        let near = if self.above { low } else { high };
        let (value, bound) = match self.bound {
            Bound::Change(bound) => (near, bound),
            Bound::Value(bound) => (change.before + near, bound),
            Bound::Percent(bound) => (percent(near, change.before), bound),
        };
        let met = match (self.above, self.or_equal) {
            (true, false) => value > bound,
            (true, true) => value >= bound,
            (false, false) => value < bound,
            (false, true) => value <= bound,
        };
        Ok(Verdict { condition: self.text.clone(), met, change })
    }

    fn costs(&self, profile: &Profile) -> Option<Costs> {
        let Some(node) = &self.node else { return Some(profile.root().costs) };
        let graph = Graph::new(profile);
        let named = graph.nodes.iter().filter(|graph_node| graph_node.kind.label() == *node);
        named.map(|named_node: &GraphNode| named_node.costs).reduce(|mut sum, costs| {
            sum += costs;
            sum
        })
    }

    fn names_nothing<'a>(&self, profiles: impl Iterator<Item = &'a Profile>) -> Diagnostic {
        let node = self.node.clone().unwrap_or_default();
        let start = self.text.find(&node).unwrap_or(0);
        let labels = profiles.flat_map(|profile| &profile.nodes).map(|node| node.kind.label());
        let mut names: Vec<String> = labels.map(|label| brief(&label)).collect();
        names.sort();
        names.dedup();
        let wrong = format!("neither profile has a function or place {}", brief(&node));
        let wrong = Diagnostic::error("P104", start..start + node.len(), wrong);
        suggest(wrong, &node, names.iter().map(String::as_str))
    }
}

/// A change in per cent of what was before.
fn percent(difference: f64, before: f64) -> f64 {
    match (difference, before) {
        (0.0, _) => 0.0,
        (_, 0.0) => difference.signum() * f64::INFINITY,
        _ => difference / before.abs() * 100.0,
    }
}

impl What {
    fn value_of(self, costs: &Costs) -> f64 {
        match self {
            What::Supersteps => costs.supersteps,
            What::Time => costs.time(),
            What::Maximum(metric) => costs.summary(metric).maximum,
            What::Average(metric) => costs.summary(metric).average,
            What::Minimum(metric) => costs.summary(metric).minimum,
            What::Balance(metric) => costs.summary(metric).average_percent() / 100.0,
        }
    }
}

/// The range of a word in a text, without the spaces around it.
fn trimmed(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start().len();
    start..start + text.trim().len()
}

fn what(text: &str) -> Result<What, Diagnostic> {
    let place = trimmed(text);
    let word = &text[place.clone()];
    let (name, part) = match word.split_once('.') {
        Some((name, part)) => (name, Some(part)),
        None => (word, None),
    };
    let of_name = place.start..place.start + name.len();
    let metric =
        Metric::ALL.into_iter().find(|metric| metric.name() == name || metric.brief() == name);
    let what = match (name, metric) {
        ("supersteps" | "syncs", _) => What::Supersteps,
        ("time", _) => What::Time,
        (_, Some(metric)) => match part {
            None | Some("max" | "maximum") => What::Maximum(metric),
            Some("avg" | "average") => What::Average(metric),
            Some("min" | "minimum") => What::Minimum(metric),
            Some("balance") => What::Balance(metric),
            Some(part) => {
                let range = of_name.end + 1..place.end;
                let wrong = Diagnostic::error(
                    "P103",
                    range,
                    format!("{} is nothing of a metric", brief(part)),
                );
                return Err(suggest(wrong, part, PARTS.into_iter()));
            }
        },
        (_, None) => {
            let wrong = format!("{} names nothing that is compared", brief(name));
            let wrong = Diagnostic::error("P102", of_name, wrong);
            return Err(suggest(wrong, name, NAMES.into_iter()));
        }
    };
    match (what, part) {
        (What::Supersteps | What::Time, Some(part)) if part != "max" => {
            let range = of_name.end + 1..place.end;
            let wrong = format!("{name} is one number: it has no {part}");
            Err(Diagnostic::error("P103", range, wrong)
                .help(format!("{name} alone is meant, or {name}.max")))
        }
        _ => Ok(what),
    }
}

fn bound(text: &str) -> Result<Bound, Diagnostic> {
    let place = trimmed(text);
    let word = &text[place.clone()];
    let (number, percent) = match word.strip_suffix('%') {
        Some(number) => (number.trim_end(), true),
        None => (word, false),
    };
    let Some(value) = number.parse::<f64>().ok().filter(|value| value.is_finite()) else {
        let wrong = Diagnostic::error("P105", place, format!("{} is no number", brief(word)));
        return Err(
            wrong.help("a change in per cent is +5%, a change +1e6, a value 1e6 (seconds, bytes)")
        );
    };
    Ok(match (percent, number.starts_with(['+', '-'])) {
        (true, _) => Bound::Percent(value),
        (false, true) => Bound::Change(value),
        (false, false) => Bound::Value(value),
    })
}

/// Adds the name that was probably meant, if there is a similar one, else all valid names.
fn suggest<'a>(
    wrong: Diagnostic,
    word: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Diagnostic {
    let distance = |name: &&str| strsim::damerau_levenshtein(name, word);
    match names.clone().min_by_key(distance) {
        Some(near) if distance(&near) <= word.len() / 2 => {
            wrong.help(format!("did you mean {near}?"))
        }
        _ => {
            let some: Vec<&str> = names.take(20).collect();
            wrong.help(format!("there are {}", some.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read() {
        let read = |text: &str| Condition::read(text).unwrap();
        let h = read("h.max > +5%");
        assert_eq!((h.what, h.bound), (What::Maximum(Metric::HRelation), Bound::Percent(5.0)));
        assert!(h.above && !h.or_equal && h.node.is_none());
        let of_node = read("ns::sort<int>: idle.avg<=-1e-3");
        assert_eq!(of_node.node.as_deref(), Some("ns::sort<int>"));
        assert_eq!(
            (of_node.what, of_node.bound),
            (What::Average(Metric::Idle), Bound::Change(-1e-3))
        );
        assert_eq!(read("supersteps>100").bound, Bound::Value(100.0));
    }

    #[test]
    fn what_names_nothing_is_pointed_at() {
        let wrong = |text: &str| Condition::read(text).unwrap_err();
        let diagnostic = wrong("f: hh.max > 5%");
        assert_eq!((diagnostic.code, diagnostic.primary.span.clone()), ("P102", 3..5));
        let two = wrong("computation.mux > 5%");
        assert_eq!((two.code, two.primary.span.clone()), ("P103", 12..15));
        assert_eq!(two.help, ["did you mean max?"]);
        assert_eq!(wrong("h.max > 5 MB").code, "P105");
        assert_eq!(wrong("h.max 5%").code, "P101");
    }
}
