//! `cll mpi graph` of recorded runs: what the ranks of a run did, folded, with messages and collectives between them.

use serde_json::Value;

use crate::mpi_calls::{MPIS, with};
use crate::recorded::logs;
use crate::support::Place;

/// The steps of a list without segments.
fn without_segments(steps: &Value) -> Vec<&Value> {
    let all = steps.as_array().expect("a list");
    all.iter().filter(|step| step["step"] != "segment").collect()
}

/// The first call of a name in the steps and in their loops.
fn call<'a>(steps: &'a Value, name: &str) -> Option<&'a Value> {
    steps.as_array()?.iter().find_map(|step| match step["step"].as_str() {
        Some("loop") => call(&step["steps"], name),
        _ => Some(step).filter(|step| step["call"] == name),
    })
}

/// Calls as their names, loops with their passages.
fn shape(steps: &Value) -> String {
    let step_text = |step: &&Value| match step["step"].as_str() {
        Some("loop") if step["least"] == step["most"] => {
            format!("{}({})", step["most"], shape(&step["steps"]))
        }
        Some("loop") => format!("{}-{}({})", step["least"], step["most"], shape(&step["steps"])),
        _ => step["call"].as_str().expect("a name").trim_start_matches("MPI_").to_owned(),
    };
    without_segments(steps).iter().map(step_text).collect::<Vec<_>>().join(" ")
}

#[test]
fn equal_ranks_are_one_flow_and_rounds_are_loops() {
    let place = Place::new();
    for mpi in MPIS {
        let files = logs(&place, mpi, "slaves");
        let graph = place.cll(&with(&["mpi", "graph", "--json"], &files)).expect(0).json();
        let flows = graph["flows"].as_array().expect("a list");
        let [master, slaves] = &flows[..] else { panic!("{mpi}: {} flows", flows.len()) };
        assert_eq!(master["ranks"], serde_json::json!([0]), "{mpi}");
        assert_eq!(slaves["ranks"], serde_json::json!([1, 2, 3]), "{mpi}");
        let expected = "Init Bcast 5(3(Send) 3(Recv)) Barrier Finalize";
        assert_eq!(shape(&master["steps"]), expected, "{mpi}");
        assert_eq!(shape(&slaves["steps"]), "Init Bcast 5(Recv Send) Barrier Finalize", "{mpi}");
        let send = call(&master["steps"], "MPI_Send").expect("a send");
        let receive = call(&slaves["steps"], "MPI_Recv").expect("a receipt");
        assert_eq!((&send["symbol"], &receive["symbol"]), (&"send".into(), &"receive".into()));
        assert_eq!(send["partners"], "to ranks 1-3", "{mpi}");
        assert_eq!(receive["partners"], "from rank 0", "{mpi}");
        assert_eq!(receive["path"], serde_json::json!(["serve", "main"]), "{mpi}");
        assert_eq!((&send["times"], &send["most_bytes"]), (&15.into(), &16.into()), "{mpi}");
        let message =
            serde_json::json!({ "from": send["node"], "to": receive["node"], "messages": 15 });
        let messages = graph["messages"].as_array().expect("a list");
        assert!(messages.contains(&message), "{mpi}: {messages:?}");
        assert_eq!(messages.len(), 2, "{mpi}: {messages:?}");
        let node_of =
            |flow: &Value, name| call(&flow["steps"], name).expect("a call")["node"].clone();
        let groups = graph["collectives"].as_array().expect("a list");
        for name in ["MPI_Bcast", "MPI_Barrier"] {
            let group = serde_json::json!([node_of(master, name), node_of(slaves, name)]);
            assert!(groups.contains(&group), "{mpi} {name}: {groups:?}");
        }
        // The root of a broadcast sends, the others receive.
        assert_eq!(call(&master["steps"], "MPI_Bcast").expect("it")["symbol"], "send");
        assert_eq!(call(&slaves["steps"], "MPI_Bcast").expect("it")["symbol"], "receive");
        // What the slaves do in between takes a millisecond each time.
        let segment = |step: &Value| step["step"] == "segment" && step["function"] == "serve";
        let rounds = slaves["steps"].as_array().expect("a list").iter();
        let rounds: Vec<&Value> = rounds.filter(|step| step["step"] == "loop").collect();
        let body = rounds[0]["steps"].as_array().expect("a list");
        let served = body.iter().find(|step| segment(step)).expect("the segment");
        assert!(served["time_s"].as_f64().expect("seconds") >= 0.001, "{mpi}: {served}");
        assert_eq!(served["times"], 15, "{mpi}");
        let text = place.cll(&with(&["mpi", "graph"], &files)).expect(0);
        text.prints(&["rank 0", "ranks 1-3", "loop of 5 passages", "MPI_Send to ranks 1-3"]);
        let line = ["mpi", "graph", "--svg", "graph.svg", "--dot", "graph.dot"];
        assert_eq!(place.cll(&with(&line, &files)).expect(0).out, "");
        let svg = place.read("graph.svg");
        assert!(svg.starts_with("<svg") && svg.contains("ranks 1-3"), "{mpi}");
        assert_eq!(svg.matches("class=\"loop\"").count(), 1 + 2 + 1, "{mpi}");
        assert!(place.read("graph.dot").contains("shape=invtriangle"), "{mpi}");
        // The tasks follow from the graph, which is the same of both.
        if mpi == MPIS[0] {
            tasks_of_a_run(&place, mpi, &files);
        }
    }
}

/// All tasks of steps and of their loops.
fn tasks(steps: &Value) -> Vec<&Value> {
    let is_loop = |step: &'_ Value| step["step"] == "loop";
    let all = steps.as_array().expect("a list").iter();
    all.flat_map(|step| if is_loop(step) { tasks(&step["steps"]) } else { vec![step] }).collect()
}

/// The tasks of the same run: the slaves wait for a part, compute and send; the master waits for them.
fn tasks_of_a_run(place: &Place, mpi: &str, files: &[String]) {
    let line = ["mpi", "graph", "--json", "--tasks", "--parallelism", "--html", "graph.html"];
    place.cll(&with(&line, files)).expect(2).says(&["cannot be used with"]);
    let graph = place.cll(&with(&line[..5], files)).expect(0).json();
    let low = place.cll(&with(&["mpi", "graph", "--json"], files)).expect(0).json();
    // What a call of the low-level graph is part of.
    let task_of = |flow: usize, name: &str| {
        let task = call(&low["flows"][flow]["steps"], name).expect("a call")["task"].clone();
        let all = tasks(&graph["flows"][flow]["steps"]);
        all.into_iter().find(|value| value["number"] == task).expect("its task").clone()
    };
    let (gives, serves, collects) =
        (task_of(0, "MPI_Send"), task_of(1, "MPI_Recv"), task_of(0, "MPI_Recv"));
    let joins = serves["joins"].to_string();
    assert!(joins.contains("MPI_Recv from rank 0"), "{mpi}: {joins}");
    assert_eq!(serves["times"], 15, "{mpi}: five times in three slaves");
    assert!(serves["computing_s"].as_f64() >= Some(0.001), "{mpi}: {serves}");
    let messages = graph["messages"].as_array().expect("a list");
    for (from, to) in [(&gives, &serves), (&task_of(1, "MPI_Send"), &collects)] {
        let edge = messages
            .iter()
            .find(|message| message["from"] == from["node"] && message["to"] == to["node"]);
        assert_eq!(edge.expect("an edge")["messages"], 15, "{mpi}: {messages:?}");
    }
    let path = graph["unused"]["longest_path_s"].as_f64().expect("seconds");
    assert!(path >= 0.005, "{mpi}: five parts of a millisecond after each other, not {path}");
    for value in graph["unused"]["list"].as_array().expect("a list") {
        let gain = value["gain_s"].as_f64().expect("seconds");
        assert!((0.0..=path).contains(&gain), "{mpi}: {value}");
    }
    assert_eq!(
        place.cll(&with(&["mpi", "graph", "--html", "graph.html"], files)).expect(0).out,
        ""
    );
    let page = place.read("graph.html");
    // The source is found by the debug information.
    assert!(page.contains("data-file=\"slaves.c\"") && page.contains("static void serve"), "{mpi}");
    assert!(page.contains("data-at=\"slaves.c:"), "{mpi}");
}

#[test]
fn a_graph_is_not_written_over_a_log() {
    let place = Place::new();
    let files = logs(&place, "mpich", "slaves");
    let line = with(&["mpi", "graph", "--svg", &files[0]], &files);
    place.cll(&line).expect(2).says(&["is an input and would be replaced by the output"]);
    place.write("text", "no log\n");
    place.cll(&["mpi", "graph", "text"]).expect(3).says(&["not a log of MPI calls"]);
    let line = with(&["mpi", "graph", "-n", "2"], &files);
    place.cll(&line).expect(2).says(&["a log has its ranks"]);
}
