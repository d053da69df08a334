//! Reads the text of a plan.

use std::str::FromStr;

use cll_diagnostic::Diagnostic;
use cll_diagnostic::fields::{Fields, Messages, Style, Value, integer, read_fields, scalar};
use toml::de::DeValue;

use super::points::points;
use super::{Batch, Launcher, Plan};
use crate::arguments::Template;
use crate::names::is_name;
use crate::range::{Processors, Range};
use crate::time::{Budget, budget, duration};

/// The key that marks the file as a plan, with its version.
pub const KEY: &str = "cll-campaign";
/// Increased when something is removed or changes its meaning.
pub const VERSION: u64 = 1;

/// The messages about plans.
const STYLE: Style = Style {
    file: "a plan",
    syntax: "P001",
    unknown: "P004",
    missing: "P005",
    kind: "P006",
    word: "P007",
    is: "must be",
};

/// The largest number of rounds and repetitions.
const MAX_COUNT: u64 = 1_000_000;
/// The largest number of runs of a plan; more are a typing error.
const MAX_RUNS: u64 = 10_000_000;

/// A plan with its diagnostics.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadPlan {
    /// The plan; `None` if an error is among the diagnostics.
    pub plan: Option<Plan>,
    /// In the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a plan; its default name is `name`. All errors are reported at once, each with its place.
pub fn read(text: &[u8], name: &str) -> ReadPlan {
    let (plan, diagnostics) =
        read_fields(text, STYLE, |fields, messages| plan(fields, name, messages));
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    ReadPlan { plan: plan.flatten().filter(|_| !failed), diagnostics }
}

fn plan(mut fields: Fields<'_, '_>, name: &str, messages: &mut Messages) -> Option<Plan> {
    if !version(&mut fields, messages) {
        return None;
    }
    let mut plan =
        Plan::new(fields.text("name", messages).unwrap_or_else(|| name.to_owned()), String::new());
    match fields.text("program", messages).filter(|program| !program.trim().is_empty()) {
        Some(program) => plan.program = program,
        None => {
            let place = fields.place.clone();
            let wrong = Diagnostic::error("P005", place, "the plan has no program");
            messages.push(wrong.help("program = \"./heat\", relative to the plan's folder"));
        }
    }
    plan.arguments = texts(&mut fields, "arguments", messages);
    if let Some(value) = fields.take("processors") {
        let range: Option<Processors> = range("processors", value, messages);
        plan.processors = range.map_or_else(Vec::new, |range| range.counts().to_vec());
    }
    let counters = texts(&mut fields, "counters", messages);
    plan.counters = Some(counters).filter(|names| !names.is_empty()).into_iter().collect();
    plan.rounds = count(&mut fields, "rounds", messages).unwrap_or(plan.rounds);
    plan.repetitions = count(&mut fields, "repetitions", messages).unwrap_or(plan.repetitions);
    plan.timeout = time(&mut fields, "timeout", messages).unwrap_or(plan.timeout);
    if let Some(limit) = limit(&mut fields, messages) {
        (plan.budget, plan.is_core_time) = (Some(limit.seconds), limit.is_core_time);
    }
    plan.expect = time(&mut fields, "expect", messages);
    plan.seed = fields.integer_from("seed", 0, messages);
    plan.oversubscribe = fields.flag("oversubscribe", messages).unwrap_or(false);
    plan.log = fields.flag("log", messages).unwrap_or(false);
    plan.launcher =
        fields.word("launcher", &Launcher::ALL, Launcher::name, messages).unwrap_or_default();
    if let Some(own) = fields.table("parameters", "[parameters]", messages) {
        for (key, place, value) in own.entries() {
            match range::<Range>(key, value, messages) {
                Some(_) if !is_name(key) => {
                    messages.error(
                        "P008",
                        place,
                        format!("`{key}` is not a name: use letters, digits and _"),
                    );
                }
                Some(range) => plan.parameters.push((key.to_owned(), range.values().to_vec())),
                None => {}
            }
        }
    }
    points(&mut fields, &mut plan, messages);
    if let Some(own) = fields.table("environment", "[environment]", messages) {
        for (key, place, value) in own.entries() {
            match scalar(value) {
                Some(_) if key.is_empty() || key.contains('=') => {
                    messages.error("P008", place, format!("`{key}` is not a name of a variable"));
                }
                Some(text) => plan.environment.push((key.to_owned(), text)),
                None => messages.error(
                    "P006",
                    value.span(),
                    format!("{key} must be a text or a number"),
                ),
            }
        }
    }
    if let Some(own) = fields.table("batch", "[batch]", messages) {
        plan.batch = batch(own, messages);
    }
    check_arguments(&mut fields, &plan, messages);
    if plan.runs() > MAX_RUNS {
        let text = format!("the plan has {} runs; at most {MAX_RUNS} are allowed", plan.runs());
        messages.error("P009", fields.place.clone(), text);
    }
    fields.end(messages);
    Some(plan)
}

/// Whether this is a plan of a known version.
fn version(fields: &mut Fields<'_, '_>, messages: &mut Messages) -> bool {
    let Some(value) = fields.take(KEY) else {
        let place = fields.place.clone();
        let wrong = Diagnostic::error("P002", place, "this is not a plan");
        messages.push(wrong.help(format!("its first line is {KEY} = {VERSION}")));
        return false;
    };
    let number = integer(value);
    if number != Some(VERSION) {
        let wrong = Diagnostic::error("P002", value.span(), "this version of plans is not known");
        messages.push(wrong.help(format!("{KEY} = {VERSION}; a newer cll may know it")));
    }
    number == Some(VERSION)
}

fn batch(mut own: Fields<'_, '_>, messages: &mut Messages) -> Batch {
    let batch = Batch {
        queue: own.text("queue", messages),
        account: own.text("account", messages),
        per_node: count(&mut own, "per_node", messages),
        starter: own.text("starter", messages),
        options: texts(&mut own, "options", messages),
        before: texts(&mut own, "before", messages),
    };
    own.end(messages);
    batch
}

/// Reports errors in the placeholders of the arguments. Only if there are no others so far: a parameter that could
/// not be read would be missing.
fn check_arguments(fields: &mut Fields<'_, '_>, plan: &Plan, messages: &mut Messages) {
    if messages.has_errors() {
        return;
    }
    let names: Vec<&str> = plan.parameters.iter().map(|(name, _)| name.as_str()).collect();
    let is_counted = !plan.counts().is_empty();
    let checked = Template::parse(&plan.arguments, &names)
        .and_then(|template| template.check_processors(&names, is_counted));
    let Err(wrong) = checked else { return };
    let list = fields.take("arguments");
    let element = wrong.place.and_then(|(index, _)| match list?.get_ref() {
        DeValue::Array(list) => list.get(index).map(Value::span),
        _ => None,
    });
    let place = element.or_else(|| list.map(Value::span)).unwrap_or_else(|| fields.place.clone());
    let diagnostic = Diagnostic::error("P010", place, wrong.text);
    messages.push(match wrong.help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    });
}

/// A range in quotation marks, a number, or a list of numbers.
fn range<T: FromStr<Err = crate::Error>>(
    key: &str,
    value: &Value<'_>,
    messages: &mut Messages,
) -> Option<T> {
    let text = match value.get_ref() {
        DeValue::Array(list) => {
            let texts: Option<Vec<String>> = list.iter().map(scalar).collect();
            texts.filter(|texts| !texts.is_empty()).map(|texts| texts.join(","))
        }
        _ => scalar(value),
    };
    let Some(text) = text else {
        let wrong = format!("{key} must be a range, a number, or a list of numbers");
        messages.push(
            Diagnostic::error("P006", value.span(), wrong)
                .help("such as \"1:4\", \"1000:8000:*2\", \"10:50:+10\", 4, or [1, 2, 4]"),
        );
        return None;
    };
    match text.parse() {
        Ok(range) => Some(range),
        Err(why) => {
            messages.error("P006", value.span(), format!("{key}: {why}"));
            None
        }
    }
}

/// Seconds.
fn time(fields: &mut Fields<'_, '_>, key: &'static str, messages: &mut Messages) -> Option<f64> {
    let value = fields.take(key)?;
    match scalar(value).map(|text| duration(&text)) {
        Some(Ok(time)) => Some(time.as_secs_f64()),
        Some(Err(why)) => {
            messages.error("P006", value.span(), format!("{key}: {why}"));
            None
        }
        None => {
            messages.error("P006", value.span(), format!("{key} must be a time such as \"10m\""));
            None
        }
    }
}

/// A limit of time.
fn limit(fields: &mut Fields<'_, '_>, messages: &mut Messages) -> Option<Budget> {
    let value = fields.take("budget")?;
    let read = match scalar(value) {
        Some(text) => budget(&text).map_err(|why| format!("budget: {why}")),
        None => Err("budget must be a time such as \"10m\" or \"10core-min\"".to_owned()),
    };
    read.map_err(|why| messages.error("P006", value.span(), why)).ok()
}

/// A whole number from 1 on, not above a million.
fn count(fields: &mut Fields<'_, '_>, key: &'static str, messages: &mut Messages) -> Option<u32> {
    let number: u64 = fields.integer_from(key, 1, messages)?;
    if number > MAX_COUNT {
        messages.error("P006", fields.place_of(key), format!("{key} must be at most {MAX_COUNT}"));
        return None;
    }
    u32::try_from(number).ok()
}

/// Texts or numbers in a list.
fn texts(fields: &mut Fields<'_, '_>, key: &'static str, messages: &mut Messages) -> Vec<String> {
    const SHOULD: &str = "a list of texts";
    let mut texts = Vec::new();
    for spanned in fields.list(key, SHOULD, messages) {
        match scalar(spanned) {
            Some(text) => texts.push(text),
            None => messages.error("P006", spanned.span(), format!("{key} must be {SHOULD}")),
        }
    }
    texts
}
