//! A variable with its type.

use std::ffi::{CStr, OsString};
use std::marker::PhantomData;

use crate::kind::ValueKind;

/// A name and a value for the environment of a program.
pub type Setting = (&'static str, OsString);

/// The subject of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// The recording of a program.
    Measured,
    /// The processors of BSP programs.
    Bsp,
    /// Virtual processors.
    Virtual,
    /// `cll` itself.
    Program,
    /// Set by `cll` and the library for each other.
    Internal,
}

/// The documentation of a variable in Markdown, for `docs/environment.md`.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The name.
    pub name: &'static CStr,
    /// The subject.
    pub section: Section,
    /// The values and their meaning.
    pub meaning: &'static str,
    /// The effect if it is not set; empty: none worth mentioning.
    pub otherwise: &'static str,
    /// The option that sets the variable; empty: only the user sets it.
    pub option: &'static str,
}

/// A variable whose values are of a [`ValueKind`].
#[derive(Debug)]
pub struct Variable<K> {
    about: About,
    kind: PhantomData<K>,
}

/// An invalid value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongValue<'a>(pub &'a [u8]);

impl<K: ValueKind> Variable<K> {
    pub(crate) const fn new(about: About) -> Variable<K> {
        Variable { about, kind: PhantomData }
    }

    /// Returns the documentation.
    pub const fn about(&self) -> &About {
        &self.about
    }

    /// Returns the name.
    pub const fn name(&self) -> &'static str {
        match self.about.name.to_str() {
            Ok(name) => name,
            Err(_) => panic!("names are ASCII"),
        }
    }

    /// Returns the name for C.
    pub const fn c_name(&self) -> &'static CStr {
        self.about.name
    }

    /// Reads the value from the text that the environment has; `None` if the variable is not set or, for most kinds,
    /// empty.
    ///
    /// # Errors
    /// The text, if it is not a valid value of this variable.
    pub fn read<'a>(&self, text: Option<&'a [u8]>) -> Result<Option<K::Value<'a>>, WrongValue<'a>> {
        match text {
            None => Ok(None),
            Some(b"") if K::EMPTY_IS_NOT_SET => Ok(None),
            Some(text) => K::decode(text).map(Some).ok_or(WrongValue(text)),
        }
    }

    /// The same; an invalid value counts as not set.
    pub fn read_or_none<'a>(&self, text: Option<&'a [u8]>) -> Option<K::Value<'a>> {
        self.read(text).ok().flatten()
    }

    /// The variable with a value, for a program's environment.
    pub fn set(&self, value: K::Value<'_>) -> Setting {
        (self.name(), K::encode(value))
    }
}
