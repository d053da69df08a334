//! What only the compiler knows: has the program a variable of this name in scope?

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Stdio;

use cll_translate::OwnNames;

use super::{Compiler, Language};
use crate::failure::Failure;
use crate::files;
use crate::library::Library;

/// Compiles `question` as the source in `folder` would be, and reads the answer
/// from the compiler's messages. A source with errors of its own gives what
/// could be told; its errors are shown when it is compiled.
pub fn ask(
    compiler: &Compiler,
    language: Language,
    flags: &[OsString],
    folder: &Path,
    question: &[u8],
) -> Result<OwnNames, Failure> {
    let printed = complaints(compiler, language, flags, folder, question)?;
    Ok(OwnNames::from_compiler(&printed))
}

/// What the compiler says of `question`, were it a source in `folder`.
pub fn complaints(
    compiler: &Compiler,
    language: Language,
    flags: &[OsString],
    folder: &Path,
    question: &[u8],
) -> Result<String, Failure> {
    let place = files::temporary_folder()?;
    let path = place.path().join("probe.c");
    files::write(&path, question)?;
    let ask = |unlimited| messages(compiler, language, flags, folder, &path, unlimited);
    let printed = ask(false)?;
    // Clang stops after 20 errors, and GCC knows no option to tell it so.
    match printed.contains("-ferror-limit=") {
        true => ask(true),
        false => Ok(printed),
    }
}

fn messages(
    compiler: &Compiler,
    language: Language,
    flags: &[OsString],
    folder: &Path,
    path: &Path,
    unlimited: bool,
) -> Result<String, Failure> {
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
        .map_err(|error| compiler.failure(&error))?;
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Flags that change how messages are printed would hide the answer.
fn harmless(flag: &OsStr) -> bool {
    let flag = flag.to_string_lossy();
    let hiding = ["-fdiagnostics", "-fmessage-length", "-fmax-errors", "-ferror-limit"];
    flag != "-Wfatal-errors" && !hiding.iter().any(|start| flag.starts_with(start))
}
