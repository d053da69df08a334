//! From a plan to what is launched.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use cll_campaign::{Launcher, Plan};

use crate::calls::{self, Linked};
use crate::cli::{CampaignRunArgs, ObservingOptions};
use crate::commands::wrong_arguments;
use crate::failure::{Failure, Status, unreadable};
use crate::files;
use crate::identity::Identity;
use crate::launch::{Instrumented, Mpirun, Team, find};
use crate::sampling::Template;
use crate::terminal::{Terminal, Text};
use cll_campaign_db::EXTENSION;
use cll_counters::{Observing, divided, names};

/// Everything that runs need, looked at before the first.
#[derive(Debug)]
pub struct Prepared {
    /// The executable.
    pub program: PathBuf,
    /// What it says of itself; nothing, if it was not built by `cll cc`.
    pub instrumented: Instrumented,
    /// Who shares the work.
    pub team: Team,
    /// Its arguments.
    pub template: Template,
    /// What starts MPI's processes here.
    pub mpirun: Option<Mpirun>,
    /// Whether each run leaves a log, and what stands before a program of MPI for that.
    pub logged: Option<Vec<OsString>>,
    launcher: Launcher,
}

/// Reads a plan; it and the folder that its program is looked for in.
///
/// # Errors
/// If it cannot be read or is wrong, which was told.
pub fn read(path: &Path, terminal: &Terminal) -> Result<(Plan, PathBuf), Failure> {
    let text = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
    let read = cll_campaign::read(&text, &files::stem(path));
    let name = path.to_string_lossy();
    terminal.diagnose(Text { name: &name, bytes: &text }, &read.diagnostics);
    let plan = read.plan.ok_or(Failure::Reported(Status::Input))?;
    Ok((plan, absolute(files::folder(path))?))
}

/// The plan that the options of a command are.
///
/// # Errors
/// If they name no program, or what they name makes no sense.
pub fn by_options(args: &CampaignRunArgs) -> Result<(Plan, PathBuf), Failure> {
    let Some((program, arguments)) = args.command.split_first() else {
        return Err(Failure::usage("there is neither a plan nor a program")
            .help("cll campaign run PLAN.toml")
            .help("cll campaign run --vary N=1000:8000:*2 -- ./program {N}"));
    };
    let name = args.name.clone().unwrap_or_else(|| files::base(Path::new(program)));
    let mut plan = Plan::of(name, program.clone());
    plan.arguments = arguments.to_vec();
    let values = |one: &crate::sampling::Variation| (one.name.clone(), one.range.values().to_vec());
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

/// Where the book of a campaign is by default.
pub fn folder(name: &str) -> PathBuf {
    PathBuf::from(format!("{}.{EXTENSION}", name.replace('/', "_")))
}

fn absolute(folder: &Path) -> Result<PathBuf, Failure> {
    folder.canonicalize().map_err(|error| unreadable(folder, &error))
}

impl Prepared {
    /// Looks at everything that can be wrong with a plan's program.
    ///
    /// # Errors
    /// If the program is not there, its arguments have no place for a parameter, or it asks for more
    /// processors than it can have.
    pub fn of(plan: &Plan, home: &Path, terminal: &Terminal) -> Result<Prepared, Failure> {
        let beside = home.join(&plan.program);
        let program = match plan.program.contains('/') {
            true => find(beside.as_os_str())?,
            false => find(OsStr::new(&plan.program))?,
        };
        let program = program.canonicalize().map_err(|error| unreadable(&program, &error))?;
        // Any program can be run: what was not built by us has its whole time alone.
        let instrumented = Instrumented::read(&program).or_else(|failure| match failure {
            Failure::Message { .. } => Ok(Instrumented::default()),
            other => Err(other),
        })?;
        let names: Vec<&str> = plan.parameters.iter().map(|(name, _)| name.as_str()).collect();
        let template = Template::parse(&plan.arguments, &names).map_err(wrong_arguments)?;
        template.check_processors(&names, !plan.processors.is_empty()).map_err(wrong_arguments)?;
        let team = Team::of_program(&program, &instrumented);
        let here = plan.launcher == Launcher::Here;
        let cores = std::thread::available_parallelism().map_or(1, |count| count.get() as u32);
        let most = plan.processors.iter().copied().max().unwrap_or(1);
        if here && most > cores && !plan.oversubscribe {
            return Err(Failure::usage(format!(
                "the plan asks for {most} processors, and this computer has {cores}: what would be \
                 timed is their competition"
            ))
            .help("fewer processors, or a launcher that has so many: launcher = \"slurm\"")
            .help(
                "oversubscribe = true makes such runs and keeps them, and no model is made of them",
            ));
        }
        if here && most > cores {
            terminal.note(&format!(
                "runs of more than {cores} processors are kept, and no model is made of them"
            ));
        }
        let logged = match plan.log {
            true if instrumented.is_bsp() => Some(Vec::new()),
            true => {
                let linked = Linked::of(&program)?.ok_or_else(|| {
                    Failure::usage(format!(
                        "log = true: {} is no BSP program, and is linked with no MPI",
                        program.display()
                    ))
                    .help("a log tells of supersteps or of calls of MPI")
                })?;
                Some(calls::words_before(&linked)?)
            }
            false => None,
        };
        let team = match &logged {
            Some(before) if !before.is_empty() => Team::Ranks,
            _ => team,
        };
        let mpirun = match team == Team::Ranks && here {
            true => Some(Mpirun::for_program(&program)?),
            false => None,
        };
        let launcher = plan.launcher;
        Ok(Prepared { program, instrumented, team, template, mpirun, logged, launcher })
    }

    /// The plan with its counters in groups that can be recorded at once, beside what the program's clauses ask for. What
    /// the processors of a batch system count at a time is not known: there they are divided by the room in records.
    ///
    /// # Errors
    /// If a name is none, what it names is known not to be there, or the program records nothing.
    pub fn divided(&self, plan: Plan) -> Result<Plan, Failure> {
        if plan.counters.is_empty() {
            return Ok(plan);
        }
        if !self.instrumented.has_places() {
            return Err(Failure::usage(format!(
                "counters are of experiments, and {} has none",
                self.program.display()
            ))
            .help("a program with experiments is built by cll cc"));
        }
        let options = ObservingOptions { counters: plan.counters.concat(), simulate_caches: None };
        let clauses = self.instrumented.counters();
        let counters = match self.system() {
            None => {
                let mut observing = Observing::of(&options.wanted(), None)?;
                observing.divide(&clauses);
                observing.groups
            }
            Some(_) => divided(&names(&options.wanted())?, &clauses, &mut |_| true),
        };
        Ok(Plan { counters, ..plan })
    }

    /// The program and what runs it, by this plan.
    pub fn identity(&self, plan: &Plan) -> Identity {
        // Set for each run.
        let mut set: Vec<&str> = plan.environment.iter().map(|(name, _)| name.as_str()).collect();
        set.extend(self.team.variable().filter(|_| !plan.processors.is_empty()));
        Identity::of(&self.program, self.mpirun.as_ref(), &set)
    }

    /// The batch system that makes the runs, if one does.
    pub fn system(&self) -> Option<Launcher> {
        Some(self.launcher).filter(|launcher| *launcher != Launcher::Here)
    }

    /// The program's name in the names of traces.
    pub fn name(&self) -> String {
        files::base(&self.program)
    }
}
