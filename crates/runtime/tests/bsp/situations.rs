//! `situations/ok`: all of them in one launch, for each dialect, engine and number of processors.
//! `situations/runs`: complete programs that end normally.

use std::fs::{self, File};

use crate::all::each;
use crate::build::{chosen_by_name, played};
use crate::engines::{Dialect, ENGINES, PROCESSORS, in_turn, thinned};
use crate::play::{is_as_stated, play};
use crate::stated::Stated;
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
