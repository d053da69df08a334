//! Annotated C to experiments and instrumented C.

#![forbid(unsafe_code)]

mod translation;

pub use translation::{
    Experiment, Loop, Model, Options, OwnNames, Place, Report, Source, Translation,
};
