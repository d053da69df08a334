//! Whether the markers change the compiler's code: instructions by line, counted by callgrind in one run of the
//! program with markers and one of the program without.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cll_contract::OUT;
use cll_result::{Against, CodeModel};
use cll_translate::Model;

use super::plain;
use crate::build::Sources;
use crate::folder::Folder;
use crate::sample::Sampler;
use crate::settings::Settings;
use cll_counters::{CALLGRIND, differing, instructions, valgrind};
use cll_driver::compiler::Compiler;
use cll_files::{self as files, Notices};
use cll_sampling::few;

/// A larger difference leads to a comparison of the code.
const MIN_DIFFERENCE: f64 = 0.02;
/// A longer run, seconds, is not counted without a request: counting takes fifty times as long.
const MAX_RUN_SECONDS: f64 = 0.2;
/// The largest number of lines that are named.
const MAX_LINES: usize = 5;

/// Compares, if requested, or if the times differ by more than random variation explains. That a requested one cannot be
/// done is a warning.
pub fn compare_code(
    is_requested: bool,
    args: &Settings<'_>,
    compiler: &Compiler,
    sources: &Sources,
    folder: &Folder,
    sampler: &mut Sampler<'_>,
    notices: &dyn Notices,
) {
    let differs = sampler.cost().is_some_and(|cost| {
        let is_beyond = cost.interval.is_some_and(|interval| {
            interval.low > MIN_DIFFERENCE || interval.high < -MIN_DIFFERENCE
        });
        is_beyond && cost.with < MAX_RUN_SECONDS
    });
    if !(is_requested || differs && sampler.overhead.against == Some(Against::Plain)) {
        return;
    }
    match counted(args, compiler, sources, folder, sampler) {
        Ok(code) => sampler.overhead.code = Some(code),
        Err(why) if is_requested => notices.warn(&format!("--compare-code: {why}")),
        Err(_) => {}
    }
}

fn counted(
    args: &Settings<'_>,
    compiler: &Compiler,
    sources: &Sources,
    folder: &Folder,
    sampler: &Sampler<'_>,
) -> Result<Vec<CodeModel>, String> {
    if sources.model != Model::Sequential {
        return Err("instructions are compared of sequential programs only".to_owned());
    }
    let valgrind = valgrind().ok_or("there is no valgrind in PATH")?;
    let place = files::temporary_folder().map_err(|_| "cannot make a folder for it".to_owned())?;
    let (with, without) = plain::for_lines(args, compiler, sources, folder, place.path())
        .map_err(|error| error.to_string())?;
    // The first combination has the smallest values.
    let launching = few(&sampler.grid, 0).into_iter().next().ok_or("there is nothing to run")?;
    let arguments = sampler.campaign.arguments.fill(&launching.values, launching.processors);
    let count = |program: &Path| {
        let out = place.path().join("counts");
        let mut option = OsString::from("--callgrind-out-file=");
        option.push(&out);
        let mut command = Command::new(&valgrind);
        command.args(CALLGRIND).arg(option).arg(program).args(&arguments);
        command.env(OUT.name(), place.path());
        finish(&mut command, args.timeout)?;
        let text = fs::read_to_string(&out)
            .map_err(|_| "valgrind wrote no counts: the program may end by a signal".to_owned())?;
        Ok::<_, String>(instructions(&text))
    };
    let (with, without) = (count(&with)?, count(&without)?);
    let is_own = |file: &str, line: u32| sources.is_own_line(file, line);
    let mut differences = differing(&with, &without, is_own);
    differences.truncate(MAX_LINES);
    Ok(differences
        .into_iter()
        .map(|differs| CodeModel {
            file: differs.file,
            line: differs.line,
            with: differs.with,
            without: differs.without,
        })
        .collect())
}

/// Runs to the end, or until the time limit of a launch.
fn finish(command: &mut Command, timeout: Duration) -> Result<(), String> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let failed = |error: std::io::Error| format!("valgrind cannot be run: {error}");
    let begin = Instant::now();
    let mut child = command.spawn().map_err(failed)?;
    while child.try_wait().map_err(failed)?.is_none() {
        if begin.elapsed() > timeout {
            child.kill().and_then(|()| child.wait()).map_err(failed)?;
            return Err("counting takes longer than --timeout".to_owned());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}
