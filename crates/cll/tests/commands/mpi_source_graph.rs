//! `cll mpi graph` of sources: what each rank does, without a run.

use serde_json::Value;

use crate::support::Place;

fn example(name: &str) -> String {
    format!("{}/../../examples/mpi/{name}.c", env!("CARGO_MANIFEST_DIR"))
}

/// Calls as their names, loops and choices as they are written.
fn shape(steps: &Value) -> String {
    let one = |step: &Value| match step["step"].as_str() {
        Some("loop") => {
            let count = match step["is_known"] == true {
                true => format!("{}", step["most"]),
                false if step["is_choice"] == true => "?".to_owned(),
                false => "n".to_owned(),
            };
            format!("{count}({})", shape(&step["steps"]))
        }
        Some("segment") => "-".to_owned(),
        _ => step["call"].as_str().expect("a name").trim_start_matches("MPI_").to_owned(),
    };
    steps.as_array().expect("a list").iter().map(one).collect::<Vec<_>>().join(" ")
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
    let name = |node: &Value| all.iter().find(|one| one.0 == *node).expect("a node").1.clone();
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
    assert!(place.read("graph.svg").contains("ranks 1-3"));
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
    let one = |ranks: &str, steps: &str| {
        (ranks.to_owned(), format!("- Init n({steps} ?(Allreduce)) Finalize"))
    };
    let expected = [one("[0]", "- Send"), one("[1,2,3]", "Recv - Send"), one("[4]", "Recv -")];
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
