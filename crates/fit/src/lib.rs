//! From samples to constants, intervals of validity and predictions.
//!
//! [`fit`] takes a formula and [`Data`] (points with all their repetitions) and gives a [`Fit`]:
//! constants by weighted least squares, the intervals in which they are valid, quality measures,
//! and warnings as sentences. [`Fit::predict`] gives values with a prediction band and says whether
//! they are inside or outside the data. Methods, reasons and references: `docs/statistics.md`; the
//! file format of a fit: `docs/formats/fit.md`.
//!
//! The folders, in the order in which a fit is made:
//!
//! - `input`: points and options become samples, with weights and along axes.
//! - `solve`: samples in the order of an axis, and a division of them, become constants and residuals.
//! - `intervals`, `regions`, `levels`: samples become the places where constants change: along an axis, along several, or
//!   from level to level.
//! - `quality`: residuals and repetitions become tests, errors, and other formulas that are better.
//! - `fit`: a formula and data become a [`Fit`] through all of these.
//! - `warning`: what a user should know about a fit or a prediction becomes a sentence.
//! - `prediction`: a [`Fit`] and values of its variables become a [`Prediction`].
//! - `result`: the values that are given back.
//! - `several_fits`: fits become a comparison, or get constants that they share.
//! - `measuring`: rounds of measuring become a selection, and what measuring costs.
//! - `numerics`: linear algebra and distributions.
//!
//! Nothing here reads files, the clock or the environment, or knows of C or traces.
#![forbid(unsafe_code)]

mod fit;
mod input;
mod intervals;
mod levels;
mod measuring;
mod numerics;
mod prediction;
mod quality;
mod regions;
mod result;
mod several_fits;
mod solve;
mod warning;

pub use fit::{HeldOut, HeldOutPoint, fit, fit_powers, hold_out};
pub use input::{
    Aggregate, Data, Intervals, Loss, Observations, Options, Outliers, Point, RunStretch, Unit,
    Weights,
};
pub use measuring::{
    Bounds, Cost, MIN_PAIRS, Overhead, OverheadStart, Pair, Regions, cost, overhead, rounds,
};
pub use numerics::vectors;
pub use prediction::{Completed, TermsAt, WorkingSet};
pub use quality::{
    Growth, Widest, growths, is_hopeless, is_misfit, rare_growths, remaining, widest_constant,
    width,
};
pub use result::{
    Alternative, Band, BetweenRegions, BetweenRuns, Bound, Boundary, ConstantValues, Correction,
    CorrectionAxis, CorrectionKernel, CorrectionPoint, Dependency, Direction, Domain, Estimate,
    Exclusion, Exponent, Fit, FitError, HeldOutValue, Interval, LackOfFit, LevelChange,
    OneInterval, OtherFormula, PredictError, Prediction, Quality, Range, Residual, RunDeviation,
    Runs, Segment, Split, Spread, Widening,
};
pub use several_fits::{
    BoundaryChange, Change, CompareError, CompareOptions, ConstantChange, FitComparison, Moved,
    ShareError, SharedConstant, ValueChange, compare, compare_among, share,
};
pub use warning::{Sentence, Warning, first_call, sentences};
