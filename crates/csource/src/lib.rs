//! C source text before preprocessing.
//!
//! [`lex`] divides a file's bytes into tokens without losing one; [`File`] finds the directives,
//! the conditional groups and the functions; [`Tree`] gives the statements of one function and the
//! positions of its marked pragmas. Nothing here requires valid C, a known encoding, or the text of
//! included files: the meaning of macros is guessed from their form.

#![forbid(unsafe_code)]

pub mod conditional;
pub mod directive;
pub mod file;
pub mod lex;
pub mod pragma;
pub mod tree;

pub use file::{File, Function, Variant};
pub use lex::{Lexer, Token, TokenKind, spelling};
pub use tree::Tree;
