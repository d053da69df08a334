//! Sets of addresses: ranges in ascending order that do not touch.

pub(super) type Range = (usize, usize);

/// Ranges in ascending order, as few as possible.
pub(super) fn joined(ranges: impl Iterator<Item = Range>) -> Vec<Range> {
    let mut all: Vec<Range> = Vec::new();
    for (begin, end) in ranges {
        match all.last_mut() {
            Some(last) if begin <= last.1 => last.1 = last.1.max(end),
            _ => all.push((begin, end)),
        }
    }
    all
}

/// Returns the ranges that are in one of the two lists or in both.
pub(super) fn union(ranges: &[Range], other: &[Range]) -> Vec<Range> {
    let mut all = [ranges, other].concat();
    all.sort_unstable();
    joined(all.into_iter())
}

/// Returns the ranges that are in both lists.
pub(super) fn intersection(ranges: &[Range], other: &[Range]) -> Vec<Range> {
    let (mut all, mut index) = (Vec::new(), 0);
    for &(begin, end) in ranges {
        while other.get(index).is_some_and(|range| range.1 <= begin) {
            index += 1;
        }
        let inside = other[index..].iter().take_while(|range| range.0 < end);
        all.extend(inside.map(|range| (range.0.max(begin), range.1.min(end))));
    }
    all
}

/// Returns the ranges that are in `all` and not in `part`.
pub(super) fn difference(all: &[Range], part: &[Range]) -> Vec<Range> {
    let mut left = Vec::new();
    let mut index = 0;
    for &(mut begin, end) in all {
        while part.get(index).is_some_and(|range| range.1 <= begin) {
            index += 1;
        }
        for &(from, to) in part[index..].iter().take_while(|range| range.0 < end) {
            if from > begin {
                left.push((begin, from));
            }
            begin = begin.max(to);
        }
        if begin < end {
            left.push((begin, end));
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Range; 3] = [(0, 10), (20, 30), (40, 50)];
    const PART: [Range; 4] = [(2, 4), (8, 22), (25, 26), (60, 70)];

    #[test]
    fn sets_of_addresses() {
        assert_eq!(difference(&ALL, &PART), [(0, 2), (4, 8), (22, 25), (26, 30), (40, 50)]);
        assert_eq!(difference(&ALL, &[]), ALL);
        assert_eq!(difference(&ALL, &[(5, 45)]), [(0, 5), (45, 50)]);
        assert_eq!(intersection(&ALL, &PART), [(2, 4), (8, 10), (20, 22), (25, 26)]);
        assert_eq!(intersection(&PART, &ALL), intersection(&ALL, &PART));
        assert_eq!(union(&ALL, &PART), [(0, 30), (40, 50), (60, 70)]);
        assert_eq!(union(&[], &ALL), ALL);
    }
}
