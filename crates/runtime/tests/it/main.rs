//! Programs in C that are linked with the library.

mod archive;
mod bsp_header;
mod bsp_wrong;
mod counters;
mod objects;
mod processes;
mod regions;
mod signals;
#[path = "../support/mod.rs"]
mod support;
mod switches;
mod threads;
mod trouble;
