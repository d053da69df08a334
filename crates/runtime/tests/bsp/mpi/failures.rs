//! A process that is killed, crashes, exits or loops: all end, a message names its processor, the
//! status is not 0, nothing is left.

use std::thread::sleep;
use std::time::Duration;

use super::mpis;
use crate::all::each;
use crate::build::alone;
use crate::engines;
use crate::failures::{is_named, source};
use crate::machine::Started;
use crate::surroundings::Surroundings;

const PHASES: [&str; 5] = ["compute", "busy", "puts", "asleep", "end"];
const WAYS: [&str; 7] = ["kill", "segv", "abort", "exit", "_exit", "loop", "stuck"];
const PROCESSORS: usize = 3;

/// The time in which launchers must end all; Open MPI's waits a second between its two signals.
const PATIENCE: Duration = Duration::from_secs(5);

/// On a loaded machine a run may be late for that reason: then it is tried again.
const TRIES: usize = 3;

#[test]
fn every_failure_on_mpi() {
    let mpis = mpis("every_failure_on_mpi");
    let program = alone(&source("failing.c"), &[]);
    let surroundings = Surroundings::now();
    let mut failures = Vec::new();
    for phase in PHASES {
        for way in WAYS {
            // Each failure with one MPI, and the first or last processor, in turn.
            let nth = failures.len();
            let who = (PROCESSORS - 1) * (nth / mpis.len().max(1) % 2);
            failures.extend(mpis.get(nth % mpis.len().max(1)).map(|mpi| (*mpi, phase, way, who)));
        }
    }
    // Of the seven ways, two MPIs and two processors each fifth one is another.
    each(&engines::thinned(failures, 5), |&(mpi, phase, way, who)| {
        let here = format!("{mpi}, {phase}, {way}, processor {who}");
        for round in 1.. {
            let mut machine = surroundings.machine(&program.path, mpi, PROCESSORS);
            machine.command.args([phase, way, &who.to_string()]);
            let mut started =
                machine.start_until("failing").map_err(|why| format!("{here}: {why}"))?;
            let in_time = started.is_gone_within(PATIENCE) && ends(&started);
            let (status, message) = started.end();
            if status.success() {
                return Err(format!("{here}: its exit status is 0; it said {message:?}"));
            }
            // If the launcher was faster, only it knows how the process has ended.
            let asked =
                message.replace("was killed, crashed or called _exit before bsp_end", &cause(way));
            if !is_named((way, who), PROCESSORS, &message)
                && !is_named((way, who), PROCESSORS, &asked)
            {
                return Err(format!("{here}: this does not say who failed and how: {message:?}"));
            }
            if in_time {
                break;
            }
            if round == TRIES {
                return Err(format!("{here}: not all had ended after {PATIENCE:?}"));
            }
        }
        Ok(())
    });
    surroundings.are_as_before();
}

/// The expected text.
fn cause(way: &str) -> String {
    match way {
        "segv" => "signal 11 (SIGSEGV)",
        "abort" => "signal 6 (SIGABRT)",
        "_exit" => "status 3 before bsp_end",
        _ => "signal 9 (SIGKILL)",
    }
    .to_owned()
}

/// Whether all its processes end; a launcher may end before the watching processes have reported.
fn ends(started: &Started) -> bool {
    // Counted in looks: on a busy machine each comes later.
    const LOOK: Duration = Duration::from_millis(20);
    (0..PATIENCE.div_duration_f64(LOOK) as u32).any(|_| {
        let gone = started.processes().is_empty();
        if !gone {
            sleep(LOOK);
        }
        gone
    })
}

#[test]
fn launchers_that_are_requested_to_end() {
    let mpis = mpis("launchers_that_are_requested_to_end");
    let program = alone(&source("working.c"), &[]);
    let surroundings = Surroundings::now();
    for mpi in mpis {
        for signal in [libc::SIGINT, libc::SIGTERM] {
            let machine = surroundings.machine(&program.path, mpi, PROCESSORS);
            let mut started = machine.start_until("at work").unwrap();
            started.signal(started.first(), signal);
            let gone = started.is_gone_within(PATIENCE) && ends(&started);
            let (status, message) = started.end();
            // MPICH's launcher may end with status 0 then, however the processes ended.
            let is_reported = !status.success() || !message.is_empty();
            assert!(gone && is_reported, "{mpi}, signal {signal}: {status:?} {message}");
        }
    }
    surroundings.are_as_before();
}
