//! `cll mpi model`: structure and bytes as exact formulas, planted times, programs that fail.

use serde_json::Value;

use crate::mpi_calls::{cll, compile, drawn, ready};
use crate::support::Place;

/// A pipeline: rank 0 makes n items of n*n doubles and sleeps 2 ms for each, rank 1 receives them; then
/// both exchange a row without blocking.
const PIPELINE: &str = r#"#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), rank, i, sum;
    double *item = calloc(n * n, sizeof *item);
    MPI_Request request[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (n == 13)
        MPI_Abort(MPI_COMM_WORLD, 3);
    for (i = 0; i < n; i++) {
        if (rank == 0) {
            usleep(2000);
            MPI_Send(item, n * n, MPI_DOUBLE, 1, i, MPI_COMM_WORLD);
        } else {
            MPI_Recv(item, n * n, MPI_DOUBLE, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Irecv(item, n, MPI_DOUBLE, 1 - rank, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(item + n, n, MPI_DOUBLE, 1 - rank, 1, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum != 1;
}
"#;

fn list<'a>(value: &'a Value, name: &str) -> &'a Vec<Value> {
    value[name].as_array().unwrap_or_else(|| panic!("no {name} in {value}"))
}

/// The entry of a list whose field contains a text.
fn with<'a>(entries: &'a [Value], field: &str, text: &str) -> &'a Value {
    let value =
        entries.iter().find(|value| value[field].as_str().is_some_and(|own| own.contains(text)));
    value.unwrap_or_else(|| panic!("no {text} in {entries:?}"))
}

/// The predicted time; nothing where the runs were so disturbed that the model misses them.
fn seconds(predicted: &Value) -> Option<f64> {
    let seconds = predicted["time_s"].as_f64();
    let why = predicted["why"].as_str().unwrap_or_default();
    let is_refused =
        ["the model is off by", "follows no formula"].iter().any(|part| why.contains(part));
    assert!(seconds.is_some() || is_refused, "{predicted}");
    seconds
}

#[test]
fn structure_is_exact_and_predictions_hold_what_was_planted() {
    if !ready("structure_is_exact_and_predictions_hold_what_was_planted") {
        return;
    }
    let place = Place::new();
    place.write("pipeline.c", PIPELINE);
    for mpi in drawn(0) {
        let program = format!("./pipeline-{mpi}");
        compile(&place, &format!("mpicc.{mpi}"), "pipeline.c", &program);
        let words = ["mpi", "model", &program, "--vary", "n=8,12,16", "--rounds", "1", "--json"];
        let more = ["--oversubscribe", "--hold-out", "n=20", "--predict", "n=48"];
        let last = ["--predict", "n=12,P=4", "--computation", "2x", "--", "{n}"];
        let done = cll(&place, &[&words[..], &more[..], &last[..]].concat()).expect(0);
        let model: Value = serde_json::from_str(&done.out).expect("JSON");
        let loops = list(&model, "loops");
        assert_eq!(loops.len(), 2, "{loops:?}");
        for value in loops {
            assert_eq!(
                (&value["passages"], &value["is_exact"]),
                (&"n".into(), &true.into()),
                "{value}"
            );
        }
        let calls = list(&model, "primitives");
        for call in calls.iter().filter(|call| call["call"].as_str().unwrap().contains("MPI_Send"))
        {
            assert_eq!((&call["bytes"], &call["times"]), (&"8*n^2".into(), &"n".into()), "{call}");
            assert_eq!(call["partners"], "to rank 1");
        }
        let sleep = with(list(&model, "segments"), "before", "MPI_Send");
        assert_eq!((&sleep["ranks"], &sleep["times"]), (&"rank 0".into(), &"n".into()));
        // Nobody sleeps less than was asked for. A formula of disturbed times says less for small sizes.
        let is_slept = |point: &Value| point["measured"].as_f64().unwrap() >= 0.002;
        assert!(list(&sleep["fit"], "residuals").iter().all(is_slept), "{sleep}");
        let held_out = &list(&model, "held_out")[0];
        assert!(held_out["predicted_s"].as_f64().unwrap() >= 0.040, "{held_out}");
        let predicted = &list(&model, "predictions")[0];
        assert_eq!((&predicted["is_outside"], &predicted["unmatched"]), (&true.into(), &0.into()));
        if let Some(seconds) = seconds(predicted) {
            assert!(seconds >= 0.096 && predicted["low_s"].as_f64().unwrap() <= seconds);
            let master = predicted["master_segments_s"].as_f64().unwrap();
            assert!((0.096..=seconds).contains(&master), "{predicted}");
            assert!(predicted["changed_s"].as_f64().unwrap() < seconds, "{predicted}");
            // Rank 1 ends after the last sleep of rank 0, for which it waits. On a busy machine it computes longer.
            let rank = &predicted["ranks"][1];
            let seconds_of = |name: &str| rank[name].as_f64().unwrap();
            let in_calls = seconds_of("waiting_s") + seconds_of("calls_s");
            assert!(in_calls > 0.0 && in_calls + seconds_of("computing_s") >= 0.096, "{predicted}");
        }
        // No run had a rank like rank 2.
        let unknown = &list(&model, "predictions")[1];
        assert!(unknown["time_s"].is_null(), "{unknown}");
        let why = unknown["why"].as_str().unwrap();
        assert!(why.contains("all runs had 2 processes") && why.contains("rank 2 of 4"), "{why}");
        assert!(why.contains("-n 2,3,4"), "{why}");
    }
}

/// Rank 1 works 3 ms for each item; with six items both make a call more.
const WORKER: &str = r#"#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), rank, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        usleep(3000 * n);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (n == 6)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"#;

#[test]
fn what_the_runs_do_not_show_is_not_predicted_and_given_formulas_are_fitted() {
    if !ready("what_the_runs_do_not_show_is_not_predicted_and_given_formulas_are_fitted") {
        return;
    }
    let place = Place::new();
    place.write("worker.c", WORKER);
    compile(&place, "mpicc.openmpi", "worker.c", "worker");
    let run = |vary: &str, more: &[&str]| {
        let words =
            ["mpi", "model", "./worker", "--vary", vary, "--rounds", "2", "--oversubscribe"];
        let last = ["--predict", "n=40", "--json", "--", "{n}"];
        cll(&place, &[&words[..], more, &last[..]].concat())
    };
    let model = run("n=2,4,6", &[]).expect(0).json();
    let predicted = &list(&model, "predictions")[0];
    let why = predicted["why"].as_str().unwrap_or_default();
    assert!(predicted["time_s"].is_null() && why.contains("have n=2,4 only"), "{predicted}");
    assert!(why.contains("--vary n=2,4,8"), "{why}");
    let notes = model["notes"].to_string();
    assert!(notes.contains("1 of 3 runs makes other calls and is left out"), "{notes}");
    assert!(notes.contains("the model is of n=2 P=2, n=4 P=2"), "{notes}");

    let model = run("n=1,2,3,5", &["--degree", "1"]).expect(0).json();
    let work = with(list(&model, "segments"), "ranks", "rank 1");
    assert_eq!(work["fit"]["formula"]["text"], "c[0] + c[1]*n", "{work}");
    // Nobody sleeps less than was asked for, at the sizes that were run and at the one that is shown.
    let points = list(&work["fit"], "residuals");
    let is_slept = |point: &Value| {
        let (time, n) = (point["measured"].as_f64().unwrap(), point["values"][0].as_f64().unwrap());
        time >= 0.003 * n
    };
    assert!(points.len() >= 3 && points.iter().all(is_slept), "{work}");
    let shown = work["time_s"].as_f64().unwrap();
    let is_shown = |point: &Value| (point["fitted"].as_f64().unwrap() / shown - 1.0).abs() < 0.05;
    assert!(points.iter().any(is_shown), "{work}");
    // The path has the work as its formula gives it: where a small size was disturbed, less than the 3 ms for each item.
    if let Some(seconds) = seconds(&list(&model, "predictions")[0]) {
        let constants = list(&work["fit"]["intervals"][0], "constants");
        let constant = |index: usize| constants[index]["value"].as_f64().unwrap();
        assert!(seconds >= constant(0) + 40.0 * constant(1) - 1e-9, "{model}");
    }
    let refused = run("n=1,2,3", &["--degree", "4"]).expect(6);
    assert!(refused.err.contains("cannot be fitted to a segment"), "{}", refused.err);
    run("n=1,2,3", &["--formula", "c[0] + c[1]*m"]).expect(2).says(&["there is no variable m"]);
}

/// A task farm: rank 0 gives tasks of 2 ms to whoever has none.
const FARM: &str = r#"#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int tasks = atoi(argv[1]), rank, size, i, task, given = 0, none = -1;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (i = 1; i < size; i++, given++)
            MPI_Send(given < tasks ? &given : &none, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
        for (i = 0; i < tasks; i++, given++) {
            MPI_Recv(&task, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
            MPI_Send(given < tasks ? &given : &none, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD);
        }
    } else {
        for (;;) {
            MPI_Recv(&task, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (task < 0)
                break;
            usleep(2000 + 500 * (rank % 3));
            MPI_Send(&task, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
"#;

#[test]
fn tasks_go_to_whoever_is_free_for_any_number_of_ranks() {
    if !ready("tasks_go_to_whoever_is_free_for_any_number_of_ranks") {
        return;
    }
    let place = Place::new();
    place.write("farm.c", FARM);
    for mpi in drawn(1) {
        let program = format!("./farm-{mpi}");
        compile(&place, &format!("mpicc.{mpi}"), "farm.c", &program);
        let words = ["mpi", "model", &program, "--vary", "tasks=12,18,30", "-n", "2,3,4"];
        let more = ["--oversubscribe", "--rounds", "1", "--json", "--predict", "tasks=56,P=8"];
        let done = cll(&place, &[&words[..], &more[..], &["--", "{tasks}"]].concat()).expect(0);
        let model: Value = serde_json::from_str(&done.out).expect("JSON");
        let predicted = &list(&model, "predictions")[0];
        assert_eq!(predicted["unmatched"], 0, "{predicted}");
        // Seven slaves with 56 tasks of 2 ms or more.
        if let Some(seconds) = seconds(predicted) {
            assert!(seconds >= 0.016, "{predicted}");
        }
        let shared = |entry: &&Value| entry["passages"] == "a share of tasks";
        let loops = list(&model, "loops");
        assert!(loops.iter().filter(shared).count() >= 2, "{loops:?}");
        let is_exact = |entry: &Value| entry["is_exact"] == true;
        assert!(loops.iter().all(is_exact), "{loops:?}");
    }
}

#[test]
fn what_cannot_be_modelled_is_named() {
    if !ready("what_cannot_be_modelled_is_named") {
        return;
    }
    let place = Place::new();
    place.write("pipeline.c", PIPELINE);
    compile(&place, "mpicc.openmpi", "pipeline.c", "pipeline");
    let run = |words: &[&str]| cll(&place, &[&["mpi", "model", "./pipeline"], words].concat());
    let words = ["--oversubscribe", "--vary", "n=13", "--rounds", "1", "--", "{n}"];
    let done = run(&words).expect(5);
    assert!(done.err.contains("with n=13, P=2 the program"), "{}", done.err);
    run(&["--vary", "n=4", "--formula", "c[0]*", "--", "{n}"]).expect(2);
    run(&["--vary", "n=4", "--block", "first=2x", "--", "{n}"]).expect(2);
    let line = ["mpi", "model", "./pipeline", "--", "4"];
    let done = place.cll_with(&[("CLL_WARM_UP", "soon")], &line).expect(2);
    assert!(done.err.contains("CLL_WARM_UP=soon: it must be seconds"), "{}", done.err);
    place.write("plain.c", "int main(void) { return 0; }\n");
    compile(&place, "gcc", "plain.c", "plain");
    let done = cll(&place, &["mpi", "model", "./plain"]).expect(2);
    assert!(done.err.contains("not linked with MPI"), "{}", done.err);
}

/// Logs that were kept give the same model as when they were made, but for the start of the processes, which no log has.
#[test]
fn a_model_of_kept_logs_is_that_of_the_runs() {
    if !ready("models of kept logs") {
        return;
    }
    let mpi = drawn(1)[0];
    let place = Place::new();
    place.write("pipeline.c", PIPELINE);
    compile(&place, &format!("mpicc.{mpi}"), "pipeline.c", "pipeline");
    let model_line = [
        "mpi",
        "model",
        "./pipeline",
        "--vary",
        "n=4,6,8,10",
        "-n",
        "2",
        "--rounds",
        "2",
        "-o",
        "kept",
        "--quiet",
        "--json",
        "--hold-out",
        "n=8",
        "--",
        "{n}",
    ];
    let model = cll(&place, &model_line).expect(0).json();
    // A run that did not come to its end, and one of another kind.
    cll(&place, &["run", "-n", "2", "--log", "-o", "kept", "./pipeline", "13"]);
    cll(&place, &["run", "-n", "2", "--log", "-o", "kept", "./pipeline", "5", "more"]).expect(0);
    let line = |more: &[&'static str]| [&["mpi", "model", "kept"][..], more].concat();
    let options = ["--json", "--hold-out", "n=8", "--predict", "n=20", "--", "{n}"];
    let kept = cll(&place, &line(&options)).expect(0).json();
    for same in
        ["program", "library", "variables", "runs", "segments", "loops", "fitted", "held_out"]
    {
        assert_eq!(kept[same], model[same], "{mpi}: {same}");
    }
    assert_eq!(kept["made"], model["made"]);
    assert!(list(&kept, "start").is_empty() && !list(&model, "start").is_empty());
    assert_eq!(list(&kept, "predictions").len(), 1);
    let notes: Vec<&str> = list(&kept, "notes").iter().filter_map(Value::as_str).collect();
    // What an aborted run leaves may be no log at all.
    for part in ["pipeline.cll.8.", "that have other arguments are left out: kept/pipeline.cll.9."]
    {
        let is_said = |note: &&&str| note.contains(part) && note.contains("are left out");
        assert_eq!(notes.iter().filter(is_said).count(), 1, "{notes:?}");
    }
    let text = cll(&place, &line(&["--predict", "n=20", "--", "{n}"])).expect(0);
    text.prints(&["pipeline", "are left out"]);
    for (more, code, message) in [
        (&["--vary", "n=4", "--", "{n}"][..], 2, "--vary: the runs of logs are already made"),
        (&["-n", "2", "--", "{n}"], 2, "-n: the runs of logs"),
        (&["--", "x", "{n}"], 2, "no run has arguments like `x {n}`"),
        (&[], 2, "name what differs behind --"),
        (&["pipeline.c", "--", "{n}"], 2, "pipeline.c is no log"),
    ] {
        let done = cll(&place, &line(more));
        assert!(done.code == code && done.err.contains(message), "{more:?}: {}", done.err);
    }
    // Files in place of the folder; all have the same arguments.
    let same: Vec<String> = std::fs::read_dir(place.path("kept"))
        .unwrap()
        .map(|entry| entry.unwrap().path().display().to_string())
        .filter(|name| name.contains(".cll.0."))
        .collect();
    let words: Vec<&str> = same.iter().map(String::as_str).collect();
    let value = cll(&place, &[&["mpi", "model", "--json"][..], &words].concat()).expect(0).json();
    assert_eq!((&value["variables"], &value["made"]), (&serde_json::json!([]), &1.into()));
}
