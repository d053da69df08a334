//! Text for terminals: foreign text made harmless, measured in columns, wrapped and put in tables.

mod table;
mod tree;
mod wrap;

pub use cll_diagnostic::escape;
pub use table::{Align, Cell, Column, Table};
pub(crate) use tree::{Label, TreeTable};
pub(crate) use wrap::{bound, pad};
pub use wrap::{columns, truncate, wrap};
