//! Questions that only the compiler can answer: does a name refer to a variable of the program?

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Stdio;

use cll_translate::OwnNames;

use super::{Compiler, Language};
use crate::Error;
use crate::files;
use crate::library::Library;

/// Compiles `question` like the source in `folder`, and reads the answer from the compiler's messages. A source
/// with its own errors gives the answers that are possible; its errors are shown when it is compiled.
pub fn ask(
    compiler: &Compiler,
    language: Language,
    flags: &[OsString],
    folder: &Path,
    question: &[u8],
) -> Result<OwnNames, Error> {
    let printed = complaints(compiler, language, flags, folder, question)?;
    Ok(OwnNames::from_compiler(&printed))
}

/// The compiler's messages on `question`, as a source in `folder`.
pub fn complaints(
    compiler: &Compiler,
    language: Language,
    flags: &[OsString],
    folder: &Path,
    question: &[u8],
) -> Result<String, Error> {
    let place = files::temporary_folder()?;
    let path = place.path().join("probe.c");
    files::write(&path, question)?;
    let ask = |unlimited| messages(compiler, language, flags, folder, &path, unlimited);
    let printed = ask(false)?;
    // Clang stops after 20 errors; GCC does not have this option.
    if printed.contains("-ferror-limit=") { ask(true) } else { Ok(printed) }
}

fn messages(
    compiler: &Compiler,
    language: Language,
    flags: &[OsString],
    folder: &Path,
    path: &Path,
    unlimited: bool,
) -> Result<String, Error> {
    let mut command = compiler.command();
    command.args(flags.iter().filter(|flag| harmless(flag)));
    if unlimited {
        command.arg("-ferror-limit=0");
    }
    command.args(Library::find()?.compile_arguments());
    command.args(["-w", "-fsyntax-only", "-iquote"]).arg(folder);
    command.args(["-x", language.option()]).arg(path);
    let output = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output()
        .map_err(|error| compiler.failure(error))?;
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Without flags that change how messages are printed.
fn harmless(flag: &OsStr) -> bool {
    let flag = flag.to_string_lossy();
    let hiding = ["-fdiagnostics", "-fmessage-length", "-fmax-errors", "-ferror-limit"];
    flag != "-Wfatal-errors" && !hiding.iter().any(|start| flag.starts_with(start))
}
