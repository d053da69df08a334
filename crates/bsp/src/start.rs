//! Why a machine could not be started.

/// Why processors could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// A fork copies only the calling thread.
    #[error(
        "the program already has {0} threads when its processors are started, and a forked process has only one of them (a parallel region of OpenMP before bsp_begin starts threads). Start threads after bsp_begin, or call bsp_init at the beginning of main, or set CLL_START=exec: then the other processors run main from its beginning"
    )]
    Threads(usize),
    /// The shared memory.
    #[error("no memory for {0} processors to share: {1}")]
    Memory(usize, std::io::Error),
    /// A process.
    #[error("cannot start {0} processes: {1}")]
    Fork(usize, std::io::Error),
    /// A thread.
    #[error("cannot start {0} threads: {1}")]
    Spawn(usize, std::io::Error),
    /// MPI: its name, and its error.
    #[error("{0} cannot be initialised: {1}")]
    Mpi(&'static str, String),
    /// The program of process 0, the number of a process with another one, and that program.
    #[error(
        "the processes that MPI has started run different programs: process 0 runs {0}, process {1} {2}\n  help: all must run the same file; on several hosts, copy it to all of them"
    )]
    OtherProgram(String, usize, String),
    /// Another process has stopped the program and has given the reason.
    #[error("another process has stopped the program")]
    Stopped,
    /// The re-executed program did not do what it should.
    #[error("CLL_BSP_JOIN is {0:?}, which does not name a machine that waits for this process")]
    Join(String),
}
