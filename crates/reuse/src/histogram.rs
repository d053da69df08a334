//! How often each reuse distance occurs.

/// Bins in each octave: distances in one differ by less than 5 %.
const FINE: usize = 16;

/// Numbers of accesses by reuse distance, in lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    bins: Vec<(u64, f64)>,
    /// All of them.
    pub number: u64,
}

/// Accesses with almost equal distances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// Number of the bin; neighbours differ by one.
    pub index: usize,
    /// How many.
    pub number: u64,
    /// Their mean distance, lines.
    pub distance: f64,
}

impl Histogram {
    /// Counts accesses at a distance.
    pub fn add(&mut self, distance: f64, number: u64) {
        let index = index(distance);
        if self.bins.len() <= index {
            self.bins.resize(index + 1, (0, 0.0));
        }
        self.bins[index].0 += number;
        self.bins[index].1 += distance * number as f64;
        self.number += number;
    }

    /// Counts all of another one.
    pub fn merge(&mut self, other: &Histogram) {
        for (index, (number, sum)) in other.bins.iter().enumerate() {
            if *number > 0 {
                if self.bins.len() <= index {
                    self.bins.resize(index + 1, (0, 0.0));
                }
                self.bins[index].0 += number;
                self.bins[index].1 += sum;
            }
        }
        self.number += other.number;
    }

    /// Returns the bins that are not empty, in ascending order.
    pub fn bins(&self) -> impl DoubleEndedIterator<Item = Bin> {
        let occupied = self.bins.iter().enumerate().filter(|(_, (number, _))| *number > 0);
        occupied.map(|(index, (number, sum))| Bin {
            index,
            number: *number,
            distance: sum / *number as f64,
        })
    }

    /// How many are at this distance or beyond, as an estimate within a bin.
    pub fn beyond(&self, distance: f64) -> f64 {
        let bin_index = index(distance);
        let (low, high) = (lower(bin_index), lower(bin_index + 1));
        let inside = |bin: &Bin| match bin.index == bin_index {
            // The bin's accesses lie at their mean, or are spread if that is in doubt.
            true if (bin.distance - distance).abs() > 0.25 * (high - low) => {
                f64::from(bin.distance >= distance)
            }
            true => 0.5,
            false => 1.0,
        };
        self.bins()
            .filter(|bin| bin.index >= bin_index)
            .map(|bin| bin.number as f64 * inside(&bin))
            .sum()
    }

    /// The distance that this many accesses reach or exceed; `None` if there are fewer.
    pub fn reached_by(&self, number: f64) -> Option<f64> {
        let mut sum = 0.0;
        for bin in self.bins().rev() {
            sum += bin.number as f64;
            if sum >= number {
                return Some(bin.distance);
            }
        }
        None
    }
}

/// The bin of a distance.
fn index(distance: f64) -> usize {
    (distance.max(1.0).log2() * FINE as f64).floor() as usize
}

/// Where a bin begins.
fn lower(index: usize) -> f64 {
    (index as f64 / FINE as f64).exp2()
}

/// How many bins the ratio of two distances spans.
pub(crate) fn bins_of_ratio(ratio: f64) -> usize {
    (ratio.log2() * FINE as f64).round() as usize
}
