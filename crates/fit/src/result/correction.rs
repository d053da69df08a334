//! How predictions between measured points follow the data: the values that a fit stores for it.

use serde::{Deserialize, Serialize};

/// How the measurements differ from a formula that does not fit, as a function of the variables.
/// Predictions between measured values follow it. ln(measured / formula), the formula with one set
/// of constants, is a Gaussian process over the logarithms of the axes (ordinary kriging; Rasmussen
/// and Williams 2006).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Correction {
    /// The formula's variables, and the products and quotients of variables that occur in it.
    pub axes: Vec<CorrectionAxis>,
    /// The constants, in the order of the terms, of the formula that the correction is multiplied
    /// by.
    pub solution: Vec<f64>,
    /// The fitted points.
    pub points: Vec<CorrectionPoint>,
    /// Kernels of the process with their weights, which add to 1.
    #[serde(rename = "shapes")]
    pub kernels: Vec<CorrectionKernel>,
    /// Degrees of freedom of each kernel's sigma.
    pub dof: f64,
    /// Cross-validation error: the mean absolute value of ln(measured / predicted), each value of a
    /// variable but the smallest and the largest left out in turn.
    pub error: f64,
    /// The same error of the formula alone.
    pub formula_error: f64,
}

/// A coordinate of the process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CorrectionAxis {
    /// A variable, or an expression such as `N/P`.
    pub name: String,
    /// Whether the coordinate is the logarithm: if all values are positive.
    pub logarithm: bool,
    /// The range of the measured coordinates; distances are shares of it.
    pub range: f64,
}

/// A measured point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CorrectionPoint {
    /// The coordinates of the point, divided by the ranges of the axes.
    pub at: Vec<f64>,
    /// ln(measured / formula).
    pub log_ratio: f64,
}

/// A possible kernel of the process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CorrectionKernel {
    /// The weight of the kernel, by the likelihood of the measurements.
    pub weight: f64,
    /// Correlation length along each axis, as a share of its range; `None`: infinite.
    pub lengths: Vec<Option<f64>>,
    /// Whether the process is smooth (Matérn's correlation function with parameter 5/2) or may jump
    /// (1/2).
    pub smooth: bool,
    /// Variance of a measurement divided by that of the process.
    pub noise: f64,
    /// Mean of the process.
    pub mean: f64,
    /// Standard deviation of the process.
    pub sigma: f64,
}
