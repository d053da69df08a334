//! A folder for a test, and `cll` as a user would run it there.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Nothing here takes this long unless it hangs, also on a machine with much else to do.
const LIMIT: Duration = Duration::from_secs(600);

/// A folder of a test's own.
pub struct Place {
    folder: tempfile::TempDir,
}

/// The result of a command.
#[derive(Debug)]
pub struct Done {
    pub code: i32,
    pub out: String,
    pub err: String,
    pub signal: Option<i32>,
}

/// A launcher that a test has killed leaves its memory for the next command on its trace; other tests look at
/// whether something is left.
impl Drop for Place {
    fn drop(&mut self) {
        let folder = self.folder.path().to_str().unwrap().as_bytes();
        for entry in fs::read_dir("/dev/shm").into_iter().flatten().flatten() {
            if !entry.file_name().to_string_lossy().starts_with("cll-samples-") {
                continue;
            }
            let mut head = Vec::new();
            if let Ok(file) = fs::File::open(entry.path()) {
                let _ = file.take(4096).read_to_end(&mut head);
            }
            if head.windows(folder.len()).any(|bytes| bytes == folder) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

impl Place {
    pub fn new() -> Place {
        Place { folder: tempfile::tempdir().unwrap() }
    }

    /// With a source that is measured at the size its argument says.
    pub fn with_walk() -> Place {
        let place = Place::new();
        place.write("walk.c", WALK);
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn exists(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Names in a folder of the place, in their order.
    pub fn list(&self, name: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(name)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// A command in this place, free of what surrounds the test.
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            if name.starts_with("CLL_") || name == "MAKEFLAGS" || name.starts_with("OMP_") {
                command.env_remove(name);
            }
        }
        command
            .current_dir(self.folder.path())
            // One copy of the library for all tests.
            .env("XDG_CACHE_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"))
            // No machines of the user.
            .env("XDG_DATA_HOME", self.folder.path().join("data"))
            // Tests run side by side: what they measure is of no interest.
            .env("CLL_LOADED", "accept")
            .env("LC_ALL", "C.UTF-8")
            .env("COLUMNS", "100")
            .env("TERM", "dumb")
            .stdin(Stdio::null());
        command
    }

    pub fn cll(&self, arguments: &[&str]) -> Done {
        run(self.command(CLL).args(arguments))
    }

    pub fn cll_with(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Done {
        run(self.command(CLL).args(arguments).envs(variables.iter().copied()))
    }

    pub fn cll_fed(&self, arguments: &[&str], input: &[u8]) -> Done {
        let mut command = self.command(CLL);
        command.args(arguments);
        feed(&mut command, input)
    }

    /// A line for `sh`, in which `cll` is the program.
    pub fn sh(&self, line: &str) -> Done {
        let folder = Path::new(CLL).parent().unwrap();
        let path = std::env::var("PATH").unwrap();
        let mut command = self.command("sh");
        command.args(["-c", line]).env("PATH", format!("{}:{path}", folder.display()));
        run(&mut command)
    }

    /// Builds a source into a program of the same name.
    pub fn build(&self, name: &str) -> Done {
        self.cll(&["cc", "-O1", "-o", name, &format!("{name}.c"), "-lm"]).expect(0)
    }
}

impl Done {
    /// Fails the test if the exit code is another.
    #[track_caller]
    pub fn expect(self, code: i32) -> Done {
        assert_eq!(self.code, code, "\nout:\n{}\nerr:\n{}", self.out, self.err);
        self
    }

    /// Fails the test if standard error lacks one of these.
    #[track_caller]
    pub fn says(self, parts: &[&str]) -> Done {
        for part in parts {
            assert!(self.err.contains(part), "{part:?} is not in\n{}", self.err);
        }
        self
    }

    /// Fails the test if standard output lacks one of these.
    #[track_caller]
    pub fn prints(self, parts: &[&str]) -> Done {
        for part in parts {
            assert!(self.out.contains(part), "{part:?} is not in\n{}\n{}", self.out, self.err);
        }
        self
    }

    /// Standard output as JSON. A value that names its format must be as the schema of that format says.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        let value: serde_json::Value = serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("{error}\n{}\n{}", self.out, self.err));
        if let Some(format) = value["format"].as_str() {
            crate::schemas::check_format(format, &value);
        }
        value
    }
}

pub const CLL: &str = env!("CARGO_BIN_EXE_cll");

/// Runs a command to its end; one that hangs fails the test.
pub fn run(command: &mut Command) -> Done {
    feed(command, b"")
}

pub fn feed(command: &mut Command, input: &[u8]) -> Done {
    if !input.is_empty() {
        command.stdin(Stdio::piped());
    }
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    if let Some(mut pipe) = child.stdin.take() {
        pipe.write_all(input).unwrap();
    }
    let pid = child.id();
    let (done, ended) = std::sync::mpsc::channel::<()>();
    let watch = std::thread::spawn(move || {
        let late = ended.recv_timeout(LIMIT) == Err(std::sync::mpsc::RecvTimeoutError::Timeout);
        if late {
            let _ = Command::new("kill").args(["-9", &pid.to_string()]).status();
        }
        late
    });
    let output = child.wait_with_output().unwrap();
    drop(done);
    assert!(!watch.join().unwrap(), "{command:?} hangs");
    from_output(&output)
}

pub fn from_output(output: &Output) -> Done {
    Done {
        code: output.status.code().unwrap_or(-1),
        signal: output.status.signal(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Runs something with a limit of time that leaves it time to get somewhere first. On a busy machine the shortest limit
/// may not: then it runs again with a longer one. What it must do within any limit is for the caller to check.
pub fn with_enough_time<T>(mut run: impl FnMut(&str) -> T, got_there: impl Fn(&T) -> bool) -> T {
    for limit in ["2s", "20s"] {
        let done = run(limit);
        if got_there(&done) {
            return done;
        }
    }
    run("200s")
}

/// Waits until something is so; fails the test if it never is.
#[track_caller]
pub fn until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < LIMIT, "never so: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a program is installed here; if not, the test is reported as skipped.
pub fn have(program: &str, test: &str) -> bool {
    let is_there = Command::new(program).arg("--version").output().is_ok();
    if !is_there {
        skip(test, &format!("{program} is missing"));
    }
    is_there
}

/// Tells the test command that a test could not run.
pub fn skip(test: &str, why: &str) {
    eprintln!("skipped: {test}: {why}");
    if let Some(path) = std::env::var_os("CLL_TEST_SKIPS") {
        let mut file = fs::File::options().append(true).create(true).open(path).unwrap();
        writeln!(file, "{test}: {why}").unwrap();
    }
}

/// One experiment, linear in N, which is the argument; run with none it is 1000.
pub const WALK: &str = r#"#include <stdio.h>
#include <stdlib.h>

static double walk(double *a, int N)
{
    double sum = 0;
    int i;
#pragma cll walk walk[0] + walk[1]*N
    for (i = 0; i < N; i++)
        sum += a[i] = a[i] * 0.5 + i;
#pragma cll end walk
    return sum;
}

int main(int argc, char **argv)
{
    int N = argc > 1 ? atoi(argv[1]) : 1000, k;
    double *a = calloc(N + 1, sizeof *a), sum = 0;
    for (k = 0; k < 5; k++)
        sum += walk(a, N);
    printf("%s %d %s\n", __FILE__, N, sum > 0 ? "ok" : "zero");
    free(a);
    return 0;
}
"#;

/// Samples that a model of one experiment was made of, and those that were left out.
pub fn recorded(model: &serde_json::Value) -> u64 {
    let discarded = &model["sampling"]["discarded"];
    [&model["experiments"][0]["samples"], &discarded["samples"], &discarded["switched"]]
        .map(|count| count.as_u64().expect("a number"))
        .iter()
        .sum()
}
