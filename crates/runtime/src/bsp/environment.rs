//! Settings of the machine in the environment: the number of processors, the engine.

use std::sync::Arc;
use std::time::Duration;

use cll_bsp::virtuals::{Costs, Virtual, private_cache};
use cll_contract::{self as contract, ParametersOf, ValueKind, Variable, WrongValue};

use crate::mpi::{Launcher, launcher};
use crate::sys;

use super::call::Call;

/// Default of `CLL_DEADLOCK`: a longer wait of all processors is a deadlock.
const DEADLOCK: Duration = Duration::from_secs(10);

/// The maximal number of processors.
pub fn processors(call: Call) -> usize {
    let requested = requested_processors(call);
    match engine(call) {
        Engine::Mpi(launcher) => {
            requested.map_or(launcher.ranks, |requested| requested.min(launcher.ranks))
        }
        _ => requested.unwrap_or_else(cores),
    }
}

fn requested_processors(call: Call) -> Option<usize> {
    let requested = sys::setting(&contract::NPROCS).unwrap_or_else(|WrongValue(text)| {
        call.fail_with(
            format_args!("CLL_NPROCS={} is not a number of processors", text.escape_ascii()),
            "a number of at least 1, such as CLL_NPROCS=4; cll run -n 4 sets it",
        )
    });
    requested.map(|count| count as usize)
}

/// The cores that this process may use.
fn cores() -> usize {
    // SAFETY: the set is plain data, and its size is passed.
    let allowed = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        match libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) {
            0 => libc::CPU_COUNT(&set) as usize,
            _ => 0,
        }
    };
    match allowed {
        // There are more than the set has room for.
        0 => std::thread::available_parallelism().map_or(1, |count| count.get()),
        allowed => allowed,
    }
}

/// With `CLL_BIND=1`: binds this process to its own core, if there is one for each processor. Otherwise
/// processes that begin together may share a core for a while, with another core idle.
pub fn bind(number: usize, count: usize) {
    if sys::setting_or_none(&contract::BIND) != Some(true) || count > cores() {
        return;
    }
    // SAFETY: the sets are plain data, and their size is passed; numbers are below the capacity of a set.
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
        // If it fails nothing changes.
        libc::sched_setaffinity(0, size_of_val(&set), &set);
    }
}

/// After how long a wait of all processors counts as a deadlock; `None`: never.
pub fn deadlock_limit(call: Call) -> Option<Duration> {
    let limit = sys::setting(&contract::DEADLOCK).unwrap_or_else(|WrongValue(text)| {
        call.fail_with(
            format_args!("CLL_DEADLOCK={} is not a number of seconds", text.escape_ascii()),
            "a number such as 10 or 0.5; 0 waits for ever",
        )
    });
    let limit = limit.unwrap_or(DEADLOCK);
    (!limit.is_zero()).then_some(limit)
}

/// How the processors run and communicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Each processor is a process.
    Processes,
    /// Each is a thread with a copy of the program.
    Threads,
    /// Each is a process that computes in turns with the others and has a virtual clock.
    Virtual,
    /// Each is a process that this launcher of MPI has started.
    Mpi(Launcher),
}

impl Engine {
    /// The name, as in `CLL_ENGINE`.
    pub fn name(&self) -> &'static str {
        match self {
            Engine::Processes => contract::Engine::Processes,
            Engine::Threads => contract::Engine::Threads,
            Engine::Virtual => contract::Engine::Virtual,
            Engine::Mpi(_) => contract::Engine::Mpi,
        }
        .name()
    }
}

/// The requested engine. Without a request, a process that a launcher of MPI has started uses MPI.
pub fn engine(call: Call) -> Engine {
    match sys::setting(&contract::ENGINE) {
        Ok(None) => launcher().map_or(Engine::Processes, Engine::Mpi),
        Ok(Some(contract::Engine::Processes)) => Engine::Processes,
        Ok(Some(contract::Engine::Threads)) => Engine::Threads,
        Ok(Some(contract::Engine::Virtual)) => Engine::Virtual,
        Ok(Some(contract::Engine::Mpi)) => match launcher() {
            Some(launcher) => Engine::Mpi(launcher),
            None => call.fail_with(
                "CLL_ENGINE=mpi, but no launcher of MPI has started this program",
                "mpirun -n 4 PROGRAM, or cll run -n 4 --engine mpi PROGRAM",
            ),
        },
        Err(WrongValue(other)) => call.fail_with(
            format_args!("CLL_ENGINE={}: there is no such engine", other.escape_ascii()),
            "the engines are processes, threads, virtual and mpi; without CLL_ENGINE it is mpi under mpirun, else \
             processes",
        ),
    }
}

/// How virtual processors run.
pub fn virtually(call: Call) -> Virtual {
    let cores = requested(
        call,
        &contract::CORES,
        "number of cores",
        "a number of at least 1, such as CLL_CORES=1; cll run --cores 1 sets it",
    );
    let costs =
        requested(call, &contract::COSTS, "table of costs", "cll run --machine FILE sets it");
    let contention = requested(
        call,
        &contract::CONTENTION,
        "factor",
        "a number above 0, such as 1.2; cll run --contention 1.2 sets it",
    );
    let alone = requested(
        call,
        &contract::ALONE,
        "number of phases",
        "a number such as 8; cll run --alone 8 sets it",
    );
    let memory = requested(
        call,
        &contract::MEMORY,
        "number of bytes",
        "a number such as 1000000000; cll run --memory 1G sets it",
    );
    let cache = requested(
        call,
        &contract::CACHE,
        "number of bytes",
        "a number such as 1000000; cll run --cache 1M sets it",
    );
    let overcommits = sys::setting_or_none(&contract::OVERCOMMIT) == Some(true);
    let callbacks = Some(crate::pauses::CALLBACKS);
    Virtual {
        cores: cores.map_or_else(self::cores, |cores| cores as usize),
        costs: Arc::new(costs.map(Costs::from).unwrap_or_default()),
        contention: contention.unwrap_or(1.0),
        alone: alone.unwrap_or(0),
        cache: cache.or_else(private_cache).unwrap_or(0),
        memory,
        overcommits,
        callbacks,
    }
}

/// The value of a variable; for an invalid value the program ends with a message.
fn requested<K: ValueKind>(
    call: Call,
    variable: &Variable<K>,
    what: &str,
    help: &str,
) -> Option<K::Value<'static>> {
    sys::setting(variable).unwrap_or_else(|WrongValue(text)| {
        let (name, text) = (variable.name(), text.escape_ascii());
        call.fail_with(format_args!("{name}={text} is not a {what}"), help)
    })
}

/// The parameters of the machine, if they are given.
pub fn parameters() -> Result<Option<Vec<ParametersOf>>, WrongValue<'static>> {
    sys::setting(&contract::PARAMETERS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_core() {
        let most = std::fs::read_to_string("/proc/cpuinfo").unwrap().matches("processor").count();
        assert!((1..=most.max(1)).contains(&cores()));
    }
}
