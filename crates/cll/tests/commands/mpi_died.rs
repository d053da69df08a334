//! Which rank of an MPI program was the first to end, by both MPIs: killed, crashed, gone, aborted.

use test_draw::is_drawn;

use crate::built;
use crate::mpi_calls::{OPEN_MPI, drawn, ready};
use crate::support::{Done, Place};

/// Rank 2 of 4 ends in the middle, when all have recorded: what the first argument says. It imitates its launcher before.
const RANKS: &str = r#"#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma cll parallel MPI

int main(int argc, char **argv)
{
    const char *how = argv[1];
    int me, i, n = 100;
    volatile int work = 0;

    if (argc > 2)
        n = atoi(argv[2]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (i = 0; i < 50; i++) {
#pragma cll step step[0] + step[1]*n
        for (int k = 0; k < n; k++)
            work += k;
#pragma cll end step
    }
    if (me == 0)
        fprintf(stderr, "mpirun noticed that process rank 1 with PID 0 on node x exited on signal 9 (Killed).\n"
                        "Abort(7) on node 1 (rank 1 in comm 0): a line of the program's, without an end");
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 2) {
        if (!strcmp(how, "kill"))
            raise(SIGKILL);
        if (!strcmp(how, "crash"))
            *(volatile int *)16 = 1;
        if (!strcmp(how, "exit"))
            exit(3);
        if (!strcmp(how, "abort"))
            MPI_Abort(MPI_COMM_WORLD, 3);
        if (!strcmp(how, "error"))
            MPI_Send(&me, 1, MPI_INT, 77, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
"#;

fn compiled(mpi: &str) -> Place {
    let place = Place::new();
    place.write("ranks.c", RANKS);
    let compiler = format!("mpicc.{mpi}");
    let line = ["cc", "-g", "-O1", "ranks.c", "-o", "ranks"];
    built::by_cll(&place, &[("CLL_CC", &compiler)], &line, &["ranks.c"], "ranks");
    place
}

/// How each ends, with what Open MPI and MPICH let be known of it. MPICH's launcher names processes that it has ended
/// itself, and of a status nobody.
const ENDS: [(&str, &str, Option<&str>); 5] = [
    ("kill", "by signal 9 (SIGKILL", None),
    ("crash", "by signal 11 (SIGSEGV", None),
    ("exit", "on its own, with exit code 3", None),
    ("abort", "by MPI_Abort with code 3", Some("by MPI_Abort with code 3")),
    ("error", "since it found an error", Some("since it found an error")),
];

/// Whether the end with this number is tried: by the seed, without a log or with one.
fn is_first(nth: usize) -> bool {
    is_drawn("an end of a rank", nth, 2)
}

/// The line that says who was first, if there is one.
fn named(done: &Done) -> Option<&str> {
    done.err.lines().find(|line| line.contains(" was the first to end: "))
}

fn check(mpi: &str, how: (&str, &str, Option<&str>), done: &Done, last: &str) {
    let (how, open_mpi, mpich) = how;
    // What MPI says in the process itself is lost on its way in one of some five runs, with either launcher.
    let messages = ["MPI_ABORT was invoked", "MPI_ERRORS_ARE_FATAL", ") on node 2 (rank 2"];
    let lost =
        matches!(how, "abort" | "error") && !messages.iter().any(|text| done.err.contains(text));
    let expected = if mpi == "openmpi" { Some(open_mpi) } else { mpich }.filter(|_| !lost);
    let head = "the program ended with exit code ";
    assert!(done.err.contains(head), "{mpi} {how}: {}", done.err);
    match (named(done), expected) {
        (Some(line), Some(expected)) => {
            let is_reported = line.contains(head) && line.contains(": rank 2 (process ");
            assert!(is_reported && line.contains(expected), "{mpi} {how}: {line}");
            assert!(line.contains(last), "{mpi} {how}: {line}");
        }
        (None, None) => {}
        (named, _) => panic!("{mpi} {how}: {named:?}\n{}", done.err),
    }
    // What the program and the launcher say is passed on.
    assert!(done.err.contains("a line of the program's, without an end"), "{}", done.err);
}

#[test]
fn the_first_rank_to_end_is_named_with_what_it_recorded_last() {
    if !ready("the_first_rank_to_end") {
        return;
    }
    for (nth, how) in ENDS.into_iter().enumerate().filter(|pair| is_first(pair.0)) {
        for mpi in drawn(nth / 2) {
            let place = compiled(mpi);
            let done = place.cll_with(&OPEN_MPI, &["run", "-n", "4", "./ranks", how.0]);
            assert!(!matches!(done.code, 0 | -1), "{mpi} {how:?}: {done:?}");
            check(mpi, how, &done, "; its last record is of step at ranks.c:");
        }
    }
}

#[test]
fn of_logged_calls_the_last_one_is_reported() {
    if !ready("of_logged_calls") {
        return;
    }
    for (nth, how) in ENDS.into_iter().enumerate().filter(|pair| is_first(pair.0 + 1)) {
        for mpi in drawn(nth / 2) {
            let place = compiled(mpi);
            let folder = format!("out-{}", how.0);
            let line = ["run", "--log", "-o", &folder, "-n", "4", "./ranks", how.0];
            let done = place.cll_with(&OPEN_MPI, &line);
            let last = match how.0 {
                "abort" => "; it was in MPI_Abort at ranks.c:",
                "error" => "; it was in MPI_Send at ranks.c:",
                _ => "; its last call was MPI_Barrier at ranks.c:",
            };
            check(mpi, how, &done, last);
        }
    }
}

#[test]
fn launches_of_models_report_it_too() {
    if !ready("a_model_s_launches") {
        return;
    }
    for mpi in drawn(0) {
        let place = Place::new();
        place.write("ranks.c", RANKS);
        let (compiler, launcher) = (format!("mpicc.{mpi}"), format!("mpirun.{mpi}"));
        let with = [&OPEN_MPI[..], &[("CLL_CC", &*compiler), ("CLL_MPIRUN", &*launcher)]].concat();
        let line =
            ["model", "ranks.c", "-n", "3", "--launches", "1", "--oversubscribe", "--", "kill"];
        let done = place.cll_with(&with, &line);
        let line = named(&done);
        let reported =
            line.is_some_and(|line| line.contains("rank 2 (") && line.contains("step at ranks.c:"));
        assert_eq!(reported, mpi == "openmpi", "{mpi}: {done:?}");
        assert!(done.err.contains("the program ended with exit code"), "{mpi}: {done:?}");
    }
}

#[test]
fn nothing_is_reported_of_a_program_that_ends_well() {
    if !ready("a_program_that_ends_well") {
        return;
    }
    for mpi in drawn(1) {
        let place = compiled(mpi);
        let done = place.cll_with(&OPEN_MPI, &["run", "-n", "4", "./ranks", "well"]).expect(0);
        assert!(named(&done).is_none(), "{}", done.err);
    }
}
