//! Under which licences the dependencies may be used. Advisories and yanked
//! versions need a network: `deny.toml`, which `scripts/test` uses where it can.

use std::fs;

use crate::metadata::{is_ours, name, packages, root};

/// Every licence that may be relied on, and why beyond MIT and Apache.
const ALLOWED: &[(&str, &str)] = &[
    ("MIT", "ours"),
    ("Apache-2.0", "ours"),
    ("Apache-2.0 WITH LLVM-exception", "Apache-2.0 with a permission added"),
    ("BSD-2-Clause", "as permissive as MIT"),
    ("BSD-3-Clause", "as permissive as MIT"),
    ("MIT-0", "MIT without the duty to name the authors"),
    ("Unicode-3.0", "the tables of unicode-ident; permissive, needed to compile only"),
    ("Zlib", "permissive; asks for no notice in binaries"),
];

#[test]
fn every_dependency_may_be_used() {
    let packages = packages();
    let mut wrong = Vec::new();
    for package in packages.iter().filter(|p| !is_ours(p)) {
        match package["license"].as_str() {
            Some(licence) if is_allowed(licence) => {}
            Some(licence) => wrong.push(format!("{}: {licence}", name(package))),
            None => wrong.push(format!("{}: no licence is given", name(package))),
        }
    }
    assert!(packages.len() > 20, "cargo metadata gave {} packages", packages.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn dependencies_come_from_crates_io() {
    for package in packages().iter().filter(|p| !is_ours(p)) {
        let source = package["source"].as_str().unwrap();
        assert_eq!(
            source,
            "registry+https://github.com/rust-lang/crates.io-index",
            "{}",
            name(package)
        );
    }
}

#[test]
fn our_own_licence_is_stated_and_there() {
    for package in packages().iter().filter(|p| is_ours(p)) {
        assert_eq!(package["license"].as_str(), Some("MIT OR Apache-2.0"), "{}", name(package));
    }
    let text = |file: &str| fs::read_to_string(root().join(file)).unwrap();
    assert!(text("LICENSE-MIT").contains("Permission is hereby granted, free of charge"));
    assert!(text("LICENSE-APACHE").contains("Version 2.0, January 2004"));
}

#[test]
fn cargo_deny_has_the_same_licences() {
    let deny = fs::read_to_string(root().join("deny.toml")).unwrap();
    let list = deny.split("allow = [").nth(1).unwrap().split(']').next().unwrap();
    let reported: Vec<&str> = list.split(',').map(|word| word.trim().trim_matches('"')).collect();
    let expected: Vec<&str> = ALLOWED.iter().map(|(licence, _)| *licence).collect();
    assert_eq!(reported, expected);
}

/// Whether an SPDX expression (or the older `A/B` for `A OR B`) can be met by
/// allowed licences alone.
fn is_allowed(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut position = 0;
    any(&words, &mut position) && position == words.len()
}

fn any(words: &[&str], position: &mut usize) -> bool {
    let mut allowed = all(words, position);
    while words.get(*position) == Some(&"OR") {
        *position += 1;
        allowed |= all(words, position);
    }
    allowed
}

fn all(words: &[&str], position: &mut usize) -> bool {
    let mut allowed = term(words, position);
    while words.get(*position) == Some(&"AND") {
        *position += 1;
        allowed &= term(words, position);
    }
    allowed
}

fn term(words: &[&str], position: &mut usize) -> bool {
    let Some(&word) = words.get(*position) else { return false };
    *position += 1;
    if word == "(" {
        let allowed = any(words, position);
        let closed = words.get(*position) == Some(&")");
        *position += 1;
        return allowed && closed;
    }
    let licence = if words.get(*position) == Some(&"WITH") && *position + 1 < words.len() {
        *position += 2;
        format!("{word} WITH {}", words[*position - 1])
    } else {
        word.to_owned()
    };
    ALLOWED.iter().any(|(allowed, _)| *allowed == licence)
}

#[test]
fn expressions_are_read_as_meant() {
    for allowed in [
        "MIT",
        "MIT/Apache-2.0",
        "Unlicense OR MIT",
        "(MIT OR Apache-2.0) AND Unicode-3.0",
        "Apache-2.0 WITH LLVM-exception OR GPL-3.0",
        "Zlib OR Apache-2.0 OR MIT",
    ] {
        assert!(is_allowed(allowed), "{allowed}");
    }
    for refused in
        ["GPL-3.0", "MIT AND GPL-2.0", "(MIT OR Zlib) AND AGPL-3.0", "", "(MIT", "MIT MIT"]
    {
        assert!(!is_allowed(refused), "{refused}");
    }
}
