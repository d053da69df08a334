//! Sources with their experiments, without the translator: pragmas are found by their text.

use std::path::Path;

use cll_upsilon::{ExperimentSets, Wanted, propose};

/// A file of the repository.
pub fn source(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The experiments of a source whose pragmas are on one line each.
pub fn wanted(source: &str) -> Vec<Wanted> {
    let mut found: Vec<Wanted> = Vec::new();
    let mut open: Vec<(String, usize)> = Vec::new();
    for (index, line) in source.lines().enumerate() {
        let Some(rest) = line.trim().strip_prefix("#pragma cll ") else { continue };
        let mut words = rest.split_whitespace();
        match words.next() {
            Some("end") => {
                let name = words.next().unwrap();
                if name == "for" {
                    continue;
                }
                let (name, begin) = open.pop().unwrap();
                found
                    .iter_mut()
                    .find(|wanted| wanted.name == name)
                    .unwrap()
                    .regions
                    .push((begin, index + 1));
            }
            Some("for" | "parallel" | "report") | None => {}
            Some(name) => {
                open.push((name.to_owned(), index + 1));
                let text: Vec<&str> = words.filter(|word| !word.starts_with("every(")).collect();
                let formula = cll_formula::parse(name, &text.join(" ")).formula.unwrap();
                if !found.iter().any(|wanted| wanted.name == name) {
                    found.push(Wanted { name: name.to_owned(), formula, regions: Vec::new() });
                }
            }
        }
    }
    found
}

/// The proposal for a source.
pub fn proposed(source: &str) -> Vec<ExperimentSets> {
    propose(source.as_bytes(), &wanted(source))
}

/// The sets of an experiment as text: `f[1]: j < N | j++`.
pub fn sets(experiment: &ExperimentSets) -> Vec<String> {
    let mut lines: Vec<String> = experiment
        .constants()
        .iter()
        .map(|constant| {
            let texts: Vec<&str> =
                experiment.set(Some(constant)).map(|statement| statement.text.as_str()).collect();
            format!("{constant}: {}", texts.join(" | "))
        })
        .collect();
    let none: Vec<String> = experiment
        .set(None)
        .map(|statement| format!("{} ({})", statement.text, statement.note))
        .collect();
    if !none.is_empty() {
        lines.push(format!("none: {}", none.join(" | ")));
    }
    lines
}

/// The sets of one experiment of a source.
pub fn sets_of(source: &str, name: &str) -> Vec<String> {
    let all = proposed(source);
    sets(all.iter().find(|experiment| experiment.name == name).unwrap())
}

/// How often a statement is executed.
pub fn times(experiment: &ExperimentSets, text: &str) -> String {
    let statement = experiment.statements.iter().find(|statement| statement.text == text);
    statement.unwrap_or_else(|| panic!("{text}: {experiment:#?}")).times.clone()
}
