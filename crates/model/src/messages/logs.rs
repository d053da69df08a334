//! The time of a logged run.

use cll_calls::{Groups, LeftOut, Opener, Overview, RankOperations};
use cll_trace::TraceError;
use cll_trace::layout::call::Op;
use thiserror::Error;

use super::{Evaluated, MessageCosts, evaluate};

/// The time of a run, and what is not in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OfLogs {
    /// The times.
    pub evaluated: Evaluated,
    /// The data that are in no time.
    pub left_out: LeftOut,
}

/// Why there is no time.
#[derive(Debug, Error)]
pub enum NoTime {
    /// Calls of a rank are not in one order.
    #[error("several threads of rank {rank} call MPI")]
    Threads {
        /// The rank.
        rank: u32,
    },
    /// Processes may wait for what the log does not name.
    #[error(
        "rank {rank} calls MPI_{call}: the log does not say which processes wait for each other there"
    )]
    Unmatched {
        /// The rank.
        rank: u32,
        /// The call, without `MPI_`.
        call: &'static str,
    },
    /// A log is missing.
    #[error("the log of rank {rank} is missing")]
    Missing {
        /// The rank.
        rank: u32,
    },
    /// A log cannot be read.
    #[error(transparent)]
    Log(#[from] TraceError),
}

/// Evaluates a run of which all logs are there: computation as it was measured, multiplied by `factor`, communication by its
/// costs.
///
/// # Errors
/// See [`NoTime`].
pub fn of_logs(
    overviews: &[Overview],
    open: &mut Opener<'_>,
    costs: &dyn MessageCosts,
    factor: f64,
) -> Result<OfLogs, NoTime> {
    for overview in overviews {
        let Some((rank, _)) = overview.rank() else { continue };
        if overview.lanes.len() > 1 {
            return Err(NoTime::Threads { rank });
        }
    }
    let known: Vec<(u32, u32)> = overviews.iter().filter_map(Overview::rank).collect();
    let count = known.iter().map(|pair| pair.1).max().unwrap_or(0);
    if let Some(rank) = (0..count).find(|rank| !known.iter().any(|pair| pair.0 == *rank)) {
        return Err(NoTime::Missing { rank });
    }
    let groups = Groups::read(overviews, open)?;
    let is_priced = |op: Op, size: u32| costs.collective(op, size, 0.0).is_some();
    let mut all = RankOperations::of_all(overviews, &groups, &is_priced, open)?;
    let ranks: Vec<u32> = all.iter().map(RankOperations::rank).collect();
    let evaluated = evaluate(&ranks, costs, factor, |place| all[place].next_operation())?;
    let mut left_out = LeftOut::default();
    for rank in &all {
        if let Some(call) = rank.unmatched() {
            return Err(NoTime::Unmatched { rank: rank.rank(), call });
        }
        let of_rank = rank.left_out();
        left_out.one_sided += of_rank.one_sided;
        left_out.outside += of_rank.outside;
        left_out.collectives += of_rank.collectives;
    }
    Ok(OfLogs { evaluated, left_out })
}
