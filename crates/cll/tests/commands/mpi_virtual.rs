//! Programs of MPI on more ranks than cores: `cll run --engine virtual`.

use serde_json::Value;

use crate::mpi_calls::{cll, compile, drawn, ready};
use crate::support::{Done, Place};

/// Ranks compute one after the other, 4 ms of processor time each, while the next one waits for a message; by the
/// argument they then do what is not logged completely.
const CHAIN: &str = r#"#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double used(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

static void compute(double seconds)
{
    double begin = used();
    while (used() - begin < seconds)
        ;
}

int main(int argc, char **argv)
{
    int me, p, token = 0, sum, flag = 0, i;
    const char *how = argc > 1 ? argv[1] : "";
    MPI_Comm half;
    MPI_Request request;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    if (me > 0)
        MPI_Recv(&token, 1, MPI_INT, me - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    compute(4e-3);
    if (me < p - 1)
        MPI_Ssend(&token, 1, MPI_INT, me + 1, 0, MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half);
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, half);
    if (me == 0) {
        for (i = 1; i < p; i++) {
            MPI_Irecv(&token, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
            while (!flag)
                MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
            flag = 0;
        }
        printf("sum %d at %d\n", sum, MPI_Wtime() >= 0);
    } else {
        MPI_Send(&me, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    if (!strcmp(how, "locks")) {
        MPI_Win_create(&token, sizeof token, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        MPI_Win_unlock(0, window);
        MPI_Win_free(&window);
    }
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
"#;

const RANKS: u32 = 7;

/// A message is 1 ms on the way.
const MACHINE: &str = r#"cll-machine = 3
name = "far"

[origin]
when = "2026-01-31T12:00:00Z"
by = "hand"

[[mpi]]
name = "Some MPI 1"
eager = "4 KiB"

[[message]]
mpi = "Some MPI 1"
call = "emission"
pieces = [{ from = "1 B", to = "1 MiB", L = "10 us", g = "0 ns/B" }]

[[message]]
mpi = "Some MPI 1"
call = "transit"
pieces = [{ from = "1 B", to = "1 MiB", L = "1 [0.9, 1.1] ms", g = "0 ns/B" }]

[[message]]
mpi = "Some MPI 1"
call = "reception"
pieces = [{ from = "1 B", to = "1 MiB", L = "10 us", g = "0 ns/B" }]
"#;

fn run(place: &Place, options: &[&str], program: &[&str]) -> Done {
    let line = ["run", "-n", "7", "--engine", "virtual"];
    cll(place, &[&line[..], options, program].concat())
}

fn prediction(done: &Done) -> Value {
    serde_json::from_str(done.out.lines().last().unwrap()).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn ranks_have_the_time_of_separate_cores() {
    if !ready("ranks in turns") {
        return;
    }
    for mpi in drawn(1) {
        let place = Place::new();
        place.write("chain.c", CHAIN);
        place.write("far.toml", MACHINE);
        compile(&place, &format!("mpicc.{mpi}"), "chain.c", "chain");
        let done = run(&place, &["--json"], &["./chain"]).expect(0).says(&[
            "7 ranks, each on a core of its own",
            "communication takes no time",
            "called MPI_Wtime 1 time ",
        ]);
        assert!(done.out.starts_with("sum 12 at 1\n"), "{}", done.out);
        let value = prediction(&done);
        assert_eq!((&value["processors"], &value["complete"]), (&RANKS.into(), &true.into()));
        let total = number(&value["total_s"]);
        let chain = 4e-3 * f64::from(RANKS);
        // One after the other, and not the time in which they had no turn.
        assert!(total >= chain && total < 4.0 * chain, "{mpi}: {total}");
        let ranks = value["ranks"].as_array().unwrap();
        assert_eq!(ranks.len(), RANKS as usize);
        for (number_of, rank) in ranks.iter().enumerate() {
            let seconds_of = |name: &str| number(&rank[name]);
            assert!(
                seconds_of("computation_s") >= 4e-3 && seconds_of("communication_s") == 0.0,
                "{mpi}: {rank}"
            );
            // What it computes beside its 4 ms may be before its message comes: so long it does not wait.
            let beside = seconds_of("computation_s") - 4e-3;
            assert!(seconds_of("waiting_s") + beside >= 4e-3 * number_of as f64, "{mpi}: {rank}");
            let sum = seconds_of("computation_s")
                + seconds_of("communication_s")
                + seconds_of("waiting_s");
            assert!((sum - seconds_of("end_s")).abs() < 1e-9, "{mpi}: {rank}");
        }
        assert!(number(&value["real"]["phases_s"]) >= chain, "{value}");
        assert!(value["real"]["cores"].is_null() && number(&value["cores"]) >= 1.0);
        // Six messages one after the other, a tree of an all-reduce, and a message to rank 0.
        let far =
            prediction(&run(&place, &["--machine", "far.toml", "--json"], &["./chain"]).expect(0));
        let (far_total, model) = (number(&far["total_s"]), &far["model"]);
        assert!(far_total >= chain + 8.0 * 1e-3, "{mpi}: {far}");
        assert_eq!(far["machine"], "far");
        assert!(
            number(&model["low_s"]) < far_total && far_total < number(&model["high_s"]),
            "{model}"
        );
        let substitutions = far["substitutions"].to_string();
        assert!(
            substitutions.contains("times of Some MPI 1")
                && substitutions.contains("Allreduce of 4"),
            "{substitutions}"
        );
    }
}

/// Each phase is measured once in a run: how much runs differ is known of several only.
#[test]
fn rounds_say_where_another_run_lies() {
    if !ready("ranks in turns, rounds") {
        return;
    }
    let place = Place::new();
    place.write("chain.c", CHAIN);
    place.write("far.toml", MACHINE);
    compile(&place, "mpicc.openmpi", "chain.c", "chain");
    let machine = ["--machine", "far.toml", "--json"];
    let once = run(&place, &machine, &["./chain"]).expect(0);
    assert!(prediction(&once).get("rounds").is_none());
    once.says(&[" in this run from MPI_Init", "machine's messages it is", "--rounds 5 repeats"]);
    let options = [&machine[..], &["--rounds", "3"]].concat();
    let done = run(&place, &options, &["./chain"]).expect(0);
    assert_eq!(done.out.matches("sum 12").count(), 1, "{}", done.out);
    let value = prediction(&done);
    let rounds = &value["rounds"];
    let times: Vec<f64> = rounds["times_s"].as_array().unwrap().iter().map(number).collect();
    assert!(times.len() == 3 && times.is_sorted(), "{times:?}");
    assert_eq!(number(&value["total_s"]), times[1]);
    // The machine's messages alone are 10 % wide: that is in the interval, too.
    let (low, high) = (number(&rounds["low_s"]), number(&rounds["high_s"]));
    let model = &value["model"];
    assert!(low < times[0].min(number(&model["low_s"])), "{value}");
    assert!(high > times[2].max(number(&model["high_s"])), "{value}");
    done.says(&["(90 %, 3 runs) from MPI_Init", "3 runs took"]);
    let refused = cll(&place, &["run", "--rounds", "3", "--log", "./chain"]).expect(2);
    refused.says(&["--rounds is for virtual processors only"]);
}

#[test]
fn what_cannot_be_predicted_is_refused_with_its_reason() {
    if !ready("ranks in turns, refused") {
        return;
    }
    let place = Place::new();
    place.write("chain.c", CHAIN);
    compile(&place, "mpicc.openmpi", "chain.c", "chain");
    for (option, message) in [
        (&["--log"][..], "ranks have no common clock"),
        (&["--alone", "4"], "--alone is for BSP programs only"),
        (&["--machine", "sgi-powerchallenge"], "no times of messages of MPI"),
    ] {
        let done = run(&place, option, &["./chain"]);
        assert!(done.err.contains(message) && done.out.is_empty(), "{option:?}: {}", done.err);
    }
    let done = run(&place, &[], &["./chain", "locks"]);
    let message =
        "calls MPI_Win_lock: the log does not say which processes wait for each other there";
    assert!(done.err.contains(message), "{}", done.err);
    assert!(done.out.starts_with("sum 12"), "{}", done.out);
    place.write("alone.c", "int main(void) { return 0; }\n");
    compile(&place, "gcc", "alone.c", "alone");
    let done = run(&place, &[], &["./alone"]).expect(2);
    assert!(done.err.contains("is not a BSP program and is not linked with MPI"), "{}", done.err);
}

/// Three times each collective with an own size, blocking, by request or by persistent requests, of which two are started
/// by one call; the parts of the last one differ by rank.
const COLLECTIVES: &str = r#"#include <mpi.h>
#include <stdio.h>
#include <string.h>
#if MPI_VERSION >= 4
#define INIT(name) MPI_##name##_init
#else
#include <mpi-ext.h>
#define INIT(name) MPIX_##name##_init
#endif

static char from[4096], to[4096];

int main(int argc, char **argv)
{
    int me, p, i, k, counts[8], starts[8];
    MPI_Request all[6];
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Info none = MPI_INFO_NULL;
    MPI_Datatype byte = MPI_BYTE;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &p);
    for (i = k = 0; i < p; k += counts[i++]) {
        counts[i] = 10 * (i + 1);
        starts[i] = k;
    }
    memset(from, me + 1, sizeof from);
    if (argc > 1) {
        INIT(Barrier)(comm, none, &all[0]);
        INIT(Bcast)(to, 1000, byte, 1, comm, none, &all[1]);
        INIT(Allreduce)(from, to, 20, byte, MPI_BOR, comm, none, &all[2]);
        INIT(Alltoall)(from, 30, byte, to, 30, byte, comm, none, &all[3]);
        INIT(Reduce)(from, to, 40, byte, MPI_BOR, 2, comm, none, &all[4]);
        INIT(Gatherv)(from, counts[me], byte, to, counts, starts, byte, 0, comm, none, &all[5]);
        for (k = 0; k < 3; k++) {
            for (i = 0; i < 4; i++) {
                MPI_Start(&all[i]);
                MPI_Wait(&all[i], MPI_STATUS_IGNORE);
            }
            MPI_Startall(2, &all[4]);
            MPI_Waitall(2, &all[4], MPI_STATUSES_IGNORE);
        }
        for (i = 0; i < 6; i++)
            MPI_Request_free(&all[i]);
    } else {
        for (k = 0; k < 3; k++) {
            MPI_Barrier(comm);
            MPI_Bcast(to, 1000, byte, 1, comm);
            MPI_Allreduce(from, to, 20, byte, MPI_BOR, comm);
            MPI_Alltoall(from, 30, byte, to, 30, byte, comm);
            MPI_Reduce(from, to, 40, byte, MPI_BOR, 2, comm);
            MPI_Gatherv(from, counts[me], byte, to, counts, starts, byte, 0, comm);
        }
    }
    if (me == 0)
        printf("%d %d %d\n", to[0], to[10], to[30]);
    MPI_Finalize();
    return 0;
}
"#;

#[test]
fn a_persistent_collective_costs_what_the_collective_costs() {
    if !ready("persistent collectives") {
        return;
    }
    for mpi in drawn(1) {
        let place = Place::new();
        place.write("all.c", COLLECTIVES);
        // So slow that computation does not count.
        place.write("far.toml", MACHINE.replace("1 [0.9, 1.1] ms", "1 [0.9, 1.1] s"));
        compile(&place, &format!("mpicc.{mpi}"), "all.c", "all");
        let predicted = |arguments: &[&str]| {
            let program = [&["./all"][..], arguments].concat();
            let line = ["run", "-n", "4", "--engine", "virtual", "--machine", "far.toml", "--json"];
            let done = cll(&place, &[&line[..], &program].concat()).expect(0);
            assert!(done.out.starts_with("1 2 3\n"), "{mpi}: {}", done.out);
            assert!(!done.err.contains("not recorded"), "{mpi}: {}", done.err);
            number(&prediction(&done)["total_s"])
        };
        let (blocking, persistent) = (predicted(&[]), predicted(&["persistent"]));
        assert!(blocking > 3.0 * 6.0, "{mpi}: {blocking}");
        assert!((persistent / blocking - 1.0).abs() < 0.01, "{mpi}: {persistent} {blocking}");
        // The logs have the same bytes, and each of the program's calls.
        let logged = |folder: &str, arguments: &[&str]| {
            let line = ["run", "-n", "4", "--log", "-o", folder, "./all"];
            cll(&place, &[&line[..], arguments].concat()).expect(0);
            let logs: Vec<String> =
                place.list(folder).iter().map(|log| format!("{folder}/{log}")).collect();
            let logs: Vec<&str> = logs.iter().map(String::as_str).collect();
            let stats =
                cll(&place, &[&["mpi", "stats", "--json"][..], &logs].concat()).expect(0).out;
            let stats: Value = serde_json::from_str(&stats).unwrap();
            assert_eq!(stats["unrecorded"], serde_json::json!([]), "{mpi}");
            stats["by_call"].as_array().unwrap().clone()
        };
        let bytes = |calls: &[Value]| -> (u64, u64) {
            let sum = |field: &str| calls.iter().map(|call| call[field].as_u64().unwrap()).sum();
            (sum("sent"), sum("received"))
        };
        let (once, again) = (logged("once", &[]), logged("again", &["persistent"]));
        // Out of all ranks, in each of three rounds: a root, all, each to three others, three, the three that are not 0.
        assert_eq!(
            bytes(&once).0,
            3 * (1000 + 4 * 20 + 4 * 3 * 30 + 3 * 40 + 20 + 30 + 40),
            "{mpi}"
        );
        assert_eq!(bytes(&again), bytes(&once), "{mpi}");
        let mut calls: Vec<(&str, u64)> = again
            .iter()
            .map(|call| (call["call"].as_str().unwrap(), call["calls"].as_u64().unwrap()))
            .collect();
        calls.sort_unstable();
        let expected = [
            ("MPI_Allreduce_init", 4),
            ("MPI_Alltoall_init", 4),
            ("MPI_Barrier_init", 4),
            ("MPI_Bcast_init", 4),
            ("MPI_Finalize", 4),
            ("MPI_Gatherv_init", 4),
            ("MPI_Init", 4),
            ("MPI_Reduce_init", 4),
            ("MPI_Request_free", 24),
            ("MPI_Start", 48),
            ("MPI_Startall", 12),
            ("MPI_Wait", 48),
            ("MPI_Waitall", 12),
        ];
        assert_eq!(calls, expected, "{mpi}");
    }
}
