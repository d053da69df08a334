//! Text and bytes in, values out: files, clock, processes, environment and printing belong to the
//! crates that are named here.

use std::fs;
use std::path::{Path, PathBuf};

use crate::metadata::root;

/// The names that the other crates must not use, outside comments and tests.
const IMPURE: &[&str] = &[
    "println!(",
    "eprintln!(",
    "print!(",
    "eprint!(",
    "dbg!(",
    "std::fs",
    "std::env",
    "std::process",
    "std::net",
    "std::io::stdin",
    "std::io::stdout",
    "std::io::stderr",
    "Instant::now",
    "SystemTime",
    "File::open",
    "Command::new",
];

/// The crates that may.
const MAY: &[&str] = &[
    "analysis",
    "archive",
    "bsp",
    "campaign-db",
    "cll",
    "counters",
    "driver",
    "files",
    "launch",
    "measure",
    "mpicc",
    "probe",
    "runtime",
    "sampling",
    "system",
];

/// The crates that print, of those: the program, and the crates that are linked into programs.
const PRINT: &[&str] = &["bsp", "cll", "runtime"];

/// How it is printed.
const PRINTING: &[&str] = &["println!(", "eprintln!(", "print!(", "eprint!(", "dbg!("];

/// Beyond this a file surely does more than one thing.
const LONGEST_FILE: usize = 700;

pub fn crates() -> Vec<(String, PathBuf)> {
    let folder = root().join("crates");
    let mut found: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), entry.path()))
        .collect();
    found.sort();
    assert!(found.len() >= 9, "{found:?}");
    found
}

pub fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// The lines of a file before its unit tests, numbered from 1, comments left out.
pub fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .take_while(|line| line.trim() != "#[cfg(test)]")
        .enumerate()
        .map(|(k, line)| (k + 1, line))
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Files that are modules of tests as a whole (`#[cfg(test)] mod tests;` elsewhere).
pub fn is_test_module(path: &Path) -> bool {
    // The folder of the clone may have any name.
    let folder = root();
    let path = path.strip_prefix(&folder).unwrap_or(path);
    path.components().any(|c| c.as_os_str() == "tests")
        || path.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("tests"))
}

#[test]
fn only_the_program_and_the_library_touch_the_world() {
    let wrong = named(IMPURE, MAY);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_the_program_and_the_library_print() {
    let wrong = named(PRINTING, PRINT);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where crates other than these name one of the words.
fn named(words: &[&str], may: &[&str]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, folder) in crates().iter().filter(|(name, _)| !may.contains(&name.as_str())) {
        let mut files = Vec::new();
        sources(&folder.join("src"), &mut files);
        for file in files.iter().filter(|f| !is_test_module(f)) {
            let text = fs::read_to_string(file).unwrap();
            for (line, code) in code(&text) {
                for word in words.iter().filter(|word| code.contains(**word)) {
                    wrong.push(format!("{name}: {}:{line}: {word}", file.display()));
                }
            }
        }
    }
    wrong
}

/// Quoted names of variables; those in messages are preceded or followed by other words.
fn names_a_variable(code: &str) -> bool {
    let mut rest = code;
    while let Some(position) = rest.find("\"CLL_") {
        rest = &rest[position + 1..];
        let name = rest.split('"').next().unwrap_or_default();
        let known = cll_contract::ALL.iter().any(|about| about.name.to_str() == Ok(name));
        if known {
            return true;
        }
    }
    false
}

#[test]
fn variables_are_named_in_one_place() {
    let mut wrong = Vec::new();
    // The macros of cll.h are the translator's: one is called as a variable is.
    let not = ["contract", "translate"];
    for (name, folder) in crates().iter().filter(|(name, _)| !not.contains(&name.as_str())) {
        let mut files = Vec::new();
        sources(&folder.join("src"), &mut files);
        for file in files.iter().filter(|f| !is_test_module(f)) {
            let text = fs::read_to_string(file).unwrap();
            let lines = code(&text).filter(|(_, code)| names_a_variable(code));
            wrong.extend(lines.map(|(line, _)| format!("{name}: {}:{line}", file.display())));
        }
    }
    assert!(wrong.is_empty(), "see crates/contract:\n{}", wrong.join("\n"));
}

/// The calls that open, make or move a file.
const WRITING: &[&str] = &[
    "fs::write(",
    "fs::copy(",
    "fs::rename(",
    "fs::hard_link(",
    "fs::set_permissions(",
    "File::create(",
    "File::create_new(",
    "File::options(",
    "OpenOptions",
    "NamedTempFile",
    ".persist(",
];

/// The files of the crates that do so beside `files`, which writes whatever the user names.
const MAY_WRITE: &[(&str, &str)] = &[
    ("launch/src/batch/submit.rs", "a job's own folder"),
    ("campaign-db/src/attempts.rs", "a campaign's own folder"),
    ("campaign-db/src/merge.rs", "a new campaign's own folder"),
    ("campaign-db/src/lib.rs", "a campaign's own folder"),
    ("cll/src/commands/campaign/runner.rs", "a campaign's own log, which grows"),
    ("probe/src/supersteps/launch.rs", "a temporary folder"),
    ("probe/src/accesses/output.rs", "a temporary folder"),
    ("measure/src/folder.rs", "the lock of a model's own folder, and its log, which grows"),
    ("launch/src/recorder.rs", "traces, which grow, under names that were free"),
    ("launch/src/recovery.rs", "traces, to which it adds what was left in memory"),
    ("driver/src/library/unpack.rs", "the library in the cache"),
    ("sampling/src/campaign.rs", "opens /dev/null"),
];

#[test]
fn files_of_the_user_are_written_in_one_place() {
    let folder = root().join("crates");
    let mut files = Vec::new();
    for name in [
        "analysis",
        "campaign-db",
        "cll",
        "counters",
        "driver",
        "launch",
        "measure",
        "probe",
        "sampling",
        "system",
    ] {
        sources(&folder.join(name).join("src"), &mut files);
    }
    let (mut wrong, mut used) = (Vec::new(), Vec::new());
    for file in files.iter().filter(|f| !is_test_module(f)) {
        let name = file.strip_prefix(&folder).unwrap().to_str().unwrap();
        let text = fs::read_to_string(file).unwrap();
        for (line, code) in code(&text) {
            for word in WRITING.iter().filter(|word| code.contains(**word)) {
                match MAY_WRITE.iter().find(|(allowed, _)| *allowed == name) {
                    Some((allowed, _)) => used.push(*allowed),
                    None => wrong.push(format!("{name}:{line}: {word}: see files::Output")),
                }
            }
        }
    }
    let unused = MAY_WRITE.iter().filter(|(name, _)| !used.contains(name));
    wrong.extend(unused.map(|(name, _)| format!("{name} may write, and does not")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn unsafe_code_is_in_the_library_alone() {
    let may = ["bsp", "runtime"];
    for (name, folder) in crates().iter().filter(|(name, _)| !may.contains(&name.as_str())) {
        for entry in ["lib.rs", "main.rs"] {
            let path = folder.join("src").join(entry);
            if let Ok(text) = fs::read_to_string(&path) {
                assert!(
                    text.lines().any(|line| line == "#![forbid(unsafe_code)]"),
                    "{name}: {} does not forbid unsafe code",
                    path.display()
                );
            }
        }
    }
}

/// PyO3's macros write unsafe code, so the package for Python cannot forbid it: it has none of its own.
#[test]
fn the_package_for_python_has_unsafe_code_in_macros_only() {
    let mut files = Vec::new();
    sources(&root().join("python/src"), &mut files);
    assert!(files.len() > 8, "{files:?}");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for (line, code) in code(&text) {
            assert!(!code.contains("unsafe"), "{}:{line}: {code}", file.display());
        }
    }
}

/// A function that a page calls needs an attribute with the word; there is no other unsafe code.
#[test]
fn the_program_of_pages_has_unsafe_attributes_only() {
    let mut files = Vec::new();
    sources(&root().join("viewer/predict/src"), &mut files);
    assert!(!files.is_empty());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for (line, code) in code(&text).filter(|(_, code)| code.contains("unsafe")) {
            assert_eq!(code.trim(), "#[unsafe(no_mangle)]", "{}:{line}", file.display());
        }
    }
}

#[test]
fn files_do_one_thing() {
    let mut long = Vec::new();
    for (_, folder) in crates() {
        let mut files = Vec::new();
        sources(&folder.join("src"), &mut files);
        for file in files.iter().filter(|f| !is_test_module(f)) {
            let lines = fs::read_to_string(file)
                .unwrap()
                .lines()
                .take_while(|line| line.trim() != "#[cfg(test)]")
                .count();
            if lines > LONGEST_FILE {
                long.push(format!("{}: {lines} lines", file.display()));
            }
        }
    }
    assert!(long.is_empty(), "longer than {LONGEST_FILE} lines:\n{}", long.join("\n"));
}

#[test]
fn the_scan_sees_what_it_should() {
    let text = "use std::fs;\n// println!(\nfn f() {}\n#[cfg(test)]\nmod tests { eprintln!() }\n";
    let seen: Vec<_> = code(text).collect();
    assert_eq!(seen, [(1, "use std::fs;"), (3, "fn f() {}")]);
}

/// How files are written that nobody guards.
const UNGUARDED: &[&str] = &["files::write(", "fs::write(", "File::create(", "OpenOptions"];

/// Where commands write files into folders of their own.
const OWN_FOLDERS: &[&str] = &["upsilon/count/build.rs"];

#[test]
fn commands_write_what_users_name_by_one_guard() {
    let mut files = Vec::new();
    sources(&root().join("crates/cll/src"), &mut files);
    let mut wrong = Vec::new();
    let is_own = |file: &Path| OWN_FOLDERS.iter().any(|own| file.ends_with(own));
    for file in files.iter().filter(|file| !is_test_module(file) && !is_own(file)) {
        let text = fs::read_to_string(file).unwrap();
        let lines = code(&text).filter(|(_, code)| UNGUARDED.iter().any(|w| code.contains(w)));
        wrong.extend(lines.map(|(line, code)| format!("{}:{line}: {code}", file.display())));
    }
    assert!(wrong.is_empty(), "cll_files::Output is the guard:\n{}", wrong.join("\n"));
}
