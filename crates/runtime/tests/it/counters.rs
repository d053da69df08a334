//! Tests what is recorded of regions in addition to their times.

use std::process::Output;

use crate::support::{Build, Program, compile, compile_with, run, samples};
use cll_trace::{Cell, Trace, Warning};

fn counted(program: &Program, counters: &str, args: &[&str]) -> (Trace, Output) {
    let mut command = program.command();
    let output = run(command.args(args).env("CLL_COUNTERS", counters));
    assert!(output.status.success(), "{output:?}");
    (program.traces().pop().unwrap(), output)
}

/// Checks whether something is not available here because the kernel refuses it.
fn refused(trace: &Trace) -> bool {
    trace.warnings.iter().any(|warning| matches!(warning, Warning::Refused { .. }))
}

fn cells<'a>(trace: &'a Trace, experiment: &str) -> &'a [Cell] {
    &trace
        .experiments
        .iter()
        .find(|experiment_model| experiment_model.name == experiment)
        .unwrap()
        .cells
}

/// Inclusive and exclusive values of an observable, in the order of cells.
fn values(trace: &Trace, experiment: &str, observable: &str) -> Vec<(f64, f64)> {
    let experiment = trace
        .experiments
        .iter()
        .find(|experiment_model| experiment_model.name == experiment)
        .unwrap();
    let index =
        experiment.observables.iter().position(|observed| observed.name == observable).unwrap();
    let series = experiment.cells.iter().map(|cell| &cell.observed[index]);
    let both =
        series.flat_map(|series| series.inclusive.iter().copied().zip(series.exclusive.clone()));
    both.collect()
}

/// Approximately this number of faults: of the stack, of code that runs for the first time.
fn about(value: f64, pages: f64) -> bool {
    (pages..pages + 25.0).contains(&value)
}

#[test]
fn clauses_count_their_own_places_and_no_others() {
    let program = compile("counted");
    for clock in ["", "mono"] {
        let mut command = program.command();
        run(command.args(["nested", "3"]).env("CLL_CLOCK", clock));
        let trace = program.traces().pop().unwrap();
        if refused(&trace) {
            return;
        }
        let h = trace.experiments.iter().find(|experiment| experiment.name == "h").unwrap();
        assert!(h.observables.is_empty() && h.samples() == 3);
        let faults = values(&trace, "g", "page-faults");
        let [inner, outer] = [&faults[..3], &faults[3..]];
        for (inclusive, exclusive) in inner {
            assert!(about(*inclusive, 30.0) && inclusive == exclusive, "{faults:?}");
        }
        // 100 + 50 in the region itself, and 30 in the inner one, although h between them has none.
        for (inclusive, exclusive) in outer {
            assert!(about(*inclusive, 180.0) && about(*exclusive, 150.0), "{faults:?}");
        }
        let times = values(&trace, "g", "cpu-time");
        assert!(times.iter().all(|(all, own)| *own > 0.0 && own <= all && *all < 1.0));
    }
}

#[test]
fn the_environment_counts_all_places() {
    let program = compile("counted");
    let (trace, output) =
        counted(&program, "page-faults, perf::task-clock,switches", &["once", "500"]);
    if refused(&trace) {
        return;
    }
    assert!(output.stderr.is_empty(), "{output:?}");
    let table = trace.processes[0].observables.as_ref().unwrap();
    let names: Vec<&str> = table.list.iter().map(|observable| observable.name.as_str()).collect();
    assert_eq!(names, ["page-faults", "task-clock", "switches", "cpu-time"]);
    assert!((10.0..1e6).contains(&table.read_ns), "{}", table.read_ns);
    let faults = values(&trace, "f", "page-faults")[0].0;
    assert!(about(faults, 500.0), "{faults}");
    let (clock, time) =
        (values(&trace, "f", "task-clock")[0].0, cells(&trace, "f")[0].inclusive[0]);
    assert!((0.0..2.0 * time + 1e-3).contains(&clock), "{clock} {time}");
    let switches = values(&trace, "f", "switches")[0].0;
    assert!(switches < 100.0, "{switches}");
}

#[test]
fn processor_time_is_close_to_wall_time_without_disturbance() {
    let program = compile("counted");
    let (trace, _) = counted(&program, "cpu-time", &["work", "200000"]);
    let times = values(&trace, "f", "cpu-time");
    assert_eq!(times.len(), 10);
    // All ten together: one of them may have been interrupted between two readings.
    let wall: f64 = cells(&trace, "f").iter().flat_map(|cell| &cell.inclusive).sum();
    let (all, own): (f64, f64) = times.iter().fold((0.0, 0.0), |(a, o), (x, y)| (a + x, o + y));
    assert!(all < 1.2 * wall + 1e-3, "{all} {wall}");
    assert!((0.3..0.7).contains(&(own / all)), "h is half of it: {own} of {all}");
}

#[test]
fn each_thread_counts_for_itself() {
    let program = compile("counted");
    let (trace, _) = counted(&program, "page-faults", &["threads", "8"]);
    if refused(&trace) {
        return;
    }
    let faults = values(&trace, "f", "page-faults");
    assert!(faults.len() == 8 && faults.iter().all(|(all, _)| about(*all, 20.0)), "{faults:?}");
    assert_eq!(samples(&trace, "g"), 16);
}

#[test]
fn a_child_has_counters_of_its_own() {
    let program = compile("counted");
    let mut command = program.command();
    run(command.arg("forks").env("CLL_COUNTERS", "page-faults,io-write"));
    let traces = program.traces();
    assert_eq!(traces.len(), 2);
    if traces.iter().any(refused) {
        return;
    }
    let mut all: Vec<f64> =
        traces.iter().flat_map(|trace| values(trace, "f", "page-faults")).map(|v| v.0).collect();
    all.sort_by(f64::total_cmp);
    // The parent also copies pages that it shares with the child.
    assert!(all.len() == 3 && about(all[1], 40.0) && about(all[2], 50.0), "{all:?}");
}

#[test]
fn files_that_are_read_and_written() {
    let program = compile("counted");
    let names = ["io-read", "io-write", "io-read-calls", "io-write-calls", "disk-read"];
    let (trace, _) = counted(&program, &names.join(","), &["files"]);
    if refused(&trace) {
        return;
    }
    let values = names.map(|name| values(&trace, "f", name)[0].0);
    assert_eq!(values[..4], [10_000.0, 10_000.0, 10.0, 10.0]);
    assert_eq!(trace.experiments[0].observables[2].unit, "calls");
}

#[test]
fn the_highest_memory_of_a_region() {
    let program = compile("counted");
    let peak = |pages: &str| {
        let (trace, _) = counted(&program, "memory-peak", &["once", pages]);
        (!refused(&trace)).then(|| values(&trace, "f", "memory-peak")[0].0)
    };
    let (Some(small), Some(large)) = (peak("1000"), peak("11000")) else { return };
    let megabytes = (large - small) / 1e6;
    assert!((38.0..44.0).contains(&megabytes), "{megabytes}");
}

#[test]
fn regions_in_one_another_as_deep_as_may_be() {
    let program = compile("counted");
    let (trace, _) = counted(&program, "page-faults", &["deep", "3000"]);
    if refused(&trace) {
        return;
    }
    let faults = values(&trace, "f", "page-faults");
    assert_eq!(faults.len(), 3000);
    let own: f64 = faults.iter().map(|(_, own)| own).sum();
    let outermost = faults.iter().map(|(all, _)| *all).fold(0.0, f64::max);
    assert_eq!(own, outermost);
    assert!(faults.iter().all(|(_, own)| *own >= 1.0));
}

#[test]
fn missing_counters_are_reported_and_the_rest_is_recorded() {
    let program = compile("counted");
    let (trace, output) =
        counted(&program, "page-falts,page-faults,sim::Ir,papi::NO_SUCH_EVENT", &["once", "30"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.contains(
            "cll: counter page-falts is not recorded: there is no counter with this name"
        ),
        "{message}"
    );
    assert!(
        message.contains("counter sim::Ir is not recorded: the program does not run"),
        "{message}"
    );
    assert!(message.contains("counter papi::NO_SUCH_EVENT is not recorded: "), "{message}");
    let refused =
        trace.warnings.iter().filter(|warning| matches!(warning, Warning::Refused { .. })).count();
    assert!(refused >= 3, "{:?}", trace.warnings);
    assert_eq!(samples(&trace, "f"), 1);
    if refused == 3 {
        assert!(about(values(&trace, "f", "page-faults")[0].0, 30.0));
    }
    // Only that: what the clauses request is counted, everywhere.
    let (trace, _) = counted(&program, "page-falts", &["once", "30"]);
    assert_eq!((trace.experiments[0].observables.len(), samples(&trace, "f")), (2, 1));
    // By a clause.
    let mut command = program.command();
    let output = run(command.args(["once", "30"]).env("UNKNOWN", "1"));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("counter page-fault is not recorded"), "{message}");
}

/// Events that a program counts itself, with PAPI.
#[test]
fn software_defined_events_of_papi() {
    let build = Build { flags: &["-O2", "-pthread", "-lsde"], ..Build::default() };
    let missing = !std::path::Path::new("/usr/include/sde_lib.h").exists();
    if missing {
        return crate::support::skip(
            "software_defined_events_of_papi",
            "PAPI (Debian: libpapi-dev)",
        );
    }
    let program = compile_with("events.c", "events", build);
    let names = "sde:::mine::steps,papi::sde:::mine::bytes,cpu-time,sde:::mine::nothing";
    let (trace, output) = counted(&program, names, &["5"]);
    let message = String::from_utf8_lossy(&output.stderr);
    let steps = values(&trace, "f", "papi::sde:::mine::steps");
    let bytes = values(&trace, "f", "papi::sde:::mine::bytes");
    // f takes n steps of 100 bytes and has g inside, which takes 10.
    let n = [1.0, 2.0, 3.0, 4.0, 5.0];
    assert_eq!(steps, n.map(|n| (n + 10.0, n)), "{message}");
    assert_eq!(bytes, n.map(|n| ((n + 10.0) * 100.0, n * 100.0)), "{message}");
    assert_eq!(values(&trace, "g", "papi::sde:::mine::steps"), [(10.0, 10.0); 5]);
}

#[test]
fn too_many_are_reported() {
    let program = compile("counted");
    let names: Vec<String> = (0..40).map(|n| format!("r{n:x}")).collect();
    let (trace, output) = counted(&program, &names.join(","), &["once", "30"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("at most 16 can be recorded at a time"), "{message}");
    assert_eq!(samples(&trace, "f"), 1);
}

#[test]
fn a_program_that_closes_the_counters_continues_without() {
    let program = compile("counted");
    let (trace, _) = counted(&program, "page-faults,io-read,memory-peak", &["closing"]);
    assert_eq!(samples(&trace, "f"), 2);
    if !refused(&trace) {
        assert!(values(&trace, "f", "page-faults")[1].0.is_nan());
    }
}

#[test]
fn static_programs_count_too() {
    let build = Build { flags: &["-O2", "-static", "-pthread"], ..Build::default() };
    let program = compile_with("counted.c", "counted", build);
    let (trace, output) = counted(&program, "cpu-time,PAPI_TOT_INS", &["once", "30"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("linked statically"), "{message}");
    assert!(values(&trace, "f", "cpu-time")[0].0 > 0.0);
}

/// Under callgrind the numbers are the same each time.
#[test]
fn simulated_instructions_are_exact() {
    let valgrind = std::process::Command::new("valgrind").arg("--version").output();
    if valgrind.is_err() {
        return crate::support::skip("simulated_instructions_are_exact", "valgrind");
    }
    let program = compile("counted");
    let simulate = || {
        let file = program.folder.path().join("counts");
        let mut out = std::ffi::OsString::from("--callgrind-out-file=");
        out.push(&file);
        let mut command = std::process::Command::new("valgrind");
        command.args([
            "--tool=callgrind",
            "--cache-sim=yes",
            "--combine-dumps=yes",
            "-q",
            "--log-file=log",
        ]);
        command.args(["--separate-threads=yes", "--dump-line=no"]).arg(out);
        command.arg(&program.path).args(["work", "1000"]).current_dir(program.folder.path());
        command.env("CLL_COUNTERS", "sim::Ir,sim::Dr,sim::D1mr").env("CLL_SIMULATION", &file);
        let output = run(&mut command);
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        program.traces().pop().unwrap()
    };
    let trace = simulate();
    let instructions = values(&trace, "f", "sim::Ir");
    let reads = values(&trace, "f", "sim::Dr");
    // Twice n steps of 4 instructions or more, of which h has half; the loop reads `i` twice
    // a step. Beyond that a region has some instructions of its own, the same in each.
    let steps: Vec<f64> = (1..=10).map(|n| 1000.0 * f64::from(n)).collect();
    let per_step = (instructions[9].0 - instructions[0].0) / (2.0 * (steps[9] - steps[0]));
    assert_eq!(per_step.fract(), 0.0, "{instructions:?}");
    assert!((3.0..9.0).contains(&per_step), "{per_step}");
    let rest = |value: f64, steps: f64, each: f64| value - each * steps;
    for (n, (all, own)) in steps.iter().zip(&instructions).skip(1) {
        let (rest, own) = (rest(*all, *n, 2.0 * per_step), rest(*own, *n, per_step));
        assert!((0.0..1500.0).contains(&rest) && (0.0..1500.0).contains(&own), "{rest} {own}");
    }
    for (n, (all, _)) in steps.iter().zip(&reads) {
        assert!((*all - 4.0 * n).abs() < 1000.0, "{n} {all}");
    }
    assert!(values(&trace, "f", "sim::D1mr").iter().all(|(all, _)| *all < 200.0));
    let again = simulate();
    assert_eq!(instructions, values(&again, "f", "sim::Ir"));
    assert_eq!(reads, values(&again, "f", "sim::Dr"));
    // Nothing else is reported of a run that does not measure time.
    assert!(!again.warnings.iter().any(|one| matches!(one, Warning::Refused { .. })));
}
