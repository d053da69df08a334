//! The library that a release carries.

use std::borrow::Cow;
use std::path::PathBuf;

use super::File;
use super::unpack::Places;
use crate::Error;

/// The files, by name.
const FILES: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/embedded_files.rs"));

/// Identifies the content: two versions never share a folder.
const NAME: &str = concat!(env!("CARGO_PKG_VERSION"), "-", env!("CLL_LIBRARY_HASH"));

/// A folder with the files: in the user's cache, or if that cannot be written, among temporary files.
pub fn folder() -> Result<PathBuf, Error> {
    Places::of_user().unpack(NAME, FILES)
}

/// The files, by name.
pub fn files() -> Result<Vec<File>, Error> {
    Ok(FILES.iter().map(|&(name, bytes)| (name, Cow::Borrowed(bytes))).collect())
}
