//! With small limits of the system a program runs with less, or a message says what is missing.

use std::io;
use std::os::unix::process::CommandExt;

use crate::build::loadable;
use crate::engines::ENGINES;
use crate::machine::Ended;
use crate::stated::situations;
use crate::surroundings::Surroundings;

/// Runs a program of four processors with a limit for a resource, on each engine.
fn limited(resource: libc::__rlimit_resource_t, most: u64) -> Vec<Ended> {
    let program = loadable(&situations().join("runs/begin_in_main.c"), &[]);
    let surroundings = Surroundings::now();
    let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
    // SAFETY: a plain call with a value of our own.
    let set = move || match unsafe { libc::setrlimit(resource, &raw const limit) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    };
    let run = |engine: &str| {
        let mut machine = surroundings.machine(&program.path, engine, 4);
        // SAFETY: a system call alone.
        unsafe { machine.command.pre_exec(set) };
        machine.run()
    };
    let ended = ENGINES.map(run);
    surroundings.are_as_before();
    ended.into()
}

const RIGHT: &str = "4 processors\nsum 6\ngoes on\n";

fn runs(resource: libc::__rlimit_resource_t, most: u64) {
    for ended in limited(resource, most) {
        assert!(ended.is_well() && ended.output == RIGHT, "{ended:?}");
    }
}

#[test]
fn little_address_space() {
    runs(libc::RLIMIT_AS, 2 << 30);
}

#[test]
fn little_stack() {
    runs(libc::RLIMIT_STACK, 256 << 10);
}

#[test]
fn few_descriptors() {
    for ended in limited(libc::RLIMIT_NOFILE, 6) {
        let reported =
            ended.status.code() == Some(1) && ended.messages.contains("Too many open files");
        assert!(ended.is_well() && ended.output == RIGHT || reported, "{ended:?}");
    }
}

#[test]
fn too_little_address_space() {
    for ended in limited(libc::RLIMIT_AS, 60 << 20) {
        assert_eq!(ended.status.code(), Some(1), "{ended:?}");
        assert!(
            Ended::messages(&ended.messages) == 1 && ended.messages.contains("memory"),
            "{ended:?}"
        );
    }
}

/// The memory that processes share is a file for the system, even if only in memory.
#[test]
fn small_files_only() {
    let ended = &limited(libc::RLIMIT_FSIZE, 1 << 20)[0];
    assert_eq!(ended.status.code(), Some(1), "{ended:?}");
    assert!(ended.messages.contains("ulimit -f"), "{ended:?}");
}
