//! The translator on valid programs, on invalid text, and on text that is not C.

mod code;
mod documented;
mod fuzz;
mod messages;
mod properties;
mod run;
mod small;
