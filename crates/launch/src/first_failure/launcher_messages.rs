//! Messages of MPI launchers on the process that ended their program.
//!
//! Versions break lines in different places, and the program's output may be before and between them. So the
//! phrases are searched anywhere, with any white space for each space. Programs can print such phrases, too; the
//! launcher's are the last.

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndCause {
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
pub struct FailedProcess {
    /// The rank in `MPI_COMM_WORLD`.
    pub rank: Option<u32>,
    /// The process number on its host.
    pub pid: Option<u32>,
    /// The name of the host.
    pub host: Option<String>,
    /// How it ended.
    pub how: EndCause,
}

/// A launcher's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LauncherMessage {
    /// It names the process that ended first.
    First(FailedProcess),
    /// It names some of the processes that have ended, possibly some that the launcher ended, and a signal that is
    /// combined from all of them. Hydra, MPICH's launcher, does this.
    Some(Option<i32>),
}

/// The program that printed a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LauncherKind {
    /// Open MPI, in versions 4 and 5 (`mpirun`, `prterun`).
    OpenMpi,
    /// MPICH and its derivatives, with their launcher.
    Hydra,
    /// Either of them.
    Any,
}

/// A phrase, and the parser of the text after it.
type Phrase = (LauncherKind, &'static str, fn(&str) -> Option<LauncherMessage>);

/// Phrases of launchers.
const LAUNCHER_PHRASES: [Phrase; 4] = [
    (LauncherKind::OpenMpi, "noticed that process rank ", noticed),
    (LauncherKind::OpenMpi, "The first process to do so was: Process name: [", detected),
    (LauncherKind::OpenMpi, "has exited due to process rank ", improperly),
    (LauncherKind::Hydra, "BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES", hydra),
];

/// Phrases of MPI in the process that ends; its launcher may print nothing more.
const MPI_PHRASES: [Phrase; 3] = [
    (LauncherKind::OpenMpi, "MPI_ABORT was invoked on rank ", invoked),
    (LauncherKind::OpenMpi, "*** reported by process [", reported),
    (LauncherKind::Hydra, "Abort(", aborted),
];

/// The message at the end of the output, by a launcher that has ended with this code; `None` if there is no known
/// one.
pub fn find_message(
    printed: &str,
    launcher_kind: LauncherKind,
    code: Option<i32>,
) -> Option<LauncherMessage> {
    let text = printed.split_whitespace().collect::<Vec<_>>().join(" ");
    let launcher = last(&text, &LAUNCHER_PHRASES, launcher_kind, code);
    let ended = last(&text, &MPI_PHRASES, launcher_kind, code);
    let ((position, message), (then, ended)) = match (launcher, ended) {
        (Some(launcher), Some(ended)) => (launcher, ended),
        (first, other) => return first.or(other).map(|(_, words)| words),
    };
    Some(match (message, ended) {
        // A launcher sees an exit status, and MPI's message says that it was an abort.
        (LauncherMessage::First(named), LauncherMessage::First(ended))
            if named.rank == ended.rank =>
        {
            LauncherMessage::First(FailedProcess { how: ended.how, ..named })
        }
        (LauncherMessage::First(named), _) if position > then => LauncherMessage::First(named),
        (_, ended) => ended,
    })
}

/// The last known message that agrees with the launcher's exit code, and its position.
fn last(
    text: &str,
    readings: &[Phrase],
    launcher_kind: LauncherKind,
    code: Option<i32>,
) -> Option<(usize, LauncherMessage)> {
    let own = readings
        .iter()
        .filter(|(kind, ..)| launcher_kind == LauncherKind::Any || launcher_kind == *kind);
    let messages = own.filter_map(|(_, mark, read)| {
        text.rmatch_indices(mark).find_map(|(position, _)| {
            let words = read(&text[position + mark.len()..])?;
            words.agree(code).then_some((position, words))
        })
    });
    messages.max_by_key(|(position, _)| *position)
}

impl LauncherMessage {
    /// Open MPI's launcher ends with the status of the process that it names.
    fn agree(&self, code: Option<i32>) -> bool {
        let (LauncherMessage::First(named), Some(code)) = (self, code) else { return true };
        match named.how {
            EndCause::Signal(signal) => code == 128 + signal,
            EndCause::Status(status) => code == status & 0xff,
            _ => true,
        }
    }
}

fn first(
    rank: u32,
    pid: Option<u32>,
    host: Option<&str>,
    how: EndCause,
) -> Option<LauncherMessage> {
    // Open MPI prints 0 if it does not know the number.
    let pid = pid.filter(|&pid| pid > 0);
    Some(LauncherMessage::First(FailedProcess {
        rank: Some(rank),
        pid,
        host: host.map(str::to_owned),
        how,
    }))
}

/// `1 with PID 0 on node a exited on signal 9 (Killed).`
fn noticed(text: &str) -> Option<LauncherMessage> {
    let (rank, pid, host, rest) = process(text)?;
    let (signal, _) = number(rest.strip_prefix("exited on signal ")?)?;
    first(rank, Some(pid), Some(host), EndCause::Signal(i32::try_from(signal).ok()?))
}

/// `1 with PID 0 on node a exiting improperly.`, `… calling "abort".`
fn improperly(text: &str) -> Option<LauncherMessage> {
    let (rank, pid, host, _) = process(text)?;
    first(rank, Some(pid), Some(host), EndCause::Early)
}

/// `1 with PID 0 on node a REST`
fn process(text: &str) -> Option<(u32, u32, &str, &str)> {
    let (rank, rest) = number(text)?;
    let (pid, rest) = number(rest.strip_prefix(" with PID ")?)?;
    let (host, rest) = rest.strip_prefix(" on node ")?.split_once(' ')?;
    Some((rank, pid, host, rest))
}

/// `[4711,1],2] Exit code: 3`, `prterun-a-4711@1,2] Exit code: 3`
fn detected(text: &str) -> Option<LauncherMessage> {
    let (name, rest) = text.split_once("] Exit code: ")?;
    first(rank_in(name)?, None, None, EndCause::Status(signed(rest)?))
}

/// `4711,2] *** on communicator MPI_COMM_WORLD *** MPI_ERR_RANK: invalid rank *** MPI_ERRORS_ARE_FATAL …`
fn reported(text: &str) -> Option<LauncherMessage> {
    let (name, rest) = text.split_once(']')?;
    rest.contains("MPI_ERRORS_ARE_FATAL").then_some(())?;
    first(rank_in(name)?, None, None, EndCause::Error)
}

/// The number after the last comma of a name without spaces.
fn rank_in(name: &str) -> Option<u32> {
    let (_, rank) = name.rsplit_once(',').filter(|_| !name.contains(' '))?;
    rank.parse().ok()
}

/// `1 in communicator MPI_COMM_WORLD with errorcode 3.`; version 5: `… MPI_COMM_WORLD Proc: [[4711,1],1] Errorcode: 3`
fn invoked(text: &str) -> Option<LauncherMessage> {
    let (rank, rest) = number(text)?;
    let (communicator, rest) = rest.strip_prefix(" in communicator ")?.split_once(' ')?;
    if let Some((before, code)) = rest.split_once(" Errorcode: ") {
        let (_, name) = before.rsplit_once("Proc: [")?;
        let rank = rank_in(name.strip_suffix(']')?)?;
        return first(rank, None, None, EndCause::Abort(signed(code)?));
    }
    // Ranks of other communicators are different numbers.
    let code = signed(rest.strip_prefix("with errorcode ")?)?;
    first(rank, None, None, EndCause::Abort(code)).filter(|_| communicator == "MPI_COMM_WORLD")
}

/// `3) on node 2 (rank 0 in comm 16): application called MPI_Abort(…`, `…: Fatal error in PMPI_Send: …`
fn aborted(text: &str) -> Option<LauncherMessage> {
    let (code, rest) = text.split_once(") on node ")?;
    let (rank, rest) = number(rest)?;
    let (_, why) = rest.strip_prefix(" (rank ")?.split_once("): ")?;
    let code = code.parse().ok()?;
    match why {
        why if why.starts_with("application called MPI_Abort(") => {
            first(rank, None, None, EndCause::Abort(code))
        }
        why if why.starts_with("Fatal error in ") => first(rank, None, None, EndCause::Error),
        _ => None,
    }
}

/// `= PID 4711 RUNNING AT a = EXIT CODE: 9 …: Killed (signal 9)`
fn hydra(text: &str) -> Option<LauncherMessage> {
    text.contains(" RUNNING AT ").then_some(())?;
    let parts = text.split_once("TERMINATED WITH THE EXIT STRING: ");
    let signal = parts.and_then(|(_, rest)| number(rest.split_once("(signal ")?.1));
    Some(LauncherMessage::Some(signal.and_then(|(signal, _)| i32::try_from(signal).ok())))
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
