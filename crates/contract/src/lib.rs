//! What `cll` and the library in measured programs agree on: every variable of the environment that begins with
//! `CLL_`, its type, what it means, how its value is written and read.
//!
//! The crate reads no environment: who does hands the bytes to [`Variable::read`], and sets what
//! [`Variable::set`] returns. `docs/environment.md` is made of [`ALL`].

#![forbid(unsafe_code)]

mod bsp;
mod kind;
mod list;
mod settings;
mod variable;

pub use bsp::{Combine, CostTable, Costs, Join, Joining, Parameters, ParametersOf, Piece};
pub use kind::{
    Bytes, Count, Descriptor, Factor, File, Kind, Names, Number, Padding, Phases, Seconds, Switch,
    Text, WholeSeconds,
};
pub use list::*;
pub use settings::{
    Clock, ClockChoice, Engine, EngineChoice, Loaded, LoadedChoice, Order, OrderChoice,
};
pub use settings::{Start, StartChoice, Sync, SyncChoice};
pub use variable::{About, Section, Setting, Variable, Wrong};
