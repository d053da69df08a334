//! `cll mpi stats`: in recorded runs, waits that were planted in programs are found at their place with their cause, and logs of programs
//! of any kind are accepted.

use serde_json::Value;

use crate::mpi_calls::{MPIS, OPEN_MPI, compile, drawn, ready, with};
use crate::recorded::logs;
use crate::support::Place;

/// Name of the wait that is planted, its kind, the call that waits, the rank that causes it and the call before which it is
/// slow, by 300 ms: on a loaded machine the others are late, too, but hardly by so much.
const PLANTED: [(&str, &str, &str, u64, &str); 6] = [
    ("sender", "late sender", "MPI_Recv", 0, "MPI_Send"),
    ("receiver", "late receiver", "MPI_Send", 1, "MPI_Recv"),
    // Rank 2 waits for a rank that is two messages away.
    ("chain", "late sender", "MPI_Recv", 0, "MPI_Ssend"),
    ("poll", "polling", "MPI_Test", 0, "MPI_Send"),
    ("fence", "fence", "MPI_Win_fence", 0, "MPI_Put"),
    // Late before a part that takes all equally long: while the others wait, it is in that part.
    ("earlier", "collective", "MPI_Allreduce", 0, "MPI_Iprobe"),
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
    for mpi in MPIS {
        let place = Place::new();
        for (name, kind, call, rank, before) in PLANTED {
            let files = logs(&place, mpi, &format!("planted-{name}"));
            let stats = statistics(&place, &files);
            let waits = list(&stats, "waits");
            let of_kind = waits.iter().find(|wait| wait["kind"] == kind).expect("the kind");
            // Less if the others come late to their waits.
            let waited = of_kind["time_s"].as_f64().expect("seconds");
            assert!(waited > 0.03, "{mpi} {name}: {waited}");
            let is_planted = |delay: &&Value| {
                let doing = delay["doing"].as_str().expect("words");
                delay["rank"] == rank
                    && delay["kind"] == kind
                    && delay["waits"].as_str().expect("a call").starts_with(call)
                    && doing.starts_with("computing in main")
                    && doing.contains(&format!(" to {before} planted.c:"))
            };
            let found: Vec<&Value> = list(&stats, "delays").iter().filter(is_planted).collect();
            let seconds: Vec<f64> =
                found.iter().map(|value| value["time_s"].as_f64().expect("seconds")).collect();
            let expected = if name == "chain" { 2 } else { 1 };
            let enough = seconds.iter().filter(|seconds| **seconds > 0.03).count();
            assert_eq!(enough, expected, "{mpi} {name}: {}", stats["delays"]);
            let path = &stats["critical"];
            assert!(path["time_s"].as_f64().expect("seconds") > 0.295, "{mpi} {name}: {path}");
        }
    }
}

/// Programs that have no supersteps, or that a report could stumble over, with a call in them: data that run along the
/// ranks, messages between groups, a farm, accesses whose partners are not in the log (post, start, complete, wait),
/// persistent requests.
const KINDS: [(&str, &str); 5] = [
    ("wavefront", "MPI_Recv"),
    ("inter", "MPI_Recv"),
    ("farm", "MPI_Recv"),
    ("pscw", "MPI_Win_wait"),
    ("rings", "MPI_Waitall"),
];

#[test]
fn programs_of_any_kind_have_statistics() {
    for mpi in MPIS {
        let place = Place::new();
        for (name, call) in KINDS {
            let file = format!("{name}.c");
            let files = logs(&place, mpi, name);
            let stats = statistics(&place, &files);
            let is_call = |path_entry: &&Value| {
                path_entry["call"] == call
                    && path_entry["place"].as_str().is_some_and(|place| place.starts_with(&file))
            };
            let path = list(&stats, "by_path").iter().find(is_call).expect("its path");
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
                .map(|value| value["messages"].as_u64().expect("a number"))
                .sum();
            let expected = [("wavefront", 150), ("inter", 2), ("pscw", 0), ("rings", 123)];
            if let Some((_, expected)) = expected.iter().find(|pair| pair.0 == name) {
                assert_eq!(sent, *expected, "{mpi} {name}");
            }
        }
    }
}

#[test]
fn deadlocks_and_collectives_that_do_not_fit_are_named() {
    for mpi in MPIS {
        let place = Place::new();
        let printed = |name: &str| {
            let files = logs(&place, mpi, name);
            place.cll(&with(&["mpi", "stats"], &files)).expect(0)
        };
        // Three ranks wait for each other, or do not agree on the collective.
        printed("ring-of-waits").prints(&[
            "deadlock: rank 0 in MPI_Ssend wrong.c:9 waits for rank 1",
            "deadlock: rank 2 in MPI_Ssend wrong.c:9 waits for rank 0",
        ]);
        printed("collectives-that-differ")
            .prints(&["different collectives in the same place: rank", "MPI_Barrier wrong.c:11"]);
    }
}

/// In the second version rank 1 is slow in `step`, which has moved, and sends more.
#[test]
fn two_runs_are_compared_by_call() {
    for mpi in MPIS {
        let place = Place::new();
        let files = ["v1", "v2"].map(|name| logs(&place, mpi, name));
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
        let more = first["more_s"].as_f64().expect("seconds");
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
        assert!(segment["more_s"].as_f64().expect("seconds") > 0.3, "{mpi}: {segment}");
        let same = list(&diff, "by_path").iter().filter(|value| value["call"] == "MPI_Barrier");
        assert_eq!(same.count(), 2, "{mpi}");
        let same = list(&diff, "by_path")
            .iter()
            .all(|value| !value["before"].is_null() && !value["after"].is_null());
        assert!(same, "{mpi}: {diff}");
    }
}

#[test]
fn what_logging_cost_is_said() {
    for mpi in MPIS {
        let place = Place::new();
        let files = logs(&place, mpi, "farm");
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

/// Begins MPI and ends it.
const NONE: &str = r#"#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"#;

#[test]
fn what_ranks_compute_before_a_run_is_in_the_call_that_begins_mpi() {
    if !ready("what_ranks_compute_before_a_run") {
        return;
    }
    for mpi in drawn(0) {
        let place = Place::new();
        place.write("none.c", NONE);
        compile(&place, &format!("mpicc.{mpi}"), "none.c", "none");
        let more = [&[("CLL_WARM_UP", "1")], &OPEN_MPI[..]].concat();
        let line = ["run", "-n", "2", "--log", "-o", "out", "./none"];
        place.cll_with(&more, &line).expect(0);
        let files: Vec<String> =
            place.list("out").iter().map(|name| format!("out/{name}")).collect();
        let stats = statistics(&place, &files);
        let calls = list(&stats, "by_call");
        let init = calls.iter().find(|call| call["call"] == "MPI_Init").expect("a call");
        // With more ranks than cores they do not.
        let has_cores = std::thread::available_parallelism().is_ok_and(|cores| cores.get() >= 2);
        let least = if has_cores { 2.0 } else { 0.0 };
        assert!(init["time_s"].as_f64().expect("seconds") >= least, "{mpi}: {init}");
        // So none of it is in the time of the ranks, which goes from the end of that call to the beginning of the last.
        let export = place.cll(&with(&["export", "--format", "json"], &files)).expect(0).json();
        let time = |entry: &Value, field: &str| entry[field].as_f64().expect("seconds");
        for rank in list(&stats, "by_rank") {
            let is_own = |call: &&Value| call["rank"] == rank["rank"];
            let own: Vec<&Value> = list(&export, "calls").iter().filter(is_own).collect();
            let named = |name: &str| *own.iter().find(|call| call["call"] == name).expect(name);
            let (first, last) = (named("MPI_Init"), named("MPI_Finalize"));
            assert!(time(first, "time_s") >= 0.5 * least, "{mpi}: {first}");
            let between = time(last, "start_s") - time(first, "start_s") - time(first, "time_s");
            assert!((time(rank, "time_s") - between).abs() < 1e-6, "{mpi}: {rank} {between}");
        }
        // Nor is it in the time that a model has for the start of the processes.
        let begun = std::time::Instant::now();
        let line = ["mpi", "model", "./none", "-n", "2", "--oversubscribe", "--rounds", "1"];
        let done = place.cll_with(&more, &[&line[..], &["--json"]].concat()).expect(0);
        let elapsed = begun.elapsed().as_secs_f64();
        let start = done.json()["start"][0]["time_s"].as_f64().expect("seconds");
        assert!(start + 0.5 * least < elapsed, "{mpi}: {start} of {elapsed}");
    }
}
