//! A file that is read in place.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use cll_supersteps::ReadAt;

/// A file.
pub struct Source {
    file: File,
    size: u64,
}

impl Source {
    /// Opens a file that does not grow any more.
    pub fn new(file: File) -> io::Result<Source> {
        let size = file.metadata()?.len();
        Ok(Source { file, size })
    }
}

impl ReadAt for Source {
    fn size(&self) -> io::Result<u64> {
        Ok(self.size)
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        let mut done = 0;
        while done < into.len() {
            match self.file.read_at(&mut into[done..], offset + done as u64) {
                Ok(0) => break,
                Ok(count) => done += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(done)
    }
}
