//! Values to text tables, terminal plots and SVG.
#![forbid(unsafe_code)]

mod notation;
mod style;
mod text;

pub use notation::{Notation, clock_words};
pub use style::Style;
pub use text::{Align, Cell, Column, Table, escape};
