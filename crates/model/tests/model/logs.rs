//! Logs as programs: structure, times, and what is no whole run.

use std::collections::HashMap;

use cll_machine::{Classic, Combine, Line, Machine, Pattern, Segment, Synchronisation, Uncertain};
use cll_model::log::{LogError, Note, gather, program};
use cll_model::{
    Ending, Evaluator, Parameter, Phase, Pricing, Rate, Rule, Target, TrafficPattern, breakdown,
};
use cll_supersteps::{Ending as Ended, Log, Processor, Superstep};
use cll_trace::layout::TrafficRecord;
use cll_trace::meta;
use cll_units::{ProcessorId, Seconds, SuperstepNumber};

fn machine(id: u32, key: &str, parent: &str, within: u64, place: (u32, u32, u32)) -> meta::Machine {
    let (first, nprocs, pid) = place;
    let (key, parent) = (key.to_owned(), parent.to_owned());
    meta::Machine { processor: first + pid, id, key, parent, within, first, nprocs, pid }
}

/// Machine, number, begin, computation, communication, waiting, how it ended, set of partners.
type Reported = (u32, u64, f64, f64, f64, f64, Ended, u32);

fn superstep(
    (machine, number, start_s, computation_s, communication_s, waiting_s, ending, traffic): Reported,
) -> Superstep {
    Superstep {
        machine,
        number: SuperstepNumber(number),
        point: Some(0),
        ending,
        start: Seconds(start_s),
        computation: Seconds(computation_s),
        communication: Seconds(communication_s),
        waiting: Seconds(waiting_s),
        traffic,
    }
}

fn processor(number: u32, machines: Vec<meta::Machine>, supersteps: &[Reported]) -> Processor {
    let point = meta::Point {
        processor: number,
        id: 0,
        file: "/src/a.c".into(),
        line: 7,
        path: Vec::new(),
    };
    Processor {
        number: ProcessorId(number),
        machines,
        points: vec![point],
        supersteps: supersteps.iter().copied().map(superstep).collect(),
        ..Processor::default()
    }
}

fn entry(partner: u32, sent: u64, got: u64) -> TrafficRecord {
    TrafficRecord { partner, requests: 1, sent, got }
}

/// Processor 1 begins half a second later. In superstep 1 each is a part of its own for a while, then
/// processor 0 sends 100 bytes, and processor 1 gets 40 bytes from it; superstep 2 is the end.
fn two() -> Log {
    let first = processor(
        0,
        vec![machine(0, "0", "0", 0, (0, 2, 0)), machine(1, "a", "0", 1, (0, 1, 0))],
        &[
            (1, 1, 1.0, 2.0, 0.0, 0.0, Ended::End, 0),
            (0, 1, 0.0, 4.0, 0.25, 0.75, Ended::Sync, 1),
            (0, 2, 5.0, 1.0, 0.0, 0.0, Ended::End, 0),
        ],
    );
    let second = processor(
        1,
        vec![machine(0, "0", "0", 0, (0, 2, 1)), machine(1, "b", "0", 1, (1, 1, 0))],
        &[
            (1, 1, 1.5, 3.0, 0.0, 0.0, Ended::End, 0),
            (0, 1, 0.5, 4.25, 0.25, 0.0, Ended::Sync, 1),
            (0, 2, 5.0, 0.5, 0.0, 0.0, Ended::End, 0),
        ],
    );
    let with = |mut processor: Processor, entries: Vec<TrafficRecord>| {
        processor.traffic = HashMap::from([(1, entries)]);
        processor
    };
    let processors = vec![with(first, vec![entry(1, 100, 0)]), with(second, vec![entry(0, 0, 40)])];
    Log { processors, ..Log::default() }
}

#[test]
fn parts_and_computation_of_a_superstep_are_told_apart() {
    let logged = program(&two()).unwrap();
    assert!(logged.notes.is_empty(), "{:?}", logged.notes);
    assert_eq!(logged.program.joins(), [0.0, 0.5]);
    assert_eq!(logged.total.get(), 6.0);
    let objects = logged.program.objects();
    let names: Vec<&str> = objects.iter().map(|object| object.name.as_str()).collect();
    assert_eq!(names, ["processor 0", "processor 1", "all"]);
    let first = &objects[2].supersteps[0];
    assert_eq!((first.name.as_str(), first.pattern), ("a.c:7", TrafficPattern::Broadcast));
    let values = logged.quantities.values();
    let seconds = |phase: &Phase| match phase {
        Phase::Work(work) => [0, 1].map(|pid| work.seconds(pid, &values).get()).to_vec(),
        Phase::Parts(parts) => parts.iter().map(|part| f64::from(part.first)).collect(),
    };
    let phases: Vec<Vec<f64>> = first.phases.iter().map(seconds).collect();
    // Before the parts, the parts, behind them.
    assert_eq!(phases, [vec![1.0, 1.0], vec![0.0, 1.0], vec![1.0, 0.25]]);
    assert_eq!(first.traffic.processor_bytes(0, Combine::Sum), 140.0, "put and got");
    assert_eq!(first.traffic.processor_bytes(1, Combine::Max), 140.0);
    assert_eq!(objects[2].supersteps[1].ending, Ending::Nothing);
    // Means over the processors: 2 and 1.25 s, without the parts.
    let measured = logged.measured[2][0];
    assert_eq!((measured.computation.get(), measured.waiting.get()), (1.625, 0.375));
    let all: f64 = logged
        .measured
        .iter()
        .flatten()
        .map(|m| (m.computation + m.communication + m.waiting).get())
        .sum();
    // The first joined at 0, the second at 0.5 s; it ended 0.5 s before the first.
    assert_eq!(all + (0.5 + 0.5) / 2.0, logged.total.get());

    let mut quantities = logged.quantities.clone();
    let g = quantities.add("g", cll_model::QuantityKind::G, Uncertain::exact(1e-3));
    let l = quantities.add("L", cll_model::QuantityKind::L, Uncertain::exact(0.1));
    let pricing = Pricing::flat(&logged.program, Rule::ObspStar, Combine::Max, &Rate::flat(g, l));
    // max(4, 0.5 + 4.25) + 0.14 + 0.1, then 1 and 0.5.
    let times =
        Evaluator::default().times(&logged.program, &pricing, &quantities.values()).to_vec();
    assert!((times[0] - 5.99).abs() < 1e-12 && (times[1] - 5.49).abs() < 1e-12, "{times:?}");
    let account = breakdown(&logged.program, &pricing, &quantities.values());
    assert!((account.processors[0].waiting.get() - 0.75).abs() < 1e-12);
}

/// Both processors on hosts of their own, in files of their own.
fn apart(change: impl Fn(&mut [Processor])) -> Log {
    let mut processors = two().processors;
    processors[0].process.host = "a".into();
    processors[1].process.host = "b".into();
    change(&mut processors);
    let logs = processors
        .into_iter()
        .map(|processor| Log { processors: vec![processor], ..Log::default() });
    cll_model::log::gather(logs.collect()).unwrap()
}

#[test]
fn clocks_of_two_hosts_are_related_by_their_supersteps() {
    let log = apart(|processors| {
        processors[1]
            .supersteps
            .iter_mut()
            .for_each(|superstep| superstep.start += Seconds(1000.0));
    });
    let logged = program(&log).unwrap();
    // Both end superstep 1 at 5; they came to it at 4 and at 4.75, or 1004.75: the correction is -1001 to -999.75.
    assert_eq!(logged.program.joins(), [0.0, 1000.5 - 1000.375]);
    let said: Vec<String> = logged.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "times on b were related to the other host's by the supersteps that both ended: to within \
          625000.0 us"
        ]
    );
}

#[test]
fn clocks_of_hosts_that_share_no_superstep_are_not_compared() {
    let log = apart(|processors| {
        let supersteps = processors.iter_mut().flat_map(|processor| &mut processor.supersteps);
        supersteps
            .filter(|superstep| superstep.ending == Ended::Sync)
            .for_each(|superstep| superstep.ending = Ended::Oblivious);
    });
    let logged = program(&log).unwrap();
    assert_eq!(logged.program.joins(), [0.0, 0.0]);
    assert!(matches!(&logged.notes[..], [Note::Hosts { hosts }] if hosts == &["b"]));
}

#[test]
fn what_is_no_whole_run_is_an_error_or_a_note() {
    let changed = |change: &dyn Fn(&mut Log)| {
        let mut log = two();
        change(&mut log);
        program(&log)
    };
    assert_eq!(program(&Log::default()), Err(LogError::Empty));
    let error = changed(&|log| drop(log.processors.remove(1))).unwrap_err();
    assert!(error.to_string().contains("no log of one of the 2 processors"), "{error}");
    let error = changed(&|log| log.processors[1].supersteps[1].ending = Ended::Oblivious);
    assert!(
        matches!(error, Err(LogError::Endings { superstep: SuperstepNumber(1), .. })),
        "{error:?}"
    );
    let error = changed(&|log| log.processors[0].traffic.get_mut(&1).unwrap()[0].partner = 5);
    assert!(matches!(error, Err(LogError::Partner { partner: 5, of: 2, .. })), "{error:?}");
    // A set that is missing, beside the one of nothing.
    let error = changed(&|log| log.processors[0].traffic.clear());
    assert!(matches!(error, Err(LogError::Partners { .. })), "{error:?}");
    let error = changed(&|log| log.processors[0].machines[1].parent = "lost".into());
    assert!(matches!(error, Err(LogError::Place { .. })), "{error:?}");
    let cut = changed(&|log| log.processors[1].supersteps.truncate(2)).unwrap();
    assert!(matches!(&cut.notes[..], [Note::CutOff { supersteps: 1, most: 2, .. }]));
    assert_eq!(cut.total.get(), 5.0);
    let unfinished = changed(&|log| {
        log.processors.iter_mut().for_each(|processor| processor.supersteps.truncate(2));
    });
    assert!(matches!(&unfinished.unwrap().notes[..], [Note::Unfinished { supersteps: 1, .. }]));
}

/// Both are a part; one processor's log ends before its first superstep there.
#[test]
fn a_part_that_a_log_ends_before_has_no_supersteps() {
    let log = |second: &[Reported]| {
        let part =
            |pid| vec![machine(0, "0", "0", 0, (0, 2, pid)), machine(1, "a", "0", 2, (0, 2, pid))];
        let before = (0, 1, 0.0, 4.0, 0.25, 0.75, Ended::Sync, 0);
        let inside = (1, 1, 5.0, 2.0, 0.0, 0.0, Ended::Sync, 0);
        Log {
            processors: vec![
                processor(0, part(0), &[before, inside]),
                processor(1, part(1), &[&[before], second].concat()),
            ],
            ..Log::default()
        }
    };
    let both = program(&log(&[(1, 1, 5.0, 2.0, 0.0, 0.0, Ended::Sync, 0)])).unwrap();
    let logged = program(&log(&[])).unwrap();
    let supersteps = |program: &cll_model::Program| -> Vec<usize> {
        program.objects().iter().map(|object| object.supersteps.len()).collect()
    };
    assert_eq!(supersteps(&both.program), [1, 1]);
    assert_eq!(supersteps(&logged.program), [0, 1]);
    assert!(
        logged.notes.iter().any(|note| matches!(
            note,
            Note::CutOff { machine, supersteps: 0, most: 1 } if machine == "a"
        )),
        "{:?}",
        logged.notes
    );
    // Without any log of it, it is another matter.
    let mut alone = log(&[]);
    alone.processors.pop();
    assert!(matches!(program(&alone), Err(LogError::Missing { missing, .. }) if missing == [1]));
}

#[test]
fn logs_of_one_run_are_gathered() {
    let apart = || {
        let log = two();
        let log_of =
            |processor: &Processor| Log { processors: vec![processor.clone()], ..Log::default() };
        log.processors.iter().map(log_of).collect::<Vec<Log>>()
    };
    assert_eq!(gather(apart()).unwrap().processors.len(), 2);
    let mut others = apart();
    others[1].processors[0].process.args = vec!["9".into()];
    assert!(matches!(gather(others), Err(LogError::Programs { .. })));
    let mut others = apart();
    others[1].processors[0].machines[0].nprocs = 3;
    assert_eq!(gather(others), Err(LogError::Runs { first: 2, other: 3 }));
    let twice = vec![apart().remove(0), apart().remove(0)];
    assert_eq!(gather(twice), Err(LogError::Twice { processor: ProcessorId(0) }));
    assert_eq!(gather(Vec::new()), Err(LogError::Empty));
}

#[test]
fn requests_are_those_of_the_other_machine() {
    let machine_with = |calls: f64| {
        let classic = Classic {
            engine: None,
            processors: 2,
            oversubscribed: false,
            rate: None,
            g: Uncertain::exact(0.01),
            l: Uncertain::exact(0.1),
            calls: Some(Uncertain::exact(calls)),
        };
        Machine { classic: vec![classic], ..Machine::default() }
    };
    let (from, to) = (machine_with(1e-3), machine_with(5e-3));
    fn target(machine: &Machine) -> Target<'_> {
        let (engine, oversubscribed, combine) = (None, None, Combine::Max);
        Target { machine, engine, oversubscribed, combine, requests: false, fetches: false }
    }
    let mut logged = program(&two()).unwrap();
    let price = |logged: &cll_model::log::Logged| {
        let mut quantities = logged.quantities.clone();
        let rule = Rule::ObspStar;
        let pricing =
            Pricing::new(&logged.program, rule, &target(&to), &mut quantities, &mut Vec::new())
                .unwrap();
        Evaluator::default().time(&logged.program, &pricing, &quantities.values()).get()
    };
    // g is that of the synchronisation: 0.01 - 0.005.
    let before = price(&logged);
    assert!((before - (4.75 + 140.0 * 5e-3 + 0.1 + 1.0)).abs() < 1e-12, "{before}");
    assert!(logged.exchange_requests(&target(&from), &target(&to)).unwrap());
    let after = price(&logged);
    assert!((after - before - 140.0 * 4e-3).abs() < 1e-12, "{before} {after}");
    assert_eq!(logged.scale, Parameter(0));
    let silent = Machine::default();
    assert!(logged.exchange_requests(&target(&silent), &target(&to)).is_err());
}

#[test]
fn the_way_to_the_reader_counts_where_phases_do_without() {
    let exact = Uncertain::exact;
    let line = Line {
        engine: None,
        processors: 2,
        oversubscribed: false,
        synchronisation: Synchronisation::Barrier,
        pattern: Pattern::Broadcast,
        combine: Combine::Max,
        segments: vec![Segment { from: 1.0, to: 1e3, g: exact(0.01), l: exact(0.1) }],
        calls: None,
        fetch: Some(exact(2e-3)),
    };
    let machine = Machine { communication: vec![line], ..Machine::default() };
    let logged = program(&two()).unwrap();
    let price = |fetches: bool| {
        let target = Target {
            machine: &machine,
            engine: None,
            oversubscribed: None,
            combine: Combine::Max,
            requests: false,
            fetches,
        };
        let (rule, mut quantities) = (Rule::ObspStar, logged.quantities.clone());
        let pricing =
            Pricing::new(&logged.program, rule, &target, &mut quantities, &mut Vec::new()).unwrap();
        Evaluator::default().time(&logged.program, &pricing, &quantities.values()).get()
    };
    assert!((price(true) - price(false) - 140.0 * 2e-3).abs() < 1e-12);
}
