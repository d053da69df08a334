//! The syntax of the language: statements as values, with their places.

pub mod ast;
mod words;

pub use words::{ClauseWord, Verb};
