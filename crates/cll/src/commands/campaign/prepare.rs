//! From a plan to the command of its runs.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use cll_campaign::{Launcher, Plan};

use crate::calls::{self, LinkedMpi};
use crate::cli::{CampaignRunArgs, ObservingOptions};
use crate::failure::{Failure, Status, unreadable};
use crate::files;
use crate::identity::Identity;
use crate::launch::{Instrumented, Mpirun, Parallelism, find};
use crate::sampling::Template;
use crate::terminal::{Terminal, Text};
use cll_campaign_db::EXTENSION;
use cll_counters::{Observing, divided, names};

/// Everything that runs need, checked before the first one.
#[derive(Debug)]
pub struct Prepared {
    /// The executable.
    pub program: PathBuf,
    /// The model of the program; none if it was not built by `cll cc`.
    pub instrumented: Instrumented,
    /// How its processors run.
    pub parallelism: Parallelism,
    /// The arguments of the program.
    pub template: Template,
    /// The launcher of MPI processes here.
    pub mpirun: Option<Mpirun>,
    /// Whether each run writes a log, and the command before an MPI program for that.
    pub logged: Option<Vec<OsString>>,
    launcher: Launcher,
}

/// Reads a plan; returns it and the folder in which its program is searched.
///
/// # Errors
/// If it cannot be read or is wrong; its diagnostics are printed.
pub fn read(path: &Path, terminal: &Terminal) -> Result<(Plan, PathBuf), Failure> {
    let text = files::read_text(path)?;
    let read = cll_campaign::read(&text, &files::stem(path));
    let name = path.to_string_lossy();
    terminal.diagnose(Text { name: &name, bytes: &text }, &read.diagnostics);
    let plan = read.plan.ok_or(Failure::Reported(Status::Input))?;
    Ok((plan, absolute(files::folder(path))?))
}

/// The plan that a command's options make.
///
/// # Errors
/// If they name no program, or are inconsistent.
pub fn by_options(args: &CampaignRunArgs) -> Result<(Plan, PathBuf), Failure> {
    let Some((program, arguments)) = args.command.split_first() else {
        return Err(Failure::usage("a plan or a program is missing")
            .help("cll campaign run PLAN.toml")
            .help("cll campaign run --vary N=1000:8000:*2 -- ./program {N}"));
    };
    let name = args.name.clone().unwrap_or_else(|| files::base(Path::new(program)));
    let mut plan = Plan::new(name, program.clone());
    plan.arguments = arguments.to_vec();
    let values = |variation: &crate::sampling::Variation| {
        (variation.name.clone(), variation.range.values().to_vec())
    };
    plan.parameters = args.vary.iter().map(values).collect();
    if let Some(range) = &args.processors {
        plan.processors = range.counts().to_vec();
    }
    plan.rounds = args.rounds.unwrap_or(plan.rounds);
    plan.counters =
        Some(args.counters.clone()).filter(|names| !names.is_empty()).into_iter().collect();
    plan.launcher = args.batch.launcher.unwrap_or_default();
    plan.batch = args.batch.batch();
    plan.timeout = args.timeout.map_or(plan.timeout, |time| time.as_secs_f64());
    Ok((plan, absolute(Path::new("."))?))
}

/// The default folder of a campaign's database.
pub fn folder(name: &str) -> PathBuf {
    PathBuf::from(format!("{}.{EXTENSION}", name.replace('/', "_")))
}

fn absolute(folder: &Path) -> Result<PathBuf, Failure> {
    folder.canonicalize().map_err(|error| unreadable(folder, error))
}

impl Prepared {
    /// Checks a plan's program.
    ///
    /// # Errors
    /// If the program does not exist, its arguments do not use a parameter, or it needs more processors than there
    /// are.
    pub fn new(plan: &Plan, home: &Path, terminal: &Terminal) -> Result<Prepared, Failure> {
        let beside = home.join(&plan.program);
        let program = if plan.program.contains('/') {
            find(beside.as_os_str())?
        } else {
            find(OsStr::new(&plan.program))?
        };
        let program = program.canonicalize().map_err(|error| unreadable(&program, error))?;
        // Any program can be run. Only the whole time of programs that we did not build is known.
        let instrumented = Instrumented::read(&program).unwrap_or_default();
        let names: Vec<&str> = plan.parameters.iter().map(|(name, _)| name.as_str()).collect();
        let template =
            Template::parse(&plan.arguments, &names).map_err(crate::sampling::Error::Arguments)?;
        template
            .check_processors(&names, !plan.counts().is_empty())
            .map_err(crate::sampling::Error::Arguments)?;
        let parallelism = Parallelism::for_program(&program, &instrumented);
        let here = plan.launcher == Launcher::Here;
        let cores = std::thread::available_parallelism().map_or(1, |count| count.get() as u32);
        let most = plan.counts().into_iter().max().unwrap_or(1);
        if here && most > cores && !plan.oversubscribe {
            return Err(Failure::usage(format!(
                "the plan has {most} processors, and this computer has {cores}: the times would be \
                 those of processors that compete for cores"
            ))
            .help("use fewer processors, or a batch system: launcher = \"slurm\"")
            .help("oversubscribe = true makes such runs and keeps them, but they are not fitted"));
        }
        if here && most > cores {
            terminal
                .note(&format!("runs of more than {cores} processors are kept, but not fitted"));
        }
        let logged = match plan.log {
            true if instrumented.is_bsp() => Some(Vec::new()),
            true => {
                let linked = LinkedMpi::read(&program)?.ok_or_else(|| {
                    Failure::usage(format!(
                        "log = true: {} is not a BSP program and is not linked with MPI",
                        program.display()
                    ))
                    .help("a log has supersteps of a BSP program, or MPI calls")
                })?;
                Some(calls::words_before(&linked)?)
            }
            false => None,
        };
        let parallelism = match &logged {
            Some(before) if !before.is_empty() => Parallelism::Ranks,
            _ => parallelism,
        };
        let mpirun = if parallelism == Parallelism::Ranks && here {
            Some(Mpirun::for_program(&program)?)
        } else {
            None
        };
        let launcher = plan.launcher;
        Ok(Prepared { program, instrumented, parallelism, template, mpirun, logged, launcher })
    }

    /// The plan with its counters in groups that can be recorded together, besides those of the program's clauses.
    /// How many counters the processors of a batch system have is not known: there the groups are limited by the
    /// space in records.
    ///
    /// # Errors
    /// If a counter does not exist or is not available, or the program records nothing.
    pub fn divided(&self, plan: Plan) -> Result<Plan, Failure> {
        if plan.counters.is_empty() {
            return Ok(plan);
        }
        if !self.instrumented.has_places() {
            return Err(Failure::usage(format!(
                "counters are recorded in experiments, and {} has none",
                self.program.display()
            ))
            .help("cll cc builds programs with experiments"));
        }
        let options = ObservingOptions { counters: plan.counters.concat(), simulate_caches: None };
        let clauses = self.instrumented.counters();
        let counters = match self.system() {
            None => {
                let mut observing = Observing::from_options(&options.wanted(), None)?;
                observing.divide(&clauses);
                observing.groups
            }
            Some(_) => divided(&names(&options.wanted())?, &clauses, &mut |_| true),
        };
        Ok(Plan { counters, ..plan })
    }

    /// The identity of the program and its environment, for this plan.
    pub fn identity(&self, plan: &Plan) -> Identity {
        // Set for each run.
        let mut set: Vec<&str> = plan.environment.iter().map(|(name, _)| name.as_str()).collect();
        set.extend(self.parallelism.variable().filter(|_| !plan.counts().is_empty()));
        Identity::read(&self.program, self.mpirun.as_ref(), &set)
    }

    /// The batch system that makes the runs, if any.
    pub fn system(&self) -> Option<Launcher> {
        Some(self.launcher).filter(|launcher| *launcher != Launcher::Here)
    }

    /// The program's name in the names of traces.
    pub fn name(&self) -> String {
        files::base(&self.program)
    }
}
