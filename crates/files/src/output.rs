//! Writes a file that the user has named; all commands use this.
//!
//! A regular file is replaced completely or not changed. It keeps its mode and, as far as the system permits, its
//! owner. Anything else (a device, a FIFO, a socket, `/dev/stdout`) is opened and written to. A symbolic link is
//! followed, and stays. What a person or a long measurement has made is replaced by what is of its kind only
//! ([`Kept`]).

mod kept;

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, fchown};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, Mode, OFlags};
use rustix::io::Errno;
use rustix::process::{PidfdFlags, PidfdGetfdFlags};
use tempfile::{NamedTempFile, TempPath};

pub use kept::Kept;

use super::folder;
use crate::Error;

/// The prefix of temporary names, before a file is renamed.
const PREFIX: &str = ".cll-";

/// The number of symbolic links that Linux follows.
const MAX_LINKS: usize = 40;

/// A file to write, checked and not yet changed.
#[derive(Debug)]
pub struct Output {
    named: PathBuf,
    place: Target,
}

/// A kind of file that is written under a derived name.
#[derive(Clone, Copy, Debug)]
pub struct Derived<'a> {
    /// As a message has it: `page of cll`.
    pub what: &'a str,
    /// Whether a file that begins with these bytes was made by this program.
    pub is_own: fn(&[u8]) -> bool,
    /// The kind of the file, if that is kept.
    pub kind: Option<Kept>,
    /// How the user chooses another name, for the help.
    pub rename: &'a str,
}

/// The file to which a name leads.
#[derive(Debug)]
enum Target {
    /// A regular file, or nothing yet.
    File { path: PathBuf, before: Option<Metadata> },
    /// An open file of this process, by its number.
    Own(u32),
    /// A device, a FIFO, or an open file of another process.
    Through(PathBuf),
    /// A socket.
    Socket(PathBuf),
}

impl Output {
    /// Finds the file to which a name leads.
    ///
    /// # Errors
    /// If it cannot be written: it is a folder, its folder does not exist, or permission is missing. If it is a source, a
    /// trace, a log or a machine's file.
    pub fn at(path: &Path) -> Result<Output, Error> {
        Output::found(path, None)
    }

    /// Like [`Output::at`], for what is of this kind itself, and may replace another of its kind.
    ///
    /// # Errors
    /// As [`Output::at`].
    pub fn of_kind(path: &Path, kind: Kept) -> Result<Output, Error> {
        Output::found(path, Some(kind))
    }

    /// A page whose name was not given but derived: a file that this program has not made is not replaced, unless `force`.
    ///
    /// # Errors
    /// As [`Output::at`], and if there is such a file.
    pub fn derived_page(path: &Path, force: bool) -> Result<Output, Error> {
        let page = Derived {
            what: "page of cll",
            is_own: kept::is_page,
            kind: None,
            rename: "--output names the page",
        };
        Output::derived(path, &page, force)
    }

    /// A file whose name was not given but derived: one that this program has not made is not replaced, unless `force`.
    ///
    /// # Errors
    /// As [`Output::of_kind`], and if there is such a file.
    pub fn derived(path: &Path, file: &Derived<'_>, force: bool) -> Result<Output, Error> {
        let output = Output::found(path, file.kind)?;
        match &output.place {
            Target::File { path: target, before: Some(_) }
                if !force && !kept::is_own(target, file.is_own) =>
            {
                Err(Error::WouldReplaceOther {
                    path: path.to_path_buf(),
                    what: file.what.to_owned(),
                    rename: file.rename.to_owned(),
                })
            }
            _ => Ok(output),
        }
    }

    fn found(path: &Path, kind: Option<Kept>) -> Result<Output, Error> {
        if path.as_os_str().is_empty() {
            return Err(Error::NoName);
        }
        if path.is_dir() {
            return Err(Error::IsFolder(path.to_path_buf()));
        }
        if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            return Err(Error::EndsInSlash(path.to_path_buf()));
        }
        let place = resolve(path).map_err(|error| Error::unwritten(path, error))?;
        if let Target::File { path: target, before } = &place {
            check(target, before.as_ref(), path)?;
            let held = before.as_ref().and_then(|_| Kept::from_file(target));
            if let Some(kept) = held.filter(|held| kind != Some(*held)) {
                return Err(Error::WouldReplaceKept { path: path.to_path_buf(), kept });
            }
        }
        Ok(Output { named: path.to_path_buf(), place })
    }

    /// Like [`Output::at`], for a file that must not be one of the inputs.
    ///
    /// # Errors
    /// Also if it is one of the inputs.
    pub fn apart_from(path: &Path, inputs: &[PathBuf]) -> Result<Output, Error> {
        is_apart(path, inputs)?;
        Output::at(path)
    }

    /// Whether it is a regular file, or will be one.
    pub fn is_file(&self) -> bool {
        matches!(self.place, Target::File { .. })
    }

    /// Writes the content.
    ///
    /// # Errors
    /// If it cannot be written; a regular file is then unchanged.
    pub fn write(self, bytes: &[u8]) -> Result<(), Error> {
        self.write_with(|out| out.write_all(bytes))
    }

    /// Writes a content that is not in memory as a whole.
    ///
    /// # Errors
    /// As [`Output::write`].
    pub fn write_with(
        self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Error> {
        let named = self.named.clone();
        self.write_as(write).map_err(|error| Error::unwritten(named, error))
    }

    /// The same, for writers with another error type.
    ///
    /// # Errors
    /// The writer's, or the system's as one of them.
    pub fn write_as<E: From<io::Error>>(
        self,
        write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<(), E> {
        match self.place {
            Target::File { path, before } => replace(&path, before.as_ref(), write),
            Target::Own(number) => buffered(own(number)?, write),
            Target::Through(path) => buffered(through(&path)?, write),
            Target::Socket(path) => buffered(UnixStream::connect(path)?, write),
        }
    }
}

/// Whether an output of this name leaves the inputs as they are.
///
/// # Errors
/// If it is one of the inputs, by this or another name.
pub fn is_apart(path: &Path, inputs: &[PathBuf]) -> Result<(), Error> {
    let Ok(before) = fs::metadata(path) else { return Ok(()) };
    let is_same = |input: &&PathBuf| {
        let same = |input: Metadata| (input.dev(), input.ino()) == (before.dev(), before.ino());
        before.is_file() && fs::metadata(input).is_ok_and(same)
    };
    match inputs.iter().find(is_same) {
        None => Ok(()),
        Some(input) => Err(Error::WouldReplaceInput(input.clone())),
    }
}

/// Follows links to their target.
fn resolve(path: &Path) -> io::Result<Target> {
    let mut target = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let metadata = match fs::symlink_metadata(&target) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Target::File { path: target, before: None });
            }
            Err(error) => return Err(error),
        };
        if !metadata.is_symlink() {
            return Ok(match metadata.file_type() {
                kind if kind.is_file() => Target::File { path: target, before: Some(metadata) },
                kind if kind.is_socket() => Target::Socket(target),
                _ => Target::Through(target),
            });
        }
        let real = folder(&target).canonicalize()?;
        if let Some(number) = own_number(&real, &target) {
            return Ok(Target::Own(number));
        }
        if real.starts_with("/proc") {
            // The text of such a link need not be the name of the open file.
            return Ok(Target::Through(target));
        }
        let to = fs::read_link(&target)?;
        target = match folder(&target) {
            home if home == Path::new(".") => to,
            home => home.join(to),
        };
    }
    Err(Errno::LOOP.into())
}

/// The number of an open file of this process, if the name is in the system's list of them.
fn own_number(real: &Path, path: &Path) -> Option<u32> {
    let process = Path::new("/proc").join(std::process::id().to_string());
    let within = real.strip_prefix(process).ok()?;
    let is_list =
        within == Path::new("fd") || (within.starts_with("task") && within.ends_with("fd"));
    path.file_name()?.to_str()?.parse().ok().filter(|_| is_list)
}

/// Checks what can be known before anything is written.
fn check(target: &Path, before: Option<&Metadata>, named: &Path) -> Result<(), Error> {
    let shown = if target == named {
        named.display().to_string()
    } else {
        format!("{} (a link to {})", named.display(), target.display())
    };
    let home = folder(target);
    if !home.is_dir() {
        return Err(Error::NoParent { output: shown, folder: home.to_path_buf() });
    }
    let (what, needed) = match before {
        Some(_) => (target, Access::WRITE_OK),
        None => (home, Access::WRITE_OK | Access::EXEC_OK),
    };
    match rustix::fs::access(what, needed) {
        Ok(()) => Ok(()),
        Err(error) => Err(Error::NotPermitted { output: shown, source: error.into() }),
    }
}

/// Writes a new file beside the old one, then renames it.
fn replace<E: From<io::Error>>(
    path: &Path,
    before: Option<&Metadata>,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let mode = before.map_or(0o666, |before| before.mode() & 0o777);
    let mut new = match NewFile::beside(path, mode) {
        Ok(new) => new,
        // The file may be written, but not its folder.
        Err(error) if before.is_some() && is_refused(&error) => {
            let mut new = NamedTempFile::new()?;
            buffered(new.as_file_mut(), write)?;
            return Ok(copy_over(new.path(), path)?);
        }
        Err(error) => return Err(error.into()),
    };
    let file = new.file();
    buffered(&mut *file, write)?;
    if let Some(before) = before {
        let now = file.metadata()?;
        let differs = |old: u32, new: u32| Some(old).filter(|old| *old != new);
        let (user, group) = (differs(before.uid(), now.uid()), differs(before.gid(), now.gid()));
        if (user.is_some() || group.is_some()) && fchown(&*file, user, group).is_err() {
            // Any member may give a file to a group; only root may give it to another user.
            let _ = fchown(&*file, None, group);
        }
        // The complete mode, without the process's mask.
        file.set_permissions(Permissions::from_mode(mode))?;
    }
    match new.named(folder(path))?.persist(path) {
        Ok(()) => Ok(()),
        // Another file system is mounted on the file, as in containers; or it belongs to another user, in a folder
        // in which each may remove only their own files.
        Err(error) if before.is_some() && is_refused(&error.error) => {
            Ok(copy_over(&error.path, path)?)
        }
        Err(error) => Err(error.error.into()),
    }
}

/// A file that is written before it gets its name.
enum NewFile {
    /// Without a name, so that nothing remains if this program is ended meanwhile.
    Unnamed(File),
    /// For file systems without such files.
    Named(NamedTempFile),
}

impl NewFile {
    fn beside(path: &Path, mode: u32) -> io::Result<NewFile> {
        let (flags, bits) =
            (OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC, Mode::from_raw_mode(mode));
        match rustix::fs::openat(CWD, folder(path), flags, bits) {
            // It gets its name through this folder.
            Ok(file) if Path::new("/proc/self/fd").is_dir() => Ok(NewFile::Unnamed(file.into())),
            _ => {
                let mut named = tempfile::Builder::new();
                named.prefix(PREFIX).permissions(Permissions::from_mode(mode));
                named.tempfile_in(folder(path)).map(NewFile::Named)
            }
        }
    }

    fn file(&mut self) -> &mut File {
        match self {
            NewFile::Unnamed(file) => file,
            NewFile::Named(file) => file.as_file_mut(),
        }
    }

    /// A file with a temporary name, removed when the value is dropped.
    fn named(self, folder: &Path) -> io::Result<TempPath> {
        let file = match self {
            NewFile::Unnamed(file) => file,
            NewFile::Named(file) => return Ok(file.into_temp_path()),
        };
        let open = format!("/proc/self/fd/{}", file.as_raw_fd());
        loop {
            let name = folder.join(format!("{PREFIX}{:016x}", fastrand::u64(..)));
            match rustix::fs::linkat(CWD, &open, CWD, &name, AtFlags::SYMLINK_FOLLOW) {
                Ok(()) => return TempPath::try_from_path(name),
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Whether the folder, and not the file, is the reason.
fn is_refused(error: &io::Error) -> bool {
    use io::ErrorKind::{CrossesDevices, PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
    matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem | ResourceBusy | CrossesDevices)
}

/// Overwrites the content of a file that cannot be replaced.
fn copy_over(from: &Path, to: &Path) -> io::Result<()> {
    let mut from = File::open(from)?;
    let mut to = OpenOptions::new().write(true).truncate(true).open(to)?;
    let incomplete = |error: io::Error| {
        let why = crate::reason(&error);
        io::Error::new(error.kind(), format!("{why}; the file is now incomplete"))
    };
    io::copy(&mut from, &mut to).map(|_| ()).map_err(incomplete)
}

/// An open file of this process again, with its position. If it were opened by its name, writing would begin at
/// the start of the file.
fn own(number: u32) -> io::Result<File> {
    match number {
        1 => return Ok(rustix::stdio::stdout().try_clone_to_owned()?.into()),
        2 => return Ok(rustix::stdio::stderr().try_clone_to_owned()?.into()),
        _ => {}
    }
    let again = || -> rustix::io::Result<File> {
        let ours = rustix::process::pidfd_open(rustix::process::getpid(), PidfdFlags::empty())?;
        let number = i32::try_from(number).map_err(|_| Errno::BADF)?;
        let file = rustix::process::pidfd_getfd(ours.as_fd(), number, PidfdGetfdFlags::empty())?;
        Ok(file.into())
    };
    // Containers may forbid the call.
    again().or_else(|_| through(Path::new(&format!("/proc/self/fd/{number}"))))
}

/// Something other than a regular file is only opened; a file that another process has open is appended to.
fn through(path: &Path) -> io::Result<File> {
    let grows = fs::metadata(path)?.is_file();
    OpenOptions::new().write(true).append(grows).open(path)
}

fn buffered<W: Write, E: From<io::Error>>(
    file: W,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let mut out = BufWriter::with_capacity(1 << 16, file);
    write(&mut out)?;
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests;
