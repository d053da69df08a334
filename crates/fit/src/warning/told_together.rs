//! Warnings as they are told: those of several constants with one reason are one sentence.

use super::text::{list, quantity};
use crate::{Unit, Warning};

/// A sentence for the user, with the code of its warnings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// The code of its warnings.
    pub code: &'static str,
    /// The sentence.
    pub text: String,
}

/// The warnings in words, in their order; values are in this unit. Several constants with one reason have one sentence,
/// in the place of the first.
pub fn sentences(warnings: &[Warning], unit: &Unit) -> Vec<Sentence> {
    let mut all: Vec<Sentence> = Vec::new();
    let mut told: Vec<&Warning> = Vec::new();
    for warning in warnings {
        if told.iter().any(|other| have_one_reason(other, warning)) {
            continue;
        }
        told.push(warning);
        let alike: Vec<&Warning> =
            warnings.iter().filter(|other| have_one_reason(warning, other)).collect();
        let text = match alike[..] {
            [] | [_] => warning.text(unit),
            _ => together(&alike, unit),
        };
        all.push(Sentence { code: warning.code(), text });
    }
    all
}

fn have_one_reason(warning: &Warning, other: &Warning) -> bool {
    match (warning, other) {
        (Warning::Negative { .. }, Warning::Negative { .. }) => true,
        (Warning::Continuation { axis: text, .. }, Warning::Continuation { axis: other, .. }) => {
            text == other
        }
        _ => false,
    }
}

fn together(alike: &[&Warning], unit: &Unit) -> String {
    let amount = |value: f64| quantity(value, unit);
    let named = |constant: &str, place: &str| match place {
        "" => constant.to_owned(),
        place => format!("{constant} for {place}"),
    };
    let mut constants = Vec::new();
    let mut reason = String::new();
    for warning in alike {
        match warning {
            Warning::Negative { constant, value, high, place } => {
                let name = named(constant, place);
                constants.push(format!("{name} ({}, at most {})", amount(*value), amount(*high)));
                reason = "are significantly negative, though constants are costs: the formula may \
                          have one term too many or too few"
                    .to_owned();
            }
            Warning::Continuation { constant, value, axis, place } => {
                constants.push(format!("{} ({})", named(constant, place), amount(*value)));
                reason = format!(
                    "are negative because the value grows faster there than before: they are the \
                     extrapolation of the formula to {axis} = 0, outside the intervals, not costs"
                );
            }
            _ => {}
        }
    }
    format!("{} {reason}", list(&constants))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn negative(constant: &str, value: f64, place: &str) -> Warning {
        let (constant, place) = (constant.to_owned(), place.to_owned());
        Warning::Negative { constant, value, high: value / 2.0, place }
    }

    #[test]
    fn negative_constants_are_told_together_and_alone_as_before() {
        let warning = negative("f[1]", -2e-9, "");
        let mean = Warning::Mean;
        let alone = sentences(&[mean.clone(), warning.clone()], &Unit::Seconds);
        let texts: Vec<&str> = alone.iter().map(|sentence| sentence.text.as_str()).collect();
        assert_eq!(texts, [mean.to_string(), warning.to_string()]);
        let all = [warning, mean.clone(), negative("f[0]", -4e-3, "N > 100")];
        let merged = sentences(&all, &Unit::Seconds);
        let codes: Vec<&str> = merged.iter().map(|sentence| sentence.code).collect();
        assert_eq!(codes, ["negative", "mean"]);
        assert_eq!(
            merged[0].text,
            "f[1] (-2 ns, at most -1 ns) and f[0] for N > 100 (-4 ms, at most -2 ms) are \
             significantly negative, though constants are costs: the formula may have one term too \
             many or too few"
        );
    }

    #[test]
    fn continuations_along_one_axis_are_told_together() {
        let continued = |axis: &str, place: &str| Warning::Continuation {
            constant: "f[0]".to_owned(),
            value: -1e-3,
            axis: axis.to_owned(),
            place: place.to_owned(),
        };
        let all =
            [continued("N", "10 < N <= 20"), continued("P", "P > 4"), continued("N", "N > 20")];
        let merged = sentences(&all, &Unit::Seconds);
        assert_eq!(merged.len(), 2);
        assert_eq!(
            merged[0].text,
            "f[0] for 10 < N <= 20 (-1 ms) and f[0] for N > 20 (-1 ms) are negative because the \
             value grows faster there than before: they are the extrapolation of the formula to N \
             = 0, outside the intervals, not costs"
        );
        assert_eq!(merged[1].text, all[1].to_string());
    }
}
