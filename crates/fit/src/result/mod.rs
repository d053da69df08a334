//! From the crate to its users: a fit with its constants, intervals, quality and residuals; a prediction; errors.

mod between_runs;
mod correction;
mod divisions;
mod exponent;
mod fit;
mod fit_error;
mod level_change;
mod other_formula;
mod predict_error;
mod prediction;
mod quality;
mod residual;
mod widening;

pub use between_runs::BetweenRuns;
pub use correction::{Correction, CorrectionAxis, CorrectionKernel, CorrectionPoint};
pub use divisions::{Bound, Boundary, Split};
pub(crate) use divisions::{bounds, is_tree, paths, union};
pub use exponent::{Direction, Exponent};
pub use fit::{
    Alternative, ConstantValues, Dependency, Estimate, Fit, HeldOutValue, Interval, Range, Segment,
};
pub use fit_error::FitError;
pub use level_change::LevelChange;
pub(crate) use level_change::parts;
pub use other_formula::OtherFormula;
pub use predict_error::PredictError;
pub use prediction::{Band, BetweenRegions, Domain, Prediction};
pub use quality::{LackOfFit, OneInterval, Quality, RunDeviation, Runs};
pub use residual::{Exclusion, Residual, Spread};
pub use widening::Widening;
