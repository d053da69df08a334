//! Input and output of a translation.

use std::collections::BTreeSet;

use cll_diagnostic::Diagnostic;
use cll_formula::Complexity;

use crate::header::Header;

/// One C file as it is given to the compiler.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The file's name as the user gave it; `__FILE__`, messages and debug information of the
    /// translated program use it.
    pub name: &'a str,
    /// The file's bytes, in any encoding.
    pub text: &'a [u8],
}

/// The settings that the translator needs besides the source.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// File stem of the generated header: `PROGRAM` for `PROGRAM.cll.h`.
    pub unit: String,
    /// The compiler, to be recorded in the unit, such as `gcc -O2`.
    pub compiler: String,
    /// Which of `P`, `pid` and the handle the program itself declares, from the compiler's answer
    /// to [`Translation::probe`].
    pub own: OwnNames,
    /// Experiments that no pragma names (`--auto`); `None`: only those of pragmas.
    pub automatic: Option<Automatic>,
}

/// The formula, in traces, of an experiment whose formula is searched. It is no formula: `auto` is a word of C.
pub(crate) const SEARCHED: &str = "auto";

/// The choice of experiments that no pragma names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Automatic {
    /// Names of experiments that are left out.
    pub without: Vec<String>,
    /// Names of experiments of other files of the program.
    pub taken: Vec<String>,
    /// Whether passages are only sampled: all of the first 256, then fewer and fewer, each with its number as the
    /// value [`PASSAGE`].
    pub is_pilot: bool,
}

/// The value that a pilot run saves last: the passage's number in its thread, from 0.
pub const PASSAGE: &str = "cll_passage";

/// A function, or a loop in none other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionKind {
    /// A function's whole body.
    Function,
    /// An outermost loop.
    Loop,
}

/// A region that no pragma names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The experiment's name: the function's, for its first loop `NAME_loop1`.
    pub name: String,
    /// The kind of region.
    pub kind: RegionKind,
    /// The function.
    pub function: String,
    /// Line of its begin, from 1.
    pub line: usize,
    /// Line of its end.
    pub end_line: usize,
}

/// A function or loop that is not measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The name, or the place where there is none.
    pub name: String,
    /// The line, from 1.
    pub line: usize,
    /// Why.
    pub why: String,
}

/// The places (by index) at which the program has its own `P` or `pid`, or the handle, in scope.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnNames {
    /// Places with the program's own `P` in scope.
    pub processors: BTreeSet<usize>,
    /// Places with the program's own `pid` in scope.
    pub processor: BTreeSet<usize>,
    /// Places with the handle of the `parallel` line in scope.
    pub handle: BTreeSet<usize>,
    /// Candidates that are integers: places with the index of the candidate.
    pub integers: BTreeSet<(usize, usize)>,
    /// Whether the compiler has answered: then a name that is in none of the sets is not in scope.
    pub is_known: bool,
}

/// The parallel model of the program's `parallel` line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Model {
    /// No `#pragma cll parallel` line.
    #[default]
    Sequential,
    /// `#pragma cll parallel OpenMP`.
    OpenMp,
    /// `#pragma cll parallel PUB`.
    Pub,
    /// `#pragma cll parallel BSP`.
    Bsp,
    /// `#pragma cll parallel MPI`.
    Mpi,
}

impl Model {
    /// The word of the `parallel` line; `sequential` without one.
    pub fn name(self) -> &'static str {
        match self {
            Model::Sequential => "sequential",
            Model::OpenMp => "OpenMP",
            Model::Pub => "PUB",
            Model::Bsp => "BSP",
            Model::Mpi => "MPI",
        }
    }
}

/// A timed region of the program with its formula, at one place or several.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The name that follows `#pragma cll`.
    pub name: String,
    /// The formula, the same at every place; `None`: it is searched (`auto`).
    pub formula: Option<Complexity>,
    /// The values that are recorded with each sample: the formula's variables in order of appearance, then those of
    /// `uses(…)`.
    pub variables: Vec<String>,
    /// Those of the variables that `uses(NAME = …)` names.
    pub named: Vec<String>,
    /// Indices into [`Translation::places`].
    pub places: Vec<usize>,
}

impl Experiment {
    /// The formula as traces have it: its text, or the word `auto`.
    pub fn formula_text(&self) -> &str {
        self.formula.as_ref().map_or(SEARCHED, Complexity::text)
    }
}

/// A region of the source that belongs to an experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionPlace {
    /// Name of the experiment.
    pub experiment: String,
    /// Name of the function that contains the region.
    pub function: String,
    /// Line of the opening pragma, from 1.
    pub line: usize,
    /// Line of the closing pragma, from 1.
    pub end_line: usize,
    /// A sample is taken of every n-th passage; 1: of each.
    pub every: u32,
    /// Whether a barrier of the parallel model comes first.
    pub sync: bool,
    /// Counters recorded besides the time: those of `counters(…)`.
    pub counters: Vec<String>,
}

/// A `#pragma cll for` … `#pragma cll end for`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The variables that INIT and STEP assign, as C writes them.
    pub variables: Vec<String>,
    /// `INIT; COND; STEP`, with normalised white space.
    pub head: String,
    /// `for ordered`: the values are never shuffled.
    pub ordered: bool,
    /// Line of the opening pragma, from 1.
    pub line: usize,
    /// Line of the closing pragma, from 1.
    pub end_line: usize,
}

/// A `#pragma cll report`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Experiments by name; empty for `all`.
    pub names: Vec<String>,
    /// Line of the pragma, from 1.
    pub line: usize,
}

/// A file after translation.
#[derive(Clone, Debug, Default)]
pub struct Translation {
    /// Whether the file has any `#pragma cll` line. Without one the output is the input.
    pub directives_found: bool,
    /// The experiments in order of first appearance.
    pub experiments: Vec<Experiment>,
    /// The regions in order of their opening pragmas.
    pub places: Vec<RegionPlace>,
    /// The program's model.
    pub model: Model,
    /// Whether a `parallel` line says the model.
    pub has_parallel_line: bool,
    /// The processors of `procs = …`, ascending as written.
    pub procs: Option<Vec<u32>>,
    /// The sampling loops in order of their opening pragmas.
    pub loops: Vec<Loop>,
    /// The reports in order.
    pub reports: Vec<Report>,
    /// The instrumented C text; `None` without directives or with an error.
    pub code: Option<Vec<u8>>,
    /// The text inserted into the source, by byte offset, ascending; removed from
    /// [`Translation::code`] it leaves the source.
    pub insertions: Vec<(usize, Vec<u8>)>,
    /// `PROGRAM.cll.h`; `None` if `code` is.
    pub header: Option<Header>,
    /// C text to compile with `-fsyntax-only`; what the compiler prints is for
    /// [`OwnNames::from_compiler`]. `None` if there is nothing to ask.
    pub probe: Option<Vec<u8>>,
    /// The experiments that no pragma names, in order.
    pub regions: Vec<Region>,
    /// Functions and loops that cannot be measured, or were left out on request.
    pub left_out: Vec<LeftOut>,
    /// Notes, warnings and errors, by position.
    pub diagnostics: Vec<Diagnostic>,
}

impl Translation {
    /// Whether the diagnostics contain an error.
    pub fn failed(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}
