//! The lexer and the trees on any bytes.

mod fuzz;
