//! Machines leave nothing behind: no process, no file, no descriptor.

use std::fs;

use crate::all::each;
use crate::build::alone;
use crate::engines::APART;
use crate::stated::situations;
use crate::surroundings::Surroundings;

/// Starts and stops; `CLL_BSP_CYCLES` sets the number.
const CYCLES: usize = 300;

#[test]
fn many_starts_and_stops() {
    let wanted = std::env::var("CLL_BSP_CYCLES").ok();
    let cycles = wanted.map_or(CYCLES, |wanted| wanted.parse().expect("CLL_BSP_CYCLES: a number"));
    let program = alone(&situations().join("runs/descriptors_are_as_before.c"), &[]);
    let surroundings = Surroundings::now();
    let own = || fs::read_dir("/proc/self/fd").unwrap().count();
    let before = own();
    for engine in APART {
        let runs: Vec<usize> = (0..cycles).map(|cycle| 1 + cycle % 8).collect();
        each(&runs, |&processors| {
            let ended = surroundings.machine(&program.path, engine, processors).run();
            if ended.is_well() && ended.output == "as before\n" {
                Ok(())
            } else {
                Err(format!("{engine}, {processors}: {ended:?}"))
            }
        });
    }
    surroundings.are_as_before();
    assert_eq!(own(), before, "descriptors of the test itself");
}
