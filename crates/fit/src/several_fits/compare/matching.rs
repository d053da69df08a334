//! Which constants, places and boundaries of two fits belong together.

use crate::several_fits::compare::BoundaryChange;
use crate::{Boundary, Fit};

/// Constants of both fits; each side is a constant and its segment.
pub(crate) struct Pair {
    pub(crate) old: (usize, usize),
    pub(crate) new: (usize, usize),
}

/// All pairs, and the constants without a partner.
pub(crate) struct Pairs {
    pub(crate) constants: Vec<Pair>,
    pub(crate) gone: Vec<String>,
    pub(crate) added: Vec<String>,
}

/// Constants belong together if their terms are the same expression; segments, if they hold at the
/// same measured points.
pub(crate) fn pairs(old: &Fit, new: &Fit) -> Pairs {
    let mut pairs = Pairs { constants: Vec::new(), gone: Vec::new(), added: Vec::new() };
    for (term, constant) in new.constants.iter().enumerate() {
        let Some(before) = old.constants.iter().position(|other| other.term == constant.term)
        else {
            pairs.added.push(constant.constant.clone());
            continue;
        };
        let mut own: Vec<((usize, usize), usize)> = Vec::new();
        let mut add = |a: Option<usize>, b: Option<usize>| {
            let (Some(a), Some(b)) = (a, b) else { return };
            match own.iter_mut().find(|known| known.0 == (a, b)) {
                Some(known) => known.1 += 1,
                None => own.push(((a, b), 1)),
            }
        };
        let segment = |fit: &Fit, term: usize, at: Option<Vec<f64>>| fit.segment_at(term, &at?);
        for fit in [old, new] {
            for residual in fit.residuals.iter().filter(|r| r.excluded.is_none()) {
                let values_in = |to: &Fit| values(fit, &residual.values, to);
                add(segment(old, before, values_in(old)), segment(new, term, values_in(new)));
            }
        }
        // Each segment with the one with which it shares most points.
        let most = |by: &dyn Fn(&(usize, usize)) -> usize, which: usize| {
            let sharing = own.iter().filter(|known| by(&known.0) == which);
            sharing.max_by_key(|known| known.1).map(|known| known.0)
        };
        let mut found: Vec<(usize, usize)> = Vec::new();
        let each = (0..constant.segments.len()).map(|b| most(&|pair| pair.1, b));
        let other = (0..old.constants[before].segments.len()).map(|a| most(&|pair| pair.0, a));
        for pair in each.chain(other).flatten() {
            if !found.contains(&pair) {
                found.push(pair);
            }
        }
        found.sort_by_key(|&(a, b)| (b, a));
        let pair = |(a, b)| Pair { old: (before, a), new: (term, b) };
        pairs.constants.extend(found.into_iter().map(pair));
    }
    let gone =
        old.constants.iter().filter(|values| new.constants.iter().all(|o| o.term != values.term));
    pairs.gone = gone.map(|values| values.constant.clone()).collect();
    pairs
}

/// Values of the variables of another fit, from a measured point; `None` if one was not recorded.
fn values(from: &Fit, recorded: &[f64], to: &Fit) -> Option<Vec<f64>> {
    let value = |name: &String| {
        let column = from.recorded.iter().position(|other| other == name);
        match column {
            Some(column) => recorded.get(column).copied(),
            // A variable that had one value when the other fit was made.
            None => {
                let range = to.domain.iter().find(|range| range.variable == *name)?;
                (range.distinct == 1).then_some(range.low)
            }
        }
    };
    to.variables.iter().map(value).collect()
}

/// A place in the variables of both fits.
pub(crate) struct MatchedPoint {
    pub(crate) old: Vec<f64>,
    pub(crate) new: Vec<f64>,
}

/// Measured places of both fits, at most `most`, evenly from the smallest to the largest value; if
/// there are none, those of the new fit that lie inside the old data.
pub(crate) fn common(old: &Fit, new: &Fit, most: usize) -> Vec<MatchedPoint> {
    let place = |residual: &crate::Residual| {
        let old = values(new, &residual.values, old)?;
        Some(MatchedPoint { old, new: values(new, &residual.values, new)? })
    };
    let places_of = |fit: &Fit, other: &Fit| -> Vec<Vec<f64>> {
        let used = fit.residuals.iter().filter(|r| r.excluded.is_none());
        used.filter_map(|r| values(fit, &r.values, other)).collect()
    };
    let measured = places_of(old, old);
    let mut all: Vec<(f64, MatchedPoint)> = new
        .residuals
        .iter()
        .filter(|r| r.excluded.is_none())
        .filter_map(|r| Some((r.fitted, place(r)?)))
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all.dedup_by(|a, b| a.1.new == b.1.new);
    let known = |place: &MatchedPoint| measured.contains(&place.old);
    let inside = |place: &MatchedPoint| {
        old.terms_at(&place.old).is_ok_and(|here| !here.domain.is_extrapolation())
    };
    let both = all.iter().any(|(_, place)| known(place));
    let mut kept: Vec<MatchedPoint> = all
        .into_iter()
        .map(|(_, place)| place)
        .filter(|place| if both { known(place) } else { inside(place) })
        .collect();
    if kept.len() > most {
        let last = kept.len() - 1;
        let wanted: Vec<usize> = (0..most).map(|k| k * last / (most - 1).max(1)).collect();
        let mut index = 0;
        kept.retain(|_| {
            index += 1;
            wanted.contains(&(index - 1))
        });
    }
    kept
}

/// The boundaries of both fits, those along the same axis in their order.
pub(crate) fn boundaries(old: &Fit, new: &Fit) -> Vec<BoundaryChange> {
    let (mut before, now) = (all(old), all(new));
    let mut changes = Vec::new();
    for (axis, boundary) in now {
        let overlap = |other: &Boundary| {
            let (a, b) = (other.plausible, boundary.plausible);
            a.0 < b.1 && b.0 < a.1
        };
        let same = |candidate: &(String, Boundary)| candidate.0 == axis;
        let off = |other: &Boundary| (other.at - boundary.at).abs();
        let near = before
            .iter()
            .enumerate()
            .filter(|(_, pair)| same(pair))
            .min_by(|a, b| off(&a.1.1).total_cmp(&off(&b.1.1)))
            .map(|(k, _)| k);
        let partner = near.map(|k| before.remove(k).1);
        let moved = partner.as_ref().is_none_or(|partner| !overlap(partner));
        changes.push(BoundaryChange { axis, old: partner, new: Some(boundary), moved });
    }
    let gone = before.into_iter().map(|(axis, boundary)| BoundaryChange {
        axis,
        old: Some(boundary),
        new: None,
        moved: true,
    });
    changes.extend(gone);
    changes
}

fn all(fit: &Fit) -> Vec<(String, Boundary)> {
    let axis = fit.axis.clone().unwrap_or_default();
    let along_one = fit.places().into_iter().map(|place| (axis.clone(), place));
    let splits = fit.splits.iter().map(|split| (split.axis.clone(), split.boundary.clone()));
    along_one.chain(splits).collect()
}
