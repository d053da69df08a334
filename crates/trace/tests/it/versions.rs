//! Traces of all earlier versions are read correctly.

use cll_trace::clock::CalibrationSource;
use cll_trace::{Cause, Trace, Warning, read};

fn fixture(name: &str) -> Trace {
    let path = format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    read(std::fs::File::open(path).unwrap()).unwrap()
}

/// `name values: inclusive/exclusive …` in nanoseconds, one line per cell.
fn cells(trace: &Trace) -> Vec<String> {
    let ns = |seconds: &f64| format!("{}", (seconds * 1e9).round());
    let experiments = trace.experiments.iter();
    experiments
        .flat_map(|experiment| {
            experiment.cells.iter().map(move |cell| {
                let times = cell.inclusive.iter().zip(cell.exclusive());
                let times: Vec<_> = times.map(|(i, e)| format!("{}/{}", ns(i), ns(e))).collect();
                format!("{} {:?}: {}", experiment.name, cell.values, times.join(" "))
            })
        })
        .collect()
}

#[test]
fn version_1_small() {
    let trace = fixture("v1-small.dat");
    assert_eq!((&trace.damage[..], &trace.warnings[..]), (&[][..], &[][..]));
    assert_eq!(
        cells(&trace),
        [
            "outer [64.0, 1.0]: 1000/800 2000/1800 3000/2800",
            "outer [128.0, 1.0]: 1000/800 2000/1800 3000/2800",
            "outer [256.0, 1.0]: 1000/800 2000/1800 3000/2800",
            "inner [64.0]: 100/100 100/100 100/100 100/100 100/100 100/100",
            "inner [128.0]: 100/100 100/100 100/100 100/100 100/100 100/100",
            "inner [256.0]: 100/100 100/100 100/100 100/100 100/100 100/100",
        ]
    );
    let process = &trace.processes[0];
    assert_eq!((process.pid, process.table.program.as_str()), (4711, "./prog"));
    assert_eq!(process.units[0].places[1].formula, "inner[0]*N");
}

#[test]
fn version_1_killed() {
    let trace = fixture("v1-killed.dat");
    assert_eq!(cells(&trace), ["f [8.0]: 500/500 500/500", "f [16.0]: 700/700 800/800"]);
    let causes: Vec<_> = trace.damage.iter().map(|damage| &damage.cause).collect();
    let open = Cause::Unsealed { process: 4711, kind: cll_trace::layout::KIND_SAMPLES, count: 2 };
    assert_eq!(causes, [&Cause::Zeros, &Cause::NoEnd { process: 4711, processor: None }, &open]);
    assert_eq!(trace.damage[0].lost.get(), 4096);
    assert_eq!((trace.runs[0].table.number, trace.runs[0].table.signal), (7, Some(9)));
    assert_eq!(trace.processes[0].unsealed, 1);
}

#[test]
fn version_1_processes() {
    let trace = fixture("v1-processes.dat");
    assert_eq!(trace.damage, []);
    assert_eq!(
        cells(&trace),
        [
            "outer [100.0, 2.0]: 110/90 110/90 111/91 111/91",
            "outer [200.0, 2.0]: 110/90 110/90 111/91 111/91",
            "inner [100.0]: 20/20 20/20 20/20 20/20",
            "inner [200.0]: 20/20 20/20 20/20 20/20",
        ]
    );
    assert_eq!(trace.report, ["outer"]);
    assert_eq!((trace.processes.len(), trace.unknown_blocks), (2, 1));
    assert!(
        trace
            .processes
            .iter()
            .all(|p| p.calibration.source == CalibrationSource::Exact && p.threads == 2)
    );
    assert_eq!(
        trace.warnings,
        [
            Warning::Waited { process: 11, times: 1, waited_ns: 2_500_000 },
            Warning::Left { name: "inner".into(), count: 4, of: 8 },
            Warning::UnknownBlocks { count: 1 },
        ]
    );
}

#[test]
fn version_2_observables() {
    let trace = fixture("v2-observables.dat");
    assert_eq!((&trace.damage[..], &trace.warnings[..]), (&[][..], &[][..]));
    let shown = trace.experiments.iter().flat_map(|experiment| {
        experiment.observables.iter().enumerate().map(move |(index, observed)| {
            let series = experiment.cells.iter().map(|cell| &cell.observed[index]);
            let both = series.flat_map(|series| series.inclusive.iter().zip(&series.exclusive));
            let both: Vec<_> = both.map(|(all, own)| format!("{all:.2e}/{own:.2e}")).collect();
            let (name, unit) = (&observed.name, &observed.unit);
            format!("{} {name} [{unit}]: {}", experiment.name, both.join(" "))
        })
    });
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [
            "outer cpu-time [s]: 1.00e-5/6.00e-6",
            "outer page-faults [faults]: 2.00e1/9.00e0",
            "outer memory-peak [B]: 9.22e3/9.22e3",
            "inner cpu-time [s]: 1.00e-6/1.00e-6 3.00e-6/3.00e-6",
            "inner page-faults [faults]: 5.00e0/5.00e0 6.00e0/6.00e0",
            "inner memory-peak [B]: 7.17e3/7.17e3 NaN/NaN",
        ]
    );
}
