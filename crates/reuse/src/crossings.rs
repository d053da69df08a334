//! Where reuse distances pass the sizes of a memory's levels, and which of these places explain measured boundaries.

use crate::growth::Growth;
use crate::populations::Population;

/// A level of a memory hierarchy.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// `L1`, `L2`, …
    pub name: String,
    /// The size in bytes.
    pub size: f64,
    /// Seconds that an access takes more if its line is not in this level but in the next one, divided by those of an
    /// access to the first level.
    pub penalty: f64,
}

/// A population whose distance passes a level.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossing {
    /// Index of the population.
    pub population: usize,
    /// Index of the level.
    pub level: usize,
    /// Index of the variable.
    pub variable: usize,
    /// The value of the variable there; where distances are spread, the value from which on some of the accesses miss.
    pub value: f64,
    /// The value from which on half of the accesses miss: `value`, if distances are not spread. `None` if the distances do not
    /// grow so far.
    pub half: Option<f64>,
    /// Whether sizes on both sides were run; else it follows from how the distance grows.
    pub is_between: bool,
    /// The time that all accesses of the passage take more on average beyond it, in accesses to the first level.
    pub weight: f64,
}

/// Crossings with less weight do not explain anything.
pub const LEAST_WEIGHT: f64 = 0.02;
/// How far a crossing may be from a measured boundary, as a ratio.
pub const NEAR: f64 = 1.25;

/// The crossings of all populations, the heaviest first. Along the variable that a distance grows fastest with, or
/// `along`; the others have their largest values.
pub fn crossings(
    populations: &[Population],
    levels: &[Level],
    along: Option<usize>,
) -> Vec<Crossing> {
    let mut crossings = Vec::new();
    for (index, population) in populations.iter().enumerate() {
        let Some(variable) = along.or_else(|| population.growth.fastest()) else { continue };
        for (place_of_level, level) in levels.iter().enumerate() {
            let weight = population.share * level.penalty;
            if weight < LEAST_WEIGHT {
                continue;
            }
            let Some((value, is_between)) = passes(population, level.size, variable) else {
                continue;
            };
            let middle = population.spread.iter().find(|quantile| quantile.part == 0.5);
            let half = match middle {
                Some(quantile) => place(&quantile.points, &quantile.growth, level.size, variable)
                    .map(|half| half.0),
                None => Some(value),
            };
            crossings.push(Crossing {
                population: index,
                level: place_of_level,
                variable,
                value,
                half: half.map(|half| half.max(value)),
                is_between,
                weight,
            });
        }
    }
    crossings.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    crossings
}

/// Where the first accesses of a population pass so many bytes along a variable, the others having their largest values,
/// and whether sizes on both sides were run.
pub fn passes(population: &Population, size: f64, variable: usize) -> Option<(f64, bool)> {
    place(&population.points, &population.growth, size, variable)
}

/// Where the last accesses of a population pass so many bytes along a variable; as [`passes`], if distances are not spread.
pub fn all_pass(population: &Population, size: f64, variable: usize) -> Option<f64> {
    let crossing = match population.spread.first() {
        Some(nearest) => place(&nearest.points, &nearest.growth, size, variable),
        None => passes(population, size, variable),
    };
    crossing.map(|(position, _)| position)
}

fn place(
    points: &[(Vec<f64>, f64)],
    growth: &Growth,
    size: f64,
    variable: usize,
) -> Option<(f64, bool)> {
    if let Some(position) = between(points, variable, size) {
        return Some((position, true));
    }
    let last = points.last()?;
    let is_beyond = last.1 < size;
    let low = if is_beyond { last.0[variable] } else { 1.0 };
    let value = growth.reaches(size, variable, &last.0, low);
    let first = points[0].0[variable];
    value
        .filter(|position| is_beyond || *position <= first * NEAR)
        .map(|position| (position, false))
}

/// Where the distance passes a size between two points that were run, if they differ in this variable alone: the last
/// such place.
fn between(points: &[(Vec<f64>, f64)], variable: usize, size: f64) -> Option<f64> {
    let others_vary = points.iter().any(|(values, _)| {
        values.iter().zip(&points[0].0).enumerate().any(|(k, (a, b))| k != variable && a != b)
    });
    if others_vary {
        return None;
    }
    let passed = |pair: &[(Vec<f64>, f64)]| pair[0].1 < size && pair[1].1 >= size;
    let pair = points.windows(2).rev().find(|pair| passed(pair))?;
    let (x0, x1) = (pair[0].0[variable], pair[1].0[variable]);
    let part = (size / pair[0].1).ln() / (pair[1].1 / pair[0].1).ln();
    Some(x0 * (x1 / x0).powf(part))
}

/// The crossings that a measured boundary may be due to, the heaviest first: those within it, or near it.
pub fn causes(crossings: &[Crossing], variable: usize, low: f64, high: f64) -> Vec<&Crossing> {
    let is_near = |crossing: &&Crossing| {
        let until = crossing.half.unwrap_or(crossing.value);
        crossing.variable == variable && until >= low / NEAR && crossing.value <= high * NEAR
    };
    crossings.iter().filter(is_near).collect()
}
