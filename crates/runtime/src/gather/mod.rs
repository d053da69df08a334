//! `report` in programs that MPI has started: the samples of all processes are gathered in one file.
//!
//! Each process writes its samples to its own trace file. If the program has the directive `report`, processor 0
//! receives the files of the others at the end, and merges them into one.
//!
//! Some processes may never reach a `report` that another one reaches, so nobody waits there: a process only
//! records that it did. Samples are gathered when all are in `MPI_Finalize`, before MPI does anything else
//! (`cll_mpi.h` ensures that): a process there sends no more messages of the program. Until then, and if
//! gathering is not possible, each process has its own file, written all the time: if a process dies first, the
//! files of all remain.
//!
//! BSP programs on the MPI engine end MPI in `bsp_end` or `bsplib_done`; the table that they use is compiled with
//! the engine's transport.
//!
//! `mpi` is the used part of MPI, `merged_file` the file that is made of the others.
//!
//! Why: decision 0044.

mod merged_file;
mod mpi;

use std::ffi::{OsStr, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::*};
use std::time::Duration;

use cll_contract::GATHER_WAIT;

use crate::critical_section::Inside;
use crate::library::{LIBRARY, RecordingState};
use crate::message::Message;
use crate::sys;

use merged_file::MergedFile;
use mpi::{Failed, Mpi, MpiTable};

/// Default of `CLL_GATHER_WAIT`, in seconds: how long to wait until all processes gather. A process that runs
/// another program never does.
const DEFAULT_WAIT_S: u64 = 60;
/// Bytes that are sent at a time; two such pieces are in transit.
const PIECE: usize = 1 << 20;
/// The message that starts the sending of a process.
const GO: u8 = 1;

static REPORTED: AtomicBool = AtomicBool::new(false);
static ATTACHED: AtomicBool = AtomicBool::new(false);
static ENDED: AtomicBool = AtomicBool::new(false);
/// The process was started for a BSP machine on the MPI engine.
static BY_ENGINE: AtomicBool = AtomicBool::new(false);
/// It is one of the machine's processors.
static IS_PROCESSOR: AtomicBool = AtomicBool::new(false);
/// The machine has ended, and nobody had come to a `report`.
static WITHOUT_REPORT: AtomicBool = AtomicBool::new(false);

/// This process has reached a `report`.
pub fn reported() {
    REPORTED.store(true, Relaxed);
    attach();
    if WITHOUT_REPORT.swap(false, Relaxed) {
        Message::new()
            .text("`report` comes after the end of the parallel part, where the other processors no longer are")
            .text(KEPT)
            .text("; a `report` before bsp_end or bsplib_done gathers them")
            .send();
    }
}

/// MPI has begun for a BSP machine. All processes wait for each other when it ends, so all attach, whether they
/// come to a `report` or not.
///
/// # Safety
/// `table` is null or a `struct cll_mpi`, which stays.
pub unsafe fn begins(table: *const c_void) {
    BY_ENGINE.store(true, Relaxed);
    // SAFETY: by the caller.
    unsafe { Mpi::register(table.cast()) };
    attach();
}

/// The process is a processor of its machine; others only wait for the end.
pub fn is_processor() {
    IS_PROCESSOR.store(true, Relaxed);
}

/// From now on the library is called when MPI ends, if MPI has begun.
fn attach() {
    if let Some(mpi) = Mpi::known()
        && !ATTACHED.load(Relaxed)
    {
        ATTACHED.store(mpi.attach(), Relaxed);
    }
}

/// `cll_register_mpi`.
///
/// # Safety
/// `table` is null or one of `cll_mpi.h`, which stays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_register_mpi(table: *const MpiTable) {
    // SAFETY: by the caller.
    unsafe { Mpi::register(table) };
}

/// `cll_mpi_finalize`: called instead of `MPI_Finalize`, which is `here`.
#[unsafe(no_mangle)]
pub extern "C" fn cll_mpi_finalize(here: extern "C" fn() -> c_int) -> c_int {
    attach();
    mpi::finalize(here)
}

/// `cll_mpi_ends`: MPI_Finalize has been called, and has done nothing yet.
#[unsafe(no_mangle)]
pub extern "C" fn cll_mpi_ends() {
    if ENDED.swap(true, Relaxed) {
        return;
    }
    let Some(mpi) = Mpi::known() else { return };
    let Some((rank, size)) = mpi.place().filter(|&(_, size)| size > 1) else { return };
    match gather(mpi, rank, size) {
        Ok(()) => {}
        Err(Failed::Late) => Message::new()
            .text("processor ")
            .number(rank as u64)
            .text(" has waited for the others to gather their records, and not all came; each process keeps ")
            .text("the file that it has written (cll fit and cll export accept all of them; CLL_GATHER_WAIT=SECONDS waits longer)")
            .send(),
        Err(Failed::Mpi) => Message::new()
            .text("MPI could not gather the records; each process keeps the file that it has written ")
            .text("(cll fit and cll export accept all of them)")
            .send(),
    }
}

/// A flag of the report of each process before anything is gathered: the process has reached a `report`.
const REPORTS: u8 = 1;
/// A launcher takes away what it records.
const LAUNCHED: u8 = 2;
/// A region that is measured is open.
const OPEN: u8 = 4;
/// It gave up recording, and has given the reason.
const BROKEN: u8 = 8;
/// It is no processor of the BSP machine, so it comes to no `report`.
const WAITS: u8 = 16;

fn gather(mpi: Mpi, rank: usize, size: usize) -> Result<(), Failed> {
    let own = {
        let inside = Inside::enter();
        LIBRARY.lock(&inside).recording_state()
    };
    let timeout = Some(timeout());
    mpi.agree(timeout)?;
    let reports = mpi.share(&[flags(own)], size, timeout)?;
    let those = |flag: u8| -> Vec<usize> {
        (0..size).filter(|&process| reports[process] & flag != 0).collect()
    };
    if !those(LAUNCHED).is_empty() {
        return Ok(());
    }
    let by_engine = BY_ENGINE.load(Relaxed);
    if those(REPORTS).is_empty() {
        WITHOUT_REPORT.store(by_engine, Relaxed);
        return Ok(());
    }
    let never: Vec<usize> =
        (0..size).filter(|&process| reports[process] & (REPORTS | WAITS) == 0).collect();
    if !never.is_empty() {
        report(rank, &never, size, " never came to `report`", KEPT);
        return Ok(());
    }
    if !those(OPEN).is_empty() {
        let what = if by_engine {
            " ended the parallel part in a measured region"
        } else {
            " called MPI_Finalize in a measured region"
        };
        report(rank, &those(OPEN), size, what, KEPT);
        return Ok(());
    }
    report(
        rank,
        &those(BROKEN),
        size,
        " stopped recording",
        "; its records until then are gathered",
    );
    let part = {
        let inside = Inside::enter();
        LIBRARY.lock(&inside).conclude()
    };
    let path = part.path.as_deref().map(|path| Path::new(OsStr::from_bytes(path)));
    let length = match path.map(std::fs::metadata) {
        None => 0,
        Some(Ok(file)) => file.len(),
        Some(Err(_)) => u64::MAX,
    };
    let lengths = mpi.share(&length.to_ne_bytes(), size, None)?;
    let lengths: Vec<u64> = lengths
        .chunks_exact(8)
        .map(|length| u64::from_ne_bytes([0, 1, 2, 3, 4, 5, 6, 7].map(|i| length[i])))
        .collect();
    if let Some(lost) = lengths.iter().position(|&length| length == u64::MAX) {
        report(rank, &[lost], size, " no longer has the file that it has written", KEPT);
        return Ok(());
    }
    match rank {
        0 => MergedFile::gather(mpi, &part, &lengths),
        _ => merged_file::send_file(mpi, path, length),
    }
}

const KEPT: &str = ": nothing is gathered, each process keeps the file that it has written (cll fit and cll export accept all of them)";

fn flags(own: RecordingState) -> u8 {
    let flag = |holds: bool, flag: u8| if holds { flag } else { 0 };
    flag(REPORTED.load(Relaxed), REPORTS)
        | flag(own.launched, LAUNCHED)
        | flag(own.in_region, OPEN)
        | flag(own.broken, BROKEN)
        | flag(BY_ENGINE.load(Relaxed) && !IS_PROCESSOR.load(Relaxed), WAITS)
}

/// Processor 0 reports it for all.
fn report(rank: usize, processors: &[usize], total: usize, what: &str, then: &str) {
    const NAMED: usize = 8;
    if rank != 0 || processors.is_empty() {
        return;
    }
    let more = processors.len().saturating_sub(NAMED);
    let mut message =
        Message::new().text(if processors.len() == 1 { "processor " } else { "processors " });
    for (index, &processor) in processors.iter().take(NAMED).enumerate() {
        let last = more == 0 && index + 1 == processors.len();
        let between = match index {
            0 => "",
            _ if last => " and ",
            _ => ", ",
        };
        message = message.text(between).number(processor as u64);
    }
    if more > 0 {
        message = message.text(" and ").number(more as u64).text(" others");
    }
    message.text(" of ").number(total as u64).text(what).text(then).send();
}

fn timeout() -> Duration {
    sys::setting_or_none(&GATHER_WAIT).unwrap_or(Duration::from_secs(DEFAULT_WAIT_S))
}
