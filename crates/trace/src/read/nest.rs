/// Exclusive times of one thread's samples, from their order and depth.
///
/// A sample is written when its region ends, so the samples of the regions
/// inside it come before it, deeper by one or more (more where the region
/// between was not recorded). What waits for its parent lies on a stack of
/// non-decreasing depth.
#[derive(Debug, Default)]
pub(crate) struct Nest {
    waiting: Vec<Waiting>,
    /// Ticks up to which samples are missing, if some are.
    gap: Option<u64>,
}

/// Finished regions of one depth within one parent.
#[derive(Debug)]
struct Waiting {
    depth: u32,
    first_start: u64,
    ticks: i64,
    /// No samples were lost since: the next of this depth has the same parent.
    joined: bool,
}

/// What [`Nest::close`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exclusive {
    /// Inclusive ticks without those of the recorded regions inside.
    pub ticks: i64,
    /// Whether no sample inside can be missing because blocks are.
    pub certain: bool,
}

impl Nest {
    /// Samples were lost here; all of them ended before `until`.
    pub fn lose(&mut self, until: u64) {
        self.waiting.iter_mut().for_each(|waiting| waiting.joined = false);
        self.gap = Some(self.gap.map_or(until, |gap| gap.max(until)));
    }

    /// Takes the next sample of the thread.
    #[inline]
    pub fn close(&mut self, start: u64, end: u64, depth: u32) -> Exclusive {
        let inclusive = end.wrapping_sub(start) as i64;
        let mut inside = 0i64;
        while let Some(waiting) = self.waiting.pop_if(|waiting| waiting.depth > depth) {
            // What began earlier belongs to a region whose own sample is lost.
            if waiting.first_start >= start {
                inside = inside.wrapping_add(waiting.ticks);
            }
        }
        if depth > 0 {
            match self.waiting.last_mut() {
                Some(last) if last.depth == depth && last.joined => {
                    last.ticks = last.ticks.wrapping_add(inclusive);
                }
                _ => self.waiting.push(Waiting {
                    depth,
                    first_start: start,
                    ticks: inclusive,
                    joined: true,
                }),
            }
        }
        Exclusive {
            ticks: inclusive.wrapping_sub(inside),
            certain: self.gap.is_none_or(|until| start >= until),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(nest: &mut Nest, samples: &[(u64, u64, u32)]) -> Vec<(i64, bool)> {
        let close = |&(start, end, depth)| nest.close(start, end, depth);
        samples.iter().map(close).map(|found| (found.ticks, found.certain)).collect()
    }

    #[test]
    fn children_and_grandchildren_count_once() {
        let found = run(
            &mut Nest::default(),
            &[(20, 30, 2), (40, 45, 2), (10, 50, 1), (60, 70, 1), (0, 100, 0), (100, 110, 0)],
        );
        assert_eq!(found.map_ticks(), [10, 5, 25, 10, 50, 10]);
    }

    #[test]
    fn a_region_between_that_is_not_recorded_does_not_hide_its_children() {
        let found = run(&mut Nest::default(), &[(20, 30, 2), (0, 100, 0)]);
        assert_eq!(found.map_ticks(), [10, 90]);
    }

    #[test]
    fn after_a_loss_children_go_to_the_parent_that_encloses_them() {
        let mut nest = Nest::default();
        assert_eq!(run(&mut nest, &[(10, 20, 1), (30, 40, 1)]), [(10, true), (10, true)]);
        nest.lose(200); // the parent of both was lost, and the start of the next
        assert_eq!(
            run(&mut nest, &[(210, 220, 1), (150, 300, 0), (310, 320, 1), (305, 330, 0)]),
            [(10, true), (140, false), (10, true), (15, true)]
        );
    }

    #[test]
    fn a_parent_around_the_loss_keeps_what_is_known_of_both_sides() {
        let mut nest = Nest::default();
        run(&mut nest, &[(10, 20, 1)]);
        nest.lose(50);
        assert_eq!(run(&mut nest, &[(60, 70, 1), (0, 100, 0)]), [(10, true), (80, false)]);
    }

    #[test]
    fn a_clock_that_goes_back_gives_negative_times_and_no_panic() {
        let found = run(&mut Nest::default(), &[(20, 10, 0), (u64::MAX, 4, 0), (0, u64::MAX, 1)]);
        assert_eq!(found.map_ticks(), [-10, 5, -1]);
    }

    trait Ticks {
        fn map_ticks(&self) -> Vec<i64>;
    }
    impl Ticks for Vec<(i64, bool)> {
        fn map_ticks(&self) -> Vec<i64> {
            self.iter().map(|found| found.0).collect()
        }
    }
}
