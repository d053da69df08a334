//! Mixtures of Student's t distributions: one component for each division into intervals.

use crate::distributions::{student, two_sided};

/// A t distribution (location, scale, degrees of freedom) with its weight in a mixture.
pub(crate) struct Component {
    pub(crate) weight: f64,
    pub(crate) value: f64,
    pub(crate) scale: f64,
    pub(crate) dof: f64,
}

impl Component {
    fn quantile(&self, share: f64) -> f64 {
        let t = two_sided((2.0 * share - 1.0).abs(), self.dof);
        self.value + self.scale * if share < 0.5 { -t } else { t }
    }
}

/// Quantile of the mixture, by bisection between the quantiles of its components.
pub(crate) fn quantile(components: &[Component], share: f64) -> f64 {
    let each = components.iter().map(|c| c.quantile(share));
    let (mut low, mut high) =
        each.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), q| (l.min(q), h.max(q)));
    let all: f64 = components.iter().map(|c| c.weight).sum();
    let below = |x: f64| -> f64 {
        let parts = components.iter().map(|c| {
            if c.scale <= 0.0 {
                return c.weight * f64::from(u8::from(x >= c.value));
            }
            c.weight * student((x - c.value) / c.scale, c.dof)
        });
        parts.sum::<f64>() / all
    };
    let width = 1e-9 * (high - low).abs();
    while high - low > width && high - low > f64::EPSILON * high.abs().max(low.abs()) {
        let middle = low + 0.5 * (high - low);
        if below(middle) < share { low = middle } else { high = middle }
    }
    low + 0.5 * (high - low)
}
