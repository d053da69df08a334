//! How long a message between two processors takes: a third thing that has regimes.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::place::Placement;

const TURNS: u64 = 400;
/// One side may be waiting for its processor.
const LONGEST: Duration = Duration::from_millis(20);
/// Between two looks at the clock.
const SPINS: u32 = 1 << 12;

/// Nanoseconds for eight bytes from one of these processors to the other; `None` if the two did
/// not run side by side.
pub fn one_way(first: &Placement, second: &Placement) -> Option<f64> {
    let ball = AtomicU64::new(0);
    let begin = Instant::now();
    let play = |place: &Placement, own: u64| {
        place.take();
        let mut best = f64::INFINITY;
        // In parts, of which the shortest counts.
        for part in 0..8 {
            let from = Instant::now();
            for turn in 0..TURNS / 8 {
                let wanted = 2 * (part * TURNS / 8 + turn) + own;
                let mut spins = 0u32;
                while ball.load(Ordering::Acquire) != wanted {
                    spin_loop();
                    spins += 1;
                    if spins.is_multiple_of(SPINS) && begin.elapsed() > LONGEST {
                        return None;
                    }
                }
                ball.store(wanted + 1, Ordering::Release);
            }
            best = best.min(from.elapsed().as_nanos() as f64 / (2 * TURNS / 8) as f64);
        }
        Some(best)
    };
    thread::scope(|scope| {
        let other = scope.spawn(|| play(second, 1));
        let own = scope.spawn(|| play(first, 0));
        own.join().ok()?.and(other.join().ok()?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_between_processors_takes_its_time_or_is_given_up() {
        let begin = Instant::now();
        let found = one_way(&Placement::free(), &Placement::free());
        assert!(found.is_none_or(|ns| ns > 1.0), "{found:?}");
        assert!(begin.elapsed() < Duration::from_secs(5));
    }
}
