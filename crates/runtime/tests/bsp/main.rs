//! BSPlib: a situation for every sentence of its contract, programs that must stop, processors that fail,
//! repeated starts and stops, and the examples, on every engine.
//!
//! A sentence of the contract is a file in `situations`: in `ok` a function that all processors call, one after
//! the other in one launch; in `runs` a complete program that ends normally; in `stops` one that must be
//! stopped. `SITUATIONS=name,name cargo test -p cll-runtime --test bsp every_situation` runs only these;
//! `CLL_BSP_CYCLES=10000` makes the test of starts and stops a long one.

#[path = "../support/mod.rs"]
mod support;

mod all;
mod available;
mod build;
mod cycles;
mod engines;
mod examples;
mod failures;
mod limits;
mod machine;
mod mpi;
mod play;
mod sanitized;
mod situations;
mod stated;
mod stops;
mod surroundings;
mod table;

/// The folder of the situations in the crate.
const SITUATIONS: &str = "tests/bsp/situations";

/// The header of their programs, and functions that several of them define.
const HEADER: &str = "bsp.h";
const FUNCTIONS: [&str; 2] = ["main", "spmd"];

/// Annotated examples are plain C for other compilers.
const WARNINGS: &str = "-Wno-unknown-pragmas";
