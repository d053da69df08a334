//! A number of processors as a grid: factors as close to each other as possible.

/// `count` as a product of `dimensions` numbers in decreasing order: those with the smallest difference between
/// the first and the last, and of these the ones with the smallest sum. `count` is at least 1.
pub(crate) fn balanced(count: u32, dimensions: usize) -> Vec<u32> {
    let mut search = Search { best: None, chosen: Vec::with_capacity(dimensions) };
    search.go_on(count, dimensions, count);
    search.best.map_or_else(Vec::new, |(_, best)| best)
}

struct Search {
    /// The best so far, with its difference and sum.
    best: Option<((u32, u64), Vec<u32>)>,
    /// The factors chosen so far, in decreasing order.
    chosen: Vec<u32>,
}

impl Search {
    /// Tries all ways to write `rest` as `missing` factors of at most `largest`.
    fn go_on(&mut self, rest: u32, missing: usize, largest: u32) {
        if missing == 1 {
            if rest <= largest {
                self.chosen.push(rest);
                self.compare();
                self.chosen.pop();
            }
            return;
        }
        for factor in divisors(rest).into_iter().filter(|&factor| factor <= largest) {
            // The others are not larger, so their product is at most this.
            if u64::from(factor).checked_pow(missing as u32).is_some_and(|most| most < rest.into())
            {
                continue;
            }
            self.chosen.push(factor);
            self.go_on(rest / factor, missing - 1, factor);
            self.chosen.pop();
        }
    }

    fn compare(&mut self) {
        let (Some(first), Some(last)) = (self.chosen.first(), self.chosen.last()) else { return };
        let sum = self.chosen.iter().copied().map(u64::from).sum();
        let judged = (first - last, sum);
        if self.best.as_ref().is_none_or(|(best, _)| judged < *best) {
            self.best = Some((judged, self.chosen.clone()));
        }
    }
}

fn divisors(number: u32) -> Vec<u32> {
    let small = (1..=number.isqrt()).filter(|factor| number.is_multiple_of(*factor));
    small
        .flat_map(|factor| [factor, number / factor])
        .filter({
            let mut last = 0;
            move |&factor| factor != std::mem::replace(&mut last, factor)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_as_close_as_possible() {
        for (count, dimensions, wanted) in [
            (1, 3, vec![1, 1, 1]),
            (7, 2, vec![7, 1]),
            (12, 2, vec![4, 3]),
            (16, 3, vec![4, 2, 2]),
            (24, 3, vec![4, 3, 2]),
            (36, 3, vec![4, 3, 3]),
            (64, 3, vec![4, 4, 4]),
            (16, 4, vec![2, 2, 2, 2]),
            (1_000_000, 2, vec![1000, 1000]),
            (5, 1, vec![5]),
        ] {
            assert_eq!(balanced(count, dimensions), wanted, "{count} in {dimensions}");
        }
    }

    #[test]
    fn factors_are_factors_in_decreasing_order() {
        for count in (1..2000).chain([999_983, 1_048_576, 720_720, u32::MAX]) {
            for dimensions in 1..=4 {
                let factors = balanced(count, dimensions);
                assert_eq!(factors.len(), dimensions, "{count}");
                assert!(factors.is_sorted_by(|a, b| a >= b), "{count}: {factors:?}");
                assert_eq!(factors.iter().product::<u32>(), count, "{factors:?}");
            }
        }
    }
}
