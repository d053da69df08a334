//! Two loops of known length that measure the speed of the processor.
//!
//! A *chain* of multiply-adds, each of which needs the result of the one before, depends on the clock rate only.
//! Eight independent chains fill the *width* of a core. If the other half of the core is busy (its hyperthread,
//! used by us or by another virtual machine) they are slower by a third to a factor of two, but the single chain
//! is not. So the quotient of the two shows whether the core is ours alone, at any clock rate.

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// Steps of the loops: about half a microsecond, and one microsecond.
const STEPS: u32 = 256;
/// Number of repetitions. The shortest one is used: the first has cold caches, and one may be interrupted.
const REPETITIONS: usize = 4;

/// One speed test of the processor on which the caller runs; about 6 µs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "(f64, f64)", into = "(f64, f64)")]
pub struct SpeedTest {
    /// Nanoseconds of a multiply-add.
    pub chain: f64,
    /// A step of the width's loop in units of that.
    pub width: f64,
}

impl SpeedTest {
    /// Tests the speed.
    pub fn run() -> SpeedTest {
        let chain = shortest(|| {
            black_box(chain(STEPS, black_box(0.999_9), black_box(1e-6)));
        });
        let width = shortest(|| {
            black_box(width(STEPS, black_box([1, 7, 23, 12])));
        });
        SpeedTest { chain, width: width / chain }
    }

    /// Repeats the test for about this time.
    pub fn repeat(count: usize) -> Vec<SpeedTest> {
        (0..count).map(|_| SpeedTest::run()).collect()
    }
}

impl From<(f64, f64)> for SpeedTest {
    fn from((chain, width): (f64, f64)) -> SpeedTest {
        SpeedTest { chain, width }
    }
}

impl From<SpeedTest> for (f64, f64) {
    fn from(test: SpeedTest) -> (f64, f64) {
        (test.chain, test.width)
    }
}

/// Nanoseconds of a step.
fn shortest(run: impl Fn()) -> f64 {
    shortest_of(|| {
        let begin = Instant::now();
        run();
        begin.elapsed()
    })
}

/// The same for a function that returns the time of its loop.
fn shortest_of(mut once: impl FnMut() -> Duration) -> f64 {
    let mut step = || once().as_nanos() as f64 / f64::from(STEPS);
    (0..REPETITIONS).map(|_| step()).fold(f64::INFINITY, f64::min).max(1e-3)
}

#[inline(never)]
fn chain(steps: u32, a: f64, b: f64) -> f64 {
    let mut x = a;
    for _ in 0..steps {
        x = x * a + b;
    }
    x
}

/// Neighbours compute different things at each step, so that the compiler neither folds the steps of a chain nor
/// puts several chains into one vector.
#[inline(never)]
fn width(rows: u32, [k, m, n, o]: [u64; 4]) -> [u64; 8] {
    let mut x = [k, k ^ 1, k ^ 2, k ^ 3, k ^ 4, k ^ 5, k ^ 6, k ^ 7];
    let [a, b, c, d, e, f, g, h] = &mut x;
    macro_rules! row {
        ($add:ident $mix:ident $take:ident $turn:ident, $add2:ident $mix2:ident $take2:ident $turn2:ident) => {
            *$add = $add.wrapping_add(k);
            *$mix ^= m;
            *$take = $take.wrapping_sub(n);
            *$turn ^= o;
            *$mix2 ^= m;
            *$take2 = $take2.wrapping_sub(n);
            *$turn2 ^= o;
            *$add2 = $add2.wrapping_add(k);
        };
    }
    for _ in 0..rows {
        row!(a b c d, h e f g);
        row!(d a b c, g h e f);
        row!(c d a b, f g h e);
        row!(b c d a, e f g h);
        row!(a b c d, h e f g);
        row!(d a b c, g h e f);
        row!(c d a b, f g h e);
        row!(b c d a, e f g h);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_loop_counts() {
        let mut times = [512, 256, 1 << 30, 1024].map(Duration::from_nanos).into_iter();
        assert_eq!(shortest_of(|| times.next().unwrap()), 1.0);
        assert_eq!(times.next(), None);
        assert_eq!(shortest_of(|| Duration::ZERO), 1e-3, "a clock that does not advance");
    }

    #[test]
    fn a_look_sees_work_that_was_not_folded_away() {
        let tests = SpeedTest::repeat(50);
        // Other programs can only make it longer, so there is no upper limit.
        let usual = |value_of: fn(&SpeedTest) -> f64| {
            let mut all: Vec<f64> = tests.iter().map(value_of).collect();
            all.sort_unstable_by(f64::total_cmp);
            all[all.len() / 2]
        };
        // A multiply-add takes at least two cycles of less than a nanosecond, a row of 64 operations at least
        // four, on any processor.
        assert!(usual(|test| test.chain) > 0.2, "{tests:?}");
        assert!(usual(|test| test.width * test.chain) > 0.6, "{tests:?}");
    }
}
