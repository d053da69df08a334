//! A graph of an MPI program: a master and its slaves, and names that would be markup.

use cll_report::{GraphPage, graph_page};
use cll_result::{
    GraphCall, GraphEdge, GraphFlow, GraphLoop, GraphSegment, GraphStep, GraphSymbol, GraphSync,
    GraphTask, MpiGraph, MpiUnused, ProfileSource, UnusedParallelism,
};
use cll_units::{Bytes, Seconds};

fn call(node: usize, name: &str, line: u32, sync: GraphSync, task: u32) -> GraphStep {
    GraphStep::Call(GraphCall {
        node,
        call: format!("MPI_{name}"),
        symbol: match name {
            "Send" => GraphSymbol::Send,
            "Recv" => GraphSymbol::Receive,
            _ => GraphSymbol::Other,
        },
        place: format!("farm.c:{line}"),
        partners: "rank 1".to_owned(),
        times: 3,
        most_bytes: Bytes(1024),
        time: Some(Seconds(2e-5)),
        synchronises: sync,
        task,
        ..GraphCall::default()
    })
}

fn segment(node: usize, number: u32, lines: (u32, u32), task: u32) -> GraphStep {
    GraphStep::Segment(GraphSegment {
        node,
        number,
        function: "main".to_owned(),
        from: format!("farm.c:{}", lines.0),
        to: format!("farm.c:{}", lines.1),
        times: 1,
        time: Some(Seconds(1.5e-3)),
        task,
        ..GraphSegment::default()
    })
}

/// Calls of a master and a slave.
pub fn calls(program: &str) -> MpiGraph {
    let send = vec![call(2, "Send", 6, GraphSync::No, 1)];
    let graph_loop =
        GraphLoop { least: 3, most: 3, is_known: true, steps: send, ..GraphLoop::default() };
    let master = vec![
        call(0, "Init", 2, GraphSync::No, 0),
        segment(1, 1, (2, 6), 1),
        GraphStep::Loop(graph_loop),
        call(3, "Recv", 8, GraphSync::Receive, 2),
    ];
    let slave = vec![
        call(4, "Recv", 11, GraphSync::Receive, 3),
        segment(5, 2, (11, 13), 3),
        call(6, "Send", 13, GraphSync::No, 3),
    ];
    let unused = UnusedParallelism {
        segments: vec![1],
        beside: vec![2],
        task: 1,
        ranks: vec![0],
        gain: Some(Seconds(1e-3)),
        ..UnusedParallelism::default()
    };
    MpiGraph {
        program: program.to_owned(),
        ranks: 2,
        calls: 10,
        runtime: Some(Seconds(5e-3)),
        one_clock: true,
        flows: vec![flow(0, master), flow(1, slave)],
        messages: vec![
            GraphEdge { from: 2, to: 4, messages: 3 },
            GraphEdge { from: 6, to: 3, messages: 1 },
        ],
        unused: Some(MpiUnused {
            longest_path: Some(Seconds(5e-3)),
            together: Some(Seconds(4e-3)),
            list: vec![unused],
            ..MpiUnused::default()
        }),
        ..MpiGraph::new()
    }
}

fn flow(rank: u32, steps: Vec<GraphStep>) -> GraphFlow {
    GraphFlow { ranks: vec![rank], thread: None, steps }
}

/// The tasks of the graph.
pub fn tasks(program: &str) -> MpiGraph {
    let task = |number: u32, segments: &[u32], joins: &[&str], lines: (u32, u32)| {
        GraphStep::Task(GraphTask {
            node: number as usize - 1,
            number,
            segments: segments.to_vec(),
            joins: joins.iter().map(|&join| join.to_owned()).collect(),
            from: format!("farm.c:{}", lines.0),
            to: format!("farm.c:{}", lines.1),
            times: 1,
            computing: Some(Seconds(1.5e-3)),
            ..GraphTask::default()
        })
    };
    MpiGraph {
        is_tasks: true,
        flows: vec![
            flow(0, vec![task(1, &[1], &[], (2, 6)), task(2, &[], &["MPI_Recv"], (8, 8))]),
            flow(1, vec![task(3, &[2], &["MPI_Recv from rank 0"], (11, 13))]),
        ],
        messages: vec![
            GraphEdge { from: 0, to: 2, messages: 3 },
            GraphEdge { from: 2, to: 1, messages: 1 },
        ],
        ..calls(program)
    }
}

/// The page of such a graph.
pub fn page(program: &str) -> String {
    let text = (1..=20).map(|line| format!("    line({line}); /* <b> {program} */\n"));
    let source = ProfileSource {
        file: "/src/farm.c".to_owned(),
        text: Some(text.collect()),
        note: String::new(),
    };
    graph_page(&GraphPage {
        graph: &calls(program),
        tasks: &tasks(program),
        sources: &[source],
        tool: "cll 0.1.0",
    })
}
