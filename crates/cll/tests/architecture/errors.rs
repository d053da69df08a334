//! Errors are values: each crate has its own, and the program alone gives them exit codes.

use std::fs;
use std::path::PathBuf;

use crate::purity::{code, crates, is_test_module, sources};

/// The crates with a type `Failure`: the program, and those whose failure is another thing.
const MAY_FAIL: &[(&str, &str)] = &[
    ("cll", "a failure of a command"),
    ("bsp", "a BSP machine that was stopped"),
    ("runtime", "a file of samples that cannot be written"),
];

#[test]
fn failures_of_commands_are_the_programs() {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut naming = Vec::new();
    for (name, files) in with_sources() {
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            let names = |line: &str| line.split(|c| !is_name(c)).any(|word| word == "Failure");
            if code(&text).any(|(_, line)| names(line)) {
                naming.push((name.clone(), file));
            }
        }
    }
    let may = |name: &str| MAY_FAIL.iter().any(|(may, _)| *may == name);
    let wrong: Vec<String> = naming
        .iter()
        .filter(|(name, _)| !may(name))
        .map(|(name, file)| format!("{name}: {}: it has an Error of its own", file.display()))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (name, what) in MAY_FAIL {
        assert!(naming.iter().any(|(naming, _)| naming == name), "{name} has no Failure: {what}");
    }
}

#[test]
fn errors_of_public_functions_are_no_texts() {
    let mut wrong = Vec::new();
    for (name, files) in with_sources().into_iter().filter(|(name, _)| name != "cll") {
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            let lines: Vec<&str> = code(&text).map(|(_, line)| line).collect();
            let found = with_texts(&lines.join("\n"));
            wrong.extend(
                found.iter().map(|function| format!("{name}: {}: {function}", file.display())),
            );
        }
    }
    assert!(wrong.is_empty(), "the error of these is a text:\n{}", wrong.join("\n"));
}

/// The public functions whose error is a `String`.
fn with_texts(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, begin) in code.match_indices("pub fn ").chain(code.match_indices("pub const fn ")) {
        let head = &code[at + begin.len()..];
        let head = &head[..head.find([';', '{']).unwrap_or(head.len())];
        let Some((name, rest)) = head.split_once('(') else { continue };
        let Some((_, result)) = rest.rsplit_once("->") else { continue };
        let result: String = result.split_whitespace().collect();
        let result = result.split("where").next().unwrap_or_default().trim_end_matches(',');
        if result.starts_with("Result<") && result.ends_with(",String>") {
            found.push(name.to_owned());
        }
    }
    found
}

#[test]
fn texts_as_errors_are_found_over_several_lines() {
    let code = "pub fn a(x: &str) -> Result<u8, String> {}\npub fn b(\n    x: u8,\n) -> Result<\n    Vec<u8>,\n    \
                String,\n> {}\npub fn c() -> Result<String, Error> {}\npub(crate) fn d() -> Result<u8, String> {}\n\
                pub fn e() -> Option<String> {}\n";
    assert_eq!(with_texts(&code.replace("String,\n>", "String>")), ["a", "b"]);
}

/// The crates with their sources, without modules of tests.
fn with_sources() -> Vec<(String, Vec<PathBuf>)> {
    let sources_of = |(name, folder): (String, PathBuf)| {
        let mut files = Vec::new();
        sources(&folder.join("src"), &mut files);
        files.retain(|file| !is_test_module(file));
        (name, files)
    };
    crates().into_iter().map(sources_of).collect()
}
