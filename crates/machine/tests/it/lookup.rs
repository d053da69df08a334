//! Answers of a machine, and the substitutions that it reports.

use cll_machine::{
    Ask, Classic, Combine, Empty, Line, Machine, Missing, Pattern, Published, Segment,
    Substitution, Synchronisation, Uncertain,
};

fn segment(from: f64, to: f64, l: f64, g: f64) -> Segment {
    Segment {
        from,
        to,
        l: Uncertain::exact(l),
        g: Uncertain { value: g, low: 0.9 * g, high: 1.1 * g },
    }
}

fn line(processors: u32, oversubscribed: bool, pattern: Pattern, combine: Combine) -> Line {
    Line {
        engine: Some("processes".into()),
        processors,
        oversubscribed,
        synchronisation: Synchronisation::Barrier,
        pattern,
        combine,
        segments: vec![
            segment(8.0, 4096.0, 1e-6 * f64::from(processors), 1e-9),
            segment(8192.0, 1e6, 3e-6, 2e-9),
        ],
        calls: None,
        fetch: None,
    }
}

fn machine() -> Machine {
    let empty = |processors, oversubscribed| Empty {
        engine: Some("processes".into()),
        processors,
        oversubscribed,
        synchronisation: Synchronisation::Barrier,
        l: Uncertain::exact(1e-7 * f64::from(processors)),
    };
    Machine {
        name: "test".into(),
        empty: vec![empty(2, false), empty(4, true)],
        communication: vec![
            line(2, false, Pattern::Shift, Combine::Max),
            line(2, false, Pattern::Gather, Combine::Max),
            line(4, true, Pattern::Shift, Combine::Max),
        ],
        ..Machine::default()
    }
}

fn ask(processors: u32, pattern: Pattern, bytes: f64) -> Ask<'static> {
    Ask {
        engine: Some("processes"),
        processors,
        oversubscribed: None,
        pattern,
        synchronisation: Synchronisation::Barrier,
        combine: Combine::Max,
        bytes,
    }
}

#[test]
fn the_piece_that_holds_h() {
    let machine = machine();
    for (h, l, g) in [
        (8.0, 2e-6, 1e-9),
        (4096.0, 2e-6, 1e-9),
        (5000.0, 2e-6, 1e-9), // nearer to 4096 than to 8192, by ratio
        (6000.0, 3e-6, 2e-9),
        (1e6, 3e-6, 2e-9),
        (4.0, 2e-6, 1e-9), // between nothing, which was measured, and 8
    ] {
        let cost = machine.cost(&ask(2, Pattern::Shift, h)).unwrap();
        assert_eq!((cost.l.value, cost.g.value), (l, g), "{h}");
        assert_eq!((cost.inside, &cost.substitutions[..]), (true, &[][..]), "{h}");
    }
}

#[test]
fn a_superstep_without_communication_is_the_empty_one() {
    let cost = machine().cost(&ask(2, Pattern::Broadcast, 0.0)).unwrap();
    assert_eq!((cost.l.value, cost.g.value, &cost.substitutions[..]), (2e-7, 0.0, &[][..]));
    let cost = machine().cost(&ask(3, Pattern::Broadcast, 0.0)).unwrap();
    assert_eq!(cost.substitutions, [Substitution::Processors { asked: 3, taken: 4 }]);
}

#[test]
fn what_is_taken_for_something_else_is_said() {
    let machine = machine();
    let reported = |ask: Ask<'_>| machine.cost(&ask).unwrap().substitutions;
    assert_eq!(
        reported(ask(2, Pattern::Shift, 1e9)),
        [Substitution::Size { asked: 1e9, from: 8.0, to: 1e6 }]
    );
    assert_eq!(
        reported(ask(2, Pattern::TotalExchange, 64.0)),
        [Substitution::Pattern { asked: Pattern::TotalExchange, taken: Pattern::Shift }]
    );
    assert_eq!(
        reported(ask(2, Pattern::Scatter, 64.0)),
        [Substitution::Pattern { asked: Pattern::Scatter, taken: Pattern::Gather }]
    );
    let oblivious = Synchronisation::Oblivious;
    assert_eq!(
        reported(Ask { synchronisation: oblivious, ..ask(2, Pattern::Shift, 64.0) }),
        [Substitution::Synchronisation { asked: oblivious, taken: Synchronisation::Barrier }]
    );
    // A number of processors that was measured only with cores shared serves if nothing else is said.
    assert_eq!(reported(ask(4, Pattern::Shift, 64.0)), []);
    let own_cores = Ask { oversubscribed: Some(false), ..ask(4, Pattern::Shift, 64.0) };
    assert_eq!(reported(own_cores), [Substitution::Processors { asked: 4, taken: 2 }]);
    let first = Ask { engine: None, ..ask(2, Pattern::Shift, 64.0) };
    assert_eq!(reported(first), []);
}

#[test]
fn the_other_h_is_converted_by_what_the_pattern_does() {
    let machine = machine();
    let sum = |pattern, bytes| {
        machine.cost(&Ask { combine: Combine::Sum, ..ask(2, pattern, bytes) }).unwrap()
    };
    // In a shift in + out is twice max(in, out): the same time is half of g.
    let shift = sum(Pattern::Shift, 8192.0);
    assert_eq!((shift.g.value, shift.from, shift.to), (0.5e-9, 16.0, 8192.0));
    assert!(shift.g.low < shift.g.value && shift.g.value < shift.g.high);
    let gather = sum(Pattern::Gather, 4096.0);
    assert_eq!((gather.g.value, gather.to), (1e-9, 4096.0));
    let reported = Substitution::Combine { asked: Combine::Sum, taken: Combine::Max };
    assert_eq!(gather.substitutions, [reported]);
}

#[test]
fn both_engines_and_none() {
    let mut machine = machine();
    let other = machine.communication[0].clone();
    machine.communication.push(Line { engine: Some("mpi".into()), ..other });
    let cost = machine.cost(&Ask { engine: None, ..ask(2, Pattern::Shift, 64.0) }).unwrap();
    assert_eq!(cost.substitutions, [Substitution::Engine { taken: "processes".into() }]);
    let unknown = Ask { engine: Some("threads"), ..ask(2, Pattern::Shift, 64.0) };
    let missing = machine.cost(&unknown).unwrap_err();
    assert_eq!(
        missing.to_string(),
        "test says nothing of the engine threads; it knows processes, mpi"
    );
    assert!(matches!(machine.classic(Some("mpi"), 2), Err(Missing::Classic { .. })));
    let nothing = Machine { name: "new".into(), ..Machine::default() };
    let asked = Ask { engine: None, ..ask(2, Pattern::Shift, 8.0) };
    assert!(matches!(nothing.cost(&asked), Err(Missing::Communication { .. })));
}

#[test]
fn published_machines_serve_every_pattern_and_say_so() {
    let machine = Published::named("sgi-powerchallenge").unwrap().machine();
    let cost = machine.cost(&ask(4, Pattern::Gather, 1e5)).unwrap();
    assert_eq!(cost.substitutions, [Substitution::Classic]);
    assert!((cost.g.value - 9.3 / 4.0 / 74e6).abs() < 1e-15);
    let cost = machine.cost(&ask(16, Pattern::Gather, 0.0)).unwrap();
    let reported = [Substitution::Processors { asked: 16, taken: 4 }, Substitution::Classic];
    assert_eq!(cost.substitutions, reported);
    assert_eq!(cost.l.value, 1902.0 / 74e6);
}

#[test]
fn the_nearest_classic_entry() {
    let entry = |processors, g| Classic {
        engine: None,
        processors,
        oversubscribed: false,
        rate: None,
        g: Uncertain::exact(g),
        l: Uncertain::exact(1.0),
        calls: None,
    };
    let machine = Machine { classic: vec![entry(2, 2.0), entry(8, 8.0)], ..Machine::default() };
    for (asked, taken) in [(1, 2), (2, 2), (3, 2), (4, 8), (5, 8), (8, 8), (100, 8)] {
        let cost = machine.classic(None, asked).unwrap();
        assert_eq!(cost.g.value, f64::from(taken), "{asked}");
        let reported = Substitution::Processors { asked, taken };
        assert_eq!(cost.substitutions.contains(&reported), asked != taken);
    }
}
