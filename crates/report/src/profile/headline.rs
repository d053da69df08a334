//! The most important fact of a profile, in one sentence.

use cll_fit::Unit;
use cll_profile::headline::{Headline, LEAST_SHARE, Loss};
use cll_profile::{Metric, NodeKind, Profile};

use super::{shortened, value};
use crate::Notation;

/// The place in the viewer that a part of the sentence leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// The selected processor, at the place.
    Processor,
    /// The values of all processors at the place.
    Value,
    /// The place in the call graph.
    Place,
}

/// A part of the sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeadlinePart {
    /// The text of the part.
    pub(crate) text: String,
    /// Where it leads.
    pub(crate) target: Option<Target>,
}

/// The sentence, in parts.
pub(crate) fn parts(
    profile: &Profile,
    headline: &Headline,
    notation: Notation,
) -> Vec<HeadlinePart> {
    let mut out = Sentence::default();
    let amount = |number: f64| value(notation, headline.metric, number, profile.h_unit);
    let by_calls = profile.is_by_calls();
    let share = notation.percent(headline.share);
    let kind = &profile.nodes[headline.node].kind;
    let (before, place) = match kind {
        NodeKind::Program { .. } => ("in", "the whole program".to_owned()),
        NodeKind::Function(_) => ("below", shortened(&kind.label())),
        NodeKind::Start => ("before", "the first superstep".to_owned()),
        NodeKind::End { .. } => ("after the last synchronisation, at", shortened(&kind.label())),
        NodeKind::Call { .. } if headline.metric == Metric::Computation => {
            ("before", shortened(&kind.label()))
        }
        NodeKind::Call { .. } => ("in", shortened(&kind.label())),
        NodeKind::Centre { .. } => ("at", shortened(&kind.label())),
    };
    let word = if by_calls { "rank" } else { "processor" };
    let balance = format!(": if it were balanced, at most {share} of the time would be saved");
    match (headline.loss, headline.processor) {
        (Loss::Imbalance, Some(processor)) => {
            out.link(Target::Processor, format!("{word} {processor}"));
            out.text(verb(headline.metric));
            out.link(Target::Value, amount(headline.value));
            out.text(before);
            out.link(Target::Place, place);
            if headline.average > 0.0 {
                let times = notation.number(rounded(headline.value / headline.average));
                out.end(&format!(", {times} times the average, {}", amount(headline.average)));
            }
            out.end(&balance);
        }
        (Loss::Imbalance, None) => {
            out.link(Target::Value, name(headline.metric, by_calls).to_owned());
            out.text(before);
            out.link(Target::Place, place);
            out.text(&format!(
                "is {} on the {word} that has most, not always the same one (R = {:.2}), and {} on average",
                amount(headline.value),
                headline.steadiness,
                amount(headline.average)
            ));
            out.end(&balance);
        }
        (Loss::Cost, processor) if headline.metric == Metric::Idle => {
            match processor {
                Some(processor) => out.link(Target::Processor, format!("{word} {processor}")),
                None => out.text(&format!("a {word}")),
            }
            out.text(verb(headline.metric));
            out.link(Target::Value, amount(headline.value));
            out.text(before);
            out.link(Target::Place, place);
            let time = notation.quantity(profile.elapsed.get(), &Unit::Seconds);
            out.end(&format!(
                ", {share} of the run of {time}; on average {} wait there for {}",
                if by_calls { "ranks" } else { "processors" },
                amount(headline.average)
            ));
        }
        (Loss::Cost, _) => {
            if profile.processors > 1 {
                let least = notation.percent(LEAST_SHARE);
                out.text(&format!("no imbalance costs {least} of the time;"));
            }
            out.text("most of the time goes to");
            out.link(Target::Value, name(headline.metric, by_calls).to_owned());
            out.text(before);
            out.link(Target::Place, place);
            out.end(&format!(": {}, {share}", amount(headline.value)));
        }
    }
    out.parts
}

fn verb(metric: Metric) -> &'static str {
    match metric {
        Metric::Computation => "computes for",
        Metric::Communication => "communicates for",
        Metric::Idle => "waits for",
        Metric::HRelation => "sends or receives",
    }
}

fn name(metric: Metric, by_calls: bool) -> &'static str {
    match metric {
        Metric::HRelation if by_calls => "the bytes sent and received",
        Metric::HRelation => "the h-relation",
        metric => metric.name(),
    }
}

/// To two digits: 4.1, 15.
fn rounded(ratio: f64) -> f64 {
    let unit = if ratio < 10.0 { 10.0 } else { 1.0 };
    (ratio * unit).round() / unit
}

#[derive(Default)]
struct Sentence {
    parts: Vec<HeadlinePart>,
}

impl Sentence {
    fn push(&mut self, text: String, target: Option<Target>, joint: &str) {
        let joint = if self.parts.is_empty() { "" } else { joint };
        if target.is_some() && !joint.is_empty() {
            self.parts.push(HeadlinePart { text: joint.to_owned(), target: None });
            self.parts.push(HeadlinePart { text, target });
        } else {
            self.parts.push(HeadlinePart { text: format!("{joint}{text}"), target });
        }
    }

    fn link(&mut self, target: Target, text: String) {
        self.push(text, Some(target), " ");
    }

    fn text(&mut self, text: &str) {
        self.push(text.to_owned(), None, " ");
    }

    /// Without a space before it.
    fn end(&mut self, text: &str) {
        self.push(text.to_owned(), None, "");
    }
}

/// The sentence as text.
pub(crate) fn sentence(profile: &Profile, headline: &Headline, notation: Notation) -> String {
    parts(profile, headline, notation).into_iter().map(|part| part.text).collect()
}
