//! Samples whose thread was switched out are marked, if the kernel reports it.

use crate::support::{Program, compile, run, samples};
use cll_trace::Trace;

/// Marked samples of f, g and h, in a scene that is run `count` times.
fn marked(program: &Program, scene: &str, count: u64, clock: &str) -> Option<[u64; 3]> {
    let mut command = program.command();
    run(command.args([scene, &count.to_string()]).env("CLL_CLOCK", clock));
    let trace = program.traces().pop().unwrap();
    assert_eq!((samples(&trace, "g"), samples(&trace, "h")), (count, 2 * count), "{scene}");
    known(&trace).then(|| switched_counts(&trace))
}

fn switched_counts(trace: &Trace) -> [u64; 3] {
    ["f", "g", "h"].map(|name| {
        let experiment =
            trace.experiments.iter().find(|experiment| experiment.name == name).unwrap();
        let by_cell: usize = experiment.cells.iter().map(|cell| cell.switched(experiment)).sum();
        let by_sample = experiment
            .cells
            .iter()
            .flat_map(|cell| cell.origins(experiment))
            .filter(|o| o.switched)
            .count();
        assert_eq!((by_cell as u64, by_sample as u64), (experiment.switched, experiment.switched));
        experiment.switched
    })
}

fn known(trace: &Trace) -> bool {
    match trace.processes[0].table.switched.as_str() {
        "rseq" => true,
        "none" => false,
        other => panic!("{other:?}"),
    }
}

#[test]
fn regions_in_which_the_thread_waited_are_marked_and_their_neighbours_are_not() {
    let program = compile("switched");
    for clock in ["", "mono"] {
        for scene in ["sleeping", "foreign"] {
            let Some([f, g, h]) = marked(&program, scene, 50, clock) else { return };
            // A newer kernel does not report it if the thread returns to the same core.
            assert!(f <= 50 && g <= f && f - g <= 5, "{clock} {scene}: {f} {g}");
            assert!(f >= 45 || f == 0, "{clock} {scene}: {f}");
            assert!(h <= 10, "{clock} {scene}: {h}");
        }
    }
}

#[test]
fn regions_that_another_process_interrupted_are_marked() {
    let program = compile("switched");
    for clock in ["", "mono"] {
        let Some([f, g, _]) = marked(&program, "contended", 5, clock) else { return };
        assert_eq!((f, g), (5, 5), "{clock}");
    }
}

#[test]
fn signals_and_what_the_kernel_does_late_are_no_switches() {
    let program = compile("switched");
    for clock in ["", "mono"] {
        for scene in ["nothing", "closing", "interrupted"] {
            let Some([f, g, h]) = marked(&program, scene, 5000, clock) else { return };
            assert!(f < 500 && g < 500 && h < 500, "{clock} {scene}: {f} {g} {h}");
        }
    }
}

#[test]
fn without_the_kernels_word_nothing_is_marked_and_the_trace_says_so() {
    let program = compile("switched");
    let mut command = program.command();
    run(command.args(["sleeping", "20"]).env("GLIBC_TUNABLES", "glibc.pthread.rseq=0"));
    let trace = program.trace();
    assert!(!known(&trace));
    assert_eq!((samples(&trace, "f"), switched_counts(&trace)), (20, [0, 0, 0]));
}
