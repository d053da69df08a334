//! Mixtures of Student's t distributions: one component for each division into intervals.

use super::distributions::{student_within, two_sided};

/// A t distribution (location, scale, degrees of freedom) with its weight in a mixture.
pub(crate) struct Component {
    pub(crate) weight: f64,
    pub(crate) value: f64,
    pub(crate) scale: f64,
    pub(crate) dof: f64,
}

/// Steps of the secant for each one that halves the bracket: a mixture with a component without width has a jump.
const SECANTS: usize = 3;

/// Quantile of the mixture: between the quantiles of its components, by secants that keep a bracket (the Illinois method).
pub(crate) fn quantile(components: &[Component], share: f64) -> f64 {
    let (mut low, mut high) = quantiles(components, share);
    let width = 1e-9 * (high - low).abs();
    let is_wide = |low: f64, high: f64| {
        high - low > width && high - low > f64::EPSILON * high.abs().max(low.abs())
    };
    if !is_wide(low, high) {
        return low + 0.5 * (high - low);
    }
    let (mut at_low, mut at_high) =
        (below(components, low) - share, below(components, high) - share);
    let mut step = 0;
    while is_wide(low, high) {
        step += 1;
        let secant = low - at_low * (high - low) / (at_high - at_low);
        let is_secant = step % (SECANTS + 1) != 0 && low < secant && secant < high;
        let middle = if is_secant { secant } else { low + 0.5 * (high - low) };
        let difference = below(components, middle) - share;
        if difference < 0.0 {
            (low, at_low, at_high) = (middle, difference, 0.5 * at_high);
        } else {
            (high, at_high, at_low) = (middle, difference, 0.5 * at_low);
        }
    }
    low + 0.5 * (high - low)
}

/// The smallest and the largest quantile of the components.
fn quantiles(components: &[Component], share: f64) -> (f64, f64) {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    // Most components have as many degrees of freedom as the one before.
    let mut known = (f64::NAN, f64::NAN);
    for component in components {
        if known.0 != component.dof {
            let t = two_sided((2.0 * share - 1.0).abs(), component.dof);
            known = (component.dof, if share < 0.5 { -t } else { t });
        }
        let quantile = component.value + component.scale * known.1;
        (low, high) = (low.min(quantile), high.max(quantile));
    }
    (low, high)
}

/// The share of a mixture below a value.
fn below(components: &[Component], value: f64) -> f64 {
    let all: f64 = components.iter().map(|component| component.weight).sum();
    let share = |component: &Component| {
        if component.scale <= 0.0 {
            return f64::from(u8::from(value >= component.value));
        }
        student_within((value - component.value) / component.scale, component.dof)
    };
    components.iter().map(|component| component.weight * share(component)).sum::<f64>() / all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn component(weight: f64, value: f64, scale: f64) -> Component {
        Component { weight, value, scale, dof: 12.0 }
    }

    #[test]
    fn the_share_below_a_quantile_is_the_one_asked_for() {
        let mixed =
            [component(0.6, 1.0, 0.01), component(0.3, 1.4, 0.2), component(0.1, 30.0, 3.0)];
        for share in [0.05, 0.3, 0.5, 0.9, 0.95, 0.995] {
            let value = quantile(&mixed, share);
            assert!((below(&mixed, value) - share).abs() < 1e-7, "{share}: {value}");
        }
    }

    #[test]
    fn a_component_without_width_is_a_jump() {
        let mixed = [component(0.5, 2.0, 0.0), component(0.5, 1.0, 0.1)];
        assert!((quantile(&mixed, 0.7) - 2.0).abs() < 1e-6);
        let exact = [component(1.0, 5.0, 0.0)];
        assert_eq!(quantile(&exact, 0.95), 5.0);
    }
}
