//! Runs a program that sends its accesses, and reads them.

use std::ffi::OsString;
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use cll_contract::OUT;
use cll_files::failure::{Failure, reason};
use cll_files::{self as files};
use cll_reuse::{Accesses, Variable, WORDS};

use super::build::Built;

/// How long a program may take until it connects.
const START: Duration = Duration::from_secs(20);
/// Records that are read at once.
const RECORDS: usize = 1 << 14;

/// How a run has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself.
    Whole,
    /// The time was up.
    Late,
}

/// A run.
#[derive(Debug)]
pub struct Recorded {
    /// What its records say.
    pub accesses: Accesses,
    /// How it ended.
    pub end: End,
    /// How long it took.
    pub took: Duration,
}

/// Runs the program with these arguments and follows one line of `rate`, a power of two, until it ends or the time is up.
///
/// # Errors
/// If the program cannot be run, does not begin, or fails.
pub fn record(
    built: &Built,
    arguments: &[OsString],
    rate: u64,
    budget: Duration,
) -> Result<Recorded, Failure> {
    let program =
        fs::read(&built.program).map_err(|error| Failure::file("read", &built.program, &error))?;
    let variables = cll_symbols::variables(&program).unwrap_or_default().into_iter();
    let variables =
        variables.map(|one| Variable { name: one.name, address: one.address, size: one.size });
    let mut accesses = Accesses::new(rate, variables.collect());
    let failed = |error: std::io::Error| {
        Failure::system(format!("the accesses cannot be received: {}", reason(&error)))
    };
    let _ = fs::remove_file(&built.socket);
    let listener = UnixListener::bind(&built.socket).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    let results = built.folder.path().join("traces");
    files::make_folder(&results)?;
    let errors = built.folder.path().join("errors");
    let to = fs::File::create(&errors).map_err(failed)?;
    let mut command = Command::new(&built.program);
    command.args(arguments).env(OUT.name(), &results);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(to);
    let mut child = Running(command.spawn().map_err(|error| {
        Failure::system(format!("the program cannot be run: {}", reason(&error)))
    })?);
    let begin = Instant::now();
    let mut stream = loop {
        match listener.accept() {
            Ok((stream, _)) => break stream,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(failed(error)),
        }
        if let Some(status) = child.0.try_wait().map_err(failed)? {
            return Err(Failure::program(format!(
                "the program ended before it sent an access ({status}){}",
                said(&errors)
            )));
        }
        if begin.elapsed() > START {
            return Err(Failure::program("the program sends no accesses"));
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    stream.set_nonblocking(false).map_err(failed)?;
    stream.set_read_timeout(Some(Duration::from_millis(100))).map_err(failed)?;
    stream.write_all(&(rate - 1).to_ne_bytes()).map_err(failed)?;
    let end = read(&mut stream, &mut accesses, begin, budget).map_err(failed)?;
    if end == End::Late {
        drop(stream);
        return Ok(Recorded { accesses, end, took: begin.elapsed() });
    }
    let status = child.0.wait().map_err(failed)?;
    if !status.success() {
        return Err(Failure::program(format!("the program failed ({status}){}", said(&errors)))
            .help("its arguments: --arguments WORDS"));
    }
    Ok(Recorded { accesses, end, took: begin.elapsed() })
}

fn read(
    stream: &mut UnixStream,
    accesses: &mut Accesses,
    begin: Instant,
    budget: Duration,
) -> std::io::Result<End> {
    const RECORD: usize = WORDS * 8;
    let mut buffer = vec![0u8; RECORDS * RECORD];
    let mut filled = 0;
    loop {
        if begin.elapsed() > budget {
            return Ok(End::Late);
        }
        match stream.read(&mut buffer[filled..]) {
            Ok(0) => return Ok(End::Whole),
            Ok(number) => filled += number,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                continue;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) if error.kind() == ErrorKind::ConnectionReset => return Ok(End::Whole),
            Err(error) => return Err(error),
        }
        let whole = filled / RECORD * RECORD;
        for record in buffer[..whole].chunks_exact(RECORD) {
            let word = |k: usize| {
                let mut bytes = [0; 8];
                bytes.copy_from_slice(&record[8 * k..8 * k + 8]);
                u64::from_ne_bytes(bytes)
            };
            accesses.record([word(0), word(1), word(2)]);
        }
        buffer.copy_within(whole..filled, 0);
        filled -= whole;
    }
}

/// The last line of what the program has written to its standard error.
fn said(errors: &std::path::Path) -> String {
    let text = fs::read(errors).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    match text.lines().rev().find(|line| !line.trim().is_empty()) {
        Some(line) => format!(": {}", line.trim()),
        None => String::new(),
    }
}

/// A program that is ended with this value.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        if let Ok(None) = self.0.try_wait() {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }
}
