//! The sentences of the contract.

use super::{mpis, once};
use crate::all::each;
use crate::build::{chosen_by_name, played};
use crate::engines::{self, Dialect, PROCESSORS};
use crate::machine::Ended;
use crate::play::{is_as_stated, play};
use crate::stated::Stated;
use crate::stops::is_stopped;
use crate::support::Program;
use crate::surroundings::Surroundings;

#[test]
fn every_situation_on_mpi() {
    let surroundings = Surroundings::now();
    // The other dialect is the same calls with other types.
    let dialects = if engines::is_full() { &Dialect::ALL[..] } else { &[Dialect::Int] };
    for &dialect in dialects {
        let program = played(dialect, &[]);
        let mpis = mpis("every_situation_on_mpi");
        for (nth, processors) in engines::thinned(PROCESSORS, 2).into_iter().enumerate() {
            for mpi in engines::in_turn(&mpis, nth) {
                if dialect == Dialect::Int || processors == 3 {
                    play(&program, &surroundings, mpi, processors, &[]);
                }
            }
        }
    }
    surroundings.are_as_before();
}

/// Which of the MPIs the n-th program runs on.
type Choose = fn(&[&'static str], usize) -> Vec<&'static str>;

/// Programs of a folder, each with the MPIs that are chosen for it and a number of processors.
fn in_turn<'p>(
    programs: &'p [Stated],
    mpis: &[&'static str],
    choose: Choose,
) -> Vec<(&'p Stated, &'static str, usize)> {
    let carried =
        programs.iter().filter(|stated| stated.is_for(Dialect::Int) && is_carried(stated));
    let runs = carried.enumerate().flat_map(|(nth, stated)| {
        let processors = stated.processors(&[3]);
        let processors = processors[processors.len() / 2];
        let choose = if processors > engines::MANY { engines::always_in_turn } else { choose };
        choose(mpis, nth).into_iter().map(move |mpi| (stated, mpi, processors))
    });
    engines::thinned(runs, 5)
}

/// The differences on MPI, and the reasons.
const OTHERWISE: [(&str, &str); 4] = [
    ("direct_gets", "processors share no memory"),
    ("parts_that_begin_with_init", "a program has one parallel part there"),
    ("descriptors_are_as_before", "MPI keeps some of its own"),
    ("output_is_not_doubled", "what stands before bsp_init every process prints"),
];

/// Leaves out what is specific to one engine.
fn is_carried(stated: &Stated) -> bool {
    stated.is_for_mpi() && !OTHERWISE.iter().any(|(name, _)| *name == stated.name)
}

#[test]
fn programs_that_end_well_on_mpi() {
    let (programs, mpis) = (Stated::all("runs"), mpis("programs_that_end_well_on_mpi"));
    let program = compiled(&programs);
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
    let (programs, mpis) = (Stated::all("stops"), mpis("mistakes_on_mpi"));
    let program = compiled(&programs);
    let surroundings = Surroundings::now();
    each(&in_turn(&programs, &mpis, engines::always_in_turn), |&(stated, mpi, processors)| {
        let mut machine = surroundings.machine(&program.path, mpi, processors);
        machine.command.arg(&stated.name);
        let mut ended = machine.run();
        ended.messages = once(&ended.messages);
        is_stopped(stated, processors, &ended)
            .map_err(|why| format!("{} ({mpi}, {processors}): {why}: {ended:?}", stated.name))
    });
    surroundings.are_as_before();
}

fn compiled(programs: &[Stated]) -> Program {
    let stated: Vec<&Stated> =
        programs.iter().filter(|stated| stated.is_for(Dialect::Int)).collect();
    chosen_by_name(&stated, Dialect::Int)
}
