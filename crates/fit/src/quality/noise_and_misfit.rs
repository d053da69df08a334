//! The chosen division against the data: the noise, and what the formula misses.

use super::autocorrelation::independent_share;
use super::exact::missed;
use super::measures::residuals;
use super::residual_tests::lack_of_fit;
use crate::input::Samples;
use crate::intervals::Fitted;
use crate::solve::{Sigma, Table, moderated, pooled, tables};
use crate::{LackOfFit, Residual};

/// Spreads, constants and errors of a division.
pub(crate) struct Assessed {
    /// Residual standard deviation over all intervals.
    pub(crate) all: Option<Sigma>,
    /// Residual standard deviation in each interval.
    pub(crate) each: Vec<Option<Sigma>>,
    /// The share of the points that count as independent.
    pub(crate) independent: f64,
    /// The test of the formula by repetitions. If the formula is right, the criterion alone says how certain the
    /// division is.
    pub(crate) lack: Option<LackOfFit>,
    /// Constants of each interval.
    pub(crate) tables: Vec<Table>,
    pub(crate) residuals: Vec<Residual>,
    /// Whether the formula misses observations that repeat exactly.
    pub(crate) missed: bool,
}

impl Assessed {
    /// `interval_of` gives the interval or the region of a point by its recorded values.
    pub(crate) fn new(
        samples: &Samples,
        fitted: &Fitted,
        interval_of: &dyn Fn(&[f64]) -> usize,
    ) -> Assessed {
        let Fitted { ordered, solved, .. } = fitted;
        let division = &fitted.chosen.division;
        let all = pooled(solved, samples);
        let each = moderated(solved, all, samples.inflation);
        let tables = tables((&fitted.basis, ordered), samples.terms, solved, &each);
        let residuals = residuals(samples, fitted, interval_of, &tables);
        Assessed {
            independent: independent_share(ordered, &division.breaks, solved),
            lack: lack_of_fit(samples, ordered, division, solved),
            missed: samples.exact && missed(&residuals).is_some(),
            all,
            each,
            tables,
            residuals,
        }
    }
}
