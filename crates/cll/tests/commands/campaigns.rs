//! `cll campaign`: the book of many runs, whatever happens meanwhile.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use test_draw::{cases, drawn_below};

use crate::support::{Done, Place, skip, with_enough_time};

/// A plan of a program that takes 2 ms, fails for N = 3 and hangs for N = 4.
const PLAN: &str = r#"cll-campaign = 1
program = "./work"
arguments = ["{N}"]
rounds = 3
timeout = "2s"

[parameters]
N = [1, 2, 3, 4]
"#;

const WORK: &str = "#!/bin/sh\necho \"$1 $WORD\" >> made\n[ $1 = 3 ] && { echo three; exit 3; }\n[ $1 = 4 ] && sleep 600\nexit 0\n";

pub fn with_work() -> Place {
    let place = Place::new();
    place.write("plan.toml", PLAN);
    place.write("work", WORK);
    assert_eq!(place.sh("chmod +x work").code, 0);
    place
}

/// The same with its campaign, in which those runs alone took too long that hang. Of these the first is made.
fn with_book() -> (Place, Done) {
    let campaign = |limit: &str| {
        let place = with_work();
        place.write("plan.toml", PLAN.replace("2s", limit));
        let done = place.cll(&["campaign", "run", "plan.toml", "-q"]).expect(5);
        (place, done)
    };
    with_enough_time(campaign, |(place, _)| {
        let status = place.cll(&["campaign", "status", "plan.campaign", "--json"]).expect(0).json();
        status["counts"]["timeout"] == 1
    })
}

#[test]
fn every_run_is_kept_with_what_came_of_it() {
    let (place, done) = with_book();
    done.prints(&["6 of 12 runs are done"]);
    let status = place.cll(&["campaign", "status", "plan.campaign", "--json"]).expect(0).json();
    let counts = &status["counts"];
    assert_eq!((&counts["done"], &counts["failed"]), (&6.into(), &3.into()), "{counts}");
    // What took too long once is not tried again.
    assert_eq!((&counts["timeout"], &counts["skipped"]), (&1.into(), &2.into()), "{counts}");
    let runs = status["runs"].as_array().unwrap();
    let failed = runs.iter().find(|run| run["state"] == "failed").unwrap();
    assert_eq!((&failed["exit"], &failed["parameters"]["N"]), (&3.into(), &3.into()));
    assert!(failed["message"].as_str().unwrap().contains("three"), "{failed}");
    let environment = &status["environments"][0];
    assert!(!environment["host"].as_str().unwrap().is_empty(), "{environment}");
    assert_eq!(environment["program"].as_str().unwrap().len(), 64, "{environment}");
    assert_eq!(status["left_s"], 0.0, "{status}");
    // All is done: nothing is made again.
    let before = place.read("made").lines().count();
    place.cll(&["campaign", "resume", "plan.campaign", "-q"]).expect(5);
    assert_eq!(place.read("made").lines().count(), before);
    let report = place.cll(&["campaign", "status", "plan.campaign"]).expect(0);
    report.prints(&["next: cll campaign resume --retry plan.campaign", "failed"]);
    place.cll(&["fit", "plan.campaign", "--formula", "f[0] + f[1]*N"]).prints(&["N = 1 to 2"]);
}

#[test]
fn killed_at_any_instant_it_goes_on_without_loss() {
    let place = Place::new();
    place.write("work", "#!/bin/sh\necho $1 >> made\n");
    assert_eq!(place.sh("chmod +x work").code, 0);
    // The database alone is killed in the tests of its crate.
    let (kills, rounds) = (cases(100, 5), cases(25, 5));
    let (all, rounds) = (40 * rounds, rounds.to_string());
    let line = [
        "campaign",
        "run",
        "--vary",
        "N=1:40:+1",
        "--rounds",
        &rounds,
        "-q",
        "--",
        "./work",
        "{N}",
    ];
    let mut random = 88_172_645_463_325_252_u64 + drawn_below(1 << 30) as u64;
    for _ in 0..kills {
        let mut command = place.command(env!("CARGO_BIN_EXE_cll"));
        command.args(line).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        std::thread::sleep(Duration::from_millis(random % 150));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    place.cll(&line).expect(0).prints(&[&format!("{all} of {all} runs are done")]);
    let status = place.cll(&["campaign", "status", "work.campaign", "--json"]).expect(0).json();
    let runs = status["runs"].as_array().unwrap();
    assert!(runs.iter().all(|run| run["state"] == "done" && run["time_s"].is_number()));
    // A run may have been cut off and made again, but only as often as there were kills.
    let runs_made = place.read("made").lines().count();
    assert!((all..=all + kills).contains(&runs_made), "{runs_made} after {kills} kills");
}

#[test]
fn a_long_campaign_is_said_before_it_begins() {
    let place = with_work();
    place.write("plan.toml", PLAN.replace("rounds = 3", "rounds = 12000\nexpect = \"3s\""));
    place.cll(&["campaign", "check", "plan.toml"]).expect(0).prints(&["48000 runs", "about 40 h"]);
    place.write("plan.toml", PLAN.replace("rounds = 3", "rounds = 300\nexpect = \"3s\""));
    place
        .cll(&["campaign", "run", "plan.toml", "--budget", "300ms"])
        .says(&["the budget is 300 ms", "the budget is spent"]);
}

#[test]
fn a_plan_for_more_processors_than_there_are_is_refused() {
    let place = with_work();
    place.write("plan.toml", PLAN.replace("rounds", "processors = 4096\nrounds"));
    let refused = place.cll(&["campaign", "run", "plan.toml"]).expect(2);
    refused.says(&["4096 processors", "oversubscribe"]);
}

#[test]
fn another_plan_has_another_book() {
    let place = with_work();
    place.cll(&["campaign", "run", "plan.toml", "-q"]).expect(5);
    place.write("plan.toml", PLAN.replace("rounds = 3", "rounds = 4"));
    place.cll(&["campaign", "run", "plan.toml"]).expect(2).says(&["another plan", "-o DIR"]);
}

#[test]
fn books_are_merged_and_compared() {
    let place = Place::with_walk();
    place.build("walk");
    let plan = "cll-campaign = 1\nprogram = \"./walk\"\narguments = [\"{N}\"]\nrounds = 4\n\n[parameters]\nN = [1000, 2000, 4000]\n";
    place.write("walk.toml", plan);
    place.cll(&["campaign", "run", "walk.toml", "-q"]).expect(0);
    place.cll(&["campaign", "run", "walk.toml", "-q", "-o", "later.campaign"]).expect(0);
    let compared = ["campaign", "compare", "walk.campaign", "later.campaign", "--json"];
    let compared = place.cll(&compared).expect(0).json();
    let points = compared["points"].as_array().unwrap();
    let runs: Vec<&Value> =
        points.iter().filter(|point| point["experiment"] == "(whole run)").collect();
    assert_eq!(runs.len(), 3, "{points:?}");
    assert!(points.len() > 3 && points.iter().all(|one| one["low"].is_number()), "{points:?}");
    assert_eq!(compared["environments"].as_array().map(Vec::len), Some(0));
    let merge = [
        "campaign",
        "merge",
        "-o",
        "both.campaign",
        "walk.campaign",
        "later.campaign",
        "walk.campaign",
    ];
    place.cll(&merge).expect(0).says(&["merged once"]).prints(&["24 runs"]);
    let fitted = place.cll(&["fit", "both.campaign", "--json"]).expect(0).json();
    assert_eq!(fitted["experiments"][0]["fit"]["quality"]["points"], 3);
    place.cll(&["campaign", "resume", "both.campaign"]).expect(2).says(&["2 campaigns"]);
}

#[test]
fn a_full_disk_ends_it_and_room_lets_it_go_on() {
    const NAME: &str = "a_full_disk_ends_it_and_room_lets_it_go_on";
    let place = Place::new();
    place.write("small/empty", "");
    let small = place.path("small");
    let mut mount = place.command("mount");
    mount.args(["-t", "tmpfs", "-o", "size=8m", "tmpfs"]).arg(&small);
    if !mount.output().is_ok_and(|output| output.status.success()) {
        skip(NAME, "a file system of its own cannot be mounted");
        return;
    }
    // The fifth run leaves no room.
    place.write(
        "work",
        "#!/bin/sh\necho $1 >> made\n[ $(wc -l < made) = 5 ] && cat /dev/zero > small/full 2> /dev/null\nexit 0\n",
    );
    assert_eq!(place.sh("chmod +x work").code, 0);
    let line = [
        "campaign",
        "run",
        "--vary",
        "N=1:10:+1",
        "--rounds",
        "30",
        "-q",
        "-o",
        "small/b.campaign",
        "--",
        "./work",
        "{N}",
    ];
    let full = place.cll(&line);
    fs::remove_file(place.path("small/full")).unwrap();
    let resumed = place.cll(&["campaign", "resume", "small/b.campaign", "-q"]);
    place.command("umount").arg(&small).status().unwrap();
    full.expect(7).says(&["the disk is full", "free some space", "resume"]);
    resumed.expect(0).prints(&["300 of 300 runs are done"]);
    // The one that was under way is all that was made twice.
    assert!((300..=301).contains(&place.read("made").lines().count()));
}

#[test]
fn runs_are_made_in_the_folder_of_the_plan_wherever_the_command_is_called() {
    let place = with_work();
    assert_eq!(place.sh("mkdir elsewhere").code, 0);
    let plan = PLAN.replace("[1, 2, 3, 4]", "[1, 2]");
    place.write("plan.toml", plan);
    place.sh("cd elsewhere && cll campaign run ../plan.toml -q --budget 1ms").expect(0);
    place.sh("cll campaign resume elsewhere/plan.campaign -q").expect(0);
    assert_eq!(place.read("made").lines().count(), 6);
    assert!(!place.exists("elsewhere/made"));
}

#[test]
fn what_failed_is_made_again_when_that_is_asked_for() {
    let (place, _) = with_book();
    place.write("work", "#!/bin/sh\necho again >> made\n");
    assert_eq!(place.sh("chmod +x work").code, 0);
    // It is another program now, and two runs of the one before are done.
    let resume = ["campaign", "resume", "plan.campaign", "-q", "--retry"];
    place.cll(&resume).expect(2).says(&["the program was another one", "--mixed"]);
    let status = place.cll(&["campaign", "status", "plan.campaign", "--json"]).expect(0).json();
    assert_eq!(status["counts"]["failed"], 3, "nothing has changed: {status}");
    let done = place.cll(&[&resume[..], &["--mixed"]].concat()).expect(0);
    done.prints(&["12 of 12 runs are done"]).says(&["6 runs that had failed"]);
    assert_eq!(place.read("made").lines().filter(|line| *line == "again").count(), 6);
    let status = place.cll(&["campaign", "status", "plan.campaign", "--json"]).expect(0).json();
    let runs = status["runs"].as_array().unwrap();
    assert!(runs.iter().all(|run| run["message"].is_null()), "{runs:?}");
    let earlier = |run: &Value| run["earlier"].as_array().unwrap().clone();
    let failed: Vec<_> = runs.iter().flat_map(earlier).collect();
    // Three that failed, one that took too long; what was skipped for that was never begun.
    assert_eq!(failed.len(), 4);
    assert_eq!(failed.iter().filter(|one| one["state"] == "timeout").count(), 1);
    for attempt in failed.iter().filter(|value| value["state"] == "failed") {
        assert_eq!((&attempt["attempt"], &attempt["exit"]), (&1.into(), &3.into()));
        assert!(attempt["message"].as_str().unwrap().contains("three"), "{attempt}");
    }
}
