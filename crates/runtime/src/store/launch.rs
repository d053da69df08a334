//! The names of traces of processes that a launcher has started together: `PROGRAM.cll.RUN.RANK.dat`, with the
//! same RUN for all of them.
//!
//! `cll run` sets the number of the run. Otherwise the first process takes the next number, and the others find
//! its file by the name of the job at its beginning. A lock on the folder makes processes search and write one
//! after the other.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use crate::sys;

/// The number of last runs of a program in a folder that are examined: only these may be in progress.
const MAX_RUNS: usize = 64;
/// The beginning of a file with the first tables, in bytes: the arguments of a program are at most 16 KiB.
const HEAD: u64 = 64 * 1024;
/// How often a lock that another process holds is tried again, and the sleep between. On some file systems a
/// folder cannot be locked; then numbers are chosen without a lock.
const TRIES: u32 = 500;
const PAUSE: Duration = Duration::from_millis(10);

/// A process of a launch.
#[derive(Clone, Debug)]
pub struct Member {
    /// The rank of the process in its launch, from 0.
    pub rank: usize,
    /// The line of tables with the name of its job.
    pub line: Vec<u8>,
    /// The number that `cll run` has chosen for the run (`CLL_RUN`).
    pub run: Option<u32>,
}

/// While it exists, other processes of launches cannot choose a number in the folder.
#[derive(Debug)]
pub struct LockedFolder {
    /// Dropping it unlocks the folder.
    _folder: Option<File>,
}

impl LockedFolder {
    /// Waits for the lock, some seconds at most.
    pub fn wait(folder: &[u8]) -> LockedFolder {
        let Ok(folder) = File::open(OsStr::from_bytes(folder)) else {
            return LockedFolder { _folder: None };
        };
        for _ in 0..TRIES {
            match sys::lock(folder.as_raw_fd()) {
                Ok(()) => return LockedFolder { _folder: Some(folder) },
                Err(libc::EWOULDBLOCK) => std::thread::sleep(PAUSE),
                Err(_) => break,
            }
        }
        LockedFolder { _folder: None }
    }
}

impl Member {
    /// The runs to which its trace may belong, the most probable first. A trace of the same rank may exist
    /// already: the launch runs the program several times, or the process has forked.
    pub fn runs(&self, folder: &[u8], program: &[u8]) -> Vec<u32> {
        let known = Files::list(folder, program);
        let own = |run: &u32| known.has(*run, self.rank);
        let next = known.last().map_or(0, |last| last + 1);
        let first = self.run.into_iter();
        let job = job_of(&self.line).map(|job| known.runs_of(job)).unwrap_or_default();
        let after = next.max(self.run.map_or(0, |run| run + 1));
        first.chain(job).filter(|run| !own(run)).chain(after..after.saturating_add(1000)).collect()
    }
}

/// The traces of a program in a folder.
struct Files<'a> {
    folder: &'a Path,
    program: &'a [u8],
    /// Run, and rank if the name has one.
    names: Vec<(u32, Option<usize>)>,
}

impl<'a> Files<'a> {
    fn list(folder: &'a [u8], program: &'a [u8]) -> Files<'a> {
        let folder = Path::new(OsStr::from_bytes(folder));
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| numbers(entry.file_name().as_bytes(), program));
        Files { folder, program, names: names.collect() }
    }

    fn last(&self) -> Option<u32> {
        self.names.iter().map(|(run, _)| *run).max()
    }

    fn has(&self, run: u32, rank: usize) -> bool {
        self.names.contains(&(run, Some(rank)))
    }

    /// The runs of a job, from the first.
    fn runs_of(&self, job: &[u8]) -> Vec<u32> {
        let mut ranks = self.names.clone();
        ranks.retain(|(_, rank)| rank.is_some());
        ranks.sort_unstable();
        ranks.dedup_by_key(|(run, _)| *run);
        let late = ranks.len().saturating_sub(MAX_RUNS);
        let of_job = ranks[late..].iter().filter(|(run, rank)| self.is_of(*run, *rank, job));
        of_job.map(|(run, _)| *run).collect()
    }

    fn is_of(&self, run: u32, rank: Option<usize>, job: &[u8]) -> bool {
        let name = [self.program, &name(run, rank)].concat();
        let mut head = Vec::new();
        let file = File::open(self.folder.join(OsStr::from_bytes(&name)));
        let read = file.and_then(|file| file.take(HEAD).read_to_end(&mut head));
        read.is_ok() && head.windows(job.len()).any(|bytes| bytes == job)
    }
}

/// The part of a trace's name that follows the program.
pub fn name(run: u32, rank: Option<usize>) -> Vec<u8> {
    match rank {
        None => format!(".cll.{run}.dat"),
        Some(rank) => format!(".cll.{run}.{rank}.dat"),
    }
    .into_bytes()
}

/// Run and rank in the name of a trace or log of a program.
fn numbers(name: &[u8], program: &[u8]) -> Option<(u32, Option<usize>)> {
    let rest = name.strip_prefix(program)?.strip_prefix(b".cll.")?;
    let (numbers, _kind) = std::str::from_utf8(rest).ok()?.rsplit_once('.')?;
    match numbers.split_once('.') {
        None => Some((numbers.parse().ok()?, None)),
        Some((run, rank)) => Some((run.parse().ok()?, Some(rank.parse().ok()?))),
    }
}

/// The part of a line of tables with the name of the job, as in a file; `None` if it has none.
fn job_of(line: &[u8]) -> Option<&[u8]> {
    const KEY: &[u8] = b"\"job\":\"";
    let start = line.windows(KEY.len()).position(|bytes| bytes == KEY)?;
    let rest = &line[start..];
    let end = rest[KEY.len()..].iter().position(|byte| *byte == b'"')?;
    (end > 0).then(|| &rest[..KEY.len() + end + 1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables;

    fn member(rank: usize, job: &str) -> Member {
        Member { rank, line: tables::processor(rank, 4, job.to_owned(), ""), run: None }
    }

    #[test]
    fn numbers_in_names() {
        assert_eq!(numbers(b"a.b.cll.3.dat", b"a.b"), Some((3, None)));
        assert_eq!(numbers(b"p.cll.3.17.dat", b"p"), Some((3, Some(17))));
        assert_eq!(numbers(b"p.cll.3.log", b"p"), Some((3, None)));
        assert_eq!(numbers(b"p.cll.gathering-12", b"p"), None);
        assert_eq!(numbers(b"p.cll.c", b"p"), None);
        assert_eq!(numbers(b"pp.cll.3.dat", b"p"), None);
        assert_eq!(name(2, Some(1)), b".cll.2.1.dat");
    }

    #[test]
    fn processes_of_a_job_have_one_run_and_two_jobs_two() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().as_os_str().as_bytes();
        let begin = |rank: usize, job: &str| {
            let member = member(rank, job);
            let run = member.runs(folder, b"p")[0];
            let path = place.path().join(format!("p.cll.{run}.{rank}.dat"));
            assert!(!path.exists());
            fs::write(path, [b"\0head".as_slice(), &member.line].concat()).unwrap();
            run
        };
        assert_eq!([begin(2, "one"), begin(0, "one"), begin(0, "two")], [0, 0, 1]);
        assert_eq!([begin(1, "one"), begin(1, "two")], [0, 1]);
        // The launch runs the program again: its slowest process is still in the first run.
        assert_eq!([begin(0, "one"), begin(3, "one"), begin(1, "one")], [2, 0, 2]);
        // A name with only a number uses it, too.
        fs::write(place.path().join("p.cll.7.log"), "").unwrap();
        assert_eq!(begin(0, "three"), 8);
    }

    #[test]
    fn cll_run_says_which_run_it_is() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().as_os_str().as_bytes();
        let numbered = Member { run: Some(5), ..member(1, "one") };
        assert_eq!(numbered.runs(folder, b"p")[..2], [5, 6]);
        fs::write(place.path().join("p.cll.5.1.dat"), "").unwrap();
        assert_eq!(numbered.runs(folder, b"p")[0], 6);
    }
}
