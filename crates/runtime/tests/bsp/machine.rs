//! Runs a program as a machine of so many processors, and looks for what it leaves behind.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Longer than any program here takes on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// In the environment of all processes of a machine, and of no others.
const MARK: &str = "CLL_TEST_MARK";

/// A machine to be started.
pub struct Machine {
    pub command: Command,
    mark: String,
}

/// How a program ended.
#[derive(Debug)]
pub struct Ended {
    pub status: ExitStatus,
    pub output: String,
    pub said: String,
    /// It was killed, since it did not end by itself.
    pub endless: bool,
}

impl Machine {
    pub fn new(program: &Path, engine: &str, processors: usize) -> Machine {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let mark = format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Relaxed));
        let mut command = Command::new(program);
        command.current_dir(program.parent().unwrap());
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("CLL_") {
                command.env_remove(name);
            }
        }
        command.env("CLL_NPROCS", processors.to_string()).env("CLL_ENGINE", engine);
        command.env(MARK, &mark);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Machine { command, mark }
    }

    /// Starts it, with nothing or a pipe as its input.
    pub fn start(&mut self) -> Child {
        self.command.spawn().unwrap_or_else(|error| panic!("{:?}: {error}", self.command))
    }

    /// Runs it to its end. All its processes have ended then, or have closed their output.
    pub fn run(&mut self) -> Ended {
        let child = self.start();
        finish(child)
    }

    /// The same with text to read, from a pipe.
    pub fn run_with(&mut self, input: &str) -> Ended {
        self.command.stdin(Stdio::piped());
        let mut child = self.start();
        // One that ends without reading is no failure.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        finish(child)
    }

    /// The same with a file to read from.
    pub fn run_with_file(&mut self, input: &File) -> Ended {
        self.command.stdin(input.try_clone().unwrap());
        self.run()
    }

    /// Its processes that are there.
    pub fn processes(&self) -> Vec<u32> {
        let wanted = format!("{MARK}={}\0", self.mark);
        let is_ours = |pid: &u32| {
            let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environment.windows(wanted.len()).any(|part| part == wanted.as_bytes())
        };
        processes().into_iter().filter(is_ours).collect()
    }

    /// Waits until none of its processes is left; `false` if some are after that time.
    pub fn is_gone_within(&self, time: Duration) -> bool {
        let begin = Instant::now();
        loop {
            if self.processes().is_empty() {
                return true;
            }
            if begin.elapsed() > time {
                return false;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Machine {
    /// A failed test leaves nothing running.
    fn drop(&mut self) {
        if thread::panicking() {
            for pid in self.processes() {
                // SAFETY: a process that was started here.
                unsafe { libc::kill(pid as i32, libc::SIGKILL) };
            }
        }
    }
}

/// All processes of the system.
fn processes() -> Vec<u32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Waits for a program's end.
pub fn finish(child: Child) -> Ended {
    let pid = child.id() as i32;
    let (done, waiting) = mpsc::channel();
    let waiter = thread::spawn(move || {
        let _ = done.send(child.wait_with_output());
    });
    let in_time = waiting.recv_timeout(PATIENCE);
    let endless = in_time.is_err();
    let output = in_time.unwrap_or_else(|_| {
        // SAFETY: a child of ours that has not been waited for.
        unsafe { libc::kill(pid, libc::SIGKILL) };
        waiting.recv_timeout(PATIENCE).expect("processes are left that nothing ends")
    });
    waiter.join().unwrap();
    let output = output.unwrap();
    Ended {
        status: output.status,
        output: String::from_utf8_lossy(&output.stdout).into_owned(),
        said: String::from_utf8_lossy(&output.stderr).into_owned(),
        endless,
    }
}

impl Ended {
    /// With status 0, and nothing on standard error.
    pub fn is_well(&self) -> bool {
        self.status.success() && self.said.is_empty() && !self.endless
    }

    /// With an exit status other than 0, or by a signal.
    pub fn has_failed(&self) -> bool {
        !self.endless && !self.status.success()
    }

    pub fn signal(&self) -> Option<i32> {
        self.status.signal()
    }
}

/// What the system holds beside processes: files of shared memory.
pub struct Shelf(BTreeSet<OsString>);

impl Shelf {
    pub fn now() -> Shelf {
        Shelf(files())
    }

    /// Files that are there since, and that nobody uses: other programs come and go, too.
    pub fn left(&self) -> Vec<OsString> {
        let new = || files().into_iter().filter(|name| !self.0.contains(name));
        if new().next().is_none() {
            return Vec::new();
        }
        let used: Vec<String> = processes()
            .into_iter()
            .map(|pid| fs::read_to_string(format!("/proc/{pid}/maps")).unwrap_or_default())
            .collect();
        let is_used = |name: &OsString| {
            let path = format!("/dev/shm/{}", name.to_string_lossy());
            used.iter().any(|maps| maps.contains(&path))
        };
        new().filter(|name| !is_used(name)).collect()
    }
}

fn files() -> BTreeSet<OsString> {
    let entries = fs::read_dir("/dev/shm").into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).collect()
}
