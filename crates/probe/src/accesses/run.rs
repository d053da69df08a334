//! Runs a program that sends its accesses, and reads them.

use std::ffi::OsString;
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::Error;
use cll_contract::OUT;
use cll_files as files;
use cll_launch::Launcher;
use cll_reuse::{Accesses, Variable, WORDS};

use super::build::{Built, Mpi};
use super::output;
use super::ranks::{self, End};

/// How long a program may take until it connects.
const START: Duration = Duration::from_secs(20);
/// Records that are read at once.
const RECORDS: usize = 1 << 14;
/// The ratio of the sampling rates of lines and pages: pages are sampled four times as densely, since a page is as good
/// as 64 lines.
const PAGES: u64 = 4;

/// A run.
#[derive(Debug)]
pub struct Recorded {
    /// The accesses that the records of the run contain.
    pub accesses: Accesses,
    /// How it ended.
    pub end: End,
    /// How long it took.
    pub took: Duration,
}

/// The part of a program's accesses that is followed.
#[derive(Clone, Copy, Debug)]
pub struct Followed<'a> {
    /// One line of so many, a power of two.
    pub rate: u64,
    /// The sizes of pages that are followed, bytes.
    pub pages: &'a [f64],
}

impl Followed<'_> {
    /// The masks of what is left out, of lines and of pages.
    fn masks(self) -> [u64; 2] {
        // Without sizes no page is sent: no hash is without all of these bits.
        let pages = if self.pages.is_empty() { u64::MAX } else { self.page_rate() - 1 };
        [self.rate - 1, pages]
    }

    fn page_rate(self) -> u64 {
        (self.rate / PAGES).max(1)
    }
}

/// How long a run may take: asked once, when it has taken so long that it matters.
pub struct Limit<'a> {
    /// When `longest` is asked for.
    pub least: Duration,
    /// The longest time. What it takes to answer does not count.
    pub longest: &'a mut dyn FnMut() -> Result<Duration, Error>,
}

/// Runs the program with these arguments and follows its accesses until it ends or the time is up.
///
/// # Errors
/// If the program cannot be run, does not begin, or fails.
pub fn record(
    built: &Built,
    arguments: &[OsString],
    followed: Followed<'_>,
    limit: &mut Limit<'_>,
) -> Result<Recorded, Error> {
    let mut accesses = nothing_yet(built, followed)?;
    let failed = Error::Accesses;
    let listener = listener(built)?;
    let results = built.folder.path().join("traces");
    files::make_folder(&results)?;
    let errors = built.folder.path().join("errors");
    let to = output::kept(&errors)?;
    let mut command = Command::new(&built.program);
    command.args(arguments).env(OUT.name(), &results);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(to);
    let mut child = Running(command.spawn().map_err(Error::NotRun)?);
    let begin = Instant::now();
    let mut stream = accepted(&listener, followed, begin, &mut || {
        let ended = child.0.try_wait().map_err(failed)?;
        Ok(ended.map(|status| format!("{status}")))
    })
    .map_err(|error| Error::NotBegun { error: Box::new(error), said: output::last(&errors) })?;
    let (end, took) = read(&mut stream, &mut accesses, begin, limit)?;
    if end == End::Late {
        drop(stream);
        return Ok(Recorded { accesses, end, took });
    }
    let status = child.0.wait().map_err(failed)?;
    if !status.success() {
        return Err(Error::ProgramFailed { status, said: output::last(&errors) });
    }
    Ok(Recorded { accesses, end, took })
}

/// The same for an MPI program with so many processes: the accesses of the first one.
///
/// # Errors
/// As [`record`].
pub fn record_ranks(
    (built, mpi): (&Built, &Mpi),
    (arguments, processes): (&[OsString], u32),
    followed: Followed<'_>,
    limit: &mut Limit<'_>,
    launcher: &mut dyn Launcher,
) -> Result<Recorded, Error> {
    let mut accesses = nothing_yet(built, followed)?;
    let listener = listener(built)?;
    let longest = (limit.longest)()?;
    let over = std::sync::atomic::AtomicBool::new(false);
    let ordering = std::sync::atomic::Ordering::Relaxed;
    let (read, launched) = std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let begin = Instant::now();
            let ended = || over.load(ordering).then(|| "it is over".to_owned());
            let mut stream = accepted(&listener, followed, begin, &mut || Ok(ended()))?;
            let mut longest = || Ok(longest);
            let mut limit = Limit { least: Duration::ZERO, longest: &mut longest };
            read(&mut stream, &mut accesses, begin, &mut limit)
        });
        let timeout = longest + START;
        let launched = ranks::launched((built, mpi), (arguments, processes), timeout, launcher);
        over.store(true, ordering);
        (reader.join(), launched)
    });
    let outcome = launched?;
    let (end, took) = match read {
        Ok(read) => match (read, ranks::failed(&outcome, built)) {
            (Ok((End::Late, took)), _) => (End::Late, took),
            (_, Some(failure)) => return Err(failure),
            (read, None) => read?,
        },
        Err(_) => return Err(Error::Reader),
    };
    Ok(Recorded { accesses, end, took })
}

fn nothing_yet(built: &Built, followed: Followed<'_>) -> Result<Accesses, Error> {
    let program = fs::read(&built.program)
        .map_err(|error| files::Error::refused("read", &built.program, error))?;
    let variables = cll_symbols::variables(&program).unwrap_or_default().into_iter();
    let variables = variables.map(|variable| Variable {
        name: variable.name,
        address: variable.address,
        size: variable.size,
    });
    let pages = (followed.pages, followed.page_rate());
    Ok(Accesses::new(followed.rate, pages, variables.collect()))
}

fn listener(built: &Built) -> Result<UnixListener, Error> {
    let _ = fs::remove_file(&built.socket);
    let listener = UnixListener::bind(&built.socket).map_err(Error::Accesses)?;
    listener.set_nonblocking(true).map_err(Error::Accesses)?;
    Ok(listener)
}

/// The connection of the program, which knows then what to follow.
fn accepted(
    listener: &UnixListener,
    followed: Followed<'_>,
    begin: Instant,
    ended: &mut dyn FnMut() -> Result<Option<String>, Error>,
) -> Result<UnixStream, Error> {
    let mut stream = loop {
        match listener.accept() {
            Ok((stream, _)) => break stream,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(Error::Accesses(error)),
        }
        if let Some(how) = ended()? {
            return Err(Error::EndedBefore { how });
        }
        if begin.elapsed() > START {
            return Err(Error::NoAccesses);
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    stream.set_nonblocking(false).map_err(Error::Accesses)?;
    stream.set_read_timeout(Some(Duration::from_millis(100))).map_err(Error::Accesses)?;
    for mask in followed.masks() {
        stream.write_all(&mask.to_ne_bytes()).map_err(Error::Accesses)?;
    }
    Ok(stream)
}

fn read(
    stream: &mut UnixStream,
    accesses: &mut Accesses,
    begin: Instant,
    limit: &mut Limit<'_>,
) -> Result<(End, Duration), Error> {
    const RECORD: usize = WORDS * 8;
    let mut buffer = vec![0u8; RECORDS * RECORD];
    let mut filled = 0;
    let mut longest = None;
    let mut asking = Duration::ZERO;
    loop {
        let took = begin.elapsed() - asking;
        if took > limit.least && longest.is_none() {
            // The program waits meanwhile.
            let asked = Instant::now();
            longest = Some((limit.longest)()?);
            asking = asked.elapsed();
            continue;
        }
        if longest.is_some_and(|longest| took > longest.max(limit.least)) {
            return Ok((End::Late, took));
        }
        match stream.read(&mut buffer[filled..]) {
            Ok(0) => return Ok((End::Whole, took)),
            Ok(number) => filled += number,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                continue;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) if error.kind() == ErrorKind::ConnectionReset => {
                return Ok((End::Whole, took));
            }
            Err(error) => return Err(Error::Accesses(error)),
        }
        let length = filled / RECORD * RECORD;
        for record in buffer[..length].chunks_exact(RECORD) {
            let word = |k: usize| {
                let mut bytes = [0; 8];
                bytes.copy_from_slice(&record[8 * k..8 * k + 8]);
                u64::from_ne_bytes(bytes)
            };
            accesses.record([word(0), word(1), word(2)]);
        }
        buffer.copy_within(length..filled, 0);
        filled -= length;
    }
}

/// A program that is ended with this value.
pub(super) struct Running(pub(super) Child);

impl Drop for Running {
    fn drop(&mut self) {
        if let Ok(None) = self.0.try_wait() {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }
}
