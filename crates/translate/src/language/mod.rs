//! The lines of the annotation language.

mod clauses;
mod head;
mod procs;
mod read;
mod spelling;

use std::ops::Range;

use cll_formula::Complexity;

use crate::made::Made;
use crate::translation::{Model, SEARCHED};

pub(crate) use head::{LoopHead, written_paths};
pub(crate) use read::{Formulas, Line, classify, read};

/// The content of one `#pragma cll` line.
#[derive(Clone, Debug)]
pub(crate) enum Directive {
    /// `parallel MODEL [handle] [procs = …]`.
    Parallel { model: Model, handle: Option<String>, procs: Option<Vec<u32>> },
    /// `for [ordered] (INIT; COND; STEP)`; `None` if that was wrong.
    For(Option<LoopHead>),
    /// `end for`.
    EndFor,
    /// `[sync] NAME [clauses] FORMULA`.
    Begin(Box<Begin>),
    /// `end NAME`.
    End { name: String },
    /// `report all`, `report NAME…`.
    Report { names: Vec<(String, Range<usize>)> },
    /// A line with an error; it opens and closes nothing.
    Wrong,
}

/// The opening line of an experiment.
#[derive(Clone, Debug)]
pub(crate) struct Begin {
    pub name: String,
    pub name_span: Range<usize>,
    pub sync: bool,
    pub every: u32,
    /// `None` if the formula was wrong, or is searched.
    pub formula: Option<Complexity>,
    /// Whether the formula is searched: `auto`.
    pub is_searched: bool,
    pub values: Vec<Value>,
    /// Values that are recorded if the compiler says that they are integers; only if none are named.
    pub candidates: Vec<Value>,
    /// Where the region lies, if no pragma opens it.
    pub extent: Option<Made>,
    /// Names of the counters.
    pub counters: Vec<String>,
}

impl Begin {
    /// The formula as traces have it: its text; the word `auto` if it is searched.
    pub(crate) fn formula_text(&self) -> &str {
        match &self.formula {
            Some(formula) => formula.text(),
            None if self.is_searched => SEARCHED,
            None => "",
        }
    }
}

impl Begin {
    /// Whether the compiler must say which of its candidates are integers.
    pub(crate) fn asks_for_values(&self) -> bool {
        self.is_searched && !self.candidates.is_empty()
    }
}

/// A value that is recorded with each sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    /// The name in the data.
    pub name: String,
    /// C text that evaluates it at the begin of the region.
    pub c: String,
    /// Whether the line gives it this name: `uses(N = sim->atoms->n)`.
    pub is_named: bool,
}

impl Value {
    /// Whether it may be the number of processors or of this processor: if the program has no
    /// variable with that name.
    pub(crate) fn may_be_of_model(&self) -> bool {
        !self.is_named && matches!(self.name.as_str(), "P" | "pid")
    }
}
