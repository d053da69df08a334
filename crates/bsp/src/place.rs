//! The place of a call in the user's program.

use std::borrow::Cow;
use std::ffi::{CStr, c_char};
use std::panic::Location;

/// File and line of a call.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    file: *const u8,
    /// The line, and above it the length of the file's name or [`ENDS_WITH_0`]: the struct is two words, which
    /// are passed in registers.
    line_and_length: u64,
}

const ENDS_WITH_0: u32 = u32::MAX;

impl Place {
    /// Not known.
    pub const NOWHERE: Place = Place::from_parts(std::ptr::null(), 0, 0);

    const fn from_parts(file: *const u8, length: u32, line: u32) -> Place {
        Place { file, line_and_length: (length as u64) << 32 | line as u64 }
    }

    /// The place of a call in C.
    ///
    /// # Safety
    /// `file` is null, or a string literal of the program.
    pub const unsafe fn new(file: *const c_char, line: u32) -> Place {
        Place::from_parts(file.cast(), ENDS_WITH_0, line)
    }

    /// The file's name, if it is known.
    pub fn file(&self) -> Option<Cow<'static, str>> {
        if self.file.is_null() {
            return None;
        }
        // SAFETY: the text exists as long as the program.
        let name: &'static [u8] = unsafe {
            match (self.line_and_length >> 32) as u32 {
                ENDS_WITH_0 => CStr::from_ptr(self.file.cast()).to_bytes(),
                length => std::slice::from_raw_parts(self.file, length as usize),
            }
        };
        Some(String::from_utf8_lossy(name))
    }

    /// The line, from 1; 0 if it is not known.
    pub fn line(&self) -> u32 {
        self.line_and_length as u32
    }

    /// Whether it is the same call in the program's text.
    #[inline]
    pub fn is_same(&self, other: &Place) -> bool {
        self.parts() == other.parts()
    }

    /// Identifies the place: no two calls in the program's text have the same value.
    #[inline]
    pub fn parts(&self) -> (usize, u64) {
        (self.file as usize, self.line_and_length)
    }

    pub(crate) fn is_in_the_file_of(&self, other: &Place) -> bool {
        std::ptr::eq(self.file, other.file)
    }
}

impl From<&'static Location<'static>> for Place {
    fn from(location: &'static Location<'static>) -> Place {
        let file = location.file();
        let length = file.len().min(ENDS_WITH_0 as usize - 1) as u32;
        Place::from_parts(file.as_ptr(), length, location.line())
    }
}

impl std::fmt::Display for Place {
    /// `FILE:LINE`, or nothing.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.file() {
            Some(file) => write!(f, "{file}:{}", self.line()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_written_as_compilers_do() {
        // SAFETY: a literal.
        let in_c = unsafe { Place::new(c"lu.c".as_ptr(), 41) };
        assert_eq!(in_c.to_string(), "lu.c:41");
        let (here, line) = (Place::from(Location::caller()), line!());
        assert_eq!(here.to_string(), format!("{}:{line}", file!()));
        assert_eq!(Place::NOWHERE.to_string(), "");
    }
}
