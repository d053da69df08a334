//! What the environment says of the machine: how many processors, carried by which engine.

use std::ffi::CStr;
use std::sync::Arc;
use std::time::Duration;

use cll_bsp::virtuals::{Costs, Virtual, private_cache};

use crate::mpi::{Launcher, launcher};
use crate::sys;

use super::call::Call;

/// How many processors there can be.
pub fn processors(call: Call) -> usize {
    let asked = asked(call);
    match engine(call) {
        Engine::Mpi(launcher) => asked.map_or(launcher.ranks, |asked| asked.min(launcher.ranks)),
        _ => asked.unwrap_or_else(cores),
    }
}

fn asked(call: Call) -> Option<usize> {
    match sys::variable(c"CLL_NPROCS") {
        None | Some(b"") => None,
        Some(text) => Some(number(text).unwrap_or_else(|| {
            call.fail_with(
                format_args!("CLL_NPROCS={} is no number of processors", text.escape_ascii()),
                "a number from 1 on, such as CLL_NPROCS=4; cll run -n 4 sets it",
            )
        })),
    }
}

fn number(text: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(text).ok()?.trim();
    text.parse().ok().filter(|&count| (1..=i32::MAX as usize).contains(&count))
}

/// The processor cores that this process may use.
fn cores() -> usize {
    // SAFETY: the set is plain data, and its size is told.
    let allowed = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        match libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) {
            0 => libc::CPU_COUNT(&set) as usize,
            _ => 0,
        }
    };
    match allowed {
        // More of them than the set has room for.
        0 => std::thread::available_parallelism().map_or(1, |count| count.get()),
        allowed => allowed,
    }
}

/// With `CLL_BIND=1`: this process keeps to a core of its own from here on, if there is one for each
/// processor. Processes that begin together may else share a core for a while, with another one idle.
pub fn bind(number: usize, count: usize) {
    if sys::variable(c"CLL_BIND") != Some(b"1") || count > cores() {
        return;
    }
    // SAFETY: the sets are plain data, and their size is told; numbers are below what a set has room for.
    unsafe {
        let mut allowed: libc::cpu_set_t = std::mem::zeroed();
        if libc::sched_getaffinity(0, size_of_val(&allowed), &mut allowed) != 0 {
            return;
        }
        let mut cores =
            (0..libc::CPU_SETSIZE as usize).filter(|&core| libc::CPU_ISSET(core, &allowed));
        let Some(own) = cores.nth(number) else { return };
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(own, &mut set);
        // Without it everything is as it was.
        libc::sched_setaffinity(0, size_of_val(&set), &set);
    }
}

/// After how long a wait of all processors is a deadlock; `None`: never.
pub fn deadlock_limit(call: Call) -> Option<Duration> {
    let text = match sys::variable(c"CLL_DEADLOCK") {
        None | Some(b"") => return Some(Duration::from_secs(10)),
        Some(text) => text,
    };
    let limit = seconds(text).unwrap_or_else(|| {
        call.fail_with(
            format_args!("CLL_DEADLOCK={} is no number of seconds", text.escape_ascii()),
            "a number such as 10 or 0.5; 0 waits for ever",
        )
    });
    (!limit.is_zero()).then_some(limit)
}

fn seconds(text: &[u8]) -> Option<Duration> {
    let seconds: f64 = std::str::from_utf8(text).ok()?.trim().parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// What carries the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Each processor is a process.
    Processes,
    /// Each is a thread with a copy of the program.
    Threads,
    /// Each is a process that computes in turns with the others, by a clock of its own.
    Virtual,
    /// Each is a process that this launcher of MPI's has started.
    Mpi(Launcher),
}

/// The engine that is asked for; what a launcher of MPI's has started runs on MPI without being asked.
pub fn engine(call: Call) -> Engine {
    match sys::variable(c"CLL_ENGINE") {
        None | Some(b"") => launcher().map_or(Engine::Processes, Engine::Mpi),
        Some(b"processes") => Engine::Processes,
        Some(b"threads") => Engine::Threads,
        Some(b"virtual") => Engine::Virtual,
        Some(b"mpi") => match launcher() {
            Some(launcher) => Engine::Mpi(launcher),
            None => call.fail_with(
                "CLL_ENGINE=mpi, but no launcher of MPI's has started this program",
                "mpirun -n 4 PROGRAM, or cll run -n 4 --engine mpi PROGRAM",
            ),
        },
        Some(other) => call.fail_with(
            format_args!("CLL_ENGINE={}: there is no such engine", other.escape_ascii()),
            "the engines are processes, threads, virtual and mpi; without CLL_ENGINE it is mpi under mpirun, else \
             processes",
        ),
    }
}

/// How virtual processors run.
pub fn virtually(call: Call) -> Virtual {
    let cores = match sys::variable(c"CLL_CORES") {
        None | Some(b"") => cores(),
        Some(text) => number(text).unwrap_or_else(|| {
            call.fail_with(
                format_args!("CLL_CORES={} is no number of cores", text.escape_ascii()),
                "a number from 1 on, such as CLL_CORES=1; cll run --cores 1 sets it",
            )
        }),
    };
    let costs = match sys::variable(c"CLL_COSTS") {
        None | Some(b"") => Costs::default(),
        Some(text) => {
            let costs = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
            costs.unwrap_or_else(|| {
                call.fail_with(
                    format_args!("CLL_COSTS={} is no table of costs", text.escape_ascii()),
                    "cll run --machine FILE sets it",
                )
            })
        }
    };
    let contention = match sys::variable(c"CLL_CONTENTION") {
        None | Some(b"") => 1.0,
        Some(text) => factor(text).unwrap_or_else(|| {
            call.fail_with(
                format_args!("CLL_CONTENTION={} is no factor", text.escape_ascii()),
                "a number above 0, such as 1.2; cll run --contention 1.2 sets it",
            )
        }),
    };
    let alone = match sys::variable(c"CLL_ALONE") {
        None | Some(b"" | b"0") => 0,
        Some(text) => number(text).unwrap_or_else(|| {
            call.fail_with(
                format_args!("CLL_ALONE={} is no number of phases", text.escape_ascii()),
                "a number such as 8; cll run --alone 8 sets it",
            )
        }),
    };
    let bytes = |name: &'static CStr, help: &str| match sys::variable(name) {
        None | Some(b"") => None,
        Some(text) => {
            let size = std::str::from_utf8(text).ok().and_then(|text| text.trim().parse().ok());
            Some(size.unwrap_or_else(|| {
                let (name, text) = (name.to_string_lossy(), text.escape_ascii());
                call.fail_with(format_args!("{name}={text} is no number of bytes"), help)
            }))
        }
    };
    let memory = bytes(c"CLL_MEMORY", "a number such as 1000000000; cll run --memory 1G sets it");
    let cache = bytes(c"CLL_CACHE", "a number such as 1000000; cll run --cache 1M sets it");
    let cache = cache.or_else(private_cache).unwrap_or(0);
    let overcommits = !matches!(sys::variable(c"CLL_OVERCOMMIT"), None | Some(b"" | b"0"));
    let watch = Some(crate::pauses::WATCH);
    Virtual {
        cores,
        costs: Arc::new(costs),
        contention,
        alone: alone as u32,
        cache,
        memory,
        overcommits,
        watch,
    }
}

/// What is known of the machine, if anything is: see [`super::parameters`].
pub fn parameters() -> Option<&'static [u8]> {
    sys::variable(c"CLL_PARAMETERS").filter(|text| !text.is_empty())
}

fn factor(text: &[u8]) -> Option<f64> {
    let factor: f64 = std::str::from_utf8(text).ok()?.trim().parse().ok()?;
    (factor.is_finite() && factor > 0.0).then_some(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_processors_are_above_zero() {
        assert_eq!(number(b"4"), Some(4));
        assert_eq!(number(b" 17\n"), Some(17));
        for wrong in [&b""[..], b"0", b"-1", b"4x", b"two", b"99999999999", b"\xFF"] {
            assert_eq!(number(wrong), None, "{}", wrong.escape_ascii());
        }
    }

    #[test]
    fn times_are_seconds_or_parts_of_them() {
        assert_eq!(seconds(b"10"), Some(Duration::from_secs(10)));
        assert_eq!(seconds(b" 0.5\n"), Some(Duration::from_millis(500)));
        assert_eq!(seconds(b"0"), Some(Duration::ZERO));
        for wrong in [&b""[..], b"-1", b"ten", b"10s", b"nan", b"inf"] {
            assert_eq!(seconds(wrong), None, "{}", wrong.escape_ascii());
        }
    }

    #[test]
    fn there_is_a_core() {
        let most = std::fs::read_to_string("/proc/cpuinfo").unwrap().matches("processor").count();
        assert!((1..=most.max(1)).contains(&cores()));
    }
}
