//! Deadlocks: ranks whose last calls wait for each other.

use std::collections::HashMap;

use cll_trace::layout::call::{NOBODY, Op};

use crate::{Call, CallData, Message, Overview, RequestOrigin};

/// A rank of a deadlock.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Which.
    pub rank: u32,
    /// The thread of the rank.
    pub thread: u32,
    /// The call that does not return.
    pub op: Op,
    /// The place of the call in the tables of the thread.
    pub point: Option<u32>,
    /// The rank that it waits for.
    pub awaits: u32,
}

/// A call that has not returned, and the ranks of which each must do something before it can.
#[derive(Clone, Debug)]
pub(super) struct Waiter {
    rank: u32,
    thread: u32,
    op: Op,
    point: Option<u32>,
    needs: Vec<u32>,
}

impl Waiter {
    /// `pending` are the requests that the call waits for, `absent` the ranks that have not come to its collective.
    /// `is_there` says whether the other side of a message (true: of one that is sent) has been there already, so that
    /// the call would have returned soon.
    pub(super) fn new(
        overview: &Overview,
        call: &Call,
        pending: &[RequestOrigin],
        absent: &[u32],
        is_there: &dyn Fn(&Message, bool) -> bool,
    ) -> Waiter {
        let partner = |message: &Message, is_sent: bool| match message.partner {
            NOBODY => None,
            _ if is_there(message, is_sent) => None,
            // Any source is not a rank of the communicator.
            partner => overview.world_rank(message.communicator, partner),
        };
        let mut needs = Vec::new();
        match &call.what {
            CallData::Send(message) => needs.extend(partner(message, true)),
            CallData::Receive(message) | CallData::Probe(message) => {
                needs.extend(partner(message, false));
            }
            CallData::Exchange { sent, received } => {
                needs.extend(partner(received, false).or(partner(sent, true)));
            }
            // Waitany and Waitsome need one of them, which may be any.
            CallData::Requests { .. } if matches!(call.op, Op::Wait | Op::Waitall) => {
                for origin in pending {
                    match &origin.what {
                        CallData::Send(message) => needs.extend(partner(message, true)),
                        CallData::Receive(message) => needs.extend(partner(message, false)),
                        _ => {}
                    }
                }
            }
            _ => needs.extend(absent),
        }
        let rank = overview.rank().map_or(0, |(rank, _)| rank);
        Waiter { rank, thread: call.lane, op: call.op, point: call.point, needs }
    }
}

/// A cycle among them, from its lowest rank on. Processes of which a thread is not in a call are in none.
pub(super) fn find(waiters: &[Waiter]) -> Vec<Link> {
    let mut of_rank: HashMap<u32, Vec<&Waiter>> = HashMap::new();
    for waiter in waiters {
        of_rank.entry(waiter.rank).or_default().push(waiter);
    }
    // With several threads, another one may send what a rank is waited for.
    let of_rank: HashMap<u32, &Waiter> = of_rank
        .into_iter()
        .filter_map(|(rank, all)| Some((rank, *all.first().filter(|_| all.len() == 1)?)))
        .collect();
    let mut starts: Vec<u32> = of_rank.keys().copied().collect();
    starts.sort_unstable();
    let mut done: HashMap<u32, bool> = HashMap::new();
    for start in starts {
        let mut path: Vec<(u32, usize)> = vec![(start, 0)];
        while let Some(&mut (rank, ref mut next)) = path.last_mut() {
            let needs = of_rank.get(&rank).map_or(&[][..], |waiter| &waiter.needs);
            let Some(&needed) = needs.get(*next) else {
                done.insert(rank, true);
                path.pop();
                continue;
            };
            *next += 1;
            if let Some(from) = path.iter().position(|&(rank, _)| rank == needed) {
                return links(&path[from..], &of_rank);
            }
            if of_rank.contains_key(&needed) && !done.contains_key(&needed) {
                path.push((needed, 0));
            }
        }
    }
    Vec::new()
}

fn links(path: &[(u32, usize)], of_rank: &HashMap<u32, &Waiter>) -> Vec<Link> {
    let ranks: Vec<u32> = path.iter().map(|&(rank, _)| rank).collect();
    let lowest =
        ranks.iter().enumerate().min_by_key(|(_, rank)| **rank).map_or(0, |(index, _)| index);
    let count = ranks.len();
    let link = |offset: usize| {
        let rank = ranks[(lowest + offset) % count];
        let waiter = of_rank.get(&rank)?;
        let awaits = ranks[(lowest + offset + 1) % count];
        let &Waiter { thread, op, point, .. } = *waiter;
        Some(Link { rank, thread, op, point, awaits })
    };
    (0..count).filter_map(link).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiter(rank: u32, needs: &[u32]) -> Waiter {
        let op = Op::Recv;
        Waiter { rank, thread: 0, op, point: None, needs: needs.to_vec() }
    }

    fn cycle(waiters: &[Waiter]) -> Vec<u32> {
        find(waiters).iter().map(|link| link.rank).collect()
    }

    #[test]
    fn a_cycle_begins_with_its_lowest_rank() {
        let all = [waiter(0, &[3]), waiter(3, &[2]), waiter(2, &[5, 1]), waiter(1, &[3])];
        assert_eq!(cycle(&all), [1, 3, 2]);
        let links = find(&all);
        assert_eq!(links.iter().map(|link| link.awaits).collect::<Vec<_>>(), [3, 2, 1]);
        assert_eq!(cycle(&[waiter(0, &[0])]), [0]);
    }

    #[test]
    fn who_waits_for_one_that_does_not_wait_is_in_no_cycle() {
        assert_eq!(cycle(&[waiter(0, &[1]), waiter(2, &[0])]), [0; 0]);
        // Another thread of rank 1 may send.
        let two = [waiter(0, &[1]), waiter(1, &[0]), waiter(1, &[0])];
        assert_eq!(cycle(&two), [0; 0]);
    }
}
