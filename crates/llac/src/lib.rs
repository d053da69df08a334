//! llac, the language of the analyzer: an interpreter in which one works with samples, models, machines and logs
//! (González et al., 2003, section 4).
//!
//! `syntax::parse` reads statements; a [`Session`] evaluates them. What a statement gives is a value; the program
//! prints it. The grammar is `docs/llac.md`.
//!
//! Nothing here opens files or prints: what a statement needs from outside it gets from a [`Host`].
#![forbid(unsafe_code)]

pub mod completion;
pub mod help;
mod host;
mod log;
mod session;
pub mod syntax;
pub mod value;

pub use host::{Host, Refusal};
pub use log::{Log, Own, open_text, own};
pub use session::{Answer, Session};
