//! Files and folders of the user, receivers of notices ([`Notices`]), and pages for browsers of this
//! computer ([`serve`]).

#![forbid(unsafe_code)]

mod error;
mod output;
pub mod serve;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

pub use error::{Advice, Error, lower_first, reason};
pub use output::{Derived, Kept, Output, is_apart};

/// Receives messages for the user while something is done.
pub trait Notices {
    /// A note.
    fn note(&self, text: &str);
    /// A warning.
    fn warn(&self, text: &str);
}

/// The program of this name, by a shell's rules.
pub fn in_path(name: impl AsRef<OsStr>) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join(name.as_ref()))
        .find(|path| is_executable(path))
}

/// The folder of a file; `.` if its name has none.
pub fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A file in a folder, without `./` before it.
pub fn in_folder(folder: &Path, name: &str) -> PathBuf {
    if folder == Path::new(".") { PathBuf::from(name) } else { folder.join(name) }
}

/// A file's name without folder and last extension.
pub fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// A file's name without its folder.
pub fn base(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// A file's name as a word of a command line: a name that begins with `-` is no option.
pub fn operand(path: &Path) -> PathBuf {
    match path.as_os_str().as_encoded_bytes().first() {
        Some(b'-') => Path::new(".").join(path),
        _ => path.to_path_buf(),
    }
}

/// The part of a file's name for a name from elsewhere (an experiment, a region): its letters, digits, `-`, `_`
/// and `.`. File systems allow 255 bytes: a longer name is cut, with a hash of all of it.
pub fn named_by(name: &str) -> String {
    const MAX_BYTES: usize = 120;
    const KEPT_BYTES: usize = 100;
    let plain = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    let part: String = name.chars().map(|c| if plain(c) { c } else { '_' }).collect();
    if part.len() <= MAX_BYTES {
        return part;
    }
    let begin = (0..=KEPT_BYTES).rev().find_map(|end| part.get(..end)).unwrap_or_default();
    format!("{begin}-{:016x}", cll_mpicc::hash([name.as_bytes()]))
}

/// All users who may read it may also execute it. A file that is not regular keeps its mode.
pub fn make_executable(path: &Path) -> Result<(), Error> {
    let set = || {
        let metadata = fs::metadata(path)?;
        if !metadata.is_file() {
            return Ok(());
        }
        let mode = metadata.permissions().mode();
        fs::set_permissions(path, fs::Permissions::from_mode(mode | ((mode & 0o444) >> 2)))
    };
    set().map_err(|error| Error::refused("make executable", path, error))
}

/// The exit code, as a shell's `$?` gives it.
pub fn exit_code(status: ExitStatus) -> u8 {
    match (status.code(), status.signal()) {
        (Some(code), _) => code as u8,
        (None, Some(signal)) => (128 + signal) as u8,
        (None, None) => 1,
    }
}

/// Whether a file may be executed.
pub fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

/// Copies the modification time of another file; ignored if the system refuses.
pub fn copy_time(from: &Path, to: &Path) {
    let time = fs::metadata(from).and_then(|metadata| metadata.modified());
    let _ = time.and_then(|time| File::options().write(true).open(to)?.set_modified(time));
}

/// The longest file that people write by hand, in bytes: a machine, a plan, a description, a script.
pub const LONGEST_TEXT: u64 = 16 << 20;

/// The bytes of a file that people write by hand.
///
/// # Errors
/// If it cannot be read, or is longer than [`LONGEST_TEXT`]: it is another file then.
pub fn read_text(path: &Path) -> Result<Vec<u8>, Error> {
    let failed = |error: io::Error| Error::unreadable(path, error);
    let file = File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(LONGEST_TEXT + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > LONGEST_TEXT {
        return Err(Error::TooLong { path: path.to_path_buf() });
    }
    Ok(bytes)
}

/// Makes a folder and its parents.
pub fn make_folder(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(|error| match fs::metadata(path) {
        Ok(metadata) if !metadata.is_dir() => Error::NoFolder { path: path.to_path_buf() },
        _ => Error::refused("make the folder", path, error),
    })
}

/// Writes a file that may be incomplete if the system fails; for internal files.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    fs::write(path, bytes).map_err(|error| Error::refused("write", path, error))
}

/// Writes a file that the user has named, or one that must be complete or not exist.
///
/// # Errors
/// As [`Output::at`] and [`Output::write`].
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    Output::at(path)?.write(bytes)
}

/// A folder for internal files, removed when the value is dropped.
pub fn temporary_folder() -> Result<tempfile::TempDir, Error> {
    tempfile::Builder::new()
        .prefix("cll-")
        .tempdir()
        .map_err(|source| Error::NoTemporaryFolder { folder: std::env::temp_dir(), source })
}

/// Renames a file or folder that a program of ours has written, in the same file system.
///
/// # Errors
/// If the system refuses.
pub fn keep_as(from: &Path, to: &Path) -> Result<(), Error> {
    fs::rename(from, to).map_err(|error| Error::refused("rename to", to, error))
}

/// The run and rank in a name `STEM.RUN.RANK.dat` of a file that a process of a launch writes.
pub fn run_and_rank(name: &str, stem: &str) -> Option<(u32, u32)> {
    let (run, rank) =
        name.strip_prefix(stem)?.strip_prefix('.')?.strip_suffix(".dat")?.split_once('.')?;
    let number = |digits: &str| {
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
    };
    Some((number(run)?, number(rank)?))
}

/// The files `STEM.RUN.RANK.dat` of a run in a folder, by rank.
pub fn ranks_of(folder: &Path, stem: &str, run: u32) -> Vec<PathBuf> {
    let mut files: Vec<(u32, PathBuf)> = ranks_in(folder, stem)
        .filter(|(number, _, _)| *number == run)
        .map(|(_, rank, path)| (rank, path))
        .collect();
    files.sort();
    files.into_iter().map(|(_, path)| path).collect()
}

/// The files of a launch.
#[derive(Clone, Debug)]
pub struct LaunchFiles {
    /// Name of the program.
    pub name: String,
    /// Number of the run.
    pub run: u32,
    /// By rank.
    pub files: Vec<PathBuf>,
}

/// The files of launches in a folder that were not there before, those of the first launch first.
pub fn launches_since(
    folder: &Path,
    before: &BTreeMap<(String, u32), Vec<PathBuf>>,
) -> Vec<LaunchFiles> {
    let new = launches_in(folder).into_iter().filter(|(launch, _)| !before.contains_key(launch));
    let mut new: Vec<LaunchFiles> =
        new.map(|((name, run), files)| LaunchFiles { name, run, files }).collect();
    new.sort_by_key(|files| fs::metadata(&files.files[0]).and_then(|file| file.created()).ok());
    new
}

/// The files `NAME.cll.RUN.RANK.dat` in a folder by name and run, those of each run by rank.
pub fn launches_in(folder: &Path) -> BTreeMap<(String, u32), Vec<PathBuf>> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<(String, u32, u32, PathBuf)> = Vec::new();
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some((program, _)) = name.rsplit_once(".cll.") else { continue };
        if let Some((run, rank)) = run_and_rank(&name, &format!("{program}.cll")) {
            files.push((program.to_owned(), run, rank, entry.path()));
        }
    }
    files.sort();
    let mut launches: BTreeMap<(String, u32), Vec<PathBuf>> = BTreeMap::new();
    for (name, run, _, path) in files {
        launches.entry((name, run)).or_default().push(path);
    }
    launches
}

/// The files `STEM.RUN.dat` in a folder, by run: of one process, or merged from those of a launch.
pub fn wholes_in(folder: &Path, stem: &str) -> BTreeMap<u32, PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let run_file = |entry: fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        let run = name.strip_prefix(stem)?.strip_prefix('.')?.strip_suffix(".dat")?.parse().ok()?;
        Some((run, entry.path()))
    };
    entries.filter_map(run_file).collect()
}

/// All of them: run, rank, file.
pub fn ranks_in(folder: &Path, stem: &str) -> impl Iterator<Item = (u32, u32, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(move |entry| {
        let (run, rank) = run_and_rank(&entry.file_name().to_string_lossy(), stem)?;
        Some((run, rank, entry.path()))
    })
}

/// Creates the next free `STEM.NUMBER.dat` in a folder, and returns its number: two programs at the same time get
/// two files. Numbers of processes of a launch are not free.
pub fn numbered(folder: &Path, stem: &str, kind: &str) -> Result<(File, PathBuf, u32), Error> {
    let taken: BTreeSet<u32> = ranks_in(folder, stem).map(|(run, _, _)| run).collect();
    for number in (0..=u32::MAX).filter(|number| !taken.contains(number)) {
        let path = in_folder(folder, &format!("{stem}.{number}.{kind}"));
        match OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, path, number)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(source) => return Err(Error::Unnumbered { path, source }),
        }
    }
    Err(Error::NumbersUsed {
        folder: folder.to_path_buf(),
        stem: stem.to_owned(),
        kind: kind.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_gigabytes_is_refused_before_it_is_read() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("huge.toml");
        File::create(&path).unwrap().set_len(1 << 32).unwrap();
        let message = read_text(&path).unwrap_err().to_string();
        assert!(message.contains("huge.toml is longer than 16 MiB"), "{message}");
        fs::write(&path, "a = 1").unwrap();
        assert_eq!(read_text(&path).unwrap(), b"a = 1");
    }

    #[test]
    fn parts_of_names() {
        assert_eq!(folder(Path::new("a.c")), Path::new("."));
        assert_eq!(folder(Path::new("x/a.c")), Path::new("x"));
        assert_eq!(stem(Path::new("x/a.b.c")), "a.b");
    }

    #[test]
    fn numbers_are_taken_once() {
        let place = tempfile::tempdir().unwrap();
        let numbers: Vec<u32> =
            (0..3).map(|_| numbered(place.path(), "p.cll", "dat").unwrap().2).collect();
        assert_eq!(numbers, [0, 1, 2]);
        fs::write(place.path().join("p.cll.3.12.dat"), "").unwrap();
        fs::write(place.path().join("p.cll.3.4.dat"), "").unwrap();
        assert_eq!(numbered(place.path(), "p.cll", "log").unwrap().2, 0);
        assert_eq!(numbered(place.path(), "p.cll", "dat").unwrap().2, 4);
        let ranks: Vec<String> =
            ranks_of(place.path(), "p.cll", 3).iter().map(|path| base(path)).collect();
        assert_eq!(ranks, ["p.cll.3.4.dat", "p.cll.3.12.dat"]);
        let launches = launches_in(place.path());
        assert_eq!(launches[&("p".to_owned(), 3)].len(), 2);
        assert_eq!(launches.len(), 1, "{launches:?}");
        assert_eq!(run_and_rank("p.cll.3.dat", "p.cll"), None);
        assert_eq!(run_and_rank("p.cll.+3.1.dat", "p.cll"), None);
    }
}
