//! From text to a tree with places, and everything that C has and formulas have not.

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
pub(crate) use lexer::is_name;

pub(crate) use parser::{Syntax, read, variables};
pub(crate) use report::Report;
pub(crate) use spelling::{Purity, normalised, purity};
pub(crate) use tree::{Ast, Node};

/// The most terms, and the most variables, of a formula.
pub(crate) const MAX_VARIABLES: usize = 64;
