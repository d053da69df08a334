//! The shared libraries of a program.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::digest;
use crate::loaded;

/// Folders of the system's libraries. A package manager replaces them as a whole, so size and modification time
/// distinguish versions.
const SYSTEM: &[&str] = &[
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libx32",
    "/nix/store",
    "/gnu/store",
];

/// A shared library.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Library {
    /// The name in programs: `libm.so.6`.
    pub name: String,
    /// The path; empty if the library is missing.
    pub file: String,
    /// The SHA-256; for a library of the system its size in bytes and its modification time.
    pub known_by: String,
}

/// The libraries that the loader would load now.
pub fn loaded_by(program: &Path) -> Vec<Library> {
    let mut all: Vec<Library> = loaded(program)
        .into_iter()
        .map(|(name, path)| match path {
            None => Library { name, ..Library::default() },
            Some(path) => {
                let file = path.to_string_lossy().into_owned();
                Library { name, file, known_by: self::file(&path) }
            }
        })
        .collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

/// Returns what identifies a file: its content, or for a library of the system its size and modification time.
pub fn file(path: &Path) -> String {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    if SYSTEM.iter().any(|folder| real.starts_with(folder)) {
        fs::metadata(&real)
            .map(|metadata| {
                format!("{} {}.{:09}", metadata.len(), metadata.mtime(), metadata.mtime_nsec())
            })
            .unwrap_or_default()
    } else {
        digest(&real).unwrap_or_default()
    }
}

/// Which were added, removed or changed, as text.
pub fn differ(before: &[Library], now: &[Library]) -> Vec<String> {
    let find =
        |all: &[Library], name: &str| all.iter().find(|library| library.name == name).cloned();
    let mut all = Vec::new();
    for library in now {
        match find(before, &library.name) {
            None => all.push(format!("{} is loaded now", library.name)),
            Some(old) if old.known_by != library.known_by && old.file == library.file => {
                all.push(format!("the library {} has changed", library.file));
            }
            Some(old) if old != *library => {
                all.push(format!(
                    "{} was {}, and is {}",
                    library.name,
                    place(&old),
                    place(library)
                ));
            }
            Some(_) => {}
        }
    }
    let gone = before.iter().filter(|old| find(now, &old.name).is_none());
    all.extend(gone.map(|old| format!("{} is no longer loaded", old.name)));
    all
}

fn place(library: &Library) -> &str {
    if library.file.is_empty() { "missing" } else { &library.file }
}
