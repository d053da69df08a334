//! BSPlib: a situation for every sentence of its contract, programs that must stop, processors that
//! fail, machines that come and go, and the examples, on every engine.

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
mod sanitized;
mod situations;
mod stated;
mod stops;
mod surroundings;
