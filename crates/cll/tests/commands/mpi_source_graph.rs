//! `cll mpi graph` of sources: what each rank does, without a run.

use serde_json::Value;

use crate::recorded::logs;
use crate::support::Place;

fn example(name: &str) -> String {
    format!("{}/../../examples/mpi/{name}.c", env!("CARGO_MANIFEST_DIR"))
}

/// Calls as their names, loops and choices as they are written.
fn shape(steps: &Value) -> String {
    let step_text = |step: &Value| match step["step"].as_str() {
        Some("loop") => {
            let count = if step["is_known"] == true {
                format!("{}", step["most"])
            } else if step["is_choice"] == true {
                "?".to_owned()
            } else {
                "n".to_owned()
            };
            format!("{count}({})", shape(&step["steps"]))
        }
        Some("segment") => "-".to_owned(),
        _ => step["call"].as_str().expect("a name").trim_start_matches("MPI_").to_owned(),
    };
    steps.as_array().expect("a list").iter().map(step_text).collect::<Vec<_>>().join(" ")
}

fn graph(place: &Place, ranks: &str, files: &[&str]) -> Value {
    let line = [&["mpi", "graph", "--json", "-n", ranks], files].concat();
    place.cll(&line).expect(0).json()
}

/// Each flow as its ranks and its shape.
fn flows(graph: &Value) -> Vec<(String, String)> {
    let all = graph["flows"].as_array().expect("a list").iter();
    all.map(|flow| (flow["ranks"].to_string(), shape(&flow["steps"]))).collect()
}

/// Messages as names of the calls with their lines.
fn messages(graph: &Value) -> Vec<String> {
    fn names(steps: &Value, all: &mut Vec<(Value, String)>) {
        for step in steps.as_array().expect("a list") {
            match step["step"].as_str() {
                Some("loop") => names(&step["steps"], all),
                Some("call") => {
                    let call = step["call"].as_str().expect("a name").trim_start_matches("MPI_");
                    let place = step["place"].as_str().expect("a place");
                    let line = place.rsplit(':').next().expect("a line");
                    all.push((step["node"].clone(), format!("{call}:{line}")));
                }
                _ => {}
            }
        }
    }
    let mut all = Vec::new();
    for flow in graph["flows"].as_array().expect("a list") {
        names(&flow["steps"], &mut all);
    }
    let name = |node: &Value| all.iter().find(|pair| pair.0 == *node).expect("a node").1.clone();
    let edges = graph["messages"].as_array().expect("a list").iter();
    edges.map(|edge| format!("{} {}", name(&edge["from"]), name(&edge["to"]))).collect()
}

/// The program of the paper's figure 3: the master has a part of the work, too.
const MASTER: &str = r#"#include <mpi.h>
#include "work.h"
#define MASTER 0
enum { ROWS = 7, RESULT };
int main(int argc, char **argv)
{
    int me, size, i, n = 100;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (me == MASTER) {
        init(a, n);
        for (i = 1; i < size; i++)
            MPI_Send(a, n * n / size, MPI_DOUBLE, i, ROWS, MPI_COMM_WORLD);
        multiply(a, b, n);
        for (i = 1; i < size; i++)
            MPI_Recv(c, n * n / size, MPI_DOUBLE, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &s);
    } else {
        serve(n, MASTER);
    }
    MPI_Finalize();
    return 0;
}
"#;

/// Another file of the program.
const SERVE: &str = r#"#include <mpi.h>
#include "work.h"
void serve(int n, int master)
{
    MPI_Recv(a, n, MPI_DOUBLE, master, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    multiply(a, b, n);
    MPI_Send(c, n, MPI_DOUBLE, master, 8, MPI_COMM_WORLD);
}
"#;

#[test]
fn a_master_and_its_slaves_are_two_flows_over_two_files() {
    let place = Place::new();
    place.write("master.c", MASTER);
    place.write("serve.c", SERVE);
    let graph = graph(&place, "4", &["master.c", "serve.c"]);
    assert_eq!(
        flows(&graph),
        [
            ("[0]".to_owned(), "Init - 3(Send) - 3(Recv) Finalize".to_owned()),
            ("[1,2,3]".to_owned(), "Init Recv - Send Finalize".to_owned()),
        ]
    );
    assert_eq!(messages(&graph), ["Send:14 Recv:5", "Send:7 Recv:17"]);
    let text = place.cll(&["mpi", "graph", "master.c", "serve.c"]).expect(0);
    text.prints(&[
        "loop of 3 passages: for (i = 1; i < size; i++)",
        "MPI_Send to i, master.c:14, n * n / size MPI_DOUBLE",
        "MPI_Recv from master, serve.c:5",
    ]);
    let line = ["mpi", "graph", "--svg", "graph.svg", "master.c", "serve.c"];
    assert_eq!(place.cll(&line).expect(0).out, "");
    let svg = place.read("graph.svg");
    assert!(svg.contains("ranks 1-3"));
    // A narrow graph has a heading of several lines, with all words.
    let bold = svg.split("class=\"bold\"").skip(1);
    let bold: String = bold.filter_map(|text| text.split(['>', '<']).nth(1)).collect();
    assert!(bold.contains("in the source"), "{bold}");
}

/// A pipeline: the first rank only sends, the last one only receives, how often is not known.
const PIPELINE: &str = r#"#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, size, x, n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    while (n-- > 0) {
        if (rank > 0)
            MPI_Recv(&x, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        x = work(x);
        if (rank < size - 1)
            MPI_Send(&x, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
        if (x > 100)
            MPI_Allreduce(&x, &n, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
"#;

#[test]
fn what_is_not_known_stays_open() {
    let place = Place::new();
    place.write("pipeline.c", PIPELINE);
    let graph = graph(&place, "5", &["pipeline.c"]);
    let flow = |ranks: &str, steps: &str| {
        (ranks.to_owned(), format!("- Init n({steps} ?(Allreduce)) Finalize"))
    };
    let expected = [flow("[0]", "- Send"), flow("[1,2,3]", "Recv - Send"), flow("[4]", "Recv -")];
    assert_eq!(flows(&graph), expected);
    assert_eq!(messages(&graph).len(), 3, "0 to 1, among the middle ones, 3 to 4");
    assert_eq!(graph["collectives"].as_array().map(Vec::len), Some(1));
}

#[test]
fn examples_have_graphs_and_other_files_are_refused() {
    let place = Place::new();
    let heat = graph(&place, "4", &[&example("heat")]);
    let exchange = "n(- 20(Sendrecv Sendrecv -) -) Allreduce - Finalize";
    let [(ranks, steps)] = &flows(&heat)[..] else { panic!("{:?}", flows(&heat)) };
    assert_eq!((ranks.as_str(), steps.starts_with("Init")), ("[0,1,2,3]", true), "{steps}");
    assert!(steps.contains("20(Sendrecv Sendrecv"), "{steps} is not {exchange}");
    assert_eq!(messages(&heat).len(), 2, "{:?}", messages(&heat));
    for name in ["matrix_product", "conjugate_gradient"] {
        let graph = graph(&place, "4", &[&example(name)]);
        assert!(graph["calls"].as_u64() > Some(3), "{name}");
    }
    place.write("none.c", "int main(void) { return 0; }\n");
    place
        .cll(&["mpi", "graph", "none.c"])
        .expect(3)
        .says(&["no main in these files that calls MPI"]);
    place.cll(&["mpi", "graph", "missing.c"]).expect(3).says(&["missing.c"]);
}

#[test]
fn tasks_come_from_the_source_before_any_run() {
    let place = Place::new();
    place.write("master.c", MASTER);
    place.write("serve.c", SERVE);
    let files = ["master.c", "serve.c"];
    let line = [&["mpi", "graph", "--json", "--tasks", "--parallelism"][..], &files].concat();
    let graph = place.cll(&line).expect(0).json();
    assert_eq!((&graph["is_tasks"], &graph["is_source"]), (&true.into(), &true.into()));
    let tasks = |flow: usize| -> Vec<(Value, Value, Value)> {
        let steps = graph["flows"][flow]["steps"].as_array().expect("a list").iter();
        let task_parts = |step: &Value| {
            assert_eq!(step["step"], "task");
            (step["number"].clone(), step["segments"].clone(), step["joins"].clone())
        };
        steps.map(task_parts).collect()
    };
    let json = |value: &str| serde_json::from_str::<Value>(value).expect("JSON");
    let master = [
        (json("1"), json("[1, 2]"), json("[]")),
        (json("2"), json("[]"), json(r#"["MPI_Recv from any rank, master.c:17"]"#)),
    ];
    assert_eq!(tasks(0), master);
    let slaves = [(json("3"), json("[3]"), json(r#"["MPI_Recv from master, serve.c:5"]"#))];
    assert_eq!(tasks(1), slaves);
    let edges = [
        json(r#"{"from": 0, "to": 2, "messages": 0}"#),
        json(r#"{"from": 2, "to": 1, "messages": 0}"#),
    ];
    assert_eq!(graph["messages"].as_array().expect("a list")[..], edges);
    let unused = graph["unused"]["list"].as_array().expect("a list");
    let beside = unused.iter().find(|value| value["kind"] == "beside").expect("one");
    assert_eq!((&beside["segments"], &beside["beside"]), (&json("[2]"), &json("[1]")));
    assert_eq!(beside["gain_s"], Value::Null);
    let line = [&["mpi", "graph", "--tasks", "--parallelism"][..], &files].concat();
    place.cll(&line).expect(0).prints(&[
        "master.c, tasks: 4 ranks, 2 flows, 3 tasks, not run",
        "after MPI_Recv from master, serve.c:5",
        "II runs beside I (T1, rank 0)",
        "nothing was run, so no gain is known",
    ]);
    // The low-level graph has the same numbers, and marks where ranks wait.
    let low = self::graph(&place, "4", &files);
    let receive = &low["flows"][1]["steps"][1];
    assert_eq!((&receive["task"], &receive["synchronises"]), (&3.into(), &"receive".into()));
    let send = &low["flows"][0]["steps"][2]["steps"][0];
    assert_eq!((&send["task"], &send["synchronises"]), (&1.into(), &"perhaps".into()));
    let line = ["mpi", "graph", "--html", "graph.html", "--svg", "tasks.svg", "--tasks"];
    place.cll(&[&line[..], &files].concat()).expect(0);
    let page = place.read("graph.html");
    assert!(page.contains("data-file=\"serve.c\"") && page.contains("multiply(a, b, n);"));
    assert_eq!(page.matches("class=\"drawing\"").count(), 2);
    let svg = place.read("tasks.svg");
    assert_eq!(svg.matches("class=\"sync\"").count(), 2, "tasks that begin with a wait");
    assert!(svg.contains(">entry<") && svg.contains(">exit<"));
    place.cll(&["mpi", "graph", "--html", "serve.c", "master.c", "serve.c"]).expect(2);
    let line = ["mpi", "graph", "--tasks", "--dot", "tasks.dot"];
    place.cll(&[&line[..], &files].concat()).expect(0);
    let dot = place.read("tasks.dot");
    assert_eq!((dot.matches("entry -> ").count(), dot.matches(" -> exit").count()), (2, 2));
}

#[test]
fn segments_of_a_source_have_their_operations() {
    let place = Place::new();
    place.write("count.c", COUNT);
    let graph = graph(&place, "2", &["count.c"]);
    let steps = graph["flows"][0]["steps"].as_array().expect("a list").iter();
    let operations: Vec<&str> = steps
        .filter(|step| step["step"] == "segment")
        .map(|step| step["operations"].as_str().expect("a text"))
        .collect();
    // By hand: one addition in each of n passages; 2 in n * rows * n, where rows is n / size, which is 1, and 3 once; what is done 20
    // times for m - 1 passages; a condition and a loop whose passages are not known.
    assert_eq!(operations, ["", "n", "2*n*n*(n / size) + 4", "20*(m - 1)", ">= 3"]);
    place.cll(&["mpi", "graph", "count.c"]).expect(0).prints(&["2*n*n*(n / size) + 4 operations"]);
}

const COUNT: &str = r#"#include <mpi.h>
static void multiply(double *c, int rows, int n)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = n, size, i, s;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (i = 0; i < n; i++)
        a[i] = b[i] + c[i];
    MPI_Barrier(MPI_COMM_WORLD);
    multiply(c, n / size, n);
    x[0] = y[0] * y[0] / 3 - z[1];
    MPI_Barrier(MPI_COMM_WORLD);
    for (s = 0; s < 20; s++)
        for (i = 1; i < m; i++)
            a[i] *= b[i];
    MPI_Barrier(MPI_COMM_WORLD);
    if (x[0] > 1)
        y[0] = a[0] + 1;
    while (y[0] > 1)
        y[0] -= x[1] + 2;
    MPI_Finalize();
}
"#;

#[test]
fn a_run_fills_in_what_the_source_does_not_show() {
    let place = Place::new();
    let files = logs(&place, "openmpi", "rounds");
    let run: Vec<&str> = files.iter().map(String::as_str).collect();
    let line = [&["mpi", "graph", "rounds.c", "--json", "--run"], &run[..]].concat();
    let graph = place.cll(&line).expect(0).json();
    assert_eq!((&graph["is_measured"], &graph["ranks"]), (&true.into(), &3.into()));
    // Without the run the passages of the outer loop and of the sends are not known.
    assert_eq!(
        flows(&graph),
        [
            ("[0]".to_owned(), "- Init - 7(Bcast 2(Recv) ?(Allreduce)) Finalize".to_owned()),
            ("[1,2]".to_owned(), "- Init - 7(Bcast - 1(Send) ?(Allreduce)) Finalize".to_owned()),
        ]
    );
    let step = |flow: usize, path: &[usize]| {
        let mut node = &graph["flows"][flow];
        path.iter().for_each(|&step| node = &node["steps"][step]);
        node.clone()
    };
    let rounds = step(0, &[3]);
    assert_eq!((&rounds["is_measured"], &rounds["least"]), (&true.into(), &7.into()));
    // What the source shows is not measured.
    assert_eq!(step(0, &[3, 1])["is_measured"], Value::Null);
    let receive = step(0, &[3, 1, 0]);
    assert_eq!(receive["partners"], "from any rank");
    assert_eq!((&receive["times"], &receive["received"]), (&14.into(), &(7 * (8 + 16)).into()));
    let send = step(1, &[3, 2, 0]);
    assert_eq!(send["partners"], "to rank 0");
    assert_eq!((&send["least_bytes"], &send["most_bytes"]), (&8.into(), &16.into()));
    assert!(send["time_s"].as_f64() > Some(0.0) && send["waiting_s"].is_number());
    let reduced = step(1, &[3, 3]);
    assert_eq!((&reduced["least"], &reduced["most"]), (&4.into(), &14.into()), "{reduced}");
    let slept = step(1, &[3, 1]);
    assert_eq!(slept["times"], 14);
    assert!(slept["time_s"].as_f64() > Some(0.0019), "{slept}");
    let line = [&["mpi", "graph", "rounds.c", "--run"], &run[..]].concat();
    place.cll(&line).expect(0).prints(&[
        "rounds.c, with a run of",
        "loop of 7 passages (measured): for (i = 0; i < n; i++)",
        "2 * rank MPI_INT (measured: 8 B to 16 B)",
        "(measured: 4 of 14 times)",
    ]);
    let line = [&["mpi", "graph", "-n", "4", "rounds.c", "--run"], &run[..]].concat();
    place.cll(&line).expect(2).says(&["-n 4: the run had 3 ranks"]);
    let line = [&["mpi", "graph", "--run"], &run[..1], &["--"], &run[1..]].concat();
    place.cll(&line).expect(2).says(&["a log is a run"]);
    // Another program's source: its calls have other places.
    place.write("other.c", place.read("rounds.c").replacen("int main", "\n\nint main", 1));
    let line = [&["mpi", "graph", "other.c", "--run"], &run[..]].concat();
    place
        .cll(&line)
        .expect(0)
        .says(&["calls that the graph of the source does not have", "MPI_Send at"]);
}

#[test]
fn sources_in_other_languages_are_named_as_such() {
    let place = Place::new();
    place.write("walk.cc", "int main() {}\n");
    let done = place.cll(&["mpi", "graph", "-n", "4", "walk.cc"]);
    done.expect(3).says(&["walk.cc: only sources in C are read", "--log"]);
}
