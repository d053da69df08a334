//! What is kept of a fit: the model file, what it is made of and how it is read.

mod account;
mod counters;
mod data;
mod file;
mod fitting;
mod held_out;
mod machine;
mod misses;
mod observable;
mod predictions;
mod sampling;
mod scaling;
mod time;
mod trace;
mod view;
mod working_sets;

pub use data::{Imported, Observed, Source, read_together, read_traces, select, traces_in};
pub use file::{
    Compiled, ExperimentModel, FILE_NAME, ModelFile, Notice, ProgramModel, RunModel, SourceModel,
};
pub use fitting::{Choices, fit_all, fit_all_of, formulas};
pub use held_out::{
    HoldOut, Planned, check_held_out, check_measured, check_planned, predicted_held_out,
};
pub use machine::{Cache, Machine};
pub use observable::about_observable;
pub use predictions::{At, Predicted, PredictionJson, predict_all};
pub use sampling::{Canary, DilationModel, Discarded, RoundModel, Sampling, Stopped, Verdict};
pub use scaling::{ScalingJson, scalings, scalings_json};
pub use time::now;
pub use trace::{describe, notices};
pub use view::{Shown, predictions_report, report};
pub use working_sets::references;
