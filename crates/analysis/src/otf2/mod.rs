//! A logged run as an archive of OTF2.
//!
//! The program is not linked with OTF2's library, which need not be on a computer. A program in C that writes archives
//! (`writer.c`) is compiled at its first use, and reads events from its standard input.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use crate::Error;
use cll_calls::{ExportError, LeftOut, Overview, otf2};
use cll_mpicc::{NoMpi, Output, Recipe, Wording, find};

use crate::logs::{Symbols, opener, place_in};

const SOURCE: &str = "writer.c";
/// Says where the library is.
const CONFIG: &str = "otf2-config";
const HELP: &str = "install OTF2 3.0 or later: on Debian libotf2-trace-dev";

/// Writes an archive: a folder that does not exist yet, with `traces.otf2` in it.
///
/// # Errors
/// If the folder exists or cannot be written, a log cannot be read, or OTF2's library or a C compiler is missing. Then
/// there is no folder.
pub fn export_otf2(
    paths: &[PathBuf],
    surveys: &mut [Overview],
    folder: &Path,
) -> Result<LeftOut, Error> {
    let unwritten = |why: &dyn std::fmt::Display| {
        Error::system(format!("cannot write {}: {why}", folder.display()))
    };
    if folder.as_os_str().is_empty() {
        return Err(Error::request("the name of the output is empty"));
    }
    if std::fs::symlink_metadata(folder).is_ok() {
        return Err(unwritten(&"it exists already")
            .advise("an archive of OTF2 is a folder: give the name of a new one"));
    }
    let program = writer()?;
    let aside = tempfile::Builder::new()
        .prefix(".cll-")
        .tempdir_in(cll_files::folder(folder))
        .map_err(|error| unwritten(&cll_files::reason(&error)))?;
    let archive = aside.path().join("archive");
    let mut symbols = Symbols::default();
    let places: Vec<_> = surveys.iter().map(|survey| survey.lanes.clone()).collect();
    let mut place_of = |process: usize, lane: u32, point: Option<u32>| {
        let lane = places[process].get(&lane);
        let located =
            lane.zip(point).and_then(|(lane, point)| Some((lane, lane.points.get(&point)?)));
        located.map_or((String::new(), 0), |(lane, point)| {
            place_in(&mut symbols, &lane.modules, point)
        })
    };
    let mut child = Command::new(&program)
        .arg(&archive)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| cll_files::Error::refused("run", &program, error))?;
    let (input, complaints) = (child.stdin.take(), child.stderr.take());
    // Whoever complains must not wait for a reader.
    let complaints = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = complaints.map(|mut from| from.read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let written = match input {
        Some(input) => {
            let mut out = BufWriter::with_capacity(1 << 16, input);
            otf2(surveys, &mut opener(paths), &mut place_of, &mut out)
                .and_then(|left_out| Ok(out.flush().map(|()| left_out)?))
        }
        None => Err(ExportError::Io(io::ErrorKind::BrokenPipe.into())),
    };
    let status = child.wait().map_err(|error| cll_files::Error::refused("run", &program, error))?;
    let message = complaints.join().unwrap_or_default();
    match written {
        Err(ExportError::Trace(error)) => return Err(Error::content(error.to_string())),
        // It has ended, and says why.
        Err(ExportError::Io(error)) if error.kind() != io::ErrorKind::BrokenPipe => {
            return Err(unwritten(&cll_files::reason(&error)));
        }
        Ok(left_out) if status.success() => {
            cll_files::keep_as(&archive, folder)?;
            return Ok(left_out);
        }
        Ok(_) | Err(_) => {}
    }
    Err(unwritten(&why(status, &message)))
}

/// Why the writer of archives has ended.
fn why(status: ExitStatus, message: &str) -> String {
    match message.lines().map(str::trim).find(|line| !line.is_empty()) {
        Some(line) => line.to_owned(),
        None => format!("its writer has ended without a message ({status})"),
    }
}

/// The compiled writer of archives.
fn writer() -> Result<PathBuf, Error> {
    let missing = || {
        Error::system(format!("OTF2's library is not here: there is no {CONFIG} in PATH"))
            .advise(HELP)
    };
    let config = find(OsStr::new(CONFIG)).ok_or_else(missing)?;
    let compiler = compiler()?;
    let ask = |arguments: &[&str]| {
        let answer = Command::new(&config).args(arguments).output();
        let answer = answer.map_err(|error| cll_files::Error::refused("run", &config, error))?;
        if answer.status.success() {
            Ok(String::from_utf8_lossy(&answer.stdout).into_owned())
        } else {
            Err(Error::system(format!(
                "{} {} has failed: {}",
                config.display(),
                arguments.join(" "),
                answer.status
            )))
        }
    };
    let version = ask(&["--version"])?;
    let (before, behind) = (ask(&["--cflags"])?, ask(&["--ldflags", "--libs"])?);
    // The library is found by the compiled program, too.
    let found: Vec<String> = behind
        .split_whitespace()
        .filter_map(|word| Some(format!("-Wl,-rpath,{}", word.strip_prefix("-L")?)))
        .collect();
    let mut arguments = vec!["-O2"];
    arguments.extend(before.split_whitespace());
    arguments.push(SOURCE);
    arguments.extend(behind.split_whitespace());
    arguments.extend(found.iter().map(String::as_str));
    let recipe = Recipe {
        sources: &[(SOURCE, include_bytes!("writer.c")), ("version", version.as_bytes())],
        derived: &[],
        outputs: &[Output { name: "otf2-writer", arguments: &arguments }],
    };
    let wording = Wording { cannot: "cannot compile the program that writes OTF2", help: HELP };
    let programs = recipe
        .compiled_by(&compiler, &wording)
        .map_err(|NoMpi { what, help }| Error::system(what).advise(help))?;
    programs.into_iter().next().ok_or_else(missing)
}

fn compiler() -> Result<PathBuf, Error> {
    let named = std::env::var_os("CC").filter(|name| !name.is_empty());
    let names = [named, Some(OsString::from("cc")), Some(OsString::from("gcc"))];
    names.into_iter().flatten().find_map(|name| find(&name)).ok_or_else(|| {
        Error::system("there is no C compiler, which compiles the program that writes OTF2")
            .advise("install gcc, or name a compiler: CC=clang")
    })
}
