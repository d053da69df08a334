//! How often a loop is passed, as a function of the variables.

use cll_model::graph::Passages as Repeated;

use super::count::Count;

/// How often a loop is passed.
#[derive(Clone, Debug)]
pub(super) enum Passages {
    Counted(Count),
    /// No formula is near: by the nearest run.
    Nearest(Vec<(Vec<f64>, f64)>),
    /// Ranks have them in common, and whoever is free makes the next one.
    Common {
        /// The number of their sum, and its formula.
        number: usize,
        text: String,
        /// Those of one rank, on average.
        each: Box<Passages>,
    },
}

impl Passages {
    pub(super) fn value_at(&self, values: &[f64]) -> f64 {
        match self {
            Passages::Counted(count) => count.value_at(values).max(0.0),
            Passages::Nearest(points) => nearest(points, values),
            Passages::Common { each, .. } => each.value_at(values),
        }
    }

    pub(super) fn text(&self) -> String {
        match self {
            Passages::Counted(count) => count.text(),
            Passages::Nearest(_) => "no formula".to_owned(),
            Passages::Common { text, .. } => format!("a share of {text}"),
        }
    }

    pub(super) fn is_exact(&self) -> bool {
        match self {
            Passages::Counted(count) => count.is_exact,
            Passages::Nearest(_) => false,
            Passages::Common { .. } => true,
        }
    }

    /// How often the steps of a rank repeat.
    pub(super) fn repeated(&self, values: &[f64]) -> Repeated {
        match self {
            Passages::Common { number, .. } => Repeated::Common(*number),
            // Formulas that are only near a number of passages have parts of them.
            exact if exact.is_exact() => Repeated::Times(exact.value_at(values).round()),
            near => Repeated::Times(near.value_at(values)),
        }
    }
}

/// The number at the nearest point, by ratios.
fn nearest(points: &[(Vec<f64>, f64)], values: &[f64]) -> f64 {
    let away = |position: &[f64]| -> f64 {
        let ratio = |(left, other): (&f64, &f64)| (left.max(1e-9) / other.max(1e-9)).ln().abs();
        position.iter().zip(values).map(ratio).sum()
    };
    let by = |left: &&(Vec<f64>, f64), other: &&(Vec<f64>, f64)| {
        away(&left.0).total_cmp(&away(&other.0))
    };
    points.iter().min_by(by).map_or(0.0, |point| point.1)
}

/// Values as a key.
pub(super) fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}
