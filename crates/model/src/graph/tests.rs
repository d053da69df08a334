use super::*;

/// Sources: 2 × node for the computation, 2 × node + 1 for the call.
fn call(node: usize, computed: f64, cost: f64, action: Action) -> Step {
    let computed = Cost { source: 2 * node, seconds: computed };
    let cost = Cost { source: 2 * node + 1, seconds: cost };
    Step::Call(Box::new(CallStep {
        node,
        computed,
        waited: cost,
        direct: cost,
        action,
        is_beside: false,
    }))
}

fn send(to: usize, is_rendezvous: bool) -> Action {
    Action { to: vec![Peer::Process(to)], is_rendezvous, ..Action::default() }
}

fn receive(from: Peer) -> Action {
    Action { from: vec![from], ..Action::default() }
}

fn time(processes: &[Vec<Step>]) -> Path {
    longest_path(processes, &[], &[], 20)
}

#[test]
fn a_receive_ends_after_both_sides_have_come() {
    // By hand: the send begins at 3, the receive at 1: 3 + 0.5, then 2 more.
    let sender = vec![call(0, 3.0, 0.25, send(1, false))];
    let receiver =
        vec![call(0, 1.0, 0.5, receive(Peer::Process(0))), call(1, 2.0, 0.0, Action::default())];
    let path = time(&[sender, receiver]);
    assert_eq!(path.time, 5.5);
    assert_eq!(path.by_process[1].waited, 2.0);
    assert_eq!(path.by_process[0].end, 3.25);
    assert_eq!(path.unmatched, 0);
    // The path: the sender's computation, the receive, the receiver's last computation.
    assert_eq!(path.through[..4], [1.0, 1.0, 1.0, 1.0]);
}

#[test]
fn the_eager_limit_changes_the_graph() {
    let sender =
        |late| vec![call(0, 1.0, 0.5, send(1, late)), call(1, 4.0, 0.0, Action::default())];
    let receiver = || vec![call(0, 3.0, 0.5, receive(Peer::Process(0)))];
    assert_eq!(time(&[sender(false), receiver()]).time, 5.5);
    assert_eq!(time(&[sender(true), receiver()]).time, 7.5);
}

#[test]
fn a_transfer_overlaps_with_computation() {
    let begin = |action: Action| Action { is_begun: true, ..action };
    let wait = Action { completes: Completes::All, ..Action::default() };
    let first_steps = |computed: f64| {
        vec![
            call(0, 0.0, 0.0, begin(receive(Peer::Process(1)))),
            call(1, computed, 0.25, wait.clone()),
        ]
    };
    let other = || vec![call(0, 3.0, 0.0, send(0, false))];
    assert_eq!(time(&[first_steps(1.0), other()]).time, 3.25);
    assert_eq!(time(&[first_steps(8.0), other()]).time, 8.25);
}

#[test]
fn collectives_end_by_their_meaning() {
    let with = |needs| Action {
        collective: Some(Collective { members: Vec::new(), needs }),
        ..Action::default()
    };
    let ends = |needs: Needs| -> Vec<f64> {
        let processes: Vec<Vec<Step>> =
            [2.0, 5.0, 1.0].map(|computed| vec![call(0, computed, 0.5, with(needs))]).into();
        time(&processes).by_process.iter().map(|spent| spent.end).collect()
    };
    assert_eq!(ends(Needs::All), [5.5, 5.5, 5.5]);
    assert_eq!(ends(Needs::Root(0)), [2.5, 5.5, 2.5]);
    assert_eq!(ends(Needs::AtRoot(0)), [5.5, 5.5, 1.5]);
    assert_eq!(ends(Needs::Before), [2.5, 5.5, 5.5]);
    assert_eq!(ends(Needs::None), [2.5, 5.5, 1.5]);
}

#[test]
fn loops_and_partners_in_turn() {
    // A pipeline of three items over three processes: 2 + 1 + 1 for the first one, 2 for each of the others.
    let each = |body: Vec<Step>| vec![Step::Repeat { passages: Passages::Times(3.0), body }];
    let processes = [
        each(vec![call(0, 2.0, 0.0, send(1, false))]),
        each(vec![call(0, 0.0, 0.0, receive(Peer::Process(0))), call(1, 1.0, 0.0, send(2, false))]),
        each(vec![
            call(0, 0.0, 0.0, receive(Peer::Process(1))),
            call(1, 1.0, 0.0, Action::default()),
        ]),
    ];
    let path = time(&processes);
    assert_eq!(path.time, 8.0);
    assert_eq!(path.passages[0][0], 3.0);
    // A master that sends to each in turn.
    let to = vec![Peer::Process(1), Peer::Process(2)];
    let master = each(vec![call(0, 1.0, 0.0, Action { to, ..Action::default() })]);
    let slave = |passages: f64| {
        let body = vec![call(0, 0.0, 0.0, receive(Peer::Process(0)))];
        vec![Step::Repeat { passages: Passages::Times(passages), body }]
    };
    let path = time(&[master, slave(2.0), slave(1.0)]);
    assert_eq!((path.time, path.unmatched), (3.0, 0));
    assert_eq!(path.by_process[2].end, 2.0);
}

#[test]
fn a_farm_gives_work_to_the_process_that_is_free() {
    // Two slaves, one three times as fast. Six tasks; the master answers whoever is ready.
    let answer = vec![
        call(0, 0.0, 0.0, receive(Peer::Any)),
        call(1, 0.0, 0.0, Action { to: vec![Peer::LastSource], ..Action::default() }),
    ];
    let slave = |seconds: f64, passages: f64| {
        let body = vec![
            call(0, seconds, 0.0, send(0, false)),
            call(1, 0.0, 0.0, receive(Peer::Process(0))),
        ];
        vec![Step::Repeat { passages: Passages::Times(passages), body }]
    };
    let master = vec![Step::Repeat { passages: Passages::Times(8.0), body: answer }];
    let path = time(&[master, slave(1.0, 6.0), slave(3.0, 2.0)]);
    assert_eq!((path.time, path.unmatched), (6.0, 0));
}

#[test]
fn tasks_that_processes_have_in_common_go_to_whoever_is_free() {
    // As above, but how many each slave gets follows from the times: each has its first task, the master answers 8
    // times, the last two times that there are none.
    let answer = vec![
        call(0, 0.0, 0.0, receive(Peer::Any)),
        call(1, 0.0, 0.0, Action { to: vec![Peer::LastSource], ..Action::default() }),
    ];
    let mut master = vec![call(2, 0.0, 0.0, send(1, false)), call(3, 0.0, 0.0, send(2, false))];
    master.push(Step::Repeat { passages: Passages::Times(8.0), body: answer });
    let slave = |seconds: f64| {
        let body = vec![
            call(0, 0.0, 0.0, receive(Peer::Process(0))),
            call(1, seconds, 0.0, send(0, false)),
        ];
        let end = call(2, 0.0, 0.0, receive(Peer::Process(0)));
        vec![Step::Repeat { passages: Passages::Common(0), body }, end]
    };
    for (times, tasks, longest) in [([1.0, 3.0], [6.0, 2.0], 6.0), ([2.0, 2.0], [4.0, 4.0], 8.0)] {
        let processes = [master.clone(), slave(times[0]), slave(times[1])];
        let path = longest_path(&processes, &[], &[8.0], 20);
        assert_eq!((path.time, path.unmatched), (longest, 0));
        assert_eq!([path.passages[1][2], path.passages[2][2]], tasks);
    }
    // Without any: the slaves only hear that there are none.
    let path = longest_path(&[master[..2].to_vec(), slave(1.0), slave(1.0)], &[], &[0.0], 20);
    assert_eq!((path.time, path.unmatched), (0.0, 0));
}

#[test]
fn what_never_comes_is_counted() {
    let lonely =
        vec![call(0, 1.0, 0.5, receive(Peer::Process(1))), call(1, 1.0, 0.0, Action::default())];
    let path = time(&[lonely, Vec::new()]);
    assert_eq!((path.time, path.unmatched), (2.5, 1));
}

#[test]
fn a_part_of_a_passage_is_made_up_for() {
    let body = vec![call(0, 1.0, 0.0, Action::default())];
    let outer = vec![Step::Repeat { passages: Passages::Times(2.5), body }];
    let path = time(&[vec![Step::Repeat { passages: Passages::Times(4.0), body: outer }]]);
    assert_eq!(path.time, 10.0);
}

/// The same with the computation beside what is done since the process last waited.
fn beside(step: Step) -> Step {
    match step {
        Step::Call(call) => Step::Call(Box::new(CallStep { is_beside: true, ..*call })),
        other => other,
    }
}

#[test]
fn computation_beside_begins_when_the_process_last_waited() {
    // By hand: 0 computes 2, sends (0.5), computes 3, receives what 1 sends at 2.5 + 1 + 1 = 4.5 (it begins to receive at
    // 2.5, takes 1, computes 1): 5.5, and 1 for the receive: 6.5; then 4 and 2.
    let first_steps = |second: fn(Step) -> Step, fourth: fn(Step) -> Step| {
        vec![
            call(0, 2.0, 0.5, send(1, false)),
            second(call(1, 3.0, 1.0, receive(Peer::Process(1)))),
            call(2, 4.0, 0.0, Action::default()),
            fourth(call(3, 2.0, 0.0, Action::default())),
        ]
    };
    let other =
        || vec![call(0, 0.0, 1.0, receive(Peer::Process(0))), call(1, 1.0, 0.0, send(0, false))];
    let as_is = |step: Step| step;
    assert_eq!(time(&[first_steps(as_is, as_is), other()]).time, 12.5);
    // The second computation begins at 0 and ends at 3: the receive waits for the message, sent at 4, until 5.
    assert_eq!(time(&[first_steps(beside, as_is), other()]).time, 11.0);
    // The fourth begins at 6.5, when the receive has ended, beside the third.
    let path = time(&[first_steps(as_is, beside), other()]);
    assert_eq!(path.time, 10.5);
    assert_eq!((path.passages[0][6], path.through[6]), (1.0, 0.0));
}

#[test]
fn passages_beside_each_other_take_the_time_of_one() {
    let body = |second: fn(Step) -> Step| {
        vec![Step::Repeat {
            passages: Passages::Times(4.0),
            body: vec![second(call(0, 3.0, 0.5, send(1, false)))],
        }]
    };
    let other = || {
        vec![Step::Repeat {
            passages: Passages::Times(4.0),
            body: vec![call(0, 0.0, 0.0, receive(Peer::Any))],
        }]
    };
    assert_eq!(time(&[body(|step| step), other()]).time, 14.0);
    assert_eq!(time(&[body(beside), other()]).time, 5.0);
}
