//! The compiler driver: it calls the user's compiler, translates annotated C first, and links the library.
//!
//! [`cc`] is the driver, [`compiler`] the user's compiler and a translated source, [`library`] finds the library,
//! which the build script makes and this crate contains.

#![forbid(unsafe_code)]

pub mod cc;
pub mod compiler;
mod error;
mod left_out;
pub mod library;
mod name;

use std::io;

use cll_diagnostic::Diagnostic;
use cll_files::{self as files, Notices};

pub use error::Error;
pub use left_out::left_out;
pub use name::Driver;

/// Receives the messages of a compilation.
pub trait Listener: Notices {
    /// Diagnostics of a text with this name.
    fn diagnose(&self, name: &str, text: &[u8], diagnostics: &[Diagnostic]);

    /// Text for standard output.
    ///
    /// # Errors
    /// If it cannot be written.
    fn print(&mut self, text: &[u8]) -> io::Result<()>;
}
