//! Times that grow with the size, and the evidence for those that fall.
//!
//! A run is disturbed in one direction: it takes longer. Small sizes that were disturbed look like a time that falls,
//! and such a formula goes to nothing at larger sizes. So times fall with a variable only if the points show it
//! (numbers of processors excepted); otherwise no larger size takes less than a smaller one.

/// Points: values, and what was measured there.
pub(super) type Points = Vec<(Vec<f64>, Vec<f64>)>;

/// Sizes, and the least time of each.
type Stratum = Vec<(f64, f64)>;

/// A share by which a point may exceed one at a larger size and still not be disturbed.
const NOISE: f64 = 0.10;
/// Kendall's statistic in standard deviations from which a fall is real: five points, each below the one before.
const SIGNIFICANT: f64 = 2.2;
/// Powers of the size that a time may fall with; it is real with few points if time times power is the same ...
const FALLS: [i32; 2] = [1, 2];
/// ... within this share, at this many points, ...
const SAME: f64 = 0.03;
const FEW: usize = 3;
/// ... over sizes of this ratio.
const RATIO: f64 = 1.5;

/// Whether the times really fall with `variable`, the others being equal.
pub(super) fn falls(points: &Points, variable: usize) -> bool {
    let strata = strata(points, variable);
    let (mut sum, mut variance) = (0.0, 0.0);
    for stratum in &strata {
        for (index, (x, time)) in stratum.iter().enumerate() {
            for (other, later) in &stratum[..index] {
                sum += (x - other).signum() * (later - time).signum();
            }
        }
        let count = stratum.len() as f64;
        variance += count * (count - 1.0) * (2.0 * count + 5.0) / 18.0;
    }
    let is_significant = sum > 1.0 && (sum - 1.0) / variance.sqrt() >= SIGNIFICANT;
    is_significant || strata.iter().any(|stratum| is_law(stratum))
}

/// Whether times are a constant divided by a power.
fn is_law(stratum: &[(f64, f64)]) -> bool {
    let range = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, 0.0), |(least, most): (f64, f64), value| {
            (least.min(value), most.max(value))
        })
    };
    let sizes = range(&mut stratum.iter().map(|pair| pair.0));
    let is_same = |&power: &i32| {
        let (least, most) = range(&mut stratum.iter().map(|(x, time)| time * x.powi(power)));
        most <= least * (1.0 + SAME)
    };
    stratum.len() >= FEW && sizes.0 > 0.0 && sizes.1 >= RATIO * sizes.0 && FALLS.iter().any(is_same)
}

/// Points that differ only in `variable`.
fn strata(points: &Points, variable: usize) -> Vec<Stratum> {
    let mut all: Vec<(Vec<f64>, Stratum)> = Vec::new();
    for (values, seconds) in points {
        let mut others = values.clone();
        let x = others.remove(variable);
        let Some(least) = seconds.iter().copied().min_by(f64::total_cmp) else { continue };
        match all.iter_mut().find(|pair| pair.0 == others) {
            Some(entry) => entry.1.push((x, least)),
            None => all.push((others, vec![(x, least)])),
        }
    }
    all.into_iter().map(|pair| pair.1).collect()
}

/// The points without what must be disturbance if times do not fall with the variables `growing`: a time that is far
/// above one at a larger size is at most that.
pub(super) fn undisturbed(points: &Points, growing: &[usize]) -> Points {
    let least = |seconds: &[f64]| seconds.iter().copied().fold(f64::INFINITY, f64::min);
    let limit = |values: &[f64]| {
        let larger = points.iter().filter(|(other, _)| {
            let holds = |(variable, (own, other)): (usize, (&f64, &f64))| {
                if growing.contains(&variable) { other >= own } else { other == own }
            };
            values.iter().zip(other).enumerate().all(holds)
        });
        larger.map(|(_, seconds)| least(seconds)).fold(f64::INFINITY, f64::min)
    };
    let kept = |(values, seconds): &(Vec<f64>, Vec<f64>)| {
        let limit = limit(values);
        let lowered = |&value: &f64| if value > limit * (1.0 + NOISE) { limit } else { value };
        (values.clone(), seconds.iter().map(lowered).collect())
    };
    points.iter().map(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(list: &[(f64, f64)]) -> Points {
        list.iter().map(|&(x, time)| (vec![x], vec![time])).collect()
    }

    #[test]
    fn a_fall_needs_evidence() {
        // Three disturbed points in falling order are one case of six.
        assert!(!falls(&points(&[(8.0, 5.1e-3), (12.0, 3.2e-3), (16.0, 2.1e-3)]), 0));
        assert!(!falls(&points(&[(1.0, 2.0), (2.0, 1.9), (3.0, 2.1), (4.0, 1.8), (5.0, 2.2)]), 0));
        // The work of all passages is divided by the blocks.
        assert!(falls(&points(&[(8.0, 4.0), (16.0, 2.02), (32.0, 0.99)]), 0));
        let five = [(1.0, 9.0), (2.0, 7.0), (3.0, 6.5), (4.0, 6.2), (5.0, 6.1)];
        assert!(falls(&points(&five), 0));
        // Other values are compared among themselves.
        let mut grid = Points::new();
        for x in [1.0, 2.0, 3.0, 4.0] {
            for y in [1.0, 2.0, 3.0] {
                grid.push((vec![x, y], vec![100.0 * y + 10.0 / (x + 2.0)]));
            }
        }
        assert_eq!((falls(&grid, 0), falls(&grid, 1)), (true, false));
    }

    #[test]
    fn only_what_a_larger_size_refutes_is_lowered() {
        let seen = points(&[(8.0, 5.0), (12.0, 2.1), (16.0, 2.0), (20.0, 3.0)]);
        assert_eq!(
            undisturbed(&seen, &[0]),
            points(&[(8.0, 2.0), (12.0, 2.1), (16.0, 2.0), (20.0, 3.0)])
        );
        assert_eq!(undisturbed(&seen, &[]), seen);
    }
}
