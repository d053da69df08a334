//! `[[points]]` of a plan: combinations that are listed one by one.

use cll_diagnostic::Diagnostic;
use cll_diagnostic::fields::{Fields, Messages, Value, scalar};
use toml::de::DeValue;

use super::{Plan, PlannedPoint};
use crate::names::is_name;
use crate::range::{Range, number};

/// Keys of a point that are no parameters.
const PROCESSORS: &str = "processors";
const ROUNDS: &str = "rounds";
/// The largest number of rounds, as of a plan.
const MAX_ROUNDS: f64 = 1e6;

/// Reads the points into a plan. Its parameters become those of the points, with every value they have.
pub(super) fn points(fields: &mut Fields<'_, '_>, plan: &mut Plan, messages: &mut Messages) {
    let Some(value) = fields.take("points") else { return };
    let DeValue::Array(list) = value.get_ref() else {
        messages.error("P006", value.span(), "points must be tables, each begun by [[points]]");
        return;
    };
    if !plan.parameters.is_empty() || !plan.processors.is_empty() {
        let both = Diagnostic::error("P011", value.span(), "the plan has points, and also ranges");
        messages.push(both.help("take [parameters] and processors out: points have their own"));
        return;
    }
    let mut names: Option<Vec<String>> = None;
    let mut read: Vec<PlannedPoint> = Vec::new();
    for spanned in list.iter() {
        let DeValue::Table(table) = spanned.get_ref() else {
            messages.error("P006", spanned.span(), "a point must be a table such as { N = 1024 }");
            continue;
        };
        let mut point = PlannedPoint::default();
        let mut own: Vec<(String, f64)> = Vec::new();
        for (key, value) in table.iter() {
            let name = key.get_ref().as_ref();
            let Some(number) = value_of(name, value, messages) else { continue };
            match name {
                PROCESSORS => point.processors = Some(number as u32),
                ROUNDS => point.rounds = Some(number as u32),
                _ if !is_name(name) => {
                    let text = format!("`{name}` is not a name: use letters, digits and _");
                    messages.error("P008", key.span(), text);
                }
                _ => own.push((name.to_owned(), number)),
            }
        }
        own.sort_by(|a, b| a.0.cmp(&b.0));
        let these: Vec<String> = own.iter().map(|(name, _)| name.clone()).collect();
        let known = names.get_or_insert_with(|| these.clone());
        if *known != these {
            let text = format!(
                "this point has the parameters {}, the first one {}",
                listed(&these),
                listed(known)
            );
            messages.error("P011", spanned.span(), text);
        }
        point.values = own.into_iter().map(|(_, value)| value).collect();
        read.push(point);
    }
    let counted = read.iter().filter(|point| point.processors.is_some()).count();
    if counted > 0 && counted < read.len() {
        messages.error("P011", value.span(), "some points have processors, and some have none");
    }
    if read.is_empty() {
        messages.error("P006", value.span(), "there is no point");
    }
    let names = names.unwrap_or_default();
    let column = |index: usize| {
        let values = read.iter().filter_map(|point| point.values.get(index).copied());
        Range::from_values(values).values().to_vec()
    };
    plan.parameters =
        names.iter().enumerate().map(|(index, name)| (name.clone(), column(index))).collect();
    plan.points = read;
}

/// A number of a point.
fn value_of(name: &str, value: &Value<'_>, messages: &mut Messages) -> Option<f64> {
    let read = match scalar(value) {
        Some(text) => number(&text.replace('_', "")).map_err(|why| format!("{name}: {why}")),
        None => Err(format!("{name} must be a number")),
    };
    let checked = read.and_then(|number| {
        let most = match name {
            PROCESSORS => f64::from(u32::MAX),
            ROUNDS => MAX_ROUNDS,
            _ => return Ok(number),
        };
        if number.fract() == 0.0 && (1.0..=most).contains(&number) {
            Ok(number)
        } else {
            Err(format!("{name} must be a whole number from 1 on"))
        }
    });
    checked.map_err(|why| messages.error("P006", value.span(), why)).ok()
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "(none)".to_owned() } else { names.join(", ") }
}
