//! Which runs of a program are followed, for how long, and how many of its lines.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Error;
use cll_contract::OUT;
use cll_launch::Launcher;
use cll_reuse::{Sent, Stream};

use super::build::Built;
use super::output;
use super::ranks::{End, messages};
use super::run::{Followed, Limit, Recorded, Running, record, record_ranks};

/// Without a number: one line of so many, in the second run.
const SAMPLED: u64 = 32;
/// A run with all lines may take so many times as long as the program alone.
const SLOWEST: f64 = 150.0;
/// Or so long, if that is more.
const SHORT: Duration = Duration::from_secs(1);
/// Runs of the program alone.
const ALONE: usize = 5;

/// A run that is wanted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// The arguments as the user gives them.
    pub text: String,
    /// The arguments.
    pub arguments: Vec<OsString>,
    /// The number of processes, if it is an MPI program.
    pub processes: Option<u32>,
}

/// The accesses that are wanted of a program.
#[derive(Clone, Copy, Debug)]
pub struct Following<'a> {
    /// The runs.
    pub runs: &'a [Wanted],
    /// One line of so many; `None`: all, and one of 32 if that takes too long.
    pub sample: Option<u64>,
    /// The time for all runs together.
    pub budget: Duration,
    /// Whether accesses are followed; else only messages are.
    pub accesses: bool,
    /// The sizes of pages that are followed, bytes.
    pub pages: &'a [f64],
}

/// A run as it was.
#[derive(Clone, Debug, PartialEq)]
pub struct FollowedRun {
    /// Which was wanted.
    pub wanted: Wanted,
    /// One line of so many was followed; `None`: no line, only messages.
    pub rate: Option<u64>,
    /// Accesses whose distance was followed.
    pub accesses: u64,
    /// Whether it has ended by itself.
    pub is_complete: bool,
    /// Seconds.
    pub seconds: f64,
    /// How many times as long as the program alone it took, if that was measured.
    pub slower: Option<f64>,
}

/// Runs the program as wanted.
///
/// # Errors
/// If a run fails.
pub fn follow(
    built: &Built,
    following: Following<'_>,
    launcher: &mut dyn Launcher,
) -> Result<(Stream, Vec<Sent>, Vec<FollowedRun>), Error> {
    let (mut stream, mut sent, mut done) = (Stream::default(), Vec::new(), Vec::new());
    let number = u32::try_from(following.runs.len()).unwrap_or(u32::MAX).max(1);
    let each = following.budget / number;
    for wanted in following.runs {
        let mut left = each;
        if let (Some(mpi), Some(processes)) = (&built.mpi, wanted.processes) {
            let begin = Instant::now();
            let invocation = (wanted.arguments.as_slice(), processes);
            let (sents, end) = messages((built, mpi), invocation, left, launcher)?;
            sent.extend(sents);
            left = left.saturating_sub(begin.elapsed());
            if !following.accesses {
                done.push(FollowedRun {
                    wanted: wanted.clone(),
                    rate: None,
                    accesses: 0,
                    is_complete: end == End::Whole,
                    seconds: begin.elapsed().as_secs_f64(),
                    slower: None,
                });
            }
        }
        if !following.accesses {
            continue;
        }
        let mut alone = None;
        let mut once = |rate: u64, budget: Duration, is_whole: bool| {
            let followed = Followed { rate, pages: following.pages };
            let (run, slower) =
                recorded(built, wanted, followed, (budget, is_whole), &mut alone, launcher)?;
            stream.add(&run.accesses);
            done.push(FollowedRun {
                wanted: wanted.clone(),
                rate: Some(rate),
                accesses: run.accesses.followed(),
                is_complete: run.end == End::Whole,
                seconds: run.took.as_secs_f64(),
                slower,
            });
            Ok::<End, Error>(run.end)
        };
        match following.sample {
            Some(rate) => {
                once(rate, left, false)?;
            }
            None => {
                if once(1, left / 2, true)? == End::Late {
                    once(SAMPLED, left / 2, false)?;
                }
            }
        }
    }
    Ok((stream, sent, done))
}

/// A run, and how many times as long as the program alone it took. With `is_limited` it may not take much longer.
fn recorded(
    built: &Built,
    wanted: &Wanted,
    followed: Followed<'_>,
    (budget, is_limited): (Duration, bool),
    alone: &mut Option<f64>,
    launcher: &mut dyn Launcher,
) -> Result<(Recorded, Option<f64>), Error> {
    if let (Some(mpi), Some(processes)) = (&built.mpi, wanted.processes) {
        let mut longest = || Ok(budget);
        let mut limit = Limit { least: Duration::ZERO, longest: &mut longest };
        let invocation = (wanted.arguments.as_slice(), processes);
        return Ok((record_ranks((built, mpi), invocation, followed, &mut limit, launcher)?, None));
    }
    let mut longest = || {
        if alone.is_none() {
            *alone = time_alone(built, &wanted.arguments, budget)?;
        }
        Ok(match *alone {
            Some(seconds) if is_limited => {
                budget.min(Duration::from_secs_f64(SLOWEST * seconds).max(SHORT))
            }
            _ => budget,
        })
    };
    let mut limit = Limit { least: SHORT.min(budget), longest: &mut longest };
    let run = record(built, &wanted.arguments, followed, &mut limit)?;
    let is_whole = run.end == End::Whole;
    let slower = alone.filter(|seconds| is_whole && *seconds > 0.0);
    let slower = slower.map(|seconds| run.took.as_secs_f64() / seconds);
    Ok((run, slower))
}

/// The time of the program without calls at its accesses, the shortest of some runs if they are short; `None` if it takes
/// longer than the time for following it, or fails.
fn time_alone(
    built: &Built,
    arguments: &[OsString],
    longest: Duration,
) -> Result<Option<f64>, Error> {
    let program = built.plain()?;
    // It finds nobody that listens.
    let _ = std::fs::remove_file(&built.socket);
    let begin = Instant::now();
    let mut shortest: Option<f64> = None;
    for _ in 0..ALONE {
        let Some(seconds) = once_alone(&program, built, arguments, longest)? else { break };
        shortest = Some(shortest.map_or(seconds, |known| known.min(seconds)));
        if begin.elapsed() > SHORT {
            break;
        }
    }
    Ok(shortest)
}

fn once_alone(
    program: &Path,
    built: &Built,
    arguments: &[OsString],
    longest: Duration,
) -> Result<Option<f64>, Error> {
    let to = output::kept(&built.folder.path().join("plain-errors"))?;
    let mut command = Command::new(program);
    command.args(arguments).env(OUT.name(), built.folder.path().join("traces"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(to);
    let begin = Instant::now();
    let Ok(child) = command.spawn() else { return Ok(None) };
    let mut child = Running(child);
    loop {
        match child.0.try_wait() {
            Ok(Some(status)) => {
                return Ok(status.success().then(|| begin.elapsed().as_secs_f64()));
            }
            Ok(None) if begin.elapsed() < longest => {
                std::thread::sleep(Duration::from_micros(200));
            }
            _ => return Ok(None),
        }
    }
}
