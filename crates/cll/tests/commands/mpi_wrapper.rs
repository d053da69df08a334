//! The log of an MPI program beyond its calls: time without a core, calls that it does not record, requests that were
//! never completed. Programs with planted truths, by both MPIs.

use serde_json::Value;

use crate::built;
use crate::mpi_calls::{cll, compile, drawn, ready};
use crate::support::{Done, Place};

/// Between calls all ranks sleep, then compute on one core that they share, then do nothing.
const OFF_CORE: &str = r"#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

static double used(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

int main(int argc, char **argv)
{
    cpu_set_t all, one;
    double begun;
    int core = 0;

    MPI_Init(&argc, &argv);
    sched_getaffinity(0, sizeof all, &all);
    while (!CPU_ISSET(core, &all))
        core++;
    /* A launcher may have given each another core. */
    MPI_Bcast(&core, 1, MPI_INT, 0, MPI_COMM_WORLD);
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    usleep(50000);
    MPI_Barrier(MPI_COMM_WORLD);
    sched_setaffinity(0, sizeof one, &one);
    begun = used();
    while (used() - begun < 0.2)
        ;
    MPI_Barrier(MPI_COMM_SELF);
    MPI_Barrier(MPI_COMM_SELF);
    return MPI_Finalize();
}
";

/// Runs a program of this source with a log on 2 ranks; its logs are in the folder `NAME-MPI`.
fn logged(place: &Place, mpi: &str, name: &str, source: &str) -> (Done, Vec<String>) {
    let file = format!("{name}.c");
    let program = format!("{name}-of-{mpi}");
    place.write(&file, source);
    compile(place, &format!("mpicc.{mpi}"), &file, &program);
    let folder = format!("{name}-{mpi}");
    let command = format!("./{program}");
    let done = cll(place, &["run", "-n", "2", "--log", "-o", &folder, &command]).expect(0);
    let files = place.list(&folder).iter().map(|log| format!("{folder}/{log}")).collect();
    (done, files)
}

fn json(place: &Place, command: &[&str], files: &[String]) -> Value {
    let mut line = command.to_vec();
    line.extend(files.iter().map(String::as_str));
    place.cll(&line).expect(0).json()
}

#[test]
fn time_without_a_core_is_in_the_log() {
    if !ready("time_without_a_core") {
        return;
    }
    let place = Place::new();
    for mpi in drawn(0) {
        let (_, files) = logged(&place, mpi, "off-core", OFF_CORE);
        let export = json(&place, &["export", "--format", "json"], &files);
        let calls = export["calls"].as_array().expect("a list");
        let mut shared = 0.0;
        for rank in 0..2 {
            let of_rank: Vec<&Value> = calls.iter().filter(|call| call["rank"] == rank).collect();
            let off = |nth: usize, field: &str| of_rank[nth][field].as_f64();
            let names: Vec<&str> =
                of_rank.iter().filter_map(|value| value["call"].as_str()).collect();
            let barriers = ["MPI_Barrier"; 3];
            let expected = [&["MPI_Bcast"][..], &barriers, &["MPI_Finalize"]].concat();
            assert_eq!(names[1..], expected);
            // After the sleep. What a loaded machine adds is time in which the thread was ready.
            let slept = off(2, "off_core_s").expect("known");
            let ready = off(2, "ready_s");
            assert!(slept > 0.045, "{mpi}: {slept}");
            assert!(ready.is_none_or(|ready| slept - ready > 0.045), "{mpi}: {slept} {ready:?}");
            // Without a core, by the clock, and ready for it.
            let waited = off(3, "off_core_s").expect("known");
            let ready = off(3, "ready_s");
            let is_part = ready.is_none_or(|ready| (0.0..=waited).contains(&ready));
            assert!(is_part, "{mpi}: {waited} {ready:?}");
            shared += ready.unwrap_or(waited);
            // Nothing in between, unless the other took the core just there.
            let is_taken = off(4, "ready_s") > Some(0.0);
            assert!(is_taken || off(4, "off_core_s") == Some(0.0), "{mpi}: {}", of_rank[4]);
        }
        // Two ranks that need 200 ms each: one waits for the core, unless the other has had all of its time by then.
        assert!(shared > 0.0, "{mpi}: {shared}");
    }
}

/// Calls that only ask, calls that are counted only, calls during which an MPI makes others, requests that are left, and a
/// loop of `MPI_Request_get_status`.
const COUNTED: &str = r#"#include <mpi.h>
#include <unistd.h>

static double room[4096];

int main(int argc, char **argv)
{
    int rank, size, i, flag = 0, got = 0, one = 1;
    MPI_Request open, kept, polled;
    MPI_File file;
    void *back;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_size(MPI_DOUBLE, &size);
    MPI_Wtime();
    for (i = 0; i < 3; i++) {
        MPI_Buffer_attach(room, sizeof room);
        MPI_Buffer_detach(&back, &size);
    }
    MPI_File_open(MPI_COMM_WORLD, "counted.out", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_set_atomicity(file, 1);
    MPI_File_write_at_all(file, rank * 8, room, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
#if MPI_VERSION >= 4
    {
        MPI_Request both[2];
        MPI_Count n = 100;
        for (i = 0; i < 5; i++) {
            MPI_Irecv_c(room, n, MPI_DOUBLE, !rank, i, MPI_COMM_WORLD, &both[0]);
            MPI_Isend_c(room + 2048, n, MPI_DOUBLE, !rank, i, MPI_COMM_WORLD, &both[1]);
            MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
        }
        MPI_File_write_at_all_c(file, rank * 8, room, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
    }
#endif
    MPI_File_close(&file);
    if (rank == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        usleep(200000);
        MPI_Send(&one, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
        MPI_Isend(&one, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, &open);
        MPI_Send_init(&one, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &kept);
    } else {
        MPI_Irecv(&got, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &polled);
        MPI_Barrier(MPI_COMM_WORLD);
        while (!flag)
            MPI_Request_get_status(polled, &flag, MPI_STATUS_IGNORE);
        MPI_Wait(&polled, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
"#;

#[test]
fn calls_without_records_are_counted_and_told_first() {
    if !ready("calls_without_records") {
        return;
    }
    let place = Place::new();
    for mpi in drawn(1) {
        let (done, files) = logged(&place, mpi, "counted", COUNTED);
        let stats = json(&place, &["mpi", "stats", "--json"], &files);
        let list = |field: &str| stats[field].as_array().expect("a list").clone();
        let mut counted: Vec<(String, u64)> = list("unrecorded")
            .iter()
            .map(|value| {
                (
                    value["call"].as_str().unwrap_or("").to_owned(),
                    value["calls"].as_u64().unwrap_or(0),
                )
            })
            .collect();
        counted.sort();
        let mut expected =
            vec![("MPI_Buffer_detach".to_owned(), 6), ("MPI_File_set_atomicity".to_owned(), 2)];
        if mpi == "mpich" {
            let more = [("MPI_File_write_at_all_c", 2), ("MPI_Irecv_c", 10), ("MPI_Isend_c", 10)];
            expected.extend(more.map(|(name, calls)| (name.to_owned(), calls)));
            expected.sort();
        }
        assert_eq!(counted, expected, "{mpi}");
        let message = match mpi {
            "mpich" => "30 calls (10 MPI_Irecv_c, 10 MPI_Isend_c, 6 MPI_Buffer_detach, ",
            _ => "8 calls (6 MPI_Buffer_detach, 2 MPI_File_set_atomicity) were not recorded: ",
        };
        done.says(&[message]);
        let arguments = ["mpi", "stats"].into_iter().chain(files.iter().map(String::as_str));
        place.cll(&arguments.collect::<Vec<_>>()).expect(0).prints(&[
            message,
            "2 requests were never completed or freed: 1 of MPI_Isend on rank 0, 1 of MPI_Send_init on rank 0",
        ]);
        // Other commands tell it, too.
        for command in
            [&["mpi", "graph"][..], &["profile", "show", "--calls"], &["export", "--calls"]]
        {
            let arguments = command.iter().copied().chain(files.iter().map(String::as_str));
            place.cll(&arguments.collect::<Vec<_>>()).expect(0).says(&[message]);
        }
        // What an MPI calls itself in a call is not the program's.
        let names: Vec<String> = list("by_call")
            .iter()
            .map(|value| value["call"].as_str().expect("a name").to_owned())
            .collect();
        let inner = ["MPI_Allgather", "MPI_Allreduce", "MPI_Bcast", "MPI_Gather", "MPI_Comm_dup"];
        assert!(inner.iter().all(|name| !names.iter().any(|one| one == name)), "{mpi}: {names:?}");
        // A loop of tests waits for the message: in its calls, which are a part of the time until it comes.
        let rank = &list("by_rank")[1];
        let seconds = |field: &str| rank[field].as_f64().expect("known");
        assert!((0.0..=seconds("mpi_s")).contains(&seconds("waiting_s")), "{mpi}: {rank}");
        assert!(seconds("waiting_s") > 0.0, "{mpi}: {rank}");
        let kinds = list("waits");
        assert!(kinds.iter().any(|one| one["kind"] == "polling"), "{mpi}: {kinds:?}");
        assert_eq!(stats["before_sent"], 0, "{mpi}");
    }
}

/// A program that has only sessions.
const SESSION: &str = r#"#include <mpi.h>

int main(void)
{
#if MPI_VERSION >= 4
    MPI_Session session;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Session_finalize(&session);
#endif
    return 0;
}
"#;

#[test]
fn a_program_with_sessions_only_is_told_that_it_has_no_log() {
    if !ready("a_program_with_sessions_only") {
        return;
    }
    let place = Place::new();
    let (done, files) = logged(&place, "mpich", "session", SESSION);
    assert!(files.is_empty(), "{files:?}");
    done.says(&[
        "has begun MPI with MPI_Session_init and not with MPI_Init: its calls are not logged",
    ]);
}

/// A region that all processes begin together, 40 times.
const TOGETHER: &str = r"#include <mpi.h>

#pragma cll parallel MPI

int main(int argc, char **argv)
{
    int n, i;
    volatile int work = 0;

    MPI_Init(&argc, &argv);
    for (n = 1; n <= 4; n++)
        for (i = 0; i < 10; i++) {
#pragma cll sync step step[0] + step[1]*n
            for (int k = 0; k < 100 * n; k++)
                work += k;
#pragma cll end step
        }
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
";

#[test]
fn calls_of_sync_are_not_those_of_the_program() {
    if !ready("calls_of_sync") {
        return;
    }
    let place = Place::new();
    place.write("together.c", TOGETHER);
    for mpi in drawn(0) {
        let (compiler, program) = (format!("mpicc.{mpi}"), format!("together-of-{mpi}"));
        let line = ["cc", "-g", "-O1", "together.c", "-o", &program];
        built::by_cll(&place, &[("CLL_CC", &compiler)], &line, &["together.c"], &program);
        let (folder, command) = (format!("together-{mpi}"), format!("./{program}"));
        cll(&place, &["run", "-n", "2", "--log", "-o", &folder, &command]).expect(0);
        let files: Vec<String> =
            place.list(&folder).iter().map(|log| format!("{folder}/{log}")).collect();
        let stats = json(&place, &["mpi", "stats", "--json"], &files);
        let count_of =
            |call: &Value| (call["call"].as_str().unwrap_or("").to_owned(), call["calls"].as_u64());
        let mut calls: Vec<_> =
            stats["by_call"].as_array().expect("a list").iter().map(count_of).collect();
        calls.sort();
        let expected = ["MPI_Barrier", "MPI_Finalize", "MPI_Init"];
        assert_eq!(calls, expected.map(|name| (name.to_owned(), Some(2))), "{mpi}");
    }
}
