//! The trace file while a program runs.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use cll_trace::layout::{BlockHeader, meta_block};
use cll_trace::live::Owner;
use cll_trace::meta::{Meta, Run};

use super::recovery::made_ns;
use crate::Error;
use crate::files;
use cll_files::reason;

/// Bytes that are copied at a time.
const COPY_BYTES: usize = 1 << 20;
/// Bytes of the command line in the record for recovery.
const MAX_COMMAND_BYTES: usize = 1000;

/// A trace that grows block by block. A block that cannot be written is lost completely; those before it stay
/// complete, and writing is tried again with the next one.
#[derive(Debug)]
pub struct Recorder {
    file: File,
    path: PathBuf,
    number: u32,
    length: u64,
    lost: Option<Lost>,
}

/// Blocks that could not be written.
#[derive(Debug)]
pub struct Lost {
    /// Number of blocks.
    pub blocks: u64,
    /// Their bytes.
    pub bytes: u64,
    /// The first error.
    pub error: io::Error,
    /// Bytes of complete blocks that are in the trace.
    pub kept: u64,
}

impl Lost {
    /// How much could not be written, why, and how much is kept.
    pub fn text(&self) -> String {
        let Lost { blocks, bytes, error, kept } = self;
        let blocks = if *blocks == 1 { "1 block".to_owned() } else { format!("{blocks} blocks") };
        let kept = match kept {
            0 => "nothing is kept".to_owned(),
            kept => format!("the {kept} bytes that were written are complete blocks and are kept"),
        };
        format!(
            "{blocks} ({bytes} bytes) of recorded samples could not be written: {}; {kept}",
            reason(error)
        )
    }
}

/// A completed trace.
#[derive(Debug)]
pub struct Finished {
    /// The path, if anything was recorded.
    pub trace: Option<PathBuf>,
    /// The blocks that could not be written.
    pub lost: Option<Lost>,
    /// Changes of the file by others, for the user.
    pub moved: Option<String>,
}

impl Recorder {
    /// A new file `NAME.cll.RUN.KIND` in a folder, with the first number that is free.
    pub fn new(folder: &Path, name: &str, kind: &str) -> Result<Recorder, Error> {
        let (file, path, number) = files::numbered(folder, &format!("{name}.cll"), kind)?;
        Ok(Recorder { file, path, number, length: 0, lost: None })
    }

    /// The file with this number; replaces one of an earlier attempt.
    pub fn numbered(folder: &Path, name: &str, kind: &str, number: u32) -> Result<Recorder, Error> {
        let path = files::in_folder(folder, &format!("{name}.cll.{number}.{kind}"));
        let file = File::options().read(true).write(true).create(true).truncate(true).open(&path);
        let file = file.map_err(|error| files::Error::refused("write", &path, error))?;
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

    /// The path of the trace, for recovery after we are killed.
    pub fn owner(&self, run: &super::Run<'_>) -> Option<Owner> {
        let file = self.file.metadata().ok()?;
        let trace = self.path.canonicalize().ok()?.to_str()?.to_owned();
        let mut run = run.table(self.number);
        // A long command is cut, so that the other fields have space.
        let mut room = MAX_COMMAND_BYTES;
        let fits = |word: &String| {
            room = room.saturating_sub(word.len() + 3);
            room > 0
        };
        run.command = run.command.into_iter().take_while(fits).collect();
        let made_ns = made_ns(&file);
        Some(Owner { trace, device: file.dev(), inode: file.ino(), made_ns, run })
    }

    /// Adds a block.
    pub fn append(&mut self, block: &[u8]) {
        match self.file.write_all_at(block, self.length) {
            Ok(()) => self.length += block.len() as u64,
            Err(error) => {
                // A part of a block would be damage.
                let _ = self.file.set_len(self.length);
                let lost = self.lost.get_or_insert(Lost { blocks: 0, bytes: 0, error, kept: 0 });
                lost.blocks += 1;
                lost.bytes += block.len() as u64;
            }
        }
    }

    /// The first write error so far.
    pub fn has_lost(&self) -> Option<&io::Error> {
        self.lost.as_ref().map(|lost| &lost.error)
    }

    /// Completes the trace with data on the run. A program that recorded nothing leaves no file.
    pub fn finish(mut self, run: Run) -> Finished {
        if self.length > 0 {
            let block = meta_block(&[Meta::Run(run)], BlockHeader::default());
            self.append(&block);
        }
        if let Some(lost) = &mut self.lost {
            lost.kept = self.length;
        }
        let is_there = self.is_at(&self.path);
        if self.length == 0 {
            if is_there {
                // An empty file that cannot be removed is not worth an error.
                let _ = fs::remove_file(&self.path);
            }
            return Finished { trace: None, lost: self.lost, moved: None };
        }
        if is_there {
            Finished { trace: Some(self.path), lost: self.lost, moved: None }
        } else {
            self.find()
        }
    }

    /// Whether the path still names the file.
    fn is_at(&self, path: &Path) -> bool {
        match (self.file.metadata(), fs::symlink_metadata(path)) {
            (Ok(own), Ok(there)) => own.dev() == there.dev() && own.ino() == there.ino(),
            _ => false,
        }
    }

    /// If the file was renamed, uses the new name; if it was deleted, writes its content again.
    fn find(self) -> Finished {
        let before = self.path.display().to_string();
        let now = fs::read_link(format!("/proc/self/fd/{}", self.file.as_raw_fd()));
        if let Some(now) = now.ok().filter(|now| self.is_at(now)) {
            let moved = format!("{before} was renamed while the program ran, to {}", now.display());
            return Finished { trace: Some(now), lost: self.lost, moved: Some(moved) };
        }
        match self.write_again() {
            Ok(path) => {
                let moved = format!(
                    "{before} was deleted or replaced while the program ran; the recorded samples are \
                     written again, to {}",
                    path.display()
                );
                Finished { trace: Some(path), lost: self.lost, moved: Some(moved) }
            }
            Err(error) => {
                let moved = format!(
                    "{before} was deleted or replaced while the program ran, and cannot be written again"
                );
                let mut lost = self.lost.unwrap_or(Lost { blocks: 0, bytes: 0, error, kept: 0 });
                lost.bytes += self.length;
                lost.blocks += 1;
                lost.kept = 0;
                Finished { trace: None, lost: Some(lost), moved: Some(moved) }
            }
        }
    }

    /// With the same name, or a free one.
    fn write_again(&self) -> io::Result<PathBuf> {
        let folder = files::folder(&self.path);
        let mut copy = tempfile::Builder::new()
            .prefix(".cll-")
            .permissions(fs::Permissions::from_mode(0o666))
            .tempfile_in(folder)?;
        let mut piece = vec![0; COPY_BYTES];
        let mut offset = 0;
        while offset < self.length {
            let count = COPY_BYTES.min((self.length - offset) as usize);
            self.file.read_exact_at(&mut piece[..count], offset)?;
            copy.write_all(&piece[..count])?;
            offset += count as u64;
        }
        let name = files::base(&self.path);
        let (stem, kind) = name.rsplit_once('.').unwrap_or((&name, ""));
        let stem = stem.strip_suffix(&format!(".{}", self.number)).unwrap_or(stem);
        for number in self.number.. {
            let path = files::in_folder(folder, &format!("{stem}.{number}.{kind}"));
            match copy.persist_noclobber(&path) {
                Ok(_) => return Ok(path),
                Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                    copy = error.file;
                }
                Err(error) => return Err(error.error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorder(place: &Path) -> Recorder {
        let mut recorder = Recorder::new(place, "p", "dat").unwrap();
        recorder.append(&meta_block(&[Meta::Run(Run::default())], BlockHeader::default()));
        recorder
    }

    #[test]
    fn a_trace_that_was_deleted_is_written_again() {
        let place = tempfile::tempdir().unwrap();
        let recorder = recorder(place.path());
        let path = recorder.path().to_path_buf();
        fs::remove_file(&path).unwrap();
        let finished = recorder.finish(Run::default());
        assert_eq!(finished.trace.as_ref(), Some(&path));
        assert!(finished.moved.unwrap().contains("deleted"));
        assert_eq!(cll_trace::read(File::open(&path).unwrap()).unwrap().runs.len(), 2);
    }

    #[test]
    fn a_trace_that_was_replaced_is_written_beside_what_is_there_now() {
        let place = tempfile::tempdir().unwrap();
        let recorder = recorder(place.path());
        let path = recorder.path().to_path_buf();
        fs::remove_file(&path).unwrap();
        fs::write(&path, "another's").unwrap();
        let trace = recorder.finish(Run::default()).trace.unwrap();
        assert_eq!(trace, place.path().join("p.cll.1.dat"));
        assert_eq!(fs::read(&path).unwrap(), b"another's");
    }

    #[test]
    fn a_trace_that_was_renamed_is_found() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().canonicalize().unwrap();
        let recorder = recorder(&folder);
        let now = folder.join("mine");
        fs::rename(recorder.path(), &now).unwrap();
        let finished = recorder.finish(Run::default());
        assert_eq!(finished.trace, Some(now));
        assert!(finished.moved.unwrap().contains("renamed"));
    }

    #[test]
    fn a_trace_whose_folder_is_gone_is_lost_and_said_to_be() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("x");
        fs::create_dir(&folder).unwrap();
        let recorder = recorder(&folder);
        fs::remove_dir_all(&folder).unwrap();
        let finished = recorder.finish(Run::default());
        assert!(finished.trace.is_none() && finished.moved.is_some());
        let lost = finished.lost.unwrap();
        assert!(lost.bytes > 0 && lost.text().contains("nothing is kept"), "{}", lost.text());
    }
}
