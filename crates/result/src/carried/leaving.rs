//! Where arrays leave the levels of another machine.

use cll_fit::Fit;
use cll_machine::Memory;
use cll_reuse::{NEAR, Population, WIDTH, all_pass, causes, crossings, passes};
use schemars::JsonSchema;
use serde::Serialize;

use super::costs::Described;
use crate::why::{Named, levels};

/// Boundaries at which the time changes by less than this part are left out.
const LEAST: f64 = 0.02;

/// Where a constant changes there: an array leaves a level.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CarriedBoundary {
    /// The level that is left.
    pub level: String,
    /// The variable.
    pub variable: String,
    /// The value of the variable at the boundary.
    pub at: f64,
    /// The value from which on the first accesses may miss, by the interval of the level's size.
    pub low: f64,
    /// The value from which on all of these accesses miss.
    pub high: f64,
    /// The array.
    pub array: String,
    /// The file of the line.
    pub file: String,
    /// The line.
    pub line: u32,
    /// By what part of the time there the passage takes longer beyond it.
    pub effect: f64,
}

/// The variable along which boundaries lie: the only one with several values.
pub(super) fn along(fit: &Fit) -> Option<usize> {
    let index_of = |name: &String| fit.variables.iter().position(|variable| variable == name);
    let varied: Vec<usize> = fit
        .domain
        .iter()
        .filter(|range| range.distinct > 1)
        .filter_map(|range| index_of(&range.variable))
        .collect();
    match varied[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// The places where arrays leave the levels of a memory, ascending; those that are near each other are one, with the name of
/// the one that costs most.
pub(super) fn boundaries(
    described: &Described,
    named: &[Named],
    (memory, ratio): (&Memory, [f64; 3]),
    fit: &Fit,
    along: Option<usize>,
) -> Vec<CarriedBoundary> {
    let mut found: Vec<CarriedBoundary> = Vec::new();
    let levels = super::beyond(memory);
    for pair in memory.levels.windows(2) {
        let Some(size) = pair[0].size else { continue };
        let seconds = (pair[1].latency.value - pair[0].latency.value).max(0.0);
        for (index, named) in named.iter().enumerate() {
            let population = &named.population;
            let Some(variable) = along.or_else(|| population.growth.fastest()) else { continue };
            let Some(last) = population.points.last() else { continue };
            let Some((first, _)) = passes(population, size.value, variable) else { continue };
            // The narrowest and the widest that the level may be.
            let low = passes(population, size.low / WIDTH, variable).map_or(first, |low| low.0);
            let high = all_pass(population, size.high * WIDTH, variable).unwrap_or(f64::MAX);
            let middle = population.spread.iter().find(|quantile| quantile.part == 0.5);
            let position = match middle {
                Some(_) if high < f64::MAX => (first * high).sqrt(),
                _ => first,
            };
            let mut values = last.0.clone();
            values[variable] = low;
            let time = described.time_at(&levels, ratio, &values).value;
            let more = described.beyond(index, seconds, &values);
            let effect = if time > 0.0 { more / time } else { 0.0 };
            found.push(CarriedBoundary {
                level: pair[0].name.clone(),
                variable: fit.variables[variable].clone(),
                at: position,
                low: low.min(position),
                high: high.max(position),
                array: named.array.clone(),
                file: named.file.clone(),
                line: named.line,
                effect,
            });
        }
    }
    found.sort_by(|a, b| b.effect.total_cmp(&a.effect));
    let mut places: Vec<CarriedBoundary> = Vec::new();
    for boundary in found {
        let is_near = |known: &&mut CarriedBoundary| {
            known.variable == boundary.variable
                && known.level == boundary.level
                && (1.0 / NEAR..NEAR).contains(&(known.at / boundary.at))
        };
        match places.iter_mut().find(is_near) {
            Some(known) => {
                known.effect += boundary.effect;
                if boundary.effect > LEAST {
                    (known.low, known.high) =
                        (known.low.min(boundary.low), known.high.max(boundary.high));
                }
            }
            None => places.push(boundary),
        }
    }
    places.retain(|boundary| boundary.effect >= LEAST);
    places.sort_by(|a, b| a.at.total_cmp(&b.at));
    places
}

/// A note for each boundary of the model where no array leaves a level of its own machine: it is not on the other one.
pub(super) fn without_cause(
    fit: &Fit,
    populations: &[Population],
    own: &Memory,
    along: Option<usize>,
) -> Vec<String> {
    let (Some(variable), Some(axis)) = (along, &fit.axis) else { return Vec::new() };
    if fit.variables[variable] != *axis {
        return Vec::new();
    }
    let all = crossings(populations, &levels(own), Some(variable));
    let is_unknown = |boundary: &cll_fit::Boundary| {
        causes(&all, variable, boundary.plausible.0, boundary.plausible.1).is_empty()
    };
    let text = |boundary: cll_fit::Boundary| {
        format!(
            "no array leaves a level at the model's boundary {axis} = {:.0}: it is left out there",
            boundary.at
        )
    };
    fit.places().into_iter().filter(is_unknown).map(text).collect()
}
