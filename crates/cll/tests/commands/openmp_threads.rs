//! Samples of the threads of OpenMP programs: all are kept, and those of one passage are reported from others.

use serde_json::Value;

use crate::support::{Place, run};

/// Three threads, of which the last takes longest; teams within teams; tasks; shared work.
const TEAMS: &str = r#"#include <omp.h>
#include <time.h>

#pragma cll parallel OpenMP

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
    int n, i;
    omp_set_max_active_levels(2);
    for (n = 1; n <= 4; n++) {
#pragma omp parallel num_threads(3)
        {
            int me = omp_get_thread_num();
            for (int k = 0; k < 2; k++) {
#pragma cll sync team team[0] + team[1]*n
                busy(2e-4 * n * (me + 1));
#pragma cll end team
            }
#pragma omp for
            for (i = 0; i < 9; i++) {
#pragma cll shared shared[0] + shared[1]*n
                busy(1e-6);
#pragma cll end shared
            }
        }
    }
    /* Some threads more often than others, at the same values. */
    for (n = 2; n <= 3; n++) {
        i = 1;
#pragma omp parallel num_threads(n)
        {
#pragma cll sync uneven uneven[0]*i
            busy(1e-6);
#pragma cll end uneven
        }
    }
#pragma omp parallel num_threads(2)
    {
#pragma cll outer outer[0]
#pragma omp parallel num_threads(2)
        {
#pragma cll sync inner inner[0]*P
            busy(1e-6);
#pragma cll end inner
        }
#pragma cll end outer
    }
#pragma omp parallel num_threads(2)
#pragma omp single
    for (n = 0; n < 5; n++) {
#pragma omp task firstprivate(n)
        {
#pragma cll task task[0] + task[1]*n
            busy(1e-6);
#pragma cll nested nested[0]
            busy(1e-6);
#pragma cll end nested
#pragma cll end task
        }
    }
    return 0;
}
"#;

fn recorded() -> Place {
    let place = Place::new();
    place.write("teams.c", TEAMS);
    place.cll(&["cc", "-O2", "-fopenmp", "teams.c", "-o", "teams"]).expect(0);
    run(&mut place.command("./teams")).expect(0);
    place
}

fn experiment<'a>(answer: &'a Value, name: &str) -> &'a Value {
    let all = answer["experiments"].as_array().unwrap();
    all.iter().find(|value| value["name"] == name).unwrap()
}

/// Samples of each thread.
fn by_thread(value: &Value) -> Vec<u64> {
    let mut counts = std::collections::BTreeMap::new();
    for cell in value["cells"].as_array().unwrap() {
        for origin in cell["origins"].as_array().unwrap() {
            *counts.entry(origin["thread"].as_u64()).or_default() +=
                origin["count"].as_u64().unwrap();
        }
    }
    counts.into_values().collect()
}

#[test]
fn the_samples_of_all_threads_are_kept() {
    let place = recorded();
    let trace = place.cll(&["export", "--format", "json", "teams.cll.0.dat"]).expect(0).json();
    let samples_of = |name: &str| experiment(&trace, name).clone();
    assert_eq!(by_thread(&samples_of("team")), [8, 8, 8]);
    assert_eq!(by_thread(&samples_of("shared")), [12, 12, 12], "nine of static shares, four times");
    let mut uneven = by_thread(&samples_of("uneven"));
    uneven.sort_unstable();
    assert_eq!(uneven, [1, 2, 2]);
    // Every thread of every team within a team, with its own P; a task where it ran. A thread that begins when another
    // one has ended goes on under its number.
    let inner = samples_of("inner");
    assert_eq!(by_thread(&inner).iter().sum::<u64>(), 4);
    assert_eq!(inner["cells"][0]["values"], serde_json::json!([2.0]));
    assert_eq!(by_thread(&samples_of("task")).iter().sum::<u64>(), 5);
    assert_eq!(samples_of("nested")["samples"], 5);
    let csv = place.cll(&["export", "teams.cll.0.dat"]).expect(0).out;
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().unwrap();
    let column_of = |name: &str| names.iter().position(|text| *text == name).unwrap();
    for row in lines {
        // Regions of a thread nest in what that thread is in, not in those of who made the team or task.
        match row[column_of("experiment")] {
            "nested" => assert_eq!(row[column_of("parent")], "task"),
            "inner" => assert!(["", "outer"].contains(&row[column_of("parent")])),
            _ => {}
        }
        let synced = row[column_of("flags")].split(' ').any(|flag| flag == "barrier");
        let expected = ["team", "uneven"].contains(&row[column_of("experiment")]);
        assert_eq!(synced, expected, "{row:?}");
    }
}

#[test]
fn a_passage_behind_a_sync_is_the_slowest_thread_s() {
    let place = recorded();
    let answer = place.cll(&["fit", "teams.cll.0.dat", "--json"]).expect(0).json();
    let team = experiment(&answer, "team");
    assert_eq!(team["imbalance"]["processors"], 3);
    assert_eq!(team["imbalance"]["passages"], 8);
    assert!(team["imbalance"]["slowest"].as_f64().unwrap() > 1.0, "{team}");
    for residual in team["fit"]["residuals"].as_array().unwrap() {
        // The last of three takes so long.
        let least = 0.99 * 3.0 * 2e-4 * residual["values"][0].as_f64().unwrap();
        assert!(residual["measured"].as_f64().unwrap() > least, "{residual}");
    }
    for name in ["shared", "inner", "task", "uneven"] {
        assert_eq!(experiment(&answer, name)["imbalance"], Value::Null, "{name}");
    }
    let text = place.cll(&["fit", "teams.cll.0.dat", "--details"]).expect(0);
    let reported = "the 3 threads of experiment uneven have 1 to 2 samples at the same values";
    assert!(text.out.contains(reported), "{}\n{}", text.out, text.err);
    assert!(!text.out.contains("threads of experiment shared"), "{}", text.out);
}
