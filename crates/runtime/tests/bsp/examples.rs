//! `examples/bsp`: each with several numbers of processors and sizes; each checks its own result.

use std::path::{Path, PathBuf};

use crate::all::each;
use crate::build::loadable;
use crate::engines::{ENGINES, in_turn};
use crate::stated::{name_of, sources};
use crate::support::Program;
use crate::surroundings::Surroundings;

const PROCESSORS: [usize; 5] = [1, 2, 3, 4, 8];

/// The programs, and arguments for them: none, and sizes that no number of processors divides.
const ARGUMENTS: [(&str, &[&str]); 8] = [
    ("broadcast", &["", "0", "7", "12347"]),
    ("fft", &["4096", "64", "32768"]),
    ("inner_product", &["", "0", "5", "1001"]),
    ("life", &["", "8 8 4", "16 40 32"]),
    ("lu", &["60", "1 1", "7 3", "41 100", "100 8"]),
    ("matrix_vector", &["", "1", "3", "101"]),
    ("prefix_sums", &["", "0", "3", "12345"]),
    ("sample_sort", &["", "0", "5 1", "1000 1", "50000 64"]),
];

pub fn examples() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bsp");
    sources(&folder.canonicalize().unwrap(), &mut files);
    files.sort();
    files
}

/// Arguments of an example.
pub fn arguments(name: &str) -> &'static [&'static str] {
    let known = ARGUMENTS.iter().find(|(known, _)| *known == name);
    known
        .map(|(_, arguments)| *arguments)
        .unwrap_or_else(|| panic!("{name}: with which arguments?"))
}

/// Runs an example with each of these arguments.
pub fn run_all(
    (name, arguments): (&str, &[&str]),
    program: &Program,
    surroundings: &Surroundings,
    engines: &[&str],
    processors: &[usize],
) -> Result<(), String> {
    for engine in engines {
        for &processors in processors {
            for words in arguments {
                let mut machine = surroundings.machine(&program.path, engine, processors);
                machine.command.args(words.split_whitespace());
                let ended = machine.run();
                let last = ended.output.lines().last().unwrap_or_default();
                let verdict = last.strip_prefix(name).is_some_and(|rest| rest.starts_with(": "));
                if !ended.is_well() || !verdict || last.ends_with("WRONG") {
                    return Err(format!("{engine}, {processors}: {name} {words}: {ended:?}"));
                }
            }
        }
    }
    Ok(())
}

#[test]
fn every_example() {
    let files = examples();
    let names: Vec<String> = files.iter().map(|file| name_of(file)).collect();
    assert_eq!(names, ARGUMENTS.map(|(name, _)| name), "examples without arguments, or gone");
    let surroundings = Surroundings::now();
    let files: Vec<_> = files.iter().enumerate().collect();
    each(&files, |&(nth, file)| {
        let program = loadable(file, &["-std=c99", "-D_DEFAULT_SOURCE"]);
        let (name, engines) = (name_of(file), in_turn(&ENGINES, nth));
        run_all((&name, arguments(&name)), &program, &surroundings, &engines, &PROCESSORS)
    });
    surroundings.are_as_before();
}

/// Wrong arguments are refused with a message and a status.
#[test]
fn examples_with_bad_arguments() {
    let bad =
        [("fft", "1000"), ("fft", "16"), ("life", "7 8"), ("lu", "0"), ("sample_sort", "5 0")];
    let surroundings = Surroundings::now();
    each(&bad, |&(name, words)| {
        let file = examples().into_iter().find(|file| name_of(file) == name).unwrap();
        let program = loadable(&file, &[]);
        for engine in ENGINES {
            let mut machine = surroundings.machine(&program.path, engine, 8);
            machine.command.args(words.split_whitespace());
            let ended = machine.run();
            let refused = ended.messages.contains("usage: ") || ended.messages.contains("at most");
            if ended.status.code().is_none_or(|code| code == 0) || !refused {
                return Err(format!("{name} {words}: {ended:?}"));
            }
        }
        Ok(())
    });
    surroundings.are_as_before();
}
