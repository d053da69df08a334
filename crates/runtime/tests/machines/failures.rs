//! A processor that is killed, crashes, exits or loops, in every phase: all processors end within a second, a
//! message names the one that failed, the status is not 0, and nothing is left. After `bsplib_done` each is
//! independent.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::all::each;
use crate::build::alone;
use crate::engines::thinned;
use crate::machine::Ended;
use crate::support::Program;
use crate::surroundings::Surroundings;
use crate::ways_apart;

/// The time until all processors have ended, after it is known that one has failed.
const A_SECOND: Duration = Duration::from_secs(1);

/// On a loaded machine a run may be late for that reason: then it is tried again.
const TRIES: usize = 3;

#[derive(Debug)]
struct Failure {
    engine: &'static str,
    start: &'static str,
    phase: &'static str,
    way: &'static str,
    who: usize,
    processors: usize,
}

#[test]
fn every_failure_in_every_phase() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/machines/failures");
    let program = alone(&folder.join("failing.c"), &[]);
    let mut failures = Vec::new();
    for ((engine, start), processors) in ways_apart().zip([2, 4, 2, 4]) {
        for phase in ["sync", "oblsync", "part", "busy", "sends", "asleep", "end"] {
            for way in ["kill", "segv", "abort", "exit", "_exit", "loop", "stuck"] {
                for who in [0, processors - 1] {
                    failures.push(Failure { engine, start, phase, way, who, processors });
                }
            }
        }
    }
    let surroundings = Surroundings::now();
    each(&thinned(failures, 5), |failure| {
        let mut late = String::new();
        for _ in 0..TRIES {
            match fails(&program, &surroundings, failure)? {
                Ok(()) => return Ok(()),
                Err(why) => late = why,
            }
        }
        Err(late)
    });
    surroundings.are_as_before();
}

/// Lets it fail. Returns a permanent error, or one of time only.
fn fails(
    program: &Program,
    surroundings: &Surroundings,
    failure: &Failure,
) -> Result<Result<(), String>, String> {
    let mut machine = surroundings.machine(&program.path, failure.engine, failure.processors);
    machine.command.args([failure.phase, failure.way, &failure.who.to_string()]);
    machine.command.env("CLL_START", failure.start);
    let mut started =
        machine.start_until("failing").map_err(|why| format!("{failure:?}: {why}"))?;
    let in_time = started.is_gone_within(A_SECOND);
    let (status, message) = started.end();
    if status.success() {
        return Err(format!("{failure:?}: its exit status is 0; it said {message:?}"));
    }
    if !is_named(failure, &message) {
        return Err(format!("{failure:?}: this does not say who failed and how: {message:?}"));
    }
    Ok(if in_time {
        Ok(())
    } else {
        Err(format!("{failure:?}: not all had ended after {A_SECOND:?}"))
    })
}

/// Whether one message names the processor and what happened to it.
fn is_named(failure: &Failure, message: &str) -> bool {
    let Failure { way, who, processors, .. } = *failure;
    let next = (who + 1) % processors;
    let (who, cause) = match way {
        "kill" => (who, "signal 9 (SIGKILL)"),
        "segv" => (who, "signal 11 (SIGSEGV)"),
        "abort" => (who, "signal 6 (SIGABRT)"),
        "exit" => (who, "before bsplib_done"),
        "_exit" => (who, "status 3 before bsplib_done"),
        "loop" => (next, "bsp_abort"),
        _ => (next, "signal 9 (SIGKILL)"),
    };
    let name = format!("processor {who} of {processors}");
    // Only its parent knows how the program's first process ended, if it asks first.
    let known = message.contains(cause) || who == 0 && message.contains("before bsplib_done");
    Ended::messages(message) == 1 && message.contains(&name) && known
}

#[test]
fn a_crash_after_the_end_is_reported_and_counts_and_the_others_continue() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("crashes.c");
    let text = "#include <pub.h>\n#include <signal.h>\n#include <unistd.h>\nint main(void)\n{\n\
                t_bsp bsp; int me;\nbsplib_init(BSPLIB_STDPARAMS, &bsp);\nme = bsp_pid(&bsp);\n\
                bsplib_done();\nif (me == 1)\n    raise(SIGSEGV);\nusleep(100000);\n\
                printf(\"%d\\n\", me);\nreturn 0;\n}\n";
    fs::write(&source, text).unwrap();
    let program = alone(&source, &[]);
    let surroundings = Surroundings::now();
    let ended = surroundings.machine(&program.path, "processes", 3).run();
    let mut lines: Vec<&str> = ended.output.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["0", "2"], "{ended:?}");
    assert_eq!(ended.status.code(), Some(128 + 11), "{ended:?}");
    let cause = "was killed by signal 11 (SIGSEGV) after bsplib_done";
    assert!(
        ended.messages.contains("processor 1 of 3") && ended.messages.contains(cause),
        "{ended:?}"
    );
    surroundings.are_as_before();
}

#[test]
fn a_first_process_that_ends_at_once_leaves_the_others_to_their_end() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("leaves.c");
    let text = "#include <pub.h>\n#include <unistd.h>\nint main(void)\n{\nt_bsp bsp; int me;\n\
                bsplib_init(BSPLIB_STDPARAMS, &bsp);\nme = bsp_pid(&bsp);\nbsplib_done();\n\
                if (me == 0)\n    _exit(0);\nusleep(200000);\nprintf(\"%d\\n\", me);\nreturn 0;\n}\n";
    fs::write(&source, text).unwrap();
    let program = alone(&source, &[]);
    let surroundings = Surroundings::now();
    let ended = surroundings.machine(&program.path, "processes", 3).run();
    let mut lines: Vec<&str> = ended.output.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["1", "2"], "{ended:?}");
    surroundings.are_as_before();
}
