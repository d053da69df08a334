//! Runs a program and logs its MPI calls.

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
    let folder = folder.or(args.output).or_else(|| var_os(contract::OUT.name()).map(PathBuf::from));
    let folder = folder.unwrap_or_else(|| ".".into());
    files::make_folder(&folder)?;
    // Processes may have another working directory.
    let folder = std::path::absolute(&folder).unwrap_or(folder);
    let name = files::base(program);
    let stem = format!("{name}.cll");
    let there_before = files::wholes_in(&folder, &stem);
    let launches_before = files::launches_in(&folder);
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
    let of = Program { path: &path, parallelism: Parallelism::Ranks, has_threads: false };
    let run = |settings: Vec<Setting>, folder: PathBuf, streams: Streams| Run {
        launch: launch(&options(settings), &of, &Host::here(Some(&mpirun))),
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
    let mut made = files::ranks_of(&folder, &stem, outcome.number);
    if made.is_empty() {
        // A `report` of the program has gathered them.
        let mut wholes = files::wholes_in(&folder, &stem);
        wholes.retain(|run, _| !there_before.contains_key(run));
        made.extend(wholes.into_values().next_back());
    }
    // What a script or a link stands for has another name, and so have programs that are started by the program.
    let mut others = files::launches_since(&folder, &launches_before);
    others.retain(|other| other.name != name || other.run != outcome.number);
    let (name, number) = if made.is_empty() && !others.is_empty() {
        let first = others.remove(0);
        made = first.files;
        (first.name, first.run)
    } else {
        (name.clone(), outcome.number)
    };
    let has_made = !made.is_empty();
    let made = empty_files::with_content(made, |text| terminal.warn(text))?;
    report_ending(&mut outcome, &made, terminal);
    if let Some(text) = outcome.allowed.stopped_in_words() {
        terminal.warn(&text);
    }
    if let Some(virtually) = virtually.filter(|_| !made.is_empty()) {
        let mut predictions = vec![virtually.predict(&made)?];
        if ending(&outcome).is_none() && outcome.interrupted.is_none() {
            further(
                virtually.rounds(),
                terminal,
                |folder, streams, terminal| {
                    let own = observing.environment();
                    let settings = [own, virtually.environment(&folder.join("turns"))?].concat();
                    let run = run(settings, folder.to_path_buf(), streams);
                    Ok(Local::new(terminal)?.launch(run)?)
                },
                |folder, _| {
                    let mut launches = files::launches_in(folder).into_iter();
                    let of_ranks = launches.find(|((of, _), _)| *of == name);
                    let gathered = || files::wholes_in(folder, &stem).into_values().next_back();
                    let logs = of_ranks.map(|(_, logs)| logs);
                    let logs = logs.or_else(|| gathered().map(|log| vec![log]));
                    predictions.extend(logs.map(|logs| virtually.predict(&logs)).transpose()?);
                    Ok(())
                },
            )?;
        }
        virtually.report(predictions, terminal)?;
    } else if !made.is_empty() || !has_made {
        report_logs(&made, &folder, &name, number, terminal)?;
    }
    for files::LaunchFiles { name, run, files } in &others {
        let them = folder.join(format!("{name}.cll.{run}.*.dat"));
        terminal.note(&format!(
            "processes that the program has started have logged their calls, too ({}): {}",
            counted(files.len(), "file", "files"),
            them.display()
        ));
    }
    Ok(if outcome.timed_out { TIMED_OUT } else { exit_code(outcome.status) })
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
fn report_ending(outcome: &mut Outcome, made: &[PathBuf], terminal: &Terminal) {
    if let Some(ends) = &outcome.ends {
        outcome.first_failure = first_to_end(ends, made);
    }
    if let Some(what) = ending(outcome) {
        let kept = if made.is_empty() { "" } else { "; its recorded samples are kept" };
        terminal.warn(&format!("the program {what}{kept}"));
    }
}

/// Reports on the logs of a run: `NAME.cll.RUN.RANK.dat` in a folder.
///
/// # Errors
/// If a log cannot be read.
pub fn report_logs(
    made: &[PathBuf],
    folder: &Path,
    name: &str,
    run: u32,
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    if made.is_empty() {
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
    if let Some(stats) = call_statistics(made, surveys(made)?, Vec::new())? {
        terminal.error_text(mpi_text(&stats, &terminal.error_style()).as_bytes());
        let files = match made {
            [path] => path.display().to_string(),
            _ => folder.join(format!("{name}.cll.{run}.*.dat")).display().to_string(),
        };
        terminal.note(&match made.len() {
            1 => format!("the process has logged its calls in {files}"),
            count => format!(
                "each process has logged its calls in its own file ({count} files): {files}"
            ),
        });
    }
    Ok(())
}
