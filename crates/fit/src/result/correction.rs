//! How predictions between measured points follow the data: the values that a fit keeps of it.

use serde::{Deserialize, Serialize};

/// How measurements differ from a formula that does not fit, as a function of the place: predictions
/// between measured values follow it. The logarithm of measurement over formula (with one set of constants)
/// is a Gaussian process over the logarithms of the axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Correction {
    /// The formula's variables, and the products and quotients of variables that it speaks of.
    pub axes: Vec<CorrectionAxis>,
    /// The constants of the formula, in the order of its terms, that the correction is a factor to.
    pub solution: Vec<f64>,
    /// The points that were fitted.
    pub points: Vec<CorrectionPoint>,
    /// Shapes of the process with their weights, which add to 1.
    pub shapes: Vec<CorrectionShape>,
    /// Degrees of freedom of each shape's sigma.
    pub dof: f64,
    /// How good predictions are so, where each value of a variable is left out in turn but for the smallest
    /// and the largest: mean of the absolute values of the logarithms of measurement over prediction.
    pub error: f64,
    /// The same of the formula by itself.
    pub formula_error: f64,
}

/// A coordinate of the process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CorrectionAxis {
    /// A variable, or an expression such as `N/P`.
    pub name: String,
    /// Whether it is its logarithm, as where all values are positive.
    pub logarithm: bool,
    /// Distances are shares of this, the range of (logarithms of) measured values.
    pub range: f64,
}

/// A measured point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CorrectionPoint {
    /// Its coordinates: (logarithms of) the axes over their ranges.
    pub at: Vec<f64>,
    /// Logarithm of measurement over formula.
    pub log_ratio: f64,
}

/// A possible shape of the process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CorrectionShape {
    /// By how much the measurements favour it.
    pub weight: f64,
    /// Over what distance values hang together, for each axis; `None`: everywhere.
    pub lengths: Vec<Option<f64>>,
    /// Whether it changes smoothly (Matérn's correlation with parameter 5/2), or may jump (1/2).
    pub smooth: bool,
    /// Variance of a measurement over that of the process.
    pub noise: f64,
    /// Mean and standard deviation of the process.
    pub mean: f64,
    /// Standard deviation of the process.
    pub sigma: f64,
}
