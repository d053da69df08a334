//! Candidates that the data can hardly distinguish, and the measurement that would.

use crate::observed::Observed;
use crate::result::{Distinction, Search};

/// Candidates whose evidence is at least this share of the best one's tie with it.
const SHARE: f64 = 0.2;
/// At most so many ties are listed.
const MAX_TIES: usize = 5;
/// Values must differ by so many standard deviations of a measurement and both predictions.
const DEVIATIONS: f64 = 3.0;
/// Largest power of two by which a variable is larger than measured.
const DOUBLINGS: i32 = 10;

pub(crate) fn distinctions(
    search: &Search,
    observed: &Observed,
    variables: &[usize],
) -> Vec<Distinction> {
    let best = &search.candidates[0];
    let ties = search.candidates.iter().enumerate().skip(1);
    let ties = ties.filter(|(_, c)| c.weight >= SHARE * best.weight).take(MAX_TIES);
    if search.columns.given.is_some() {
        let alone =
            |(candidate, _)| Distinction { candidate, point: None, variable: None, values: None };
        return ties.map(alone).collect();
    }
    let largest: Vec<f64> = observed
        .values
        .iter()
        .map(|values| values.iter().copied().fold(f64::NEG_INFINITY, f64::max))
        .collect();
    ties.map(|(index, candidate)| {
        for doubling in 1..=DOUBLINGS {
            for &variable in variables {
                let mut point = largest.clone();
                point[variable] *= 2f64.powi(doubling);
                let (Some(a), Some(b)) = (
                    search.value_at(&best.member, &point),
                    search.value_at(&candidate.member, &point),
                ) else {
                    continue;
                };
                let noise = search.new_variance_at(0.5 * (a.0 + b.0));
                let deviation = (a.1 * a.1 + b.1 * b.1 + noise).sqrt();
                if (a.0 - b.0).abs() > DEVIATIONS * deviation {
                    return Distinction {
                        candidate: index,
                        point: Some(point),
                        variable: Some(search.variables[variable].clone()),
                        values: Some((a.0, b.0)),
                    };
                }
            }
        }
        Distinction { candidate: index, point: None, variable: None, values: None }
    })
    .collect()
}
