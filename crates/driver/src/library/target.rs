//! The library in Cargo's target folder, for a program that is being developed: it is built when it is first needed,
//! and again when its sources have changed.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use cll_archive::Libcll;

use super::File;
use crate::Error;

/// The folder with the files.
pub fn folder() -> Result<PathBuf, Error> {
    let folder = Path::new(env!("CLL_LIBRARY_FOLDER"));
    let built = cll_archive::build(folder, env!("CLL_LIBRARY_TARGET")).map_err(|error| {
        Error::LibraryNotBuilt { folder: folder.to_path_buf(), why: error.to_string() }
    })?;
    Ok(built.folder)
}

/// The files, by name.
pub fn files() -> Result<Vec<File>, Error> {
    let folder = folder()?;
    let read = |name: &'static str| {
        let path = folder.join(name);
        let bytes =
            fs::read(&path).map_err(|error| cll_files::Error::refused("read", &path, error))?;
        Ok((name, Cow::Owned(bytes)))
    };
    Libcll::names().map(read).collect()
}
