//! `cll profile view` of recorded runs of MPI programs: calls in place of supersteps where there are none, with the values of
//! `cll mpi stats`. What a browser makes of it is tested in `viewer/tests`.

use serde_json::Value;

use crate::profile_view::{data, near, profile};
use crate::recorded::logs;
use crate::support::{Done, Place};

fn view(place: &Place, files: &[String], more: &[&str]) -> Done {
    let mut line = vec!["profile", "view"];
    line.extend(files.iter().map(String::as_str));
    line.extend(more);
    place.cll(&line)
}

fn list<'a>(object: &'a Value, name: &str) -> &'a Vec<Value> {
    object[name].as_array().expect("a list")
}

fn seconds(value: &Value) -> f64 {
    value.as_f64().expect("seconds")
}

#[test]
fn calls_without_supersteps_are_shown_with_the_values_of_the_statistics() {
    let place = Place::new();
    // Two groups of processes, of which the odd ones are late. Calls between groups have no supersteps.
    let first = logs(&place, "openmpi", "late");
    let mut line = vec!["mpi", "stats", "--json"];
    line.extend(first.iter().map(String::as_str));
    let stats = place.cll(&line).expect(0).json();
    view(&place, &first, &["-o", "calls.html"])
        .expect(0)
        .says(&["no supersteps, so the page shows calls of MPI", "the page is calls.html"]);
    let html = place.read("calls.html");
    // The page has the statistics themselves.
    let (own, _) = data(&html, "p0-mpi");
    for (name, value) in stats.as_object().expect("an object") {
        if !["supersteps", "no_supersteps"].contains(&name.as_str()) {
            assert_eq!(own[name], *value, "{name}");
        }
    }
    let (head, columns) = profile(&html);
    assert_eq!(head["source"]["source"], "calls");
    assert!(head["notes"][0].as_str().is_some_and(|note| note.starts_with("no supersteps")));
    let strings = list(&head, "strings");
    let labels: Vec<&str> = columns["t.label"]
        .iter()
        .map(|&index| strings[index as usize].as_str().expect("a name"))
        .collect();
    // Every path of the statistics is a leaf with its time and waiting.
    for path in list(&stats, "by_path") {
        let call = path["call"].as_str().expect("a name");
        if call.starts_with("MPI_Init") || call == "MPI_Finalize" {
            continue;
        }
        let label = format!("{call} {}", path["place"].as_str().expect("a place"));
        let index = labels.iter().position(|text| *text == label).expect("its leaf");
        let cost = |metric: u32| 4.0 * columns[&format!("t.avg{metric}")][index];
        assert!(near(cost(1) + cost(2), seconds(&path["time_s"])), "{label}: time");
        assert!(near(cost(2), seconds(&path["waiting_s"])), "{label}: waiting");
        assert_eq!(columns["t.supersteps"][index], seconds(&path["calls"]), "{label}: calls");
        let bytes = seconds(&path["sent"]) + seconds(&path["received"]);
        assert!(near(cost(3), bytes), "{label}: bytes");
    }
    // The functions between are there, and the late senders are found in the one that waits.
    let node = |name: &str| labels.iter().position(|label| *label == name).expect("a function");
    let late =
        list(&head, "waits").iter().position(|value| value == "late sender").expect("a kind");
    let waited = columns[&format!("t.wait{late}.max")][node("take")];
    assert!(waited > 0.05, "{waited}");
    assert_eq!(columns[&format!("t.wait{late}.max")][node("give")], 0.0);
    for (index, kind) in list(&head, "waits").iter().enumerate() {
        let of_run =
            list(&stats, "waits").iter().find(|value| value["kind"] == *kind).expect("a kind");
        let of_root = 4.0 * columns[&format!("t.wait{index}.avg")][0];
        assert!(near(of_root, seconds(&of_run["time_s"])), "{kind}: {of_root}");
    }
    // Each rank has all of its time, in the tree and in the slices.
    for rank in list(&stats, "by_rank") {
        let number = rank["rank"].as_u64().expect("a number") as usize;
        let all: f64 = (0..3).map(|metric| columns[&format!("rows{metric}")][number]).sum();
        let known = seconds(&rank["time_s"]);
        assert!((all - known).abs() < 0.02 * known, "rank {number}: {all}, {known}");
    }
    assert!(head["slice_s"].as_f64().is_some_and(|slice| slice > 0.0));
    for metric in 0..4 {
        let slices: f64 = columns[&format!("s.avg{metric}")].iter().sum();
        let root = columns[&format!("t.avg{metric}")][0];
        assert!((slices - root).abs() <= 1e-3 * root + 1e-9, "{metric}: {slices}, {root}");
    }
    let messages: f64 = list(&stats, "messages").iter().map(|value| seconds(&value["bytes"])).sum();
    assert_eq!(columns["traffic"].iter().sum::<f64>(), messages);
    // Source text, and the report without JavaScript.
    assert!(list(&head, "sources")[0]["text"].as_str().is_some_and(|text| text.contains("give(")));
    assert!(html.contains("Where waiting comes from"));

    // Two such runs are compared; what has no meaning for calls is refused.
    let second = logs(&place, "openmpi", "late-again");
    let both: Vec<String> = first.iter().chain(&second).cloned().collect();
    view(&place, &both, &["-o", "both.html"]).expect(0);
    let html = place.read("both.html");
    let (diff, rows) = data(&html, "diff");
    let status = list(&diff, "statuses");
    assert!(rows["status"].iter().all(|&at| status[at as usize] == "same"), "{:?}", rows["status"]);
    assert_eq!(rows["supersteps.before"], rows["supersteps.after"]);
    view(&place, &first, &["--as-on", "sgi-origin-2000"]).expect(2).says(&["no supersteps"]);
}

#[test]
fn calls_with_supersteps_are_shown_by_supersteps_or_by_calls() {
    let place = Place::new();
    let log = logs(&place, "openmpi", "steps");
    view(&place, &log, &["-o", "steps.html"]).expect(0);
    let html = place.read("steps.html");
    let (head, _) = data(&html, "p0");
    assert_eq!((&head["source"]["source"], &head["slice_s"]), (&"log".into(), &Value::Null));
    assert_eq!(data(&html, "p0-mpi").0["calls"], 14);
    view(&place, &log, &["--calls", "-o", "calls.html"]).expect(0);
    let (head, columns) = data(&place.read("calls.html"), "p0");
    assert_eq!(head["source"]["source"], "calls");
    assert_eq!(head["notes"], serde_json::json!([]));
    assert_eq!(columns["t.supersteps"][0], 12.0);
    // One rank is enough: the page says that the other one is missing.
    view(&place, &log[..1], &["-o", "one.html"]).expect(0).says(&["there is no log of rank"]);
    let (head, columns) = data(&place.read("one.html"), "p0");
    assert_eq!((&head["processors"], &head["source"]["source"]), (&2.into(), &"calls".into()));
    assert_eq!(columns["t.min0"][0], columns["t.max0"][0]);
    place.write("other.log", "no log");
    let wrong = view(&place, &["other.log".to_owned()], &["--calls"]);
    assert_ne!(wrong.code, 0);
}
