//! Programs in C, compiled by the installed compiler, linked with the library, run, and their traces read.
#![allow(dead_code)]

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use cll_trace::Trace;
use tempfile::TempDir;

pub mod launcher;

pub use cll_archive::Libcll;

/// Longer than any program here takes on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(600);

/// The library, built once for all tests.
pub fn libcll() -> &'static Libcll {
    static BUILT: OnceLock<Libcll> = OnceLock::new();
    BUILT.get_or_init(|| {
        let target = cll_archive::TARGET;
        let folder = cll_archive::folder(Path::new(env!("CARGO_TARGET_TMPDIR")), target);
        cll_archive::build(&folder, target).unwrap_or_else(|error| panic!("{error}"))
    })
}

/// Output of a tool that must succeed.
pub fn tool(name: &str, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> String {
    let mut command = Command::new(name);
    let output = command.args(args).output().unwrap_or_else(|error| panic!("{name}: {error}"));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed:\n{message}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Folder with the C sources of the tests.
pub fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c")
}

/// How a program is compiled.
#[derive(Clone, Copy, Debug)]
pub struct Build<'a> {
    pub compiler: &'a str,
    /// Before the library.
    pub flags: &'a [&'a str],
    /// Link with `libcll.a`; otherwise nothing of ours is linked.
    pub linked: bool,
}

impl Default for Build<'_> {
    fn default() -> Self {
        Build { compiler: "gcc", flags: &["-O2", "-pthread"], linked: true }
    }
}

/// A compiled program in a separate folder.
pub struct Program {
    pub folder: TempDir,
    pub path: PathBuf,
}

/// Compiles `tests/c/NAME.c`. Each test is a process of its own: what one of them has compiled serves all.
pub fn compile(name: &str) -> Program {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
    fs::create_dir_all(&folder).unwrap();
    let lock = File::create(folder.join(format!("{name}.lock"))).unwrap();
    lock.lock().unwrap();
    let of_name = format!("{name}-");
    let kept = folder.join(format!("{of_name}{:08x}", what_bears_on_programs()));
    if !kept.exists() {
        // Those of older sources.
        for old in list(&folder) {
            let file = old.file_name().unwrap().to_string_lossy().into_owned();
            if file.starts_with(&of_name) {
                fs::remove_file(old).unwrap();
            }
        }
        let new = folder.join(format!("{of_name}new"));
        compile_to(&sources().join(format!("{name}.c")), &new, Build::default());
        fs::rename(new, &kept).unwrap();
    }
    let program = Program::in_new_folder(name);
    // Not by this process: a child that it starts meanwhile would have the file open for writing.
    tool("cp", [&kept, &program.path]);
    program
}

/// A number that changes with the compiler, the sources and the library.
fn what_bears_on_programs() -> u32 {
    let mut hash = crc32fast::Hasher::new();
    hash.update(format!("{:?}", Build::default()).as_bytes());
    hash.update(tool(Build::default().compiler, ["--version"]).as_bytes());
    let mut files: Vec<PathBuf> = list(&sources());
    files.extend(list(libcll().header.parent().unwrap()));
    files.retain(|path| path.is_file());
    files.sort();
    for file in files {
        hash.update(file.as_os_str().as_encoded_bytes());
        hash.update(&fs::read(file).unwrap());
    }
    hash.finalize()
}

/// Compiles a source to `name`.
pub fn compile_with(source: &str, name: &str, build: Build<'_>) -> Program {
    let program = Program::in_new_folder(name);
    compile_to(&sources().join(source), &program.path, build);
    program
}

/// Compiles a source to a path.
pub fn compile_to(source: &Path, path: &Path, build: Build<'_>) {
    let header = libcll().header.parent().unwrap();
    let mut command = Command::new(build.compiler);
    command
        .arg("-Wall")
        .arg("-Wextra")
        .arg("-Werror")
        .arg("-I")
        .arg(header)
        .arg("-I")
        .arg(sources());
    command.arg("-o").arg(path).arg(source).args(build.flags);
    if build.linked {
        command.arg(&libcll().archive).args(["-lpthread", "-ldl", "-lm"]);
    }
    let output = command.output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}:\n{message}");
}

impl Program {
    /// A folder for a program that is yet to be compiled.
    pub fn in_new_folder(name: &str) -> Program {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        Program { folder, path }
    }

    /// Flags as of `cll cc --engine threads`: a shared object that can be executed, bound to itself.
    pub fn loadable(&self) -> Vec<String> {
        let ask = |arguments: &[&str]| Command::new("gcc").args(arguments).output().unwrap();
        let start = String::from_utf8(ask(&["-print-file-name=Scrt1.o"]).stdout).unwrap();
        let plan = ask(&["-###", "-x", "c", "/dev/null", "-o", "/dev/null"]).stderr;
        let plan = String::from_utf8_lossy(&plan).into_owned();
        let mut words = plan.split_whitespace();
        let loader = words.find(|word| *word == "-dynamic-linker").and_then(|_| words.next());
        let file = self.folder.path().join("loader.s");
        let text = format!(
            ".section .interp,\"a\"\n.asciz \"{}\"\n.section .note.GNU-stack,\"\",%progbits\n",
            loader.unwrap()
        );
        fs::write(&file, text).unwrap();
        let own = self.folder.path().join("own.o");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bsp/libc_state.c");
        tool("gcc", ["-O2", "-fPIC", "-c", source.to_str().unwrap(), "-o", own.to_str().unwrap()]);
        let of_the_linker = [
            "-Bsymbolic",
            "-e,_start",
            "-z,defs",
            "-u,cll_bsp_exit",
            "--wrap=exit",
            "--defsym=__wrap_exit=cll_bsp_exit",
            "--wrap=_exit",
            "--defsym=__wrap__exit=cll_bsp_exit_now",
            "--wrap=_Exit",
            "--defsym=__wrap__Exit=cll_bsp_exit_now",
            "--wrap=quick_exit",
            "--defsym=__wrap_quick_exit=cll_bsp_quick_exit",
        ];
        let mut flags = vec!["-fPIC".to_owned(), "-DCLL_TLS=".to_owned(), "-shared".to_owned()];
        flags.extend(of_the_linker.map(|flag| format!("-Wl,{flag}")));
        flags.extend(
            [
                start.trim(),
                own.to_str().unwrap(),
                "-x",
                "assembler",
                file.to_str().unwrap(),
                "-x",
                "none",
            ]
            .map(str::to_owned),
        );
        flags
    }

    /// A command that runs it in its folder, with no variable of ours in its environment.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.current_dir(self.folder.path());
        for name in ["CLL_SHM_FD", "CLL_OUT", "CLL_CLOCK", "CLL_GATE", "CLL_ORDER"] {
            command.env_remove(name);
        }
        command
    }

    /// Runs it with arguments; it must end.
    pub fn run(&self, args: &[&str]) -> Output {
        run(self.command().args(args))
    }

    /// Runs it with arguments; it must end with status 0 and print nothing on standard error.
    pub fn run_well(&self, args: &[&str]) -> Output {
        let output = self.run(args);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && message.is_empty(), "{:?}: {message}", output.status);
        output
    }

    /// Returns the traces in the program's folder, by number.
    pub fn traces(&self) -> Vec<Trace> {
        traces(self.folder.path())
    }

    /// Returns the only trace.
    pub fn trace(&self) -> Trace {
        let mut traces = self.traces();
        assert_eq!(traces.len(), 1, "traces in {:?}", list(self.folder.path()));
        traces.remove(0)
    }
}

/// Runs a command to its end.
pub fn run(command: &mut Command) -> Output {
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    finish(child.unwrap())
}

/// Waits for a child; one that does not end is killed and the test fails.
pub fn finish(child: Child) -> Output {
    let pid = child.id() as i32;
    let (done, waiting) = std::sync::mpsc::channel();
    let waiter = std::thread::spawn(move || {
        let _ = done.send(child.wait_with_output());
    });
    match waiting.recv_timeout(PATIENCE) {
        Ok(output) => {
            waiter.join().unwrap();
            output.unwrap()
        }
        Err(_) => {
            // SAFETY: a child of ours that has not been waited for.
            unsafe { libc::kill(pid, libc::SIGKILL) };
            panic!("the program did not end in {PATIENCE:?}");
        }
    }
}

/// The traces in a folder, by run and rank.
pub fn traces(folder: &Path) -> Vec<Trace> {
    let mut files: Vec<(u32, u32, PathBuf)> = list(folder)
        .into_iter()
        .filter_map(|path| {
            let name = path.file_name()?.to_str()?.to_owned();
            let (_, rest) = name.split_once(".cll.")?;
            let numbers = rest.strip_suffix(".dat")?;
            let (run, rank) = numbers.split_once('.').unwrap_or((numbers, "0"));
            Some((run.parse().ok()?, rank.parse().ok()?, path))
        })
        .collect();
    files.sort();
    files.iter().map(|(_, _, path)| read(path)).collect()
}

/// Reads a trace in which nothing may be damaged.
pub fn read(path: &Path) -> Trace {
    let trace = cll_trace::read(File::open(path).unwrap()).unwrap();
    assert!(trace.damage.is_empty(), "{}: {:?}", path.display(), trace.damage);
    assert_eq!(trace.unknown_blocks, 0);
    trace
}

/// The files in a folder.
pub fn list(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// Number of samples of an experiment, 0 if there is none of the name.
pub fn samples(trace: &Trace, experiment: &str) -> u64 {
    let named =
        trace.experiments.iter().filter(|experiment_model| experiment_model.name == experiment);
    named.map(|experiment| experiment.samples()).sum()
}

/// Inclusive seconds of all samples of an experiment.
pub fn seconds(trace: &Trace, experiment: &str) -> Vec<f64> {
    let named =
        trace.experiments.iter().filter(|experiment_model| experiment_model.name == experiment);
    named.flat_map(|experiment| &experiment.cells).flat_map(|cell| cell.inclusive.clone()).collect()
}

/// The number of samples of a trace with a property.
pub fn count(bytes: &[u8], what: impl Fn(&cll_trace::Sample<'_>) -> bool) -> u64 {
    let survey = cll_trace::survey(bytes).unwrap();
    let mut count = 0;
    let visit = |sample: &cll_trace::Sample<'_>| {
        count += u64::from(what(sample));
        std::ops::ControlFlow::Continue(())
    };
    cll_trace::stream(bytes, &survey, visit).unwrap();
    count
}

/// Waits until a condition is true.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "not in {PATIENCE:?}: {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A number that a program under test prints.
pub fn printed(output: &Output) -> u64 {
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse().unwrap_or_else(|_| {
        let _ = std::io::stderr().write_all(&output.stderr);
        panic!("no number: {text:?}, {:?}", output.status)
    })
}

/// A test that cannot run here reports that.
pub fn skip(test: &str, missing: &str) {
    eprintln!("{test}: skipped for want of {missing}");
    if let Some(path) = std::env::var_os("CLL_TEST_SKIPS") {
        let mut list = File::options().append(true).create(true).open(path).unwrap();
        writeln!(list, "{test}: {missing}").unwrap();
    }
}
