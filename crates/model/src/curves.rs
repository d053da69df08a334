//! Curves from times at many numbers of processors and sizes: speed-up, efficiency, serial fraction, isoefficiency, and
//! the values at which one time becomes less than another.

use cll_units::Seconds;
use schemars::JsonSchema;
use serde::Serialize;

/// A time on a number of processors, compared with the time on one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Scaling {
    /// P.
    pub processors: f64,
    /// The time.
    #[serde(rename = "time_s")]
    pub time: Seconds,
    /// T(1)/T(P).
    pub speed_up: f64,
    /// Speed-up by P.
    pub efficiency: f64,
    /// Karp and Flatt's (1/speed-up - 1/P)/(1 - 1/P); `None` for one processor. If it grows with P, parallelism adds
    /// cost; if it does not, there is serial work.
    pub serial_fraction: Option<f64>,
}

/// Speed-up, efficiency and serial fraction of a time on `processors`, compared with the time `one` on one processor.
pub fn scaling(processors: f64, time: Seconds, seconds: Seconds) -> Scaling {
    let speed_up = seconds / time;
    let serial = (1.0 / speed_up - 1.0 / processors) / (1.0 - 1.0 / processors);
    Scaling {
        processors,
        time,
        speed_up,
        efficiency: speed_up / processors,
        serial_fraction: (processors > 1.0).then_some(serial),
    }
}

/// The relative precision with which sizes of isoefficiency and crossovers are found.
const NEAR: f64 = 1e-6;

/// The smallest size in `low..=high` from which on an efficiency is reached; `None` if it is not reached at `high`.
/// `whole` sizes are whole numbers.
///
/// The efficiency is assumed to grow with the size; if `grid` has the possible sizes (such as powers of two),
/// the answer is one of them.
///
/// # Errors
/// The first of `efficiency`.
pub fn isoefficiency<E>(
    wanted: f64,
    sizes: &Sizes<'_>,
    mut efficiency: impl FnMut(f64) -> Result<f64, E>,
) -> Result<Option<f64>, E> {
    search(sizes, |size| Ok(efficiency(size)? >= wanted))
}

/// The sizes among which a place is sought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sizes<'a> {
    /// Only these, ascending.
    Grid(&'a [f64]),
    /// Any between two.
    Between(f64, f64),
}

/// The smallest size at which a condition is true. The condition stays true for all larger sizes.
fn search<E>(
    sizes: &Sizes<'_>,
    mut holds: impl FnMut(f64) -> Result<bool, E>,
) -> Result<Option<f64>, E> {
    match *sizes {
        Sizes::Grid(grid) => {
            let (mut low, mut high) = (0, grid.len());
            while low < high {
                let middle = (low + high) / 2;
                if holds(grid[middle])? { high = middle } else { low = middle + 1 }
            }
            Ok(grid.get(low).copied())
        }
        Sizes::Between(mut low, mut high) => {
            if !holds(high)? {
                return Ok(None);
            }
            if holds(low)? {
                return Ok(Some(low));
            }
            while high - low > NEAR * high.abs() {
                let middle = if low > 0.0 { (low * high).sqrt() } else { 0.5 * (low + high) };
                if holds(middle)? { high = middle } else { low = middle }
            }
            Ok(Some(high))
        }
    }
}

/// The place at which one of two times becomes less than the other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Crossover {
    /// The last place at which the other one was still less.
    pub low: f64,
    /// The first place at which this one is less.
    pub high: f64,
    /// The place between both at which the times are equal, interpolated from their ratios.
    pub at: f64,
    /// Whether the first is the lesser from here on, or the second.
    pub first_wins: bool,
}

/// The places at which one of two times becomes less than the other, between neighbours of `places` (ascending);
/// `between` goes on to search there, as places between these exist (sizes), or does not (processors that are
/// powers of two).
///
/// # Errors
/// The first of `times`.
pub fn crossovers<E>(
    places: &[f64],
    between: bool,
    mut times: impl FnMut(f64) -> Result<(f64, f64), E>,
) -> Result<Vec<Crossover>, E> {
    let mut crossovers = Vec::new();
    let mut before: Option<(f64, f64)> = None;
    for &place in places {
        let (first, second) = times(place)?;
        let ratio = (first / second).ln();
        // Equal times: neither wins.
        if ratio == 0.0 {
            continue;
        }
        if let Some((low, at_low)) = before.filter(|(_, at_low)| at_low.signum() != ratio.signum())
        {
            let (mut low, mut at_low, mut high, mut at_high) = (low, at_low, place, ratio);
            while between && high - low > NEAR * high.abs() {
                let middle = if low > 0.0 { (low * high).sqrt() } else { 0.5 * (low + high) };
                let (first, second) = times(middle)?;
                let here = (first / second).ln();
                if here.signum() == at_low.signum() {
                    (low, at_low) = (middle, here);
                } else {
                    (high, at_high) = (middle, here);
                }
            }
            let share = at_low / (at_low - at_high);
            let crossing =
                if low > 0.0 { low * (high / low).powf(share) } else { low + share * (high - low) };
            crossovers.push(Crossover { low, high, at: crossing, first_wins: ratio < 0.0 });
        }
        before = Some((place, ratio));
    }
    Ok(crossovers)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Amdahl's: a tenth is serial.
    fn amdahl(p: f64) -> f64 {
        0.1 + 0.9 / p
    }

    #[test]
    fn the_serial_fraction_is_amdahls() {
        for p in [2.0, 16.0, 1000.0] {
            let scaling = scaling(p, Seconds(amdahl(p)), Seconds(amdahl(1.0)));
            assert!((scaling.serial_fraction.unwrap() - 0.1).abs() < 1e-12);
            assert!((scaling.speed_up - 1.0 / amdahl(p)).abs() < 1e-12);
            assert!((scaling.efficiency * p - scaling.speed_up).abs() < 1e-12);
        }
        assert_eq!(scaling(1.0, Seconds(2.0), Seconds(2.0)).serial_fraction, None);
    }

    #[test]
    fn isoefficiency_of_a_sum_by_a_tree() {
        // T = N/P + 2 log2 P, one N: efficiency E asks N = E/(1-E) 2 P log2 P.
        let size_for = |p: f64| {
            let efficiency = |n: f64| {
                Ok::<f64, ()>(scaling(p, Seconds(n / p + 2.0 * p.log2()), Seconds(n)).efficiency)
            };
            isoefficiency(0.8, &Sizes::Between(1.0, 1e9), efficiency).unwrap()
        };
        for p in [2.0f64, 8.0, 64.0] {
            let expected = 4.0 * 2.0 * p * p.log2();
            assert!((size_for(p).unwrap() / expected - 1.0).abs() < 1e-5);
        }
        let never = isoefficiency(0.8, &Sizes::Between(1.0, 10.0), |_| Ok::<f64, ()>(0.5));
        assert_eq!(never, Ok(None));
        let grid = [1.0, 10.0, 100.0, 1000.0];
        let value = isoefficiency(0.5, &Sizes::Grid(&grid), |n| Ok::<f64, ()>(n / (n + 20.0)));
        assert_eq!(value, Ok(Some(100.0)));
    }

    #[test]
    fn crossovers_are_found_between_places() {
        let times = |n: f64| Ok::<_, ()>((100.0 + n, 3.0 * n));
        let crossings = crossovers(&[1.0, 10.0, 100.0, 1000.0], true, times).unwrap();
        assert_eq!(crossings.len(), 1);
        assert!((crossings[0].at - 50.0).abs() < 1e-3 && crossings[0].first_wins, "{crossings:?}");
        let coarse = crossovers(&[1.0, 10.0, 100.0], false, times).unwrap()[0];
        assert_eq!((coarse.low, coarse.high), (10.0, 100.0));
        assert!(coarse.at > 10.0 && coarse.at < 100.0);
        let never = crossovers(&[1.0, 2.0], true, |n| Ok::<_, ()>((n, n))).unwrap();
        assert!(never.is_empty());
    }
}
