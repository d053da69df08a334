//! `#pragma cll parallel BSP`, `PUB`, `MPI`: P and pid of the model, barriers, and whose time is fitted.

use std::collections::HashMap;
use std::fs;

use serde_json::Value;

use crate::support::Place;
use crate::virtually::{LOOKS, STEADY_CLOCK};

/// Every processor takes as many milliseconds as its number and the size say; two of three regions wait for
/// the others first, which take their time.
const BSP: &str = r#"#include <bsp.h>
#include <time.h>

#pragma cll parallel BSP procs = 1:2:2

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

int main(void)
{
    int n, me;
    bsp_begin(bsp_nprocs());
    me = bsp_pid();
    bsp_send((me + 1) % bsp_nprocs(), 0, &me, sizeof me);
#pragma cll for (n = 1; n <= 3; n++)
    busy(1e-3 * (me + 1));
#pragma cll sync after after[0] + after[1]*n*pid
    busy(1e-3 * n);
#pragma cll end after
#pragma cll whole whole[0] + whole[1]*n/P
    busy(1e-3 * n / bsp_nprocs() * (me + 1));
#pragma cll end whole
#pragma cll end for
    bsp_sync();
    {
        int messages, bytes;
        bsp_qsize(&messages, &bytes);
        /* No barrier of an experiment ended the superstep, in which they would have got lost. */
        if (messages != 1)
            bsp_abort("%d messages\n", messages);
    }
    bsp_end();
    return 0;
}
"#;

fn rows(text: &str) -> Vec<HashMap<String, String>> {
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let titles: Vec<String> = lines.next().expect("a header").collect();
    lines.map(|line| titles.iter().cloned().zip(line).collect()).collect()
}

#[test]
fn p_pid_and_barriers_are_those_of_the_processors() {
    let place = Place::new();
    place.write("team.c", BSP);
    place.cll(&["cc", "-O2", "team.c", "-o", "team"]).expect(0);
    place.cll(&["run", "-n", "3", "./team"]).expect(0);
    let csv = place.cll(&["export", "team.cll.0.dat"]).expect(0).out;
    let rows = rows(&csv);
    assert_eq!(rows.len(), 3 * 3 * 2, "{csv}");
    let rows_of = |name: &'static str| rows.iter().filter(move |row| row["experiment"] == name);
    assert!(rows_of("whole").all(|row| row["P"] == "3"), "{csv}");
    assert!(rows_of("after").all(|row| row["pid"] == row["processor"]), "{csv}");
    let seconds =
        |row: &HashMap<String, String>, column: &str| -> f64 { row[column].parse().unwrap() };
    for (n, before) in [("2", "1"), ("3", "2")] {
        let starts =
            rows_of("after").filter(|row| row["n"] == n).map(|row| seconds(row, "start_s"));
        let ends = rows_of("whole").filter(|row| row["n"] == before);
        let ends = ends.map(|row| seconds(row, "start_s") + seconds(row, "inclusive_s"));
        let ends: Vec<f64> = ends.collect();
        assert_eq!(ends.len(), 3);
        // Nobody begins before the last one, who is late by 3 ms, has come.
        let last = ends.iter().copied().fold(0.0, f64::max);
        assert!(starts.into_iter().all(|start| start > last), "{csv}");
    }
}

#[test]
fn a_model_is_of_the_slowest_processor() {
    let place = Place::new();
    place.write("team.c", BSP);
    let line = ["model", "team.c", "--launches", "3", "--loaded", "accept", "--json", "-o", "out"];
    let answer: Value = serde_json::from_str(&place.cll(&line).expect(0).out).expect("JSON");
    let experiments = answer["experiments"].as_array().expect("experiments");
    let whole_program =
        experiments.iter().find(|experiment| experiment["name"] == "whole").expect("whole");
    // The last of P processors takes n ms, whatever P.
    for residual in whole_program["fit"]["residuals"].as_array().expect("residuals") {
        let values = residual["values"].as_array().unwrap();
        let recorded = whole_program["fit"]["recorded"].as_array().unwrap();
        let value_of = |name: &str| {
            let index = recorded.iter().position(|value| value == name).unwrap();
            values[index].as_f64().unwrap()
        };
        let measured = residual["measured"].as_f64().unwrap();
        assert!(measured > 0.99e-3 * value_of("n"), "{residual}");
    }
    assert_eq!(whole_program["imbalance"]["processors"], 2);
    assert!(whole_program["imbalance"]["slowest"].as_f64().unwrap() > 1.0, "{whole_program}");
    let text = place.cll(&["fit", "out", "--details"]).expect(0).out;
    assert!(text.contains("the slowest of each passage is fitted"), "{text}");
}

#[test]
fn virtual_processors_are_modelled_beyond_the_cores() {
    let place = Place::new();
    place.write("team.c", BSP);
    // Not much is computed beyond the cores.
    let most = std::thread::available_parallelism().map_or(1, usize::from) + 2;
    let counts = format!("1,2,{most}");
    let line = [
        "model",
        "team.c",
        "-n",
        &counts,
        "--engine",
        "virtual",
        "--launches",
        "2",
        "--loaded",
        "accept",
        "--json",
        "-o",
        "out",
    ];
    let ran = place.cll(&line).expect(0);
    assert!(ran.err.contains("communication takes no time"), "{}", ran.err);
    let answer: Value = serde_json::from_str(&ran.out).expect("JSON");
    let experiments = answer["experiments"].as_array().expect("experiments");
    let whole_program =
        experiments.iter().find(|experiment| experiment["name"] == "whole").expect("whole");
    assert_eq!(whole_program["imbalance"]["processors"], most);
    // They wait for each other's turns, which is nobody's disturbance.
    for round in answer["sampling"]["rounds"].as_array().expect("rounds") {
        let marked = round["marked"].as_array().expect("marks");
        assert!(!marked.iter().any(|mark| mark == "interrupted"), "{round}");
    }
}

/// A region around a synchronisation, on virtual processors that take 1, 2, 3 … ms by the steady clock.
const AROUND: &str = r#"#include "steady_clock.h"
#include <bsp.h>

#pragma cll parallel BSP

int main(void)
{
    bsp_begin(bsp_nprocs());
#pragma cll around around[0]*P
    compute(1e-3 * (bsp_pid() + 1));
    bsp_sync();
    compute(1e-3);
    bsp_sync();
#pragma cll end around
    bsp_end();
    return 0;
}
"#;

#[test]
fn a_region_around_a_synchronisation_is_timed_by_the_virtual_clock() {
    let place = Place::new();
    place.write("steady_clock.h", STEADY_CLOCK);
    place.write("around.c", AROUND);
    place.cll(&["cc", "-O2", "around.c", "-o", "around"]).expect(0);
    // g and L: nanoseconds per byte and seconds, at a barrier and obliviously.
    let costs = [("CLL_COSTS", "max;b,1,0,2e-9,2e-3;o,1,0,1e-9,3e-6")];
    let line = ["run", "-n", "16", "--engine", "virtual", "--cores", "1", "--json", "./around"];
    let predicted = place.cll_with(&costs, &line).expect(0).out;
    let predicted: Value = serde_json::from_str(predicted.lines().last().unwrap()).expect("JSON");
    let total = predicted["total_s"].as_f64().unwrap();
    let csv = place.cll(&["export", "around.cll.0.dat"]).expect(0).out;
    let rows = rows(&csv);
    assert_eq!(rows.len(), 16, "{csv}");
    let times = rows.iter().map(|row| -> f64 { row["inclusive_s"].parse().unwrap() });
    for time in times {
        // The slowest, the second phase, and twice L: no processor counts what others compute after it.
        assert!((0.021..0.021 + LOOKS).contains(&time), "{csv}");
        // By the same clock the whole program takes no less than a region.
        assert!(time <= total + LOOKS, "{total}: {csv}");
    }
}

#[test]
fn the_paper_s_figures_four_and_five_are_a_model() {
    let place = Place::new();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/fft/fft.c");
    fs::copy(source, place.path("fft.c")).expect("the example");
    let line = [
        "model",
        "fft.c",
        "-n",
        "1,2,4",
        "--engine",
        "virtual",
        "--launches",
        "1",
        "--loaded",
        "accept",
        "--json",
        "-o",
        "out",
    ];
    let answer: Value = serde_json::from_str(&place.cll(&line).expect(0).out).expect("JSON");
    let experiments = answer["experiments"].as_array().expect("experiments");
    let mut names: Vec<&str> =
        experiments.iter().filter_map(|experiment| experiment["name"].as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["A", "B", "C", "D", "E", "F", "G", "f"]);
    assert!(experiments.iter().all(|one| one["fit"].is_object()), "{experiments:?}");
}

#[test]
fn engines_that_cannot_be_modelled_are_refused() {
    let place = Place::new();
    place.write("team.c", BSP);
    let message = place.cll(&["model", "team.c", "--engine", "mpi"]).expect(2).err;
    assert!(message.contains("--engine mpi: not for models"), "{message}");
    let message = place.cll(&["model", "team.c", "--machine", "sgi-powerchallenge"]).expect(2).err;
    assert!(message.contains("--machine is for virtual processors only"), "{message}");
    place.write(
        "alone.c",
        "int main(void)\n{\n#pragma cll f f[0]\n    ;\n#pragma cll end f\n    return 0;\n}\n",
    );
    let message = place.cll(&["model", "alone.c", "--engine", "virtual"]).expect(2).err;
    assert!(message.contains("not a BSP program"), "{message}");
}

#[test]
fn more_processors_than_cores_are_refused_unless_that_is_wanted() {
    let place = Place::new();
    place.write("team.c", BSP);
    let line = ["model", "team.c", "-n", "1,512", "--launches", "1"];
    place.cll(&line).expect(2).says(&[
        "512 processors are requested",
        "compete for cores",
        "--engine virtual",
        "--oversubscribe",
    ]);
    let cores = std::thread::available_parallelism().unwrap().get();
    let most = format!("1,{}", cores + 1);
    let line = ["model", "team.c", "-n", &most, "--launches", "1", "--oversubscribe", "--json"];
    let answer = place.cll(&line).expect(0).json();
    let warnings = answer["warnings"].as_array().expect("warnings");
    assert!(warnings.iter().any(|one| one["code"] == "oversubscribed"), "{warnings:?}");
}
