//! From the user's files and options to models, logs, profiles and machines: what every face of the analyzer does
//! in the same way (the program, the interpreter, the package for Python).
//!
//! - [`DataSource`] is data to fit: traces, a campaign, or tables of other programs. [`fit_model`] makes a [`ModelFile`]
//!   of it by [`Choices`]; [`predict_all`] predicts with the model.
//! - [`planning`] says what to measure next; [`ranking`] ranks a program's functions and loops.
//! - [`logs`] has the logs of a run; [`mpi_runs`] reads those of MPI programs for models; [`profile`] makes a profile of them, [`export_otf2`] an archive for other programs.
//! - [`machine`] finds a machine by its file or name; [`obsp`] prices programs of supersteps on it;
//!   [`virtual_run`] predicts times of virtual processors.
//!
//! Nothing is printed: notices go to [`Messages`], and why something cannot be done is an [`Error`].
//!
//! [`ModelFile`]: cll_result::ModelFile

#![forbid(unsafe_code)]

mod allowance;
pub mod campaign;
mod changes;
mod counters;
mod data;
pub mod empty_files;
mod error;
mod file;
mod fit;
mod fit_options;
mod fitting;
mod folders;
mod held_out;
mod imported;
pub mod logs;
pub mod machine;
mod machine_parameters;
mod messages;
mod misses;
pub mod mpi_runs;
mod observable;
pub mod obsp;
mod otf2;
mod parts;
pub mod planning;
mod predictions;
pub mod profile;
mod profile_sources;
pub mod ranking;
mod run_ranking;
mod searched_formula;
mod searched_ranking;
mod searching;
mod thinned;
mod time;
mod trace;
pub mod virtual_run;
mod working_sets;

pub use cll_campaign::Location;

pub use changes::{changed, changed_program, values_at};
pub use data::{DataSource, Observed, begins_as_trace, read_together, read_traces, select};
pub use error::{Complaint, Error};
pub use file::{FILE_NAME, model_file, now, read_model, write_model};
pub use fit::{
    FitRequest, ReadData, check_fitted, compare_models, fit_model, mixture, read_data,
    search_options, search_terms,
};
pub use fit_options::{
    FIT_OPTIONS, FitOption, GivenFit, IntervalRule, OptionError, OutlierRule, Words, fit_option,
    parse_outliers,
};
pub use fitting::{Choices, MARKERS_ERROR, fit_all, fit_all_of, formulas};
pub use folders::{data_in, traces_in};
pub use held_out::{
    HoldOut, Planned, check_held_out, check_measured, check_planned, predicted_held_out,
};
pub use imported::{Imported, remarks};
pub use machine_parameters::machine_parameters;
pub use messages::Messages;
pub use observable::about_observable;
pub use otf2::export_otf2;
pub use parts::{Part, named, parts, share_constants};
pub use predictions::{locations, predict_all};
pub use profile_sources::{profile_sources, sources_of};
pub use searching::SearchChoice;
pub use time::Time;
pub use trace::{describe, notices};
pub use working_sets::{NamedExpression, references};
