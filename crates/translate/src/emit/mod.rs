//! The translated text: insertions into the source, and the header they need.

mod code;
mod header;
mod literal;
mod made;
mod model;
mod team;
mod values;

pub(crate) use code::{Purpose, insertions, joined};
pub(crate) use header::header;
pub(crate) use model::MAGIC;

use std::ops::Range;

use crate::experiments::Parallel;
use crate::language::{Begin, Directive, LoopHead, Value};
use crate::marks::{MarkId, Marked};
use crate::numbers::Numbers;
use crate::translation::OwnNames;

/// Where a recorded value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The program's own expression.
    Program,
    /// `P`, from the parallel model.
    Processors,
    /// `pid`, from the parallel model.
    Processor,
}

/// Where a value of place `place` comes from.
pub(crate) fn origin(value: &Value, place: usize, own: &OwnNames) -> Origin {
    match value.name.as_str() {
        _ if value.is_named => Origin::Program,
        "P" if !own.processors.contains(&place) => Origin::Processors,
        "pid" if !own.processor.contains(&place) => Origin::Processor,
        _ => Origin::Program,
    }
}

/// The input of the emitters: a translated file.
pub(crate) struct Emitted<'a> {
    pub marked: &'a Marked<'a>,
    pub edits: &'a crate::edits::Edits,
    pub numbers: &'a Numbers,
    pub own: &'a OwnNames,
    pub parallel: &'a Parallel,
    pub name: &'a str,
    pub unit: &'a str,
    pub compiler: &'a str,
    pub lines: &'a cll_diagnostic::Lines,
    /// Whether passages of experiments without a pragma are only sampled.
    pub is_pilot: bool,
    /// Whether there are experiments without a pragma.
    pub is_automatic: bool,
}

impl<'a> Emitted<'a> {
    fn begin(&self, mark: MarkId) -> Option<&'a Begin> {
        match &self.marked.marks[mark].directive {
            Directive::Begin(begin) => Some(begin),
            _ => None,
        }
    }

    fn head(&self, mark: MarkId) -> Option<&'a LoopHead> {
        match &self.marked.marks[mark].directive {
            Directive::For(head) => head.as_ref(),
            _ => None,
        }
    }

    fn report(&self, mark: MarkId) -> &'a [(String, Range<usize>)] {
        match &self.marked.marks[mark].directive {
            Directive::Report { names } => names,
            _ => &[],
        }
    }

    /// An experiment without a pragma.
    pub(crate) fn automatic(&self, mark: MarkId) -> Option<(&'a Begin, &'a crate::made::Made)> {
        let begin = self.begin(mark)?;
        begin.extent.as_ref().map(|extent| (begin, extent))
    }

    /// Whether the compiler must say which values are integers.
    pub(crate) fn asks_for_values(&self) -> bool {
        let mut begins = self.numbers.places.keys().filter_map(|&mark| self.begin(mark));
        begins.any(Begin::asks_for_values)
    }

    /// The line where what `mark` opens begins.
    pub(crate) fn line(&self, mark: MarkId) -> usize {
        let offset = match self.begin(mark) {
            Some(begin) if begin.extent.is_some() => begin.name_span.start,
            _ => self.marked.marks[mark].span.start,
        };
        self.lines.line(offset)
    }

    /// The line where it ends; 0 if it has no end.
    pub(crate) fn end_line(&self, mark: MarkId) -> usize {
        match self.begin(mark).and_then(|begin| begin.extent.as_ref()) {
            Some(extent) => self.lines.line(extent.last),
            None => self.edits.ends.get(&mark).map_or(0, |&end| self.line(end)),
        }
    }

    /// The function that contains it.
    pub(crate) fn function(&self, mark: MarkId) -> &'a str {
        match self.begin(mark).and_then(|begin| begin.extent.as_ref()) {
            Some(extent) => &extent.function,
            None => self.edits.functions.get(&mark).map_or("", String::as_str),
        }
    }
}
