//! `plan m at N = 2^21 with budget = 10m`: what to measure next.

use std::fmt::Display;
use std::sync::Arc;

use cll_analysis::Location;
use cll_llac::Printed;
use cll_llac::value::Value;
use cll_report::next_text;
use cll_result::ModelFile;

use crate::cli::budget as budget_of;
use crate::commands::plan::next_points;
use crate::failure::Failure;
use crate::sampling::{Budget, Varied};

/// The points that `cll plan` chooses, with its options as texts.
pub fn plan(
    model: &ModelFile,
    points: &[Vec<(String, f64)>],
    options: &[(String, String)],
) -> Result<Value, Failure> {
    let given = |name: &str| options.iter().find(|(known, _)| known == name).map(|(_, text)| text);
    let unquoted = |text: &String| text.trim_matches(|c| c == '"').replace(' ', "");
    let wrong = |name: &str, why: &dyn Display| Failure::usage(format!("`{name}`: {why}"));
    let Some(budget) = given("budget") else {
        return Err(Failure::usage("`plan` needs a budget")
            .help("such as `plan m at N = 2^21 with budget = \"10m\"`"));
    };
    let budget: Budget = budget_of(&unquoted(budget)).map_err(|why| wrong("budget", &why))?;
    let vary = match given("vary") {
        Some(text) => {
            let one: Varied =
                unquoted(text).parse().map_err(|why: cll_campaign::Error| wrong("vary", &why))?;
            vec![one]
        }
        None => Vec::new(),
    };
    let runs = given("runs").map(|text| text.parse::<u32>()).transpose();
    let runs = runs.map_err(|why| wrong("runs", &why))?;
    let asked: Vec<Location> = points.iter().cloned().map(Location::new).collect();
    let next = next_points(model, &asked, &vary, budget, runs)?;
    let json = serde_json::to_value(&next).unwrap_or_default();
    let text = move |style: &cll_report::Style| next_text(&next, style);
    Ok(Value::Thing(Arc::new(Printed::styled(text, json))))
}
