//! PUB: a situation for every sentence of `pub.h`, programs that must stop, processors that fail, the
//! header, and the examples.
//!
//! As in the suite of BSPlib, whose parts are used: a file in `situations/ok` is a function that all processors
//! call, one after the other in one launch; in `runs` a complete program that ends normally; in `stops` one
//! that must be stopped. `SITUATIONS=name,name cargo test -p cll-runtime --test machines every_situation` runs
//! only these.

#[path = "../support/mod.rs"]
mod support;

#[path = "../bsp/all.rs"]
mod all;
#[path = "../bsp/build.rs"]
mod build;
#[path = "../bsp/engines.rs"]
#[allow(dead_code)]
mod engines;
#[path = "../bsp/machine.rs"]
mod machine;
#[path = "../bsp/mpi/launchers.rs"]
mod mpi;
#[path = "../bsp/play.rs"]
mod play;
#[path = "../bsp/stated.rs"]
#[allow(dead_code)]
mod stated;
#[path = "../bsp/surroundings.rs"]
mod surroundings;
#[path = "../bsp/table.rs"]
mod table;

mod examples;
mod failures;
mod header;
mod on_mpi;
mod situations;
mod stops;

/// The folder of the situations in the crate.
const SITUATIONS: &str = "tests/machines/situations";

/// The header of their programs, and functions that several of them define.
const HEADER: &str = "pub.h";
const FUNCTIONS: [&str; 4] = ["main", "me", "own", "add"];

const WARNINGS: &str = "-Wall";

/// How the processors are started: as copies of the first one, or by running main.
const STARTS: [&str; 2] = ["fork", "exec"];

/// Values of `CLL_ENGINE` that need no launcher.
const ENGINES: [&str; 3] = ["processes", "virtual", "threads"];

/// Engines in which a processor fails separately.
const APART: [&str; 2] = ["processes", "virtual"];

/// Those engines, with all starts.
fn ways_apart() -> impl Iterator<Item = (&'static str, &'static str)> {
    APART.into_iter().flat_map(|engine| STARTS.map(|start| (engine, start)))
}

/// Engines and starts.
fn ways() -> impl Iterator<Item = (&'static str, &'static str)> {
    ways_apart().chain([("threads", "fork")])
}
