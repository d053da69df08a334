//! `cll model`: how long it samples, what it goes on from, what it says of the machine.

use crate::support::{Place, WALK, recorded};

const VARY: &[&str] = &["walk.c", "--vary", "N=2000:64000:*2", "--", "{N}"];

fn model(place: &Place, options: &[&str]) -> crate::support::Done {
    place.cll(&[&["model"], options, VARY].concat())
}

fn rounds(value: &serde_json::Value) -> Vec<u64> {
    let rounds = value["sampling"]["rounds"].as_array().unwrap();
    rounds.iter().map(|round| round["round"].as_u64().unwrap()).collect()
}

#[test]
fn the_account_of_the_sampling() {
    let place = Place::with_walk();
    let value = model(&place, &["--launches", "3", "--seed", "7", "--json"]).expect(0).json();
    // All its fields: in the tests of the crate `result`.
    let sampling = &value["sampling"];
    assert_eq!((&sampling["seed"], &sampling["stopped"]), (&7.into(), &"launches".into()));
    assert_eq!(
        (&sampling["precision"], &sampling["budget_s"]),
        (&None::<u8>.into(), &None::<u8>.into())
    );
    assert_eq!(rounds(&value), [0, 1, 2]);
    let round = &sampling["rounds"][1];
    assert_eq!(round["runs"], serde_json::json!([6, 7, 8, 9, 10, 11]));
    assert!(round["wall"].as_f64().unwrap() > 0.0 && round["started"].as_f64().unwrap() > 0.0);
    assert_eq!(value["runs"][6]["round"], 1);
    assert_eq!(sampling["overhead"][0]["experiment"], "walk");
    let state = sampling["verdict"]["state"].as_str().unwrap();
    assert!(["quiet", "disturbed", "not-measurable"].contains(&state), "{state}");
}

/// When it ends: in the tests of the crate `measure`.
#[test]
fn goals_that_mean_nothing_are_refused() {
    let place = Place::with_walk();
    model(&place, &["--precision", "0"]).expect(2).says(&["above 0"]);
    model(&place, &["--precision", "few"]).expect(2).says(&["2%"]);
    model(&place, &["--launches", "3", "--budget", "3s"]).expect(2);
    model(&place, &["--budget", "0"]).expect(2);
}

#[test]
fn a_second_call_goes_on_from_the_first() {
    let place = Place::with_walk();
    let first = model(&place, &["--launches", "2", "--seed", "5", "--json"]).expect(0).json();
    let done = model(&place, &["--launches", "4", "--json"]).expect(0);
    let second = done.json();
    done.says(&["continuing from 2 rounds", "--fresh", "seed 5"]);
    assert_eq!(rounds(&second), [0, 1, 2, 3]);
    assert_eq!(first["runs"][3], second["runs"][3]);
    // Samples during which the program was switched out do not count.
    assert_eq!(recorded(&second), 4 * 6 * 5);
    let again = model(&place, &["--launches", "3", "--json"]).expect(0).json();
    assert_eq!(rounds(&again).len(), 4, "nothing is missing");

    // Another program, a new beginning; whatever else differs: in the tests of the crate `sampling`.
    let fresh = model(&place, &["--launches", "1", "--fresh", "--json"]).expect(0).json();
    assert_eq!(rounds(&fresh), [0]);
    place.write("walk.c", WALK.replace("0.5", "0.25"));
    let fresh = model(&place, &["--launches", "1", "--json"]).expect(0).json();
    assert_eq!(rounds(&fresh), [0]);
    assert_eq!(place.list("walk.cll").iter().filter(|name| name.ends_with(".dat")).count(), 6);
}

#[test]
fn a_program_that_changes_its_own_place_is_noticed() {
    let place = Place::new();
    let source = WALK
        .replace("#include <stdio.h>", "#define _GNU_SOURCE\n#include <sched.h>\n#include <stdio.h>\n#include <time.h>\n#include <unistd.h>")
        .replace(
            "    free(a);",
            "    struct timespec t = { 0, 300000000 };\n    struct sched_param p = { 0 };\n    \
             sched_setscheduler(0, SCHED_BATCH, &p);\n    nanosleep(&t, 0);\n    free(a);",
        );
    place.write("walk.c", source);
    place
        .cll(&[
            "model",
            "walk.c",
            "--launches",
            "1",
            "--details",
            "--vary",
            "N=1000:4000:+1000",
            "--",
            "{N}",
        ])
        .expect(0)
        .prints(&["changes its priority", "to SCHED_BATCH", "as it was started"]);
}

#[test]
fn a_machine_that_is_not_quiet_gives_no_number_as_if_it_were_true() {
    let place = Place::with_walk();
    model(&place, &["--launches", "1"]).expect(0);
    let text = place.read("walk.cll/model.json");
    let mut found: serde_json::Value = serde_json::from_str(&text).unwrap();
    found["sampling"]["verdict"]["state"] = "not-measurable".into();
    found["sampling"]["verdict"]["reasons"] = serde_json::json!([{ "code": "loaded", "text": "in 1 of 1 round other programs were running" }]);
    place.write("loaded.json", found.to_string());
    let question = ["predict", "loaded.json", "--at", "N=3000"];
    let refuses = [("CLL_LOADED", "refuse")];
    let done = place.cll_with(&refuses, &question).expect(8);
    done.says(&["disturbed machine", "other programs were running"]);
    // Who takes the numbers as they are is reported all the same.
    place.cll_with(&[("CLL_LOADED", "accept")], &question).expect(0).says(&["disturbed machine"]);
    let json = [&question[..], &["--json"]].concat();
    let value = place.cll_with(&refuses, &json).expect(8).json();
    assert_eq!(value["measurable"], false);
    place.cll(&["plot", "loaded.json"]).expect(0).says(&["not to be believed"]);
}

#[test]
fn what_to_do_on_a_loaded_machine_is_the_users_choice() {
    let place = Place::with_walk();
    place
        .cll_with(&[("CLL_LOADED", "maybe")], &[&["model"], VARY].concat())
        .expect(2)
        .says(&["refuse or accept"]);
    let done =
        place.cll_with(&[("CLL_LOADED", "")], &[&["model", "--launches", "3"], VARY].concat());
    match done.code {
        0 => drop(done.prints(&["walk  walk.c:", "error ", "cll show walk.cll"])),
        8 => {
            let done = done.prints(&["NOT MEASURABLE NOW", "  > ", "? "]);
            assert!(
                done.out
                    .lines()
                    .skip_while(|line| !line.starts_with('?'))
                    .all(|line| line.starts_with('?'))
            );
            assert!(!place.exists("walk.cll/plots/walk.svg"));
        }
        _ => drop(done.expect(0)),
    }
}

#[test]
fn a_program_may_be_left_where_the_system_puts_it() {
    let place = Place::with_walk();
    let value = model(&place, &["--launches", "1", "--no-pin", "--json"]).expect(0).json();
    assert_eq!(value["sampling"]["pinned"], serde_json::Value::Null);
    assert_eq!(value["sampling"]["scheduler"], "other");
}
