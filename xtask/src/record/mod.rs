//! Recorded runs, which tests of commands that read logs have in place of runs of their own:
//! `crates/cll/tests/recorded`.

mod portable;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

/// Where recordings, their table and their sources are.
const RECORDED: &str = "crates/cll/tests/recorded";

#[derive(Deserialize)]
struct RecordingTable {
    recording: Vec<Recording>,
}

/// A run, by each of several MPIs or engines.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recording {
    name: String,
    /// In the folder of sources, or a path in the repository.
    source: String,
    ranks: u32,
    #[serde(default)]
    arguments: Vec<String>,
    by: Vec<String>,
    /// Files, where there are not as many as ranks.
    files: Option<usize>,
    /// When a program that does not end is ended.
    seconds: Option<u32>,
    /// Whether the program does not end with 0.
    #[serde(default)]
    fails: bool,
}

/// `cargo xtask record [--cll PROGRAM] [NAME…]`.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    let (program, arguments) = match arguments {
        [option, program, rest @ ..] if option == "--cll" => {
            (Some(fs::canonicalize(program)?), rest)
        }
        _ => (None, arguments),
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("no folder above xtask")?;
    let recorded = root.join(RECORDED);
    let table = recorded.join("recordings.toml");
    let table: RecordingTable = toml::from_str(&fs::read_to_string(&table)?)
        .with_context(|| format!("{} cannot be read", table.display()))?;
    // Recordings of one source have one program: all of them are made.
    let mut wanted = BTreeSet::new();
    for name in arguments {
        let named = table.recording.iter().find(|recording| recording.name == *name);
        wanted.insert(&named.with_context(|| format!("there is no recording {name}"))?.source);
    }
    let cll = program.map_or_else(|| compiled(root), Ok)?;
    let recorder = Recorder { cll, root, recorded: &recorded };
    let checksums_path = recorded.join("made.toml");
    let mut sources: BTreeMap<String, String> = match fs::read_to_string(&checksums_path) {
        Ok(text) => toml::from_str(&text)?,
        Err(_) => BTreeMap::new(),
    };
    for recording in &table.recording {
        if wanted.is_empty() || wanted.contains(&recording.source) {
            for by in &recording.by {
                let bytes = recorder.record(recording, by)?;
                println!("{by:<10} {:<24} {bytes:>7} bytes", recording.name);
            }
            let source = fs::read(recorder.source(recording))?;
            sources.insert(recording.name.clone(), format!("{:08x}", crc32fast::hash(&source)));
        }
    }
    let is_listed = |name: &String| table.recording.iter().any(|recording| recording.name == *name);
    sources.retain(|name, _| is_listed(name));
    let head = "# Written by `cargo xtask record`: checksums of the sources that the recordings were made from.\n\n";
    fs::write(checksums_path, format!("{head}{}", toml::to_string(&sources)?))?;
    Ok(ExitCode::SUCCESS)
}

/// The program of this checkout.
fn compiled(root: &Path) -> Result<PathBuf> {
    let mut build = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
    build.args(["build", "--package", "cll", "--message-format", "json-render-diagnostics"]);
    let output = build.current_dir(root).stderr(std::process::Stdio::inherit()).output()?;
    ensure!(output.status.success(), "cll cannot be compiled");
    let messages = String::from_utf8(output.stdout)?;
    let path = messages.lines().find_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        message["executable"].as_str().filter(|path| path.ends_with("/cll")).map(PathBuf::from)
    });
    path.context("cargo does not say where cll is")
}

struct Recorder<'a> {
    cll: PathBuf,
    root: &'a Path,
    recorded: &'a Path,
}

impl Recorder<'_> {
    fn source(&self, recording: &Recording) -> PathBuf {
        if recording.source.contains('/') {
            self.root.join(&recording.source)
        } else {
            self.recorded.join("sources").join(&recording.source)
        }
    }

    /// Makes a recording in place of what there is of it; the size of its logs.
    fn record(&self, recording: &Recording, by: &str) -> Result<usize> {
        let failed = || format!("{} by {by}", recording.name);
        let work = self.root.join("target/recorded");
        let _ = fs::remove_dir_all(&work);
        fs::create_dir_all(&work)?;
        // As the programs see it.
        let work = fs::canonicalize(work)?;
        let source = self.source(recording);
        let name = source.file_name().and_then(|name| name.to_str()).context("no name")?.to_owned();
        fs::copy(&source, work.join(&name)).with_context(failed)?;
        let stem = name.trim_end_matches(".c");
        let is_mpi = matches!(by, "openmpi" | "mpich");
        let program = if is_mpi { format!("{stem}-{by}") } else { stem.to_owned() };
        self.compile(&work, by, is_mpi, &name, &program).with_context(failed)?;
        let logs = self.run(&work, recording, by, is_mpi, &program).with_context(failed)?;
        let expected = recording.files.unwrap_or(if is_mpi { recording.ranks as usize } else { 1 });
        ensure!(logs.len() == expected, "{}: {} files, not {expected}", failed(), logs.len());
        let folder = self.recorded.join(by).join(&recording.name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        let mut bytes = 0;
        for log in logs {
            let text = portable::log(&fs::read(&log)?, &work).with_context(failed)?;
            bytes += text.len();
            fs::write(folder.join(log.file_name().context("no name")?), text)?;
        }
        if is_mpi {
            let programs = self.recorded.join(by).join("programs");
            fs::create_dir_all(&programs)?;
            fs::copy(work.join(&program), programs.join(&program))?;
        }
        Ok(bytes)
    }

    fn compile(
        &self,
        work: &Path,
        by: &str,
        is_mpi: bool,
        source: &str,
        program: &str,
    ) -> Result<()> {
        let mut compile;
        if is_mpi {
            compile = Command::new(format!("mpicc.{by}"));
            // Small, and the same wherever it is compiled.
            compile.args(["-g", "-gz", "-O1", "-w", "-pthread", "-Wl,-z,noseparate-code"]);
            compile.arg(format!("-fdebug-prefix-map={}=.", work.display()));
        } else {
            compile = Command::new(&self.cll);
            compile.args(["cc", "-O2"]);
        }
        compile.args([source, "-o", program, "-lm"]).current_dir(work);
        let output = compile.output().context("the compiler does not start")?;
        ensure!(output.status.success(), "it cannot be compiled:\n{}", error_text(&output));
        Ok(())
    }

    /// Runs the program; its logs in their order.
    fn run(
        &self,
        work: &Path,
        recording: &Recording,
        by: &str,
        is_mpi: bool,
        program: &str,
    ) -> Result<Vec<PathBuf>> {
        let mut run = Command::new(&self.cll);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("CLL_") {
                run.env_remove(name);
            }
        }
        run.current_dir(work)
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
            .env("OMPI_MCA_mpi_yield_when_idle", "1");
        run.args(["run", "-n", &recording.ranks.to_string(), "--log", "-o", "logs"]);
        if !is_mpi {
            run.args(["--engine", by]);
        }
        if let Some(seconds) = recording.seconds {
            run.args(["--timeout", &format!("{seconds}s")]);
        }
        run.arg(format!("./{program}")).args(&recording.arguments);
        let output = run.output().context("cll does not start")?;
        let fails = recording.fails || recording.seconds.is_some();
        if output.status.success() == fails {
            bail!("it ended with {}:\n{}", output.status, error_text(&output));
        }
        let logs = fs::read_dir(work.join("logs")).context("no logs")?;
        let mut logs = logs.map(|log| Ok(log?.path())).collect::<Result<Vec<_>>>()?;
        logs.sort();
        Ok(logs)
    }
}

fn error_text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
