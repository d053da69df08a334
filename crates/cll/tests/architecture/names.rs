//! Names say what a thing is: words that stand for anything are rare, and may only become rarer.

use std::fs;
use std::path::PathBuf;

use crate::metadata::root;
use crate::purity::sources;

/// Texts that name nothing, and how often they may stand in 10,000 lines of Rust. In well-kept projects there are fewer than 1
/// of each, but for `found` (up to 29). A limit is lowered when there are fewer.
const TEXTS: [(&str, &[&str], f64); 5] = [
    ("a variable `one`", &["one."], 0.2),
    ("a function or a variable `of`", &["fn of(", "let of ", "of."], 0.8),
    ("a variable `at`", &["let at "], 0.4),
    ("the word `found`", &["found"], 18.8),
    ("a `match` of a condition", &["true =>"], 0.5),
];

/// The share of comments that may begin with What, Its or Of.
const COMMENTS: f64 = 0.003;

#[test]
fn words_that_name_nothing_do_not_become_more() {
    let files = all_sources();
    let lines: usize = files.iter().map(|text| text.lines().count()).sum();
    let mut wrong = Vec::new();
    for (name, texts, limit) in TEXTS {
        let uses: usize =
            texts.iter().flat_map(|text| files.iter().map(|file| uses(file, text))).sum();
        let share = uses as f64 * 1e4 / lines as f64;
        if share > limit {
            wrong.push(format!("{name}: {share:.1} in 10,000 lines, at most {limit}"));
        }
    }
    assert!(wrong.is_empty(), "name these things by a noun:\n{}", wrong.join("\n"));
}

#[test]
fn comments_begin_with_a_noun_or_a_verb() {
    let files = all_sources();
    let comments = files.iter().flat_map(|text| text.lines()).filter_map(|line| {
        let line = line.trim_start();
        let text = line.strip_prefix("/// ").or_else(|| line.strip_prefix("//! "))?;
        text.split(|c: char| !c.is_alphanumeric()).next()
    });
    let (mut all, mut wrong) = (0, 0);
    for first in comments.filter(|first| !first.is_empty()) {
        all += 1;
        wrong += usize::from(matches!(first, "What" | "Its" | "Of"));
    }
    let share = wrong as f64 / f64::from(all);
    assert!(share <= COMMENTS, "{wrong} of {all} comments begin with What, Its or Of");
}

/// The number of places where a text stands as a word of its own; one that ends in a dot goes on with a letter.
fn uses(file: &str, text: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let ends = |rest: &str| match (text.ends_with('.'), rest.chars().next()) {
        (true, next) => next.is_some_and(is_part),
        (false, next) => !text.ends_with(is_part) || !next.is_some_and(is_part),
    };
    let places = file.match_indices(text);
    let is_own = |&(place, _): &(usize, &str)| {
        !file[..place].ends_with(is_part)
            && ends(&file[place + text.len()..])
            && !is_in_string(&file[..place])
    };
    places.filter(is_own).count()
}

/// Whether a place is in a string that begins in its line.
fn is_in_string(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.replace("\\\"", "").matches('"').count() % 2 == 1
}

/// The Rust sources of the project.
fn all_sources() -> Vec<String> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in ["benches", "crates", "xtask"] {
        sources(&root().join(folder), &mut paths);
    }
    assert!(paths.len() > 1000, "{} files", paths.len());
    paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn words_are_counted() {
    let text =
        "let one = two.one.x; one.y; none.z; alone.w; one.; match a { true => 1, is_true => 2 }";
    assert_eq!((uses(text, "one."), uses(text, "true =>"), uses(text, "let one")), (2, 1, 1));
    assert_eq!(uses("open(\"one.csv\", one.size); f(\"\\\"one.csv\");", "one."), 1);
}
