use crate::observable::MISSING;

/// Exclusive times of one thread's samples, from their order and depth.
///
/// A sample is written when its region ends, so the samples of the regions inside come before it,
/// deeper by one (or more, if the region between was not recorded). Samples whose parent has not
/// come yet are on a stack of non-decreasing depth.
#[derive(Debug, Default)]
pub(crate) struct ExclusiveTimes {
    waiting: Vec<Waiting>,
    /// Samples that ended before this tick are missing, if some are.
    gap: Option<u64>,
    observed: Observed,
    /// When the clock was set back, ascending, and by how much in total up to then.
    pauses: Vec<(u64, i64)>,
}

/// The observables of the last sample.
#[derive(Debug, Default)]
struct Observed {
    /// Inclusive.
    all: Vec<f64>,
    /// Exclusive.
    own: Vec<f64>,
    /// Those of the regions inside.
    inside: Vec<f64>,
}

/// Finished regions of one depth within one parent.
#[derive(Debug)]
struct Waiting {
    depth: u32,
    first_start: u64,
    ticks: i64,
    /// Their observables; empty if neither they nor regions inside were counted.
    observed: Vec<f64>,
    /// Whether the next region of this depth has the same parent: no samples were lost since.
    joined: bool,
}

/// The result of [`ExclusiveTimes::close`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exclusive {
    /// Inclusive ticks without those of the recorded regions inside.
    pub ticks: i64,
    /// Whether no sample inside is missing because of lost blocks.
    pub certain: bool,
}

impl ExclusiveTimes {
    /// Samples were lost here; all of them ended before `until`.
    pub fn lose(&mut self, until: u64) {
        self.waiting.iter_mut().for_each(|waiting| waiting.joined = false);
        self.gap = Some(self.gap.map_or(until, |gap| gap.max(until)));
    }

    /// The clock was set back by this many ticks; they count for no region that began before.
    pub fn pause(&mut self, time: u64, ticks: i64) {
        let before = self.pauses.last().map_or(0, |last| last.1);
        self.pauses.push((time, before.wrapping_add(ticks)));
    }

    /// The end of a region that began at `start`, without the pauses.
    #[inline]
    pub fn without_pauses(&self, start: u64, end: u64) -> u64 {
        let Some(&(_, all)) = self.pauses.last() else { return end };
        let before = self.pauses.partition_point(|pause| pause.0 < start);
        let earlier = before.checked_sub(1).map_or(0, |last| self.pauses[last].1);
        end.wrapping_sub(all.wrapping_sub(earlier) as u64)
    }

    /// The observables of the last sample, raw.
    pub fn observed(&self) -> &[f64] {
        &self.observed.all
    }

    /// The same, exclusive.
    pub fn observed_exclusive(&self) -> &[f64] {
        &self.observed.own
    }

    /// Adds the next sample of the thread; `observed` are little-endian `u64`s.
    #[inline]
    pub fn close(&mut self, start: u64, end: u64, depth: u32, observed: &[u8]) -> Exclusive {
        let inclusive = end.wrapping_sub(start) as i64;
        let mut inside = 0i64;
        self.observed.inside.clear();
        while let Some(waiting) = self.waiting.pop_if(|waiting| waiting.depth > depth) {
            // What began earlier belongs to a region whose own sample is lost.
            if waiting.first_start >= start {
                inside = inside.wrapping_add(waiting.ticks);
                add(&mut self.observed.inside, &waiting.observed);
            }
        }
        self.observed.set(observed);
        if depth > 0 {
            let contained = self.observed.contained();
            match self.waiting.last_mut() {
                Some(last) if last.depth == depth && last.joined => {
                    last.ticks = last.ticks.wrapping_add(inclusive);
                    add(&mut last.observed, contained);
                }
                _ => self.waiting.push(Waiting {
                    depth,
                    first_start: start,
                    ticks: inclusive,
                    observed: contained.to_vec(),
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

impl Observed {
    #[inline]
    fn set(&mut self, observed: &[u8]) {
        self.all.clear();
        self.own.clear();
        if observed.is_empty() {
            return;
        }
        let (words, _) = observed.as_chunks();
        self.all.extend(words.iter().map(|word| match u64::from_le_bytes(*word) {
            MISSING => f64::NAN,
            value => value as f64,
        }));
        let inside = self.inside.iter().chain(std::iter::repeat(&0.0));
        self.own.extend(self.all.iter().zip(inside).map(|(all, inside)| all - inside));
    }

    /// Returns the contribution to the region around it: its own observables, or those of the regions inside if it
    /// was not counted itself.
    fn contained(&self) -> &[f64] {
        if self.all.is_empty() { &self.inside } else { &self.all }
    }
}

fn add(sum: &mut Vec<f64>, more: &[f64]) {
    if sum.len() < more.len() {
        sum.resize(more.len(), 0.0);
    }
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(exclusive_times: &mut ExclusiveTimes, samples: &[(u64, u64, u32)]) -> Vec<(i64, bool)> {
        let close = |&(start, end, depth)| exclusive_times.close(start, end, depth, &[]);
        samples.iter().map(close).map(|exclusive| (exclusive.ticks, exclusive.certain)).collect()
    }

    #[test]
    fn children_and_grandchildren_count_once() {
        let times = run(
            &mut ExclusiveTimes::default(),
            &[(20, 30, 2), (40, 45, 2), (10, 50, 1), (60, 70, 1), (0, 100, 0), (100, 110, 0)],
        );
        assert_eq!(times.map_ticks(), [10, 5, 25, 10, 50, 10]);
    }

    #[test]
    fn pauses_count_for_the_regions_around_them_alone() {
        let mut exclusive_times = ExclusiveTimes::default();
        let close = |exclusive_times: &mut ExclusiveTimes, start, end, depth| {
            let end = exclusive_times.without_pauses(start, end);
            (end.wrapping_sub(start) as i64, exclusive_times.close(start, end, depth, &[]).ticks)
        };
        assert_eq!(close(&mut exclusive_times, 0, 10, 1), (10, 10));
        exclusive_times.pause(20, 500);
        assert_eq!(close(&mut exclusive_times, 15, 530, 1), (15, 15));
        assert_eq!(close(&mut exclusive_times, 540, 550, 1), (10, 10));
        exclusive_times.pause(560, -40);
        assert_eq!(close(&mut exclusive_times, 0, 600, 0), (140, 105));
        assert_eq!(close(&mut exclusive_times, 600, 620, 0), (20, 20));
    }

    #[test]
    fn a_region_between_that_is_not_recorded_does_not_hide_its_children() {
        let times = run(&mut ExclusiveTimes::default(), &[(20, 30, 2), (0, 100, 0)]);
        assert_eq!(times.map_ticks(), [10, 90]);
    }

    #[test]
    fn after_a_loss_children_go_to_the_parent_that_encloses_them() {
        let mut exclusive_times = ExclusiveTimes::default();
        assert_eq!(
            run(&mut exclusive_times, &[(10, 20, 1), (30, 40, 1)]),
            [(10, true), (10, true)]
        );
        exclusive_times.lose(200); // the parent of both was lost, and the start of the next
        assert_eq!(
            run(
                &mut exclusive_times,
                &[(210, 220, 1), (150, 300, 0), (310, 320, 1), (305, 330, 0)]
            ),
            [(10, true), (140, false), (10, true), (15, true)]
        );
    }

    #[test]
    fn a_parent_around_the_loss_keeps_what_is_known_of_both_sides() {
        let mut exclusive_times = ExclusiveTimes::default();
        run(&mut exclusive_times, &[(10, 20, 1)]);
        exclusive_times.lose(50);
        assert_eq!(
            run(&mut exclusive_times, &[(60, 70, 1), (0, 100, 0)]),
            [(10, true), (80, false)]
        );
    }

    #[test]
    fn observables_of_regions_that_were_not_counted_go_outwards() {
        let mut exclusive_times = ExclusiveTimes::default();
        let mut close = |start, end, depth, observed: &[u64]| {
            let bytes: Vec<u8> = observed.iter().flat_map(|word| word.to_le_bytes()).collect();
            exclusive_times.close(start, end, depth, &bytes);
            (exclusive_times.observed().to_vec(), exclusive_times.observed_exclusive().to_vec())
        };
        assert_eq!(close(20, 30, 2, &[5, 1]), (vec![5.0, 1.0], vec![5.0, 1.0]));
        assert_eq!(close(10, 40, 1, &[]), (vec![], vec![]));
        assert_eq!(close(50, 60, 1, &[7, 2]), (vec![7.0, 2.0], vec![7.0, 2.0]));
        assert_eq!(close(0, 100, 0, &[20, 3]), (vec![20.0, 3.0], vec![8.0, 0.0]));
        // A missing value makes that of the region around it missing, and no other.
        close(110, 120, 1, &[MISSING, 4]);
        let (all, own) = close(105, 130, 0, &[9, 9]);
        assert_eq!((all, own[0].is_nan(), own[1]), (vec![9.0, 9.0], true, 5.0));
        assert_eq!(close(140, 150, 0, &[1, 1]), (vec![1.0, 1.0], vec![1.0, 1.0]));
    }

    #[test]
    fn a_clock_that_goes_back_gives_negative_times_and_no_panic() {
        let times =
            run(&mut ExclusiveTimes::default(), &[(20, 10, 0), (u64::MAX, 4, 0), (0, u64::MAX, 1)]);
        assert_eq!(times.map_ticks(), [-10, 5, -1]);
    }

    trait Ticks {
        fn map_ticks(&self) -> Vec<i64>;
    }
    impl Ticks for Vec<(i64, bool)> {
        fn map_ticks(&self) -> Vec<i64> {
            self.iter().map(|pair| pair.0).collect()
        }
    }
}
