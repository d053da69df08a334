//! Which divisions other samples of the same program might have led to.
//!
//! Where a formula only approximates the truth no division is the right one, and which of many is
//! chosen is chance; the criterion of one sample is far too sure of its own (Huggins and Miller,
//! *Reproducible model selection using bagged posteriors*, 2023). So the choice is made again on data
//! with new noise.

use cll_statistics::normal;
use fastrand::Rng;

use crate::fitted::{Fitted, divide};
use crate::segments::{Candidate, ranges};
use crate::spread::Sigma;
use crate::{Intervals, Options};

/// Draws where there are at most so many values of the axis; the work of one grows with their square.
const DRAWS: usize = 24;
const VALUES: usize = 80;
/// Fewer values than this leave few divisions, for which these draws are enough.
const FEW_VALUES: usize = 32;
const FEW_DRAWS: usize = 6;

/// The divisions chosen on data to which noise as large as the spread about the model was added; none
/// where only one division is possible. The same for the same data.
pub(crate) fn disturbed(
    fitted: &Fitted,
    each: &[Option<Sigma>],
    options: &Options,
) -> Vec<Candidate> {
    let Fitted { ordered, chosen, axis, .. } = fitted;
    let given = matches!(options.intervals, Intervals::ByHand { .. } | Intervals::None);
    if given || chosen.division.breaks.is_empty() || each.iter().any(Option::is_none) {
        return Vec::new();
    }
    let mut spread = vec![0.0; ordered.len()];
    for ((from, to), sigma) in ranges(ordered, &chosen.division).zip(each) {
        let sigma = sigma.map_or(0.0, |sigma| sigma.value);
        ordered.row_range(from, to).for_each(|row| spread[row] = sigma);
    }
    let values = ordered.values().len();
    let beyond = (values as f64 / VALUES as f64).max(1.0);
    let most = if values < FEW_VALUES { FEW_DRAWS } else { DRAWS };
    let draws = ((most as f64 / (beyond * beyond)) as usize).max(2);
    let mut random = Rng::with_seed(2003);
    let mut drawn = Vec::with_capacity(draws);
    for _ in 0..draws {
        let other = ordered.disturbed(|row| spread[row] * normal(|| random.f64()));
        let Ok(candidates) = divide(&other, *axis, options) else { continue };
        drawn.extend(candidates.into_iter().min_by(|a, b| a.score.total_cmp(&b.score)));
    }
    drawn
}
