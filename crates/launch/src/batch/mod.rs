//! Batch systems: submits jobs, queries them, and reads the files of their tasks.

mod ask;
mod left;
mod starter;
mod submit;

pub use ask::{Inquiry, News, cancel};
pub use left::{Left, ended, left};
pub use starter::starter;
pub use submit::{Task, handed_in, submit};
