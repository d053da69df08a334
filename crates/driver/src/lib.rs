//! The compiler driver: it stands before the user's compiler, translates annotated C on the way, and links the library
//! in.
//!
//! [`cc`] is the driver itself, [`compiler`] the user's compiler and a translated source, [`library`] where the library
//! is: this crate carries it, made by its build script.

#![forbid(unsafe_code)]

pub mod cc;
pub mod compiler;
pub mod library;
mod name;

use cll_diagnostic::Diagnostic;
use cll_files::failure::{self, Failure};
use cll_files::{self as files, Notices};

pub use name::Driver;

/// Receives what a compilation reports.
pub trait Listener: Notices {
    /// What is said of a text that is called so.
    fn diagnose(&self, name: &str, text: &[u8], diagnostics: &[Diagnostic]);

    /// What goes to standard output.
    ///
    /// # Errors
    /// If it cannot be written.
    fn print(&mut self, text: &[u8]) -> Result<(), Failure>;
}
