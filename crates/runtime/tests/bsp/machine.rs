//! Runs a program as a machine.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::mpi;
use crate::surroundings::{self, MARK};

/// Longer than any program here takes on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(600);

/// A machine to be started; [`crate::surroundings::Surroundings`] makes them.
pub struct Machine {
    pub command: Command,
    mark: String,
}

/// How a program ended.
#[derive(Debug)]
pub struct Ended {
    pub status: ExitStatus,
    pub output: String,
    pub messages: String,
    /// It was killed, since it did not end.
    pub endless: bool,
}

impl Ended {
    /// With status 0, and nothing on standard error.
    pub fn is_well(&self) -> bool {
        self.status.success() && self.messages.is_empty() && !self.endless
    }

    /// Lines of the library.
    pub fn messages(message: &str) -> usize {
        message.lines().filter(|line| line.starts_with("cll: ")).count()
    }
}

impl Machine {
    /// Only its processes have the mark in their environment.
    pub fn new(program: &Path, engine: &str, processors: usize, mark: String) -> Machine {
        let mut command = match mpi::launcher(engine, processors) {
            Some(mut launcher) => {
                launcher.arg(program);
                launcher
            }
            None => Command::new(program),
        };
        command.current_dir(program.parent().unwrap());
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("CLL_") {
                command.env_remove(name);
            }
        }
        if mpi::launcher(engine, processors).is_none() {
            command.env("CLL_NPROCS", processors.to_string()).env("CLL_ENGINE", engine);
        }
        command.env(MARK, &mark);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Machine { command, mark }
    }

    /// Runs it to its end: then all processes have ended, or have closed their output.
    pub fn run(&mut self) -> Ended {
        let child = self.start();
        finish(child)
    }

    /// The same with input from a pipe.
    pub fn run_with(&mut self, input: &str) -> Ended {
        self.command.stdin(Stdio::piped());
        let mut child = self.start();
        // One that ends without reading is no failure.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        finish(child)
    }

    /// The same with a file as input.
    #[allow(dead_code)]
    pub fn run_with_file(&mut self, input: &File) -> Ended {
        self.command.stdin(input.try_clone().unwrap());
        self.run()
    }

    fn start(&mut self) -> Child {
        self.command.spawn().unwrap_or_else(|error| panic!("{:?}: {error}", self.command))
    }

    /// Starts it, and waits for a line that it prints.
    pub fn start_until(mut self, line: &str) -> Result<Started, String> {
        let mut child = self.start();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut printed = String::new();
        output.read_line(&mut printed).unwrap();
        let started = Started { machine: self, child, output };
        if printed.trim_end() == line {
            Ok(started)
        } else {
            Err(format!("it printed {printed:?}: {:?}", started.end()))
        }
    }

    /// Returns the existing processes of the machine.
    fn processes(&self) -> Vec<u32> {
        surroundings::marked(|mark| mark == self.mark)
    }
}

/// A machine whose processes have started.
pub struct Started {
    machine: Machine,
    child: Child,
    output: BufReader<ChildStdout>,
}

#[allow(dead_code)]
impl Started {
    /// The process of processor 0.
    pub fn first(&self) -> u32 {
        self.child.id()
    }

    /// All its processes.
    pub fn processes(&self) -> Vec<u32> {
        self.machine.processes()
    }

    /// Sends a signal to one of them.
    pub fn signal(&self, process: u32, signal: i32) {
        // SAFETY: a process that was started here.
        unsafe { libc::kill(process as i32, signal) };
    }

    /// Waits until no process is left. Returns `false` if some are left after that time, and after as much
    /// processor time of this thread: beside other programs that is longer.
    pub fn is_gone_within(&mut self, time: Duration) -> bool {
        // All have the output: it is closed when the last one ends.
        let (done, waiting) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(|| {
                let _ = self.output.read_to_end(&mut Vec::new());
                let _ = done.send(());
            });
            let in_time = waiting.recv_timeout(time).is_ok() || {
                let (begin, mut gone) = (computed(), false);
                while !gone && computed() - begin < time {
                    gone = waiting.try_recv().is_ok();
                }
                gone
            };
            if !in_time {
                self.machine.processes().into_iter().for_each(kill);
            }
            in_time
        })
    }

    /// Kills what is left. Returns how processor 0 ended, and standard error.
    pub fn end(mut self) -> (ExitStatus, String) {
        self.machine.processes().into_iter().for_each(kill);
        let status = self.child.wait().unwrap();
        let mut message = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
        (status, message)
    }
}

/// Processor time of this thread.
fn computed() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is ours.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn kill(process: u32) {
    // SAFETY: a process that was started here.
    unsafe { libc::kill(process as i32, libc::SIGKILL) };
}

/// Waits for a program's end.
fn finish(child: Child) -> Ended {
    let pid = child.id();
    let (done, waiting) = mpsc::channel();
    let waiter = thread::spawn(move || {
        let _ = done.send(child.wait_with_output());
    });
    let in_time = waiting.recv_timeout(PATIENCE);
    let endless = in_time.is_err();
    let output = in_time.unwrap_or_else(|_| {
        kill(pid);
        waiting.recv_timeout(PATIENCE).expect("processes are left that nothing ends")
    });
    waiter.join().unwrap();
    let output = output.unwrap();
    Ended {
        status: output.status,
        output: String::from_utf8_lossy(&output.stdout).into_owned(),
        messages: String::from_utf8_lossy(&output.stderr).into_owned(),
        endless,
    }
}
