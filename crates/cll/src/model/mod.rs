//! Models: their files, fits and predictions.

pub mod campaign;
mod comparing;
mod counters;
mod data;
mod file;
mod fitting;
mod folders;
mod held_out;
mod imported;
mod misses;
mod observable;
mod planning;
mod predictions;
mod ranking;
mod searching;
mod trace;
mod working_sets;

pub use comparing::Older;
pub use data::{Observed, Source, begins_as_trace, read_together, read_traces, select};
pub use file::{FILE_NAME, now, read_model, write_model};
pub use fitting::{Choices, fit_all, fit_all_of, formulas};
pub use folders::{data_in, traces_in};
pub use held_out::{
    HoldOut, Planned, check_held_out, check_measured, check_planned, predicted_held_out,
};
pub use imported::{Imported, remarks};
pub use observable::about_observable;
pub use planning::{PROCESSORS, Planning, PlanningInput, candidates};
pub use predictions::{At, predict_all};
pub use ranking::{MAIN, RankedRun, RankingInput, powers_of_two, ranking};
pub use searching::SearchChoice;
pub use trace::{describe, notices};
pub use working_sets::references;
