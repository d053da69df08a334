//! Merges the traces of the processes of a launch into one, block after block, so rounds, plans and campaigns need not
//! know of ranks.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use cll_trace::live;

use super::recorder::Recorder;
use crate::{Error, files};

/// Bytes that are read and written at a time: traces are never in memory as a whole.
const COPY_BYTES: usize = 1 << 20;

/// A folder for the processes' files, removed when the value is dropped.
#[derive(Debug)]
pub struct Gathering(tempfile::TempDir);

impl Gathering {
    /// In the folder of the trace, so that processes on other hosts find it, too.
    pub fn new(folder: &Path) -> Result<Gathering, Error> {
        let failure = |error| files::Error::refused("make a folder in", folder, error);
        let folder = folder.canonicalize().map_err(failure)?;
        let directory = tempfile::Builder::new().prefix(live::RANKS).tempdir_in(&folder);
        Ok(Gathering(directory.map_err(failure)?))
    }

    /// The folder for the processes.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Appends all files; each consists of complete blocks. If something could not be written, the files are kept,
    /// and their folder is returned.
    pub fn gather(self, recorder: &mut Recorder) -> Result<Option<PathBuf>, Error> {
        let before = recorder.has_lost().is_some();
        Gathering::append_folder(self.path(), recorder)?;
        Ok((!before && recorder.has_lost().is_some()).then(|| self.0.keep()))
    }

    /// The same for a folder made by others.
    pub fn append_folder(folder: &Path, recorder: &mut Recorder) -> Result<(), Error> {
        let entries =
            fs::read_dir(folder).map_err(|error| files::Error::unreadable(folder, error))?;
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.sort();
        let mut piece = vec![0; COPY_BYTES];
        for path in files {
            let failure = |error| files::Error::unreadable(&path, error);
            let mut file = File::open(&path).map_err(failure)?;
            loop {
                let count = fill(&mut file, &mut piece).map_err(failure)?;
                recorder.append(&piece[..count]);
                // Data after a missing piece could not be distinguished from damage.
                if count < COPY_BYTES || recorder.has_lost().is_some() {
                    break;
                }
            }
        }
        Ok(())
    }
}

fn fill(file: &mut File, piece: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < piece.len() {
        match file.read(&mut piece[filled..])? {
            0 => break,
            count => filled += count,
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_become_one_in_the_order_of_their_names_and_are_gone() {
        let place = tempfile::tempdir().unwrap();
        let gathering = Gathering::new(place.path()).unwrap();
        let folder = gathering.path().to_path_buf();
        assert!(folder.is_absolute());
        let long = vec![7; COPY_BYTES + 3];
        fs::write(folder.join("b"), &long).unwrap();
        fs::write(folder.join("a"), [1, 2]).unwrap();
        let mut recorder = Recorder::new(place.path(), "x", "dat").unwrap();
        assert_eq!(gathering.gather(&mut recorder).unwrap(), None);
        let bytes = fs::read(recorder.path()).unwrap();
        assert_eq!((bytes.len(), &bytes[..3]), (long.len() + 2, &[1, 2, 7][..]));
        assert!(!folder.exists());
    }
}
