//! Where what was compiled is kept: `$XDG_CACHE_HOME/cll/mpi`, else `~/.cache/cll/mpi`, else a
//! folder of this user's in the temporary one.
//!
//! A file's name has a hash of the compiler (its path, size and time of change, which change with
//! the version of its MPI) and of what is compiled: asking the compiler for its version would cost
//! more than all the rest of a start. What was compiled is moved to its name when it is whole, so several
//! processes may do this at once; they wait for each other where they can, so that one does the work.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::compiler::Library;
use super::{NoMpi, TRANSPORT, WATCH, hash};

/// What a compiler makes of the sources, and the MPI that it is of.
pub fn compiled(compiler: &Path) -> Result<(Library, String), NoMpi> {
    let folder = folder().map_err(|(path, error)| {
        NoMpi::new(
            format_args!("cannot keep what is compiled in {}: {error}", path.display()),
            "XDG_CACHE_HOME names a folder that this user can write to",
        )
    })?;
    let key = key(compiler).map_err(|error| {
        NoMpi::new(
            format_args!("cannot read {}: {error}", compiler.display()),
            "CLL_MPICC names another compiler",
        )
    })?;
    let of = |what: &str| folder.join(format!("{what}-{key:016x}"));
    let library = Library {
        compiler: compiler.to_owned(),
        transport: of("transport.so"),
        watch: of("watch"),
    };
    let family = of("family");
    if let Ok(family) = fs::read_to_string(&family) {
        return Ok((library, family));
    }
    // Where there are no locks, each compiles for itself.
    let lock = File::create(folder.join("lock"));
    if let Ok(lock) = &lock {
        // SAFETY: a descriptor of ours.
        unsafe { libc::flock(lock.as_raw_fd(), libc::LOCK_EX) };
    }
    if let Ok(family) = fs::read_to_string(&family) {
        return Ok((library, family));
    }
    let text = compile(compiler, &folder, key, &library)?;
    write_aside(&family, text.as_bytes()).map_err(|error| cannot_keep(&family, &error))?;
    Ok((library, text))
}

fn cannot_keep(path: &Path, error: &io::Error) -> NoMpi {
    NoMpi::new(
        format_args!("cannot write {}: {error}", path.display()),
        "XDG_CACHE_HOME names a folder that this user can write to",
    )
}

/// The MPI, in the transport's words.
fn compile(compiler: &Path, folder: &Path, key: u64, library: &Library) -> Result<String, NoMpi> {
    let work = folder.join(format!("{key:016x}.{}", std::process::id()));
    let made = make(compiler, &work, library);
    // What is left of it is of no use, and harms nobody.
    let _ = fs::remove_dir_all(&work);
    made
}

fn make(compiler: &Path, work: &Path, library: &Library) -> Result<String, NoMpi> {
    let kept = |path: &Path, content: &[u8]| {
        fs::write(path, content).map_err(|error| cannot_keep(path, &error))
    };
    let _ = fs::remove_dir_all(work);
    fs::create_dir_all(work).map_err(|error| cannot_keep(work, &error))?;
    kept(&work.join("transport.c"), TRANSPORT.as_bytes())?;
    kept(&work.join("watch.c"), WATCH.as_bytes())?;
    kept(&work.join("family.c"), FAMILY.as_bytes())?;
    let shared =
        ["-O2", "-fPIC", "-shared", "-fvisibility=hidden", "transport.c", "-o", "transport.so"];
    run(compiler, work, &shared)?;
    run(compiler, work, &["-O2", "-Wl,--as-needed", "watch.c", "-o", "watch"])?;
    let said = run(compiler, work, &["-E", "-P", "family.c"])?;
    let family = if said.contains("is_open_mpi") {
        "Open MPI"
    } else if said.contains("is_mpich") {
        "MPICH"
    } else {
        "an MPI without a name"
    };
    for (from, to) in [("transport.so", &library.transport), ("watch", &library.watch)] {
        fs::rename(work.join(from), to).map_err(|error| cannot_keep(to, &error))?;
    }
    Ok(family.to_owned())
}

/// As `transport.c` tells them apart.
const FAMILY: &str = "#include <mpi.h>
#if defined OPEN_MPI
is_open_mpi
#elif defined MPICH_VERSION
is_mpich
#endif
";

fn run(compiler: &Path, work: &Path, arguments: &[&str]) -> Result<String, NoMpi> {
    let mut command = Command::new(compiler);
    command.args(arguments).current_dir(work).stdin(Stdio::null());
    // What is set for the program is not set for its compiler.
    command.env_remove("LD_PRELOAD").env("LC_ALL", "C");
    let output = command.output().map_err(|error| {
        NoMpi::new(
            format_args!("cannot run {}: {error}", compiler.display()),
            "CLL_MPICC names another compiler",
        )
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = said.lines().take(12).collect();
    Err(NoMpi::new(
        format_args!(
            "{} cannot compile what programs need to run on its MPI:\n{}",
            compiler.display(),
            lines.join("\n")
        ),
        "an MPI of version 3.0 or later, with what programs are compiled with; CLL_MPICC names another \
         compiler",
    ))
}

fn key(compiler: &Path) -> io::Result<u64> {
    let real = compiler.canonicalize()?;
    let data = real.metadata()?;
    let numbers =
        [data.size(), data.mtime() as u64, data.mtime_nsec() as u64].map(u64::to_ne_bytes);
    // Wrappers know by their name what they are.
    let name = compiler.file_name().unwrap_or(OsStr::new(""));
    Ok(hash([
        real.as_os_str().as_encoded_bytes(),
        name.as_encoded_bytes(),
        numbers.as_flattened(),
        env!("CARGO_PKG_VERSION").as_bytes(),
        TRANSPORT.as_bytes(),
        WATCH.as_bytes(),
    ]))
}

fn write_aside(path: &Path, content: &[u8]) -> io::Result<()> {
    let aside = path.with_extension(std::process::id().to_string());
    fs::write(&aside, content)?;
    fs::rename(&aside, path)
}

/// The folder, made if it is not there; what is loaded from it nobody else may have written.
fn folder() -> Result<PathBuf, (PathBuf, io::Error)> {
    let absolute =
        |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    // SAFETY: a plain call.
    let user = unsafe { libc::geteuid() };
    let aside = std::env::temp_dir().join(format!("cll-{user}"));
    if let Some(folder) = cache.map(|cache| cache.join("cll/mpi"))
        && usable(&folder, user).is_ok()
    {
        return Ok(folder);
    }
    let folder = aside.join("mpi");
    match usable(&aside, user).and_then(|()| usable(&folder, user)) {
        Ok(()) => Ok(folder),
        Err(error) => Err((folder, error)),
    }
}

fn usable(folder: &Path, user: u32) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let data = fs::symlink_metadata(folder)?;
    if !data.is_dir() || data.uid() != user || data.mode() & 0o022 != 0 {
        return Err(io::Error::other("others can write there"));
    }
    // SAFETY: asks, about a path that ends with a zero.
    let writable = std::ffi::CString::new(folder.as_os_str().as_encoded_bytes())
        .is_ok_and(|path| unsafe { libc::access(path.as_ptr(), libc::W_OK) } == 0);
    match writable {
        true => Ok(()),
        false => Err(io::Error::from(io::ErrorKind::PermissionDenied)),
    }
}
