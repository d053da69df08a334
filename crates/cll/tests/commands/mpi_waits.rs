//! `cll mpi stats`: waits that were planted in programs are found at their place with their cause, and logs of programs
//! of any kind are accepted.

use serde_json::Value;

use crate::mpi_calls::{MPIS, compile, logged, ready};
use crate::support::Place;

/// What rank 0 or 1 does too late by 300 ms, as the name of the file says: on a loaded machine the others are late, too,
/// but hardly by so much.
fn planted(body: &str) -> String {
    format!(
        r#"#include <mpi.h>
#include <unistd.h>
static char data[1 << 20];
static void slow(void) {{ usleep(300000); }}
static void work(void) {{ usleep(30000); }}
int main(int argc, char **argv)
{{
    int rank, flag = 0;
    MPI_Request request;
    MPI_Win window;
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    (void)flag, (void)request, (void)window, (void)work;
    MPI_Barrier(world);
{body}
    MPI_Finalize();
    return 0;
}}
"#
    )
}

/// Name, program, kind of the wait, the call that waits, the rank that causes it and the call before which it is slow.
const PLANTED: [(&str, &str, &str, &str, u64, &str); 6] = [
    (
        "sender",
        "    if (rank == 0) { slow(); MPI_Send(data, 8, MPI_CHAR, 1, 1, world); }
    if (rank == 1) MPI_Recv(data, 8, MPI_CHAR, 0, 1, world, MPI_STATUS_IGNORE);",
        "late sender",
        "MPI_Recv",
        0,
        "MPI_Send",
    ),
    (
        "receiver",
        "    if (rank == 0) MPI_Send(data, 1 << 20, MPI_CHAR, 1, 1, world);
    if (rank == 1) { slow(); MPI_Recv(data, 1 << 20, MPI_CHAR, 0, 1, world, MPI_STATUS_IGNORE); }",
        "late receiver",
        "MPI_Send",
        1,
        "MPI_Recv",
    ),
    (
        // Rank 2 waits for a rank that is two messages away.
        "chain",
        "    if (rank == 0) { slow(); MPI_Ssend(data, 8, MPI_CHAR, 1, 1, world); }
    if (rank == 1) {
        MPI_Recv(data, 8, MPI_CHAR, 0, 1, world, MPI_STATUS_IGNORE);
        MPI_Rsend(data, 8, MPI_CHAR, 2, 1, world);
    }
    if (rank == 2) MPI_Recv(data, 8, MPI_CHAR, 1, 1, world, MPI_STATUS_IGNORE);",
        "late sender",
        "MPI_Recv",
        0,
        "MPI_Ssend",
    ),
    (
        "poll",
        "    if (rank == 0) { slow(); MPI_Send(data, 8, MPI_CHAR, 1, 1, world); }
    if (rank == 1) {
        MPI_Irecv(data, 8, MPI_CHAR, 0, 1, world, &request);
        while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    }",
        "polling",
        "MPI_Test",
        0,
        "MPI_Send",
    ),
    (
        "fence",
        "    MPI_Win_create(data, 1024, 1, MPI_INFO_NULL, world, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) { slow(); MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, window); }
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);",
        "fence",
        "MPI_Win_fence",
        0,
        "MPI_Put",
    ),
    (
        // Late before a part that takes all equally long: while the others wait, it is in that part.
        "earlier",
        "    if (rank == 0) slow();
    MPI_Iprobe(MPI_ANY_SOURCE, 9, world, &flag, MPI_STATUS_IGNORE);
    work();
    MPI_Allreduce(MPI_IN_PLACE, &flag, 1, MPI_INT, MPI_SUM, world);",
        "collective",
        "MPI_Allreduce",
        0,
        "MPI_Iprobe",
    ),
];

fn statistics(place: &Place, files: &[String]) -> Value {
    let mut line = vec!["mpi", "stats", "--json"];
    line.extend(files.iter().map(String::as_str));
    place.cll(&line).expect(0).json()
}

fn list<'a>(stats: &'a Value, name: &str) -> &'a Vec<Value> {
    stats[name].as_array().expect("a list")
}

#[test]
fn planted_waits_are_found_with_their_causes() {
    if !ready("planted_waits") {
        return;
    }
    for mpi in MPIS {
        let place = Place::new();
        for (name, body, kind, call, rank, before) in PLANTED {
            let file = format!("{name}.c");
            place.write(&file, planted(body));
            let files = logged(&place, mpi, &file, "3");
            let stats = statistics(&place, &files);
            let waits = list(&stats, "waits");
            let of_kind = waits.iter().find(|one| one["kind"] == kind).expect("the kind");
            // Less if the others come late to their waits.
            let waited = of_kind["seconds"].as_f64().expect("seconds");
            assert!(waited > 0.03, "{mpi} {name}: {waited}");
            let is_planted = |one: &&Value| {
                let doing = one["doing"].as_str().expect("words");
                one["rank"] == rank
                    && one["kind"] == kind
                    && one["waits"].as_str().expect("a call").starts_with(call)
                    && doing.starts_with("computing in main")
                    && doing.contains(&format!(" to {before} {name}.c:"))
            };
            let found: Vec<&Value> = list(&stats, "delays").iter().filter(is_planted).collect();
            let seconds: Vec<f64> =
                found.iter().map(|one| one["seconds"].as_f64().expect("seconds")).collect();
            let expected = if name == "chain" { 2 } else { 1 };
            let enough = seconds.iter().filter(|seconds| **seconds > 0.03).count();
            assert_eq!(enough, expected, "{mpi} {name}: {}", stats["delays"]);
            let path = &stats["critical"];
            assert!(path["seconds"].as_f64().expect("seconds") > 0.295, "{mpi} {name}: {path}");
        }
    }
}

/// What has no supersteps, or what a report could stumble over.
const KINDS: [(&str, &str, &str, &str); 5] = [
    (
        // Data run along the ranks.
        "wavefront",
        "4",
        r#"#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, size, i, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (i = 0; i < 50; i++) {
        if (rank > 0)
            MPI_Recv(&x, 1, MPI_INT, rank - 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank < size - 1)
            MPI_Send(&x, 1, MPI_INT, rank + 1, i, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
"#,
        "MPI_Recv",
    ),
    (
        "inter",
        "4",
        r#"#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, x = 7;
    MPI_Comm half, inter;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 3, &inter);
    if (rank % 2)
        MPI_Send(&x, 1, MPI_INT, rank / 2, 4, inter);
    else
        MPI_Recv(&x, 1, MPI_INT, rank / 2, 4, inter, MPI_STATUS_IGNORE);
    MPI_Barrier(inter);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
"#,
        "MPI_Recv",
    ),
    (
        "farm",
        "3",
        r#"#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, size, i, x = 0, done = 0;
    MPI_Status s;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (i = 1; i < size; i++)
            MPI_Send(&i, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
        for (i = 0; done < size - 1; i++) {
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
            done += i >= 200;
            MPI_Send(&i, 1, MPI_INT, s.MPI_SOURCE, i >= 200, MPI_COMM_WORLD);
        }
    } else {
        do {
            MPI_Recv(&x, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
            if (s.MPI_TAG == 0)
                MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        } while (s.MPI_TAG == 0);
    }
    MPI_Finalize();
    return 0;
}
"#,
        "MPI_Recv",
    ),
    (
        // Post, start, complete, wait: the log does not have the partners.
        "pscw",
        "2",
        r#"#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, other, x = 1, memory = 0;
    MPI_Group all, one;
    MPI_Win w;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &other, &one);
    if (rank) {
        MPI_Win_post(one, 0, w);
        MPI_Win_wait(w);
    } else {
        MPI_Win_start(one, 0, w);
        MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, w);
        MPI_Win_complete(w);
    }
    MPI_Win_free(&w);
    MPI_Group_free(&one);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
"#,
        "MPI_Win_wait",
    ),
    (
        "rings",
        "3",
        r#"#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, size, i, in[2] = { 0, 0 };
    MPI_Request r[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Recv_init(in, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Send_init(&rank, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &r[1]);
    MPI_Ssend_init(&rank, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &r[2]);
    MPI_Recv_init(in + 1, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &r[3]);
    for (i = 0; i < 20; i++) {
        MPI_Startall(4, r);
        MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    }
    for (i = 0; i < 4; i++)
        MPI_Request_free(&r[i]);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 2, in, 1, MPI_INT, (rank + size - 1) % size, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
"#,
        "MPI_Waitall",
    ),
];

#[test]
fn programs_of_any_kind_have_statistics() {
    if !ready("programs_of_any_kind") {
        return;
    }
    for mpi in MPIS {
        let place = Place::new();
        for (name, ranks, source, call) in KINDS {
            let file = format!("{name}.c");
            place.write(&file, source);
            let files = logged(&place, mpi, &file, ranks);
            let stats = statistics(&place, &files);
            let at = |one: &&Value| {
                one["call"] == call
                    && one["place"].as_str().is_some_and(|place| place.starts_with(&file))
            };
            let path = list(&stats, "by_path").iter().find(at).expect("its path");
            assert_eq!(path["path"], serde_json::json!(["main"]), "{mpi} {name}");
            assert!(stats["efficiency"]["parallel"].is_f64(), "{mpi} {name}");
            let has_supersteps = stats["supersteps"].is_u64();
            let why = stats["no_supersteps"].as_str().expect("words");
            assert_eq!(has_supersteps, why.is_empty(), "{mpi} {name}: {why}");
            let must_have_none = ["inter", "pscw"].contains(&name);
            assert!(!(must_have_none && has_supersteps), "{mpi} {name}");
            assert_eq!(stats["unreceived"], 0, "{mpi} {name}");
            let sent: u64 = list(&stats, "messages")
                .iter()
                .map(|one| one["messages"].as_u64().expect("a number"))
                .sum();
            let expected = [("wavefront", 150), ("inter", 2), ("pscw", 0), ("rings", 123)];
            if let Some((_, expected)) = expected.iter().find(|one| one.0 == name) {
                assert_eq!(sent, *expected, "{mpi} {name}");
            }
        }
    }
}

/// Three ranks wait for each other, or do not agree on the collective.
const WRONG: &str = r#"#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, size, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc == 1)
        MPI_Ssend(&x, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Barrier(MPI_COMM_WORLD);
    else
        MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Recv(&x, 1, MPI_INT, (rank + 1) % size, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
"#;

#[test]
fn deadlocks_and_collectives_that_do_not_fit_are_named() {
    if !ready("deadlocks_and_collectives") {
        return;
    }
    for mpi in MPIS {
        let place = Place::new();
        place.write("wrong.c", WRONG);
        compile(&place, &format!("mpicc.{mpi}"), "wrong.c", "./wrong");
        // On a busy machine two seconds may be over before the program has begun; then it gets more.
        let run = |folder: &str, arguments: &[&str], signs: &[&str]| {
            for limit in ["2s", "30s"] {
                let words =
                    ["run", "-n", "3", "--log", "--timeout", limit, "-o", folder, "./wrong"];
                let done = crate::mpi_calls::cll(&place, &[&words[..], arguments].concat());
                if folder == "ring" {
                    done.expect(124);
                }
                let stats = place.cll(&["mpi", "stats", folder]);
                if limit == "30s" || signs.iter().all(|sign| stats.out.contains(sign)) {
                    stats.expect(0).prints(signs);
                    return;
                }
                place.sh(&format!("rm -r {folder}")).expect(0);
            }
        };
        let ring = [
            "deadlock: rank 0 in MPI_Ssend wrong.c:9 waits for rank 1",
            "deadlock: rank 2 in MPI_Ssend wrong.c:9 waits for rank 0",
        ];
        run("ring", &[], &ring);
        let differ = ["different collectives in the same place: rank", "MPI_Barrier wrong.c:11"];
        run("differ", &["x"], &differ);
    }
}

/// Two versions of a program: in the second one rank 1 is slow in `step`, which has moved, and sends more.
fn version(pause: u32, count: u32, lines: &str) -> String {
    format!(
        r#"#include <mpi.h>
#include <unistd.h>
static int data[1000];
{lines}
static void step(int rank)
{{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {{
        usleep({pause});
        MPI_Send(data, {count}, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }} else
        MPI_Recv(data, {count}, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}}
int main(int argc, char **argv)
{{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    step(rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}}
"#
    )
}

#[test]
fn two_runs_are_compared_by_call() {
    if !ready("two_runs_are_compared") {
        return;
    }
    for mpi in MPIS {
        let place = Place::new();
        place.write("v1.c", version(1000, 10, ""));
        place.write("v2.c", version(400_000, 1000, "\n\n"));
        let files = [logged(&place, mpi, "v1.c", "2"), logged(&place, mpi, "v2.c", "2")];
        let mut line = vec!["mpi", "diff"];
        line.extend(files[0].iter().map(String::as_str));
        line.push("--with");
        line.extend(files[1].iter().map(String::as_str));
        let text = place.cll(&line).expect(0);
        text.prints(&["MPI_Recv v2.c:14 step", "40 B → 3.91 KiB", "rank 1 computing in step"]);
        line.push("--json");
        let diff = place.cll(&line).expect(0).json();
        assert_eq!((&diff["format"], &diff["version"]), (&"cll-mpi-diff".into(), &1.into()));
        let first = &list(&diff, "by_path")[0];
        assert_eq!(first["call"], "MPI_Recv", "{mpi}: {first}");
        let places =
            ["before", "after"].map(|side| first[side]["place"].as_str().expect("a place"));
        assert_eq!(places, ["v1.c:12", "v2.c:14"], "{mpi}");
        let more = first["seconds_more"].as_f64().expect("seconds");
        assert!(more > 0.2, "{mpi}: {more}");
        let waiting =
            ["before", "after"].map(|side| first[side]["waiting_s"].as_f64().expect("it"));
        assert!(waiting[1] - waiting[0] > 0.2, "{mpi}: {waiting:?}");
        let bytes =
            ["before", "after"].map(|side| first[side]["received"].as_u64().expect("bytes"));
        assert_eq!(bytes, [40, 4000], "{mpi}");
        // Computation between the same two calls.
        let segment = &list(&diff, "segments")[0];
        assert_eq!(segment["function"], "step", "{mpi}: {segment}");
        assert!(segment["seconds_more"].as_f64().expect("seconds") > 0.3, "{mpi}: {segment}");
        let same = list(&diff, "by_path").iter().filter(|one| one["call"] == "MPI_Barrier");
        assert_eq!(same.count(), 2, "{mpi}");
        let same = list(&diff, "by_path")
            .iter()
            .all(|one| !one["before"].is_null() && !one["after"].is_null());
        assert!(same, "{mpi}: {diff}");
    }
}

#[test]
fn what_logging_cost_is_said() {
    if !ready("what_logging_cost") {
        return;
    }
    for mpi in MPIS {
        let place = Place::new();
        place.write("farm.c", KINDS[2].2);
        let files = logged(&place, mpi, "farm.c", "3");
        let stats = statistics(&place, &files);
        let calls = stats["calls"].as_f64().expect("a number");
        let each = stats["recording_s"].as_f64().expect("seconds") / calls;
        // Two reads of the clock at least; far below a microsecond on a machine that is not busy.
        assert!((5e-9..1e-4).contains(&each), "{mpi}: {each}");
        let text: Vec<&str> =
            [&["mpi", "stats"][..], &files.iter().map(String::as_str).collect::<Vec<_>>()].concat();
        place.cll(&text).expect(0).prints(&["logging took about", " a call), and wrote "]);
    }
}

#[test]
fn what_ranks_compute_before_a_run_is_in_the_call_that_begins_mpi() {
    if !ready("what_ranks_compute_before_a_run") {
        return;
    }
    for mpi in MPIS {
        let place = Place::new();
        place.write("none.c", planted(""));
        compile(&place, &format!("mpicc.{mpi}"), "none.c", "none");
        let more = [
            ("CLL_WARM_UP", "1"),
            ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
            ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
        ];
        let line = ["run", "-n", "2", "--log", "-o", "out", "./none"];
        place.cll_with(&more, &line).expect(0);
        let files: Vec<String> =
            place.list("out").iter().map(|name| format!("out/{name}")).collect();
        let stats = statistics(&place, &files);
        let calls = list(&stats, "by_call");
        let init = calls.iter().find(|one| one["call"] == "MPI_Init").expect("a call");
        // With more ranks than cores they do not.
        let has_cores = std::thread::available_parallelism().is_ok_and(|cores| cores.get() >= 2);
        let least = if has_cores { 2.0 } else { 0.0 };
        assert!(init["seconds"].as_f64().expect("seconds") >= least, "{mpi}: {init}");
        for rank in list(&stats, "by_rank") {
            assert!(rank["seconds"].as_f64().expect("seconds") < 1.0, "{mpi}: {rank}");
        }
        // Nor is it in the time that a model has for the start of the processes.
        let begun = std::time::Instant::now();
        let line = ["mpi", "model", "./none", "-n", "2", "--oversubscribe", "--rounds", "1"];
        let done = place.cll_with(&more, &[&line[..], &["--json"]].concat()).expect(0);
        let whole = begun.elapsed().as_secs_f64();
        let start = done.json()["start"][0]["seconds"].as_f64().expect("seconds");
        assert!(start + 0.5 * least < whole, "{mpi}: {start} of {whole}");
    }
}
