//! From annotated sources to samples and fits: what `cll model` does.
//!
//! [`model`] goes the whole way from a [`Request`] to a model file: a [`Toolchain`] builds the program in a [`Folder`], a
//! pilot chooses what can be measured, a [`Sampler`] makes rounds until a goal is reached and gives an [`Evaluation`]. All
//! that it needs of the world is a value, a [`World`]. Nothing is printed: notices go to a listener, progress to a
//! [`View`].

#![forbid(unsafe_code)]

mod account;
mod build;
mod compare_code;
mod error;
mod evaluate;
mod folder;
mod guided;
mod logged;
mod pilot;
mod pipeline;
mod plain;
mod plan;
mod sample;
mod settings;
mod toolchain;
mod words;

pub use account::{account, advice, own_doing, unseen};
pub use build::{Built, Sources, compiler_words};
pub use error::Error;
pub use evaluate::{Evaluation, Fitting, Widest};
pub use folder::Folder;
pub use logged::{LoggedGoal, RoundsView, logged_runs};
pub use pipeline::{Measured, Request, World, model};
pub use plan::resume;
pub use sample::{Overhead, Sampled, Sampler, View};
pub use settings::Settings;
pub use toolchain::{Compilers, Toolchain};
pub use words::in_words;
