//! `cll model --auto` on five C programs of Debian's archive that were not written for it:
//!
//!     cargo build --release -p cll && cargo run --release -p bench-auto [-- NAME...]
//!
//! Each is fetched (curl), built by its own build with the plain compiler, and measured over sizes. Printed are the
//! region that takes most of the largest run and the growth of its time, beside the functions and the growth that
//! follow from its algorithm; and the share of the markers, as the model says. Then the program is built by its own
//! build with `cll cc --auto`, without what the model has left out; its output is compared with that of the plain
//! one, and both take turns for the overhead.

#![forbid(unsafe_code)]

mod fetch;
mod pairs;
mod programs;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use programs::{PROGRAMS, Program};

fn main() -> Result<()> {
    let own = std::env::current_exe()?;
    let cll = own.with_file_name("cll");
    if !cll.is_file() {
        bail!("{} is not there: cargo build --release -p cll", cll.display());
    }
    let target = own.parent().and_then(Path::parent).context("no target folder")?;
    let kept = target.join("bench-auto");
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<&str> = PROGRAMS.iter().map(|program| program.name).collect();
    if let Some(name) = wanted.iter().find(|name| !names.contains(&name.as_str())) {
        bail!("there is no program {name}: {}", names.join(", "));
    }
    println!("load before: {}", fs::read_to_string("/proc/loadavg").unwrap_or_default().trim());
    let chosen = PROGRAMS
        .iter()
        .filter(|one| wanted.is_empty() || wanted.iter().any(|name| name == one.name));
    for program in chosen {
        if let Err(why) = whole(program, &cll, &kept) {
            println!("{}: FAILED: {why:#}\n", program.name);
        }
    }
    Ok(())
}

/// Everything on one program.
fn whole(program: &Program, cll: &Path, kept: &Path) -> Result<()> {
    let place = kept.join("work").join(program.name);
    if place.exists() {
        fs::remove_dir_all(&place)?;
    }
    let plain = fetch::unpack(program, kept, &place.join("plain"))?;
    build(program, "gcc", &plain)?;
    for &size in program.sizes {
        fetch::write_input(program, size, &plain)?;
    }
    let model = model(program, cll, &plain)?;
    let ranking = &model["ranking"];
    let spots = ranking["spots"].as_array().context("no ranking")?;
    let first = spots.first().context("nothing is ranked")?;
    let name = first["name"].as_str().unwrap_or_default();
    let is_expected = program.functions.iter().any(|function| {
        name == *function
            || name.strip_prefix(function).is_some_and(|rest| rest.starts_with("_loop"))
    });
    let (growth, why) = program.growth;
    println!("{}", program.name);
    println!(
        "  dominant: {name} ({}), {:.0} % of the run; by hand: {} -> {}",
        first["place"].as_str().unwrap_or_default(),
        100.0 * first["share"].as_f64().unwrap_or(f64::NAN),
        program.functions.join(", "),
        if is_expected { "the same" } else { "ANOTHER" }
    );
    let formula = first["time"]["formula"].as_str().unwrap_or("none");
    println!("  its time in a run: {formula}; by hand: {growth} ({why})");
    println!("    ties: {}", words(&first["time"]["ties"]));
    for one in model["experiments"].as_array().into_iter().flatten() {
        if one["name"] == *name {
            println!("  its passages: {}", one["formula"].as_str().unwrap_or("no formula"));
        }
    }
    println!("  the whole: {}", ranking["total"]["formula"].as_str().unwrap_or("none"));
    let markers = &ranking["markers"];
    println!(
        "  markers: {:.2} % of the run, {} passages of {:.1} ns; {} left out, {} not placed",
        100.0 * markers["share"].as_f64().unwrap_or(f64::NAN),
        markers["passages"],
        1e9 * markers["each"].as_f64().unwrap_or(f64::NAN),
        count(ranking, true),
        count(ranking, false),
    );
    let auto = fetch::unpack(program, kept, &place.join("auto"))?;
    let left_out = plain.join("auto.cll/left_out");
    let compiler = format!("{} cc --auto --auto-without=@{}", cll.display(), left_out.display());
    build(program, &compiler, &auto)?;
    let size = *program.sizes.last().context("no size")?;
    fetch::write_input(program, size, &auto)?;
    let found = pairs::compare(program, size, &plain, &auto)?;
    println!(
        "  its own build with cll cc --auto: {} output; {:.3} s without markers, overhead {:.1} % \
         (median of {} pairs, {:.1} to {:.1} %)\n",
        if found.is_same { "the same" } else { "ANOTHER" },
        found.without,
        100.0 * found.share,
        found.pairs,
        100.0 * found.low,
        100.0 * found.high
    );
    Ok(())
}

fn words(list: &Value) -> String {
    let all: Vec<&str> = list.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if all.is_empty() { "none".to_owned() } else { all.join("; ") }
}

/// What is left out: by the pilot, or since it cannot be placed.
fn count(ranking: &Value, by_pilot: bool) -> usize {
    let all = ranking["left_out"].as_array().into_iter().flatten();
    all.filter(|one| one.get("passages").is_some() == by_pilot).count()
}

fn build(program: &Program, compiler: &str, folder: &Path) -> Result<()> {
    let done = Command::new("sh")
        .args(["-c", program.build])
        .env("CC", compiler)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output()?;
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    ensure!(done.status.success(), "{} ({compiler}): {said}", program.build);
    Ok(())
}

fn model(program: &Program, cll: &Path, folder: &Path) -> Result<Value> {
    let sizes: Vec<String> = program.sizes.iter().map(u64::to_string).collect();
    let mut command = Command::new(cll);
    command.args(["model", "--auto", "--json", "-q", "-o", "auto.cll", "--loaded", "accept"]);
    command.args(["--budget", "20s", "--vary", &format!("N={}", sizes.join(","))]);
    command.arg(format!("--cflags={}", program.cflags)).arg(format!("--libs={}", program.libs));
    command.args(program.sources).arg("--").args(program.arguments);
    let done = command.current_dir(folder).stdin(Stdio::null()).output()?;
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    ensure!(done.status.success(), "cll model: {}: {said}", done.status);
    serde_json::from_slice(&done.stdout).context("what cll model prints")
}
