//! From files to models, by values and small files that the tests write: nothing is compiled or run.

#![forbid(unsafe_code)]

mod campaigns;
mod files;
mod fits;
mod machines;
mod planned;
mod support;
mod traces;
