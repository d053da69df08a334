//! `cll model --auto` on five C programs of Debian's archive that were not written for it:
//!
//!     cargo build --release -p cll && cargo run --release -p bench-auto [-- NAME...]
//!
//! Each is fetched (curl), built by its own build with the plain compiler, and measured over sizes: its time, and in a
//! simulation its instructions, which do not depend on the machine's state. Printed are the region that takes most of
//! the largest run and the leading term of its growth, beside the functions and the term that follow from its
//! algorithm; and the share of the markers, as the model says. Then the program is built by its own build with
//! `cll cc --auto`, without what the model has left out; its output is compared with that of the plain one, and both
//! take turns for the overhead.

#![forbid(unsafe_code)]

mod fetch;
mod found;
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
        .filter(|program| wanted.is_empty() || wanted.iter().any(|name| name == program.name));
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
    for &size in program.sizes.iter().chain(program.counted) {
        fetch::write_input(program, size, &plain)?;
    }
    println!("{}", program.name);
    let timed = model(program, cll, &plain, program.sizes, &["--budget", "20s", "-o", "auto.cll"])?;
    found::print("time", program, &timed)?;
    println!("  markers: {}", found::markers(&timed["ranking"]));
    // Instructions are the same on every machine, whatever else it does.
    let simulated = ["--simulate-caches", "-o", "counted.cll"];
    let counted = model(program, cll, &plain, program.counted, &simulated)?;
    found::print("instructions", program, &counted)?;
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

fn model(
    program: &Program,
    cll: &Path,
    folder: &Path,
    sizes: &[u64],
    more: &[&str],
) -> Result<Value> {
    let sizes: Vec<String> = sizes.iter().map(u64::to_string).collect();
    let mut command = Command::new(cll);
    command.args(["model", "--auto", "--json", "-q", "--loaded", "accept"]).args(more);
    command.args(["--vary", &format!("N={}", sizes.join(","))]);
    command.arg(format!("--cflags={}", program.cflags)).arg(format!("--libs={}", program.libs));
    command.args(program.sources).arg("--").args(program.arguments);
    let done = command.current_dir(folder).stdin(Stdio::null()).output()?;
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    ensure!(done.status.success(), "cll model: {}: {said}", done.status);
    serde_json::from_slice(&done.stdout).context("what cll model prints")
}
