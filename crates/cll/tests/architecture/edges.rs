//! Who may use whom.

use std::collections::BTreeMap;

use crate::metadata::{is_ours, name, packages};

/// Every crate with those of ours that it may use, in the order in which data flows.
const MAY_USE: &[(&str, &[&str])] = &[
    ("cll-diagnostic", &[]),
    ("cll-formula", &["cll-diagnostic"]),
    ("cll-csource", &["cll-diagnostic"]),
    ("cll-translate", &["cll-diagnostic", "cll-formula", "cll-csource"]),
    ("cll-trace", &[]),
    ("cll-runtime", &["cll-trace"]),
    ("cll-fit", &["cll-formula"]),
    ("cll-report", &["cll-formula", "cll-fit"]),
    (
        "cll",
        &[
            "cll-diagnostic",
            "cll-formula",
            "cll-csource",
            "cll-translate",
            "cll-trace",
            "cll-fit",
            "cll-report",
        ],
    ),
];

/// The project's own tools, which no crate may use and which may use any but the runtime.
const TOOLS: &[&str] = &["xtask", "bench-kernels"];

/// Outside the program, only these few may be used by every crate that is listed here.
const FORBIDDEN_OUTSIDE_THE_PROGRAM: &[&str] =
    &["clap", "anyhow", "indicatif", "annotate-snippets", "ctrlc", "tempfile", "terminal_size"];

#[test]
fn crates_use_only_those_before_them() {
    let allowed: BTreeMap<_, _> = MAY_USE.iter().copied().collect();
    let mut wrong = Vec::new();
    for package in packages().iter().filter(|p| is_ours(p)) {
        let user = name(package);
        let used: Vec<&str> = package["dependencies"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|d| d["kind"].as_str() != Some("dev") && d["source"].is_null())
            .map(|d| d["name"].as_str().unwrap())
            .collect();
        match allowed.get(user) {
            Some(may_use) => wrong.extend(
                used.iter().filter(|u| !may_use.contains(u)).map(|u| format!("{user} uses {u}")),
            ),
            None if TOOLS.contains(&user) => wrong.extend(
                used.iter().filter(|&&u| u == "cll-runtime").map(|u| format!("{user} uses {u}")),
            ),
            None => wrong.push(format!("{user} has no place in ARCHITECTURE.md and in this test")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_crate_listed_exists() {
    let packages = packages();
    for (listed, _) in MAY_USE {
        assert!(packages.iter().any(|p| name(p) == *listed), "{listed} does not exist");
    }
}

#[test]
fn what_talks_to_people_or_the_system_is_the_programs() {
    let mut wrong = Vec::new();
    for package in packages().iter().filter(|p| is_ours(p)) {
        let user = name(package);
        if user == "cll" || TOOLS.contains(&user) {
            continue;
        }
        for dependency in package["dependencies"].as_array().unwrap() {
            let used = dependency["name"].as_str().unwrap();
            if dependency["kind"].as_str() != Some("dev")
                && FORBIDDEN_OUTSIDE_THE_PROGRAM.contains(&used)
            {
                wrong.push(format!("{user} uses {used}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn architecture_md_speaks_of_every_crate() {
    let text = std::fs::read_to_string(crate::metadata::root().join("ARCHITECTURE.md")).unwrap();
    for (listed, _) in MAY_USE {
        let folder = listed.strip_prefix("cll-").unwrap_or(listed);
        let heading = format!("### `crates/{folder}`");
        assert!(text.contains(&heading), "ARCHITECTURE.md has no heading {heading:?}");
    }
}
