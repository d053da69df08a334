//! Other divisions that the data leave possible, weighted by the criterion.

use super::{Division, Line};

/// A division's weight beside the best one's.
pub(crate) struct Weighted {
    /// Divisions with their weights, heaviest first; with that of the best one they add to 1.
    pub(crate) others: Vec<(Vec<usize>, f64)>,
    /// For each break the smallest and the largest plausible value index.
    pub(crate) plausible: Vec<(usize, usize)>,
}

/// Divisions lighter than this beside the best are left out...
const LIGHTEST: f64 = 0.01;
/// ...and beyond so many the lightest too.
const MOST: usize = 12;

/// Weighs the divisions that differ from `best` in the place of one break, and those of `counts`
/// (the best ones with other numbers of intervals): exp(-Δ/2) of the criterion, which approximates
/// their posterior probabilities (Raftery 1995). `confidence` is for the plausible places.
pub(crate) fn weigh(
    line: &Line,
    best: &Division,
    counts: &[Division],
    confidence: f64,
) -> Weighted {
    let reference = best.criterion(line);
    let weight = |d: &Division| (-0.5 * (d.criterion(line) - reference)).exp().min(1.0);
    let mut found: Vec<(Vec<usize>, f64)> = counts
        .iter()
        .filter(|d| d.breaks.len() != best.breaks.len())
        .map(|d| (d.breaks.clone(), weight(d)))
        .collect();

    let mut plausible = Vec::with_capacity(best.breaks.len());
    for (k, &at) in best.breaks.iter().enumerate() {
        let from = if k == 0 { 0 } else { best.breaks[k - 1] };
        let to = best.breaks.get(k + 1).copied().unwrap_or(line.values().len());
        let splits = line.splits(from, to);
        let own = splits.iter().find(|s| s.0 == at).map_or(best.rss, |s| s.1);
        let mut places: Vec<(usize, f64)> = splits
            .into_iter()
            .filter(|s| s.1.is_finite())
            .map(|(b, rss)| {
                let mut breaks = best.breaks.clone();
                breaks[k] = b;
                let division = Division { breaks, rss: (best.rss - own + rss).max(0.0) };
                let heavy = if b == at { 1.0 } else { weight(&division) };
                if b != at {
                    found.push((division.breaks, heavy));
                }
                (b, heavy)
            })
            .collect();
        places.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let all: f64 = places.iter().map(|p| p.1).sum();
        let (mut low, mut high, mut sum) = (at, at, 0.0);
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

    found.retain(|(_, weight)| *weight >= LIGHTEST);
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    found.truncate(MOST);
    let all = 1.0 + found.iter().map(|f| f.1).sum::<f64>();
    found.iter_mut().for_each(|f| f.1 /= all);
    Weighted { others: found, plausible }
}
