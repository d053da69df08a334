//! Which divisions other samples of the same program might have led to (parametric bootstrap).
//!
//! If a formula only approximates the truth, no division is the right one, and chance decides which
//! of many is chosen; the criterion of one sample is much too certain (Huggins and Miller,
//! *Reproducible model selection using bagged posteriors*, 2023). So the choice is repeated on data
//! with new noise.

use cll_statistics::normal;
use fastrand::Rng;

use super::candidate::Candidate;
use super::chosen_division::{Fitted, divide};
use crate::solve::{Sigma, ranges};
use crate::{Intervals, Options};

/// Number of draws if there are at most this many values of the axis. The work of one draw grows
/// with the square of that number.
const DRAWS: usize = 24;
const VALUES: usize = 80;
/// With fewer values there are few divisions, and these draws are enough.
const FEW_VALUES: usize = 32;
const FEW_DRAWS: usize = 6;

/// The divisions chosen on data with added noise, as large as the residual standard deviation.
/// Empty if only one division is possible. Deterministic: equal data give equal divisions.
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
