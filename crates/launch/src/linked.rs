//! Which MPI a program is linked with, by the loader's rules.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use object::{Object, ObjectSection, ObjectSymbol};

use crate::{Error, files};

/// The MPI of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedMpi {
    /// The family of the MPI, as its compiler names it.
    pub family: Family,
}

/// MPIs with their own binary interfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Open MPI.
    OpenMpi,
    /// MPICH and its derivatives.
    Mpich,
}

impl Family {
    /// The name, as in `Made::family` of `cll-mpicc`.
    pub fn name(self) -> &'static str {
        match self {
            Family::OpenMpi => "Open MPI",
            Family::Mpich => "MPICH",
        }
    }

    /// Names of its programs, the most specific first: `mpirun.openmpi`.
    pub fn programs(self, program: &str) -> [String; 2] {
        let suffix = match self {
            Family::OpenMpi => "openmpi",
            Family::Mpich => "mpich",
        };
        [format!("{program}.{suffix}"), program.to_owned()]
    }
}

impl LinkedMpi {
    /// The MPI of a program; `None` if it is not linked with MPI.
    ///
    /// # Errors
    /// If the program cannot be read, its MPI cannot be found or is unknown, or is linked statically.
    pub fn read(program: &Path) -> Result<Option<LinkedMpi>, Error> {
        let bytes =
            std::fs::read(program).map_err(|error| files::Error::unreadable(program, error))?;
        let Ok(file) = object::File::parse(&*bytes) else { return Ok(None) };
        let defines = |name: &str| {
            file.symbols().any(|symbol| symbol.is_definition() && symbol.name() == Ok(name))
        };
        let interpreter = file.section_by_name(".interp").and_then(|section| section.data().ok());
        let Some(interpreter) = interpreter else {
            return if defines("PMPI_Init") || defines("MPI_Init") {
                Err(contained(program))
            } else {
                Ok(None)
            };
        };
        if defines("PMPI_Init") {
            return Err(contained(program));
        }
        let interpreter = String::from_utf8_lossy(interpreter);
        for (name, path) in libraries(interpreter.trim_end_matches('\0'), program, false)? {
            if !is_mpi(&name) {
                continue;
            }
            let Some(library) = path else {
                return Err(Error::NoMpi { program: program.to_path_buf(), library: name });
            };
            let Some(family) = family(&library)? else {
                return Err(Error::UnknownMpi { program: program.to_path_buf(), library });
            };
            return Ok(Some(LinkedMpi { family }));
        }
        Ok(None)
    }
}

/// The shared libraries that the loader would load with a program, with their paths, including preloaded ones.
/// Empty for a program without a loader.
pub fn loaded(program: &Path) -> Vec<(String, Option<PathBuf>)> {
    let Ok(bytes) = std::fs::read(program) else { return Vec::new() };
    let Ok(file) = object::File::parse(&*bytes) else { return Vec::new() };
    let interpreter = file.section_by_name(".interp").and_then(|section| section.data().ok());
    let Some(interpreter) = interpreter else { return Vec::new() };
    let interpreter = String::from_utf8_lossy(interpreter);
    let dependencies = libraries(interpreter.trim_end_matches('\0'), program, true);
    let dependencies = dependencies.unwrap_or_default();
    dependencies.into_iter().filter(|(name, _)| !name.starts_with("ld-linux")).collect()
}

fn contained(program: &Path) -> Error {
    Error::StaticMpi(program.to_path_buf())
}

/// MPI's library, by the names in all MPIs: `libmpi.so.40`, `libmpich.so.12`.
fn is_mpi(name: &str) -> bool {
    name.starts_with("libmpi.so") || name.starts_with("libmpich.so")
}

/// All libraries that the loader would load: name and path.
fn libraries(
    interpreter: &str,
    program: &Path,
    preloads: bool,
) -> Result<Vec<(String, Option<PathBuf>)>, Error> {
    let absolute = std::path::absolute(program).unwrap_or_else(|_| program.to_path_buf());
    let mut command = Command::new(interpreter);
    if !preloads {
        command.env_remove("LD_PRELOAD");
    }
    let output = command
        .arg("--list")
        .arg(&absolute)
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| files::Error::refused("run", Path::new(interpreter), error))?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().filter_map(entry).collect())
}

/// `libmpi.so.40 => /usr/lib/libmpi.so.40 (0x00007f)`, or `=> not found`.
fn entry(line: &str) -> Option<(String, Option<PathBuf>)> {
    let (name, path) = line.trim().split_once(" => ")?;
    let path = path.rsplit_once(" (").map_or(path, |(path, _)| path).trim();
    let path = Some(path).filter(|path| path.starts_with('/')).map(PathBuf::from);
    // A library that is named by its path is found there.
    let name = name.rsplit('/').next().unwrap_or(name);
    Some((name.to_owned(), path))
}

/// By its exported symbols.
fn family(library: &Path) -> Result<Option<Family>, Error> {
    let bytes = std::fs::read(library).map_err(|error| files::Error::unreadable(library, error))?;
    let Ok(file) = object::File::parse(&*bytes) else { return Ok(None) };
    let mut mpich = false;
    for symbol in file.dynamic_symbols() {
        match symbol.name() {
            Ok("ompi_mpi_comm_world") => return Ok(Some(Family::OpenMpi)),
            Ok("MPIR_Err_create_code") => mpich = true,
            _ => {}
        }
    }
    Ok(mpich.then_some(Family::Mpich))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_loader_lists() {
        let pair = entry("\tlibmpi.so.40 => /usr/lib/libmpi.so.40 (0x00007f01)").unwrap();
        assert_eq!(pair, ("libmpi.so.40".to_owned(), Some("/usr/lib/libmpi.so.40".into())));
        assert_eq!(entry("libmpich.so.12 => not found"), Some(("libmpich.so.12".to_owned(), None)));
        let spaced = entry("\tlibmpi.so.40 => /a (b)/libmpi.so.40 (0x1)").unwrap();
        assert_eq!(spaced.1, Some("/a (b)/libmpi.so.40".into()));
        assert_eq!(entry("\tlinux-vdso.so.1 (0x00007ffd)"), None);
        assert_eq!(entry("\tstatically linked"), None);
        assert!(is_mpi("libmpi.so.12") && is_mpi("libmpich.so") && !is_mpi("libmpi_mpifh.so.40"));
    }
}
