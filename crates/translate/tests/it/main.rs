//! The translator on programs, on text that is wrong, and on text that is not C.

mod code;
mod documented;
mod fuzz;
mod messages;
mod properties;
mod run;
