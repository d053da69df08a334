//! Repetitions that do not vary by themselves: their number makes nothing more certain.

use crate::input::Samples;
use crate::numerics::f_tail;
use crate::solve::Sigma;
use crate::{Aggregate, Widening};

/// Runs that differ by less do not matter.
const NEGLIGIBLE: f64 = 0.005;
/// Significance level: the test is made for every table.
const LEVEL: f64 = 1e-3;
/// The residuals of the fit are smaller by this factor than the spread of the repetitions allows, before repetitions
/// count as dependent.
const FAR_BELOW: f64 = 0.2;

/// By how much intervals are to be wider because the aggregates of the points lie much closer to the formula than
/// aggregates of independent repetitions could: the repetitions vary in the same way at all points, as those of two
/// machines do, and their number makes nothing more certain. `None` if they may be independent.
pub(crate) fn dependent(
    samples: &Samples,
    sigma: Option<Sigma>,
    relative: &dyn Fn(f64) -> f64,
) -> Option<Widening> {
    let repetitions = &samples.repetitions;
    let spread = repetitions.spread.filter(|spread| *spread > NEGLIGIBLE)?;
    let sigma = sigma?;
    let points = samples.points.len() as f64;
    let of_point = repetitions.observations as f64 / points;
    if samples.aggregate == Aggregate::All || repetitions.fewest < 2 || sigma.dof < 2.0 {
        return None;
    }
    // The median of normal numbers has a variance of at most pi/2 divided by their number.
    let left = spread * (std::f64::consts::FRAC_PI_2 / of_point).sqrt();
    let ratio = relative(sigma.value) / left;
    let freedom = repetitions.observations as f64 - points;
    let by_chance = f_tail(ratio * ratio, sigma.dof, freedom).map(|above| 1.0 - above)?;
    (ratio < FAR_BELOW && by_chance < LEVEL).then(|| Widening {
        common: left,
        fresh: spread,
        dof: freedom,
        ..Widening::default()
    })
}
