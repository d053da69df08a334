//! W: what is computed.

use std::sync::Arc;

use cll_units::Seconds;

/// Index of a parameter of the model: a constant, a g, an L.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Parameter(pub u32);

impl Parameter {
    /// Returns the index of the parameter in a list of values.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A constant times the value of its term at some point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// The constant.
    pub parameter: Parameter,
    /// The factor of the constant.
    pub factor: f64,
}

/// Computation of the processors of a machine object, in parameters that are linear: so a program need
/// not be built again for other constants.
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    /// The same on all: Σ factor · parameter, seconds.
    Same(Vec<Term>),
    /// A factor for each processor, each multiplied by the same parameter (for instance measured seconds by 1).
    Each {
        /// The parameter.
        parameter: Parameter,
        /// By processor.
        factors: Arc<[f64]>,
    },
}

impl Work {
    /// For how many processors it is given; `None`: for any number.
    pub(crate) fn len(&self) -> Option<usize> {
        match self {
            Work::Same(_) => None,
            Work::Each { factors, .. } => Some(factors.len()),
        }
    }

    /// The time of a processor.
    pub fn seconds(&self, processor: usize, values: &[f64]) -> Seconds {
        Seconds(match self {
            Work::Same(terms) => same(terms, values),
            Work::Each { parameter, factors } => factors[processor] * values[parameter.index()],
        })
    }

    /// Adds each processor's seconds to its time.
    pub(crate) fn add(&self, values: &[f64], now: &mut [f64]) {
        match self {
            Work::Same(terms) => {
                let seconds = same(terms, values);
                now.iter_mut().for_each(|time| *time += seconds);
            }
            Work::Each { parameter, factors } => {
                let value = values[parameter.index()];
                now.iter_mut()
                    .zip(factors.iter())
                    .for_each(|(time, factor)| *time += factor * value);
            }
        }
    }

    /// The terms of a processor.
    pub(crate) fn terms(&self, processor: usize, mut each: impl FnMut(Term)) {
        match self {
            Work::Same(terms) => terms.iter().copied().for_each(each),
            Work::Each { parameter, factors } => {
                each(Term { parameter: *parameter, factor: factors[processor] });
            }
        }
    }
}

fn same(terms: &[Term], values: &[f64]) -> f64 {
    terms.iter().map(|term| term.factor * values[term.parameter.index()]).sum()
}
