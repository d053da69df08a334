//! `situations/ok`: all of them in one launch, for each start and number of processors.
//! `situations/runs`: complete programs that end normally.

use std::process::Command;

use crate::all::each;
use crate::build::{chosen_by_name, number_of_situations, played};
use crate::engines::{PROCESSORS, in_turn, thinned};
use crate::machine::Ended;
use crate::stated::Stated;
use crate::support::Program;
use crate::surroundings::Surroundings;
use crate::{APART, ENGINES, STARTS, ways};

#[test]
fn every_situation() {
    let program = played(&[]);
    let surroundings = Surroundings::now();
    for (other, start) in STARTS.into_iter().enumerate() {
        for (nth, processors) in thinned(PROCESSORS, 2).into_iter().enumerate() {
            let engines = in_turn(&ENGINES, nth + other);
            play(&engines, &program, &surroundings, processors, &[("CLL_START", start)]);
        }
    }
    surroundings.are_as_before();
}

#[test]
fn every_situation_with_64_processors() {
    let program = played(&[]);
    let surroundings = Surroundings::now();
    play(&thinned(APART, 2), &program, &surroundings, 64, &[]);
    // Each copy of a program has its thread-local variables in limited space.
    play(&["threads"], &program, &surroundings, 12, &[]);
    surroundings.are_as_before();
}

#[test]
fn every_situation_with_sanitizers() {
    let probe = Command::new("gcc").args(["-print-file-name=libasan.so"]).output().unwrap();
    assert!(probe.status.success());
    if String::from_utf8_lossy(&probe.stdout).trim() == "libasan.so" {
        panic!("skipped: gcc has no sanitizers");
    }
    let program = played(&["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    let surroundings = Surroundings::now();
    for (nth, processors) in [1, 3].into_iter().enumerate() {
        // Memory that is not freed at the end is the program's own matter.
        play(
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
fn play(
    engines: &[&str],
    program: &Program,
    surroundings: &Surroundings,
    processors: usize,
    environment: &[(&str, &str)],
) {
    for engine in engines {
        play_on(engine, program, surroundings, processors, environment);
    }
}

/// The same on an engine.
pub fn play_on(
    engine: &str,
    program: &Program,
    surroundings: &Surroundings,
    processors: usize,
    environment: &[(&str, &str)],
) {
    let mut machine = surroundings.machine(&program.path, engine, processors);
    machine.command.envs(environment.iter().copied());
    if let Some(chosen) = std::env::var_os("SITUATIONS") {
        machine.command.env("SITUATIONS", chosen);
    }
    machine.command.env("SITUATIONS_SHOWN", "1");
    let ended = machine.run();
    let reported: Vec<&str> = ended.output.lines().filter(|line| !line.starts_with("# ")).collect();
    let last = ended.output.lines().rfind(|line| line.starts_with("# ")).unwrap_or("none");
    let here = format!("{processors} processors, {engine}, {environment:?}");
    assert!(
        ended.is_well() && !reported.iter().any(|line| line.starts_with("FAILED")),
        "{here}; the last situation of processor 0: {last}; {:?}{}\n{}\n{}",
        ended.status,
        if ended.endless { ", killed since it did not end" } else { "" },
        reported.join("\n"),
        ended.said
    );
    let all = number_of_situations();
    for pid in 0..processors {
        let line = format!("processor {pid} of {processors} played ");
        let played = reported.iter().find_map(|reported| reported.strip_prefix(&line));
        let chosen = std::env::var_os("SITUATIONS").is_some();
        let expected = format!("{all} situations");
        assert!(played.is_some_and(|count| chosen || count == expected), "{here}: {reported:?}");
    }
}

#[test]
fn programs_that_end_well() {
    let programs = Stated::all("runs");
    let surroundings = Surroundings::now();
    let program = chosen_by_name(&programs);
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

pub fn is_as_stated(stated: &Stated, processors: usize, ended: &Ended) -> Result<(), String> {
    let mut output: Vec<&str> = ended.output.lines().collect();
    if stated.unordered {
        output.sort_unstable();
    }
    if output == stated.output(processors)
        && stated.status.is(ended.status, 0)
        && ended.said.is_empty()
        && !ended.endless
    {
        Ok(())
    } else {
        Err(format!("{ended:?}"))
    }
}
