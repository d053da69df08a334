//! Every command as a user meets it: real sources, a real compiler, real programs.

#![forbid(unsafe_code)]

mod bad_input;
mod bsp;
mod bsp_killed;
mod bsp_log;
mod bsp_threads;
mod compiler;
mod counters;
mod data;
mod disturbed;
mod installing;
mod machine_objects;
mod machines;
mod models;
mod obsp;
mod outputs;
mod page;
mod pages;
mod parallel_models;
mod runs;
mod sampling;
mod support;
mod translation;
mod virtually;
