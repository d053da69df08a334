//! From samples to constants, intervals of validity and predictions.
//!
//! [`fit`] takes a formula and [`Data`] (points with all their repetitions) and gives a [`Fit`]:
//! constants by weighted least squares, the intervals in which they are valid, quality measures,
//! and warnings as sentences. [`Fit::predict`] gives values with a prediction band and says whether
//! they are inside or outside the data. Methods, reasons and references: `docs/statistics.md`; the
//! file format of a fit: `docs/formats/fit.md`.
//!
//! Nothing here reads files, the clock or the environment, or knows of C or traces.
#![forbid(unsafe_code)]

mod alternatives;
mod assessed;
mod axis;
mod between_runs;
mod build_fit;
mod carried;
mod cleaning;
mod columns;
mod compare;
mod completed;
mod consistent;
mod constant_values;
mod constants;
mod correction;
mod data;
mod dependence;
mod dependent;
mod design;
mod diagnose;
mod distributions;
mod disturbed;
mod divisions;
mod domain;
mod error;
mod exact;
mod extrapolation;
mod first_call;
mod fit;
mod fitted;
mod fitting;
mod gap;
mod growth;
mod held_out;
mod inflate_intervals;
mod intervals;
mod joins;
mod left_out;
mod levels;
mod linalg;
mod loss;
mod mixture;
mod negative;
mod neighbours;
mod options;
mod other_formula;
mod overhead;
mod power;
mod precision;
mod predict;
mod predict_region;
mod quality;
mod regions;
mod repetitions;
mod result;
mod robust;
pub mod rounds;
mod runs;
mod samples;
mod segments;
mod sentences;
mod share;
mod share_error;
mod single_run;
mod solved;
mod spread;
mod support;
mod tables;
mod text;
mod together;
mod transitions;
pub mod vectors;
mod warn;
mod warning;
mod working_set;

pub use compare::{
    BoundaryChange, Change, CompareError, CompareOptions, ConstantChange, FitComparison, Moved,
    ValueChange, compare, compare_among,
};
pub use completed::Completed;
pub use data::{Data, Observations, Point, RunStretch, Unit};
pub use error::{FitError, PredictError};
pub use first_call::first_call;
pub use fit::fit;
pub use growth::{Growth, growths, rare_growths};
pub use held_out::{HeldOut, HeldOutPoint, hold_out};
pub use options::{Aggregate, Intervals, Loss, Options, Outliers, Weights};
pub use overhead::{
    Bounds, Cost, MIN_PAIRS, Overhead, OverheadStart, Pair, Regions, cost, overhead,
};
pub use power::fit_powers;
pub use precision::{Widest, is_hopeless, is_misfit, remaining, widest_constant, width};
pub use predict::TermsAt;
pub use result::{
    Alternative, Band, BetweenRegions, BetweenRuns, Bound, Boundary, ConstantValues, Correction,
    CorrectionAxis, CorrectionKernel, CorrectionPoint, Dependency, Direction, Domain, Estimate,
    Exclusion, Exponent, Fit, HeldOutValue, Interval, LackOfFit, LevelChange, OneInterval,
    OtherFormula, Prediction, Quality, Range, Residual, Runs, Segment, Split, Spread, Widening,
};
pub use sentences::{Sentence, sentences};
pub use share::{SharedConstant, share};
pub use share_error::ShareError;
pub use single_run::RunDeviation;
pub use warning::Warning;
pub use working_set::WorkingSet;
