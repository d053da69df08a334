//! From annotated sources to samples and fits: what `cll model` does.
//!
//! [`translate`] and [`compile`] build the program in a [`Folder`], [`Pilot`] chooses what can be measured, a
//! [`Sampler`] makes rounds until a goal is reached and gives an [`Evaluation`]; [`account`] describes how it was
//! measured. Nothing is printed: notices go to `Messages`, progress to a [`View`].

#![forbid(unsafe_code)]

mod account;
mod build;
mod compare_code;
mod evaluate;
mod folder;
mod guided;
mod logged;
mod pilot;
mod plain;
mod plan;
mod sample;
mod settings;
mod words;

pub use account::{account, advice, own_doing, unseen};
pub use build::{Built, Sources, competition, compile, compiler_words, processors, translate};
pub use compare_code::compare_code;
pub use evaluate::{Evaluation, Fitting, Widest};
pub use folder::Folder;
pub use guided::Guided;
pub use logged::{LoggedGoal, RoundsView, logged_runs};
pub use pilot::{Chosen, Pilot, Ranked, rank, regions};
pub use plain::{empty, plain};
pub use plan::{RunSettings, place, plan, resume};
pub use sample::{Overhead, Sampled, Sampler, View};
pub use settings::Settings;
pub use words::{duration, in_words};
