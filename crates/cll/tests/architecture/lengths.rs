//! No function has more than 80 lines, from the line of `fn` to its closing brace.
//!
//! The source is formatted, so a function ends at the first line that is its indentation and a brace. Tests are left out.

use std::fs;
use std::path::{Path, PathBuf};

use crate::metadata::root;

/// Lines of the longest function that is allowed.
const MAX_LINES: usize = 80;

/// A function with the number of its lines.
#[derive(Debug, PartialEq)]
struct Function {
    name: String,
    /// The number of its first line in the file.
    first: usize,
    lines: usize,
}

#[test]
fn no_function_is_long() {
    let mut all = 0;
    let mut long: Vec<String> = Vec::new();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        for path in sources(&entry.unwrap().path().join("src")) {
            let functions = functions(&fs::read_to_string(&path).unwrap());
            all += functions.len();
            let place = path.strip_prefix(root()).unwrap().display().to_string();
            let too_long = functions.into_iter().filter(|function| function.lines > MAX_LINES);
            long.extend(too_long.map(|Function { name, first, lines }| {
                format!("{place}:{first}: {name} has {lines} lines")
            }));
        }
    }
    assert!(all > 5000, "only {all} functions were found");
    assert!(
        long.is_empty(),
        "functions of more than {MAX_LINES} lines (divide them):\n{}",
        long.join("\n")
    );
}

#[test]
fn lines_are_counted_to_the_closing_brace() {
    let text = "impl One {\n    pub(crate) const fn short(\n        &self,\n    ) -> u32 {\n        0\n    }\n\n    \
                fn empty() {}\n}\n\ntrait Two {\n    fn declared(&self);\n    fn long(\n        &self,\n    );\n}\n\n\
                pub fn last() {\n}\n\n#[cfg(test)]\nmod tests {\n    fn left_out() {\n    }\n}\n";
    let function =
        |name: &str, first: usize, lines: usize| Function { name: name.into(), first, lines };
    let expected = [function("short", 2, 5), function("empty", 8, 1), function("last", 18, 2)];
    assert_eq!(functions(text), expected);
}

/// The files of a folder and of those in it that are no tests.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let is_test = path.file_stem().unwrap().to_str().unwrap().ends_with("tests");
            if path.is_dir() && !is_test {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
                files.push(path);
            }
        }
    }
    files
}

/// The functions of a file that have a body, outside of the tests at its end.
fn functions(text: &str) -> Vec<Function> {
    let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap();
    let lines: Vec<&str> = code.lines().collect();
    let function = |first: usize| {
        let name = function_name(lines[first])?;
        let indentation = lines[first].len() - lines[first].trim_start().len();
        let is_end = |line: &str| {
            let rest = line.get(indentation..).unwrap_or_default();
            // Of a function without a body, in a trait.
            let is_declared = rest.starts_with(')') && rest.ends_with(';');
            rest == "}" || is_declared
        };
        let is_one_line = lines[first].ends_with(['}', ';']);
        let last =
            if is_one_line { 0 } else { lines[first..].iter().position(|line| is_end(line))? };
        let has_body = lines[first + last].ends_with('}');
        has_body.then(|| Function { name: name.to_owned(), first: first + 1, lines: last + 1 })
    };
    (0..lines.len()).filter_map(function).collect()
}

/// The name of the function that begins in a line.
fn function_name(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let is_before = |word: &str| {
        let words = ["pub", "const", "unsafe", "async", "extern", "\"C\""];
        words.contains(&word) || word.starts_with("pub(") || word.ends_with(')')
    };
    let word = words.find(|word| !is_before(word)).filter(|word| *word == "fn");
    let name = word.and(words.next())?;
    name.split(['(', '<']).next()
}
