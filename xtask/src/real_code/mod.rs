//! Real programs as a test of the translator.
//!
//! Every project is built by its own build system with a compiler that records
//! what it was asked. Then each C source is held against three statements:
//! without a directive the translation is the source; with regions put around
//! its statements and the markers compiled out the object code is the same;
//! with the markers in it compiles.

pub mod recorder;

mod annotate;
mod check;
mod fetch;
mod object;
mod projects;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};

use check::{Checker, Outcome};
use fetch::Archive;
use projects::Project;

/// `cargo xtask real-code [--quick | PROJECT…]`.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    let chosen = choose(arguments)?;
    let root = root()?;
    let folder = root.join("target/real-code");
    let checker = Checker::new(&root)?;
    let archive = match Archive::open(&folder) {
        Ok(archive) => archive,
        Err(error) => {
            println!("skipped: all {} projects: {error:#}", chosen.len());
            tell_skipped("all projects", &error)?;
            println!("0 passed, 0 failed, {} skipped", chosen.len());
            return Ok(ExitCode::SUCCESS);
        }
    };
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for project in chosen {
        match examine(project, &archive, &folder, &checker) {
            Ok(totals) if totals.failures == 0 => {
                passed += 1;
                println!("ok      {:<10} {totals}", project.name);
            }
            Ok(totals) => {
                failed += 1;
                println!("FAILED  {:<10} {totals}", project.name);
            }
            Err(error) => {
                skipped += 1;
                println!("skipped {:<10} {error:#}", project.name);
                tell_skipped(project.name, &error)?;
            }
        }
    }
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn choose(arguments: &[String]) -> Result<Vec<&'static Project>> {
    let find = |name: &str| projects::ALL.iter().find(|project| project.name == name);
    match arguments {
        [] => Ok(projects::ALL.iter().collect()),
        [flag] if flag == "--quick" => {
            Ok(projects::QUICK.iter().filter_map(|name| find(name)).collect())
        }
        names => names
            .iter()
            .map(|name| {
                find(name).with_context(|| {
                    let known: Vec<_> = projects::ALL.iter().map(|project| project.name).collect();
                    format!("no project `{name}`; there are {}", known.join(", "))
                })
            })
            .collect(),
    }
}

/// Names what was skipped to the test command, which counts it.
fn tell_skipped(name: &str, why: &anyhow::Error) -> Result<()> {
    if let Some(list) = std::env::var_os("CLL_TEST_SKIPS") {
        let mut list = std::fs::OpenOptions::new().create(true).append(true).open(list)?;
        writeln!(list, "real C code, {name}: {why:#}")?;
    }
    Ok(())
}

fn root() -> Result<PathBuf> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().map(Path::to_path_buf).context("this program stands in no workspace")
}

/// The totals of one project's sources.
#[derive(Default)]
struct Totals {
    files: usize,
    regions: usize,
    refused: usize,
    failures: usize,
}

impl std::fmt::Display for Totals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Totals { files, regions, refused, failures } = self;
        write!(f, "{files} files, {regions} regions ({refused} refused), {failures} failures")
    }
}

fn examine(
    project: &Project,
    archive: &Archive,
    folder: &Path,
    checker: &Checker,
) -> Result<Totals> {
    let source = archive.source(project.name)?;
    let log = folder.join(format!("{}.compilations", project.name));
    if !log.exists() {
        build(project, &source, &log)?;
    }
    let compilations = recorder::read(&log)?;
    if compilations.is_empty() {
        bail!("{} has no C source that its build compiled ({})", project.name, project.style);
    }
    let work = folder.join("work").join(project.name);
    std::fs::create_dir_all(&work)?;
    let next = AtomicUsize::new(0);
    let totals = Mutex::new(Totals::default());
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(compilation) = compilations.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let outcome = checker.check(compilation, &work).unwrap_or_else(|error| {
                        Outcome { failure: Some(format!("{error:#}")), ..Outcome::default() }
                    });
                    let mut totals = totals.lock().unwrap_or_else(|poison| poison.into_inner());
                    totals.files += 1;
                    totals.regions += outcome.regions;
                    totals.refused += outcome.refused;
                    if let Some(failure) = outcome.failure {
                        totals.failures += 1;
                        println!("  {}: {failure}", compilation.path().display());
                    }
                }
            });
        }
    });
    Ok(totals.into_inner().unwrap_or_else(|poison| poison.into_inner()))
}

/// Builds a project by its own means; the log is there only if that went well.
fn build(project: &Project, source: &Path, log: &Path) -> Result<()> {
    let unfinished = log.with_extension("unfinished");
    std::fs::remove_file(&unfinished).ok();
    let (compiler, (key, value)) = recorder::compiler(&unfinished)?;
    let build_log = log.with_extension("build");
    let output = std::fs::File::create(&build_log)?;
    let status = Command::new("sh")
        .args(["-c", project.build])
        .env("CC", compiler)
        .env(key, value)
        .env("MAKEFLAGS", "-j2")
        .current_dir(source)
        .stdin(Stdio::null())
        .stdout(output.try_clone()?)
        .stderr(output)
        .status()?;
    if !status.success() {
        bail!("does not build here; see {}", build_log.display());
    }
    std::fs::rename(unfinished, log)?;
    Ok(())
}
