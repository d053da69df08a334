//! Ω: the processors that send to a processor. If there is a rule for them, it is stored instead of a list.

use std::sync::Arc;

/// Which processors send to which in an oblivious superstep. A processor is always its own partner.
#[derive(Clone, Debug, PartialEq)]
pub enum Partners {
    /// None.
    None,
    /// All to all.
    All,
    /// Processor `i - by` (round the ring) sends to `i`.
    Shift(u32),
    /// Processor `i xor mask` sends to `i`, if it exists.
    Exchange(u32),
    /// A step of a binary tree from the root outwards: `i - distance` sends to `i`, for `i` in
    /// `distance..2·distance`.
    Outwards(u32),
    /// A step of a binary tree towards the root: `i + distance` sends to `i`, for `i` below `distance`.
    Inwards(u32),
    /// One sends to all others.
    From(u32),
    /// All others send to one.
    To(u32),
    /// Any other: a list for each processor.
    Sets(Arc<Sets>),
}

/// Lists of senders, one for each processor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sets {
    /// Where each processor's list begins in `senders`, and the end of the last.
    starts: Vec<u32>,
    senders: Vec<u32>,
}

impl Sets {
    /// Makes the partners from a list of senders for each processor.
    pub fn new<L: IntoIterator<Item = u32>>(lists: impl IntoIterator<Item = L>) -> Sets {
        let mut sets = Sets { starts: vec![0], senders: Vec::new() };
        for list in lists {
            sets.senders.extend(list);
            sets.starts.push(sets.senders.len() as u32);
        }
        sets
    }

    /// The senders to a processor.
    pub fn senders(&self, processor: usize) -> &[u32] {
        &self.senders[self.starts[processor] as usize..self.starts[processor + 1] as usize]
    }

    /// How many processors have a list.
    pub fn processors(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }
}

impl Partners {
    pub(crate) fn len(&self) -> Option<usize> {
        match self {
            Partners::Sets(sets) => Some(sets.processors()),
            _ => None,
        }
    }

    /// The highest processor that is named.
    pub(crate) fn highest(&self) -> Option<u32> {
        match self {
            Partners::From(root) | Partners::To(root) => Some(*root),
            Partners::Sets(sets) => sets.senders.iter().copied().max(),
            _ => None,
        }
    }

    /// The senders to a processor, of so many; a rule names at most one unless all send.
    pub fn senders(&self, processor: u32, processors: u32, mut each: impl FnMut(u32)) {
        let valid_sender = |sender: Option<u32>| {
            sender.filter(|&number| number != processor && number < processors)
        };
        let number = match self {
            Partners::None => None,
            Partners::All => return (0..processors).filter(|&j| j != processor).for_each(each),
            Partners::Shift(by) => {
                let by = by % processors;
                valid_sender(Some(
                    (u64::from(processor) + u64::from(processors - by)) as u32 % processors,
                ))
            }
            Partners::Exchange(mask) => valid_sender(Some(processor ^ mask)),
            Partners::Outwards(distance) => {
                let below = processor.checked_sub(*distance);
                valid_sender(below.filter(|below| below < distance))
            }
            Partners::Inwards(distance) => {
                valid_sender(processor.checked_add(*distance).filter(|_| processor < *distance))
            }
            Partners::From(root) => valid_sender(Some(*root)),
            Partners::To(root) if processor == *root => {
                return (0..processors).filter(|&j| j != processor).for_each(each);
            }
            Partners::To(_) => None,
            Partners::Sets(sets) => {
                let senders = sets.senders(processor as usize).iter().copied();
                return senders.filter(|&j| j != processor).for_each(each);
            }
        };
        number.into_iter().for_each(&mut each);
    }

    /// For each processor the largest of the values of its partners, itself among them; `out` is as
    /// long as `values`. Linear in processors and, for lists, in their length.
    pub(crate) fn maxima(&self, values: &[f64], out: &mut [f64]) {
        let n = values.len();
        match self {
            Partners::All => out.fill(largest(values)),
            Partners::Shift(by) => {
                let by = *by as usize % n;
                let (low, high) = out.split_at_mut(by);
                pairs(low, &values[..by], &values[n - by..]);
                pairs(high, &values[by..], &values[..n - by]);
            }
            Partners::Exchange(mask) => {
                let mask = *mask as usize;
                for (i, place) in out.iter_mut().enumerate() {
                    let other = i ^ mask;
                    *place = if other < n { larger(values[i], values[other]) } else { values[i] };
                }
            }
            Partners::Outwards(distance) => {
                out.copy_from_slice(values);
                let (from, to) =
                    (*distance as usize, (*distance as usize).saturating_mul(2).min(n));
                if from < to {
                    pairs(&mut out[from..to], &values[from..to], &values[..to - from]);
                }
            }
            Partners::Inwards(distance) => {
                out.copy_from_slice(values);
                let from = *distance as usize;
                if from < n {
                    let count = from.min(n - from);
                    pairs(&mut out[..count], &values[..count], &values[from..from + count]);
                }
            }
            Partners::From(root) => {
                let root = values[*root as usize];
                out.iter_mut().zip(values).for_each(|(place, value)| *place = larger(*value, root));
            }
            Partners::To(root) => {
                out.copy_from_slice(values);
                out[*root as usize] = largest(values);
            }
            Partners::None => out.copy_from_slice(values),
            Partners::Sets(sets) => {
                for (i, place) in out.iter_mut().enumerate() {
                    let senders = sets.senders(i).iter();
                    *place = senders.fold(values[i], |most, &j| larger(most, values[j as usize]));
                }
            }
        }
    }

    /// The partner with the largest value. If several have it: the processor itself if it is one of them, else the one
    /// with the lowest number.
    pub(crate) fn decider(&self, processor: u32, values: &[f64]) -> u32 {
        let mut pair = (values[processor as usize], processor);
        self.senders(processor, values.len() as u32, |sender| {
            if values[sender as usize] > pair.0 {
                pair = (values[sender as usize], sender);
            }
        });
        pair.1
    }
}

/// Without the rules for NaN, which does not occur here. They would prevent vector instructions in loops.
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The largest of all values; there is at least one.
pub(crate) fn largest(values: &[f64]) -> f64 {
    // Eight at a time: a chain of single maxima would wait for the result of each.
    let mut lanes = [f64::NEG_INFINITY; 8];
    let (eights, rest) = values.as_chunks::<8>();
    for eight in eights {
        lanes.iter_mut().zip(eight).for_each(|(lane, value)| *lane = larger(*lane, *value));
    }
    lanes.iter().chain(rest).fold(f64::NEG_INFINITY, |most, value| larger(most, *value))
}

fn pairs(out: &mut [f64], values: &[f64], other: &[f64]) {
    for ((place, a), b) in out.iter_mut().zip(values).zip(other) {
        *place = larger(*a, *b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Partners> {
        let lists = (0..13u32).map(|i| (0..13).filter(move |j| (i * j) % 3 == 1));
        vec![
            Partners::None,
            Partners::All,
            Partners::Shift(0),
            Partners::Shift(5),
            Partners::Shift(18),
            Partners::Exchange(4),
            Partners::Exchange(8),
            Partners::Outwards(1),
            Partners::Outwards(8),
            Partners::Outwards(16),
            Partners::Inwards(8),
            Partners::Inwards(4),
            Partners::Inwards(16),
            Partners::From(7),
            Partners::To(7),
            Partners::Sets(Arc::new(Sets::new(lists))),
        ]
    }

    #[test]
    fn maxima_are_those_over_the_senders() {
        let values: Vec<f64> = (0..13).map(|i| f64::from((i * 7 + 3) % 13)).collect();
        for partners in all() {
            let mut out = vec![0.0; 13];
            partners.maxima(&values, &mut out);
            for i in 0..13u32 {
                let mut most = values[i as usize];
                partners.senders(i, 13, |j| most = most.max(values[j as usize]));
                assert_eq!(out[i as usize], most, "{partners:?}, processor {i}");
                assert_eq!(values[partners.decider(i, &values) as usize], most);
            }
        }
    }

    #[test]
    fn the_senders_of_rules() {
        let senders_of = |partners: &Partners, i| {
            let mut numbers = Vec::new();
            partners.senders(i, 8, |j| numbers.push(j));
            numbers
        };
        assert_eq!(senders_of(&Partners::Shift(3), 1), [6]);
        assert_eq!(senders_of(&Partners::Exchange(2), 5), [7]);
        assert_eq!(senders_of(&Partners::Outwards(2), 3), [1]);
        assert!(senders_of(&Partners::Outwards(2), 5).is_empty());
        assert_eq!(senders_of(&Partners::Inwards(4), 3), [7]);
        assert_eq!(senders_of(&Partners::To(2), 2), [0, 1, 3, 4, 5, 6, 7]);
        assert!(senders_of(&Partners::To(2), 3).is_empty());
    }
}
