//! `docs/llac.md` has every code and every word.

use cll_llac::syntax::{COMMAND, ClauseWord, Keyword, UNITS, Verb, codes, parse};

const PAGE: &str = include_str!("../../../../docs/llac.md");

#[test]
fn every_code_of_the_syntax_is_explained() {
    for code in codes::CODES.iter().chain(&["L101", "L102", "L103"]) {
        assert_eq!(PAGE.matches(&format!("\n| {code} | ")).count(), 1, "{code}");
    }
}

#[test]
fn every_word_and_unit_is_listed() {
    let listed = PAGE.split("## Words").nth(1).unwrap().split("\n## ").next().unwrap();
    let words = Verb::ALL.map(Verb::word).into_iter().chain(ClauseWord::ALL.map(ClauseWord::word));
    for word in words.chain(Keyword::ALL.map(Keyword::word)).chain([COMMAND]) {
        assert!(listed.contains(&format!("`{word}`")), "{word}");
    }
    let numbers = PAGE.lines().find(|line| line.starts_with("- **Numbers**")).unwrap();
    for unit in UNITS {
        let is_there = numbers.split(|c: char| !c.is_alphabetic()).any(|word| word == unit);
        assert!(is_there, "{unit}");
    }
}

/// The examples on the page are correct.
#[test]
fn examples_are_right() {
    let grammar = PAGE.split("\n## Grammar").nth(1).unwrap().split("\n## ").next().unwrap();
    let marked = grammar.split("\n- ").skip(1).flat_map(|part| part.split('`').skip(1).step_by(2));
    let statements: Vec<&str> = marked.filter(|text| text.contains(['(', '='])).collect();
    assert!(statements.iter().any(|text| text.starts_with("compare (f set")), "{statements:?}");
    for text in statements.into_iter().filter(|text| text.len() > 4) {
        let text =
            if text.starts_with("at ") { format!("predict m {text}") } else { text.to_owned() };
        let parsed = parse(&text);
        assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
    }
}
