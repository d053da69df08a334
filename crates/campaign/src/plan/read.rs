//! Reads the text of a plan.

use std::str::FromStr;

use cll_diagnostic::{Diagnostic, suggestion};
use toml::de::{DeTable, DeValue};

use super::fields::{Fields, Value, is_name, scalar};
use super::points::points;
use super::{Batch, Launcher, Plan};
use crate::arguments::Template;
use crate::range::{Processors, Range};
use crate::time::{Budget, budget, duration};

/// The key that marks the file as a plan, with its version.
pub const KEY: &str = "cll-campaign";
/// Increased when something is removed or changes its meaning.
pub const VERSION: u64 = 1;

/// The largest number of syntax errors; more are consequences of one error.
const MAX_SYNTAX_ERRORS: usize = 5;
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
    let text = match std::str::from_utf8(text) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            let place = at..at + error.error_len().unwrap_or(text.len() - at);
            let wrong = Diagnostic::error("P001", place, "the text is not UTF-8");
            return ReadPlan { plan: None, diagnostics: vec![wrong] };
        }
    };
    let (table, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        let diagnostics = errors.iter().take(MAX_SYNTAX_ERRORS).map(|error| {
            let place = error.span().unwrap_or(0..0);
            let place = place.start.min(text.len())..place.end.min(text.len());
            Diagnostic::error("P001", place, format!("this is not TOML: {}", error.message()))
        });
        return ReadPlan { plan: None, diagnostics: diagnostics.collect() };
    }
    let first_line = 0..text.find('\n').unwrap_or(text.len());
    let (plan, mut diagnostics) = plan(Fields::new("a plan", table.get_ref(), first_line), name);
    diagnostics.sort_by_key(|one| (one.primary.span.start, one.primary.span.end));
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    ReadPlan { plan: plan.filter(|_| !failed), diagnostics }
}

fn plan(mut fields: Fields<'_, '_>, name: &str) -> (Option<Plan>, Vec<Diagnostic>) {
    if !version(&mut fields) {
        return (None, fields.found);
    }
    let mut plan = Plan::new(fields.text("name").unwrap_or_else(|| name.to_owned()), String::new());
    match fields.text("program").filter(|program| !program.trim().is_empty()) {
        Some(program) => plan.program = program,
        None => {
            let place = fields.place.clone();
            let wrong = Diagnostic::error("P005", place, "the plan has no program");
            fields.found.push(wrong.help("program = \"./heat\", relative to the plan's folder"));
        }
    }
    plan.arguments = fields.texts("arguments");
    if let Some(value) = fields.take("processors") {
        let range: Option<Processors> = range(&mut fields, "processors", value);
        plan.processors = range.map_or_else(Vec::new, |range| range.counts().to_vec());
    }
    let counters = fields.texts("counters");
    plan.counters = Some(counters).filter(|names| !names.is_empty()).into_iter().collect();
    plan.rounds = fields.count("rounds").unwrap_or(plan.rounds);
    plan.repetitions = fields.count("repetitions").unwrap_or(plan.repetitions);
    plan.timeout = time(&mut fields, "timeout").unwrap_or(plan.timeout);
    if let Some(limit) = limit(&mut fields) {
        (plan.budget, plan.is_core_time) = (Some(limit.seconds), limit.is_core_time);
    }
    plan.expect = time(&mut fields, "expect");
    plan.seed = fields.whole("seed", 0);
    plan.oversubscribe = fields.flag("oversubscribe").unwrap_or(false);
    plan.log = fields.flag("log").unwrap_or(false);
    plan.launcher = launcher(&mut fields).unwrap_or_default();
    if let Some(mut own) = fields.table("parameters", "[parameters]") {
        let entries: Vec<_> = own.entries().collect();
        for (key, place, value) in entries {
            match range::<Range>(&mut own, key, value) {
                Some(_) if !is_name(key) => {
                    own.wrong(
                        "P008",
                        place,
                        format!("`{key}` is not a name: use letters, digits and _"),
                    );
                }
                Some(range) => plan.parameters.push((key.to_owned(), range.values().to_vec())),
                None => {}
            }
        }
        fields.found.append(&mut own.found);
    }
    points(&mut fields, &mut plan);
    if let Some(own) = fields.table("environment", "[environment]") {
        for (key, place, value) in own.entries() {
            match scalar(value) {
                Some(_) if key.is_empty() || key.contains('=') => {
                    fields.wrong("P008", place, format!("`{key}` is not a name of a variable"));
                }
                Some(text) => plan.environment.push((key.to_owned(), text)),
                None => {
                    fields.wrong("P006", value.span(), format!("{key} must be a text or a number"))
                }
            }
        }
    }
    if let Some(own) = fields.table("batch", "[batch]") {
        plan.batch = batch(own, &mut fields.found);
    }
    check_arguments(&mut fields, &plan);
    if plan.runs() > MAX_RUNS {
        let text = format!("the plan has {} runs; at most {MAX_RUNS} are allowed", plan.runs());
        fields.wrong("P009", fields.place.clone(), text);
    }
    (Some(plan), fields.end())
}

/// Whether this is a plan of a known version.
fn version(fields: &mut Fields<'_, '_>) -> bool {
    let Some(value) = fields.take(KEY) else {
        let place = fields.place.clone();
        let wrong = Diagnostic::error("P002", place, "this is not a plan");
        fields.found.push(wrong.help(format!("its first line is {KEY} = {VERSION}")));
        return false;
    };
    let number = match value.get_ref() {
        DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix()).ok(),
        _ => None,
    };
    if number != Some(VERSION) {
        let wrong = Diagnostic::error("P002", value.span(), "this version of plans is not known");
        fields.found.push(wrong.help(format!("{KEY} = {VERSION}; a newer cll may know it")));
    }
    number == Some(VERSION)
}

fn batch(mut own: Fields<'_, '_>, found: &mut Vec<Diagnostic>) -> Batch {
    let batch = Batch {
        queue: own.text("queue"),
        account: own.text("account"),
        per_node: own.count("per_node"),
        starter: own.text("starter"),
        options: own.texts("options"),
        before: own.texts("before"),
    };
    found.extend(own.end());
    batch
}

fn launcher(fields: &mut Fields<'_, '_>) -> Option<Launcher> {
    let value = fields.take("launcher")?;
    let word = fields.text("launcher")?;
    let found = Launcher::ALL.into_iter().find(|one| one.name() == word);
    if found.is_none() {
        let names = Launcher::ALL.map(Launcher::name);
        let wrong =
            Diagnostic::error("P007", value.span(), format!("there is no launcher {word:?}"));
        fields.found.push(wrong.help(suggestion(&word, &names)));
    }
    found
}

/// Reports errors in the placeholders of the arguments. Only if there are no others so far: a parameter that could
/// not be read would be missing.
fn check_arguments(fields: &mut Fields<'_, '_>, plan: &Plan) {
    if fields.found.iter().any(Diagnostic::is_error) {
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
    fields.found.push(match wrong.help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    });
}

/// A range in quotation marks, a number, or a list of numbers.
fn range<T: FromStr<Err = String>>(
    fields: &mut Fields<'_, '_>,
    key: &str,
    value: &Value<'_>,
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
        fields.found.push(
            Diagnostic::error("P006", value.span(), wrong)
                .help("such as \"1:4\", \"1000:8000:*2\", \"10:50:+10\", 4, or [1, 2, 4]"),
        );
        return None;
    };
    match text.parse() {
        Ok(range) => Some(range),
        Err(why) => {
            fields.wrong("P006", value.span(), format!("{key}: {why}"));
            None
        }
    }
}

/// Seconds.
fn time(fields: &mut Fields<'_, '_>, key: &'static str) -> Option<f64> {
    let value = fields.take(key)?;
    match scalar(value).map(|text| duration(&text)) {
        Some(Ok(time)) => Some(time.as_secs_f64()),
        Some(Err(why)) => {
            fields.wrong("P006", value.span(), format!("{key}: {why}"));
            None
        }
        None => {
            fields.wrong("P006", value.span(), format!("{key} must be a time such as \"10m\""));
            None
        }
    }
}

/// A limit of time.
fn limit(fields: &mut Fields<'_, '_>) -> Option<Budget> {
    let value = fields.take("budget")?;
    let read = match scalar(value) {
        Some(text) => budget(&text).map_err(|why| format!("budget: {why}")),
        None => Err("budget must be a time such as \"10m\" or \"10core-min\"".to_owned()),
    };
    read.map_err(|why| fields.wrong("P006", value.span(), why)).ok()
}
