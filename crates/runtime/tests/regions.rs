//! What is recorded of a program that runs to its end.

mod support;

use support::{compile, printed, samples};

#[test]
fn samples_of_nested_regions_and_of_those_left_by_a_return() {
    let program = compile("simple");
    let output = program.run_well(&["5000"]);
    let trace = program.trace();
    assert_eq!((samples(&trace, "f"), samples(&trace, "g")), (5000, 10_000));
    let f = trace.experiments.iter().find(|found| found.name == "f").unwrap();
    assert_eq!(f.left, printed(&output));
    println!("{:#?}", trace.processes);
}
