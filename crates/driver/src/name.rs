//! Names by which the driver is called.

use std::ffi::OsStr;

use crate::compiler::CompilerKind;

/// A compiler driver: the settings of `cll cc` for the name of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Driver {
    /// The compiler that it calls.
    pub kind: CompilerKind,
    /// Whether options of other BSPlibs' drivers are accepted.
    pub for_bsp: bool,
}

impl Driver {
    /// The driver of this name.
    pub fn named(name: &OsStr) -> Option<Driver> {
        let (kind, for_bsp) = match name.to_str()? {
            "cllcc" => (CompilerKind::C, false),
            "cllc++" => (CompilerKind::Cxx, false),
            "cllmpicc" => (CompilerKind::MpiC, false),
            "cllmpicxx" => (CompilerKind::MpiCxx, false),
            "bspcc" => (CompilerKind::C, true),
            "bspcxx" => (CompilerKind::Cxx, true),
            _ => return None,
        };
        Some(Driver { kind, for_bsp })
    }
}
