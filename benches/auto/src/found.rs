//! Compares what a model says of a program with what follows from its algorithm.

use anyhow::{Context, Result};
use serde_json::Value;

use crate::programs::Program;

/// Prints the dominant region and its leading term.
pub fn print(what: &str, program: &Program, model: &Value) -> Result<()> {
    let ranking = &model["ranking"];
    let first = ranking["spots"].get(0).context("nothing is ranked")?;
    let name = first["name"].as_str().unwrap_or_default();
    let is_expected = program.functions.iter().any(|function| {
        name == *function
            || name.strip_prefix(function).is_some_and(|rest| rest.starts_with("_loop"))
    });
    println!(
        "  {what}{}: {name} ({}) dominates, {:.0} %; by hand {} -> {}",
        ranking["observable"].as_str().map(|name| format!(" ({name})")).unwrap_or_default(),
        first["place"].as_str().unwrap_or_default(),
        100.0 * first["share"].as_f64().unwrap_or(f64::NAN),
        program.functions.join(" or "),
        if is_expected { "the same" } else { "ANOTHER" }
    );
    let (growth, why) = program.growth;
    let formula = first["time"]["formula"].as_str().unwrap_or("none");
    let ties: Vec<&str> =
        first["time"]["ties"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let verdict = if leading(formula) == growth {
        "the same"
    } else if ties.iter().any(|tie| leading(tie) == growth) {
        "ANOTHER, but a tie is said"
    } else {
        "ANOTHER"
    };
    println!("    {formula}: leads {}; by hand {growth} ({why}) -> {verdict}", leading(formula));
    let ties = if ties.is_empty() { "none".to_owned() } else { ties.join("; ") };
    println!("    ties: {ties}");
    let all = model["experiments"].as_array().into_iter().flatten();
    for value in all.filter(|value| value["name"] == *name) {
        println!("    its passages: {}", value["formula"].as_str().unwrap_or("no formula"));
    }
    println!("    the whole: {}", ranking["total"]["formula"].as_str().unwrap_or("none"));
    Ok(())
}

/// The term that grows most: the last one, without its constant.
fn leading(formula: &str) -> &str {
    let last = formula.rsplit(" + ").next().unwrap_or(formula);
    last.split_once("]*").map_or("1", |(_, term)| term)
}

/// The cost of the markers that remain, as the model says.
pub fn markers(ranking: &Value) -> String {
    let markers = &ranking["markers"];
    format!(
        "{:.2} % of the run, {} passages of {:.1} ns; {} left out, {} not placed",
        100.0 * markers["share"].as_f64().unwrap_or(f64::NAN),
        markers["passages"],
        1e9 * markers["each"].as_f64().unwrap_or(f64::NAN),
        count(ranking, true),
        count(ranking, false),
    )
}

/// Counts the places that were left out: by the pilot, or because they cannot be placed.
fn count(ranking: &Value, by_pilot: bool) -> usize {
    let all = ranking["left_out"].as_array().into_iter().flatten();
    all.filter(|value| value.get("passages").is_some() == by_pilot).count()
}
