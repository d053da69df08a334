//! Probes in a world that the tests write: launches print what they say, and nothing is compiled.

#![forbid(unsafe_code)]

mod analyzer;
mod supersteps;
mod world;
