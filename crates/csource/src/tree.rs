//! The statements of one function, and where its markers stand.
//!
//! The parser keeps its own stack, so nesting costs no stack of the program;
//! a function nested deeper than [`DEPTH`] is given up ([`Tree::too_deep`]).
//! It never fails: what it does not know is a simple statement.

mod parse;

use crate::file::{Function, Variant};
use crate::pragma::Takes;

/// How deeply statements may nest.
pub const DEPTH: usize = 2000;

/// Index of a [`Node`] in its [`Tree`].
pub type NodeId = usize;

/// What a statement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statement {
    /// `{ … }`.
    Block(Role),
    /// `if (…) …` with its `else`.
    If,
    /// `else …`, a child of its `if`.
    Else,
    /// `for (…) …`.
    For,
    /// `while (…) …`.
    While,
    /// `do … while (…);`.
    Do,
    /// `switch (…) …`.
    Switch,
    /// A macro that takes a statement: `FOREACH(x) …`; whether its name looks
    /// like that of a loop.
    Macro(bool),
    /// `name:`; where a statement is wanted it holds the statement.
    Label,
    /// `case …:`.
    Case,
    /// `default:`.
    Default,
    /// `return …;`.
    Return,
    /// `break;`.
    Break,
    /// `continue;`.
    Continue,
    /// `goto name;`.
    Goto,
    /// `goto *…;`.
    ComputedGoto,
    /// A pragma together with the statement it takes.
    Pragma(Takes),
    /// A declaration, an expression, a macro.
    Simple,
}

/// What a block is the body of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The function itself.
    Function,
    /// A function within the function.
    Nested,
    /// `({ … })`.
    Expression,
    /// Any other.
    Plain,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub statement: Statement,
    /// The statement that holds it; `None` for the function's block.
    pub parent: Option<NodeId>,
    /// Index of its first token in the variant.
    pub first: usize,
    /// Index behind its last token; behind the `:` for a label in a block.
    pub end: usize,
    /// Whether it stands where exactly one statement is wanted, rather than in
    /// the list of a block.
    pub sub: bool,
    /// Index of the token of the label's or the `goto`'s name.
    pub name: Option<usize>,
}

/// Where a marker stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// Between the statements of this block.
    List {
        /// The block.
        block: NodeId,
        /// The call without `;` that stands right before it, if one does: the
        /// macro may want the next statement as its own.
        after_call: Option<NodeId>,
    },
    /// Before the one statement that `owner` wants.
    Sub {
        /// Who wants it.
        owner: NodeId,
        /// The statement, if there is one.
        statement: Option<NodeId>,
    },
    /// Behind the statement of an `if` that goes on with `else`.
    BeforeElse,
    /// Behind the statement of a `do` that goes on with `while`.
    BeforeWhile,
    /// Within a statement; with the token of the name before the open
    /// parenthesis, if it stands among something's arguments.
    Inside {
        /// Index of that token.
        call: Option<usize>,
    },
}

/// A marker and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Index of the marker's token.
    pub token: usize,
    /// Where it stands.
    pub spot: Spot,
}

/// The statements of one function.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The statements; 0 is the function's block, parents before children.
    pub nodes: Vec<Node>,
    /// The markers in order.
    pub slots: Vec<Slot>,
    /// Indices of the tokens of labels whose address is taken: `&&name`.
    pub addresses: Vec<usize>,
    /// Whether the function nests too deeply, and was read only in part.
    pub too_deep: bool,
}

impl Tree {
    /// Parses the body of `function`.
    pub fn parse(variant: &Variant<'_>, function: &Function) -> Tree {
        parse::Parser::new(variant, function).run()
    }

    /// The statements that hold `node`, from the inside outwards, itself not
    /// included.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.nodes[node].parent, |&node| self.nodes[node].parent)
    }

    /// Whether `node` is the block that is the body of a `switch`.
    pub fn is_switch_body(&self, node: NodeId) -> bool {
        self.nodes[node].sub
            && self.nodes[node]
                .parent
                .is_some_and(|parent| self.nodes[parent].statement == Statement::Switch)
    }

    /// The loop or `switch` that a `break` at `node` leaves (or, for
    /// `continue`, the loop it goes on with).
    pub fn target(&self, node: NodeId) -> Option<NodeId> {
        let goes_on = self.nodes[node].statement == Statement::Continue;
        self.ancestors(node).find(|&at| match self.nodes[at].statement {
            Statement::For | Statement::While | Statement::Do | Statement::Macro(true) => true,
            Statement::Switch => !goes_on,
            _ => false,
        })
    }
}

#[cfg(test)]
mod tests;
