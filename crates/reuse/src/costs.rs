//! Computes what the accesses of an experiment cost on a machine.

use crate::accesses::PassageGroup;
use crate::growth::{Growth, growth};
use crate::populations::Population;

/// A level of a memory with its cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Beyond {
    /// The size in bytes.
    pub size: f64,
    /// Seconds that an access takes more if its line is not in this level but in the next one.
    pub seconds: f64,
}

/// Half of the width, as a ratio, of the range of distances in which a level still has some of the lines.
pub const WIDTH: f64 = 1.15;

/// How many accesses a passage has; `None` if there are too few sizes.
pub fn accesses_of_passage(groups: &[&PassageGroup], variables: usize) -> Option<Growth> {
    let point = |group: &&PassageGroup| {
        let number: u64 = group.accesses.values().sum();
        let values = group.values[..variables.min(group.values.len())].to_vec();
        (values, number as f64 / group.passages.max(1) as f64)
    };
    let mut points: Vec<(Vec<f64>, f64)> = groups.iter().map(point).collect();
    // Small sizes have the costs of beginning: they say little of others.
    let extent = |values: &[f64]| values.iter().map(|v| v.max(1.0).ln()).sum::<f64>();
    points.sort_by(|a, b| extent(&a.0).total_cmp(&extent(&b.0)));
    growth(&points)
}

/// Seconds that a passage waits for memory beyond the first level, if nothing is done in the meantime.
pub fn waiting(
    accesses: &Growth,
    populations: &[Population],
    levels: &[Beyond],
    values: &[f64],
) -> f64 {
    let wait_of = |population: &Population| {
        let beyond = |level: &Beyond| level.seconds * part_beyond(population, level.size, values);
        population.share * levels.iter().map(beyond).sum::<f64>()
    };
    accesses.value_at(values).max(0.0) * populations.iter().map(wait_of).sum::<f64>()
}

/// The part of a population's accesses whose distances are so many bytes or more.
pub fn part_beyond(population: &Population, size: f64, values: &[f64]) -> f64 {
    if population.spread.is_empty() {
        return ramp(population.distance(values) / size);
    }
    // From the shortest distance upwards; the logarithm is taken as linear between two of them.
    let each = population.spread.iter().map(|quantile| (quantile.part, quantile.distance(values)));
    let mut before: Option<(f64, f64)> = None;
    for (part, distance) in each {
        if distance >= size {
            return match before {
                None => 1.0 - (1.0 - part) * (1.0 - ramp(distance / size)),
                Some((more, shorter)) if distance > shorter => {
                    let along = (size / shorter).ln() / (distance / shorter).ln();
                    more + along.clamp(0.0, 1.0) * (part - more)
                }
                Some(_) => part,
            };
        }
        before = Some((part, distance));
    }
    before.map_or(0.0, |(part, distance)| part * 2.0 * ramp(distance / size))
}

/// The part of the accesses with about the same distance that are beyond a level, by the ratio of the two.
fn ramp(ratio: f64) -> f64 {
    (0.5 + 0.5 * ratio.max(1e-12).ln() / WIDTH.ln()).clamp(0.0, 1.0)
}
