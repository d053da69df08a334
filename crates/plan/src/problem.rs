//! Defines what a plan is made for: candidates, possible formulas, measured points, targets.

use crate::noise::Noise;

/// A point that may be measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Values of [`Problem::variables`], in that order.
    pub values: Vec<f64>,
    /// The part of the budget that one run at this point takes.
    pub cost: f64,
}

/// A point that was measured already.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredPoint {
    /// Values of [`Problem::variables`].
    pub values: Vec<f64>,
    /// The measured value, in the unit of the observable.
    pub value: f64,
    /// Number of repetitions.
    pub runs: u32,
}

/// A formula that may be the right one. A row has the derivatives of its value by its constants.
#[derive(Clone, Debug, PartialEq)]
pub struct Belief {
    /// How probable it is beside the others of its subject.
    pub weight: f64,
    /// A row for each candidate.
    pub rows: Vec<Vec<f64>>,
    /// The value at each candidate.
    pub values: Vec<f64>,
    /// A row for each measured point.
    pub measured: Vec<Vec<f64>>,
    /// A row and a value for each target.
    pub targets: Vec<(Vec<f64>, f64)>,
}

/// A gap in which the constants change somewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// The largest value of the axis that is known to lie on the left.
    pub low: f64,
    /// The smallest one known to lie on the right.
    pub high: f64,
    /// The axis: a variable or an expression.
    pub axis: String,
    /// The value of the axis at each candidate.
    pub axis_values: Vec<f64>,
}

/// The subject of the measurement: an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// The formulas that are possible; at least one.
    pub beliefs: Vec<Belief>,
    /// The points that were already measured.
    pub measured: Vec<MeasuredPoint>,
    /// How measurements vary.
    pub noise: Noise,
    /// The gaps of boundaries.
    pub gaps: Vec<Gap>,
}

/// The problem that a plan is made for.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The variables that are varied.
    pub variables: Vec<String>,
    /// The points that may be measured.
    pub candidates: Vec<Candidate>,
    /// The experiments.
    pub subjects: Vec<Subject>,
    /// Runs of each chosen point.
    pub runs: u32,
    /// How many points are chosen at most.
    pub most: usize,
    /// The share of the budget for points where no measurement is near.
    pub fill: f64,
}

impl Problem {
    /// Returns the part of the budget that measuring a candidate takes: all its runs.
    pub(crate) fn cost(&self, candidate: usize) -> f64 {
        self.candidates[candidate].cost * f64::from(self.runs)
    }
}

/// All combinations of the values of several variables, the first varying fastest.
pub fn combinations(values: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut all = vec![Vec::new()];
    for own in values.iter().rev() {
        all = own
            .iter()
            .flat_map(|value| all.iter().map(move |rest: &Vec<f64>| [&[*value][..], rest].concat()))
            .collect();
    }
    all.sort_by(|a: &Vec<f64>, b| {
        let pairs = a.iter().rev().zip(b.iter().rev());
        pairs.map(|(a, b)| a.total_cmp(b)).find(|o| o.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
    });
    all
}
