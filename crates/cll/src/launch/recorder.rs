//! The trace file while a program runs.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use cll_trace::layout::{BlockHeader, meta_block};
use cll_trace::meta::{Meta, Run};

use crate::failure::Failure;
use crate::files;

/// A trace that grows block by block. A block that cannot be written is lost as
/// a whole; those before it stay whole, and the next is tried again.
#[derive(Debug)]
pub struct Recorder {
    file: File,
    path: PathBuf,
    number: u32,
    length: u64,
    lost: Option<Lost>,
}

/// What could not be written.
#[derive(Debug)]
pub struct Lost {
    /// Number of blocks.
    pub blocks: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Why the first could not.
    pub error: io::Error,
}

impl Recorder {
    /// A new file `NAME.cll.RUN.KIND` in a folder, with the first number that is free.
    pub fn new(folder: &Path, name: &str, kind: &str) -> Result<Recorder, Failure> {
        let (file, path, number) = files::numbered(folder, &format!("{name}.cll"), kind)?;
        Ok(Recorder { file, path, number, length: 0, lost: None })
    }

    /// The file with this number, in place of one that an earlier try has left.
    pub fn numbered(
        folder: &Path,
        name: &str,
        kind: &str,
        number: u32,
    ) -> Result<Recorder, Failure> {
        let path = files::in_folder(folder, &format!("{name}.cll.{number}.{kind}"));
        let file = File::options().read(true).write(true).create(true).truncate(true).open(&path);
        let file = file.map_err(|error| Failure::file("write", &path, &error))?;
        Ok(Recorder { file, path, number, length: 0, lost: None })
    }

    /// Number of the run.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a block.
    pub fn append(&mut self, block: &[u8]) {
        match self.file.write_all_at(block, self.length) {
            Ok(()) => self.length += block.len() as u64,
            Err(error) => {
                // A part of a block would only be damage.
                let _ = self.file.set_len(self.length);
                let lost = self.lost.get_or_insert(Lost { blocks: 0, bytes: 0, error });
                lost.blocks += 1;
                lost.bytes += block.len() as u64;
            }
        }
    }

    /// Whether something could not be written so far.
    pub fn has_lost(&self) -> bool {
        self.lost.is_some()
    }

    /// Ends the trace with what was seen of the run. A program that recorded
    /// nothing leaves no file.
    pub fn finish(mut self, run: Run) -> (Option<PathBuf>, Option<Lost>) {
        if self.length == 0 {
            // An empty file in the way is better than an error about it.
            let _ = std::fs::remove_file(&self.path);
            return (None, self.lost);
        }
        let block = meta_block(&[Meta::Run(run)], BlockHeader::default());
        self.append(&block);
        (Some(self.path), self.lost)
    }
}
