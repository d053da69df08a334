//! The folder in which translated sources are compiled.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::compiler::{CompileUnit, HERE};
use crate::files;

use super::preprocessed;

/// A temporary folder with one folder for each translated source. It is removed when the value is dropped.
#[derive(Debug)]
pub struct WorkFolder {
    root: PathBuf,
    sources: Vec<StagedFile>,
    is_made: bool,
}

/// A translated source and its path.
#[derive(Debug)]
struct StagedFile {
    folder: PathBuf,
    source: PathBuf,
    unit: CompileUnit,
}

impl WorkFolder {
    /// The folder for these sources; it is not created yet.
    ///
    /// The same text compiled in the same directory gets the same folder if it is free, so that caches of
    /// compilers find it.
    pub fn new() -> WorkFolder {
        WorkFolder { root: PathBuf::new(), sources: Vec::new(), is_made: false }
    }

    /// Chooses the path by a hash of everything that distinguishes this compilation.
    pub fn choose_root(&mut self, units: &[&CompileUnit]) {
        let mut hash = Fnv::default();
        let folder = std::env::current_dir().unwrap_or_default();
        hash.add(folder.as_os_str().as_encoded_bytes());
        for unit in units {
            hash.add(unit.name().as_bytes());
            hash.add(unit.code());
        }
        self.root = std::env::temp_dir().join(format!("cll-cc-{:016x}", hash.0));
    }

    /// Creates the folder; if the path is used already, another one.
    pub fn claim(&mut self) -> Result<(), Error> {
        match DirBuilder::new().mode(0o700).create(&self.root) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.root = files::temporary_folder()?.keep();
            }
            Err(source) => {
                return Err(Error::NoWorkFolder { path: self.root.clone(), source });
            }
        }
        self.is_made = true;
        Ok(())
    }

    /// Gives a source its folder; returns the path under which it is to be compiled.
    pub fn place(&mut self, unit: CompileUnit) -> PathBuf {
        let folder = self.root.join(self.sources.len().to_string());
        let name = unit.path.file_name().unwrap_or(unit.path.as_os_str());
        let source = folder.join(name);
        self.sources.push(StagedFile { folder, source: source.clone(), unit });
        source
    }

    /// A path for an object between two steps.
    pub fn object(&self, source: &Path) -> PathBuf {
        let mut path = source.as_os_str().to_owned();
        path.push(".o");
        PathBuf::from(path)
    }

    /// Writes sources and headers.
    pub fn write(&self) -> Result<(), Error> {
        for placed in &self.sources {
            files::make_folder(&placed.folder)?;
            files::write(&placed.source, placed.unit.code())?;
            if let Some(header) = &placed.unit.translation.header {
                files::write(&placed.folder.join(&placed.unit.header), header.timed().as_bytes())?;
            }
        }
        Ok(())
    }

    /// Whether the folder is needed.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// The user's file for a path in this folder; `Some(None)` for generated files.
    pub fn original(&self, path: &Path) -> Option<Option<&Path>> {
        let known = self.sources.iter().find(|placed| placed.source == path);
        match known {
            Some(placed) => Some(Some(&placed.unit.path)),
            None => path.starts_with(&self.root).then_some(None),
        }
    }

    /// Preprocessed text with the user's names in its line markers.
    pub fn own_names(&self, text: &[u8]) -> Vec<u8> {
        let bytes = |path: &Path| path.as_os_str().as_encoded_bytes().to_vec();
        let names: Vec<(Vec<u8>, Vec<u8>)> = self
            .sources
            .iter()
            .flat_map(|placed| {
                let header = bytes(&placed.folder.join(&placed.unit.header));
                [
                    (bytes(&placed.source), placed.unit.name().into_bytes()),
                    (header, placed.unit.header.clone().into_bytes()),
                ]
            })
            .collect();
        preprocessed::rename(text, &names, HERE.as_bytes())
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        if self.is_made {
            // A folder that cannot be removed is among temporary files.
            let _ = std::fs::remove_dir_all(&self.root);
        }
    }
}

/// The 64-bit hash of Fowler, Noll and Vo: equal in every run.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        // The length first, so that different divisions give different hashes.
        for byte in bytes.len().to_le_bytes().iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
