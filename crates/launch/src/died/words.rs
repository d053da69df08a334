//! Messages of MPI launchers on the process that ended their program.
//!
//! Versions break lines in different places, and the program's output may be before and between them. So the
//! phrases are searched anywhere, with any white space for each space. Programs can print such phrases, too; the
//! launcher's are the last.

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By a signal.
    Signal(i32),
    /// On its own, with this status.
    Status(i32),
    /// On its own, too early.
    Early,
    /// It called `MPI_Abort` with this code.
    Abort(i32),
    /// MPI ended it because of an error.
    Error,
}

/// The process that ended first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its rank in `MPI_COMM_WORLD`.
    pub rank: Option<u32>,
    /// Its process number on its host.
    pub pid: Option<u32>,
    /// Its host.
    pub host: Option<String>,
    /// How it ended.
    pub how: How,
}

/// A launcher's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Words {
    /// It names the process that ended first.
    First(Named),
    /// It names some of the processes that have ended, possibly some that the launcher ended, and a signal that is
    /// combined from all of them. Hydra, MPICH's launcher, does this.
    Some(Option<i32>),
}

/// The program that printed a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// Open MPI, in versions 4 and 5 (`mpirun`, `prterun`).
    OpenMpi,
    /// MPICH and its derivatives, with their launcher.
    Hydra,
    /// Either of them.
    Any,
}

/// A phrase, and the parser of the text after it.
type Reading = (Speaker, &'static str, fn(&str) -> Option<Words>);

/// Phrases of launchers.
const LAUNCHERS: [Reading; 4] = [
    (Speaker::OpenMpi, "noticed that process rank ", noticed),
    (Speaker::OpenMpi, "The first process to do so was: Process name: [", detected),
    (Speaker::OpenMpi, "has exited due to process rank ", improperly),
    (Speaker::Hydra, "BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES", hydra),
];

/// Phrases of MPI in the process that ends; its launcher may print nothing more.
const ENDED: [Reading; 3] = [
    (Speaker::OpenMpi, "MPI_ABORT was invoked on rank ", invoked),
    (Speaker::OpenMpi, "*** reported by process [", reported),
    (Speaker::Hydra, "Abort(", aborted),
];

/// The message at the end of the output, by a launcher that has ended with this code; `None` if there is no known
/// one.
pub fn heard(printed: &str, speaker: Speaker, code: Option<i32>) -> Option<Words> {
    let text = printed.split_whitespace().collect::<Vec<_>>().join(" ");
    let launcher = last(&text, &LAUNCHERS, speaker, code);
    let ended = last(&text, &ENDED, speaker, code);
    let ((at, said), (then, ended)) = match (launcher, ended) {
        (Some(launcher), Some(ended)) => (launcher, ended),
        (one, other) => return one.or(other).map(|(_, words)| words),
    };
    Some(match (said, ended) {
        // A launcher sees an exit status, and MPI's message says that it was an abort.
        (Words::First(named), Words::First(ended)) if named.rank == ended.rank => {
            Words::First(Named { how: ended.how, ..named })
        }
        (Words::First(named), _) if at > then => Words::First(named),
        (_, ended) => ended,
    })
}

/// The last known message that agrees with the launcher's exit code, and its position.
fn last(
    text: &str,
    readings: &[Reading],
    speaker: Speaker,
    code: Option<i32>,
) -> Option<(usize, Words)> {
    let own = readings.iter().filter(|(of, ..)| speaker == Speaker::Any || speaker == *of);
    let found = own.filter_map(|(_, mark, read)| {
        text.rmatch_indices(mark).find_map(|(at, _)| {
            let words = read(&text[at + mark.len()..])?;
            words.agree(code).then_some((at, words))
        })
    });
    found.max_by_key(|(at, _)| *at)
}

impl Words {
    /// Open MPI's launcher ends with the status of the process that it names.
    fn agree(&self, code: Option<i32>) -> bool {
        let (Words::First(named), Some(code)) = (self, code) else { return true };
        match named.how {
            How::Signal(signal) => code == 128 + signal,
            How::Status(status) => code == status & 0xff,
            _ => true,
        }
    }
}

fn first(rank: u32, pid: Option<u32>, host: Option<&str>, how: How) -> Option<Words> {
    // Open MPI prints 0 if it does not know the number.
    let pid = pid.filter(|&pid| pid > 0);
    Some(Words::First(Named { rank: Some(rank), pid, host: host.map(str::to_owned), how }))
}

/// `1 with PID 0 on node a exited on signal 9 (Killed).`
fn noticed(text: &str) -> Option<Words> {
    let (rank, pid, host, rest) = process(text)?;
    let (signal, _) = number(rest.strip_prefix("exited on signal ")?)?;
    first(rank, Some(pid), Some(host), How::Signal(i32::try_from(signal).ok()?))
}

/// `1 with PID 0 on node a exiting improperly.`, `… calling "abort".`
fn improperly(text: &str) -> Option<Words> {
    let (rank, pid, host, _) = process(text)?;
    first(rank, Some(pid), Some(host), How::Early)
}

/// `1 with PID 0 on node a REST`
fn process(text: &str) -> Option<(u32, u32, &str, &str)> {
    let (rank, rest) = number(text)?;
    let (pid, rest) = number(rest.strip_prefix(" with PID ")?)?;
    let (host, rest) = rest.strip_prefix(" on node ")?.split_once(' ')?;
    Some((rank, pid, host, rest))
}

/// `[4711,1],2] Exit code: 3`, `prterun-a-4711@1,2] Exit code: 3`
fn detected(text: &str) -> Option<Words> {
    let (name, rest) = text.split_once("] Exit code: ")?;
    first(rank_in(name)?, None, None, How::Status(signed(rest)?))
}

/// `4711,2] *** on communicator MPI_COMM_WORLD *** MPI_ERR_RANK: invalid rank *** MPI_ERRORS_ARE_FATAL …`
fn reported(text: &str) -> Option<Words> {
    let (name, rest) = text.split_once(']')?;
    rest.contains("MPI_ERRORS_ARE_FATAL").then_some(())?;
    first(rank_in(name)?, None, None, How::Error)
}

/// The number after the last comma of a name without spaces.
fn rank_in(name: &str) -> Option<u32> {
    let (_, rank) = name.rsplit_once(',').filter(|_| !name.contains(' '))?;
    rank.parse().ok()
}

/// `1 in communicator MPI_COMM_WORLD with errorcode 3.`; version 5: `… MPI_COMM_WORLD Proc: [[4711,1],1] Errorcode: 3`
fn invoked(text: &str) -> Option<Words> {
    let (rank, rest) = number(text)?;
    let (communicator, rest) = rest.strip_prefix(" in communicator ")?.split_once(' ')?;
    if let Some((before, code)) = rest.split_once(" Errorcode: ") {
        let (_, name) = before.rsplit_once("Proc: [")?;
        let rank = rank_in(name.strip_suffix(']')?)?;
        return first(rank, None, None, How::Abort(signed(code)?));
    }
    // Ranks of other communicators are different numbers.
    let code = signed(rest.strip_prefix("with errorcode ")?)?;
    first(rank, None, None, How::Abort(code)).filter(|_| communicator == "MPI_COMM_WORLD")
}

/// `3) on node 2 (rank 0 in comm 16): application called MPI_Abort(…`, `…: Fatal error in PMPI_Send: …`
fn aborted(text: &str) -> Option<Words> {
    let (code, rest) = text.split_once(") on node ")?;
    let (rank, rest) = number(rest)?;
    let (_, why) = rest.strip_prefix(" (rank ")?.split_once("): ")?;
    let code = code.parse().ok()?;
    match why {
        why if why.starts_with("application called MPI_Abort(") => {
            first(rank, None, None, How::Abort(code))
        }
        why if why.starts_with("Fatal error in ") => first(rank, None, None, How::Error),
        _ => None,
    }
}

/// `= PID 4711 RUNNING AT a = EXIT CODE: 9 …: Killed (signal 9)`
fn hydra(text: &str) -> Option<Words> {
    text.contains(" RUNNING AT ").then_some(())?;
    let told = text.split_once("TERMINATED WITH THE EXIT STRING: ");
    let signal = told.and_then(|(_, rest)| number(rest.split_once("(signal ")?.1));
    Some(Words::Some(signal.and_then(|(signal, _)| i32::try_from(signal).ok())))
}

/// The number at the beginning of a text, and the rest.
fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// The number at the beginning of a text, which may be negative.
fn signed(text: &str) -> Option<i32> {
    let (sign, rest) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let (count, _) = number(rest)?;
    i32::try_from(i64::from(count) * sign).ok()
}

#[cfg(test)]
mod tests;
