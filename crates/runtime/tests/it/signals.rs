//! Regions in signal handlers, and handlers that jump.

use crate::support::{compile, printed};

#[test]
fn regions_in_handlers_are_recorded_or_counted() {
    let program = compile("scenes");
    // A fast processor records more than the limit of a program without a launcher.
    let output =
        crate::support::run(program.command().env("CLL_LIMIT", "0").args(["interrupts", "1500"]));
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let numbers: Vec<u64> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
    let [recorded, handled] = numbers[..] else { panic!("{text:?}") };
    assert!(handled > 100, "{text}");
    let path = program.folder.path().join("scenes.cll.0.dat");
    let trace = cll_trace::read(std::fs::File::open(path).unwrap()).unwrap();
    assert_eq!(crate::support::samples(&trace, "f"), recorded);
    let dropped = trace.processes[0].end.as_ref().unwrap().dropped;
    assert_eq!(crate::support::samples(&trace, "h") + dropped, handled);
    for damage in &trace.damage {
        assert!(matches!(damage.cause, cll_trace::Cause::Dropped { .. }), "{damage:?}");
    }
    // Nothing is mixed up: values, and times that can be.
    for experiment in &trace.experiments {
        let longest =
            crate::support::seconds(&trace, &experiment.name).into_iter().fold(0.0, f64::max);
        assert!(experiment.negative == 0 && longest < 60.0, "{}: {longest}", experiment.name);
    }
    let f = trace.experiments.iter().find(|experiment| experiment.name == "f").unwrap();
    let sound = |values: &[f64]| values[0].fract() == 0.0 && values[0] < 1000.0 && values[1] == 1.0;
    assert!(f.cells.len() == 1000 && f.cells.iter().all(|cell| sound(&cell.values)));
}

#[test]
fn handlers_that_jump_out_of_anything_do_not_stop_the_recording() {
    let program = compile("scenes");
    let output = program.run_well(&["leaping", "3000"]);
    let path = program.folder.path().join("scenes.cll.0.dat");
    let trace = cll_trace::read(std::fs::File::open(path).unwrap()).unwrap();
    assert_eq!(crate::support::samples(&trace, "g"), printed(&output));
    assert!(crate::support::samples(&trace, "f") > 3000);
    assert!(trace.damage.iter().all(|damage| damage.lost.get() == 0), "{:?}", trace.damage);
}
