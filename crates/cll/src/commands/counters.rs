//! `cll counters`: what can be counted, here and elsewhere.

use cll_trace::observable::{Observable, Source};
use serde::Serialize;

use crate::cli::CountersArgs;
use crate::failure::Failure;
use crate::observing::{Here, about};
use crate::terminal::Terminal;

/// The JSON of `--json`.
#[derive(Serialize)]
struct Answer {
    format: &'static str,
    version: u32,
    papi: Option<String>,
    counters: Vec<Counter>,
}

#[derive(Serialize)]
struct Counter {
    name: String,
    unit: &'static str,
    source: &'static str,
    about: &'static str,
    additive: bool,
    available: bool,
    why_not: Option<String>,
}

/// Prints the list.
pub fn run(args: &CountersArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let here = Here::look();
    let counters: Vec<Counter> = Observable::known()
        .iter()
        .filter_map(|name| Observable::parse(name))
        .map(|observable| Counter::of(&observable, &here))
        .collect();
    if args.json {
        let papi = here.papi().map(|path| path.display().to_string());
        terminal.json(&Answer { format: "cll-counters", version: 1, papi, counters })?;
        return Ok(0);
    }
    let mut text = String::new();
    for (source, title) in SECTIONS {
        let own = counters.iter().filter(|one| one.source == source);
        let (there, missing): (Vec<&Counter>, Vec<&Counter>) = own.partition(|one| one.available);
        text += &format!("{title}\n");
        let width = there.iter().map(|one| one.name.len()).max().unwrap_or(0);
        for one in &there {
            text += &format!("  {:width$}  {} [{}]\n", one.name, one.about, one.unit);
        }
        for (why, names) in by_reason(&missing) {
            let verb = if there.is_empty() && names.len() > 1 { "none of them" } else { "not" };
            text += &format!("  {verb} here: {why}\n");
            for line in names.chunks(5) {
                text += &format!("    {}\n", line.join("  "));
            }
        }
        text.push('\n');
    }
    text += "By PAPI (papi::NAME, or PAPI_… and …:::… as they are)\n";
    text += &match here.papi() {
        Some(path) => {
            format!("  {}; papi_avail and papi_native_avail list its events\n", path.display())
        }
        None => {
            "  not here: libpapi.so is not installed; Debian's package is libpapi-dev\n".to_owned()
        }
    };
    terminal.print(text)?;
    Ok(0)
}

const SECTIONS: [(&str, &str); 4] = [
    ("system", "Kept by the kernel of every thread"),
    ("kernel", "Events that the kernel counts"),
    (
        "processor",
        "Events that the processor counts, in the program's own code (also rUUEE: by number)",
    ),
    ("simulation", "By a simulation (--simulate-caches)"),
];

impl Counter {
    fn of(observable: &Observable, here: &Here) -> Counter {
        let why_not = here.refuses(observable);
        Counter {
            name: observable.name.clone(),
            unit: observable.unit(),
            source: match &observable.source {
                Source::Perf(event) if event.is_hardware() => "processor",
                Source::Perf(_) => "kernel",
                Source::Papi(_) => "papi",
                Source::Simulated(_) => "simulation",
                _ => "system",
            },
            about: about(observable),
            additive: observable.is_additive(),
            available: why_not.is_none(),
            why_not,
        }
    }
}

/// Names by why they cannot be had.
fn by_reason<'a>(missing: &[&'a Counter]) -> Vec<(&'a str, Vec<&'a str>)> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for one in missing {
        let why = one.why_not.as_deref().unwrap_or_default();
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, names)) => names.push(&one.name),
            None => reasons.push((why, vec![&one.name])),
        }
    }
    reasons
}
