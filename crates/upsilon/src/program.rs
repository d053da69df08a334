//! A file's functions, compiled for counting: which statements there are, and what decides how often they run.

mod compile;
mod globals;

use std::collections::{BTreeSet, HashMap};

use cll_csource::file::{Function, Variant};
use cll_csource::tree::{NodeId, Statement, Tree};
use cll_diagnostic::Lines;

use crate::expression::Expr;
use crate::names::Names;
use crate::value::Value;

/// Index of a [`Piece`].
pub(crate) type PieceId = usize;

/// A part of the text that is executed as a whole: a statement, or one of the three parts of a `for`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Name of its function.
    pub function: String,
    /// The line, from 1.
    pub line: usize,
    /// Offset of its first byte.
    pub offset: usize,
    /// The text on one line.
    pub text: String,
    /// Functions that it calls and that are not in this file.
    pub calls: Vec<String>,
}

/// The work of a statement itself, before or after the statements in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Head {
    /// Done once: a simple statement, the first part of a `for`.
    pub first: Option<(PieceId, Vec<Expr>)>,
    /// The condition; `None`: always true.
    pub condition: Option<(PieceId, Expr)>,
    /// Done after each passage of a `for`.
    pub step: Option<(PieceId, Vec<Expr>)>,
}

impl Head {
    /// The parts that are executed as a whole.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = PieceId> + '_ {
        let done = self.first.iter().chain(&self.step).map(|(piece, _)| *piece);
        done.chain(self.condition.iter().map(|(piece, _)| *piece))
    }

    fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let done = self.first.iter().chain(&self.step).flat_map(|(_, all)| all);
        done.chain(self.condition.iter().map(|(_, expr)| expr))
    }
}

/// A statement.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub statement: Statement,
    pub children: Vec<NodeId>,
    /// The tokens.
    pub tokens: (usize, usize),
    pub line: usize,
    pub head: Head,
    /// Whether it is a directive of OpenMP that divides a loop among the processors.
    pub is_shared: bool,
    /// Variables that are given a value in it.
    pub writes: BTreeSet<usize>,
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    /// `None` for one whose name cannot be read.
    pub parameters: Vec<Option<usize>>,
    pub nodes: Vec<Node>,
    /// The tokens.
    pub tokens: (usize, usize),
}

/// A file.
#[derive(Clone, Debug)]
pub(crate) struct SourceProgram {
    pub names: Names,
    pub pieces: Vec<Piece>,
    pub bodies: Vec<Body>,
    /// Functions by the number of their names.
    pub functions: HashMap<usize, usize>,
    /// Variables of the file, with those values that never change.
    pub globals: HashMap<usize, Value>,
    /// The members of each name.
    pub members: HashMap<usize, Vec<(usize, String)>>,
    /// Macros with parameters, each with which of these it may change.
    pub macros: HashMap<usize, Vec<bool>>,
}

impl SourceProgram {
    /// Compiles the functions of a file. `extra` are names that are needed, too.
    pub(crate) fn new(variant: &Variant<'_>, extra: &[String]) -> SourceProgram {
        let mut names = Names::default();
        for name in extra {
            names.id(name);
        }
        let functions = variant.functions();
        let lines = Lines::new(variant.source);
        let mut program = SourceProgram {
            names,
            pieces: Vec::new(),
            bodies: Vec::new(),
            functions: HashMap::new(),
            globals: HashMap::new(),
            members: HashMap::new(),
            macros: HashMap::new(),
        };
        for function in &functions {
            let id = program.names.id(&function.name);
            program.functions.entry(id).or_insert(program.bodies.len());
            let body =
                compile::Compiler { variant, lines: &lines, program: &mut program, function }
                    .body(&Tree::parse(variant, function));
            program.bodies.push(body);
        }
        for piece in 0..program.pieces.len() {
            let known = |name: &String| {
                let id = program.names.find(name);
                !id.is_some_and(|id| program.functions.contains_key(&id))
            };
            let calls = program.pieces[piece].calls.iter().filter(|name| known(name)).cloned();
            program.pieces[piece].calls = calls.collect();
        }
        globals::find(variant, &functions, &mut program);
        program.members = program.names.members();
        program
    }

    /// The functions of the file that statements call, and those that these call in turn.
    pub(crate) fn called<'n>(&self, nodes: impl IntoIterator<Item = &'n Node>) -> BTreeSet<usize> {
        let mut numbers = BTreeSet::new();
        let mut open: Vec<&Head> = nodes.into_iter().map(|node| &node.head).collect();
        while let Some(head) = open.pop() {
            let mut names = Vec::new();
            for expression in head.expressions() {
                expression.visit(&mut |part| {
                    if let Expr::Call(name, _) = part {
                        names.push(*name);
                    }
                });
            }
            for body in names.iter().filter_map(|name| self.functions.get(name)) {
                if numbers.insert(*body) {
                    open.extend(self.bodies[*body].nodes.iter().map(|node| &node.head));
                }
            }
        }
        numbers
    }

    /// The function whose text contains the byte.
    pub(crate) fn body_at(&self, variant: &Variant<'_>, byte: usize) -> Option<usize> {
        let token = |index: usize| variant.tokens.get(index.min(variant.tokens.len() - 1));
        self.bodies.iter().position(|body| {
            let (Some(open), Some(close)) = (token(body.tokens.0), token(body.tokens.1)) else {
                return false;
            };
            open.start <= byte && byte < close.end
        })
    }
}

/// The tokens of a function's body, with its braces.
fn extent(function: &Function) -> (usize, usize) {
    (function.open, function.close)
}
