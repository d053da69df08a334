//! `situations/stops`: programs that an error of theirs, or bsp_abort, must stop: with exit status 1, one
//! message that names function, file, line and what was wrong, and nothing left behind.

use crate::all::each;
use crate::build::chosen_by_name;
use crate::engines::{Dialect, ENGINES, in_turn, thinned};
use crate::machine::Ended;
use crate::stated::Stated;
use crate::surroundings::Surroundings;

/// If a program says nothing else.
const PROCESSORS: [usize; 4] = [1, 2, 3, 8];

#[test]
fn mistakes_with_sizes_of_int() {
    stop_all(Dialect::Int);
}

#[test]
fn mistakes_with_sizes_of_size_t() {
    stop_all(Dialect::SizeT);
}

fn stop_all(dialect: Dialect) {
    let programs = Stated::all("stops");
    let stated: Vec<&Stated> = programs.iter().filter(|stated| stated.is_for(dialect)).collect();
    let program = chosen_by_name(&stated, dialect);
    let surroundings = Surroundings::now();
    let mut runs = Vec::new();
    for (nth, stated) in thinned(stated, 2).into_iter().enumerate() {
        for engine in in_turn(&stated.engines(&ENGINES), nth) {
            runs.extend(stated.processors(&PROCESSORS).into_iter().map(|p| (stated, engine, p)));
        }
    }
    each(&runs, |&(stated, engine, processors)| {
        let mut machine = surroundings.machine(&program.path, engine, processors);
        machine.command.arg(&stated.name);
        let ended = machine.run();
        let here = format!("{} ({dialect}, {engine}, {processors})", stated.name);
        is_stopped(stated, processors, &ended).map_err(|why| format!("{here}: {why}: {ended:?}"))
    });
    surroundings.are_as_before();
}

pub fn is_stopped(stated: &Stated, processors: usize, ended: &Ended) -> Result<(), String> {
    let ours = Ended::messages(&ended.messages);
    let output: Vec<&str> = ended.output.lines().collect();
    let wrong = if ended.endless {
        "it did not end"
    } else if !stated.status.is(ended.status, 1) {
        "its exit status is another"
    } else if !stated.is_said(&ended.messages, processors) {
        return Err(format!("it did not say {:?}", stated.expected(processors)));
    } else if ours == 0 || ours > 1 && stated.name != "all_abort" {
        "it is to be said once"
    } else if output != stated.output(processors) {
        "its standard output is another"
    } else {
        return Ok(());
    };
    Err(wrong.to_owned())
}
