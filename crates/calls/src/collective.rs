//! Collectives: which calls are collectives, and which processes take part.

pub(crate) use cll_trace::layout::call::CollectiveGroup;
use cll_trace::meta::Communicator;

use super::{Call, CallData, Overview};

/// Identifies a collective: the kind of its group, the key of the group, the number of the collective in the group.
pub(crate) type CollectiveKey = (CollectiveGroup, u64, u64);

/// The group of a collective call, with the group's number in the process; `None` if the call is not a collective.
pub(crate) fn group_of(call: &Call) -> Option<(CollectiveGroup, u32)> {
    let number = match call.what {
        CallData::Collective { communicator, .. } | CallData::Create { communicator } => {
            Some(communicator)
        }
        CallData::Epoch { window, .. } => window,
        CallData::File { communicator, .. } => communicator,
        _ => None,
    };
    call.op.group().zip(number)
}

/// The key and the processes of the group of a collective; `None` if the group is not in the log, or has only one
/// process.
pub(crate) fn members(
    overview: &Overview,
    group: (CollectiveGroup, u32),
) -> Option<(u64, &Communicator)> {
    let (key, communicator) = match group {
        (CollectiveGroup::Window, window) => {
            let window = overview.windows.get(&window)?;
            (window.key.as_str(), window.communicator)
        }
        (CollectiveGroup::Communicator | CollectiveGroup::Files, communicator) => {
            (overview.key(communicator), communicator)
        }
    };
    let table = overview.communicators.get(&communicator)?;
    let is_alone = table.size <= 1 && table.remote_size == 0;
    let key = u64::from_str_radix(key, 16).ok()?;
    (!is_alone).then_some((key, table))
}
