//! `PROGRAM.cll.sh`: the papers' batch script of a program with `procs = …`.

use std::path::Path;

use cll_campaign::Launcher;
use cll_campaign::batch::{Job, SWEEP_MARK, Starter, Sweep, directives, sweep};
use cll_translate::Model;

use crate::cli::BatchOptions;
use crate::failure::Failure;
use crate::files;
use crate::launch::{Host, Options, Parallelism, Program, launch};

/// Whether a file that begins so is such a script.
pub fn is_script(start: &[u8]) -> bool {
    let mark = SWEEP_MARK.as_bytes();
    start.windows(mark.len()).any(|bytes| bytes == mark)
}

/// The script's name and text; `None` if the program gives no numbers of processors.
///
/// # Errors
/// If the batch system would refuse the script.
pub fn script(
    source: &Path,
    model: Model,
    counts: Option<&Vec<u32>>,
    options: &BatchOptions,
) -> Result<Option<(String, String)>, Failure> {
    let Some(counts) = counts.filter(|counts| !counts.is_empty()) else { return Ok(None) };
    let stem = files::stem(source);
    let parallelism = Parallelism::for_model(model);
    let batch = options.batch();
    let system = options.launcher.unwrap_or_default();
    let starter = match (&batch.starter, parallelism, system) {
        (Some(command), _, _) => Starter::Command(command.clone()),
        (None, Parallelism::Ranks, Launcher::Slurm) => Starter::System,
        (None, Parallelism::Ranks, _) => Starter::Command("mpirun -n {P}".to_owned()),
        (None, _, _) => Starter::Alone,
    };
    let options = Options { processors: Some(1), ..Options::default() };
    let target = Program { path: source, parallelism, has_threads: false };
    // The script gives the number of processors.
    let environment = launch(&options, &target, &Host::here(None)).environment.into_iter();
    let environment = environment.filter(|(name, _)| parallelism.variable() != Some(name.as_str()));
    let job = Job {
        name: stem.clone(),
        processors: counts.iter().copied().max().unwrap_or(1),
        tasks: 1,
        seconds: None,
        starter,
        batch,
        wrapper: Vec::new(),
        program: format!("./{stem}"),
        folder: String::new(),
        work: String::new(),
        environment: environment
            .map(|(name, value)| (name, value.to_string_lossy().into_owned()))
            .collect(),
    };
    let variable = parallelism.variable().map(str::to_owned);
    let text = sweep(&Sweep { job, counts: counts.clone(), variable }, system);
    if let Err(wrong) = directives(&text, system) {
        let why = &wrong[0].why;
        return Err(Failure::usage(format!("{} would refuse the script: {why}", system.name()))
            .help("--job-option is a line of its directives"));
    }
    Ok(Some((format!("{stem}.cll.sh"), text)))
}
