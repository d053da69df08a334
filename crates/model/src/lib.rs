//! BSP, OBSP and OBSP\*: the time of a program on a machine, from its log or from formulas.
//!
//! Logs ([`log`]) and descriptions in formulas ([`formula`]) both become a [`Program`]: machine objects
//! with their supersteps. A machine prices it by each of the three models ([`Pricing`]), one evaluator goes
//! through the recurrence ([`Evaluator`]), and the result is broken down ([`breakdown`],
//! [`critical_path`]) and given an interval ([`interval`]). [`curves`] are what follows from times at many
//! numbers of processors.
//!
//! All values are in seconds and bytes. Nothing here reads files or the clock.

#![forbid(unsafe_code)]

mod account;
pub mod curves;
mod evaluate;
pub mod formula;
pub mod graph;
pub mod log;
pub mod messages;
mod parameters;
mod price;
mod program;

pub use account::{
    Breakdown, Changed, CriticalPath, Draws, Influence, Interval, Parts, PathStep,
    SuperstepAccount, breakdown, critical_path, influences, interval, what_if,
};
pub use evaluate::{Ended, EvaluationObserver, Evaluator, Position, Sizes, Unobserved};
pub use parameters::{Quantities, Quantity, QuantityKind};
pub use price::{Pricing, Rate, RateSegment, Rule, Taken, Target};
pub use program::{
    Ending, Flaw, Object, Parameter, Part, Partners, Phase, Program, Sets, Superstep, Term,
    Traffic, TrafficPattern, Work,
};
