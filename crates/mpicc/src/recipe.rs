//! Defines the sources to compile, and the compiled files.
//!
//! The name of a file has a hash of the compiler (its path, size and modification time, which change with the
//! version of its MPI) and of the sources: asking the compiler for its version would take more time than all
//! the rest of a start. A compiled file is moved to its name when it is complete, so several processes may
//! compile at the same time. If possible they wait for each other, so that only one compiles.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::fs::FlockOperation;

use crate::{NoMpi, cache, hash};

/// The sources that an MPI's compiler compiles.
#[derive(Clone, Copy, Debug)]
pub struct Recipe<'a> {
    /// The files, by name.
    pub sources: &'a [(&'a str, &'a [u8])],
    /// Further files, which follow from the compiler's headers.
    pub derived: &'a [Derived<'a>],
    /// The files that are made of them.
    pub outputs: &'a [Output<'a>],
}

/// A source that is written from what the preprocessor makes of another one.
#[derive(Clone, Copy, Debug)]
pub struct Derived<'a> {
    /// The name.
    pub name: &'a str,
    /// The file that is preprocessed, one of the sources.
    pub from: &'a str,
    /// The function that writes the source.
    pub by: fn(&str) -> String,
    /// Changes with `by`: files by another version are compiled again.
    pub version: &'a [u8],
}

/// A file that is made.
#[derive(Clone, Copy, Debug)]
pub struct Output<'a> {
    /// The name.
    pub name: &'a str,
    /// The compiler's arguments; `-o NAME` follows.
    pub arguments: &'a [&'a str],
}

/// The messages that are given if the compiler fails.
#[derive(Clone, Copy, Debug)]
pub struct Wording<'a> {
    /// The thing that cannot be compiled; the compiler's messages follow.
    pub cannot: &'a str,
    /// The advice for the user.
    pub help: &'a str,
}

const MPI: Wording<'static> = Wording {
    cannot: "cannot compile the files that programs need to run on its MPI",
    help: "an MPI of version 3.0 or later, with its headers, is needed; CLL_MPICC names another compiler",
};

/// The result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The compiler.
    pub compiler: PathBuf,
    /// The family of the MPI: `Open MPI`, `MPICH`, or `an MPI without a name`.
    pub family: String,
    /// Files, in the order of [`Recipe::outputs`].
    pub files: Vec<PathBuf>,
}

impl Recipe<'_> {
    /// The files compiled by an MPI's compiler, now or earlier.
    ///
    /// # Errors
    /// If there is no folder for them, or the compiler reports an error.
    pub fn made_by(&self, compiler: &Path) -> Result<Made, NoMpi> {
        let (files, family) = self.kept(compiler, &MPI, |work| {
            fs::write(work.join("family.c"), FAMILY)
                .map_err(|error| NoMpi::cannot_write(&work.join("family.c"), &error))?;
            let output = run(compiler, work, &["-E", "-P", "family.c"], &MPI)?;
            Ok(match output {
                output if output.contains("is_open_mpi") => "Open MPI",
                output if output.contains("is_mpich") => "MPICH",
                _ => "an MPI without a name",
            })
        })?;
        Ok(Made { compiler: compiler.to_owned(), family, files })
    }

    /// The files compiled by a compiler without an MPI, now or earlier.
    ///
    /// # Errors
    /// If there is no folder for them, or the compiler reports an error.
    pub fn compiled_by(
        &self,
        compiler: &Path,
        wording: &Wording<'_>,
    ) -> Result<Vec<PathBuf>, NoMpi> {
        self.kept(compiler, wording, |_| Ok("none")).map(|(files, _)| files)
    }

    /// The compiled files, and what `family` said when they were compiled.
    fn kept(
        &self,
        compiler: &Path,
        wording: &Wording<'_>,
        family: impl FnOnce(&Path) -> Result<&'static str, NoMpi>,
    ) -> Result<(Vec<PathBuf>, String), NoMpi> {
        let folder = cache::folder()?;
        let key = self.key(compiler).map_err(|error| {
            NoMpi::new(format_args!("cannot read {}: {error}", compiler.display()), wording.help)
        })?;
        let path_of = |name: &str| folder.join(format!("{name}-{key:016x}"));
        let files: Vec<PathBuf> = self.outputs.iter().map(|output| path_of(output.name)).collect();
        let label = path_of("family");
        let earlier = || {
            let is_complete = files.iter().all(|file| file.exists());
            fs::read_to_string(&label).ok().filter(|_| is_complete)
        };
        if let Some(family) = earlier() {
            return Ok((files, family));
        }
        // Without locks, each process compiles.
        let lock = File::create(folder.join("lock"));
        if let Ok(lock) = &lock {
            let _ = rustix::fs::flock(lock, FlockOperation::LockExclusive);
        }
        if let Some(family) = earlier() {
            return Ok((files, family));
        }
        let work = folder.join(format!("{key:016x}.{}", std::process::id()));
        let family = self.make(compiler, &work, &files, wording, family);
        // The remaining files are of no use and do no harm.
        let _ = fs::remove_dir_all(&work);
        let family = family?;
        write_aside(&label, family.as_bytes())
            .map_err(|error| NoMpi::cannot_write(&label, &error))?;
        Ok((files, family.to_owned()))
    }

    /// Compiles. Returns what `family` says.
    fn make(
        &self,
        compiler: &Path,
        work: &Path,
        files: &[PathBuf],
        wording: &Wording<'_>,
        family: impl FnOnce(&Path) -> Result<&'static str, NoMpi>,
    ) -> Result<&'static str, NoMpi> {
        let kept = |name: &str, content: &[u8]| {
            let path = work.join(name);
            fs::write(&path, content).map_err(|error| NoMpi::cannot_write(&path, &error))
        };
        let _ = fs::remove_dir_all(work);
        fs::create_dir_all(work).map_err(|error| NoMpi::cannot_write(work, &error))?;
        for (name, content) in self.sources {
            kept(name, content)?;
        }
        for derived in self.derived {
            let header = run(compiler, work, &["-E", "-P", derived.from], wording)?;
            kept(derived.name, (derived.by)(&header).as_bytes())?;
        }
        for output in self.outputs {
            run(compiler, work, &[output.arguments, &["-o", output.name]].concat(), wording)?;
        }
        let family = family(work)?;
        for (output, file) in self.outputs.iter().zip(files) {
            fs::rename(work.join(output.name), file)
                .map_err(|error| NoMpi::cannot_write(file, &error))?;
        }
        Ok(family)
    }

    fn key(&self, compiler: &Path) -> io::Result<u64> {
        let real = compiler.canonicalize()?;
        let data = real.metadata()?;
        let numbers =
            [data.size(), data.mtime() as u64, data.mtime_nsec() as u64].map(u64::to_ne_bytes);
        // Wrappers recognise their role by their name.
        let name = compiler.file_name().unwrap_or(OsStr::new(""));
        let compiler = [
            real.as_os_str().as_encoded_bytes(),
            name.as_encoded_bytes(),
            numbers.as_flattened(),
            env!("CARGO_PKG_VERSION").as_bytes(),
        ];
        let sources = self.sources.iter().flat_map(|(name, content)| [name.as_bytes(), content]);
        let arguments = self.outputs.iter().flat_map(|output| output.arguments);
        let versions = self.derived.iter().map(|derived| derived.version);
        let arguments = arguments.map(|text| text.as_bytes());
        Ok(hash(compiler.into_iter().chain(sources).chain(arguments).chain(versions)))
    }
}

/// Finds out the MPI of a compiler.
const FAMILY: &str = "#include <mpi.h>
#if defined OPEN_MPI
is_open_mpi
#elif defined MPICH_VERSION
is_mpich
#endif
";

fn run(
    compiler: &Path,
    work: &Path,
    arguments: &[&str],
    wording: &Wording<'_>,
) -> Result<String, NoMpi> {
    let mut command = Command::new(compiler);
    command.args(arguments).current_dir(work).stdin(Stdio::null());
    // Settings for the program must not affect its compiler.
    command.env_remove("LD_PRELOAD").env("LC_ALL", "C");
    let output = command.output().map_err(|error| {
        NoMpi::new(format_args!("cannot run {}: {error}", compiler.display()), wording.help)
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = errors.lines().take(12).collect();
    Err(NoMpi::new(
        format_args!("{} {}:\n{}", compiler.display(), wording.cannot, lines.join("\n")),
        wording.help,
    ))
}

fn write_aside(path: &Path, content: &[u8]) -> io::Result<()> {
    let aside = path.with_extension(std::process::id().to_string());
    fs::write(&aside, content)?;
    fs::rename(&aside, path)
}
