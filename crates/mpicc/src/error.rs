use std::fmt;
use std::io;
use std::path::Path;

/// Why there is no MPI: what is wrong, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoMpi {
    /// The error.
    pub what: String,
    /// The advice for the user.
    pub help: String,
}

impl NoMpi {
    /// With these texts.
    pub fn new(what: impl fmt::Display, help: impl fmt::Display) -> NoMpi {
        NoMpi { what: what.to_string(), help: help.to_string() }
    }

    pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> NoMpi {
        NoMpi::new(
            format_args!("cannot write {}: {error}", path.display()),
            "XDG_CACHE_HOME names a folder that this user can write to",
        )
    }
}
