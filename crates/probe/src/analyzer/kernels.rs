//! The probes of memory and operations, compiled like a user's programs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::Error;
use cll_driver::{Driver, Listener, cc};
use cll_files as files;

/// A probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kernel {
    /// Latency of memory.
    Memory,
    /// Bandwidth of memory, and latency under load.
    Bandwidth,
    /// Operations, and the start of a process.
    Operations,
}

impl Kernel {
    /// The name of its program.
    pub fn name(self) -> &'static str {
        match self {
            Kernel::Memory => "memory",
            Kernel::Bandwidth => "bandwidth",
            Kernel::Operations => "operations",
        }
    }
}

/// The sources, by name.
const SOURCES: [(&str, &str); 4] = [
    ("analyzer.h", include_str!("../../../../probes/analyzer.h")),
    ("memory.c", include_str!("../../../../probes/memory.c")),
    ("bandwidth.c", include_str!("../../../../probes/bandwidth.c")),
    ("operations.c", include_str!("../../../../probes/operations.c")),
];

/// A temporary folder with the probes, removed when the value is dropped.
#[derive(Debug)]
pub struct Kernels {
    folder: TempDir,
}

impl Kernels {
    /// Compiles these.
    ///
    /// # Errors
    /// If there is no compiler, or it fails.
    pub fn build(kernels: &[Kernel], listener: &mut dyn Listener) -> Result<Kernels, Error> {
        let all = Kernels { folder: files::temporary_folder()? };
        for (name, text) in SOURCES {
            files::write(&all.folder().join(name), text.as_bytes())?;
        }
        for kernel in kernels {
            let source = all.folder().join(format!("{}.c", kernel.name()));
            let mut words: Vec<OsString> = OPTIONS.iter().map(OsString::from).collect();
            words.extend([source.into(), "-o".into(), all.program(*kernel).into()]);
            words.extend(["-pthread", "-lm"].map(OsString::from));
            if cc::run(words, Driver::default(), listener)? != 0 {
                return Err(Error::ProbeNotCompiled);
            }
        }
        Ok(all)
    }

    /// The program of a probe.
    pub fn program(&self, kernel: Kernel) -> PathBuf {
        self.folder().join(kernel.name())
    }

    /// Folder for the files of launches.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// With the instructions of this processor, where all compilers have the same word for that.
pub const OPTIONS: &[&str] =
    if cfg!(target_arch = "x86_64") { &["-O2", "-march=native"] } else { &["-O2"] };
