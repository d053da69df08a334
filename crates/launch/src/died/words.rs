//! What launchers of MPI say of the process that ended their program.
//!
//! Lines are broken in different places by different versions, and what the program printed may stand before and
//! between them, so the words are looked for wherever they are, each blank for any number of them. Programs can print
//! such words, too; the launcher's own come last.

/// How a process came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By a signal.
    Signal(i32),
    /// By itself, with this status.
    Status(i32),
    /// By itself, before its time.
    Early,
    /// It called `MPI_Abort` with this code.
    Abort(i32),
    /// MPI ended it, since it found an error.
    Error,
}

/// The process that came to its end first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its rank in `MPI_COMM_WORLD`.
    pub rank: Option<u32>,
    /// Its number on its host.
    pub pid: Option<u32>,
    /// Its host.
    pub host: Option<String>,
    /// What became of it.
    pub how: How,
}

/// What a launcher has said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Words {
    /// This process was the first.
    First(Named),
    /// It names some of those that have ended, which may be among those that it has ended itself, and a signal that
    /// is made of all of theirs. That is how Hydra, MPICH's, does it.
    Some(Option<i32>),
}

/// Whose words they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// Open MPI, in versions 4 and 5 (`mpirun`, `prterun`).
    OpenMpi,
    /// MPICH, and what is made of it, with its launcher.
    Hydra,
    /// One or the other.
    Any,
}

/// A mark, and what the text behind it says.
type Reading = (Speaker, &'static str, fn(&str) -> Option<Words>);

/// Words of launchers.
const LAUNCHERS: [Reading; 4] = [
    (Speaker::OpenMpi, "noticed that process rank ", noticed),
    (Speaker::OpenMpi, "The first process to do so was: Process name: [", detected),
    (Speaker::OpenMpi, "has exited due to process rank ", improperly),
    (Speaker::Hydra, "BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES", hydra),
];

/// Words of MPI in the process that ends; its launcher may say nothing more.
const ENDED: [Reading; 3] = [
    (Speaker::OpenMpi, "MPI_ABORT was invoked on rank ", invoked),
    (Speaker::OpenMpi, "*** reported by process [", reported),
    (Speaker::Hydra, "Abort(", aborted),
];

/// What is said at the end of what was printed, by a launcher that has ended with this code; `None` where nothing is
/// understood.
pub fn heard(printed: &str, speaker: Speaker, code: Option<i32>) -> Option<Words> {
    let text = printed.split_whitespace().collect::<Vec<_>>().join(" ");
    let launcher = last(&text, &LAUNCHERS, speaker, code);
    let ended = last(&text, &ENDED, speaker, code);
    let ((at, said), (then, ended)) = match (launcher, ended) {
        (Some(launcher), Some(ended)) => (launcher, ended),
        (one, other) => return one.or(other).map(|(_, words)| words),
    };
    Some(match (said, ended) {
        // A launcher sees a status where MPI says that it was an abort.
        (Words::First(named), Words::First(ended)) if named.rank == ended.rank => {
            Words::First(Named { how: ended.how, ..named })
        }
        (Words::First(named), _) if at > then => Words::First(named),
        (_, ended) => ended,
    })
}

/// The last that is understood and agrees with the launcher's own end, and where it stands.
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
    /// Open MPI's launcher ends as the process did that it names.
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
    // Open MPI tells 0 where it does not know the number.
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

/// The number behind the last comma of a name, which has no blanks.
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
    // Ranks of other communicators are others.
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

/// The number that a text begins with, and the rest.
fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// The number that a text begins with, which may be below 0.
fn signed(text: &str) -> Option<i32> {
    let (sign, rest) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let (count, _) = number(rest)?;
    i32::try_from(i64::from(count) * sign).ok()
}

#[cfg(test)]
mod tests;
