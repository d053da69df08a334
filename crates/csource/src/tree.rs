//! The statements of one function, and the positions of its markers.
//!
//! The parser uses its own stack, so that nesting needs no stack of the program; a function nested
//! deeper than [`DEPTH`] is not read further ([`Tree::too_deep`]). It never fails: anything unknown
//! is a simple statement.

mod parse;

use crate::file::{Function, Variant};
use crate::pragma::AppliesTo;

/// Largest depth of nested statements.
pub const DEPTH: usize = 2000;

/// Index of a [`StatementNode`] in its [`Tree`].
pub type NodeId = usize;

/// The kind of a statement.
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
    /// A macro followed by a statement: `FOREACH(x) …`; true if its name looks like that of a loop.
    Macro(bool),
    /// `name:`; where a single statement is required it contains that statement.
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
    /// A pragma together with the statement that it applies to.
    Pragma(AppliesTo),
    /// A declaration, an expression, a macro.
    Simple,
}

/// The code whose body a block is.
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
pub struct StatementNode {
    /// The kind of the statement.
    pub statement: Statement,
    /// The statement that contains it; `None` for the function's block.
    pub parent: Option<NodeId>,
    /// Index of its first token in the variant.
    pub first: usize,
    /// Index after its last token; after the `:` for a label in a block.
    pub end: usize,
    /// Whether it is at a position for exactly one statement, not in the list of a block.
    pub sub: bool,
    /// Index of the token of the label's or the `goto`'s name.
    pub name: Option<usize>,
}

/// The position of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkerPosition {
    /// Between the statements of this block.
    List {
        /// The block.
        block: NodeId,
        /// The call without `;` directly before it, if there is one: the macro may need the next
        /// statement.
        after_call: Option<NodeId>,
    },
    /// Before the single statement that `owner` requires.
    Sub {
        /// The statement that requires it.
        owner: NodeId,
        /// The statement, if there is one.
        statement: Option<NodeId>,
    },
    /// After the statement of an `if` that has an `else`.
    BeforeElse,
    /// After the statement of a `do`, before its `while`.
    BeforeWhile,
    /// Inside a statement; with the token of the name before the open parenthesis, if it is among
    /// arguments.
    Inside {
        /// Index of that token.
        call: Option<usize>,
    },
}

/// A marker and its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Index of the marker's token.
    pub token: usize,
    /// The position of the marker.
    pub spot: MarkerPosition,
}

/// The statements of one function.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The statements; 0 is the function's block, parents before children.
    pub nodes: Vec<StatementNode>,
    /// The markers in order.
    pub slots: Vec<Slot>,
    /// Indices of the tokens of labels whose address is taken: `&&name`.
    pub addresses: Vec<usize>,
    /// Whether the function nests too deeply and was read only in part.
    pub too_deep: bool,
}

impl Tree {
    /// Parses the body of `function`.
    pub fn parse(variant: &Variant<'_>, function: &Function) -> Tree {
        parse::Parser::new(variant, function).run()
    }

    /// The statements that contain `node`, from the inside outwards, without itself.
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

    /// The loop or `switch` that a `break` at `node` leaves (for `continue`, the loop it
    /// continues).
    pub fn target(&self, node: NodeId) -> Option<NodeId> {
        let goes_on = self.nodes[node].statement == Statement::Continue;
        self.ancestors(node).find(|&ancestor| match self.nodes[ancestor].statement {
            Statement::For | Statement::While | Statement::Do | Statement::Macro(true) => true,
            Statement::Switch => !goes_on,
            _ => false,
        })
    }
}

#[cfg(test)]
mod tests;
