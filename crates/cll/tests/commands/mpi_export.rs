//! `cll mpi export`: recorded runs for viewers and simulators.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::mpi_calls::{MPIS, with};
use crate::recorded::logs;
use crate::support::{Place, have, run};

const PLATFORM: &str = r#"<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="h" suffix="" radical="0-3" speed="1Gf" bw="1GBps" lat="10us"/>
</platform>
"#;

fn written(place: &Place, files: &[String], format: &str) -> String {
    let line = ["mpi", "export", "--format", format, "--out", "out"];
    assert_eq!(place.cll(&with(&line, files)).expect(0).out, "");
    place.read("out")
}

#[test]
fn simulators_replay_a_logged_run() {
    for mpi in MPIS {
        let place = Place::new();
        let files = logs(&place, mpi, "ring");
        let trace = written(&place, &files, "simgrid");
        let count = |name: &str| trace.lines().filter(|line| line.contains(name)).count();
        assert_eq!((count(" init"), count(" finalize")), (4, 4), "{mpi}");
        // Half of the receipts are asked for with their rank.
        assert_eq!(count(" irecv "), 4 * 5, "{mpi}");
        let computed: f64 = trace
            .lines()
            .filter_map(|line| line.strip_prefix("0 compute ")?.parse::<f64>().ok())
            .sum();
        assert!(computed > 1e9 * 0.010, "{mpi}: {computed}");
        if have("smpirun", "simulators_replay") {
            place.write("platform.xml", PLATFORM);
            place.write("hosts", "h0\nh1\nh2\nh3\n");
            place.write("list", "out\n");
            let mut command = place.command("smpirun");
            let words = ["-np", "4", "-platform", "platform.xml", "-hostfile", "hosts"];
            let done = run(command.args(words).args(["-replay", "list", "--log=root.fmt:%m%n"]));
            done.expect(0).says(&["Simulation time"]);
        }
        // Each message of the program in the language of LogGOPSim has two sides.
        let goal = written(&place, &files, "goal");
        assert!(goal.starts_with("num_ranks 4\n"), "{mpi}");
        let mut sides: BTreeMap<(u32, u32, u64), (u32, u32)> = BTreeMap::new();
        let mut own = 0;
        for line in goal.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["rank", rank, "{"] => own = rank.parse().expect("a rank"),
                [_, "send", _, "to", to, "tag", tag] => {
                    let key = (own, to.parse().expect("a rank"), tag.parse().expect("a tag"));
                    sides.entry(key).or_default().0 += 1;
                }
                [_, "recv", _, "from", from, "tag", tag] => {
                    let key = (from.parse().expect("a rank"), own, tag.parse().expect("a tag"));
                    sides.entry(key).or_default().1 += 1;
                }
                _ => {}
            }
        }
        assert!(sides.values().all(|sides| sides.0 == sides.1), "{mpi}: {sides:?}");
        let messages: u32 = sides.values().map(|sides| sides.0).sum();
        // The split is of four ranks: two rounds. Ten reductions of two; a broadcast, a reduction.
        assert_eq!(messages, 4 * 20 + 4 * 2 + 4 * 10 + 3 + 3, "{mpi}");
    }
}

#[test]
fn a_viewer_has_a_slice_for_each_call_and_an_arrow_for_each_message() {
    let place = Place::new();
    for mpi in MPIS {
        let files = logs(&place, mpi, "ring");
        let trace: Value = serde_json::from_str(&written(&place, &files, "chrome")).expect("JSON");
        let events = trace["traceEvents"].as_array().expect("a list");
        let count = |ph: &str| events.iter().filter(|event| event["ph"] == ph).count();
        assert_eq!((count("M"), count("s"), count("f")), (4, 80, 80), "{mpi}");
        let slices = events.iter().filter(|event| event["name"] == "MPI_Allreduce").count();
        assert_eq!(slices, 40, "{mpi}");
        for event in events.iter().filter(|event| event["ph"] == "f") {
            let begin =
                events.iter().find(|value| value["ph"] == "s" && value["id"] == event["id"]);
            let begin = begin.expect("its begin");
            assert!(begin["ts"].as_f64() <= event["ts"].as_f64(), "{mpi}: {begin} {event}");
            assert_ne!(begin["pid"], event["pid"], "{mpi}");
        }
        // Every call of MPI.
        let files = logs(&place, mpi, "calls");
        for format in ["chrome", "goal", "simgrid"] {
            assert!(!written(&place, &files, format).is_empty(), "{mpi} {format}");
        }
        let line = ["mpi", "export", "--format", "goal", "--speed", "0", "--out", "out"];
        place.cll(&with(&line, &files)).expect(2).says(&["it must be above 0"]);
    }
}
