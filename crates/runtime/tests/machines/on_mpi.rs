//! Machine objects on MPI, with every MPI that is installed.
//!
//! As in the suite of BSPlib: what needs a separate launch runs with one number of processors and with one of
//! the MPIs, in turn.

use crate::all::each;
use crate::build::{chosen_by_name, played};
use crate::engines::{self, Dialect, PROCESSORS};
use crate::machine::Ended;
use crate::mpi::{mpis, once};
use crate::play::{is_as_stated, play};
use crate::stated::Stated;
use crate::stops::is_stopped;
use crate::surroundings::Surroundings;

#[test]
fn every_situation_on_mpi() {
    let program = played(Dialect::Int, &[]);
    let surroundings = Surroundings::now();
    let mpis = mpis("every_situation_of_machine_objects_on_mpi");
    for (nth, processors) in engines::thinned(PROCESSORS, 2).into_iter().enumerate() {
        for mpi in engines::in_turn(&mpis, nth) {
            play(&program, &surroundings, mpi, processors, &[]);
        }
    }
    surroundings.are_as_before();
}

/// Which of the MPIs the n-th program runs on.
type Choose = fn(&[&'static str], usize) -> Vec<&'static str>;

fn in_turn<'p>(
    programs: &'p [Stated],
    mpis: &[&'static str],
    choose: Choose,
) -> Vec<(&'p Stated, &'static str, usize)> {
    let carried = programs.iter().filter(|stated| stated.is_for_mpi());
    let runs = carried.enumerate().flat_map(|(nth, stated)| {
        let processors = stated.processors(&[3]);
        let processors = processors[processors.len() / 2];
        let choose = if processors > engines::MANY { engines::always_in_turn } else { choose };
        choose(&stated.engines(mpis), nth).into_iter().map(move |mpi| (stated, mpi, processors))
    });
    engines::thinned(runs, 5)
}

#[test]
fn programs_that_end_well_on_mpi() {
    let (programs, mpis) = (Stated::all("runs"), mpis("programs_with_machine_objects_on_mpi"));
    let program = chosen_by_name(&programs, Dialect::Int);
    let surroundings = Surroundings::now();
    each(&in_turn(&programs, &mpis, engines::in_turn), |&(stated, mpi, processors)| {
        let mut machine = surroundings.machine(&program.path, mpi, processors);
        machine.command.arg(&stated.name);
        let mut ended = machine.run_with(&stated.input);
        if !ended.status.success() && Ended::messages(&ended.messages) == 0 {
            // The launcher reports that a process has ended with this status.
            ended.messages.clear();
        }
        is_as_stated(stated, processors, &ended)
            .map_err(|why| format!("{} ({mpi}, {processors}): {why}", stated.name))
    });
    surroundings.are_as_before();
}

#[test]
fn mistakes_on_mpi() {
    let (programs, mpis) = (Stated::all("stops"), mpis("mistakes_with_machine_objects_on_mpi"));
    let program = chosen_by_name(&programs, Dialect::Int);
    let surroundings = Surroundings::now();
    each(&in_turn(&programs, &mpis, engines::always_in_turn), |&(stated, mpi, processors)| {
        let mut machine = surroundings.machine(&program.path, mpi, processors);
        machine.command.arg(&stated.name);
        if let Some(seconds) = &stated.deadlock {
            machine.command.env("CLL_DEADLOCK", seconds);
        }
        let mut ended = machine.run();
        ended.messages = once(&ended.messages);
        is_stopped(stated, processors, &ended)
            .map_err(|why| format!("{} ({mpi}, {processors}): {why}: {ended:?}", stated.name))
    });
    surroundings.are_as_before();
}
