//! Counts how often statements are executed for given values of variables, without data: the control flow of the
//! program is followed as far as it depends on numbers that are known.
//!
//! A loop whose count is not known is passed once, and what is in it has no count. Of a condition that is not known
//! both sides are passed, and what is in them is executed at most so often.

mod evaluate;
mod statement;

use crate::program::{PieceId, SourceProgram};
use crate::value::Value;

/// Steps after which a count is given up.
const STEPS: u64 = 600_000;
/// Statements inside of each other, through calls.
const DEPTH: usize = 2500;
/// Calls inside of each other.
const CALLS: usize = 128;

/// The knowledge about a piece after counting.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Count {
    /// Executions by one processor, at most.
    pub times: f64,
    /// Whether it is executed under conditions that are not known.
    pub at_most: bool,
    /// Why there is no count.
    pub unknown: Option<Cause>,
}

/// Why there is no count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// It is in a loop, at this line, whose number of passages depends on more than the variables; on this one, if it
    /// has no value where the loop begins.
    Loop(usize, Option<usize>),
    /// It is in a function that calls itself as often as data say; the line of the call.
    Recursion(usize),
    /// A `goto` leads back to it.
    Goto(usize),
}

/// How a statement ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Normal,
    Break,
    Continue,
    Return,
    Stop,
}

/// The values of a function's variables.
#[derive(Clone, Debug, Default, PartialEq)]
struct CallFrame {
    values: Vec<(usize, Value)>,
    /// The value that the function returned.
    result: Option<Value>,
}

/// Executes statements.
pub(crate) struct AbstractMachine<'p> {
    program: &'p SourceProgram,
    pub counts: Vec<Count>,
    frames: Vec<CallFrame>,
    /// Bodies that are being executed.
    active: Vec<usize>,
    /// Values of the formula's variables, which the text before the region does not change.
    globals: Vec<(usize, Value)>,
    /// The formula's variables.
    pub fixed: Vec<usize>,
    steps: u64,
    /// Statements around the present one.
    depth: usize,
    /// Conditions that are not known, around the present place.
    conditions: usize,
    /// Loops and calls without a count, around the present place.
    causes: Vec<Cause>,
    /// Whether a `break` or `return` was passed under a condition that is not known.
    left: bool,
    /// Whether nothing is counted.
    is_silent: bool,
    /// Functions that call themselves as often as data say.
    unbounded: Vec<usize>,
    /// Whether a recursion that goes deeper than can be followed depends on data, and is not given up.
    pub is_lenient: bool,
    /// The share of one processor in what is executed: 1/P inside of a shared loop.
    share: f64,
}

impl<'p> AbstractMachine<'p> {
    pub(crate) fn new(program: &'p SourceProgram) -> AbstractMachine<'p> {
        AbstractMachine {
            program,
            counts: vec![Count::default(); program.pieces.len()],
            frames: vec![CallFrame::default()],
            active: Vec::new(),
            globals: Vec::new(),
            fixed: Vec::new(),
            steps: 0,
            depth: 0,
            conditions: 0,
            causes: Vec::new(),
            left: false,
            is_silent: false,
            unbounded: Vec::new(),
            is_lenient: false,
            share: 1.0,
        }
    }

    /// Whether it was given up, so that the counts are too small.
    pub(crate) fn is_stopped(&self) -> bool {
        self.steps > STEPS
    }

    fn count(&mut self, piece: PieceId) {
        self.steps += 1;
        if self.is_silent {
            return;
        }
        let Some(count) = self.counts.get_mut(piece) else { return };
        count.times += self.share;
        count.at_most |= self.conditions > 0;
        count.unknown = count.unknown.or(self.causes.first().copied());
    }

    fn frame(&mut self) -> &mut CallFrame {
        if self.frames.is_empty() {
            self.frames.push(CallFrame::default());
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    pub(crate) fn get(&self, name: usize) -> Value {
        let frame = self.frames.last();
        let local = frame.and_then(|frame| frame.values.iter().find(|(id, _)| *id == name));
        let global = || self.globals.iter().find(|(id, _)| *id == name).map(|(_, value)| *value);
        let of_file = || self.program.globals.get(&name).copied();
        local.map(|(_, value)| *value).or_else(global).or_else(of_file).unwrap_or(Value::Unknown)
    }

    /// Gives a variable a value: a local one if there is one, or if the file has none of this name.
    pub(crate) fn set(&mut self, name: usize, value: Value) {
        let is_global = self.program.globals.contains_key(&name);
        let frame = self.frame();
        if let Some((_, place)) = frame.values.iter_mut().find(|(id, _)| *id == name) {
            *place = value;
        } else if is_global {
            match self.globals.iter_mut().find(|(id, _)| *id == name) {
                Some((_, place)) => *place = value,
                None => self.globals.push((name, value)),
            }
        } else {
            frame.values.push((name, value));
        }
    }

    fn declare(&mut self, name: usize, value: Value) {
        let frame = self.frame();
        match frame.values.iter_mut().find(|(id, _)| *id == name) {
            Some((_, place)) => *place = value,
            None => frame.values.push((name, value)),
        }
    }

    fn forget(&mut self, names: impl IntoIterator<Item = usize>) {
        names.into_iter().for_each(|name| self.set(name, Value::Unknown));
    }
}
