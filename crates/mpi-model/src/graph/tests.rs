use cll_result::{
    GraphCall, GraphEdge, GraphFlow, GraphLoop, GraphSegment, GraphStep, GraphSymbol, GraphSync,
    GraphTask, MpiGraph,
};
use cll_units::{Bytes, Seconds};

use super::{task_graph, with_tasks};

fn segment(node: usize, number: u32, times: u64, seconds: f64) -> GraphStep {
    GraphStep::Segment(GraphSegment {
        node,
        number,
        function: "main".to_owned(),
        from: format!("a.c:{}", 10 * node),
        to: format!("a.c:{}", 10 * node + 5),
        times,
        time: Some(Seconds(seconds)),
        ..GraphSegment::default()
    })
}

fn call(node: usize, name: &str, symbol: GraphSymbol, waits: GraphSync, times: u64) -> GraphCall {
    GraphCall {
        node,
        call: format!("MPI_{name}"),
        symbol,
        place: format!("a.c:{}", 10 * node),
        path: vec!["main".to_owned()],
        times,
        time: Some(Seconds(0.5)),
        waiting: Some(Seconds(0.25)),
        synchronises: waits,
        ..GraphCall::default()
    }
}

fn send(node: usize, times: u64, bytes: u64) -> GraphStep {
    let sent = Bytes(bytes);
    let graph_call = call(node, "Send", GraphSymbol::Send, GraphSync::No, times);
    GraphStep::Call(GraphCall { sent, ..graph_call })
}

fn receive(node: usize, times: u64) -> GraphStep {
    GraphStep::Call(call(node, "Recv", GraphSymbol::Receive, GraphSync::Receive, times))
}

fn other(node: usize, name: &str, waits: GraphSync) -> GraphStep {
    GraphStep::Call(call(node, name, GraphSymbol::Other, waits, 1))
}

fn repeat(passages: u64, steps: Vec<GraphStep>) -> GraphStep {
    let (least, most) = (passages, passages);
    GraphStep::Loop(GraphLoop { least, most, is_known: true, steps, ..GraphLoop::default() })
}

fn graph(flows: Vec<(Vec<u32>, Vec<GraphStep>)>, messages: &[(usize, usize, u64)]) -> MpiGraph {
    let ranks = flows.iter().map(|flow| flow.0.len() as u32).sum();
    let flow = |(ranks, steps)| GraphFlow { ranks, thread: None, steps };
    let edge = |&(from, to, messages): &(usize, usize, u64)| GraphEdge { from, to, messages };
    with_tasks(MpiGraph {
        ranks,
        one_clock: true,
        flows: flows.into_iter().map(flow).collect(),
        messages: messages.iter().map(edge).collect(),
        ..MpiGraph::new()
    })
}

fn tasks(steps: &[GraphStep]) -> Vec<&GraphTask> {
    let mut all = Vec::new();
    for step in steps {
        match step {
            GraphStep::Task(task) => all.push(task),
            GraphStep::Loop(graph_loop) => all.extend(tasks(&graph_loop.steps)),
            _ => {}
        }
    }
    all
}

/// The product of matrices on a master and two slaves, with 4 messages to each: by hand.
fn master_and_slaves() -> MpiGraph {
    let master = vec![
        other(0, "Init", GraphSync::No),
        segment(1, 1, 1, 3.0),
        repeat(2, vec![send(2, 2, 1600), send(3, 2, 800)]),
        segment(4, 2, 1, 2.0),
        repeat(2, vec![receive(5, 2)]),
        segment(6, 3, 1, 1.0),
        other(7, "Finalize", GraphSync::No),
    ];
    let slaves = vec![
        other(8, "Init", GraphSync::No),
        receive(9, 2),
        receive(10, 2),
        segment(11, 4, 2, 4.0),
        send(12, 2, 800),
        other(13, "Finalize", GraphSync::No),
    ];
    graph(vec![(vec![0], master), (vec![1, 2], slaves)], &[(2, 9, 2), (3, 10, 2), (12, 5, 2)])
}

#[test]
fn tasks_end_where_their_process_waits_and_keep_their_segments() {
    let graph = master_and_slaves();
    let high = task_graph(&graph);
    assert!(high.is_tasks);
    let [master, slaves] = &high.flows[..] else { panic!("{:?}", high.flows) };
    let [task, two] = tasks(&master.steps)[..] else { panic!("{:?}", master.steps) };
    assert_eq!(
        (task.number, &task.segments[..], &task.nodes[..]),
        (1, &[1, 2][..], &[1, 2, 3, 4][..])
    );
    assert_eq!((two.number, &two.segments[..], &two.nodes[..]), (2, &[3][..], &[5, 6][..]));
    assert_eq!(two.joins, ["MPI_Recv, a.c:50"]);
    assert!(task.joins.is_empty());
    // Both segments; four sends of 0.25 each without waiting, as long in waiting.
    assert_eq!(task.computing, Some(Seconds(5.0)));
    assert_eq!((task.calls, task.waiting), (Some(Seconds(1.0)), Some(Seconds(1.0))));
    assert_eq!((task.messages, task.sent, task.times), (4, Bytes(2400), 1));
    assert_eq!((task.from.as_str(), task.to.as_str()), ("a.c:10", "a.c:45"));
    // Two receipts in a row are one wait; the mean of a passage of both slaves.
    let [three] = tasks(&slaves.steps)[..] else { panic!("{:?}", slaves.steps) };
    assert_eq!((three.joins.len(), three.times), (2, 2));
    assert_eq!(three.computing, Some(Seconds(4.0)));
    let edges: Vec<_> = high.messages.iter().map(|e| (e.from, e.to, e.messages)).collect();
    assert_eq!(edges, [(0, 2, 4), (2, 1, 2)]);
    // The low-level graph has the numbers of the tasks.
    let GraphStep::Segment(last) = &graph.flows[0].steps[5] else { panic!("a segment") };
    assert_eq!(last.task, 2);
    let GraphStep::Call(init) = &graph.flows[0].steps[0] else { panic!("a call") };
    assert_eq!(init.task, 0);
}

#[test]
fn loops_in_which_a_process_waits_have_tasks_of_their_own() {
    let both = |first: usize| {
        vec![
            segment(first, first as u32, 1, 1.0),
            repeat(
                5,
                vec![send(first + 1, 5, 8), receive(first + 2, 5), segment(first + 3, 9, 5, 1.0)],
            ),
            other(first + 4, "Barrier", GraphSync::Collective),
        ]
    };
    let mut low = graph(vec![(vec![0], both(0)), (vec![1], both(5))], &[(1, 7, 5), (6, 2, 5)]);
    low.collectives = vec![vec![4, 9]];
    let high = task_graph(&low);
    let shape = |steps: &[GraphStep]| -> String {
        let step_text = |step: &GraphStep| match step {
            GraphStep::Task(task) => format!("T{}×{}", task.number, task.times),
            GraphStep::Loop(graph_loop) => {
                let inner: Vec<String> = tasks(&graph_loop.steps)
                    .iter()
                    .map(|task| format!("T{}×{}", task.number, task.times))
                    .collect();
                format!("{}({})", graph_loop.most, inner.join(" "))
            }
            _ => "?".to_owned(),
        };
        steps.iter().map(step_text).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(shape(&high.flows[0].steps), "T1×1 5(T2×5 T3×5) T4×1");
    assert_eq!(high.collectives, [[3, 7]], "both wait in the barrier");
    let edges: Vec<_> = high.messages.iter().map(|e| (e.from, e.to)).collect();
    assert_eq!(edges, [(1, 6), (5, 2)]);
}

#[test]
fn the_root_of_a_broadcast_gives_and_requests_are_waited_for_later() {
    let root = GraphStep::Call(call(0, "Bcast", GraphSymbol::Send, GraphSync::No, 1));
    let leaf = GraphStep::Call(call(1, "Bcast", GraphSymbol::Receive, GraphSync::Collective, 1));
    let mut begun = call(2, "Irecv", GraphSymbol::Receive, GraphSync::No, 1);
    begun.nonblocking = true;
    let mut wait = call(4, "Wait", GraphSymbol::Completion, GraphSync::Completion, 1);
    wait.waiting = None;
    let other = vec![leaf, GraphStep::Call(begun), segment(3, 1, 1, 1.0), GraphStep::Call(wait)];
    let mut low = graph(vec![(vec![0], vec![root, send(5, 1, 8)]), (vec![1], other)], &[(5, 2, 1)]);
    low.collectives = vec![vec![0, 1]];
    let high = task_graph(&low);
    assert!(high.collectives.is_empty());
    let edges: Vec<_> = high.messages.iter().map(|e| (e.from, e.to, e.messages)).collect();
    // The message is for the task of the wait, not for that of the call that asked for it.
    assert_eq!(edges, [(0, 1, 0), (0, 2, 1)]);
}
