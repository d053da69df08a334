//! The maximal number of processors without `CLL_NPROCS`: the cores of the process.

use std::os::unix::process::CommandExt;

use crate::build::loadable;
use crate::engines::ENGINES;
use crate::stated::situations;
use crate::surroundings::Surroundings;

/// Binds the process, and what it starts, to one core.
fn take_one_core() -> std::io::Result<()> {
    // SAFETY: plain calls with a set of our own.
    unsafe {
        let mut cores: libc::cpu_set_t = std::mem::zeroed();
        if libc::sched_getaffinity(0, size_of_val(&cores), &raw mut cores) < 0 {
            return Err(std::io::Error::last_os_error());
        }
        let first = (0..libc::CPU_SETSIZE as usize).find(|core| libc::CPU_ISSET(*core, &cores));
        libc::CPU_ZERO(&mut cores);
        libc::CPU_SET(first.unwrap_or(0), &mut cores);
        match libc::sched_setaffinity(0, size_of_val(&cores), &raw const cores) {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        }
    }
}

#[test]
fn the_cores_that_the_program_may_use() {
    let program = loadable(&situations().join("runs/more_than_there_are.c"), &[]);
    let surroundings = Surroundings::now();
    let cores = std::thread::available_parallelism().unwrap().get();
    for engine in ENGINES {
        for (one_core, expected) in [(false, cores), (true, 1)] {
            let mut machine = surroundings.machine(&program.path, engine, 1);
            machine.command.env_remove("CLL_NPROCS");
            if one_core {
                // SAFETY: system calls alone.
                unsafe { machine.command.pre_exec(take_one_core) };
            }
            let ended = machine.run();
            assert!(ended.is_well(), "{ended:?}");
            assert_eq!(ended.output, format!("{expected} processors\n"));
        }
    }
    surroundings.are_as_before();
}

#[test]
fn a_number_that_is_none() {
    let program = loadable(&situations().join("runs/more_than_there_are.c"), &[]);
    let surroundings = Surroundings::now();
    for wrong in ["0", "-1", "two", "99999999999"] {
        let mut machine = surroundings.machine(&program.path, ENGINES[0], 1);
        machine.command.env("CLL_NPROCS", wrong);
        let ended = machine.run();
        assert_eq!(ended.status.code(), Some(1), "{wrong:?}: {ended:?}");
        assert!(ended.messages.contains("CLL_NPROCS"), "{wrong:?}: {ended:?}");
    }
    surroundings.are_as_before();
}
