//! A processor that is killed, crashes, exits or loops, in every phase: all processors end within a
//! second, a message names the one that failed, the status is not 0, and nothing is left.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::Duration;

use crate::all::each;
use crate::build::{alone, loadable};
use crate::engines::{APART, in_turn, thinned};
use crate::machine::{Ended, Started};
use crate::support::Program;
use crate::surroundings::Surroundings;

/// The time until all processors have ended, after it is known that one has failed.
const A_SECOND: Duration = Duration::from_secs(1);

/// On a loaded machine a run may be late for that reason: then it is tried again.
const TRIES: usize = 3;

pub fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bsp/failures").join(name)
}

#[derive(Debug)]
struct Failure {
    engine: &'static str,
    phase: &'static str,
    way: &'static str,
    who: usize,
    processors: usize,
}

#[test]
fn every_failure_in_every_phase() {
    let program = alone(&source("failing.c"), &[]);
    let mut failures = Vec::new();
    let mut nth = 0;
    for processors in [2, 4] {
        let mut add = |phase, way, who| {
            nth += 1;
            // Two after the other with the same engine: first and last processor.
            let engines = in_turn(&APART, nth + nth / 2).into_iter();
            failures.extend(engines.map(|engine| Failure { engine, phase, way, who, processors }));
        };
        for phase in ["compute", "busy", "puts", "asleep", "end"] {
            for way in ["kill", "segv", "abort", "exit", "_exit", "loop", "stuck"] {
                add(phase, way, 0);
                add(phase, way, processors - 1);
            }
        }
        // exit before bsp_begin is permitted.
        for way in ["kill", "segv", "abort"] {
            add("before", way, 0);
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
    let mut started =
        machine.start_until("failing").map_err(|why| format!("{failure:?}: {why}"))?;
    let in_time = started.is_gone_within(A_SECOND);
    let (status, message) = started.end();
    if status.success() {
        return Err(format!("{failure:?}: its exit status is 0; it said {message:?}"));
    }
    if !is_reported(failure, &message) {
        return Err(format!("{failure:?}: this does not say who failed and how: {message:?}"));
    }
    Ok(if in_time {
        Ok(())
    } else {
        Err(format!("{failure:?}: not all had ended after {A_SECOND:?}"))
    })
}

/// Threads end together, whatever one of them does: the message comes before the end.
#[test]
fn a_thread_that_fails_is_named() {
    let program = loadable(&source("failing.c"), &["-DWITHOUT_INIT"]);
    let mut failures = Vec::new();
    for processors in [1, 4] {
        for phase in ["compute", "busy", "puts", "asleep", "end"] {
            for way in ["segv", "abort", "exit", "_exit"] {
                let who = processors - 1;
                failures.push(Failure { engine: "threads", phase, way, who, processors });
            }
        }
    }
    let surroundings = Surroundings::now();
    each(&failures, |failure| {
        let (phase, way, who, p) = (failure.phase, failure.way, failure.who, failure.processors);
        let mut machine = surroundings.machine(&program.path, failure.engine, p);
        machine.command.args([phase, way, &who.to_string()]);
        let ended = machine.run();
        let cause = match way {
            "segv" => "was killed by signal 11 (SIGSEGV); its last bsp_sync was at",
            "abort" => "was killed by signal 6 (SIGABRT); its last bsp_sync was at",
            "exit" => "the program ended before bsp_end, by exit()",
            _ => "the program ended before bsp_end, by _exit()",
        };
        let named = ended.messages.contains(&format!("processor {who} of {p}"));
        let known =
            named && ended.messages.contains(cause) && ended.messages.contains("failing.c:");
        if known && Ended::messages(&ended.messages) == 1 && !ended.status.success() {
            Ok(())
        } else {
            Err(format!("{failure:?}: {ended:?}"))
        }
    });
    surroundings.are_as_before();
}

/// Whether one message names the processor and what happened to it.
fn is_reported(failure: &Failure, message: &str) -> bool {
    if failure.phase == "before" {
        // There are no processors yet, and the system itself reports the end of a program.
        return Ended::messages(message) <= 1;
    }
    is_named((failure.way, failure.who), failure.processors, message)
}

/// The same, for a way to fail and a processor.
pub fn is_named((way, who): (&str, usize), processors: usize, message: &str) -> bool {
    let next = (who + 1) % processors;
    let (who, cause) = match way {
        "kill" => (who, "signal 9 (SIGKILL)"),
        "segv" => (who, "signal 11 (SIGSEGV)"),
        "abort" => (who, "signal 6 (SIGABRT)"),
        "exit" => (who, "before bsp_end"),
        "_exit" => (who, "status 3 before bsp_end"),
        "loop" => (next, "bsp_abort"),
        _ => (next, "signal 9 (SIGKILL)"),
    };
    let name = format!("processor {who} of {processors}");
    // Only its parent knows how the program's first process ended, if it asks first.
    let known = message.contains(cause) || who == 0 && message.contains("before bsp_end");
    Ended::messages(message) == 1 && message.contains(&name) && known
}

/// `working.c`, compiled once.
fn working() -> &'static Program {
    static PROGRAM: OnceLock<Program> = OnceLock::new();
    PROGRAM.get_or_init(|| alone(&source("working.c"), &[]))
}

/// A running machine.
fn at_work(surroundings: &Surroundings, engine: &str, processors: usize) -> Started {
    let machine = surroundings.machine(&working().path, engine, processors);
    machine.start_until("at work").unwrap()
}

/// Processes that are busy on one processor of this machine until they are dropped.
struct Busy(Vec<Child>);

impl Busy {
    fn on(processor: &str) -> Busy {
        let busy = |_| {
            let mut command = Command::new("taskset");
            command.args(["-c", processor, "sh", "-c", "while :; do :; done"]);
            command.spawn().expect("taskset of util-linux")
        };
        Busy((0..3).map(busy).collect())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
fn a_processor_that_gets_no_core_ends_with_its_status() {
    let program = alone(&source("starved.c"), &[]);
    let surroundings = Surroundings::now();
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
    let processor = allowed.trim().split([',', '-']).next().unwrap();
    let busy = Busy::on(processor);
    for _ in 0..3 {
        let mut machine = surroundings.machine(&program.path, "processes", 2);
        machine.command.arg(processor);
        let ended = machine.run();
        assert_eq!(ended.status.code(), Some(1), "{ended:?}");
        assert!(ended.messages.contains("bsp_abort was called by processor 1 of 2"), "{ended:?}");
    }
    drop(busy);
    surroundings.are_as_before();
}

#[test]
fn killed_at_any_moment() {
    let surroundings = Surroundings::now();
    let mut random = fastrand::Rng::with_seed(4);
    for engine in APART {
        for round in 0..30 {
            let processors = [2, 3, 5][round % 3];
            let mut started = at_work(&surroundings, engine, processors);
            let victims = started.processes();
            let victim = victims[random.usize(..victims.len())];
            sleep(Duration::from_micros(random.u64(0..3000)));
            started.signal(victim, libc::SIGKILL);
            let gone = started.is_gone_within(2 * A_SECOND);
            let (status, message) = started.end();
            let here = format!("{engine}, {processors} processors, round {round}: {message}");
            assert!(gone, "some are left: {here}");
            assert!(!status.success(), "status 0: {here}");
            assert_eq!(Ended::messages(&message), 1, "{here}");
        }
    }
    surroundings.are_as_before();
}

#[test]
fn all_killed_at_once() {
    let surroundings = Surroundings::now();
    for engine in APART {
        for round in 0..10 {
            let started = at_work(&surroundings, engine, 4);
            sleep(Duration::from_micros(300 * round));
            let (status, _) = started.end();
            assert!(!status.success());
        }
    }
    surroundings.are_as_before();
}

#[test]
fn requested_to_end() {
    let surroundings = Surroundings::now();
    for engine in APART {
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT] {
            let mut started = at_work(&surroundings, engine, 3);
            started.signal(started.first(), signal);
            let gone = started.is_gone_within(2 * A_SECOND);
            let (status, message) = started.end();
            assert!(gone && !status.success(), "{engine}, signal {signal}: {status:?} {message}");
        }
    }
    surroundings.are_as_before();
}
