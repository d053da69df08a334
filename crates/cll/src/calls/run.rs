//! Runs a program and logs its MPI calls.

use std::collections::BTreeMap;
use std::env::var_os;
use std::path::{Path, PathBuf};

use cll_contract::{self as contract, Engine, Setting};
use cll_diagnostic::counted;

use crate::cli::RunArgs;
use crate::failure::Failure;
use crate::files;
use crate::launch::{
    Host, Launcher, Local, Mpirun, Options, Others, Outcome, Parallelism, Program, Run, Streams,
    TIMED_OUT, ending, exit_code, launch,
};
use crate::rounds::further;
use crate::terminal::Terminal;
use crate::virtual_run::VirtualRanks;
use cll_analysis::empty_files;
use cll_analysis::logs::{call_statistics, first_to_end, surveys};
use cll_counters::Observing;
use cll_report::mpi_text;

use super::wrapper;
use crate::launch::LinkedMpi;

/// Runs it with the mpirun of its MPI and the wrapper.
pub fn run(
    args: RunArgs,
    program: &Path,
    linked: LinkedMpi,
    terminal: &mut Terminal,
) -> Result<u8, Failure> {
    let is_virtual = args.engine == Some(Engine::Virtual);
    refuse_options(&args, program)?;
    let virtually =
        is_virtual.then(|| VirtualRanks::from_options(&args.virtually, terminal)).transpose()?;
    // Their logs are read for the prediction, and removed.
    let passing = is_virtual.then(files::temporary_folder).transpose()?;
    let mpirun = Mpirun::for_family(program, linked.family)?;
    let before = wrapper::words_for(&linked, Some(mpirun.program()))?;
    let mut observing = Observing::from_options(&args.observing.wanted(), None)?;
    if let Some(text) = observing.at_once(&[])? {
        terminal.note(&text);
    }
    let mut settings = observing.environment();
    if let (Some(virtually), Some(passing)) = (&virtually, &passing) {
        settings.extend(virtually.environment(&passing.path().join("turns"))?);
    }
    let folder = passing.as_ref().map(|passing| passing.path().to_path_buf());
    let folder = folder_of_logs(folder.or(args.output.clone()))?;
    let name = files::base(program);
    let stem = format!("{name}.cll");
    let before_run = Before::of(&folder, &stem);
    let options = |settings: Vec<Setting>| Options {
        processors: args.processors,
        logged: true,
        attached: true,
        settings,
        before: [before.clone(), observing.wrapper()].concat(),
        arguments: args.command.iter().skip(1).cloned().collect(),
        ..Options::default()
    };
    let path = std::path::absolute(program).unwrap_or_else(|_| program.to_path_buf());
    let target = Program { path: &path, parallelism: Parallelism::Ranks, has_threads: false };
    let run = |settings: Vec<Setting>, folder: PathBuf, streams: Streams| Run {
        launch: launch(&options(settings), &target, &Host::here(Some(&mpirun))),
        name: &name,
        kind: "log",
        number: None,
        processors: args.processors.unwrap_or(1),
        engine: String::new(),
        machine: String::new(),
        work: None,
        folder,
        timeout: args.timeout,
        others: Others::Leave,
        ranks: Some(mpirun.launcher_kind()),
        streams,
        place: None,
        watched: false,
    };
    let first = run(settings.clone(), folder.clone(), Streams::Inherited);
    let mut outcome = Local::new(terminal)?.launch(first)?;
    let mut logs = logs_of(&folder, &name, outcome.number, &before_run);
    let has_made = !logs.made.is_empty();
    logs.made = empty_files::with_content(logs.made, |text| terminal.warn(text))?;
    let made = &logs.made;
    report_ending(&mut outcome, made, terminal);
    if let Some(text) = outcome.allowed.stopped_in_words() {
        terminal.warn(&text);
    }
    if let Some(virtually) = virtually.filter(|_| !made.is_empty()) {
        let again = |folder: &Path, streams, terminal: &mut Terminal| {
            let own = observing.environment();
            let settings = [own, virtually.environment(&folder.join("turns"))?].concat();
            Ok(Local::new(terminal)?.launch(run(settings, folder.to_path_buf(), streams))?)
        };
        let logs_in = |folder: &Path| logs_of_round(folder, &logs.name, &stem);
        predict(&virtually, (made, &outcome), terminal, again, logs_in)?;
    } else if !made.is_empty() || !has_made {
        report_logs(made, &folder, &logs.name, logs.number, terminal)?;
    }
    report_others(&logs.others, &folder, terminal);
    Ok(if outcome.timed_out { TIMED_OUT } else { exit_code(outcome.status) })
}

/// The folder of logs, which is there afterwards: the given one, that of the environment, or this one. Its path is
/// absolute, since processes may have another working directory.
///
/// # Errors
/// If it cannot be made.
pub fn folder_of_logs(given: Option<PathBuf>) -> Result<PathBuf, Failure> {
    let folder = given.or_else(|| var_os(contract::OUT.name()).map(PathBuf::from));
    let folder = folder.unwrap_or_else(|| ".".into());
    files::make_folder(&folder)?;
    Ok(std::path::absolute(&folder).unwrap_or(folder))
}

/// Prints the prediction of ranks in turns; `run` makes further rounds in a folder, and `logs_in` are the logs there.
fn predict(
    virtually: &VirtualRanks,
    (made, outcome): (&[PathBuf], &Outcome),
    terminal: &mut Terminal,
    run: impl FnMut(&Path, Streams, &mut Terminal) -> Result<Outcome, Failure>,
    logs_in: impl Fn(&Path) -> Option<Vec<PathBuf>>,
) -> Result<(), Failure> {
    let mut predictions = vec![virtually.predict(made)?];
    if ending(outcome).is_none() && outcome.interrupted.is_none() {
        further(virtually.rounds(), terminal, run, |folder, _| {
            let logs = logs_in(folder);
            predictions.extend(logs.map(|logs| virtually.predict(&logs)).transpose()?);
            Ok(())
        })?;
    }
    virtually.report(predictions, terminal)
}

/// Refuses options that an MPI program cannot have.
fn refuse_options(args: &RunArgs, program: &Path) -> Result<(), Failure> {
    let is_virtual = args.engine == Some(Engine::Virtual);
    if let Some(engine) = args.engine.filter(|_| !is_virtual) {
        return Err(Failure::usage(format!(
            "--engine {}: {} is not a BSP program",
            engine.name(),
            program.display()
        ))
        .help("the mpirun of its MPI starts it"));
    }
    if let Some(option) = args.virtually.given().filter(|_| !is_virtual) {
        return Err(Failure::usage(format!("{option} is for virtual processors only"))
            .help("--engine virtual runs a program on any number of them"));
    }
    if is_virtual && args.log {
        return Err(Failure::usage("--log --engine virtual: ranks have no common clock then")
            .help("without --log cll run prints the time on separate cores, --supersteps that of each rank"));
    }
    Ok(())
}

/// The logs in a folder before a run.
struct Before {
    wholes: BTreeMap<u32, PathBuf>,
    launches: BTreeMap<(String, u32), Vec<PathBuf>>,
}

impl Before {
    fn of(folder: &Path, stem: &str) -> Before {
        Before { wholes: files::wholes_in(folder, stem), launches: files::launches_in(folder) }
    }
}

/// The logs of a run.
struct Logs {
    made: Vec<PathBuf>,
    /// The name and the number in their names.
    name: String,
    number: u32,
    /// Logs of other programs that the program has started.
    others: Vec<files::LaunchFiles>,
}

/// The logs that were made in a folder since `before`.
fn logs_of(folder: &Path, name: &str, number: u32, before: &Before) -> Logs {
    let stem = format!("{name}.cll");
    let mut made = files::ranks_of(folder, &stem, number);
    if made.is_empty() {
        // A `report` of the program has gathered them.
        let mut wholes = files::wholes_in(folder, &stem);
        wholes.retain(|run, _| !before.wholes.contains_key(run));
        made.extend(wholes.into_values().next_back());
    }
    // What a script or a link stands for has another name, and so have programs that are started by the program.
    let mut others = files::launches_since(folder, &before.launches);
    others.retain(|other| other.name != name || other.run != number);
    if made.is_empty() && !others.is_empty() {
        let first = others.remove(0);
        return Logs { made: first.files, name: first.name, number: first.run, others };
    }
    Logs { made, name: name.to_owned(), number, others }
}

/// The logs of a round in its folder: one for each rank, or one of all.
fn logs_of_round(folder: &Path, name: &str, stem: &str) -> Option<Vec<PathBuf>> {
    let mut launches = files::launches_in(folder).into_iter();
    let of_ranks = launches.find(|((of, _), _)| of == name);
    let gathered = || files::wholes_in(folder, stem).into_values().next_back();
    of_ranks.map(|(_, logs)| logs).or_else(|| gathered().map(|log| vec![log]))
}

/// Names the logs of programs that the program has started.
fn report_others(others: &[files::LaunchFiles], folder: &Path, terminal: &Terminal) {
    for files::LaunchFiles { name, run, files } in others {
        let them = folder.join(format!("{name}.cll.{run}.*.dat"));
        terminal.note(&format!(
            "processes that the program has started have logged their calls, too ({}): {}",
            counted(files.len(), "file", "files"),
            them.display()
        ));
    }
}

/// The failure for a program whose log would be empty.
pub fn no_log(program: &Path) -> Failure {
    Failure::usage(format!(
        "--log: {} is not a BSP program and is not linked with MPI",
        program.display()
    ))
    .help("a log has supersteps of a BSP program, which is compiled with our bsp.h, or MPI calls")
}

/// How the program has ended, unless it ended normally.
fn report_ending(outcome: &mut Outcome, logs: &[PathBuf], terminal: &Terminal) {
    if let Some(ends) = &outcome.ends {
        outcome.first_failure = first_to_end(ends, logs);
    }
    if let Some(what) = ending(outcome) {
        let kept = if logs.is_empty() { "" } else { "; its recorded samples are kept" };
        terminal.warn(&format!("the program {what}{kept}"));
    }
}

/// Reports on the logs of a run: `NAME.cll.RUN.RANK.dat` in a folder.
///
/// # Errors
/// If a log cannot be read.
pub fn report_logs(
    log_paths: &[PathBuf],
    folder: &Path,
    name: &str,
    run: u32,
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    if log_paths.is_empty() {
        terminal.warn(&format!(
            "no process has recorded in {}: it did not call MPI_Init (programs that begin with \
             MPI_Session_init are not logged), it has loaded another MPI than that of the wrapper \
             ({} names the compiler of its own MPI), or the processes ran on other hosts and their \
             logs are there",
            folder.display(),
            contract::MPICC.name()
        ));
        return Ok(());
    }
    if let Some(stats) = call_statistics(log_paths, surveys(log_paths)?, Vec::new())? {
        terminal.error_text(mpi_text(&stats, &terminal.error_style()).as_bytes());
        let files = match log_paths {
            [path] => path.display().to_string(),
            _ => folder.join(format!("{name}.cll.{run}.*.dat")).display().to_string(),
        };
        terminal.note(&match log_paths.len() {
            1 => format!("the process has logged its calls in {files}"),
            count => format!(
                "each process has logged its calls in its own file ({count} files): {files}"
            ),
        });
    }
    Ok(())
}
