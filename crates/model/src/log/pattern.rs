//! The pattern of a superstep, recognised from its traffic.

use cll_units::Bytes;

use crate::program::TrafficPattern;

/// Bytes from a processor to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// The sender.
    pub from: u32,
    /// The receiver.
    pub to: u32,
    /// The size of the message.
    pub bytes: Bytes,
}

/// Messages below this share of the largest do not count for the pattern. They may be lengths that are sent with the
/// data.
const MIN_SHARE: f64 = 0.01;
/// Messages that differ by no more than this factor count as equal.
const MAX_RATIO: f64 = 2.0;

/// The pattern of a superstep, from all that is sent in it: one entry for each pair of processors, none from
/// a processor to itself.
///
/// One superstep of a broadcast and of a scatter differ only in whether the parts are equal, and with two processors
/// a shift and a total exchange not at all: the former is reported.
pub fn traffic_pattern(processors: u32, messages: &[Message]) -> TrafficPattern {
    let most = messages.iter().map(|message| message.bytes.get()).max().unwrap_or(0);
    if most == 0 {
        return TrafficPattern::Empty;
    }
    let matters: Vec<&Message> = messages
        .iter()
        .filter(|message| message.bytes.as_f64() >= MIN_SHARE * most as f64)
        .collect();
    let least = matters.iter().map(|message| message.bytes.get()).min().unwrap_or(0);
    let equal = most as f64 <= MAX_RATIO * least as f64;
    let p = processors as usize;
    let (mut sends, mut receives) = (vec![0u32; p], vec![0u32; p]);
    for message in &matters {
        let (Some(sent), Some(received)) =
            (sends.get_mut(message.from as usize), receives.get_mut(message.to as usize))
        else {
            return TrafficPattern::Random;
        };
        *sent += 1;
        *received += 1;
    }
    let senders = sends.iter().filter(|&&count| count > 0).count();
    let receivers = receives.iter().filter(|&&count| count > 0).count();
    let ring = sends.iter().chain(&receives).all(|&count| count <= 1);
    match (senders, receivers) {
        // One message is a shift where more than two could send; with two, one is the other.
        (1, 1) if p > 2 => TrafficPattern::Shift,
        (1, to) if to + 1 == p && equal => TrafficPattern::Broadcast,
        (1, _) => TrafficPattern::Scatter,
        (_, 1) => TrafficPattern::Gather,
        _ if ring => TrafficPattern::Shift,
        _ if matters.len() == p * (p - 1) && equal => TrafficPattern::TotalExchange,
        _ => TrafficPattern::Random,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern_of(p: u32, bytes: impl Fn(u32, u32) -> u64) -> TrafficPattern {
        let pairs = (0..p).flat_map(|from| (0..p).map(move |to| (from, to)));
        let all: Vec<Message> = pairs
            .filter(|(from, to)| from != to)
            .map(|(from, to)| Message { from, to, bytes: Bytes(bytes(from, to)) })
            .filter(|message| message.bytes.get() > 0)
            .collect();
        traffic_pattern(p, &all)
    }

    #[test]
    fn patterns_are_recognised_from_traffic() {
        for p in [3, 4, 8, 17] {
            assert_eq!(pattern_of(p, |_, _| 0), TrafficPattern::Empty);
            assert_eq!(
                pattern_of(p, |i, j| u64::from((i + 1) % p == j) * 100),
                TrafficPattern::Shift
            );
            assert_eq!(
                pattern_of(p, |i, j| u64::from(i ^ 1 == j) * 100),
                TrafficPattern::Shift,
                "pairs that swap"
            );
            assert_eq!(
                pattern_of(p, |i, j| u64::from(i + 1 == j) * 100),
                TrafficPattern::Shift,
                "an open chain"
            );
            assert_eq!(
                pattern_of(p, |i, j| u64::from((i, j) == (0, 2)) * 8),
                TrafficPattern::Shift
            );
            assert_eq!(pattern_of(p, |_, _| 64), TrafficPattern::TotalExchange);
            assert_eq!(
                pattern_of(p, |i, j| 64 + u64::from(i * j % 7)),
                TrafficPattern::TotalExchange
            );
            assert_eq!(pattern_of(p, |i, _| u64::from(i == 1) * 64), TrafficPattern::Broadcast);
            assert_eq!(
                pattern_of(p, |i, j| u64::from(i == 1) * 64 * u64::from(j + 1)),
                TrafficPattern::Scatter
            );
            assert_eq!(
                pattern_of(p, |i, j| u64::from(i == 0 && j < p - 1) * 64 * u64::from(j)),
                match p {
                    3 => TrafficPattern::Shift,
                    _ => TrafficPattern::Scatter,
                }
            );
            assert_eq!(pattern_of(p, |_, j| u64::from(j == p - 1) * 64), TrafficPattern::Gather);
            let lumps = pattern_of(p, |i, j| {
                1000 * u64::from((i + 1) % p == j) + 64 * u64::from(i * j % 3)
            });
            assert_eq!(lumps, TrafficPattern::Random);
        }
    }

    #[test]
    fn what_is_sent_along_does_not_count() {
        let with_lengths = pattern_of(8, |i, j| if (i + 3) % 8 == j { 1_000_000 } else { 8 });
        assert_eq!(with_lengths, TrafficPattern::Shift);
    }

    #[test]
    fn of_two_processors() {
        assert_eq!(pattern_of(2, |_, _| 10), TrafficPattern::Shift);
        assert_eq!(pattern_of(2, |i, _| u64::from(i == 0) * 10), TrafficPattern::Broadcast);
        assert_eq!(pattern_of(1, |_, _| 10), TrafficPattern::Empty);
    }
}
