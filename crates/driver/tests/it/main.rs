//! Command lines of compilers: what becomes of them, and how they are carried out, by compilers that are scripts.

#![forbid(unsafe_code)]

mod compilers;
mod drivers;
mod plans;
mod steps;
mod support;
