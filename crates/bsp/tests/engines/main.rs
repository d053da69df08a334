//! The engines of one host: by the interface that programs in C have, and by that of programs in Rust.

mod harness;
mod processes;
mod programs;
mod random;
mod raw;
mod threads;

fn main() {
    harness::main(&[
        ("processes", &[processes::OF_EVERY_ENGINE, processes::OF_PROCESSES]),
        ("threads", &[threads::OF_EVERY_ENGINE, threads::OF_THREADS]),
    ])
}
