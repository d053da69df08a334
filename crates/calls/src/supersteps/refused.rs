//! Why calls cannot be divided into supersteps; and what users should know about the supersteps of calls.

use std::fmt;

use thiserror::Error;

use crate::{CallData, Overview};
use cll_trace::TraceError;
use cll_units::Seconds;

/// A call of a rank, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The name of the call, without `MPI_`.
    pub call: &'static str,
    /// The rank that made it.
    pub rank: u32,
    /// `file:line`, or the address in the program; empty if neither is known.
    pub place: String,
}

impl fmt::Display for CallSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MPI_{}", self.call)?;
        if !self.place.is_empty() {
            write!(f, " at {}", self.place)?;
        }
        write!(f, " (rank {})", self.rank)
    }
}

/// Why calls of MPI have no supersteps.
#[derive(Debug, Error)]
pub enum Refused {
    /// No calls.
    #[error("there are no calls of MPI in it")]
    Empty,
    /// Ranks without a log.
    #[error("{}: supersteps are those of all ranks", missing(.ranks, *.of))]
    Missing {
        /// Which.
        ranks: Vec<u32>,
        /// How many there are.
        of: u32,
    },
    /// A rank with two logs.
    #[error("rank {rank} is in two of these logs: they are of different runs")]
    Twice {
        /// Which.
        rank: u32,
    },
    /// Several threads of a process communicate.
    #[error(
        "{threads} threads of rank {rank} call MPI, so its calls do not follow each other: supersteps are those of \
         processes that communicate in one thread"
    )]
    Threads {
        /// Which rank.
        rank: u32,
        /// How many threads.
        threads: usize,
    },
    /// Synchronisation of some processes that is only partly in the log.
    #[error(
        "{call}: which processes take part in it is not in the log, so no superstep can end in it"
    )]
    Partial {
        /// The call.
        call: CallSite,
    },
    /// Processes that are not of the run.
    #[error(
        "{call}: it is of processes outside MPI_COMM_WORLD, and supersteps are those of its processes"
    )]
    Outside {
        /// The call.
        call: CallSite,
    },
    /// A message of which only one side is there.
    #[error("{call} received a message from rank {from} that no call in the logs has sent")]
    Unsent {
        /// The call.
        call: CallSite,
        /// The rank that must have sent it.
        from: u32,
    },
    /// A collective that some processes have left and others never called.
    #[error(
        "{call} was left by this rank, and in the logs not all ranks of its communicator come to it"
    )]
    Lonely {
        /// The call.
        call: CallSite,
    },
    /// The processes have no common supersteps.
    #[error(
        "{late} of {messages} messages are received two supersteps or more after the one that they were sent in, the first \
         by {call}: processes that take what comes when it comes (a task farm) have no common supersteps"
    )]
    Farm {
        /// So many are late.
        late: u64,
        /// The number of all messages.
        messages: u64,
        /// The first call that received one late.
        call: CallSite,
    },
    /// A log cannot be read again.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// The supersteps cannot be written.
    #[error("cannot write the supersteps: {0}")]
    Write(#[from] std::io::Error),
}

fn missing(ranks: &[u32], count: u32) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> = ranks.iter().take(SHOWN).map(u32::to_string).collect();
    let more = if ranks.len() > SHOWN { ", …" } else { "" };
    format!("there is no log of rank {}{more} of {count}", shown.join(", "))
}

/// Notes for users about supersteps that were found from calls.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// Messages that were received in a later superstep than the one that they were sent in.
    Late {
        /// So many.
        late: u64,
        /// The number of all messages.
        messages: u64,
        /// The first call that received one.
        call: CallSite,
    },
    /// The clock of a host was related to that of the first host by the messages between them.
    Related {
        /// The name of the host.
        host: String,
        /// How far it may be off.
        uncertainty: Seconds,
        /// How much faster the first one's is.
        drift: f64,
    },
    /// The clocks of these hosts cannot be compared with the others'.
    Unrelated {
        /// Their names.
        hosts: Vec<String>,
    },
    /// Communicators whose processes do not have consecutive ranks: they are no machines of their own.
    Scattered {
        /// So many.
        communicators: usize,
        /// The first call of one.
        call: CallSite,
    },
    /// Communicators of consecutive ranks without a collective: they are no machines of their own.
    Uncollected {
        /// So many.
        communicators: usize,
        /// The first call of one.
        call: CallSite,
    },
    /// Communicators that overlap were used in turn, so that supersteps had to end between them.
    Overlapping {
        /// So often.
        times: u64,
        /// The first collective that one ended before.
        call: CallSite,
    },
    /// There were more machines than records have numbers for.
    Crowded {
        /// The first collective that could begin none.
        call: CallSite,
    },
    /// The logs of these ranks end before `MPI_Finalize`.
    Cut {
        /// Each with the call that its log ends in, if it ends in one.
        ranks: Vec<(u32, Option<CallSite>)>,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Late { late, messages, call } => write!(
                f,
                "{late} of {messages} messages are received in a later superstep than the one that they were sent in, \
                 the first by {call}; their bytes count where they were sent"
            ),
            Note::Related { host, uncertainty, drift } => {
                write!(
                    f,
                    "times on {host} were related to those of rank 0's host by what was sent between them: to within {:.1} us",
                    uncertainty.get() * 1e6
                )?;
                if *drift == 0.0 {
                    Ok(())
                } else {
                    write!(f, "; one clock gains {:.1} ppm", drift.abs() * 1e6)
                }
            }
            Note::Unrelated { hosts } => write!(
                f,
                "the times on {} cannot be compared with the others', since too little was sent to them and back: \
                 waiting for other ranks is not known",
                hosts.join(", ")
            ),
            Note::Scattered { communicators, call } => write!(
                f,
                "the processes of {communicators} {} are not neighbours in MPI_COMM_WORLD (the first call is {call}): \
                 they are no machine of their own, and what they do is in supersteps of the machine around them",
                communicators_are(*communicators)
            ),
            Note::Uncollected { communicators, call } => write!(
                f,
                "{communicators} {} no collective, only messages (the first call is {call}): where the machine of their \
                 processes would begin and end is not known, and what they do is in supersteps of the machine around them",
                if *communicators == 1 {
                    "communicator of some processes has"
                } else {
                    "communicators of some processes have"
                }
            ),
            Note::Overlapping { times, call } => write!(
                f,
                "processes went from one communicator to another one that overlaps it, {times} times (first at {call}): \
                 a superstep of the machine around them, with nothing in it, was taken to end between"
            ),
            Note::Crowded { call } => write!(
                f,
                "communicators of some processes were used in turn with others more often than a log has numbers for \
                 machines: from {call} on, what they do is in supersteps of the machine around them"
            ),
            Note::Cut { ranks } => {
                f.write_str("not all ranks have come to MPI_Finalize:")?;
                for (index, (rank, call)) in ranks.iter().enumerate() {
                    f.write_str(if index == 0 { " " } else { "; " })?;
                    match call {
                        Some(call) => write!(f, "the log of rank {rank} ends in {call}")?,
                        None => write!(f, "the log of rank {rank} ends between two calls")?,
                    }
                }
                Ok(())
            }
        }
    }
}

fn communicators_are(count: usize) -> &'static str {
    if count == 1 { "communicator" } else { "communicators" }
}

/// Whether the logs are those of all ranks of one run.
pub(super) fn check_complete(overviews: &[Overview]) -> Result<(), Refused> {
    let mut ranks: Vec<u32> = Vec::new();
    let mut count = 0;
    for overview in overviews {
        let (rank, all) = overview.rank().ok_or(Refused::Empty)?;
        ranks.push(rank);
        count = count.max(all);
        if overview.lanes.len() > 1 {
            return Err(Refused::Threads { rank, threads: overview.lanes.len() });
        }
    }
    ranks.sort_unstable();
    if let Some(pair) = ranks.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Refused::Twice { rank: pair[0] });
    }
    let missing: Vec<u32> = (0..count).filter(|rank| ranks.binary_search(rank).is_err()).collect();
    match (overviews.is_empty(), missing.is_empty()) {
        (true, _) => Err(Refused::Empty),
        (_, false) => Err(Refused::Missing { ranks: missing, of: count }),
        _ => Ok(()),
    }
}

/// Calls that cannot be part of a superstep of the run's processes.
pub(super) enum Unfit {
    Partial,
    Outside,
}

/// Calls whose partners are not known, or do not belong to the run.
pub(super) fn unfit(name: &str, what: &CallData, overview: &Overview) -> Option<Unfit> {
    if ["Win_start", "Win_complete", "Win_post", "Win_wait", "Win_test"].contains(&name) {
        return Some(Unfit::Partial);
    }
    if ["Comm_spawn", "Comm_spawn_multiple", "Comm_accept", "Comm_connect"].contains(&name) {
        return Some(Unfit::Outside);
    }
    let communicator = match *what {
        CallData::Send(message) | CallData::Receive(message) => message.communicator,
        CallData::Exchange { sent, .. } => sent.communicator,
        CallData::Collective { communicator, .. } => communicator,
        _ => return None,
    };
    let table = overview.communicators.get(&communicator)?;
    (table.remote_size > 0).then_some(Unfit::Outside)
}
