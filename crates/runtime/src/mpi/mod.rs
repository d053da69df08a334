//! An MPI for the MPI engine: found, compiled for, loaded.
//!
//! Nothing here is linked with an MPI. `launcher` finds out which one has started the process; `compiler` finds
//! its compiler, which compiles `transport.c` when it is needed for the first time; `library` loads the result,
//! and refuses one of another MPI; `watcher` starts `watch.c`, which reports how a process has ended too early.
//!
//! Why: decision 0029.

mod compiler;
mod launcher;
mod library;
mod watcher;

use std::ffi::c_void;
use std::path::PathBuf;

use cll_bsp::StartError;
use cll_bsp::mpi::{ProgramIdentity, Ranks, join};
use cll_mpicc::hash;

use library::Loaded;

pub use cll_mpicc::NoMpi;
pub use launcher::{Launcher, job, launcher};

/// The sources that the library compiles: the transport, with the table that gathers samples, and the watching
/// program.
const TRANSPORT: &str = include_str!("transport.c");
const GATHERING: &str = include_str!("gathering.c");
const TABLE: &str = include_str!("../../include/cll_mpi.h");
const WATCH: &str = include_str!("watch.c");

/// Why this process is not part of a machine.
pub enum Failed {
    NoMpi(NoMpi),
    Start(StartError),
}

impl From<NoMpi> for Failed {
    fn from(none: NoMpi) -> Failed {
        Failed::NoMpi(none)
    }
}

/// Begins MPI, as one of the processes that the launcher has started. Then `begun` is called with the table that
/// gathers samples (`struct cll_mpi`), which stays; `ends` is called when MPI ends, if it is attached.
pub fn begin(
    launcher: &Launcher,
    ends: extern "C" fn(),
    begun: impl FnOnce(*const c_void),
) -> Result<Ranks, Failed> {
    let mpi_library = compiler::library(launcher)?;
    let Loaded { transport, gathering } = library::load(launcher, &mpi_library, ends)?;
    let path = std::fs::read_link("/proc/self/exe").unwrap_or_else(|_| PathBuf::from("a program"));
    let program = ProgramIdentity { hash: hash_of_program(), path: path.as_os_str() };
    let watch = |rank_state: usize, memory: std::os::fd::BorrowedFd<'_>| {
        // Without it only the launcher reports that a process has ended.
        let _ = watcher::start(&mpi_library.watch, rank_state, memory);
    };
    let ranks = join(transport, program, &watch).map_err(Failed::Start)?;
    begun(gathering);
    if launcher.ranks != ranks.count() {
        return Err(Failed::NoMpi(NoMpi::new(
            format_args!(
                "{} has started {} processes, but {} {} of {} knows of {}",
                launcher.name(),
                launcher.ranks,
                transport.family(),
                transport.compiled(),
                mpi_library.compiler.display(),
                ranks.count()
            ),
            "start the program with the mpirun of that MPI, or name the compiler of the other one: CLL_MPICC=mpicc",
        )));
    }
    Ok(ranks)
}

/// The same for the same program with the same library.
fn hash_of_program() -> u64 {
    let content = std::fs::read("/proc/self/exe").unwrap_or_default();
    hash([content.as_slice(), env!("CARGO_PKG_VERSION").as_bytes(), TRANSPORT.as_bytes()])
}
