//! Every command as a user meets it: real sources, a real compiler, real programs.

#![forbid(unsafe_code)]

mod bad_input;
mod batch;
mod bsp;
mod bsp_killed;
mod bsp_log;
mod bsp_paths;
mod bsp_threads;
mod campaigns;
mod compiler;
mod counter_groups;
mod counters;
mod data;
mod disturbed;
mod example_models;
mod installing;
mod machine_objects;
mod machines;
mod models;
mod mpi_calls;
mod mpi_died;
mod mpi_hosts;
mod mpi_models;
mod mpi_parts;
mod mpi_report;
mod mpi_supersteps;
mod mpi_sync;
mod mpi_threads;
mod obsp;
mod openmp_threads;
mod outputs;
mod page;
mod pages;
mod parallel_models;
mod profile;
mod profile_diff;
mod profile_examples;
mod profile_exports;
mod profile_names;
mod runs;
mod sampling;
mod scaling;
mod support;
mod translation;
mod virtually;
