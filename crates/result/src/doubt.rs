//! Why the numbers of a model are not to be believed as they stand.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A reason for doubt in the numbers of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Doubt {
    /// Stays the same over versions.
    #[serde(rename = "code")]
    pub kind: DoubtKind,
    /// A sentence for people, without a full stop.
    pub text: String,
}

/// The kind of a doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DoubtKind {
    /// The machine was too disturbed: no number of the model is reliable.
    NotMeasurable,
    /// The machine was disturbed: some rounds are left out, or the intervals are wider.
    Disturbed,
    /// The model was predicted for a machine on which it was not measured.
    Predicted,
}

impl DoubtKind {
    /// The name of the kind for scripts, as in JSON.
    pub fn code(self) -> &'static str {
        match self {
            DoubtKind::NotMeasurable => "not-measurable",
            DoubtKind::Disturbed => "disturbed",
            DoubtKind::Predicted => "predicted",
        }
    }
}

/// The doubts of a model or of an experiment. As JSON they are the fields `measurable`, `why_not` and `doubts`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "Fields", into = "Fields")]
pub struct Doubts(Vec<Doubt>);

/// The fields of [`Doubts`].
#[derive(Serialize, Deserialize, JsonSchema)]
struct Fields {
    #[serde(default = "yes")]
    measurable: bool,
    #[serde(default)]
    why_not: Option<String>,
    #[serde(default)]
    doubts: Vec<Doubt>,
}

fn yes() -> bool {
    true
}

impl From<Fields> for Doubts {
    fn from(fields: Fields) -> Doubts {
        Doubts(fields.doubts)
    }
}

impl From<Doubts> for Fields {
    fn from(doubts: Doubts) -> Fields {
        Fields { measurable: doubts.is_measurable(), why_not: doubts.why_not(), doubts: doubts.0 }
    }
}

impl Doubts {
    /// These, each once.
    pub fn new(all: impl IntoIterator<Item = Doubt>) -> Doubts {
        let mut doubts = Doubts::default();
        doubts.extend(all);
        doubts
    }

    /// Adds those that are not there yet.
    pub fn extend(&mut self, others: impl IntoIterator<Item = Doubt>) {
        for doubt in others {
            if !self.0.contains(&doubt) {
                self.0.push(doubt);
            }
        }
    }

    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Doubt> {
        self.0.iter()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the machine was quiet enough for numbers.
    pub fn is_measurable(&self) -> bool {
        self.0.iter().all(|doubt| doubt.kind != DoubtKind::NotMeasurable)
    }

    /// Why the numbers are not reliable; `None` if they are measurable.
    pub fn why_not(&self) -> Option<String> {
        self.texts(|kind| kind == DoubtKind::NotMeasurable)
    }

    /// The text to print before numbers: all doubts but that the intervals are wider, which the intervals show
    /// themselves.
    pub fn reservation(&self) -> Option<String> {
        self.texts(|kind| kind != DoubtKind::Disturbed)
    }

    fn texts(&self, is_wanted: impl Fn(DoubtKind) -> bool) -> Option<String> {
        let texts =
            self.0.iter().filter(|doubt| is_wanted(doubt.kind)).map(|doubt| doubt.text.as_str());
        let texts: Vec<&str> = texts.collect();
        (!texts.is_empty()).then(|| texts.join("; "))
    }
}

impl IntoIterator for Doubts {
    type Item = Doubt;
    type IntoIter = std::vec::IntoIter<Doubt>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Doubts {
    type Item = &'a Doubt;
    type IntoIter = std::slice::Iter<'a, Doubt>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubt(kind: DoubtKind, text: &str) -> Doubt {
        Doubt { kind, text: text.to_owned() }
    }

    #[test]
    fn json_says_whether_and_why_not() {
        let none = serde_json::to_value(Doubts::default()).unwrap();
        assert_eq!(none, serde_json::json!({ "measurable": true, "why_not": null, "doubts": [] }));
        let twice =
            [doubt(DoubtKind::NotMeasurable, "loaded"), doubt(DoubtKind::NotMeasurable, "loaded")];
        let all = Doubts::new(twice.into_iter().chain([doubt(DoubtKind::Predicted, "elsewhere")]));
        let json = serde_json::to_value(all.clone()).unwrap();
        let codes = serde_json::json!([
            { "code": "not-measurable", "text": "loaded" },
            { "code": "predicted", "text": "elsewhere" },
        ]);
        assert_eq!(json["measurable"], false);
        assert_eq!(json["why_not"], "loaded");
        assert_eq!(json["doubts"], codes);
        assert_eq!(serde_json::from_value::<Doubts>(json).unwrap(), all);
        assert_eq!(serde_json::from_str::<Doubts>("{}").unwrap(), Doubts::default());
    }

    #[test]
    fn wider_intervals_are_no_reservation() {
        let all = Doubts::new([doubt(DoubtKind::Disturbed, "wider")]);
        assert!(all.is_measurable() && all.reservation().is_none());
    }
}
