//! The time of a program that sends messages: the longest path over matched messages and collectives.
//!
//! `graph` walks through folded steps with loops, whose messages have no tags. Here operations are read one by one from
//! logs of any length, with tags, requests and a price by bytes: the walks share the rule, not the code.
//!
//! Each rank is a sequence of operations ([`cll_calls::Operation`]); [`MessageCosts`] say what messages cost, and
//! [`evaluate`] computes when each rank ends. For a message of n bytes that begins to be sent at s, with t_e, t_t and t_r
//! of Li, Laine, Midorikawa, Sato and Ching (2003) (LogGP's o_s, L + G·n and o_r):
//!
//! - Eager: the sender is busy until s + t_e(n); the message is there at s + t_e(n) + t_t(n). A receiver that is at r goes
//!   on at max(r, arrival) + t_r(n).
//! - Rendezvous (beyond the eager limit, and `MPI_Ssend`): it begins when both are there, T = max(s, r), and both go on at
//!   T + t_e(n) + t_t(n) + t_r(n).
//! - A call that returns a request begins only: of a send t_e(n) is spent in it, of a receive t_r(n) in the wait, and what
//!   is between passes while the rank computes.
//! - A collective whose time is known ends by its meaning: where all need all, at the last arrival and that time; from a
//!   root, for the others at the root's arrival or their own, whichever is later, and that time; to a root, for the root
//!   as if all needed all. The side that needs nobody is busy with as many messages as a binomial tree has rounds, at most
//!   that time. Other collectives are messages.

use cll_calls::CollectiveKind;
use cll_trace::layout::call::Op;

mod collectives;
mod costs;
mod evaluate;
mod log_gops;
mod logs;

pub use costs::{CostEnd, NoPrimitives, Primitives};
pub use evaluate::{Evaluated, RankTime, evaluate};
pub use log_gops::LogGops;
pub use logs::{NoTime, OfLogs, of_logs};

/// The costs of messages. Seconds, for a number of bytes.
pub trait MessageCosts {
    /// t_e: how long the sender is busy.
    fn emission(&self, bytes: f64) -> f64;
    /// t_t: the time on the way, in which neither is busy.
    fn transit(&self, bytes: f64) -> f64;
    /// t_r: how long the receiver is busy.
    fn reception(&self, bytes: f64) -> f64;
    /// From the begin of a message until the sender can begin the next one, if that is longer than it is busy.
    fn gap(&self, _bytes: f64) -> f64 {
        0.0
    }
    /// Whether a standard send of this size waits for its receiver.
    fn is_rendezvous(&self, bytes: f64) -> bool;
    /// The time of a collective of this many processes; `None` if it is not known.
    fn collective(&self, op: Op, processes: u32, bytes: f64) -> Option<f64>;
}

/// Communication takes no time, and no send waits but `MPI_Ssend`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Free;

impl MessageCosts for Free {
    fn emission(&self, _bytes: f64) -> f64 {
        0.0
    }

    fn transit(&self, _bytes: f64) -> f64 {
        0.0
    }

    fn reception(&self, _bytes: f64) -> f64 {
        0.0
    }

    fn is_rendezvous(&self, _bytes: f64) -> bool {
        false
    }

    fn collective(&self, op: Op, _processes: u32, _bytes: f64) -> Option<f64> {
        // Whom a process needs in a collective of neighbours, the log does not say.
        (op.collective_kind() != CollectiveKind::Neighbours).then_some(0.0)
    }
}
