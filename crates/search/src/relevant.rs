//! Which variables a search looks at: those that vary, that no other one determines, and that matter.

use std::collections::HashMap;

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
    for (index, values) in observed.values.iter().enumerate() {
        if values.iter().all(|v| v == &values[0]) {
            let value = values.first().copied().unwrap_or(f64::NAN);
            notes.push(Note::NeverVaries { variable: names[index].clone(), value });
            continue;
        }
        let same = kept.iter().find(|&&other| is_one_to_one(values, &observed.values[other]));
        match same {
            Some(&other) => {
                notes.push(Note::VariesWith {
                    variable: names[index].clone(),
                    with: names[other].clone(),
                });
            }
            None => kept.push(index),
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

/// Whether equal values of one variable go with equal values of the other, both ways.
fn is_one_to_one(a: &[f64], b: &[f64]) -> bool {
    let mut forth: HashMap<u64, u64> = HashMap::new();
    let mut back: HashMap<u64, u64> = HashMap::new();
    a.iter().zip(b).all(|(a, b)| {
        let (a, b) = ((a + 0.0).to_bits(), (b + 0.0).to_bits());
        *forth.entry(a).or_insert(b) == b && *back.entry(b).or_insert(a) == a
    })
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
            from.iter_mut().zip(&column).for_each(|(v, c)| *v -= s * c);
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

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The slope of ln y along ln of a variable, beside the other variables at their values: below 0 where times fall.
pub(crate) fn slope(observed: &Observed, variable: usize) -> f64 {
    let values = &observed.values[variable];
    if values.iter().chain(&observed.y).any(|v| *v <= 0.0) {
        return 0.0;
    }
    // Pairs of points that differ in this variable alone; all pairs if there are none.
    let others = |i: usize| {
        observed.values.iter().enumerate().filter(move |(v, _)| *v != variable).map(move |v| v.1[i])
    };
    let mut groups: HashMap<Vec<u64>, Vec<usize>> = HashMap::new();
    for i in 0..observed.len() {
        groups.entry(others(i).map(f64::to_bits).collect()).or_default().push(i);
    }
    let (mut over, mut under) = (0.0, 0.0);
    let whole: Vec<usize> = (0..observed.len()).collect();
    let alone = groups.values().all(|group| group.len() < 2);
    for group in groups.values().chain(alone.then_some(&whole)) {
        let x = centered(group.iter().map(|&i| values[i].ln()).collect());
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
