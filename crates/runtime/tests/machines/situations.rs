//! `situations/ok`: all of them in one launch, for each start and number of processors.
//! `situations/runs`: complete programs that end normally.

use std::process::Command;

use crate::all::each;
use crate::build::{chosen_by_name, played};
use crate::engines::{Dialect, PROCESSORS, in_turn, thinned};
use crate::play::{is_as_stated, play};
use crate::stated::Stated;
use crate::support::Program;
use crate::surroundings::Surroundings;
use crate::{APART, ENGINES, STARTS, ways};

#[test]
fn every_situation() {
    let program = played(Dialect::Int, &[]);
    let surroundings = Surroundings::now();
    for (other, start) in STARTS.into_iter().enumerate() {
        for (nth, processors) in thinned(PROCESSORS, 2).into_iter().enumerate() {
            let engines = in_turn(&ENGINES, nth + other);
            play_on_all(&engines, &program, &surroundings, processors, &[("CLL_START", start)]);
        }
    }
    surroundings.are_as_before();
}

#[test]
fn every_situation_with_64_processors() {
    let program = played(Dialect::Int, &[]);
    let surroundings = Surroundings::now();
    play_on_all(&thinned(APART, 2), &program, &surroundings, 64, &[]);
    // Each copy of a program has its thread-local variables in limited space.
    play_on_all(&["threads"], &program, &surroundings, 12, &[]);
    surroundings.are_as_before();
}

#[test]
fn every_situation_with_sanitizers() {
    let probe = Command::new("gcc").args(["-print-file-name=libasan.so"]).output().unwrap();
    assert!(probe.status.success());
    if String::from_utf8_lossy(&probe.stdout).trim() == "libasan.so" {
        panic!("skipped: gcc has no sanitizers");
    }
    let program =
        played(Dialect::Int, &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    let surroundings = Surroundings::now();
    for (nth, processors) in [1, 3].into_iter().enumerate() {
        // Memory that is not freed at the end is the program's own matter.
        play_on_all(
            &in_turn(&APART, nth),
            &program,
            &surroundings,
            processors,
            &[("ASAN_OPTIONS", "detect_leaks=0")],
        );
    }
    surroundings.are_as_before();
}

/// Runs the situations with this number of processors; all must hold.
fn play_on_all(
    engines: &[&str],
    program: &Program,
    surroundings: &Surroundings,
    processors: usize,
    environment: &[(&str, &str)],
) {
    for engine in engines {
        play(program, surroundings, engine, processors, environment);
    }
}

#[test]
fn programs_that_end_well() {
    let programs = Stated::all("runs");
    let surroundings = Surroundings::now();
    let program = chosen_by_name(&programs, Dialect::Int);
    let mut runs = Vec::new();
    for (nth, stated) in programs.iter().enumerate() {
        let carrying: Vec<_> = ways().filter(|(engine, _)| stated.is_carried_by(engine)).collect();
        for way in in_turn(&carrying, nth) {
            runs.extend(stated.processors(&PROCESSORS).into_iter().map(|p| (stated, way, p)));
        }
    }
    each(&runs, |&(stated, (engine, start), processors)| {
        let mut machine = surroundings.machine(&program.path, engine, processors);
        machine.command.arg(&stated.name).env("CLL_START", start);
        let here = format!("{} ({engine}, {start}, {processors})", stated.name);
        let ended = machine.run_with(&stated.input);
        is_as_stated(stated, processors, &ended).map_err(|why| format!("{here}: {why}"))
    });
    surroundings.are_as_before();
}
