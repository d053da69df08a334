//! Threads: the maximal number, and those that outlive `main`.

use crate::support::{Build, compile, compile_with, printed, run, samples};

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
        let f = trace.experiments.iter().find(|found| found.name == "f").unwrap();
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

#[test]
fn regions_before_and_after_main() {
    let build = Build { compiler: "g++", flags: &["-O2", "-pthread"], linked: true };
    let program = compile_with("late.cc", "late", build);
    program.run_well(&[]);
    // Constructor, destructor, exit handler; of the thread's object two in its thread.
    assert_eq!(samples(&program.trace(), "f"), 5);
}
