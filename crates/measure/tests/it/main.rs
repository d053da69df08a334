//! Sampling in a world that the tests write: launches take the time that they say, and record what they say.

#![forbid(unsafe_code)]

mod accounts;
mod pipeline;
mod resumed;
mod rounds;
mod trace;
mod world;
