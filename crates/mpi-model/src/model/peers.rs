//! Whom ranks communicate with, as a rule that holds for other numbers of processors.

use cll_calls::Peer;
use cll_model::graph::Peer as Partner;

/// A rule for the partners of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PeerRule {
    /// As seen, for each rank: number of processors, rank, partners in turn.
    Seen(Vec<(u32, u32, Vec<Peer>)>),
    /// In each passage one of these.
    InTurn(Vec<PeerRelation>),
    /// All others, in ascending order.
    Others,
    /// The rank of which the last message from any was.
    LastSource,
}

/// A partner by the own rank and the number of processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PeerRelation {
    /// This rank.
    Rank(u32),
    /// So many ranks after the own one, from the first again after the last.
    After(i64),
    /// So many ranks before the number of processors.
    FromEnd(u32),
    Any,
    Nobody,
}

/// The partners that were seen: number of processors, rank, partners in the order of passages.
pub(super) type Seen<'a> = (u32, u32, &'a [Peer]);

impl PeerRule {
    pub(super) fn new(seen: &[Seen<'_>], is_reply: bool) -> PeerRule {
        if is_reply {
            return PeerRule::LastSource;
        }
        let in_turn: Vec<(u32, u32, Vec<Peer>)> = seen
            .iter()
            .map(|&(processors, rank, peers)| (processors, rank, period(peers).to_vec()))
            .collect();
        if let Some(relations) = common(&in_turn) {
            return PeerRule::InTurn(relations);
        }
        let others = |(processors, rank, peers): &(u32, u32, Vec<Peer>)| {
            let all = (0..*processors).filter(|processor| processor != rank).map(Peer::Rank);
            peers.iter().copied().eq(all)
        };
        if !in_turn.is_empty() && in_turn.iter().all(others) {
            PeerRule::Others
        } else {
            PeerRule::Seen(in_turn)
        }
    }

    /// The partners of a rank; `None` if they are not known for this number of processors.
    pub(super) fn partners(&self, processors: u32, rank: u32) -> Option<Vec<Partner>> {
        let partner = |peer: &Peer| match *peer {
            Peer::Rank(rank) => Partner::Process(rank as usize),
            Peer::Any => Partner::Any,
            Peer::Nobody => Partner::Nobody,
        };
        match self {
            PeerRule::Seen(seen) => {
                let entry = seen.iter().find(|line| (line.0, line.1) == (processors, rank))?;
                Some(entry.2.iter().map(partner).collect())
            }
            PeerRule::InTurn(relations) => Some(
                relations
                    .iter()
                    .map(|relation| partner(&relation.peer(processors, rank)))
                    .collect(),
            ),
            PeerRule::Others => {
                let others = (0..processors).filter(|&processor| processor != rank);
                Some(others.map(|other| Partner::Process(other as usize)).collect())
            }
            PeerRule::LastSource => Some(vec![Partner::LastSource]),
        }
    }

    /// Describes the rule in words.
    pub(super) fn words(&self) -> String {
        match self {
            PeerRule::Seen(seen) => {
                let mut ranks: Vec<u32> = seen
                    .iter()
                    .flat_map(|entry| &entry.2)
                    .filter_map(|peer| match peer {
                        Peer::Rank(rank) => Some(*rank),
                        _ => None,
                    })
                    .collect();
                ranks.sort_unstable();
                ranks.dedup();
                let some: Vec<String> = ranks.iter().take(6).map(u32::to_string).collect();
                match (ranks.len(), ranks.len() > 6) {
                    (0, _) => "nobody".to_owned(),
                    (_, true) => format!("ranks {}, …", some.join(", ")),
                    (1, _) => format!("rank {}", some[0]),
                    _ => format!("ranks {}", some.join(", ")),
                }
            }
            PeerRule::InTurn(relations) => {
                relations.iter().map(PeerRelation::words).collect::<Vec<_>>().join(", ")
            }
            PeerRule::Others => "each other rank in turn".to_owned(),
            PeerRule::LastSource => "the rank that it has received from".to_owned(),
        }
    }
}

impl PeerRelation {
    fn peer(self, processors: u32, rank: u32) -> Peer {
        match self {
            PeerRelation::Rank(rank) => Peer::Rank(rank),
            PeerRelation::After(by) => {
                let rank = (i64::from(rank) + by).rem_euclid(i64::from(processors.max(1)));
                Peer::Rank(u32::try_from(rank).unwrap_or(0))
            }
            PeerRelation::FromEnd(by) => Peer::Rank(processors.saturating_sub(by)),
            PeerRelation::Any => Peer::Any,
            PeerRelation::Nobody => Peer::Nobody,
        }
    }

    fn words(&self) -> String {
        match self {
            PeerRelation::Rank(rank) => format!("rank {rank}"),
            PeerRelation::After(by) => format!("rank{by:+}"),
            PeerRelation::FromEnd(1) => "the last rank".to_owned(),
            PeerRelation::FromEnd(by) => format!("rank P-{by}"),
            PeerRelation::Any => "any rank".to_owned(),
            PeerRelation::Nobody => "nobody".to_owned(),
        }
    }
}

/// The relations that hold for all ranks.
fn common(seen: &[(u32, u32, Vec<Peer>)]) -> Option<Vec<PeerRelation>> {
    let (processors, rank, first) = seen.first()?;
    let mut relations = Vec::new();
    for (index, peer) in first.iter().enumerate() {
        let candidates = match *peer {
            Peer::Any => vec![PeerRelation::Any],
            Peer::Nobody => vec![PeerRelation::Nobody],
            Peer::Rank(to) => vec![
                PeerRelation::After(i64::from(to) - i64::from(*rank)),
                PeerRelation::After(i64::from(to) - i64::from(*rank) - i64::from(*processors)),
                PeerRelation::After(i64::from(to) - i64::from(*rank) + i64::from(*processors)),
                PeerRelation::Rank(to),
                PeerRelation::FromEnd(processors - to.min(*processors)),
            ],
        };
        // A fixed rank is the simplest, if several hold.
        let holds = |relation: &PeerRelation| {
            seen.iter().all(|(processors, rank, peers)| {
                peers.len() == first.len() && peers[index] == relation.peer(*processors, *rank)
            })
        };
        let holding: Vec<PeerRelation> = candidates.into_iter().filter(holds).collect();
        let fixed = holding.iter().find(|relation| matches!(relation, PeerRelation::Rank(_)));
        relations.push(*fixed.or(holding.first())?);
    }
    Some(relations)
}

/// The shortest sequence that the list repeats.
fn period(list: &[Peer]) -> &[Peer] {
    let repeats =
        |length: &usize| (*length..list.len()).all(|index| list[index] == list[index - length]);
    let shortest = (1..=list.len() / 2).find(repeats);
    &list[..shortest.unwrap_or(list.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranks(list: &[u32]) -> Vec<Peer> {
        list.iter().map(|&rank| Peer::Rank(rank)).collect()
    }

    fn rule(seen: &[(u32, u32, Vec<Peer>)]) -> PeerRule {
        let seen: Vec<Seen<'_>> =
            seen.iter().map(|entry| (entry.0, entry.1, &entry.2[..])).collect();
        PeerRule::new(&seen, false)
    }

    #[test]
    fn rules_hold_for_other_numbers_of_processors() {
        let ring = rule(&[(4, 1, ranks(&[2, 2, 2])), (4, 3, ranks(&[0, 0])), (2, 1, ranks(&[0]))]);
        assert_eq!(ring.partners(8, 7), Some(vec![Partner::Process(0)]));
        assert_eq!(ring.partners(8, 3), Some(vec![Partner::Process(4)]));
        let master = rule(&[(2, 1, ranks(&[0])), (4, 3, ranks(&[0, 0]))]);
        assert_eq!(master.words(), "rank 0");
        let others = rule(&[(2, 0, ranks(&[1, 1])), (4, 0, ranks(&[1, 2, 3, 1, 2, 3]))]);
        assert_eq!(others.partners(3, 0), Some(vec![Partner::Process(1), Partner::Process(2)]));
        let wild = rule(&[(4, 0, ranks(&[1])), (4, 1, ranks(&[3])), (4, 2, ranks(&[0]))]);
        assert_eq!(wild.partners(4, 1), Some(vec![Partner::Process(3)]));
        assert_eq!(wild.partners(8, 1), None);
    }
}
