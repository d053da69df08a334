//! Who sends to whom in a superstep, told from its traffic.

use cll_units::Bytes;

use crate::program::Shape;

/// Bytes from a processor to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who sends.
    pub from: u32,
    /// Who receives.
    pub to: u32,
    /// Its size.
    pub bytes: Bytes,
}

/// What is below this share of the largest message says nothing of the pattern: a length that is sent along.
const MATTERS: f64 = 0.01;
/// Messages that differ by no more than this factor are alike.
const ALIKE: f64 = 2.0;

/// The pattern of a superstep, from all that is sent in it: one entry for each pair of processors, none from
/// a processor to itself.
///
/// One superstep of a broadcast and of a scatter differ only in whether the parts are equal, and with two processors
/// a shift and a total exchange not at all: the former is said.
pub fn shape(processors: u32, messages: &[Message]) -> Shape {
    let most = messages.iter().map(|one| one.bytes.get()).max().unwrap_or(0);
    if most == 0 {
        return Shape::Empty;
    }
    let matters: Vec<&Message> =
        messages.iter().filter(|one| one.bytes.as_f64() >= MATTERS * most as f64).collect();
    let least = matters.iter().map(|one| one.bytes.get()).min().unwrap_or(0);
    let alike = most as f64 <= ALIKE * least as f64;
    let p = processors as usize;
    let (mut sends, mut receives) = (vec![0u32; p], vec![0u32; p]);
    for one in &matters {
        let (Some(sent), Some(received)) =
            (sends.get_mut(one.from as usize), receives.get_mut(one.to as usize))
        else {
            return Shape::Random;
        };
        *sent += 1;
        *received += 1;
    }
    let senders = sends.iter().filter(|&&count| count > 0).count();
    let receivers = receives.iter().filter(|&&count| count > 0).count();
    let ring = sends.iter().chain(&receives).all(|&count| count <= 1);
    match (senders, receivers) {
        // One message is a shift where more than two could send; of two, one tells the other.
        (1, 1) if p > 2 => Shape::Shift,
        (1, to) if to + 1 == p && alike => Shape::Broadcast,
        (1, _) => Shape::Scatter,
        (_, 1) => Shape::Gather,
        _ if ring => Shape::Shift,
        _ if matters.len() == p * (p - 1) && alike => Shape::TotalExchange,
        _ => Shape::Random,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(p: u32, bytes: impl Fn(u32, u32) -> u64) -> Shape {
        let pairs = (0..p).flat_map(|from| (0..p).map(move |to| (from, to)));
        let all: Vec<Message> = pairs
            .filter(|(from, to)| from != to)
            .map(|(from, to)| Message { from, to, bytes: Bytes(bytes(from, to)) })
            .filter(|one| one.bytes.get() > 0)
            .collect();
        shape(p, &all)
    }

    #[test]
    fn patterns_are_told_from_traffic() {
        for p in [3, 4, 8, 17] {
            assert_eq!(of(p, |_, _| 0), Shape::Empty);
            assert_eq!(of(p, |i, j| u64::from((i + 1) % p == j) * 100), Shape::Shift);
            assert_eq!(of(p, |i, j| u64::from(i ^ 1 == j) * 100), Shape::Shift, "pairs that swap");
            assert_eq!(of(p, |i, j| u64::from(i + 1 == j) * 100), Shape::Shift, "an open chain");
            assert_eq!(of(p, |i, j| u64::from((i, j) == (0, 2)) * 8), Shape::Shift);
            assert_eq!(of(p, |_, _| 64), Shape::TotalExchange);
            assert_eq!(of(p, |i, j| 64 + u64::from(i * j % 7)), Shape::TotalExchange);
            assert_eq!(of(p, |i, _| u64::from(i == 1) * 64), Shape::Broadcast);
            assert_eq!(of(p, |i, j| u64::from(i == 1) * 64 * u64::from(j + 1)), Shape::Scatter);
            assert_eq!(
                of(p, |i, j| u64::from(i == 0 && j < p - 1) * 64 * u64::from(j)),
                match p {
                    3 => Shape::Shift,
                    _ => Shape::Scatter,
                }
            );
            assert_eq!(of(p, |_, j| u64::from(j == p - 1) * 64), Shape::Gather);
            let lumps =
                of(p, |i, j| 1000 * u64::from((i + 1) % p == j) + 64 * u64::from(i * j % 3));
            assert_eq!(lumps, Shape::Random);
        }
    }

    #[test]
    fn what_is_sent_along_does_not_count() {
        let with_lengths = of(8, |i, j| if (i + 3) % 8 == j { 1_000_000 } else { 8 });
        assert_eq!(with_lengths, Shape::Shift);
    }

    #[test]
    fn of_two_processors() {
        assert_eq!(of(2, |_, _| 10), Shape::Shift);
        assert_eq!(of(2, |i, _| u64::from(i == 0) * 10), Shape::Broadcast);
        assert_eq!(of(1, |_, _| 10), Shape::Empty);
    }
}
