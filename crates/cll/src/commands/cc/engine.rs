//! Programs for the threads engine of BSP: `cll cc --engine threads`.
//!
//! That engine loads the program once for each processor, and only shared objects can be loaded. So such
//! a program is linked as a shared object that can be executed, too: it has the beginning of a program,
//! and names the loader that the system is to start it with.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use tempfile::TempDir;

use crate::cli::Engine;
use crate::compiler::Compiler;
use crate::failure::Failure;
use crate::files;

use super::invocation::Invocation;

/// Takes `--engine ENGINE` out of the arguments.
pub fn wanted(arguments: Vec<OsString>) -> Result<(Option<Engine>, Vec<OsString>), Failure> {
    let mut engine = None;
    let mut rest = Vec::new();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let named = match argument.as_bytes() {
            b"--engine" => arguments.next().unwrap_or_default(),
            bytes => match bytes.strip_prefix(b"--engine=") {
                Some(name) => OsStr::from_bytes(name).to_owned(),
                None => {
                    rest.push(argument);
                    continue;
                }
            },
        };
        engine = Some(Engine::named(&named).ok_or_else(|| {
            Failure::usage(format!("--engine {}: there is no such engine", named.display()))
                .help("processes, threads or mpi")
        })?);
    }
    Ok((engine, rest))
}

/// What makes a program one for the threads engine.
#[derive(Debug)]
pub struct Loadable {
    /// Where the loader is named; removed when it has been linked.
    folder: TempDir,
    start: PathBuf,
}

/// Before the loader's name in the assembler's language, and behind it.
const INTERP: &[u8] = b".section .interp,\"a\"\n.asciz \"";
const NO_CODE: &[u8] = b"\"\n.section .note.GNU-stack,\"\",%progbits\n";

/// Options for every source.
pub fn compiling() -> [OsString; 2] {
    // Without room that is set aside when a process starts: for many copies there would be too little.
    ["-fPIC".into(), "-DCLL_TLS=".into()]
}

impl Loadable {
    /// Asks the compiler what it would link a program with.
    pub fn new(compiler: &Compiler, invocation: &Invocation) -> Result<Loadable, Failure> {
        let has = |option: &str| invocation.flags().iter().any(|word| word == option);
        if has("-static") || has("-static-pie") {
            return Err(Failure::usage(
                "--engine threads: a static program cannot be loaded again",
            )
            .help("leave out -static"));
        }
        let output = |arguments: &[&str]| {
            let done = compiler.command().args(arguments).output();
            done.map_err(|error| compiler.failure(&error))
        };
        let failure = |what: &str| {
            Failure::system(format!("--engine threads: the compiler does not tell {what}"))
                .help("gcc and clang do; CLL_CC chooses the compiler")
        };
        let start = output(&["-print-file-name=Scrt1.o"])?.stdout;
        let start = PathBuf::from(OsString::from_vec(start.trim_ascii().to_vec()));
        if !start.is_file() {
            return Err(failure("where Scrt1.o lies"));
        }
        let plan = output(&["-###", "-x", "c", "/dev/null", "-o", "/dev/null"])?.stderr;
        let loader = loader(&plan).ok_or_else(|| failure("which loader programs have"))?;
        let folder = tempfile::tempdir()
            .map_err(|error| Failure::system(format!("no folder for temporary files: {error}")))?;
        let text = [INTERP, loader, NO_CODE].concat();
        let file = folder.path().join("loader.s");
        files::write(&file, &text)?;
        Ok(Loadable { folder, start })
    }

    /// What goes at the end of the command that links.
    pub fn linking(&self) -> Vec<OsString> {
        let file = self.folder.path().join("loader.s");
        // What a copy names is its own, not the first one's; its exit is that of one processor.
        let mut arguments: Vec<OsString> = [
            "-shared",
            "-Wl,-Bsymbolic",
            "-Wl,-e,_start",
            "-Wl,--wrap=exit",
            "-Wl,--defsym=__wrap_exit=cll_bsp_exit",
            "-x",
            "none",
        ]
        .map(OsString::from)
        .into();
        arguments.push(self.start.clone().into());
        arguments.extend([
            "-x".into(),
            "assembler".into(),
            file.into(),
            "-x".into(),
            "none".into(),
        ]);
        arguments
    }
}

/// The word after `-dynamic-linker`.
fn loader(plan: &[u8]) -> Option<&[u8]> {
    let mut words = plan.split(|byte| byte.is_ascii_whitespace()).map(|word| {
        let word = word.strip_prefix(b"\"").unwrap_or(word);
        word.strip_suffix(b"\"").unwrap_or(word)
    });
    words.find(|word| [&b"-dynamic-linker"[..], b"--dynamic-linker"].contains(word))?;
    words.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loader_is_found_in_what_gcc_and_clang_say() {
        let gcc = b" /usr/lib/collect2 -m elf_x86_64 -dynamic-linker /lib64/ld.so.2 -pie -o x";
        let clang =
            b" \"/usr/bin/ld\" \"-pie\" \"-dynamic-linker\" \"/lib64/ld.so.2\" \"-o\" \"x\"";
        assert_eq!(loader(gcc), Some(&b"/lib64/ld.so.2"[..]));
        assert_eq!(loader(clang), Some(&b"/lib64/ld.so.2"[..]));
        assert_eq!(loader(b"-static -o x"), None);
    }

    #[test]
    fn the_option_is_ours_in_both_spellings() {
        let words = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        for line in ["--engine threads -O2 a.c", "-O2 --engine=threads a.c"] {
            let (engine, rest) = wanted(words(line)).unwrap();
            assert_eq!(engine.map(Engine::name), Some("threads"));
            assert_eq!(rest, words("-O2 a.c"));
        }
        assert!(wanted(words("--engine tea a.c")).is_err());
    }
}
