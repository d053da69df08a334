//! The costs of the primitives of an MPI: messages between two processes, collectives, the start of processes.

mod limits;
mod lookup;
mod regimes;
mod samples;

use schemars::JsonSchema;
use serde::Serialize;

use crate::communication::Segment;
use crate::uncertain::Uncertain;

pub use limits::{Limit, LimitKind};
pub(crate) use regimes::library;
pub use samples::{MpiSample, MpiSamples};

/// All that is known of MPIs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MessagePassing {
    /// MPIs, on one host and between two.
    pub libraries: Vec<MpiLibrary>,
    /// Times of messages by size.
    pub messages: Vec<MessageLine>,
    /// Times of collectives by size.
    pub collectives: Vec<CollectiveLine>,
}

/// An MPI, and its limits.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MpiLibrary {
    /// `Open MPI 4.1.4`.
    pub name: String,
    /// How many hosts two processes are on: 1 or 2.
    pub hosts: u32,
    /// The eager limit in bytes: messages up to this size are sent before the receive is posted, while the receiver is in
    /// MPI. `None` if it was not found.
    pub eager: Option<Uncertain>,
    /// The same while the receiver is outside of MPI, in bytes; 0 if it must be in MPI for every message.
    pub eager_outside: Option<Uncertain>,
    /// Time from asking the launcher for processes that only begin and end until they have ended.
    pub start: Vec<ProcessStart>,
}

/// The start of some processes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ProcessStart {
    /// How many.
    pub processes: u32,
    /// Seconds.
    pub time: Uncertain,
}

/// A time of a message between two processes by its size n: `L + g·n`, segment by segment.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MessageLine {
    /// The MPI.
    pub mpi: String,
    /// How many hosts the two processes are on.
    pub hosts: u32,
    /// Which time.
    pub call: MessageCall,
    /// The state of the other process; `None` for the whole time and its components.
    pub partner: Option<Partner>,
    /// By size, ascending, without overlap; never empty.
    #[serde(rename = "segments")]
    pub segments: Vec<Segment>,
}

/// A time of a collective by its size n.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CollectiveLine {
    /// The MPI.
    pub mpi: String,
    /// How many hosts the processes are on.
    pub hosts: u32,
    /// The call.
    pub call: Collective,
    /// Number of processes.
    pub processes: u32,
    /// Whether these were more than the cores.
    pub oversubscribed: bool,
    /// By size, ascending; the size of a barrier is 0.
    #[serde(rename = "segments")]
    pub segments: Vec<Segment>,
}

/// Times of a message. The first four are those of the DP\*Graph paper (Li et al., 2003), `t_c = t_e + t_t + t_r`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MessageCall {
    /// t_c: from the begin of the send until the receiver, which waits, has the message.
    Total,
    /// t_e: how long the sender is busy (in `MPI_Isend` and in an `MPI_Wait` long after it); LogGP's o_s.
    Emission,
    /// t_t: the part of the whole time in which neither need be busy; 0 where the busy times overlap.
    Transit,
    /// t_r: how long the receiver is busy (in `MPI_Irecv` and in an `MPI_Wait` long after it); LogGP's o_r.
    Reception,
    /// The time in `MPI_Send`.
    Send,
    /// The time in `MPI_Bsend`.
    Bsend,
    /// The time in `MPI_Ssend`.
    Ssend,
    /// The time in `MPI_Rsend`.
    Rsend,
    /// The time in `MPI_Recv`.
    Receive,
}

/// The state of the other process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Partner {
    /// It waits in its receive.
    Posted,
    /// It comes later: of a send that waits for it, the time after it has come.
    Late,
    /// It has sent long before.
    Early,
}

/// Collectives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Collective {
    /// `MPI_Barrier`.
    Barrier,
    /// `MPI_Bcast` of n bytes.
    Bcast,
    /// `MPI_Reduce`, a sum of n bytes of doubles.
    Reduce,
    /// `MPI_Allreduce`, a sum of n bytes of doubles.
    Allreduce,
    /// `MPI_Gather` of n bytes of each process.
    Gather,
    /// `MPI_Scatter` of n bytes for each process.
    Scatter,
    /// `MPI_Allgather` of n bytes of each process.
    Allgather,
    /// `MPI_Alltoall` of n bytes of each process for each.
    Alltoall,
}

impl MessageCall {
    /// All, in the order of files.
    pub const ALL: [MessageCall; 9] = [
        MessageCall::Total,
        MessageCall::Emission,
        MessageCall::Transit,
        MessageCall::Reception,
        MessageCall::Send,
        MessageCall::Bsend,
        MessageCall::Ssend,
        MessageCall::Rsend,
        MessageCall::Receive,
    ];

    /// As in files: `emission`.
    pub fn name(self) -> &'static str {
        match self {
            MessageCall::Total => "total",
            MessageCall::Emission => "emission",
            MessageCall::Transit => "transit",
            MessageCall::Reception => "reception",
            MessageCall::Send => "send",
            MessageCall::Bsend => "bsend",
            MessageCall::Ssend => "ssend",
            MessageCall::Rsend => "rsend",
            MessageCall::Receive => "receive",
        }
    }
}

impl Partner {
    /// All, in the order of files.
    pub const ALL: [Partner; 3] = [Partner::Posted, Partner::Late, Partner::Early];

    /// As in files: `posted`.
    pub fn name(self) -> &'static str {
        match self {
            Partner::Posted => "posted",
            Partner::Late => "late",
            Partner::Early => "early",
        }
    }
}

impl Collective {
    /// All, in the order of files.
    pub const ALL: [Collective; 8] = [
        Collective::Barrier,
        Collective::Bcast,
        Collective::Reduce,
        Collective::Allreduce,
        Collective::Gather,
        Collective::Scatter,
        Collective::Allgather,
        Collective::Alltoall,
    ];

    /// As in files: `allreduce`.
    pub fn name(self) -> &'static str {
        match self {
            Collective::Barrier => "barrier",
            Collective::Bcast => "bcast",
            Collective::Reduce => "reduce",
            Collective::Allreduce => "allreduce",
            Collective::Gather => "gather",
            Collective::Scatter => "scatter",
            Collective::Allgather => "allgather",
            Collective::Alltoall => "alltoall",
        }
    }
}
