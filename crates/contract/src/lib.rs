//! Defines what `cll` and the library in measured programs agree on: every environment variable that begins with
//! `CLL_`, its type, its meaning, and how its value is written and read.
//!
//! The crate does not read the environment: the caller passes the bytes to [`Variable::read`], and sets what
//! [`Variable::set`] returns. `docs/environment.md` is generated from [`ALL`].

#![forbid(unsafe_code)]

mod bsp;
mod kind;
mod list;
mod settings;
mod variable;

pub use bsp::{Combine, CostSegment, CostTable, Costs, Join, Joining, Parameters, ParametersOf};
pub use kind::{
    Bytes, Count, Descriptor, Factor, FileKind, Names, Number, Padding, Phases, Seconds, Switch,
    Text, ValueKind, WholeSeconds,
};
pub use list::*;
pub use settings::{
    Clock, ClockChoice, Engine, EngineChoice, Loaded, LoadedChoice, Order, OrderChoice,
};
pub use settings::{Start, StartChoice, Sync, SyncChoice};
pub use variable::{About, Section, Setting, Variable, WrongValue};
