//! How the time of an experiment grows.

use cll_fit::{Fit, Range};

/// The term of a formula that decides for large values of a variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// The variable: that of the intervals, or the one with most values.
    pub variable: String,
    /// The term: `N*log2(N)/P`; `1` for a constant.
    pub term: String,
    /// By what it is multiplied from one large value to the double one: 2 for `N`, 4 for `N^2`.
    pub factor: f64,
}

/// This many times the largest measured value is large.
const LARGE: f64 = 1024.0;

impl Growth {
    /// Finds the growth of a fit by the constants of its last interval; `None` if no constant is above zero, or a term
    /// cannot be evaluated there.
    pub fn from_fit(fit: &Fit) -> Option<Growth> {
        let last = fit.intervals.last()?;
        let along = fit.axis.as_ref().filter(|axis| fit.variables.contains(axis));
        let most = || fit.variables.iter().max_by_key(|name| Some(range(fit, name)?.distinct));
        let variable = along.or_else(most)?;
        let point_at = |times: f64| -> Option<Vec<f64>> {
            let value = |name: &String| {
                let high = range(fit, name)?.high;
                Some(if name == variable { high * times } else { high })
            };
            fit.variables.iter().map(value).collect()
        };
        let (large, double) = (point_at(LARGE)?, point_at(2.0 * LARGE)?);
        let terms = |point: &[f64]| fit.terms_at(point).ok().map(|terms_at| terms_at.terms);
        let (here, there) = (terms(&large)?, terms(&double)?);
        let named = fit.owners().into_iter().map(|term| &fit.constants[term]);
        let each = last.solution.iter().zip(here.iter().zip(&there)).zip(named);
        let grown = each.filter(|((constant, _), _)| **constant > 0.0).map(
            |((constant, (here, there)), named)| {
                let (variable, term) = (variable.clone(), named.term.clone());
                let growth = Growth { variable, term, factor: there / here };
                (growth, constant * there)
            },
        );
        // Among terms that grow alike the one with most of the time.
        let rank = |(growth, size): &(Growth, f64)| ((growth.factor * 1e6).round(), *size);
        let finite = grown.filter(|(growth, size)| growth.factor.is_finite() && size.is_finite());
        let fastest = finite.max_by(|a, b| {
            let ((a, own), (b, other)) = (rank(a), rank(b));
            a.total_cmp(&b).then(own.total_cmp(&other))
        });
        fastest.map(|(growth, _)| growth)
    }
}

fn range<'a>(fit: &'a Fit, variable: &str) -> Option<&'a Range> {
    fit.domain.iter().find(|range| range.variable == variable)
}
