//! The translated text: insertions into the source, and the header they need.

mod code;
mod header;
mod literal;
mod model;
mod team;

pub(crate) use code::{Purpose, insertions, joined};
pub(crate) use header::header;
pub(crate) use model::MAGIC;

use std::ops::Range;

use crate::experiments::Parallel;
use crate::language::{Begin, Directive, Head, Value};
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
}

impl<'a> Emitted<'a> {
    fn begin(&self, mark: MarkId) -> Option<&'a Begin> {
        match &self.marked.marks[mark].directive {
            Directive::Begin(begin) => Some(begin),
            _ => None,
        }
    }

    fn head(&self, mark: MarkId) -> Option<&'a Head> {
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

    fn line(&self, mark: MarkId) -> usize {
        self.lines.line(self.marked.marks[mark].span.start)
    }

    fn end_line(&self, mark: MarkId) -> usize {
        self.edits.ends.get(&mark).map_or(0, |&end| self.line(end))
    }
}
