//! The documents on architecture: each decision has its four parts and is named where it acts, the
//! index has all decisions and no other.

use std::fs;
use std::path::Path;

use crate::metadata::root;

/// The headings of a decision, in their order.
const PARTS: [&str; 4] = ["## Question", "## Measurement", "## Choice", "## Consequence"];

/// File names and texts of the decisions, in order.
fn decisions() -> Vec<(String, String)> {
    let mut found: Vec<_> = fs::read_dir(root().join("docs/decisions"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), entry.path()))
        .filter(|(name, _)| name != "README.md")
        .map(|(name, path)| (name, fs::read_to_string(path).unwrap()))
        .collect();
    found.sort();
    found
}

#[test]
fn each_decision_has_its_four_parts() {
    let mut wrong = Vec::new();
    for (name, text) in decisions() {
        if !text.starts_with("# ") {
            wrong.push(format!("{name} does not begin with a title"));
        }
        let headings: Vec<&str> = text.lines().filter(|line| line.starts_with("## ")).collect();
        if headings != PARTS {
            wrong.push(format!("{name} has the headings {headings:?} and not {PARTS:?}"));
            continue;
        }
        for part in PARTS {
            let below = text.split(part).nth(1).unwrap();
            if below.split("\n## ").next().unwrap().trim().is_empty() {
                wrong.push(format!("{name} says nothing under {part:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn decisions_have_numbers_of_their_own() {
    let names: Vec<String> = decisions().into_iter().map(|(name, _)| name).collect();
    let mut wrong = Vec::new();
    for name in &names {
        let numbered = name.len() > 8
            && name.bytes().take(4).all(|byte| byte.is_ascii_digit())
            && name.as_bytes()[4] == b'-'
            && name.ends_with(".md");
        if !numbered {
            wrong.push(format!("{name} is not called NNNN-title.md"));
        }
    }
    for pair in names.windows(2) {
        if pair[0].get(..4) == pair[1].get(..4) {
            wrong.push(format!("{} and {} have one number", pair[0], pair[1]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_index_lists_all_decisions_and_no_other() {
    let index = fs::read_to_string(root().join("docs/decisions/README.md")).unwrap();
    let mut listed: Vec<String> = index
        .lines()
        .filter(|line| line.starts_with("- "))
        .map(|line| {
            let target = line.split("](").nth(1).and_then(|rest| rest.split(')').next());
            target.unwrap_or_else(|| panic!("no link in {line:?}")).to_owned()
        })
        .collect();
    listed.sort();
    let there: Vec<String> = decisions().into_iter().map(|(name, _)| name).collect();
    assert_eq!(listed, there, "listed in docs/decisions/README.md, and files there");
}

#[test]
fn the_code_names_each_decision() {
    let mut code = String::new();
    for folder in ["crates", "python/src"] {
        add_code(&root().join(folder), &mut code);
    }
    let names = decisions().into_iter().map(|(name, _)| name);
    let missing: Vec<String> =
        names.filter(|name| !code.contains(&format!("decision {}", &name[..4]))).collect();
    assert!(missing.is_empty(), "no comment names them: {}", missing.join(", "));
}

/// Adds the text of all sources in C and Rust below a folder.
fn add_code(folder: &Path, code: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_code(&path, code);
        } else if path.extension().is_some_and(|end| end == "rs" || end == "c" || end == "h") {
            code.push_str(&String::from_utf8_lossy(&fs::read(&path).unwrap()));
        }
    }
}
