//! `situations/stops`: programs that an error of theirs, or bsp_abort, must stop: with exit status 1, one
//! message that names function, file, line and what was wrong, and nothing left behind.

use crate::all::each;
use crate::build::chosen_by_name;
use crate::engines::{Dialect, in_turn};
use crate::machine::Ended;
use crate::stated::Stated;
use crate::surroundings::Surroundings;
use crate::ways;

/// If a program says nothing else.
const PROCESSORS: [usize; 4] = [1, 2, 3, 8];

#[test]
fn mistakes() {
    let programs = Stated::all("stops");
    let program = chosen_by_name(&programs, Dialect::Int);
    let surroundings = Surroundings::now();
    let mut runs = Vec::new();
    let ways: Vec<_> = ways().collect();
    for (nth, stated) in programs.iter().enumerate() {
        for way in in_turn(&ways, nth) {
            runs.extend(stated.processors(&PROCESSORS).into_iter().map(|p| (stated, way, p)));
        }
    }
    each(&runs, |&(stated, (engine, start), processors)| {
        let mut machine = surroundings.machine(&program.path, engine, processors);
        machine.command.arg(&stated.name).env("CLL_START", start);
        if let Some(seconds) = &stated.deadlock {
            machine.command.env("CLL_DEADLOCK", seconds);
        }
        let ended = machine.run();
        let here = format!("{} ({engine}, {start}, {processors})", stated.name);
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
    } else if ours != 1 {
        "it is to be said once"
    } else if output != stated.output(processors) {
        "its standard output is another"
    } else {
        return Ok(());
    };
    Err(wrong.to_owned())
}
