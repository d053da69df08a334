//! `cll profile export`.

use cll_profile::export::{callgrind, csv, extrap, folded, hatchet, speedscope, timeline};
use cll_result::ProfileJson;
use serde::Serialize;

use cll_analysis::{logs, profile};

use super::diff;
use crate::cli::{ProfileExportArgs, ProfileFormat};
use crate::failure::Failure;
use crate::files::Output;
use crate::terminal::{Terminal, output};

/// Writes a profile.
pub fn run(args: &ProfileExportArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let figure = diff::figure("--metric", &args.metric)?;
    if args.format == ProfileFormat::Chrome {
        return timed(args, terminal);
    }
    let mut profile = profile::profile(&args.files, args.calls, terminal)?;
    if args.words {
        profile = profile.in_words();
    }
    let text = match args.format {
        ProfileFormat::Csv => csv(&profile),
        ProfileFormat::Json => json(&ProfileJson::of(&profile, None))?,
        ProfileFormat::Extrap => extrap(&profile, &[]),
        ProfileFormat::Speedscope => json(&speedscope(&profile))?,
        ProfileFormat::Callgrind => callgrind(&profile),
        ProfileFormat::Hatchet => json(&hatchet(&profile))?,
        ProfileFormat::Folded => folded(&profile, figure),
        ProfileFormat::Chrome => String::new(),
    };
    match output_of(args)? {
        Some(output) => output.write(text.as_bytes())?,
        None => terminal.print(text)?,
    }
    Ok(0)
}

fn output_of(args: &ProfileExportArgs) -> Result<Option<Output>, cll_files::Error> {
    args.output.as_deref().map(|path| Output::apart_from(path, &args.files)).transpose()
}

fn json(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string(value);
    let text =
        text.map_err(|error| Failure::system(format!("cannot write the profile: {error}")))?;
    Ok(text + "\n")
}

/// A format with every superstep is written while the log is read.
fn timed(args: &ProfileExportArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    if let [path] = &args.files[..]
        && profile::is_oxford(path)?
    {
        return Err(Failure::usage("--format chrome is for logs")
            .help("a PROF.bsp has sums, not the times of single supersteps"));
    }
    let of_run = logs::logs_in(&args.files)?;
    if logs::are_calls(&of_run, terminal)?
        && (args.calls
            || matches!(logs::supersteps_of(&of_run, terminal)?, logs::SuperstepLog::None(_)))
    {
        return Err(Failure::usage(
            "--format chrome of cll profile export is for supersteps, not for calls of MPI",
        )
        .help(
            "cll mpi export LOG... --format chrome --out FILE writes the calls and the messages",
        ));
    }
    let (paths, sources) = logs::sources(&args.files, terminal)?;
    let logs = logs::logs(&paths, &sources, terminal)?;
    match output_of(args)? {
        None => timeline(&logs, terminal.writer()).map_err(|error| output(&error))?,
        Some(output) => output.write_with(|out| timeline(&logs, out))?,
    }
    Ok(0)
}
