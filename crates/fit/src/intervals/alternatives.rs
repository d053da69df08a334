//! Other divisions into intervals that the data allow, weighted by the criterion (model averaging).

use super::candidate::Candidate;
use super::criterion::criterion;
use super::gradual_changes::transitions;
use crate::solve::{Division, OrderedPoints, Segments};

/// The weights of the other divisions, relative to the best one.
pub(crate) struct Weighted {
    /// Divisions in order of descending weight; with the weight of the best division they add to 1.
    pub(crate) others: Vec<Other>,
    /// For each break the smallest and the largest plausible index of a value.
    pub(crate) plausible: Vec<(usize, usize)>,
}

/// Another division and its weight.
pub(crate) struct Other {
    pub(crate) breaks: Vec<usize>,
    pub(crate) segments: Segments,
    pub(crate) weight: f64,
}

/// Divisions with less weight than this, relative to the best, are left out.
const MIN_WEIGHT: f64 = 0.01;
/// The largest number of divisions that are kept: those with the largest weights.
const MAX_ALTERNATIVES: usize = 32;

/// Weights the divisions that differ from the chosen one in the position of one break, and those of
/// `counts` (the best ones with other numbers of intervals). A weight is exp(-Δ/2), Δ the
/// difference of the criterion, which approximates the posterior probability (Raftery 1995). If
/// only a share of the points counts as independent, Δ is multiplied by that share. `drawn` are the
/// divisions chosen on [disturbed](super::bootstrap) data: how often a division was chosen there is
/// half of its weight. `confidence` applies to the plausible positions.
pub(crate) fn weigh(
    ordered: &OrderedPoints,
    chosen: &Candidate,
    counts: &[Candidate],
    drawn: &[Candidate],
    independent: f64,
    confidence: f64,
) -> Weighted {
    let best = &chosen.division;
    let breaks = best.breaks.len();
    // Divisions with the same number of breaks differ only in the residuals.
    let score = |rss| criterion(ordered, rss, ordered.columns() * (breaks + 1), breaks);
    let reference = score(best.rss);
    let weight = |difference: f64| (-0.5 * independent * difference).exp().min(1.0);
    let mut found: Vec<Other> = counts
        .iter()
        .filter(|c| c.division.breaks.len() != breaks)
        .map(|c| Other {
            breaks: c.division.breaks.clone(),
            segments: c.segments.clone(),
            weight: weight(c.score - chosen.score),
        })
        .collect();

    let gradual = transitions(ordered, best);
    let mut plausible = Vec::with_capacity(best.breaks.len());
    for (k, &boundary) in best.breaks.iter().enumerate() {
        let from = if k == 0 { 0 } else { best.breaks[k - 1] };
        let to = best.breaks.get(k + 1).copied().unwrap_or(ordered.values().len());
        let splits = ordered.splits(from, to);
        let own = splits.iter().find(|s| s.0 == boundary).map_or(best.rss, |s| s.1);
        let mut places: Vec<(usize, f64)> = splits
            .into_iter()
            .filter(|s| s.1.is_finite())
            .map(|(b, rss)| {
                let mut breaks = best.breaks.clone();
                breaks[k] = b;
                if b == boundary {
                    return (b, 1.0);
                }
                let weight = weight(score((best.rss - own + rss).max(0.0)) - reference);
                found.push(Other { breaks, segments: chosen.segments.clone(), weight });
                (b, weight)
            })
            .collect();
        let likely = |difference: f64| (-0.5 * independent * difference).clamp(-700.0, 700.0).exp();
        for &(gap, difference) in &gradual[k] {
            match places.iter_mut().find(|place| place.0 == gap) {
                Some(place) => place.1 += likely(difference),
                None => places.push((gap, likely(difference))),
            }
        }
        places.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let all: f64 = places.iter().map(|p| p.1).sum();
        let (mut low, mut high, mut sum) = (boundary, boundary, 0.0);
        for (b, heavy) in places {
            if sum >= confidence * all {
                break;
            }
            sum += heavy;
            low = low.min(b);
            high = high.max(b);
        }
        plausible.push((low, high));
    }

    found.retain(|other| other.weight >= MIN_WEIGHT);
    let all = 1.0 + found.iter().map(|other| other.weight).sum::<f64>();
    found.iter_mut().for_each(|other| other.weight /= all);
    add_drawn(&mut found, best, drawn);
    found.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.breaks.cmp(&b.breaks)));
    found.truncate(MAX_ALTERNATIVES);
    Weighted { others: found, plausible }
}

/// Halves the weights and gives the other half to the divisions that were drawn; the best division
/// gets the rest.
fn add_drawn(others: &mut Vec<Other>, best: &Division, drawn: &[Candidate]) {
    if drawn.is_empty() {
        return;
    }
    others.iter_mut().for_each(|other| other.weight /= 2.0);
    let each = 0.5 / (drawn.len() + 1) as f64;
    for candidate in drawn.iter().filter(|candidate| candidate.division.breaks != best.breaks) {
        let breaks = &candidate.division.breaks;
        match others.iter_mut().find(|other| other.breaks == *breaks) {
            Some(other) => other.weight += each,
            None => others.push(Other {
                breaks: breaks.clone(),
                segments: candidate.segments.clone(),
                weight: each,
            }),
        }
    }
}
