//! Which variables a search looks at: those that vary, that no other one determines, and that matter.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use cll_fit::vectors::{dot, subtract};

use crate::observed::Observed;
use crate::result::Note;

/// Beyond so many variables only those that matter are searched.
const MAX_SEARCHED: usize = 4;
/// So many are searched without being screened.
const MAX_UNSCREENED: usize = 2;

/// The variables to search, in their order, and notes about the others.
pub(crate) fn relevant(observed: &Observed, names: &[String]) -> (Vec<usize>, Vec<Note>) {
    let mut notes = Vec::new();
    let mut kept: Vec<usize> = Vec::new();
    let mut partitions: HashMap<Vec<usize>, usize> = HashMap::new();
    for (index, values) in observed.values.iter().enumerate() {
        if values.iter().all(|v| v == &values[0]) {
            let value = values.first().copied().unwrap_or(f64::NAN);
            notes.push(Note::NeverVaries { variable: names[index].clone(), value });
            continue;
        }
        match partitions.entry(partition(values)) {
            Entry::Occupied(other) => {
                notes.push(Note::VariesWith {
                    variable: names[index].clone(),
                    with: names[*other.get()].clone(),
                });
            }
            Entry::Vacant(entry) => {
                entry.insert(index);
                kept.push(index);
            }
        }
    }
    if kept.len() > MAX_UNSCREENED {
        let chosen = forward(observed, &kept);
        for &left in kept.iter().filter(|v| !chosen.contains(v)) {
            notes.push(Note::NotSeenToMatter { variable: names[left].clone() });
        }
        kept = chosen;
    }
    (kept, notes)
}

/// For each point the first one with the same value. Where equal values of one variable go with equal values of another,
/// both ways, these are the same.
fn partition(values: &[f64]) -> Vec<usize> {
    let mut first: HashMap<u64, usize> = HashMap::new();
    let points = values.iter().enumerate();
    points.map(|(point, value)| *first.entry((value + 0.0).to_bits()).or_insert(point)).collect()
}

/// Forward selection on logarithms, in which sums and products of powers are both nearly linear; as many variables
/// as the Bayesian information criterion wants, [`MAX_SEARCHED`] at most and one at least.
fn forward(observed: &Observed, among: &[usize]) -> Vec<usize> {
    let n = observed.len();
    let logarithms = |values: &[f64]| -> Vec<f64> {
        let positive = values.iter().all(|v| *v > 0.0);
        let column: Vec<f64> = values.iter().map(|v| if positive { v.ln() } else { *v }).collect();
        centered(column)
    };
    let mut rest = logarithms(&observed.y);
    let mut columns: Vec<(usize, Vec<f64>)> =
        among.iter().map(|&v| (v, logarithms(&observed.values[v]))).collect();
    let mut chosen = Vec::new();
    while chosen.len() < MAX_SEARCHED && !columns.is_empty() {
        let square: f64 = dot(&rest, &rest);
        let explained = |column: &[f64]| {
            let length = dot(column, column);
            if length <= 1e-12 { 0.0 } else { dot(column, &rest).powi(2) / length }
        };
        let best = (0..columns.len())
            .max_by(|&a, &b| explained(&columns[a].1).total_cmp(&explained(&columns[b].1)))
            .unwrap_or(0);
        let gain = explained(&columns[best].1);
        let left = (square - gain).max(square * 1e-15);
        let better = n as f64 * (left / square).ln() + (n as f64).ln() < 0.0;
        if !chosen.is_empty() && (!better || gain <= 0.0) {
            break;
        }
        let (variable, column) = columns.swap_remove(best);
        chosen.push(variable);
        let without = |from: &mut Vec<f64>| {
            let s = dot(from, &column) / dot(&column, &column).max(f64::MIN_POSITIVE);
            subtract(from, s, &column);
        };
        without(&mut rest);
        columns.iter_mut().for_each(|(_, other)| without(other));
    }
    chosen.sort_unstable();
    chosen
}

fn centered(mut values: Vec<f64>) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    values.iter_mut().for_each(|v| *v -= mean);
    values
}

/// The slope of ln y along ln of a variable, beside the other variables at their values: below 0 where times fall.
pub(crate) fn slope(observed: &Observed, variable: usize) -> f64 {
    let all: Vec<usize> = (0..observed.len()).collect();
    slope_of(observed, variable, &all, f64::ln)
}

/// How fast values grow towards the largest values of a variable: over the upper half of its values.
pub(crate) struct Steepness {
    /// The slope of ln y along ln of the variable.
    pub(crate) power: f64,
    /// The base b for which b^x grows so: exp of the slope of ln y along the variable.
    pub(crate) base: f64,
}

/// Fewest different values that show how fast values grow.
const MIN_VALUES: usize = 3;

impl Steepness {
    pub(crate) fn new(observed: &Observed, variable: usize) -> Steepness {
        let values = &observed.values[variable];
        let mut distinct = cll_statistics::sorted(values.iter().copied());
        distinct.dedup();
        let upper = (distinct.len() / 2).min(distinct.len().saturating_sub(MIN_VALUES));
        let least = distinct.get(upper).copied().unwrap_or(f64::NEG_INFINITY);
        let points: Vec<usize> = (0..observed.len()).filter(|&i| values[i] >= least).collect();
        Steepness {
            power: slope_of(observed, variable, &points, f64::ln),
            base: slope_of(observed, variable, &points, |x| x).exp(),
        }
    }
}

/// The slope of ln y along `scale` of a variable at these points, beside the other variables at their values.
fn slope_of(
    observed: &Observed,
    variable: usize,
    points: &[usize],
    scale: impl Fn(f64) -> f64,
) -> f64 {
    let values = &observed.values[variable];
    if points.iter().any(|&i| values[i] <= 0.0 || observed.y[i] <= 0.0) {
        return 0.0;
    }
    // Pairs of points that differ in this variable alone; all pairs if there are none.
    let others = |i: usize| {
        observed.values.iter().enumerate().filter(move |(v, _)| *v != variable).map(move |v| v.1[i])
    };
    let mut groups: HashMap<Vec<u64>, Vec<usize>> = HashMap::new();
    for &i in points {
        groups.entry(others(i).map(f64::to_bits).collect()).or_default().push(i);
    }
    let (mut over, mut under) = (0.0, 0.0);
    let all = points.to_vec();
    let alone = groups.values().all(|group| group.len() < 2);
    for group in groups.values().chain(alone.then_some(&all)) {
        let x = centered(group.iter().map(|&i| scale(values[i])).collect());
        let y = centered(group.iter().map(|&i| observed.y[i].ln()).collect());
        over += dot(&x, &y);
        under += dot(&x, &x);
    }
    if under > 0.0 { over / under } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cll_fit::Data;

    use crate::options::Options;

    fn observed(
        rows: impl IntoIterator<Item = (Vec<f64>, f64)>,
        variables: usize,
    ) -> (Observed, Vec<String>) {
        let names: Vec<String> = (0..variables).map(|v| format!("v{v}")).collect();
        (Observed::new(&Data::from_rows(names.clone(), rows), &Options::default()), names)
    }

    #[test]
    fn constants_and_twins_are_left_out() {
        let rows = (1..9).map(|n| (vec![f64::from(n), 3.0, f64::from(n * n)], f64::from(n)));
        let (observed, names) = observed(rows, 3);
        let (kept, notes) = relevant(&observed, &names);
        assert_eq!(kept, [0]);
        assert_eq!(notes.len(), 2);
        assert!(slope(&observed, 0) > 0.9);
    }

    #[test]
    fn of_fifty_variables_those_that_matter_are_kept() {
        let mut random = fastrand::Rng::with_seed(7);
        let rows: Vec<(Vec<f64>, f64)> = (0..200)
            .map(|_| {
                let values: Vec<f64> = (0..50).map(|_| f64::from(1 << random.u32(2..8))).collect();
                let y = (5.0 + values[3] * values[3] / values[41]) * (1.0 + 0.02 * random.f64());
                (values, y)
            })
            .collect();
        let (observed, names) = observed(rows, 50);
        let (kept, _) = relevant(&observed, &names);
        assert!(kept.contains(&3) && kept.contains(&41) && kept.len() <= 4, "{kept:?}");
        assert!(slope(&observed, 41) < -0.3);
    }
}
