//! Which points to measure next.
//!
//! A [`Problem`] has candidates with their costs and, for each experiment (a [`Subject`]), the formulas that are
//! possible, what was measured already, and how measurements vary ([`Noise`]). [`plan`] chooses candidates within a
//! budget: those that make predictions at the targets narrow (I-optimal; without targets D-optimal), some where no
//! measurement is near, and some in the gaps of boundaries. The [`Design`] says why each was chosen and how
//! uncertain predictions are before and after. [`Adaptive`] repeats this until a prediction is narrow enough.
//!
//! Methods and measurements: `docs/statistics.md`, section Planning. Nothing here measures, reads files or the clock.
#![forbid(unsafe_code)]

mod adaptive;
mod cost;
mod criterion;
mod cross;
mod design;
mod exchange;
mod fill;
mod from_fit;
mod noise;
mod problem;
mod width;

pub use adaptive::{Adaptive, Ending, NextStep, Progress};
pub use cost::RunCost;
pub use cross::best_cross;
pub use design::{Chosen, Design, Forecast, PlanError, Reason, plan, variance};
pub use from_fit::{Rival, noise_of, subject};
pub use noise::{Noise, NoiseKind, Scatter};
pub use problem::{Belief, Candidate, Gap, MeasuredPoint, Problem, Subject, combinations};
pub use width::Widths;
