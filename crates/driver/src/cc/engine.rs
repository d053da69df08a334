//! Programs for the threads engine of BSP: `cll cc --engine threads`.
//!
//! That engine loads the program once for each processor, and only shared objects can be loaded. So such a program
//! is linked as a shared object that can also be executed: it has an entry point, and names the loader with which
//! the system starts it. The object `libc_state.c` is added to it: data that the C library has once for a process, and
//! that each processor needs for itself.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use cll_contract::ENGINE;
use tempfile::TempDir;

use crate::Error;
use crate::compiler::Compiler;
use crate::files;
use cll_contract::Engine;

use super::invocation::Invocation;

/// Removes `--engine ENGINE` from the arguments.
pub fn wanted(arguments: Vec<OsString>) -> Result<(Option<Engine>, Vec<OsString>), Error> {
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
        engine = Some(ENGINE.read_or_none(Some(named.as_bytes())).ok_or(Error::NoEngine(named))?);
    }
    Ok((engine, rest))
}

/// The files that are added for the threads engine.
#[derive(Debug)]
pub struct Loadable {
    /// The files with the loader's name and the object, removed after linking.
    folder: TempDir,
    start: PathBuf,
}

/// The source of the object.
const OWN: &str = include_str!("../../../runtime/src/bsp/libc_state.c");

/// The linker's options: a copy uses its own symbols, not those of the first one; its exit is that of one
/// processor; an undefined symbol is an error, as in other programs; and the library is linked even if the program
/// calls nothing of it.
const LINKING: [&str; 13] = [
    "-shared",
    "-Wl,-Bsymbolic",
    "-Wl,-e,_start",
    "-Wl,-z,defs",
    "-Wl,-u,cll_bsp_exit",
    "-Wl,--wrap=exit",
    "-Wl,--defsym=__wrap_exit=cll_bsp_exit",
    "-Wl,--wrap=_exit",
    "-Wl,--defsym=__wrap__exit=cll_bsp_exit_now",
    "-Wl,--wrap=_Exit",
    "-Wl,--defsym=__wrap__Exit=cll_bsp_exit_now",
    "-Wl,--wrap=quick_exit",
    "-Wl,--defsym=__wrap_quick_exit=cll_bsp_quick_exit",
];

/// Assembly before the loader's name, and after it.
const INTERP: &[u8] = b".section .interp,\"a\"\n.asciz \"";
const NO_CODE: &[u8] = b"\"\n.section .note.GNU-stack,\"\",%progbits\n";

/// Options for every source.
pub fn compiling() -> [OsString; 2] {
    // Without static TLS, which has too little space for many copies.
    ["-fPIC".into(), "-DCLL_TLS=".into()]
}

impl Loadable {
    /// Asks the compiler for its linker command.
    pub fn new(compiler: &Compiler, invocation: &Invocation) -> Result<Loadable, Error> {
        let has = |option: &str| invocation.flags().iter().any(|word| word == option);
        if has("-static") || has("-static-pie") {
            return Err(Error::StaticThreads);
        }
        let output = |arguments: &[&str]| {
            let done = compiler.command().args(arguments).output();
            done.map_err(|error| compiler.failure(error))
        };
        let start = output(&["-print-file-name=Scrt1.o"])?.stdout;
        let start = PathBuf::from(OsString::from_vec(start.trim_ascii().to_vec()));
        if !start.is_file() {
            return Err(Error::NotReported("the path of Scrt1.o"));
        }
        let plan = output(&["-###", "-x", "c", "/dev/null", "-o", "/dev/null"])?.stderr;
        let loader = loader(&plan).ok_or(Error::NotReported("the loader of programs"))?;
        let folder = tempfile::tempdir().map_err(Error::NoFolder)?;
        let text = [INTERP, loader, NO_CODE].concat();
        let file = folder.path().join("loader.s");
        files::write(&file, &text)?;
        let loadable = Loadable { folder, start };
        loadable.compile_own(compiler, invocation)?;
        Ok(loadable)
    }

    /// Compiled separately from the program's sources, without their options except those for the target machine.
    fn compile_own(&self, compiler: &Compiler, invocation: &Invocation) -> Result<(), Error> {
        let (source, object) = (self.file("libc_state.c"), self.file("own.o"));
        files::write(&source, OWN.as_bytes())?;
        let for_the_machine = |word: &&OsString| {
            let word = word.as_bytes();
            [&b"-m"[..], b"--target=", b"--sysroot="].iter().any(|begin| word.starts_with(begin))
        };
        let flags = invocation.flags();
        let mut command = compiler.command();
        command.args(flags.iter().filter(for_the_machine));
        command.args(["-x", "c", "-O2", "-fPIC", "-w", "-c"]).arg(&source).arg("-o").arg(&object);
        let done = command.output().map_err(|error| compiler.failure(error))?;
        if done.status.success() {
            Ok(())
        } else {
            let messages = String::from_utf8_lossy(&done.stderr).trim_end().to_owned();
            Err(Error::OwnObject { messages })
        }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The last arguments of the command that links.
    pub fn linking(&self) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = LINKING.map(OsString::from).into();
        arguments.extend(["-x".into(), "none".into()]);
        arguments.extend([self.start.clone().into(), self.file("own.o").into()]);
        arguments.extend([
            "-x".into(),
            "assembler".into(),
            self.file("loader.s").into(),
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
