//! Checks what must hold for any bytes: one `check` for each part that reads what others wrote.
//!
//! The targets in `fuzz_targets/` give them what libFuzzer finds. The tests
//! `fuzz.rs` of the crates include the same files, and give them mutations of
//! good inputs, so that no nightly compiler is needed to run them.

#![forbid(unsafe_code)]

pub mod formula;
pub mod import;
pub mod lexer;
pub mod llac;
pub mod machine;
pub mod symbols;
pub mod trace;
pub mod translator;
