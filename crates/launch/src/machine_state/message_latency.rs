//! The time of a message between two processors. Like the clock rate it may change from run to run.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::placement::Placement;

const ROUND_TRIPS: u64 = 400;
/// The time to wait for the other side, which may not run yet.
const MAX_WAIT: Duration = Duration::from_millis(20);
/// Messages between two checks of the clock.
const SPINS: u32 = 1 << 12;

/// Nanoseconds for eight bytes from one of these processors to the other; `None` if the two did not run at the
/// same time.
pub fn one_way(first: &Placement, second: &Placement) -> Option<f64> {
    let ball = AtomicU64::new(0);
    let begin = Instant::now();
    let side = |place: &Placement, own: u64| {
        place.take();
        play(&ball, own, || begin.elapsed())
    };
    thread::scope(|scope| {
        let other = scope.spawn(|| side(second, 1));
        let own = scope.spawn(|| side(first, 0));
        own.join().ok()?.and(other.join().ok()?)
    })
}

/// One side, 0 or 1, with a clock that begins at 0.
fn play(ball: &AtomicU64, own: u64, now: impl Fn() -> Duration) -> Option<f64> {
    let mut best = f64::INFINITY;
    // In parts; the shortest counts.
    for part in 0..8 {
        let from = now();
        for turn in 0..ROUND_TRIPS / 8 {
            let wanted = 2 * (part * ROUND_TRIPS / 8 + turn) + own;
            let mut spins = 0u32;
            while ball.load(Ordering::Acquire) != wanted {
                spin_loop();
                spins += 1;
                if spins.is_multiple_of(SPINS) && now() > MAX_WAIT {
                    return None;
                }
            }
            ball.store(wanted + 1, Ordering::Release);
        }
        best = best.min((now() - from).as_nanos() as f64 / (2 * ROUND_TRIPS / 8) as f64);
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_message_takes_half_of_what_passes_until_the_next_turn() {
        let ball = AtomicU64::new(0);
        let looks = Cell::new(0);
        // The other side answers between two checks of the clock, which are 300 ns apart.
        let now = || {
            let wanted = ball.load(Ordering::Acquire);
            ball.store(wanted + wanted % 2, Ordering::Release);
            looks.set(looks.get() + 1);
            Duration::from_nanos(300 * looks.get())
        };
        // All rounds of a part except the first wait for one check, and it ends with one.
        assert_eq!(play(&ball, 0, now), Some(300.0 * 50.0 / 100.0));
        assert_eq!(ball.load(Ordering::Acquire), 2 * ROUND_TRIPS);
    }

    #[test]
    fn who_does_not_come_is_given_up() {
        let looks = Cell::new(0);
        let now = || {
            looks.set(looks.get() + 1);
            Duration::from_millis(looks.get())
        };
        assert_eq!(play(&AtomicU64::new(0), 1, now), None);
        assert_eq!(looks.get(), 21, "it ends when the time limit is reached");
    }

    #[test]
    fn two_sides_end_together() {
        let value = one_way(&Placement::free(), &Placement::free());
        assert!(value.is_none_or(f64::is_finite), "{value:?}");
    }
}
