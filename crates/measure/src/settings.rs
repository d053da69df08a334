//! Holds the settings that the user asks for.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use cll_counters::{Error, Observing, Wanted};
use cll_translate::Automatic;

/// The program, and how it is built and run.
#[derive(Debug)]
pub struct Settings<'a> {
    /// The C files.
    pub files: Vec<PathBuf>,
    /// The compiler's options.
    pub flags: Vec<OsString>,
    /// Libraries and options of the linker, after the files.
    pub libraries: Vec<OsString>,
    /// Which experiments are made besides those of pragmas; `None`: none.
    pub automatic: Option<Automatic>,
    /// The names of the varied arguments.
    pub vary: Vec<String>,
    /// The program's arguments, with placeholders.
    pub arguments: &'a [String],
    /// The numbers of processors; `None`: as the program says.
    pub processors: Option<&'a [u32]>,
    /// Whether its processors are virtual.
    pub is_virtual: bool,
    /// Whether more processors than cores are measured.
    pub oversubscribe: bool,
    /// Whether the program is bound to processors.
    pub pin: bool,
    /// The time limit of a launch.
    pub timeout: Duration,
    /// The observables that are recorded besides the time.
    pub wanted: Wanted<'a>,
    /// The observable that is fitted in place of the time.
    pub fitted: Option<&'a str>,
}

impl Settings<'_> {
    /// Determines the observables that are recorded in the measured runs.
    ///
    /// # Errors
    /// If a counter does not exist here.
    pub fn observing(&self) -> Result<Observing, Error> {
        Observing::from_options(&self.wanted, self.fitted)
    }
}

/// Records nothing besides the time.
pub(crate) fn observing_nothing() -> Result<Observing, Error> {
    Observing::from_options(&Wanted { counters: &[], simulate_caches: None }, None)
}
