//! From text to a tree with positions; reports everything that C has and formulas do not.

mod distance;
mod lexer;
mod names;
mod number;
mod operators;
mod parser;
mod report;
mod spelling;
mod tree;

pub(crate) use distance::close;

pub(crate) use parser::{Syntax, read, variables};
pub(crate) use report::Report;
pub(crate) use spelling::{Purity, normalised, purity};
pub(crate) use tree::{Ast, SyntaxNode};

/// Maximum number of terms, and of variables, in a formula.
pub(crate) const MAX_VARIABLES: usize = 64;
