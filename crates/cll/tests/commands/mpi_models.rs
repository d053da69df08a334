//! `cll model` with MPI programs, of both MPIs, good and bad.

use serde_json::Value;
use test_draw::thinned;

use crate::mpi_calls::{OPEN_MPI, drawn};
use crate::support::{Done, Place, with_enough_time};

/// Every process takes as many milliseconds as its number and the size say; with an argument something
/// goes wrong.
const RANKS: &str = r#"#include <mpi.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#pragma cll parallel MPI team procs = 1:2:2

static void busy(double seconds)
{
    struct timespec now;
    double begin;
    clock_gettime(CLOCK_MONOTONIC, &now);
    begin = now.tv_sec + 1e-9 * now.tv_nsec;
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while (now.tv_sec + 1e-9 * now.tv_nsec - begin < seconds);
}

int main(int argc, char **argv)
{
    MPI_Comm team;
    int n, me, p;
    const char *how = argc > 1 ? argv[1] : "";

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &team);
    MPI_Comm_rank(team, &me);
    MPI_Comm_size(team, &p);
#pragma cll for (n = 1; n <= 3; n++)
#pragma cll sync whole whole[0] + whole[1]*n/P
    busy(1e-3 * n / p * (me + 1));
#pragma cll end whole
    if (me == p - 1 && !strcmp(how, "alone")) {
#pragma cll alone alone[0] + alone[1]*n
        busy(1e-3);
#pragma cll end alone
    }
#pragma cll end for
    if (p == 2 && me == 1 && !strcmp(how, "dies"))
        abort();
    if (p == 2 && me == 1 && !strcmp(how, "aborts"))
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (p == 2 && me == 1 && !strcmp(how, "hangs"))
        MPI_Recv(&n, 1, MPI_INT, 0, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!strcmp(how, "leaves"))
        exit(0);
    MPI_Barrier(team);
    MPI_Comm_free(&team);
    MPI_Finalize();
    return 0;
}
"#;

/// `cll` with an MPI of its own, as root may run it.
fn cll(place: &Place, mpi: &str, arguments: &[&str]) -> Done {
    let (compiler, launcher) = (format!("mpicc.{mpi}"), format!("mpirun.{mpi}"));
    let own = [("CLL_CC", compiler.as_str()), ("CLL_MPIRUN", launcher.as_str())];
    let variables = [&own[..], &OPEN_MPI].concat();
    place.cll_with(&variables, arguments)
}

fn cores() -> usize {
    std::thread::available_parallelism().unwrap().get()
}

const LINE: [&str; 9] =
    ["model", "ranks.c", "--launches", "1", "--oversubscribe", "--json", "-q", "-o", "out"];

#[test]
fn a_model_of_both_mpis_is_of_the_slowest_process() {
    for mpi in drawn(0) {
        let place = Place::new();
        place.write("ranks.c", RANKS);
        let line = [&LINE[..], &["--predict", "n=4,P=4"]].concat();
        let answer = cll(&place, mpi, &line).expect(0).json();
        assert_eq!(answer["program"]["model"], "MPI");
        let experiment = &answer["experiments"][0];
        assert_eq!(
            (&experiment["name"], &experiment["imbalance"]["processors"]),
            (&"whole".into(), &2.into())
        );
        assert!(experiment["imbalance"]["slowest"].as_f64().unwrap() > 1.0, "{experiment}");
        let sync = &experiment["sync"];
        assert!(
            sync["barrier"].as_u64().unwrap() + sync["window"].as_u64().unwrap() > 0,
            "{experiment}"
        );
        let recorded = experiment["fit"]["recorded"].as_array().unwrap();
        let index_of = |name: &str| recorded.iter().position(|value| value == name).unwrap();
        let residuals = experiment["fit"]["residuals"].as_array().unwrap();
        let mut counts: Vec<f64> = Vec::new();
        for residual in residuals {
            counts.push(residual["values"][index_of("P")].as_f64().unwrap());
            // The last of P processes takes n ms, whatever P.
            let least = 0.99e-3 * residual["values"][index_of("n")].as_f64().unwrap();
            assert!(residual["measured"].as_f64().unwrap() > least, "{residual}");
        }
        assert!(counts.contains(&1.0) && counts.contains(&2.0), "{counts:?}");
        assert_eq!(answer["predictions"].as_array().map(Vec::len), Some(1));
        // One trace for each launch, whatever the number of processes, and nothing is left beside them.
        let traces = place.list("out").into_iter().filter(|name| name.ends_with(".dat"));
        assert_eq!(traces.count(), 2);
        assert!(place.list("out").iter().all(|name| !name.starts_with(".cll-")));
        assert!(place.exists("out/plots/whole.svg"));
    }
}

#[test]
fn the_compiler_is_mpi_s_own_where_none_is_named() {
    let place = Place::new();
    place.write("ranks.c", RANKS);
    let answer = place.cll_with(&OPEN_MPI, &LINE).expect(0).json();
    let command = answer["program"]["compiled"]["command"].as_str().unwrap();
    assert!(command.starts_with("mpicc "), "{command}");
    place
        .cll_with(&[("CLL_MPICC", "/no/mpicc")], &["model", "ranks.c", "-o", "no"])
        .expect(7)
        .says(&["/no/mpicc"]);
}

#[test]
fn another_mpi_than_it_was_compiled_for_is_refused_by_name() {
    let place = Place::new();
    place.write("ranks.c", RANKS);
    let variables = [("CLL_CC", "mpicc.mpich"), ("CLL_MPIRUN", "mpirun.openmpi")];
    place.cll_with(&variables, &LINE).expect(2).says(&[
        "is linked with MPICH",
        "mpirun.openmpi is Open MPI's",
        "CLL_MPIRUN=mpirun.mpich",
    ]);
}

#[test]
fn processes_that_die_abort_or_hang_end_the_run_and_are_reported() {
    let ends = |how: &str, limit: &str| {
        let place = Place::new();
        place.write("ranks.c", RANKS);
        let line = [&LINE[..], &["--timeout", limit, "--", how]].concat();
        cll(&place, "openmpi", &line)
    };
    let fitted = |done: &Done| done.code == 5 && done.out.contains("\"imbalance\"");
    for how in thinned(["dies", "aborts", "hangs"], 3) {
        let done = match how {
            "hangs" => with_enough_time(|limit| ends(how, limit), fitted),
            _ => ends(how, "600s"),
        };
        let done = done.expect(5);
        let message = if how == "hangs" { "took too long" } else { "launches the program" };
        assert!(done.err.contains(message), "{how}: {}", done.err);
        let answer: Value = done.json();
        // What was recorded before that is fitted, of both processes.
        assert_eq!(answer["experiments"][0]["imbalance"]["processors"], 2, "{how}");
    }
}

#[test]
fn one_that_never_finalizes_is_reported() {
    let place = Place::new();
    place.write("ranks.c", RANKS);
    let line = [&LINE[..], &["--", "leaves"]].concat();
    let done = cll(&place, "openmpi", &line).expect(5);
    assert!(done.err.contains("launches the program"), "{}", done.err);
    assert!(done.err.contains("finalize"), "the launcher's own words: {}", done.err);
}

#[test]
fn an_experiment_that_some_processes_never_pass_is_reported() {
    let place = Place::new();
    place.write("ranks.c", RANKS);
    let line = [&LINE[..], &["--", "alone"]].concat();
    let answer = cll(&place, "openmpi", &line).expect(0).json();
    let warnings = answer["warnings"].as_array().unwrap();
    let reported =
        warnings.iter().find(|warning| warning["code"] == "absent").expect("it is reported");
    let text = reported["text"].as_str().unwrap();
    assert!(text.contains("alone") && text.contains("processor 0 of 2"), "{text}");
}

#[test]
fn processors_beyond_the_cores_are_left_out_of_a_model() {
    let place = Place::new();
    let many = format!("procs = 1,{}", cores() + 1);
    place.write("ranks.c", RANKS.replace("procs = 1:2:2", &many));
    let line = ["model", "ranks.c", "--launches", "1", "--json", "-o", "out"];
    let done = cll(&place, "openmpi", &line).expect(0).says(&["left out"]);
    let answer = done.json();
    assert_eq!(answer["runs"].as_array().map(Vec::len), Some(1));
    let line = ["model", "ranks.c", "-n", "64000", "-o", "out"];
    cll(&place, "openmpi", &line).expect(2).says(&["64000 processors", "--oversubscribe"]);
}
