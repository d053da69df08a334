//! The constants of fitted models beside those that functions imply.

use super::Candidate;
use crate::compare::{Comparison, ConstantRow, constants};
use crate::evaluate::Evaluator;
use crate::normal::deviations;
use crate::value::Quantity;

impl Evaluator<'_> {
    /// The constants of each fitted model beside those that functions imply.
    pub(super) fn compare_constants(
        &mut self,
        candidates: &[Candidate<'_>],
        comparison: &mut Comparison,
    ) {
        let z = deviations(comparison.confidence);
        for (at_fit, fitted) in candidates.iter().enumerate() {
            let Some(model) = &fitted.model else { continue };
            let Ok(only) = model.only() else { continue };
            let Ok(fit) = model.fit(only) else { continue };
            if !fit.exponents.is_empty() {
                continue;
            }
            for (k, other) in candidates.iter().enumerate() {
                if k == at_fit || other.model.is_some() {
                    continue;
                }
                let order: Option<Vec<usize>> = fit
                    .variables
                    .iter()
                    .map(|name| comparison.variables.iter().position(|known| known == name))
                    .collect();
                let Some(order) = order else { continue };
                for interval in 0..fit.intervals.len() {
                    let mut places = Vec::new();
                    let mut values = Vec::new();
                    for point in &comparison.points {
                        let at: Vec<f64> =
                            order.iter().map(|index| point.coordinates[*index]).collect();
                        let here = fit.terms_at(&at).is_ok_and(|terms| terms.interval == interval);
                        if let (true, Ok(value)) = (here, &point.values[k]) {
                            places.push(at);
                            values.push(value.clone());
                        }
                    }
                    let Ok((implied, misfit)) = constants(fit, &places, &values) else { continue };
                    if misfit > 0.01 {
                        comparison.misfits.push((other.name.clone(), misfit));
                    }
                    let place = match fit.intervals.len() {
                        1 => String::new(),
                        _ => interval_text(fit, interval),
                    };
                    for (term, implied) in implied.into_iter().enumerate() {
                        let estimate = &fit.intervals[interval].constants[term];
                        let Some(value) = estimate.value else { continue };
                        let parts = model.parts_of_constant(only, interval, term);
                        let unit = implied.unit.clone();
                        let own = Quantity { parts, ..Quantity::with_unit(value, unit) };
                        let difference = implied.plus(&own.negative());
                        comparison.constants.push(ConstantRow {
                            constant: estimate.constant.clone(),
                            term: fit
                                .constants
                                .get(term)
                                .map(|values| values.term.clone())
                                .unwrap_or_default(),
                            place: place.clone(),
                            agrees: difference.value.abs() <= z * difference.deviation(),
                            fitted: own,
                            model: other.name.clone(),
                            implied,
                        });
                    }
                }
            }
        }
    }
}

fn interval_text(fit: &cll_fit::Fit, interval: usize) -> String {
    let axis = fit.axis.as_deref().unwrap_or("region");
    let bounds = &fit.intervals[interval];
    match (bounds.low, bounds.high) {
        (None, Some(high)) => format!("{axis} <= {high}"),
        (Some(low), None) => format!("{axis} > {low}"),
        (Some(low), Some(high)) => format!("{low} < {axis} <= {high}"),
        (None, None) => format!("{axis} {}", interval + 1),
    }
}
