//! Where a call stands in the user's program.

use std::ffi::{CStr, c_char};

/// File and line of a call.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    file: *const c_char,
    line: u32,
}

impl Place {
    /// Not known.
    pub const NOWHERE: Place = Place { file: std::ptr::null(), line: 0 };

    /// Of a call in C.
    ///
    /// # Safety
    /// `file` is null, or a string literal of the program.
    pub const unsafe fn new(file: *const c_char, line: u32) -> Place {
        Place { file, line }
    }

    /// The file's name, if it is known.
    pub fn file(&self) -> Option<&CStr> {
        // SAFETY: as `new` was promised.
        (!self.file.is_null()).then(|| unsafe { CStr::from_ptr(self.file) })
    }

    /// The line, from 1; 0 if it is not known.
    pub fn line(&self) -> u32 {
        self.line
    }

    pub(crate) fn is_in_the_file_of(&self, other: &Place) -> bool {
        std::ptr::eq(self.file, other.file)
    }
}

impl std::fmt::Display for Place {
    /// `FILE:LINE`, or nothing.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.file() {
            Some(file) => write!(f, "{}:{}", file.to_string_lossy(), self.line),
            None => Ok(()),
        }
    }
}
