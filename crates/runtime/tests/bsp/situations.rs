//! `situations/ok`: all of them in one launch, for each dialect, engine and number of processors.
//! `situations/runs`: complete programs that end normally.

use std::fs::{self, File};

use crate::all::each;
use crate::build::{chosen_by_name, number_of_situations, played};
use crate::engines::{Dialect, ENGINES, PROCESSORS, in_turn, thinned};
use crate::machine::Ended;
use crate::stated::Stated;
use crate::support::Program;
use crate::surroundings::Surroundings;

#[test]
fn every_situation_with_sizes_of_int() {
    play_all(Dialect::Int, &[]);
}

#[test]
fn every_situation_with_sizes_of_size_t() {
    play_all(Dialect::SizeT, &[]);
}

fn play_all(dialect: Dialect, flags: &[&str]) {
    let program = played(dialect, flags);
    let surroundings = Surroundings::now();
    for (nth, processors) in thinned(PROCESSORS, 2).into_iter().enumerate() {
        // On another engine in the other dialect.
        for engine in in_turn(&ENGINES, nth + usize::from(dialect == Dialect::SizeT)) {
            play(&program, &surroundings, engine, processors, &[]);
        }
    }
    surroundings.are_as_before();
}

/// Runs the situations with this number of processors; all must hold.
pub fn play(
    program: &Program,
    surroundings: &Surroundings,
    engine: &str,
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
    let here = format!("{processors} processors, engine {engine}");
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
    for dialect in Dialect::ALL {
        let stated: Vec<&Stated> =
            programs.iter().filter(|stated| stated.is_for(dialect)).collect();
        let program = chosen_by_name(&stated, dialect);
        let mut runs = Vec::new();
        for (nth, stated) in stated.into_iter().enumerate() {
            for engine in in_turn(&stated.engines(&ENGINES), nth) {
                runs.extend(
                    stated.processors(&PROCESSORS).into_iter().map(|p| (stated, engine, p)),
                );
            }
        }
        each(&runs, |&(stated, engine, processors)| {
            let machine = || {
                let mut machine = surroundings.machine(&program.path, engine, processors);
                machine.command.arg(&stated.name);
                machine
            };
            let here = format!("{} ({dialect}, {engine}, {processors})", stated.name);
            let ended = machine().run_with(&stated.input);
            is_as_stated(stated, processors, &ended).map_err(|why| format!("{here}: {why}"))?;
            if stated.input.is_empty() {
                return Ok(());
            }
            let path = program.folder.path().join(format!("{}.{processors}.{engine}", stated.name));
            fs::write(&path, &stated.input).unwrap();
            let ended = machine().run_with_file(&File::open(&path).unwrap());
            is_as_stated(stated, processors, &ended)
                .map_err(|why| format!("{here}, input from a file: {why}"))
        });
    }
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
