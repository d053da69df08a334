//! A profile from files.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use cll_calls::{Overview, damage_of, holds_calls, join, of_different_runs};
use cll_profile::gather::GatherError;
use cll_profile::{Note, Profile, Supersteps, gather, gather_with_supersteps, oxford};
use cll_result::MpiStats;
use cll_supersteps::stored;

use crate::Error;
use crate::empty_files;
use crate::logs::{
    CallProfile, Source, SuperstepLog, Symbols, are_calls, call_profile, call_statistics, logs,
    logs_in, sources, supersteps_of, surveys, unrecorded_said, without_supersteps,
};
use crate::messages::Messages;
use cll_files as files;

/// Reads the logs of a run, or a profile of the Oxford BSP Toolset. Calls of MPI without supersteps, or if `by_calls`
/// says so, have a profile by calls.
///
/// # Errors
/// If one cannot be read, or they are not the logs of one run.
pub fn profile(
    paths: &[PathBuf],
    by_calls: bool,
    messages: &dyn Messages,
) -> Result<Profile, Error> {
    Ok(match opened(paths, None, by_calls, messages)? {
        Viewed::Supersteps(profile, ..) => *profile,
        Viewed::Calls(profile) => profile.profile,
    })
}

/// A run as a page shows it.
#[derive(Debug)]
pub enum Viewed {
    /// By supersteps, if they are known one by one; with the statistics of its calls, if it is a log of these.
    Supersteps(Box<Profile>, Option<Supersteps>, Option<Box<MpiStats>>),
    /// By calls of MPI.
    Calls(Box<CallProfile>),
}

/// Reads a run for a page: logs of MPI calls that have no supersteps, or if `by_calls` says so, by calls; all others by
/// supersteps, of which `room` values of a metric are kept.
///
/// # Errors
/// As [`profile()`], but calls need not have supersteps.
pub fn viewed(
    paths: &[PathBuf],
    room: usize,
    by_calls: bool,
    messages: &dyn Messages,
) -> Result<Viewed, Error> {
    opened(paths, Some(room), by_calls, messages)
}

/// As [`viewed`], without supersteps one by one and statistics of calls, which a page has.
///
/// # Errors
/// As [`viewed`].
pub fn shown(paths: &[PathBuf], by_calls: bool, messages: &dyn Messages) -> Result<Viewed, Error> {
    opened(paths, None, by_calls, messages)
}

fn opened(
    paths: &[PathBuf],
    room: Option<usize>,
    by_calls: bool,
    messages: &dyn Messages,
) -> Result<Viewed, Error> {
    let is_oxford = matches!(paths, [path] if is_oxford(path)?);
    let mut of_run = if is_oxford { Vec::new() } else { logs_in(paths)? };
    if by_calls && !is_oxford {
        // The calls of the others are known; supersteps need all.
        of_run = empty_files::leave_out(of_run, messages)?;
    }
    if is_oxford || !are_calls(&of_run, messages)? {
        if by_calls {
            let wrong = format!("{}: not a log of MPI calls", paths[0].display());
            return Err(Error::content(wrong).advise("--calls is for logs of MPI programs"));
        }
        let (profile, supersteps) = read(paths, messages, room)?;
        return Ok(Viewed::Supersteps(Box::new(profile), supersteps, None));
    }
    let mut tables = surveys(&of_run)?;
    join(&mut tables);
    // Supersteps say themselves which rank is there twice.
    if room.is_some() {
        one_run(&of_run, &tables)?;
    }
    let damage = damage_of(&tables, &of_run);
    let several = without_supersteps(&tables);
    let why = if by_calls || several.is_some() {
        damage.iter().for_each(|text| messages.warn(text));
        unrecorded_said(&tables).iter().for_each(|table| messages.warn(table));
        several.filter(|_| !by_calls)
    } else {
        match supersteps_of(&of_run, messages)? {
            SuperstepLog::Found(file) => {
                let source = Source::new(file)
                    .map_err(|error| cll_files::Error::unreadable(&of_run[0], error))?;
                let (profile, supersteps) = gathered(&of_run, &[source], messages, room)?;
                say(&profile, messages);
                let stats = match room {
                    Some(_) => call_statistics(&of_run, tables, damage)?,
                    None => None,
                };
                return Ok(Viewed::Supersteps(Box::new(profile), supersteps, stats.map(Box::new)));
            }
            SuperstepLog::None(why) => Some(why),
        }
    };
    one_run(&of_run, &tables)?;
    let mut profile = call_profile(&of_run, tables, damage)?;
    profile.notes.iter().for_each(|note| messages.warn(&cll_report::escape(note)));
    if let Some(why) = why {
        let what = if room.is_some() { "the page shows calls" } else { "the profile is of calls" };
        let why = format!("no supersteps, so {what} of MPI: {why}");
        messages.note(&why);
        profile.notes.insert(0, why);
    }
    Ok(Viewed::Calls(Box::new(profile)))
}

/// Refuses logs of several runs.
fn one_run(paths: &[PathBuf], tables: &[Overview]) -> Result<(), Error> {
    let Some((other, number)) = of_different_runs(tables) else { return Ok(()) };
    let (other, display) = (paths[other].display(), paths[number].display());
    Err(Error::request(format!("{other} and {display} are logs of different runs")).advise(
        "give the logs of one run; cll run --log -o FOLDER writes a run to a separate folder",
    ))
}

fn say(profile: &Profile, messages: &dyn Messages) {
    for note in &profile.notes {
        messages.warn(&cll_report::escape(&note.to_string()));
    }
}

fn read(
    paths: &[PathBuf],
    messages: &dyn Messages,
    room: Option<usize>,
) -> Result<(Profile, Option<Supersteps>), Error> {
    let (profile, supersteps) = match paths {
        [path] if is_oxford(path)? => (oxford_profile(path, messages)?, None),
        _ => logged(paths, messages, room)?,
    };
    say(&profile, messages);
    Ok((profile, supersteps))
}

/// Groups files by run: the files of all processes of a launch are one run, by their names
/// (`PROGRAM.cll.RUN.RANK.dat`) or by the job in them. A folder means the logs in it.
pub fn runs(paths: &[PathBuf]) -> Result<Vec<Vec<PathBuf>>, Error> {
    let mut runs: Vec<(RunIdentity, Vec<PathBuf>)> = Vec::new();
    for path in paths {
        let files =
            if path.is_dir() { logs_in(std::slice::from_ref(path))? } else { vec![path.clone()] };
        for file in files {
            let run = RunIdentity::identify(&file)?;
            match runs.iter_mut().find(|(known, _)| *known == run && run != RunIdentity::Alone) {
                Some((_, files)) => files.push(file),
                None => runs.push((run, vec![file])),
            }
        }
    }
    with_started(runs.into_iter().map(|(_, files)| files).collect())
}

/// Adds runs whose processes another one has started to that one, if the logs show which it is.
fn with_started(mut runs: Vec<Vec<PathBuf>>) -> Result<Vec<Vec<PathBuf>>, Error> {
    let mut index = 0;
    while runs.len() > 1 && index < runs.len() {
        let mut parent = None;
        if is_started(&runs[index])? {
            for candidate in (0..runs.len()).filter(|&candidate| candidate != index) {
                if are_logs_of_calls(&runs[candidate])?
                    && have_started(&runs[candidate], &runs[index])?
                {
                    parent = Some(candidate);
                    break;
                }
            }
        }
        match parent {
            Some(candidate) => {
                let files = runs.remove(index);
                runs[candidate - usize::from(candidate > index)].extend(files);
            }
            None => index += 1,
        }
    }
    Ok(runs)
}

/// Whether a program has started the processes of a run.
fn is_started(run: &[PathBuf]) -> Result<bool, Error> {
    let is = |overview: &Overview| overview.mpi.as_ref().is_some_and(|mpi| mpi.started);
    Ok(are_logs_of_calls(run)? && surveys(&run[..1])?.iter().all(is))
}

/// Whether processes of one run have started those of another one.
fn have_started(run: &[PathBuf], others: &[PathBuf]) -> Result<bool, Error> {
    let mut all = surveys(others)?;
    let count = all.len();
    all.extend(surveys(run)?);
    join(&mut all);
    Ok(all[..count].iter().all(|overview| overview.world.is_some()))
}

fn are_logs_of_calls(paths: &[PathBuf]) -> Result<bool, Error> {
    for path in paths {
        if !path.exists() || is_oxford(path)? {
            return Ok(false);
        }
        let failure = |error| cll_files::Error::unreadable(path, error);
        if !holds_calls(File::open(path).map_err(failure)?).map_err(failure)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The identity of the run of a file.
#[derive(PartialEq)]
enum RunIdentity {
    /// The folder, and the name up to the run's number.
    Named(PathBuf, String),
    /// Program and job.
    Job(String, String),
    /// The run is in one file.
    Alone,
}

impl RunIdentity {
    fn identify(path: &Path) -> Result<RunIdentity, Error> {
        let name = files::base(path);
        if let Some((stem, _)) = name.rsplit_once(".cll.")
            && let Some((run, _)) = files::run_and_rank(&name, &format!("{stem}.cll"))
        {
            return Ok(RunIdentity::Named(
                files::folder(path).to_path_buf(),
                format!("{stem}.cll.{run}"),
            ));
        }
        if !path.exists() || is_oxford(path)? {
            return Ok(RunIdentity::Alone);
        }
        let failure = |error| cll_files::Error::unreadable(path, error);
        let file = File::open(path).map_err(failure)?;
        let known = if holds_calls(File::open(path).map_err(failure)?).map_err(failure)? {
            Overview::read(file).ok().map(|overview| (overview.process.program, overview.job))
        } else {
            let source = Source::new(file).map_err(failure)?;
            stored(&source).ok().and_then(|log| {
                let process = log.processors.into_iter().next()?.tables.process;
                Some((process.program, log.job))
            })
        };
        Ok(match known {
            Some((program, job)) if !job.is_empty() => RunIdentity::Job(program, job),
            _ => RunIdentity::Alone,
        })
    }
}

/// Whether it is a profile of the Oxford BSP Toolset, by its first bytes.
pub fn is_oxford(path: &Path) -> Result<bool, Error> {
    if path.is_dir() {
        return Ok(false);
    }
    let file = File::open(path).map_err(|error| cll_files::Error::unreadable(path, error))?;
    let mut start = Vec::new();
    file.take(1 << 16)
        .read_to_end(&mut start)
        .map_err(|error| cll_files::Error::unreadable(path, error))?;
    Ok(oxford::is_profile(&start))
}

fn oxford_profile(path: &Path, messages: &dyn Messages) -> Result<Profile, Error> {
    let bytes = fs::read(path).map_err(|error| cll_files::Error::unreadable(path, error))?;
    let name = path.display().to_string();
    oxford::read(&bytes).map_err(|wrong| {
        messages.diagnose(&name, &bytes, &[wrong]);
        Error::Diagnosed
    })
}

fn logged(
    paths: &[PathBuf],
    messages: &dyn Messages,
    room: Option<usize>,
) -> Result<(Profile, Option<Supersteps>), Error> {
    let (paths, sources) = sources(paths, messages)?;
    gathered(&paths, &sources, messages, room)
}

fn gathered(
    paths: &[PathBuf],
    sources: &[Source],
    messages: &dyn Messages,
    room: Option<usize>,
) -> Result<(Profile, Option<Supersteps>), Error> {
    let logs = logs(paths, sources, messages)?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut symbols = Symbols::default();
    let functions = |processor: &_, point: &_| symbols.functions(processor, point);
    let gathered = match room {
        Some(room) => gather_with_supersteps(&logs, threads, room, functions),
        None => gather(&logs, threads, functions),
    };
    let gathered = gathered.map_err(|error| wrong(&paths[0], &error))?;
    for damage in &gathered.damage {
        messages.warn(&damage.to_string());
    }
    let mut profile = gathered.profile;
    let modules = symbols.silent();
    if !modules.is_empty() {
        profile.notes.push(Note::NoSymbols { modules });
    }
    Ok((profile, gathered.supersteps))
}

fn wrong(path: &Path, error: &GatherError) -> Error {
    let message = cll_report::escape(&error.to_string());
    match error {
        GatherError::Twice { .. } | GatherError::Programs { .. } | GatherError::TooMany { .. } => {
            Error::request(message)
                .advise("give one run: its log, or the logs of all its processes")
        }
        GatherError::Missing { .. } => Error::data(format!("{}: {message}", path.display()))
            .advise("give the logs of all processes of the run together"),
        _ => Error::content(format!("{}: {message}", path.display())),
    }
}
