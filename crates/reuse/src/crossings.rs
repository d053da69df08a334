//! Where reuse distances pass the sizes of a memory's levels, and which of these places explain measured boundaries.

use crate::populations::Population;

/// A level of a memory hierarchy.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// `L1`, `L2`, …
    pub name: String,
    /// Its bytes.
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
    /// Its value there.
    pub at: f64,
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
    let mut found = Vec::new();
    for (index, population) in populations.iter().enumerate() {
        let Some(last) = population.points.last() else { continue };
        let Some(variable) = along.or_else(|| population.growth.fastest()) else { continue };
        for (place, level) in levels.iter().enumerate() {
            let weight = population.share * level.penalty;
            if weight < LEAST_WEIGHT {
                continue;
            }
            let between = between(population, variable, level.size);
            let at = between.or_else(|| {
                let is_beyond = last.1 < level.size;
                let low = if is_beyond { last.0[variable] } else { 1.0 };
                let found = population.growth.reaches(level.size, variable, &last.0, low);
                let first = population.points[0].0[variable];
                found.filter(|at| is_beyond || *at <= first * NEAR)
            });
            if let Some(at) = at {
                found.push(Crossing {
                    population: index,
                    level: place,
                    variable,
                    at,
                    is_between: between.is_some(),
                    weight,
                });
            }
        }
    }
    found.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    found
}

/// Where the distance passes a size between two points that were run, if they differ in this variable alone: the last
/// such place.
fn between(population: &Population, variable: usize, size: f64) -> Option<f64> {
    let points = &population.points;
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
    let is_near =
        |one: &&Crossing| one.variable == variable && one.at >= low / NEAR && one.at <= high * NEAR;
    crossings.iter().filter(is_near).collect()
}
