use super::*;
use cll_trace::Origin;
use cll_trace::clock::Calibration;
use cll_trace::meta;
use cll_units::Seconds;

fn process(run: u32, processor: Option<(u32, u32)>) -> Process {
    Process {
        trace: 0,
        run,
        pid: 1,
        table: meta::Process::default(),
        processor: processor.map(|(number, count)| meta::Processor {
            number,
            count,
            job: String::new(),
            engine: String::new(),
        }),
        sync: Vec::new(),
        units: Vec::new(),
        observables: None,
        end: None,
        calibration: Calibration::from_pairs(meta::Clock::Mono, &[], None),
        threads: 1,
        samples: 0,
        unsealed: 0,
        waited_ns: 0,
        waits: 0,
    }
}

fn traced(processes: Vec<Process>, samples: &[(f64, u32)]) -> Trace {
    let mut cell = Cell::new(vec![4.0]);
    samples.iter().for_each(|&(time, origin)| cell.push(time, time / 2.0, origin));
    let origin = |process| Origin {
        process,
        thread: 0,
        place: 0,
        left: false,
        switched: false,
        start: Start::Own,
    };
    let origins = (0..processes.len() as u32).map(origin).collect();
    let experiment = Experiment { cells: vec![cell], origins, ..Experiment::default() };
    Trace { processes, experiments: vec![experiment], ..Trace::default() }
}

#[test]
fn the_slowest_of_each_passage_is_left_with_what_belongs_to_it() {
    let two = |run| [process(run, Some((0, 2))), process(run, Some((1, 2)))];
    let processes: Vec<Process> = [two(0), two(1)].concat();
    let samples = [(1.0, 0), (5.0, 0), (3.0, 1), (2.0, 1), (7.0, 1), (8.0, 2), (9.0, 3)];
    let mut trace = traced(processes, &samples);
    keep_slowest(&mut trace);
    let experiment = &trace.experiments[0];
    let cell = &experiment.cells[0];
    assert_eq!(cell.inclusive, [5.0, 3.0, 7.0, 9.0]);
    assert_eq!(cell.exclusive(), [2.5, 1.5, 3.5, 4.5]);
    let from: Vec<u32> = cell.origins(experiment).map(|origin| origin.process).collect();
    assert_eq!(from, [0, 1, 1, 3]);
    let imbalance = experiment.imbalance.unwrap();
    // A passage of one processor alone has no imbalance.
    assert_eq!((imbalance.passages, imbalance.processors), (3, 2));
    assert_eq!(imbalance.longest, Seconds(3.0 + 5.0 + 9.0));
    assert_eq!(imbalance.shortest, Seconds(1.0 + 2.0 + 8.0));
    assert_eq!(imbalance.mean, Seconds(2.0 + 3.5 + 8.5));
}

#[test]
fn passages_that_one_began_late_are_left_out_where_there_are_others() {
    let processes = vec![process(0, Some((0, 2))), process(0, Some((1, 2)))];
    let samples = [(1.0, 0), (5.0, 2), (3.0, 0), (2.0, 1), (7.0, 1), (4.0, 1)];
    let mut trace = traced(processes, &samples);
    let experiment = &mut trace.experiments[0];
    experiment.origins.push(Origin { start: Start::Late, ..experiment.origins[0] });
    let mut late = Cell::new(vec![8.0]);
    [(6.0, 2), (9.0, 1)].iter().for_each(|&(time, origin)| late.push(time, time, origin));
    experiment.cells.push(late);
    keep_slowest(&mut trace);
    let experiment = &trace.experiments[0];
    // The second passage of the first cell is left out; the second cell has no other.
    assert_eq!(experiment.cells[0].inclusive, [2.0, 4.0]);
    assert_eq!(experiment.cells[1].inclusive, [9.0]);
    assert_eq!(experiment.starts.left_out, 2);
    assert_eq!(experiment.imbalance.unwrap().passages, 3);
}

const TEAM: Start = Start::Barrier;

/// Two processes of a run with samples of `(process, thread, start, time)` at a place of OpenMP.
fn with_threads(samples: &[(u32, u32, Start, f64)]) -> Trace {
    let processes = vec![process(0, Some((0, 2))), process(0, Some((1, 2)))];
    let mut trace = traced(processes, &[]);
    let experiment = &mut trace.experiments[0];
    let model = "OpenMP".to_owned();
    experiment.places = vec![cll_trace::Place { model, ..Default::default() }];
    experiment.origins.clear();
    for &(process, thread, start, time) in samples {
        let origin = Origin { process, thread, place: 0, left: false, switched: false, start };
        experiment.cells[0].push(time, time, experiment.origins.len() as u32);
        experiment.origins.push(origin);
    }
    keep_slowest(&mut trace);
    trace
}

#[test]
fn threads_of_processors_behind_a_barrier_are_of_one_passage() {
    // Thread by thread, as in files: of two passages the slowest of four samples each.
    let trace = with_threads(&[
        (0, 0, TEAM, 1.0),
        (0, 0, TEAM, 2.0),
        (0, 1, TEAM, 9.0),
        (0, 1, TEAM, 3.0),
        (1, 0, TEAM, 4.0),
        (1, 0, TEAM, 5.0),
        (1, 2, TEAM, 6.0),
        (1, 2, TEAM, 7.0),
    ]);
    assert_eq!(trace.experiments[0].cells[0].inclusive, [9.0, 7.0]);
    let imbalance = trace.experiments[0].imbalance.unwrap();
    assert_eq!((imbalance.passages, imbalance.processors), (2, 4));
    assert_eq!((imbalance.longest, imbalance.shortest), (Seconds(9.0 + 7.0), Seconds(1.0 + 2.0)));
    assert_eq!(trace.warnings, []);
}

#[test]
fn threads_of_processors_that_cannot_be_paired_are_reported() {
    let reported = |threads| vec![Warning::Unpaired { name: String::new(), threads }];
    // A worksharing construct: which thread did what is not known.
    let own = Start::Own;
    let samples = [(0, 0, own, 1.0), (0, 1, own, 2.0), (1, 0, own, 3.0), (1, 1, own, 4.0)];
    let trace = with_threads(&samples);
    assert_eq!(trace.experiments[0].cells[0].inclusive, [1.0, 2.0, 3.0, 4.0]);
    assert_eq!((trace.experiments[0].imbalance, trace.warnings), (None, reported(2)));
    // A processor has more passages: the slowest thread of each.
    let more = [(1, 0, TEAM, 3.0), (1, 0, TEAM, 6.0), (1, 1, TEAM, 4.0), (1, 1, TEAM, 5.0)];
    let samples = [&[(0, 0, TEAM, 1.0), (0, 1, TEAM, 2.0)], &more[..]].concat();
    let trace = with_threads(&samples);
    assert_eq!(trace.experiments[0].cells[0].inclusive, [2.0, 6.0, 4.0]);
    assert_eq!(trace.warnings, reported(2));
    // One thread of a processor took part.
    let samples = [(0, 0, TEAM, 1.0), (0, 0, TEAM, 2.0), (0, 1, TEAM, 8.0), (1, 0, TEAM, 3.0)];
    let trace = with_threads(&samples);
    assert_eq!(trace.experiments[0].cells[0].inclusive, [1.0, 2.0, 8.0, 3.0]);
    assert_eq!(trace.warnings, reported(2));
}

#[test]
fn one_thread_of_each_processor_needs_no_barrier() {
    let own = Start::Own;
    let trace = with_threads(&[(0, 0, own, 1.0), (0, 0, own, 5.0), (1, 3, own, 4.0)]);
    assert_eq!(trace.experiments[0].cells[0].inclusive, [5.0, 4.0]);
    assert_eq!(trace.warnings, []);
}

#[test]
fn files_of_one_run_are_one_passage() {
    let process_of = |trace, number, run| Process { trace, ..process(run, Some((number, 2))) };
    let processes =
        vec![process_of(0, 0, 0), process_of(1, 1, 0), process_of(2, 0, 1), process_of(3, 1, 2)];
    let mut trace = traced(processes, &[(1.0, 0), (2.0, 1), (3.0, 2), (4.0, 3)]);
    keep_slowest(&mut trace);
    assert_eq!(trace.experiments[0].cells[0].inclusive, [2.0, 3.0, 4.0]);
}

#[test]
fn processors_that_never_came_are_reported() {
    let three = |run| [0, 1, 2].map(|number| process(run, Some((number, 3))));
    let processes: Vec<Process> = [three(0), three(1)].concat();
    let mut trace = traced(processes.clone(), &[(1.0, 0), (2.0, 1), (3.0, 2), (4.0, 3)]);
    trace.experiments[0].origins.retain(|origin| ![3, 5].contains(&origin.process));
    keep_slowest(&mut trace);
    let reported = Warning::Absent { name: String::new(), runs: 1, processors: vec![0, 2], of: 3 };
    assert_eq!(trace.warnings, [reported]);
    let mut complete = traced(processes, &[(1.0, 0), (2.0, 1), (3.0, 2)]);
    keep_slowest(&mut complete);
    assert!(complete.warnings.is_empty());
}

#[test]
fn what_is_no_processors_stays() {
    let mut trace = traced(vec![process(0, None), process(0, Some((0, 1)))], &[(1.0, 0), (2.0, 1)]);
    let before = trace.clone();
    keep_slowest(&mut trace);
    assert_eq!(trace, before);
}
