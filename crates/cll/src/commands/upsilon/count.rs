//! Instructions by line in each passage of a region: the program runs under callgrind, which writes its counts where a
//! passage ends.

mod build;
mod read;

use std::ffi::OsString;
use std::fs;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use cll_analysis::Messages;
use cll_contract::{OUT, START};
use cll_counters::{CALLGRIND, valgrind};
use cll_diagnostic::shell_word;
use cll_driver::compiler::split_words;
use cll_launch::{Host, Mpirun, Options, Parallelism, Program, launch};
use cll_upsilon::{Passage, Wanted};

use super::file::Source;
use crate::cli::UpsilonProposeArgs;
use crate::failure::{Failure, reason};
use crate::files;
use build::Built;

/// Passages of one run, of all processes: each makes a file.
const MAX_PASSAGES: usize = 5000;
/// Processors of a parallel program without `--processors`.
const PROCESSORS: u32 = 2;

/// A program that was built for counting.
pub struct Counter<'a> {
    args: &'a UpsilonProposeArgs,
    source: &'a Source,
    valgrind: PathBuf,
    place: tempfile::TempDir,
    built: Built,
    mpirun: Option<Mpirun>,
}

impl<'a> Counter<'a> {
    /// Builds it.
    ///
    /// # Errors
    /// If the program is one of OpenMP, does not compile, or if there is no valgrind or no launcher.
    pub fn build(
        args: &'a UpsilonProposeArgs,
        source: &'a Source,
        messages: &dyn Messages,
    ) -> Result<Counter<'a>, Failure> {
        let valgrind = valgrind().ok_or_else(|| {
            Failure::system("--counts: there is no valgrind in PATH")
                .help("install it (Debian package valgrind)")
        })?;
        let place = files::temporary_folder()?;
        let built = build::build(source, &args.compiler, place.path(), messages)?;
        if built.parallelism == Parallelism::Threads && !args.processors.is_empty() {
            let name = source.unit.name();
            return Err(Failure::usage(format!("--processors: {name} is a sequential program"))
                .help("it calls neither BSPlib nor PUB nor MPI"));
        }
        let mpirun = match built.parallelism {
            Parallelism::Ranks => Some(Mpirun::for_program(&built.program)?),
            _ => None,
        };
        Ok(Counter { args, source, valgrind, place, built, mpirun })
    }

    /// The instructions of the source's lines in each passage of an experiment, of all runs.
    ///
    /// # Errors
    /// If the program fails or takes too long, or if the passages cannot be told apart.
    pub fn passages(&self, wanted: &Wanted) -> Result<Vec<Passage>, Failure> {
        let translation = &self.source.unit.translation;
        let places: Vec<usize> = (0..translation.places.len())
            .filter(|&index| translation.places[index].experiment == wanted.name)
            .collect();
        if let Some(&index) = places.iter().find(|&&index| translation.places[index].every > 1) {
            return Err(Failure::input(format!(
                "--counts: {} is recorded only each {} passages (every)",
                wanted.name, translation.places[index].every
            ))
            .help("leave this experiment out (--experiment), or count it without every(…)"));
        }
        let none = [String::new()];
        let runs =
            if self.args.arguments.is_empty() { &none[..] } else { &self.args.arguments[..] };
        let processors: Vec<Option<u32>> = match (self.built.parallelism, &self.args.processors[..])
        {
            (Parallelism::Threads, _) => vec![None],
            (_, []) => vec![Some(PROCESSORS)],
            (_, given) => given.iter().copied().map(Some).collect(),
        };
        let mut all = Vec::new();
        for (number, arguments) in runs.iter().enumerate() {
            for &processors in &processors {
                let folder = self.place.path().join(format!(
                    "{}.{number}.{}",
                    files::named_by(&wanted.name),
                    processors.unwrap_or(0)
                ));
                files::make_folder(&folder)?;
                self.run(&folder, &places, &words(arguments)?, processors)?;
                let counts = read::counts(&folder, &files::base(&self.source.unit.path))?;
                let values = read::values(&folder, wanted, &self.source.unit.name())?;
                all.extend(read::passages(counts, values, &wanted.name)?);
            }
        }
        Ok(all)
    }

    fn run(
        &self,
        folder: &Path,
        places: &[usize],
        words: &[OsString],
        processors: Option<u32>,
    ) -> Result<(), Failure> {
        let mut before = vec![self.valgrind.clone().into_os_string()];
        before.extend(CALLGRIND.map(OsString::from));
        for place in places {
            before.push(format!("--zero-before=cll_begin_{place}").into());
            before.push(format!("--dump-before=cll_end_{place}").into());
        }
        let mut out = OsString::from("--callgrind-out-file=");
        out.push(folder.join("counts.%p"));
        before.push(out);
        let options = Options {
            processors,
            attached: true,
            // Forked processors stay in the simulation; valgrind cannot begin itself again.
            variables: vec![
                (OUT.name().to_owned(), folder.into()),
                (START.name().to_owned(), OsString::new()),
            ],
            before,
            arguments: words.to_vec(),
            ..Options::default()
        };
        let program = Program {
            path: &self.built.program,
            parallelism: self.built.parallelism,
            has_threads: false,
        };
        let launch = launch(&options, &program, &Host::here(self.mpirun.as_ref()));
        let mut command = launch.process();
        let mut printed = tempfile::tempfile().map_err(failed)?;
        let stderr = printed.try_clone().map_err(failed)?;
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr);
        let child = command.spawn().map_err(failed)?;
        let status = self.status(child, folder)?;
        if status.success() {
            return Ok(());
        }
        let arguments: Vec<String> =
            words.iter().map(|word| shell_word(&word.to_string_lossy())).collect();
        let failure = Failure::program(format!(
            "--counts: the program failed under callgrind ({status}), with the arguments: {}",
            arguments.join(" ")
        ));
        let mut output = Vec::new();
        let _ = printed.rewind().and_then(|()| printed.read_to_end(&mut output));
        Err(
            match String::from_utf8_lossy(&output)
                .lines()
                .find(|line| line.contains(char::is_alphabetic))
            {
                Some(line) => failure.help(format!("it said: {}", line.trim())),
                None => failure,
            },
        )
    }

    /// How valgrind ends. It is ended if it takes too long or writes too many files into the folder.
    fn status(&self, mut child: Child, folder: &Path) -> Result<ExitStatus, Failure> {
        let begin = Instant::now();
        let mut looked = Instant::now();
        loop {
            if let Some(status) = child.try_wait().map_err(failed)? {
                return Ok(status);
            }
            let is_late = begin.elapsed() > self.args.timeout;
            let mut is_too_much = false;
            if looked.elapsed() > Duration::from_secs(1) {
                looked = Instant::now();
                is_too_much = fs::read_dir(folder).is_ok_and(|all| all.count() > MAX_PASSAGES);
            }
            if is_late || is_too_much {
                child.kill().and_then(|()| child.wait()).map_err(failed)?;
                let message = if is_late {
                    "--counts: the program takes longer than --timeout under callgrind".to_owned()
                } else {
                    format!("--counts: the program has more than {MAX_PASSAGES} passages")
                };
                return Err(Failure::program(message)
                    .help("give it smaller sizes: --arguments WORDS, or fewer values in `#pragma cll for`"));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// The failure to run valgrind.
fn failed(error: std::io::Error) -> Failure {
    Failure::system(format!("valgrind cannot be run: {}", reason(&error)))
}

/// The words of arguments, as a shell splits them.
fn words(text: &str) -> Result<Vec<OsString>, Failure> {
    split_words(text.as_ref()).map_err(|why| Failure::usage(format!("--arguments {text}: {why}")))
}
