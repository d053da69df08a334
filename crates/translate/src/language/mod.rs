//! The lines of the annotation language, one at a time.

mod clauses;
mod head;
mod procs;
mod read;
mod spelling;

use std::ops::Range;

use cll_formula::Formula;

use crate::translation::Model;

pub(crate) use head::{Head, written_paths};
pub(crate) use read::{Formulas, Line, classify, read};

/// What one `#pragma cll` line says.
#[derive(Clone, Debug)]
pub(crate) enum Directive {
    /// `parallel MODEL [handle] [procs = …]`.
    Parallel { model: Model, handle: Option<String>, procs: Option<Vec<u32>> },
    /// `for [ordered] (INIT; COND; STEP)`; `None` where that was wrong.
    For(Option<Head>),
    /// `end for`.
    EndFor,
    /// `[sync] NAME [clauses] FORMULA`.
    Begin(Begin),
    /// `end NAME`.
    End { name: String },
    /// `report all`, `report NAME…`.
    Report { names: Vec<(String, Range<usize>)> },
    /// A line with an error that opens and closes nothing.
    Wrong,
}

/// The opening line of an experiment.
#[derive(Clone, Debug)]
pub(crate) struct Begin {
    pub name: String,
    pub name_span: Range<usize>,
    pub sync: bool,
    pub every: u32,
    /// `None` where the formula was wrong.
    pub formula: Option<Formula>,
    pub values: Vec<Value>,
    /// Names of what is counted.
    pub counters: Vec<String>,
}

/// A value that is saved with each sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    /// Its name in the data.
    pub name: String,
    /// C text that evaluates it where the region begins.
    pub c: String,
    /// Whether the line gives it this name: `uses(N = sim->atoms->n)`.
    pub is_named: bool,
}

impl Value {
    /// Whether it is the number of processors or of this one, if the program has no variable of that name.
    pub(crate) fn may_be_of_model(&self) -> bool {
        !self.is_named && matches!(self.name.as_str(), "P" | "pid")
    }
}
