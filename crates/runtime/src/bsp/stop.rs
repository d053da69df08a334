//! The early end of all processors.

use cll_bsp::Place;

use crate::mpi::launcher;
use crate::{objects, sys};

use super::context::{How, Stage, Start, stage};

/// Ends all processors; the first call gives the reason.
pub fn stop(text: &str) -> ! {
    let own = sys::pid();
    let first = match stage() {
        Stage::Inside(part) if part.process == own => part.processor.stop(),
        Stage::Before(Some(Start { how: How::Processes(member), .. })) => member.stop(),
        Stage::Before(Some(Start { how: How::Ranks(ranks), .. })) => ranks.stop(),
        _ => objects::stop().unwrap_or_else(|| {
            wait_for_the_first();
            true
        }),
    };
    if first {
        // An error cannot be reported anywhere.
        let _ = sys::write(2, format!("{text}\n").as_bytes());
        end(true);
    }
    leave()
}

/// Ends this processor, after another one has given the reason.
pub fn leave() -> ! {
    let is_thread = matches!(stage(), Stage::Inside(part) if part.thread.is_some());
    if is_thread || objects::is_thread() {
        // If this thread ended the process, all would end. The thread that reports the reason does that.
        sys::sleep_ns(1_000_000_000);
    }
    end(false)
}

/// If MPI has started several processes that do not know of each other yet, mostly all of them make the same
/// error. The launcher ends the others when the first has ended.
fn wait_for_the_first() {
    if launcher().is_some_and(|launcher| launcher.rank > 0) {
        sys::sleep_ns(300_000_000);
    }
}

fn end(first: bool) -> ! {
    // SAFETY: all streams: the output of the program is written first.
    unsafe { libc::fflush(std::ptr::null_mut()) };
    match stage() {
        Stage::Inside(part) if part.process == sys::pid() => part.processor.before_exit(first),
        Stage::Before(Some(Start { how: How::Ranks(ranks), .. })) => ranks.before_exit(first),
        _ => objects::before_exit(first),
    }
    sys::end_process(1)
}

/// ` at FILE:LINE`, if known.
pub fn location(place: &Place) -> String {
    match place.file() {
        Some(_) => format!(" at {place}"),
        None => String::new(),
    }
}

/// `processor 2 of 4: `, if there are processors.
pub fn who() -> String {
    match stage() {
        Stage::Inside(part) => {
            let (pid, nprocs) = (part.processor.pid(), part.processor.nprocs());
            format!("processor {pid} of {nprocs}: ")
        }
        _ => objects::processor()
            .map_or(String::new(), |(pid, nprocs)| format!("processor {pid} of {nprocs}: ")),
    }
}
