//! `examples/pub`: each with several numbers of processors and arguments; each checks its own result.

use std::path::{Path, PathBuf};

use crate::all::each;
use crate::build::{alone, loadable};
use crate::engines::thinned;
use crate::stated::{name_of, sources};
use crate::surroundings::Surroundings;
use crate::{ENGINES, STARTS};

/// The programs, numbers of processors, and arguments for them.
const RUNS: [(&str, &[usize], &[&str]); 4] = [
    ("fft", &[1, 2, 4, 8, 16, 32], &["", "1", "2", "64", "8192", "SIGNAL"]),
    ("parts", &[1, 2, 3, 5, 7, 8], &["", "1000"]),
    ("pipeline", &[1, 2, 3, 8], &["", "1 1", "100 300"]),
    ("task_farm", &[1, 2, 3, 8], &["", "1", "100 7"]),
];

fn examples() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/pub");
    sources(&folder.canonicalize().unwrap(), &mut files);
    files.sort();
    files
}

#[test]
fn every_example() {
    let surroundings = Surroundings::now();
    let files = examples();
    assert_eq!(files.len(), RUNS.len(), "{files:?}");
    each(&files, |file| {
        let name = name_of(file);
        let program =
            loadable(file, &["-O2", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas"]);
        let signal = program.folder.path().join("signal.txt");
        let lines: String = (0..16).map(|k| format!("{} {}\n", k * k % 7, k % 3)).collect();
        std::fs::write(&signal, lines).unwrap();
        let known = RUNS.iter().find(|(known, ..)| *known == name);
        let (_, processors, arguments) = known.ok_or_else(|| format!("{name}: how is it run?"))?;
        let runs = processors.iter().flat_map(|&processors| {
            arguments.iter().enumerate().map(move |(turn, words)| (processors, turn, *words))
        });
        for (processors, turn, words) in thinned(runs, 2) {
            let engine = ENGINES[(turn + processors) % 3];
            let mut machine = surroundings.machine(&program.path, engine, processors);
            let words = words.replace("SIGNAL", signal.to_str().unwrap());
            machine.command.args(words.split_whitespace());
            machine.command.env("CLL_START", STARTS[turn % 2]);
            let ended = machine.run();
            let last = ended.output.lines().last().unwrap_or_default();
            let verdict = last.strip_prefix(&name).is_some_and(|rest| rest.starts_with(": "));
            if !ended.is_well() || !verdict || ended.output.contains("WRONG") {
                return Err(format!("{processors}: {name} {words}: {ended:?}"));
            }
        }
        Ok(())
    });
    surroundings.are_as_before();
}

#[test]
fn a_wrong_number_of_elements_or_processors_is_reported() {
    let file = examples().into_iter().find(|file| name_of(file) == "fft").unwrap();
    let program = alone(&file, &["-O2", "-Wno-unknown-pragmas"]);
    let surroundings = Surroundings::now();
    for (processors, words, expected) in [
        (2, "1000", "1000 numbers; their number must be a power of two"),
        (3, "64", "3 processors; their number must be a power of two"),
        (2, "nowhere.txt", "nowhere.txt is neither a number of elements nor a file"),
    ] {
        let mut machine = surroundings.machine(&program.path, "processes", processors);
        machine.command.arg(words);
        let ended = machine.run();
        assert!(!ended.status.success() && ended.messages.contains(expected), "{ended:?}");
    }
    surroundings.are_as_before();
}
