//! `sync` in MPI programs: how the processes begin together, on both MPIs, is what was asked for, and reported.

use serde_json::{Value, json};
use test_draw::is_drawn;

use crate::built;
use crate::mpi_calls::{OPEN_MPI, drawn, ready};
use crate::support::{Done, Place, have, run};

/// A hundred passages of all processes; with an argument those of another communicator.
const TEAM: &str = r#"#include <mpi.h>
#include <string.h>

#pragma cll parallel MPI team

int main(int argc, char **argv)
{
    MPI_Comm team = MPI_COMM_WORLD, half;
    int n, me, i;
    volatile int work = 0;
    const char *how = argc > 1 ? argv[1] : "";

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (!strcmp(how, "self"))
        team = MPI_COMM_SELF;
    if (!strcmp(how, "made"))
        MPI_Comm_dup(MPI_COMM_WORLD, &team);
    if (!strcmp(how, "groups")) {
        MPI_Comm_split(MPI_COMM_WORLD, me % 2, 0, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, !(me % 2), 5, &team);
    }
    for (n = 1; n <= 4; n++)
        for (i = 0; i < 25; i++) {
#pragma cll sync step step[0] + step[1]*n
            for (int k = 0; k < 100 * n; k++)
                work += k;
#pragma cll end step
        }
    if (!strcmp(how, "made"))
        MPI_Comm_free(&team);
    return MPI_Finalize();
}
"#;

/// Processes that come to the `sync` of the same communicator at different places, in different files.
const CROSSED: [(&str, &str); 2] = [
    (
        "main.c",
        "#include <mpi.h>
#pragma cll parallel MPI
void other(int n);
static void here(int n)
{
#pragma cll sync here here[0]*n
    n++;
#pragma cll end here
}
int main(int argc, char **argv)
{
    int me, i;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (i = 0; i < 10; i++)
        (me + i) % 2 ? here(i) : other(i);
    return MPI_Finalize();
}
",
    ),
    (
        "other.c",
        "#include <mpi.h>
#pragma cll parallel MPI
void other(int n)
{
#pragma cll sync other other[0]*n
    n++;
#pragma cll end other
}
",
    ),
];

fn compiled(mpi: &str, files: &[(&str, &str)]) -> Place {
    let place = Place::new();
    files.iter().for_each(|(name, text)| place.write(name, text));
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    let line = [&["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", "team"], &names[..]].concat();
    let compiler = format!("mpicc.{mpi}");
    built::by_cll(&place, &[("CLL_CC", &compiler)], &line, &names, "team");
    place
}

/// `words` behind mpirun; what the processes have recorded is read, and removed.
fn recorded(place: &Place, mpi: &str, asked: &str, words: &[&str]) -> (Value, Done) {
    let mut command = place.command("timeout");
    command.args(["120", &format!("mpirun.{mpi}")]).envs(OPEN_MPI).env("CLL_SYNC", asked);
    if mpi == "openmpi" {
        command.args(["--oversubscribe", "--bind-to", "none"]);
    }
    run(command.args(words)).expect(0);
    let files = place.list(".").into_iter().filter(|name| name.ends_with(".dat"));
    let files: Vec<String> = files.collect();
    let names: Vec<&str> = files.iter().map(String::as_str).collect();
    let trace = place.cll(&[&["export", "--format", "json"], &names[..]].concat()).expect(0).json();
    let fit = place.cll(&[&["fit", "--details"], &names[..]].concat());
    names.iter().for_each(|name| std::fs::remove_file(place.path(name)).unwrap());
    (trace, fit)
}

/// Samples, and how many of them began behind a barrier and in a window.
fn counts(trace: &Value) -> [u64; 3] {
    let sum = |what: &str| {
        let all = trace["experiments"].as_array().unwrap().iter();
        all.map(|value| value[what].as_u64().unwrap()).sum()
    };
    [sum("samples"), sum("barrier"), sum("window")]
}

#[test]
fn what_is_requested_is_done_and_reported() {
    if !ready("what_is_asked_for") {
        return;
    }
    for mpi in drawn(0) {
        let place = compiled(mpi, &[("team.c", TEAM)]);
        let (trace, fit) = recorded(&place, mpi, "barrier", &["-n", "3", "./team"]);
        assert_eq!(counts(&trace), [300, 300, 0], "{mpi}");
        for process in trace["processes"].as_array().unwrap() {
            let reported = json!([{ "by": "barrier", "why": "CLL_SYNC", "processes": 3, "clocks": 1,
                                "within_ns": 0 }]);
            assert_eq!(process["sync"], reported, "{mpi}");
        }
        fit.prints(&["Begun together\n  300 samples behind a barrier\n"]);
        let (trace, fit) = recorded(&place, mpi, "window", &["-n", "2", "./team", "made"]);
        assert_eq!(counts(&trace), [200, 0, 200], "{mpi}");
        assert_eq!(trace["processes"][1]["sync"][0]["by"], "window", "{mpi}");
        fit.prints(&["200 samples at a time that the processors had agreed upon"]);
        let origins = trace["experiments"][0]["cells"][0]["origins"].as_array().unwrap();
        assert!(
            origins.iter().all(|one| ["window", "late"].contains(&one["sync"].as_str().unwrap()))
        );
    }
}

#[test]
fn by_default_processes_without_a_core_of_their_own_wait_at_a_barrier() {
    if !ready("by_default") {
        return;
    }
    let more = (1 + std::thread::available_parallelism().unwrap().get()).to_string();
    for mpi in drawn(1) {
        let place = compiled(mpi, &[("team.c", TEAM)]);
        let (trace, _) = recorded(&place, mpi, "", &["-n", &more, "./team"]);
        let [samples, barrier, _] = counts(&trace);
        assert_eq!(samples, barrier, "{mpi}");
        assert_eq!(trace["processes"][0]["sync"][0]["why"], "more processes than cores");
        if more != "2" {
            let (trace, _) = recorded(&place, mpi, "auto", &["-n", "2", "./team"]);
            assert_eq!(counts(&trace), [200, 0, 200], "{mpi}");
        }
    }
}

#[test]
fn alone_nobody_waits_and_two_groups_have_a_barrier() {
    if !is_drawn("alone_nobody_waits", 0, 2) || !ready("alone_nobody_waits") {
        return;
    }
    for mpi in drawn(0) {
        let place = compiled(mpi, &[("team.c", TEAM)]);
        let (trace, _) = recorded(&place, mpi, "window", &["-n", "2", "./team", "self"]);
        assert_eq!(counts(&trace), [200, 0, 0], "{mpi}");
        let (trace, _) = recorded(&place, mpi, "window", &["-n", "2", "./team", "groups"]);
        assert_eq!(counts(&trace), [200, 200, 0], "{mpi}");
    }
}

#[test]
fn one_window_of_processes_at_different_places() {
    if !is_drawn("one_window_of_processes", 1, 2) || !ready("one_window_of_processes") {
        return;
    }
    for mpi in drawn(1) {
        let place = compiled(mpi, &CROSSED);
        let (trace, _) = recorded(&place, mpi, "window", &["-n", "2", "./team"]);
        assert_eq!(counts(&trace), [20, 0, 20], "{mpi}");
    }
}

/// Tests that a late process is reported: two processes on one core cannot begin within a microsecond of each other.
#[test]
fn a_late_process_is_reported() {
    if !is_drawn("who_begins_late", 2, 2)
        || !ready("who_begins_late")
        || !have("taskset", "who_begins_late")
    {
        return;
    }
    for mpi in drawn(0) {
        let place = compiled(mpi, &[("team.c", TEAM)]);
        let line = [
            "-n",
            "2",
            "sh",
            "-c",
            "exec taskset -c $(taskset -cp $$ | sed 's/.*: //; s/[-,].*//') ./team",
        ];
        let (trace, fit) = recorded(&place, mpi, "window", &line);
        assert_eq!(counts(&trace), [200, 0, 200], "{mpi}");
        assert!(trace["experiments"][0]["late"].as_u64().unwrap() > 0, "{mpi}: {trace}");
        fit.prints(&[" began late"]);
    }
}

/// The second process's clock is a quarter of an hour ahead, as on another host.
#[test]
fn clocks_that_are_not_one_are_compared() {
    let apart = ["unshare", "-T", "--monotonic", "1000"];
    let can = || run(Place::new().command(apart[0]).args(&apart[1..]).arg("true")).code == 0;
    if !is_drawn("clocks_that_are_not_one", 3, 2)
        || !ready("clocks_that_are_not_one")
        || !have("unshare", "clocks_that_are_not_one")
    {
        return;
    }
    if !can() {
        return crate::support::skip(
            "clocks_that_are_not_one",
            "no clocks of one's own are granted",
        );
    }
    for mpi in drawn(1) {
        let place = compiled(mpi, &[("team.c", TEAM)]);
        let words = [&["-n", "1", "./team", ":", "-n", "1"], &apart[..], &["./team"]].concat();
        let (trace, fit) = recorded(&place, mpi, "window", &words);
        assert_eq!(counts(&trace), [200, 0, 200], "{mpi}");
        let reported = &trace["processes"][0]["sync"][0];
        assert_eq!(reported["clocks"], 2, "{mpi}: {reported}");
        let within = reported["within_ns"].as_u64().unwrap();
        assert!(within > 0, "{mpi}: {reported}");
        // A clock that was off by more would have all wait for it, or all be late.
        assert!(trace["experiments"][0]["late"].as_u64().unwrap() < 200, "{mpi}");
        fit.prints(&["by clocks that are known within"]);
    }
}

#[test]
fn words_that_mean_nothing_are_reported_once() {
    if !ready("words_that_mean_nothing") {
        return;
    }
    let place = compiled("openmpi", &[("team.c", TEAM)]);
    let mut command = place.command("mpirun.openmpi");
    command.envs(OPEN_MPI).env("CLL_SYNC", "fence").args(["--oversubscribe", "-n", "2", "./team"]);
    let done = run(&mut command).expect(0);
    let message = "CLL_SYNC must be barrier, window or auto: fence";
    assert_eq!(done.err.matches(message).count(), 1, "{}", done.err);
}
