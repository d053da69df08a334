//! The log of calls of MPI: threads, unsuccessful polls, and what is said of it at the end and later.

use serde_json::Value;

use crate::mpi_calls::{CALLS, MPIS, cll, compile, drawn, ready};
use crate::recorded::{logs, logs_in};
use crate::support::{Done, Place};

/// Threads that send and receive at once, by every kind of wait: handles are given again as soon as they are free.
const STRESS: &str = r#"#include <mpi.h>
#include <pthread.h>
#include <sched.h>
enum { THREADS = 4, ROUNDS = 400, WINDOW = 2 };
static int rank;
static void *work(void *of)
{
    int t = (int)(long)of, i, k;
    char out[64] = {0}, in[WINDOW][64];
    MPI_Request r[2 * WINDOW];
    MPI_Status s[2 * WINDOW];
    for (i = 0; i < ROUNDS; i++) {
        for (k = 0; k < WINDOW; k++) {
            MPI_Irecv(in[k], 64, MPI_CHAR, 1 - rank, t, MPI_COMM_WORLD, &r[k]);
            MPI_Isend(out, 1 + (i + t) % 50, MPI_CHAR, 1 - rank, t, MPI_COMM_WORLD, &r[WINDOW + k]);
        }
        if (i % 3 == 0) {
            MPI_Waitall(2 * WINDOW, r, s);
        } else if (i % 3 == 1) {
            int flag = 0;
            while (!flag) {
                MPI_Testall(2 * WINDOW, r, &flag, s);
                sched_yield();
            }
        } else {
            for (k = 0; k < 2 * WINDOW; k++)
                MPI_Wait(&r[k], s);
        }
    }
    return NULL;
}
int main(int argc, char **argv)
{
    int provided;
    long t;
    pthread_t all[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (provided < MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 77);
    for (t = 0; t < THREADS; t++)
        pthread_create(&all[t], NULL, work, (void *)t);
    for (t = 0; t < THREADS; t++)
        pthread_join(all[t], NULL);
    MPI_Finalize();
    return 0;
}
"#;

/// Looks for a message and at a request in turn, then at a hundred requests one after the other.
const POLLS: &str = r#"#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, x = 0, flag = 0, seen = 0, i, k;
    MPI_Request r, none = MPI_REQUEST_NULL, many[100];
    MPI_Status s[100];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &r);
        for (i = 0; i < 50000; i++) {
            MPI_Iprobe(1, 6, MPI_COMM_WORLD, &seen, s);
            MPI_Test(&r, &flag, s);
            MPI_Test(&none, &seen, s);
        }
        for (k = 0; k < 100; k++)
            MPI_Irecv(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &many[k]);
        for (i = 0; i < 500; i++)
            for (k = 0; k < 100; k++)
                MPI_Test(&many[k], &flag, s);
        MPI_Send(&x, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
        MPI_Wait(&r, s);
        MPI_Waitall(100, many, s);
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, s);
        MPI_Send(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
        for (k = 0; k < 100; k++)
            MPI_Send(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
"#;

fn logged(place: &Place, mpi: &str, name: &str, source: &str, options: &[&str]) -> Done {
    let file = format!("{name}.c");
    let program = format!("./{name}-{mpi}");
    let folder = format!("out-{name}-{mpi}");
    place.write(&file, source);
    compile(place, &format!("mpicc.{mpi}"), &file, &program);
    let words = [&["run", "-n", "2", "--log", "-o", &folder], options, &[&program]].concat();
    cll(place, &words)
}

fn stats(place: &Place, folder: &str) -> Value {
    place.cll(&["mpi", "stats", folder, "--json"]).expect(0).json()
}

/// A field of all calls of a name.
fn call_field(stats: &Value, call: &str, field: &str) -> u64 {
    let calls = stats["by_call"].as_array().expect("a list");
    let entry = calls.iter().find(|value| value["call"] == format!("MPI_{call}"));
    entry.map_or(0, |value| value[field].as_u64().expect("a number"))
}

#[test]
fn bytes_of_many_threads_are_counted_exactly_and_their_time_once() {
    if !ready("bytes_of_many_threads") {
        return;
    }
    let place = Place::new();
    let rounds = if test_draw::is_full() { 400 } else { 100 };
    let source = STRESS.replace("ROUNDS = 400", &format!("ROUNDS = {rounds}"));
    for mpi in drawn(0) {
        let done = logged(&place, mpi, "stress", &source, &[]).expect(0);
        done.says(&[
            "on 2 of 2 ranks in 10 threads",
            "of the threads' time in MPI",
            "0 (5 threads)",
        ]);
        let stats = stats(&place, &format!("out-stress-{mpi}"));
        let bytes: u64 =
            (0..4).map(|t| (0..rounds).map(|i| 2 * 2 * (1 + (i + t) % 50)).sum::<u64>()).sum();
        let calls = ["Isend", "Irecv"].map(|call| call_field(&stats, call, "calls"));
        assert_eq!(calls, [16 * rounds; 2], "{mpi}");
        assert_eq!(call_field(&stats, "Isend", "sent"), bytes, "{mpi}");
        let received =
            ["Wait", "Waitall", "Testall"].map(|call| call_field(&stats, call, "received"));
        assert_eq!(received.iter().sum::<u64>(), bytes, "{mpi}: {received:?}");
        for rank in stats["by_rank"].as_array().expect("a list") {
            assert_eq!(rank["received"].as_u64(), Some(bytes / 2), "{mpi}");
            let seconds_of = |field: &str| rank[field].as_f64().expect("seconds");
            assert!(seconds_of("mpi_s") <= seconds_of("thread_s"), "{mpi}: {rank}");
            assert!(
                (seconds_of("thread_s") - 5.0 * seconds_of("time_s")).abs() < 1e-6,
                "{mpi}: {rank}"
            );
        }
    }
}

#[test]
fn looks_in_vain_in_turn_are_counted_in_one_record_each() {
    if !ready("looks_in_vain_in_turn") {
        return;
    }
    let place = Place::new();
    for mpi in drawn(1) {
        logged(&place, mpi, "polls", POLLS, &[]).expect(0);
        let folder = format!("out-polls-{mpi}");
        let stats = stats(&place, &folder);
        let looks = ["Iprobe", "Test"].map(|call| call_field(&stats, call, "calls"));
        assert_eq!(looks, [50_000, 150_000], "{mpi}");
        assert_eq!(call_field(&stats, "Test", "unsuccessful"), 150_000, "{mpi}");
        assert_eq!(
            call_field(&stats, "Wait", "received") + call_field(&stats, "Waitall", "received"),
            404,
            "{mpi}"
        );
        // 200,000 looks in some 70 records, beside 200 messages.
        let bytes = stats["log_bytes"].as_u64().expect("a number");
        assert!(bytes < 16_000, "{mpi}: {bytes}");
        let rank = &stats["by_rank"][0];
        assert!(rank["mpi_s"].as_f64() <= rank["time_s"].as_f64(), "{mpi}: {rank}");
    }
}

#[test]
fn what_a_deadlock_waits_for_was_not_received() {
    let place = Place::new();
    // Both receive what nobody sends, by a request and by a call that does not return.
    for mpi in MPIS {
        let folder = format!("out-deadlock-{mpi}");
        logs(&place, mpi, "deadlock");
        let stats = stats(&place, &folder);
        for (number, rank) in stats["by_rank"].as_array().expect("a list").iter().enumerate() {
            assert_eq!(
                (&rank["received"], &rank["finalized"]),
                (&0.into(), &false.into()),
                "{mpi}"
            );
            let inside = &rank["inside"][0];
            assert_eq!(
                (&inside["call"], &inside["place"]),
                (&"MPI_Recv".into(), &"deadlock.c:10".into())
            );
            assert_eq!(inside["awaits"], format!("from rank {} with tag 5", 1 - number));
        }
    }
}

#[test]
fn the_report_of_a_run_is_given_again() {
    if !ready("the_report_of_a_run") {
        return;
    }
    let place = Place::new();
    let mpi = drawn(1)[0];
    let done = logged(&place, mpi, "calls", CALLS, &[]).expect(0);
    let folder = &format!("out-calls-{mpi}");
    let again = place.cll(&["mpi", "stats", folder]).expect(0);
    assert!(again.out.lines().count() > 8 && again.err.is_empty(), "{again:?}");
    // What is said of the whole and of the ranks is the same.
    let ranks = again.out.lines().skip_while(|line| *line != "Ranks").skip(1);
    let same: Vec<&str> = again.out.lines().take(1).chain(ranks).collect();
    assert_eq!(same.len(), 1 + 5, "{}", again.out);
    for line in same {
        assert!(done.err.contains(line), "{line:?} is not in\n{}", done.err);
    }
    let files: Vec<String> =
        place.list(folder).iter().map(|name| format!("{folder}/{name}")).collect();
    let both = place.cll(&["mpi", "stats", &files[0], &files[1]]).expect(0);
    assert_eq!(both.out, again.out);
    let json = stats(&place, folder);
    assert_eq!((&json["format"], &json["version"]), (&"cll-mpi-stats".into(), &1.into()));
    assert_eq!((&json["ranks"], &json["one_clock"]), (&2.into(), &true.into()));
    assert_eq!(
        (&json["missing"], &json["damage"]),
        (&Value::from(vec![0; 0]), &Value::from(vec![0; 0]))
    );
    let all: u64 = json["by_call"]
        .as_array()
        .unwrap()
        .iter()
        .map(|value| value["calls"].as_u64().unwrap())
        .sum();
    assert_eq!(json["calls"], all);
    // One rank of two.
    let done = place.cll(&["mpi", "stats", &files[1]]).expect(0);
    assert!(done.out.contains("no log here of rank "), "{}", done.out);
}

#[test]
fn what_is_no_log_of_one_run_is_refused() {
    let place = Place::new();
    let folder = "out";
    logs_in(&place, "mpich", "calls", folder);
    for (rank, log) in logs(&place, "mpich", "calls-of-two").into_iter().enumerate() {
        place.write(&format!("{folder}/calls-mpich.cll.1.{rank}.dat"), place.bytes(&log));
    }
    place
        .cll(&["mpi", "stats", folder])
        .expect(2)
        .says(&["are logs of different runs", "give the logs of one run"]);
    place.write("text", "no log\n");
    place.cll(&["mpi", "stats", "text"]).expect(3).says(&["text: not a log of MPI calls"]);
    place.cll(&["mpi", "stats", "gone"]).expect(3).says(&["gone"]);
    std::fs::create_dir(place.path("empty")).unwrap();
    place.cll(&["mpi", "stats", "empty"]).expect(3).says(&["it has no log of MPI calls"]);
    // Of a log that was cut what is left is reported, and that it was cut.
    let name = place.list(folder).remove(0);
    let bytes = place.bytes(&format!("{folder}/{name}"));
    place.write("cut/a.dat", &bytes[..bytes.len() - 100]);
    place.cll(&["mpi", "stats", "cut"]).expect(0).says(&["cut/a.dat"]);
}
