//! Defines what a measurement needs of the world: compilers, launches, a clock, and somebody who listens.

use crate::Error;
use cll_contract::Setting;
use cll_driver::Listener;
use cll_files::Notices;
use cll_launch::Launcher;
use cll_translate::Model;

use crate::sample::View;
use crate::toolchain::Toolchain;

/// The world around a measurement.
pub struct World<'a> {
    /// Makes programs.
    pub toolchain: &'a dyn Toolchain,
    /// A launcher, made when the first program is to be run.
    pub launcher: &'a dyn Fn() -> Result<Box<dyn Launcher + 'a>, Error>,
    /// The environment of virtual processors for a program, with the largest number of them; `None`: they are real.
    pub virtual_processors: &'a dyn Fn(Model, Option<u32>) -> Result<Option<Vec<Setting>>, Error>,
    /// Shows how far sampling is.
    pub view: &'a mut dyn View,
    /// Hears diagnostics of sources, warnings and notes.
    pub listener: &'a dyn Listener,
    /// Hears what became of an earlier call.
    pub progress: &'a dyn Notices,
    /// The time as in a model file: `2026-01-31T12:00:00Z`.
    pub now: &'a dyn Fn() -> String,
}
