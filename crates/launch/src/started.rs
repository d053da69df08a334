//! The MPI of a command whose program need not be linked with MPI: it starts or loads others.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::Error;
use crate::files;
use crate::program::{Instrumented, is_script, loads};
use crate::{Family, LinkedMpi, Mpirun, loaded};

/// The MPI of a command: that of its program; else that of the first of its arguments that is a program with MPI
/// (`taskset -c 0 ./heat`); else, if the program is a script or may load libraries while it runs (Python), that of
/// the launcher: this one, or mpirun. `None`: neither.
///
/// # Errors
/// As [`LinkedMpi::read`], and if there is no launcher or its MPI is not known.
pub fn mpi_of_command(
    program: &Path,
    arguments: &[OsString],
    launcher: Option<Family>,
) -> Result<Option<LinkedMpi>, Error> {
    let bytes = std::fs::read(program).map_err(|error| files::Error::unreadable(program, error))?;
    let is_script = is_script(&bytes);
    if !is_script && let Some(linked) = LinkedMpi::read(program)? {
        return Ok(Some(linked));
    }
    let of_argument = |word: &OsString| started(word).map(|path| LinkedMpi::read(&path));
    for linked in arguments.iter().filter_map(of_argument) {
        if let Some(linked) = linked? {
            return Ok(Some(linked));
        }
    }
    if !is_script && !may_load(program, &bytes) {
        return Ok(None);
    }
    if let Some(family) = launcher {
        return Ok(Some(LinkedMpi { family }));
    }
    let mpirun = Mpirun::find()?;
    match mpirun.family() {
        Some(family) => Ok(Some(LinkedMpi { family })),
        None => Err(Error::UnknownMpirun { mpirun: mpirun.line(), program: program.to_path_buf() }),
    }
}

/// Whether a program, or a library that it is linked with, uses `dlopen`. Not one of our compiler: its `dlopen` is that of
/// our library, for counters.
fn may_load(program: &Path, bytes: &[u8]) -> bool {
    if Instrumented::look(program).is_ok_and(|own| !own.units.is_empty()) {
        return false;
    }
    let of_library =
        |(_, path): (String, Option<PathBuf>)| path.and_then(|path| std::fs::read(path).ok());
    loads(bytes) || loaded(program).into_iter().filter_map(of_library).any(|bytes| loads(&bytes))
}

/// The program that a word of a command may stand for. Options and names of data are none.
fn started(word: &OsStr) -> Option<PathBuf> {
    let bytes = word.as_encoded_bytes();
    if bytes.is_empty() || bytes[0] == b'-' {
        return None;
    }
    let path = if bytes.contains(&b'/') { PathBuf::from(word) } else { files::in_path(word)? };
    files::is_executable(&path).then_some(path)
}
