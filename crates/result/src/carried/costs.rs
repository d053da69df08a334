//! The cost of a passage on a machine, by its accesses.

use cll_fit::Fit;
use cll_machine::{Machine, Memory};
use cll_reuse::{Beyond, Growth, Population, waiting};

use super::By;
use crate::error::CarryError;
use crate::why::Named;

/// The accesses of an experiment.
#[derive(Clone, Debug)]
pub struct Counts {
    /// Accesses of a passage.
    pub accesses: Growth,
    /// Those with long reuse distances.
    pub named: Vec<Named>,
}

/// The time of a passage as `c·A + w·M`, see [`super::carried`].
pub(super) struct Described {
    accesses: Growth,
    pub(super) populations: Vec<Population>,
    c: f64,
    /// The part of the latencies that is waited for.
    pub(super) waits: f64,
    /// The mean error of the measured times, and the 90 % point of the errors.
    pub(super) error: f64,
    most: f64,
}

/// A time with its range, seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ranged {
    pub(super) value: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Ranged {
    /// With the interval of an independent factor of about 1: the relative widths are added by squares.
    pub(super) fn times(self, [low, high]: [f64; 2]) -> Ranged {
        let Ranged { value, low: own_low, high: own_high } = self;
        if value <= 0.0 {
            return self;
        }
        let below = (1.0 - own_low / value).max(0.0).hypot((1.0 - low).max(0.0));
        let above = (own_high / value - 1.0).max(0.0).hypot((high - 1.0).max(0.0));
        Ranged { value, low: value * (1.0 - below).max(0.0), high: value * (1.0 + above) }
    }
}

impl Described {
    /// Describes the measured times of a fit by the levels of the machine on which they were measured.
    pub(super) fn new(
        name: &str,
        fit: &Fit,
        counts: &Counts,
        own: &Memory,
    ) -> Result<Described, CarryError> {
        let places =
            fit.variables.iter().map(|v| fit.recorded.iter().position(|variable| variable == v));
        let places: Option<Vec<usize>> = places.collect();
        let places = places.ok_or_else(|| CarryError::NoVariable(name.to_owned()))?;
        let populations = counts.named.iter().map(|named| named.population.clone()).collect();
        let mut described = Described {
            accesses: counts.accesses.clone(),
            populations,
            c: 0.0,
            waits: 0.0,
            error: 0.0,
            most: 0.0,
        };
        let levels = beyond(own);
        let rows =
            fit.residuals.iter().filter(|residual| residual.measured > 0.0).map(|residual| {
                let values: Vec<f64> = places.iter().map(|place| residual.values[*place]).collect();
                described.cost(&levels, &values).map(|cost| cost / residual.measured)
            });
        let rows: Vec<[f64; 2]> = rows.collect();
        let [c, w] = non_negative(&rows).ok_or_else(|| CarryError::FewTimes(name.to_owned()))?;
        let error = |row: &[f64; 2]| (c * row[0] + w * row[1] - 1.0).abs();
        let mut errors: Vec<f64> = rows.iter().map(error).collect();
        (described.c, described.waits) = (c, w);
        described.error = errors.iter().sum::<f64>() / errors.len() as f64;
        errors.sort_by(f64::total_cmp);
        described.most = errors[(errors.len() * 9 / 10).min(errors.len() - 1)];
        Ok(described)
    }

    /// Accesses, and the seconds that they would wait.
    fn cost(&self, levels: &[Beyond], values: &[f64]) -> [f64; 2] {
        [self.accesses.value_at(values), waiting(&self.accesses, &self.populations, levels, values)]
    }

    /// The time with these levels, where computation takes so many times as long: value, smallest, largest.
    pub(super) fn time_at(&self, levels: &[Beyond], ratio: [f64; 3], values: &[f64]) -> Ranged {
        let [accesses, waits] = self.cost(levels, values);
        let time_with = |ratio: f64| self.c * ratio * accesses + self.waits * waits;
        Ranged {
            value: time_with(ratio[0]),
            low: time_with(ratio[1]) * (1.0 - self.most).max(0.0),
            high: time_with(ratio[2]) * (1.0 + self.most),
        }
    }

    /// The time that a population takes more once it is beyond a level.
    pub(super) fn beyond(&self, population: usize, seconds: f64, values: &[f64]) -> f64 {
        let share = self.populations[population].share;
        self.waits * seconds * share * self.accesses.value_at(values).max(0.0)
    }
}

/// The costs of a machine's levels.
pub fn beyond(memory: &Memory) -> Vec<Beyond> {
    let pairs = memory.levels.windows(2);
    let level = |pair: &[cll_machine::Level]| {
        let seconds = pair[1].latency.value - pair[0].latency.value;
        Some(Beyond { size: pair[0].size?.value, seconds: seconds.max(0.0) })
    };
    pairs.filter_map(level).collect()
}

/// The time of computation on `there` divided by that on `here`: value, smallest, largest; and by what it is known.
///
/// # Errors
/// The text names the cost that is missing.
pub fn computation(here: &Machine, there: &Machine) -> Result<([f64; 3], By), CarryError> {
    let each = |machine: &Machine, name: &str, operand: &str| {
        let all = &machine.operations;
        let operation = all.iter().find(|operation| {
            (operation.name.as_str(), operation.operand.as_str()) == (name, operand)
        })?;
        operation.latency.or(operation.each).map(|cost| cost.value).filter(|cost| *cost > 0.0)
    };
    let ratios = here.operations.iter().filter_map(|operation| {
        let there = each(there, &operation.name, &operation.operand)?;
        Some(there / each(here, &operation.name, &operation.operand)?)
    });
    let mut ratios: Vec<f64> = ratios.collect();
    let has_levels = !here.memory.levels.is_empty() && !there.memory.levels.is_empty();
    if !ratios.is_empty() && has_levels {
        ratios.sort_by(f64::total_cmp);
        let middle = ratios[ratios.len() / 2];
        return Ok(([middle, ratios[0], ratios[ratios.len() - 1]], By::OperationsAndMemory));
    }
    if has_levels {
        let first = |machine: &Machine| machine.memory.levels[0].latency.value;
        let ratio = first(there) / first(here);
        return Ok(([ratio; 3], By::Memory));
    }
    let rate = |machine: &Machine| {
        machine.classic.iter().filter_map(|classic| classic.rate).find(|rate| rate.value > 0.0)
    };
    match (rate(here), rate(there)) {
        (Some(from), Some(to)) => {
            let ratio = [from.value / to.value, from.low / to.high, from.high / to.low];
            let is_known = ratio.iter().all(|ratio| ratio.is_finite() && *ratio > 0.0);
            Ok((if is_known { ratio } else { [ratio[0]; 3] }, By::Rate))
        }
        (from, _) => {
            let silent = if from.is_none() { here } else { there };
            let levels = if there.memory.levels.is_empty() { there } else { here };
            Err(CarryError::NoCosts {
                without_levels: levels.name.clone(),
                without_rate: silent.name.clone(),
            })
        }
    }
}

/// `c` and `w` from zero upwards with the least squares of `c·a + w·m - 1`.
fn non_negative(rows: &[[f64; 2]]) -> Option<[f64; 2]> {
    let dot = |i: usize, j: usize| rows.iter().map(|row| row[i] * row[j]).sum::<f64>();
    let sum = |i: usize| rows.iter().map(|row| row[i]).sum::<f64>();
    let (aa, am, mm) = (dot(0, 0), dot(0, 1), dot(1, 1));
    let (a, m) = (sum(0), sum(1));
    if rows.len() < 3 || aa <= 0.0 {
        return None;
    }
    let determinant = aa * mm - am * am;
    if determinant > 1e-9 * aa * mm {
        let both = [(a * mm - m * am) / determinant, (m * aa - a * am) / determinant];
        if both[0] >= 0.0 && both[1] >= 0.0 {
            return Some(both);
        }
        let squares = |[c, w]: [f64; 2]| {
            rows.iter().map(|row| (c * row[0] + w * row[1] - 1.0).powi(2)).sum::<f64>()
        };
        let (first, other) = ([a / aa, 0.0], [0.0, m / mm]);
        return Some(if squares(first) <= squares(other) { first } else { other });
    }
    Some([a / aa, 0.0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_not_negative() {
        // T = 2 a + 0.5 m exactly.
        let rows = [[1.0, 4.0], [2.0, 3.0], [3.0, 9.0], [1.0, 0.5]];
        let rows = rows.map(|[a, m]| [a / (2.0 * a + 0.5 * m), m / (2.0 * a + 0.5 * m)]);
        let [c, w] = non_negative(&rows).unwrap();
        assert!((c - 2.0).abs() < 1e-9 && (w - 0.5).abs() < 1e-9, "{c} {w}");
        // Times that fall where more is missed: nothing is waited for.
        let falling = [[1.0, 0.0], [0.9, 1.0], [0.8, 2.0]].map(|[a, m]| [1.0 / a, m / a]);
        assert_eq!(non_negative(&falling).unwrap()[1], 0.0);
        assert!(non_negative(&rows[..2]).is_none());
    }
}
