//! C as it is written, before any preprocessing.
//!
//! [`lex`] cuts a file's bytes into tokens without losing one; [`File`] finds
//! the directives, the conditional groups and the functions; [`Tree`] gives
//! the statements of one function and where its marked pragmas stand.
//! Nothing here asks for valid C, for a known encoding, or for the text of
//! included files: macros are taken for what they look like.

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
