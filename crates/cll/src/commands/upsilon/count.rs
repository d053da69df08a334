//! Instructions by line in each passage of a region: the program runs under callgrind, which writes its counts where a
//! passage ends.

use std::ffi::OsString;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cll_contract::OUT;
use cll_counters::{CALLGRIND, instructions, valgrind};
use cll_diagnostic::shell_word;
use cll_driver::compiler::{Compiler, CompilerKind, sibling_headers, split_words};
use cll_driver::library::{Library, Linked};
use cll_translate::Model;
use cll_upsilon::{Passage, Wanted};

use super::file::Source;
use crate::cli::UpsilonProposeArgs;
use crate::commands::translate::translated_name;
use crate::failure::{Failure, reason};
use crate::files;

/// Passages of one run: each makes a file.
const MAX_PASSAGES: usize = 5000;

/// A program that was built for counting.
pub struct Counter<'a> {
    args: &'a UpsilonProposeArgs,
    source: &'a Source,
    valgrind: PathBuf,
    place: tempfile::TempDir,
    program: PathBuf,
}

impl<'a> Counter<'a> {
    /// Builds it, without optimisation: so each line has its own instructions.
    ///
    /// # Errors
    /// If the program is parallel, does not compile, or if there is no valgrind.
    pub fn build(args: &'a UpsilonProposeArgs, source: &'a Source) -> Result<Counter<'a>, Failure> {
        let translation = &source.unit.translation;
        if translation.model != Model::Sequential {
            return Err(Failure::usage(format!(
                "--counts: {} is a {} program; lines are counted in sequential ones",
                source.unit.name(),
                translation.model.name()
            )));
        }
        let valgrind = valgrind().ok_or_else(|| {
            Failure::system("--counts: there is no valgrind in PATH")
                .help("install it (Debian package valgrind)")
        })?;
        let place = files::temporary_folder()?;
        let path = &source.unit.path;
        let code = place.path().join(translated_name(path));
        files::write(&code, source.unit.code())?;
        let header = translation.header.as_deref().unwrap_or_default();
        // Callgrind knows where a passage begins and ends by the calls of these functions.
        let called = "static __attribute__((__noinline__, __unused__)) void cll_";
        let header = ["begin_", "end_"].iter().fold(header.to_owned(), |text, word| {
            text.replace(&format!("CLL_INLINE void cll_{word}"), &format!("{called}{word}"))
        });
        files::write(&place.path().join(&source.unit.header), header.as_bytes())?;
        let program = place.path().join("counted");
        let library = Library::find()?;
        let mut words = sibling_headers(path, place.path());
        words.extend(library.compile_arguments());
        let (before, after): (Vec<OsString>, Vec<OsString>) = args
            .compiler
            .iter()
            .cloned()
            .partition(|word| !word.to_string_lossy().starts_with("-l"));
        words.extend(before);
        words.extend(["-g", "-O0", "-w", "-o"].map(OsString::from));
        words.extend([program.clone().into(), code.into()]);
        words.extend(after);
        words.push("-lm".into());
        words.extend(library.link_arguments(Linked::Program));
        let compiler = Compiler::choose(CompilerKind::C)?;
        let done = compiler.command().args(&words).stdin(Stdio::null()).output();
        let done = done.map_err(|error| compiler.failure(&error))?;
        if !done.status.success() {
            let text = String::from_utf8_lossy(&done.stderr);
            let first =
                text.lines().find(|line| line.contains("error") || line.contains("undefined"));
            return Err(Failure::compile(format!(
                "--counts: the program does not compile: {}",
                first.unwrap_or("the compiler says nothing").trim()
            ))
            .help("options, other files and libraries stand after `--`: cll upsilon propose a.c --counts -- b.c -Iinclude"));
        }
        Ok(Counter { args, source, valgrind, place, program })
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
        let mut all = Vec::new();
        for (number, arguments) in runs.iter().enumerate() {
            let folder =
                self.place.path().join(format!("{}.{number}", files::named_by(&wanted.name)));
            files::make_folder(&folder)?;
            let words = words(arguments)?;
            self.run(&folder, &places, &words)?;
            let counts = self.dumps(&folder)?;
            let values = values(&folder, wanted)?;
            if counts.len() != values.len() {
                return Err(Failure::input(format!(
                    "--counts: {} passages of {} were recorded and {} counted",
                    values.len(),
                    wanted.name,
                    counts.len()
                ))
                .help(
                    "regions that are inside of themselves, or left by a jump, cannot be counted",
                ));
            }
            let both = values.into_iter().zip(counts);
            all.extend(both.map(|(values, lines)| Passage { values, lines }));
        }
        Ok(all)
    }

    fn run(&self, folder: &Path, places: &[usize], words: &[OsString]) -> Result<(), Failure> {
        let mut command = Command::new(&self.valgrind);
        command.args(CALLGRIND);
        for place in places {
            command.arg(format!("--zero-before=cll_begin_{place}"));
            command.arg(format!("--dump-before=cll_end_{place}"));
        }
        let mut out = OsString::from("--callgrind-out-file=");
        out.push(folder.join("counts"));
        command.arg(out).arg(&self.program).args(words).env(OUT.name(), folder);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let failed = |error: std::io::Error| {
            Failure::system(format!("valgrind cannot be run: {}", reason(&error)))
        };
        let mut child = command.spawn().map_err(failed)?;
        let begin = Instant::now();
        let mut looked = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().map_err(failed)? {
                break status;
            }
            let is_late = begin.elapsed() > self.args.timeout;
            let mut is_too_much = false;
            if looked.elapsed() > Duration::from_secs(1) {
                looked = Instant::now();
                is_too_much = fs::read_dir(folder).is_ok_and(|all| all.count() > MAX_PASSAGES);
            }
            if is_late || is_too_much {
                child.kill().and_then(|()| child.wait()).map_err(failed)?;
                let message = match is_late {
                    true => "--counts: the program takes longer than --timeout under callgrind"
                        .to_owned(),
                    false => format!("--counts: the program has more than {MAX_PASSAGES} passages"),
                };
                return Err(Failure::program(message)
                    .help("give it smaller sizes: --arguments WORDS, or fewer values in `#pragma cll for`"));
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        match status.success() {
            true => Ok(()),
            false => {
                let arguments: Vec<String> =
                    words.iter().map(|word| shell_word(&word.to_string_lossy())).collect();
                Err(Failure::program(format!(
                    "--counts: the program failed under callgrind ({status}), with the arguments: {}",
                    arguments.join(" ")
                )))
            }
        }
    }

    /// The counts of the passages, in their order.
    fn dumps(&self, folder: &Path) -> Result<Vec<std::collections::BTreeMap<usize, u64>>, Failure> {
        let entries = fs::read_dir(folder)
            .map_err(|error| Failure::file("read", folder, &error))?
            .filter_map(Result::ok);
        let mut files: Vec<(u64, PathBuf)> = entries
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let number = name.strip_prefix("counts.")?.parse().ok()?;
                Some((number, entry.path()))
            })
            .collect();
        files.sort();
        let own = files::base(&self.source.unit.path);
        let mut all = Vec::new();
        for (_, path) in files {
            let text =
                fs::read_to_string(&path).map_err(|error| Failure::file("read", &path, &error))?;
            if !text.contains("Trigger: --dump-before=cll_end_") {
                continue;
            }
            let found = instructions(&text).into_iter();
            let lines = found.filter(|((file, _), _)| *file == own);
            all.push(lines.map(|((_, line), count)| (line as usize, count)).collect());
        }
        Ok(all)
    }
}

/// The values of the formula's variables in each passage, in the order in which they ended.
fn values(folder: &Path, wanted: &Wanted) -> Result<Vec<Vec<f64>>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| Failure::file("read", folder, &error))?;
    let trace = entries
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|end| end == "dat"));
    let trace = trace.ok_or_else(|| {
        Failure::program(format!("--counts: the program has not passed {}", wanted.name))
    })?;
    let bytes = fs::read(&trace).map_err(|error| Failure::file("read", &trace, &error))?;
    let wrong =
        |error: cll_trace::TraceError| Failure::input(format!("--counts: the trace: {error}"));
    let surveyed = cll_trace::survey(&bytes[..]).map_err(wrong)?;
    let names: Vec<&str> =
        wanted.formula.variables().iter().map(|variable| variable.name.as_str()).collect();
    let mut found = Vec::new();
    let visit = |sample: &cll_trace::Sample<'_>| {
        if sample.place.experiment == wanted.name && !sample.left {
            let value = |name: &&str| {
                let at = sample.place.variables.iter().position(|known| known == name);
                at.and_then(|at| sample.values.get(at)).copied().unwrap_or(f64::NAN)
            };
            found.push(names.iter().map(value).collect());
        }
        ControlFlow::Continue(())
    };
    cll_trace::stream(&bytes[..], &surveyed, visit).map_err(wrong)?;
    Ok(found)
}

/// The words of arguments, as a shell splits them.
fn words(text: &str) -> Result<Vec<OsString>, Failure> {
    split_words(text.as_ref()).map_err(|why| Failure::usage(format!("--arguments {text}: {why}")))
}
