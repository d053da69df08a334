//! Threads: the maximal number, and those that outlive `main`.

use cll_trace::meta::ThreadEnds;

use crate::support::{Build, compile, compile_with, count, printed, run, samples};

#[test]
fn a_hundred_thousand_short_threads_need_few_blocks() {
    let program = compile("scenes");
    program.run_well(&["threads", "100000", "8"]);
    let trace = program.trace();
    assert_eq!(samples(&trace, "f"), 300_000);
    // Threads continue in the blocks of those that have ended.
    assert!(trace.processes[0].threads <= 9, "{}", trace.processes[0].threads);
    assert!(trace.bytes.get() < 300_000 * 40 + 20 * 65_536, "{}", trace.bytes);
}

#[test]
fn many_threads_at_a_time() {
    let program = compile("scenes");
    program.run_well(&["threads", "600", "300"]);
    assert_eq!(samples(&program.trace(), "f"), 1800);
}

#[test]
fn openmp() {
    let build = Build { flags: &["-O2", "-fopenmp"], ..Build::default() };
    let program = compile_with("openmp.c", "openmp", build);
    for team in [1, 2, 5] {
        let mut command = program.command();
        let output = run(command.arg("4000").env("OMP_NUM_THREADS", team.to_string()));
        let trace = program.traces().pop().unwrap();
        assert_eq!(samples(&trace, "f"), printed(&output));
        assert_eq!(printed(&output), 4000 * team);
        let process = &trace.processes[0];
        assert_eq!((samples(&trace, "g"), u64::from(process.table.processors)), (team, team));
        assert_eq!(u64::from(process.threads), team);
        let f = trace.experiments.iter().find(|experiment| experiment.name == "f").unwrap();
        assert!(f.cells.iter().all(|cell| cell.values[1] == team as f64));
    }
}

#[test]
fn main_returns_while_a_thread_continues() {
    let program = compile("scenes");
    for _ in 0..20 {
        program.run_well(&["early", "30000"]);
    }
    for trace in program.traces() {
        assert!(samples(&trace, "f") >= 30_000);
        assert!(trace.processes[0].end.is_some());
    }
}

/// A region in which a thread ends has no sample but is counted, and what a destructor measures is in no region.
#[test]
fn threads_that_end_in_regions() {
    let program = compile("scenes");
    program.run_well(&["ends", "70"]);
    let trace = program.trace();
    assert_eq!(["f", "g", "h"].map(|name| samples(&trace, name)), [70, 0, 0]);
    let end = trace.processes[0].end.as_ref().unwrap();
    assert_eq!(end.thread_ends, [ThreadEnds { place: 2, count: 70 }]);
    assert!(end.open.is_empty());
    let bytes = std::fs::read(program.folder.path().join("scenes.cll.0.dat")).unwrap();
    assert_eq!(count(&bytes, |sample| sample.depth == 0 && sample.parent.is_none()), 70);
}

#[test]
fn regions_before_and_after_main() {
    let build = Build { compiler: "g++", flags: &["-O2", "-pthread"], linked: true };
    let program = compile_with("late.cc", "late", build);
    program.run_well(&[]);
    // Constructor, destructor, exit handler; of the thread's object two in its thread.
    assert_eq!(samples(&program.trace(), "f"), 5);
}
