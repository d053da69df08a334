//! Who may use whom.

use std::collections::BTreeMap;

use crate::metadata::{is_crate, is_ours, name, packages};

/// Every crate with those of ours that it may use, in the order in which data flows.
const MAY_USE: &[(&str, &[&str])] = &[
    ("cll-contract", &[]),
    ("cll-archive", &[]),
    ("cll-diagnostic", &[]),
    ("cll-files", &["cll-mpicc"]),
    ("cll-statistics", &[]),
    ("cll-units", &[]),
    ("cll-campaign", &["cll-contract", "cll-diagnostic", "cll-statistics", "cll-units"]),
    ("cll-formula", &["cll-diagnostic"]),
    ("cll-csource", &["cll-diagnostic"]),
    ("cll-translate", &["cll-diagnostic", "cll-formula", "cll-csource"]),
    ("cll-upsilon", &["cll-diagnostic", "cll-formula", "cll-csource"]),
    ("cll-trace", &["cll-statistics", "cll-units"]),
    ("cll-reuse", &[]),
    ("cll-supersteps", &["cll-trace", "cll-statistics", "cll-units"]),
    ("cll-calls", &["cll-trace", "cll-supersteps", "cll-units"]),
    ("cll-import", &["cll-diagnostic", "cll-units"]),
    ("cll-bsp", &["cll-contract"]),
    ("cll-mpicc", &[]),
    ("cll-runtime", &["cll-bsp", "cll-contract", "cll-mpicc", "cll-trace"]),
    ("cll-fit", &["cll-formula", "cll-statistics", "cll-units"]),
    ("cll-search", &["cll-fit", "cll-formula", "cll-statistics"]),
    ("cll-plan", &["cll-fit", "cll-formula", "cll-statistics"]),
    ("cll-samples", &["cll-trace", "cll-fit", "cll-statistics", "cll-units"]),
    ("cll-machine", &["cll-diagnostic", "cll-formula", "cll-fit", "cll-statistics", "cll-units"]),
    (
        "cll-model",
        &[
            "cll-calls",
            "cll-diagnostic",
            "cll-formula",
            "cll-supersteps",
            "cll-fit",
            "cll-machine",
            "cll-statistics",
            "cll-trace",
            "cll-units",
        ],
    ),
    ("cll-symbols", &[]),
    ("cll-system", &[]),
    ("cll-profile", &["cll-diagnostic", "cll-trace", "cll-supersteps", "cll-machine", "cll-units"]),
    (
        "cll-result",
        &[
            "cll-campaign",
            "cll-diagnostic",
            "cll-fit",
            "cll-machine",
            "cll-model",
            "cll-profile",
            "cll-reuse",
            "cll-search",
            "cll-supersteps",
            "cll-units",
        ],
    ),
    (
        "cll-report",
        &[
            "cll-campaign",
            "cll-diagnostic",
            "cll-formula",
            "cll-fit",
            "cll-machine",
            "cll-model",
            "cll-profile",
            "cll-result",
            "cll-statistics",
            "cll-units",
            "cll-upsilon",
        ],
    ),
    (
        "cll-mpi-model",
        &[
            "cll-calls",
            "cll-campaign",
            "cll-csource",
            "cll-diagnostic",
            "cll-fit",
            "cll-formula",
            "cll-machine",
            "cll-model",
            "cll-result",
            "cll-search",
            "cll-statistics",
            "cll-trace",
            "cll-units",
        ],
    ),
    (
        "cll-driver",
        &["cll-archive", "cll-contract", "cll-diagnostic", "cll-files", "cll-translate"],
    ),
    (
        "cll-launch",
        &[
            "cll-system",
            "cll-campaign",
            "cll-contract",
            "cll-diagnostic",
            "cll-files",
            "cll-statistics",
            "cll-trace",
            "cll-translate",
            "cll-units",
        ],
    ),
    (
        "cll-counters",
        &[
            "cll-system",
            "cll-contract",
            "cll-files",
            "cll-launch",
            "cll-result",
            "cll-symbols",
            "cll-trace",
            "cll-units",
        ],
    ),
    (
        "cll-sampling",
        &[
            "cll-campaign",
            "cll-contract",
            "cll-counters",
            "cll-files",
            "cll-fit",
            "cll-launch",
            "cll-result",
            "cll-samples",
            "cll-statistics",
            "cll-trace",
            "cll-units",
        ],
    ),
    (
        "cll-probe",
        &[
            "cll-contract",
            "cll-driver",
            "cll-files",
            "cll-fit",
            "cll-launch",
            "cll-machine",
            "cll-mpicc",
            "cll-result",
            "cll-reuse",
            "cll-sampling",
            "cll-statistics",
            "cll-symbols",
            "cll-translate",
            "cll-units",
        ],
    ),
    (
        "cll-campaign-db",
        &[
            "cll-system",
            "cll-campaign",
            "cll-counters",
            "cll-files",
            "cll-launch",
            "cll-trace",
            "cll-units",
        ],
    ),
    (
        "cll-analysis",
        &[
            "cll-calls",
            "cll-campaign",
            "cll-campaign-db",
            "cll-contract",
            "cll-counters",
            "cll-diagnostic",
            "cll-files",
            "cll-fit",
            "cll-formula",
            "cll-import",
            "cll-launch",
            "cll-machine",
            "cll-model",
            "cll-mpi-model",
            "cll-mpicc",
            "cll-plan",
            "cll-profile",
            "cll-report",
            "cll-result",
            "cll-samples",
            "cll-search",
            "cll-statistics",
            "cll-supersteps",
            "cll-symbols",
            "cll-trace",
            "cll-units",
        ],
    ),
    (
        "cll-measure",
        &[
            "cll-system",
            "cll-analysis",
            "cll-contract",
            "cll-counters",
            "cll-diagnostic",
            "cll-driver",
            "cll-files",
            "cll-fit",
            "cll-launch",
            "cll-mpi-model",
            "cll-plan",
            "cll-result",
            "cll-samples",
            "cll-sampling",
            "cll-search",
            "cll-trace",
            "cll-translate",
            "cll-units",
        ],
    ),
    (
        "cll-llac",
        &[
            "cll-analysis",
            "cll-diagnostic",
            "cll-files",
            "cll-fit",
            "cll-formula",
            "cll-import",
            "cll-report",
            "cll-result",
            "cll-samples",
            "cll-statistics",
            "cll-trace",
            "cll-units",
        ],
    ),
    (
        "cll",
        &[
            "cll-system",
            "cll-analysis",
            "cll-campaign",
            "cll-campaign-db",
            "cll-counters",
            "cll-contract",
            "cll-diagnostic",
            "cll-formula",
            "cll-csource",
            "cll-translate",
            "cll-trace",
            "cll-supersteps",
            "cll-calls",
            "cll-samples",
            "cll-driver",
            "cll-files",
            "cll-fit",
            "cll-import",
            "cll-launch",
            "cll-llac",
            "cll-machine",
            "cll-measure",
            "cll-model",
            "cll-mpi-model",
            "cll-mpicc",
            "cll-plan",
            "cll-probe",
            "cll-profile",
            "cll-report",
            "cll-result",
            "cll-reuse",
            "cll-sampling",
            "cll-search",
            "cll-statistics",
            "cll-symbols",
            "cll-units",
            "cll-upsilon",
        ],
    ),
];

/// The crates that talk to people; the program alone may use them.
const THE_PROGRAMS: &[&str] =
    &["clap", "anyhow", "indicatif", "annotate-snippets", "ctrlc", "terminal_size"];

/// The crates that make files; the program and those that touch files for it may use them.
const OF_FILES: &[&str] = &["tempfile"];

/// These crates.
const TOUCH_FILES: &[&str] = &[
    "cll-analysis",
    "cll-counters",
    "cll-driver",
    "cll-files",
    "cll-launch",
    "cll-measure",
    "cll-probe",
];

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
            // Tools and benchmarks; what they use is their own business.
            None if !is_crate(package) => {}
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
        if user == "cll" || !is_crate(package) {
            continue;
        }
        for dependency in package["dependencies"].as_array().unwrap() {
            let used = dependency["name"].as_str().unwrap();
            let refused = THE_PROGRAMS.contains(&used)
                || OF_FILES.contains(&used) && !TOUCH_FILES.contains(&user);
            if dependency["kind"].as_str() != Some("dev") && refused {
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
        let section = text.split(&format!("{heading}\n")).nth(1);
        let section = section.and_then(|rest| rest.split("\n### ").next());
        let section =
            section.unwrap_or_else(|| panic!("ARCHITECTURE.md has no heading {heading:?}"));
        // The purpose comes first.
        for part in ["\n\n*Invariant:* ", "\n\nUses: "] {
            assert!(section.contains(part), "{heading} has no {:?}", part.trim());
        }
    }
}
