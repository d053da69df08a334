//! The command for a program: a pure function of options, program and host.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use cll_contract::{
    BIND, ENGINE, Engine, LAUNCHER, LOG, NPROCS, OUT, RUN, SHM_FD, START, Setting, Start,
};

use super::Parallelism;
use super::host::{Host, Mpi};

/// The number of OpenMP threads.
const THREADS: &str = "OMP_NUM_THREADS";
/// Whether OpenMP threads are bound.
const THREADS_BIND: &str = "OMP_PROC_BIND";

/// Options of a launch.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Number of processors. `None`: the default of the program or of its launcher.
    pub processors: Option<u32>,
    /// The engine of a BSP program. `None`: the program chooses.
    pub engine: Option<Engine>,
    /// Whether supersteps or MPI calls are logged.
    pub logged: bool,
    /// Whether the program, its processors and its launcher are ended when this process ends, for any reason.
    pub attached: bool,
    /// Whether each processor is bound to a core, unless the host's variables say otherwise.
    pub bound: bool,
    /// The cores for it, by number, at least as many as processors. `None`: all of the host.
    pub cpus: Option<Vec<usize>>,
    /// Variables computed by other modules.
    pub settings: Vec<Setting>,
    /// Variables of the user, which override all others.
    pub variables: Vec<(String, OsString)>,
    /// The command before the program.
    pub before: Vec<OsString>,
    /// The arguments.
    pub arguments: Vec<OsString>,
}

/// The program to launch.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    /// The executable.
    pub path: &'a Path,
    /// How its processors run.
    pub parallelism: Parallelism,
    /// Whether MPI processes have OpenMP threads.
    pub has_threads: bool,
}

/// The command, its environment and its cores.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Launch {
    /// The words of the command.
    pub command: Command,
    /// Variables to set; the last one of a name counts.
    pub environment: Vec<(String, OsString)>,
    /// Variables to remove.
    pub without: Vec<&'static str>,
    /// The cores.
    pub binding: Binding,
}

/// The words of a command.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Command {
    /// The words before the program.
    pub before: Vec<OsString>,
    /// The executable.
    pub program: PathBuf,
    /// The arguments.
    pub arguments: Vec<OsString>,
}

/// The cores of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Binding {
    /// The cores, by number. `None`: all of the host.
    pub cpus: Option<Vec<usize>>,
    /// Whether each of its processes binds itself to one of them.
    pub binds: bool,
}

/// Where the processes of a launch record.
#[derive(Clone, Copy, Debug)]
pub enum Recording<'a> {
    /// In shared memory, with this descriptor.
    Memory(i32),
    /// In files in a folder, with this number of the run.
    Files(&'a Path, u32),
    /// In files in a folder; the processes choose the number.
    LaunchMember(&'a Path),
}

/// The launch of a program.
///
/// The host's launcher starts MPI processes, and processors of a BSP program on MPI. If it has none, others have
/// started this process as one of several.
pub fn launch(options: &Options, program: &Program<'_>, host: &Host<'_>) -> Launch {
    let environment = environment(options, program, host);
    let has_bound_threads =
        environment.iter().any(|(name, _)| name == THREADS_BIND) || host.has(THREADS_BIND);
    let binding = binding(options, program, has_bound_threads);
    let is_mpi = program.parallelism == Parallelism::Ranks || options.engine == Some(Engine::Mpi);
    let mut before = match &host.mpi {
        Some(mpi) if is_mpi => starter(options, program, host, mpi, &environment, &binding),
        _ => Vec::new(),
    };
    before.extend(options.before.iter().cloned());
    let command = Command {
        before,
        program: program.path.to_path_buf(),
        arguments: options.arguments.clone(),
    };
    Launch { command, environment, without: Vec::new(), binding }
}

fn environment(
    options: &Options,
    program: &Program<'_>,
    host: &Host<'_>,
) -> Vec<(String, OsString)> {
    let Program { parallelism, .. } = *program;
    let is_bsp = matches!(parallelism, Parallelism::Bsp | Parallelism::Objects);
    let is_free = |name: &str| !host.has(name);
    let mut all: Vec<Setting> = options.settings.clone();
    if let Some(processors) = options.processors {
        all.extend(parallelism.variable().map(|name| (name, processors.to_string().into())));
        if options.bound && is_bsp && is_free(BIND.name()) {
            all.push(BIND.set(true));
        }
        if options.bound
            && parallelism == Parallelism::Ranks
            && program.has_threads
            && is_free(THREADS)
        {
            // The cores are divided among the processes.
            let each = (host.cores / processors.max(1)).max(1);
            all.push((THREADS, each.to_string().into()));
        }
        if parallelism == Parallelism::Threads && options.cpus.is_some() && is_free(THREADS_BIND) {
            all.push((THREADS_BIND, "true".into()));
        }
    }
    if options.attached && is_bsp {
        // All its processors are to end with this process.
        all.push(LAUNCHER.set(host.process));
    }
    let begins = options.attached || options.processors.is_some();
    if begins && parallelism == Parallelism::Objects && is_free(START.name()) {
        // All its processors are to run main.
        all.push(START.set(Start::Exec));
    }
    all.extend(options.engine.map(|engine| ENGINE.set(engine)));
    if options.logged {
        all.push(LOG.set(true));
    }
    let all = all.into_iter().map(|(name, value)| (name.to_owned(), value));
    all.chain(options.variables.iter().cloned()).collect()
}

/// The last cores, one for each processor.
fn binding(options: &Options, program: &Program<'_>, has_bound_threads: bool) -> Binding {
    let fewer = |cpus: &Vec<usize>| {
        let count = options.processors.filter(|_| !program.has_threads);
        let count = count.map_or(cpus.len(), |count| count as usize);
        cpus[cpus.len().saturating_sub(count)..].to_vec()
    };
    Binding {
        cpus: options.cpus.as_ref().map(fewer),
        // OpenMP binds the first thread of the process, too.
        binds: program.parallelism != Parallelism::Threads || has_bound_threads,
    }
}

/// The command that starts MPI processes.
fn starter(
    options: &Options,
    program: &Program<'_>,
    host: &Host<'_>,
    mpi: &Mpi<'_>,
    environment: &[(String, OsString)],
    binding: &Binding,
) -> Vec<OsString> {
    let mpirun = match mpi {
        Mpi::Mpirun(mpirun) => mpirun,
        Mpi::Srun(srun) => {
            let count = options.processors.map(|count| count.to_string());
            return srun.words(count.as_deref());
        }
    };
    let own = environment.iter().map(|(name, _)| OsString::from(name));
    let own = own.chain([OUT.name().into(), RUN.name().into()]);
    let mut names: Vec<OsString> = own.chain(host.ours().cloned()).collect();
    names.sort();
    names.dedup();
    let mut words = if options.attached { host.tied_to_us(mpirun.signal()) } else { Vec::new() };
    words.extend(mpirun.words(options.processors, &names, &host.job));
    if options.bound && program.parallelism == Parallelism::Ranks {
        // Threads of a process must not share one processor.
        let cpus = binding.cpus.as_deref().filter(|_| !program.has_threads);
        words.extend(mpirun.binding(cpus.unwrap_or_default()));
    }
    words
}

impl Launch {
    /// The same launch, recording there. Variables of the user override these, too.
    pub fn recording(mut self, recording: Recording<'_>) -> Launch {
        let text = |(name, value): Setting| (name.to_owned(), value);
        let (own, without) = match recording {
            Recording::Memory(descriptor) => (vec![SHM_FD.set(descriptor)], vec![]),
            Recording::Files(folder, run) => {
                (vec![OUT.set(folder), RUN.set(run)], vec![SHM_FD.name()])
            }
            Recording::LaunchMember(folder) => {
                (vec![OUT.set(folder)], vec![SHM_FD.name(), RUN.name()])
            }
        };
        self.environment.splice(0..0, own.into_iter().map(text));
        self.without.extend(without);
        self
    }

    /// The process to start.
    pub fn process(&self) -> std::process::Command {
        let mut words = self.command.words();
        let mut command = std::process::Command::new(words.next().unwrap_or_default());
        command.args(words);
        self.without.iter().for_each(|name| {
            command.env_remove(name);
        });
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Whether we set the program's number of BSPlib processors.
    pub fn has_processors(&self) -> bool {
        self.environment.iter().any(|(name, _)| name == NPROCS.name())
    }
}

impl Command {
    /// All words.
    pub fn words(&self) -> impl Iterator<Item = &OsStr> {
        let before = self.before.iter().map(OsString::as_os_str);
        before.chain(self.own_words())
    }

    /// The program and its arguments.
    pub fn own_words(&self) -> impl Iterator<Item = &OsStr> {
        let arguments = self.arguments.iter().map(OsString::as_os_str);
        std::iter::once(self.program.as_os_str()).chain(arguments)
    }
}

#[cfg(test)]
mod tests;
