//! Defines what a measurement needs of the world: compilers, launches, a clock, and somebody who listens.

use std::path::{Path, PathBuf};

use cll_contract::Setting;
use cll_driver::Listener;
use cll_driver::compiler::Compiler;
use cll_files::{Failure, Notices};
use cll_launch::Launcher;
use cll_translate::Model;

use crate::build::{self, Built, Sources};
use crate::folder::Folder;
use crate::plain;
use crate::sample::View;
use crate::settings::Settings;

/// The world around a measurement.
pub struct World<'a> {
    /// Makes programs.
    pub toolchain: &'a dyn Toolchain,
    /// A launcher, made when the first program is to be run.
    pub launcher: &'a dyn Fn() -> Result<Box<dyn Launcher + 'a>, Failure>,
    /// The environment of virtual processors for a program, with the largest number of them; `None`: they are real.
    pub virtual_processors: &'a dyn Fn(Model, Option<u32>) -> Result<Option<Vec<Setting>>, Failure>,
    /// Shows how far sampling is.
    pub view: &'a mut dyn View,
    /// Hears diagnostics of sources, warnings and notes.
    pub listener: &'a dyn Listener,
    /// Hears what became of an earlier call.
    pub progress: &'a dyn Notices,
    /// The time as in a model file: `2026-01-31T12:00:00Z`.
    pub now: &'a dyn Fn() -> String,
}

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
    ) -> Result<(Sources, Compiler), Failure>;

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
    ) -> Result<Built, Failure>;

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
    ) -> Result<PathBuf, String>;

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
    ) -> Result<(PathBuf, PathBuf), String>;
}

/// The compilers of this computer.
#[derive(Clone, Copy, Debug)]
pub struct Compilers;

impl Toolchain for Compilers {
    fn translate(
        &self,
        settings: &Settings<'_>,
        listener: &dyn Listener,
    ) -> Result<(Sources, Compiler), Failure> {
        build::translate(settings, listener)
    }

    fn compile(
        &self,
        settings: &Settings<'_>,
        compiler: &Compiler,
        sources: &Sources,
        folder: &Folder,
    ) -> Result<Built, Failure> {
        build::compile(settings, compiler, sources, folder)
    }

    fn plain(
        &self,
        settings: &Settings<'_>,
        compiler: &Compiler,
        sources: &Sources,
        folder: &Folder,
    ) -> Result<PathBuf, String> {
        plain::plain(settings, compiler, sources, folder)
    }

    fn empty(
        &self,
        settings: &Settings<'_>,
        compiler: &Compiler,
        sources: &Sources,
        place: &Path,
    ) -> Result<(PathBuf, PathBuf), String> {
        plain::empty(settings, compiler, sources, place)
    }
}
