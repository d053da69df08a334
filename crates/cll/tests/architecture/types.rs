//! No type name stands in more than four crates, so that a name in a signature says which type is meant.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::lengths::sources;
use crate::metadata::root;

/// The number of crates in which a name may stand.
const MAX_CRATES: usize = 4;
/// The name that each crate has by design: its enum of errors.
const EVERYWHERE: &str = "Error";

#[test]
fn no_type_name_stands_in_many_crates() {
    let mut crates: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        for path in sources(&folder.join("src")) {
            for type_name in types(&fs::read_to_string(&path).unwrap()) {
                crates.entry(type_name).or_default().insert(name.clone());
            }
        }
    }
    assert!(crates.len() > 1000, "only {} names of types were found", crates.len());
    let common: Vec<String> = crates
        .into_iter()
        .filter(|(name, crates)| crates.len() > MAX_CRATES && name != EVERYWHERE)
        .map(|(name, crates)| format!("{name}: {crates:?}"))
        .collect();
    assert!(
        common.is_empty(),
        "types with a name that stands in more than {MAX_CRATES} crates (say what each is of):\n{}",
        common.join("\n")
    );
}

#[test]
fn types_are_found_outside_of_tests() {
    let text = "pub(crate) struct First<'a> {\n}\n\nmod inner {\n    enum Second {\n    }\n}\npub type Third = u32;\n\
                impl X for First<'_> {\n    type Output = u32;\n}\n// struct Fourth\n\
                trait Fifth {\n    type Item;\n}\n\n#[cfg(test)]\nmod tests {\n    struct Sixth;\n}\n";
    assert_eq!(types(text), ["First", "Second", "Third", "Fifth"]);
}

/// The names of the types of a file outside of the tests at its end. Associated types are indented, and left out.
fn types(text: &str) -> Vec<String> {
    let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap();
    code.lines().filter_map(type_name).map(str::to_owned).collect()
}

/// The name of the type that is defined in a line.
fn type_name(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().peekable();
    words.next_if(|word| *word == "pub" || word.starts_with("pub("));
    let word = words.next()?;
    let is_type = ["struct", "enum", "trait", "union"].contains(&word)
        || (word == "type" && !line.starts_with(' '));
    let name = is_type.then(|| words.next()).flatten()?;
    name.split(['<', '(', '{', ';', ':']).next()
}
