//! The making of programs, as a value that a measurement is given.

use std::path::{Path, PathBuf};

use crate::Error;
use cll_driver::Listener;
use cll_driver::compiler::Compiler;
use cll_translate::Automatic;

use crate::build::{self, Built, Sources};
use crate::folder::Folder;
use crate::plain;
use crate::settings::Settings;

/// Makes programs of sources.
pub trait Toolchain {
    /// Reads and translates all files; also returns the compiler for them.
    ///
    /// # Errors
    /// If a file cannot be read or has errors, or if there is no experiment.
    fn translate(
        &self,
        settings: &Settings<'_>,
        listener: &dyn Listener,
    ) -> Result<(Sources, Compiler), Error>;

    /// Translates all files again, with another choice of experiments for functions and loops.
    ///
    /// # Errors
    /// If a file cannot be read.
    fn translate_again(
        &self,
        settings: &Settings<'_>,
        compiler: &Compiler,
        choice: &Automatic,
    ) -> Result<Sources, Error>;

    /// Compiles and links the instrumented program.
    ///
    /// # Errors
    /// If it does not compile.
    fn compile(
        &self,
        settings: &Settings<'_>,
        compiler: &Compiler,
        sources: &Sources,
        folder: &Folder,
    ) -> Result<Built, Error>;

    /// The program of the same sources without markers.
    ///
    /// # Errors
    /// If there is no equivalent one; the text says why.
    fn plain(
        &self,
        settings: &Settings<'_>,
        compiler: &Compiler,
        sources: &Sources,
        folder: &Folder,
    ) -> Result<PathBuf, Error>;

    /// A program with one empty region, and the same without it.
    ///
    /// # Errors
    /// If it cannot be built; the text says why.
    fn empty(
        &self,
        settings: &Settings<'_>,
        compiler: &Compiler,
        sources: &Sources,
        place: &Path,
    ) -> Result<(PathBuf, PathBuf), Error>;

    /// A program of a text of ours, with markers.
    ///
    /// # Errors
    /// If it cannot be built; the text says why.
    fn marked(
        &self,
        settings: &Settings<'_>,
        compiler: &Compiler,
        sources: &Sources,
        place: &Path,
        text: (&str, &str),
    ) -> Result<PathBuf, Error>;
}

/// The compilers of this computer.
#[derive(Clone, Copy, Debug)]
pub struct Compilers;

impl Toolchain for Compilers {
    fn translate(
        &self,
        settings: &Settings<'_>,
        listener: &dyn Listener,
    ) -> Result<(Sources, Compiler), Error> {
        build::translate(settings, listener)
    }

    fn translate_again(
        &self,
        settings: &Settings<'_>,
        compiler: &Compiler,
        choice: &Automatic,
    ) -> Result<Sources, Error> {
        build::translated(settings, compiler, Some(choice))
    }

    fn compile(
        &self,
        settings: &Settings<'_>,
        compiler: &Compiler,
        sources: &Sources,
        folder: &Folder,
    ) -> Result<Built, Error> {
        build::compile(settings, compiler, sources, folder)
    }

    fn plain(
        &self,
        settings: &Settings<'_>,
        compiler: &Compiler,
        sources: &Sources,
        folder: &Folder,
    ) -> Result<PathBuf, Error> {
        plain::plain(settings, compiler, sources, folder)
    }

    fn empty(
        &self,
        settings: &Settings<'_>,
        compiler: &Compiler,
        sources: &Sources,
        place: &Path,
    ) -> Result<(PathBuf, PathBuf), Error> {
        plain::empty(settings, compiler, sources, place)
    }

    fn marked(
        &self,
        settings: &Settings<'_>,
        compiler: &Compiler,
        sources: &Sources,
        place: &Path,
        text: (&str, &str),
    ) -> Result<PathBuf, Error> {
        plain::marked(settings, compiler, sources, place, text)
    }
}
