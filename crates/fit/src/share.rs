//! Constants that several experiments share.

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use crate::distributions::{f_tail, two_sided};
use crate::{Fit, Unit};

/// Constants with one value in several experiments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SharedConstant {
    /// Their names.
    pub constants: Vec<String>,
    /// The names of their experiments, where the caller knows them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub experiments: Vec<String>,
    /// For each the index of its fit among those that were given.
    #[serde(skip)]
    pub fits: Vec<usize>,
    /// The common value, in the experiments' unit.
    pub value: f64,
    /// Lower end of its confidence interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// The value that each experiment has alone.
    pub alone: Vec<f64>,
    /// The F test of equal values: its statistic.
    pub f: f64,
    /// Degrees of freedom above and below.
    pub dof: (f64, f64),
    /// Probability of values as different by chance.
    pub p_value: f64,
    /// Whether the data reject the common value: `p_value` is below 0.01.
    pub rejected: bool,
}

/// Why constants cannot be shared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShareError {
    /// No fit has a constant with this name.
    #[error("there is no constant {name}; there are {}", .known.join(", "))]
    Unknown {
        /// The name.
        name: String,
        /// The constants of all fits.
        known: Vec<String>,
    },
    /// Fewer than two constants.
    #[error("{name} alone cannot be shared: name the constants of two experiments or more")]
    Alone {
        /// The constant that was given.
        name: String,
    },
    /// Two constants of one experiment.
    #[error(
        "{first} and {second} belong to one experiment; constants are shared between experiments"
    )]
    OneExperiment {
        /// The one.
        first: String,
        /// The other.
        second: String,
    },
    /// A constant is in two groups.
    #[error("{name} is shared twice")]
    Twice {
        /// The name of the constant.
        name: String,
    },
    /// The experiments have different units.
    #[error("{first} is in {unit}, {second} in {other}")]
    Units {
        /// The one.
        first: String,
        /// The unit of the first experiment.
        unit: Unit,
        /// The other.
        second: String,
        /// The unit of the second experiment.
        other: Unit,
    },
    /// A fit with several intervals.
    #[error(
        "{name} cannot be shared: its experiment has {intervals} intervals; fit it with one (--intervals none)"
    )]
    Intervals {
        /// The constant.
        name: String,
        /// How many.
        intervals: usize,
    },
    /// A constant without a value or a standard error of its own.
    #[error("{name} cannot be shared: its own data do not determine it with a standard error")]
    Undetermined {
        /// The constant.
        name: String,
    },
}

/// Below this probability sharing is rejected.
const LEVEL: f64 = 0.01;

/// A constant: its fit, and its place there.
type Place = (usize, usize);

/// Gives each group of constants one value, and changes the other constants of their fits with it.
///
/// A group is a list of names, `f[1]` and `g[1]`; `[1]` alone means the constant with this index in
/// every fit. The fits are independent, each with the variance of its own residuals, so that the common
/// fit is the linear constraint on their solutions (Seber and Lee, *Linear Regression Analysis*, section
/// 3.8), and its F test is Wald's: approximate, since the variances are estimated.
///
/// # Errors
/// [`ShareError`] if a name is unknown, or a constant cannot be shared; then nothing is changed.
pub fn share(
    fits: &mut [&mut Fit],
    groups: &[Vec<String>],
) -> Result<Vec<SharedConstant>, ShareError> {
    let mut found: Vec<Vec<Place>> = Vec::new();
    for names in groups {
        let group = group(fits, names)?;
        for place in &group {
            if found.iter().flatten().any(|other| other == place) {
                return Err(ShareError::Twice { name: name(fits, *place) });
            }
        }
        found.push(group);
    }
    if found.is_empty() {
        return Ok(Vec::new());
    }
    // All constants of the fits that are involved, one after the other.
    let mut starts = vec![None; fits.len()];
    let mut all = 0;
    for &(fit, _) in found.iter().flatten() {
        if starts[fit].is_none() {
            starts[fit] = Some(all);
            all += fits[fit].formula.terms().len();
        }
    }
    let (mut values, mut covariance) = (DVector::zeros(all), DMatrix::zeros(all, all));
    for (fit, first) in starts.iter().enumerate().filter_map(|(k, s)| Some((k, (*s)?))) {
        let interval = &fits[fit].intervals[0];
        for (i, value) in interval.solution.iter().enumerate() {
            values[first + i] = *value;
            for (j, entry) in interval.covariance[i].iter().enumerate() {
                covariance[(first + i, first + j)] = *entry;
            }
        }
    }
    let index = |(fit, term): Place| starts[fit].unwrap_or(0) + term;
    let alone = values.clone();
    let dof: f64 = starts
        .iter()
        .zip(fits.iter())
        .filter(|(s, _)| s.is_some())
        .map(|(_, f)| f.intervals[0].dof)
        .sum();
    let mut shared = Vec::new();
    for group in &found {
        let pairs: Vec<(usize, usize)> =
            group.windows(2).map(|pair| (index(pair[0]), index(pair[1]))).collect();
        let constraint = DMatrix::from_fn(pairs.len(), all, |row, column| {
            let (a, b) = pairs[row];
            f64::from(u8::from(column == a)) - f64::from(u8::from(column == b))
        });
        let apart = &constraint * &values;
        let cross = &covariance * constraint.transpose();
        let name = || name(fits, group[0]);
        let inverse = (&constraint * &cross).try_inverse();
        let inverse = inverse.ok_or_else(|| ShareError::Undetermined { name: name() })?;
        let above = pairs.len() as f64;
        let f = (apart.transpose() * &inverse * &apart)[(0, 0)] / above;
        let p_value = f_tail(f.max(0.0), above, dof.max(1.0)).unwrap_or(1.0);
        values -= &cross * &inverse * apart;
        covariance -= &cross * &inverse * cross.transpose();
        shared.push((group, f, (above, dof), p_value));
    }
    let result = shared.into_iter().map(|(group, f, dof, p_value)| {
        let at = index(group[0]);
        let confidence = fits[group[0].0].options.confidence;
        let half = two_sided(confidence, dof.1) * covariance[(at, at)].max(0.0).sqrt();
        SharedConstant {
            constants: group.iter().map(|&place| name(fits, place)).collect(),
            experiments: Vec::new(),
            fits: group.iter().map(|place| place.0).collect(),
            value: values[at],
            low: values[at] - half,
            high: values[at] + half,
            alone: group.iter().map(|&place| alone[index(place)]).collect(),
            f,
            dof,
            p_value,
            rejected: p_value < LEVEL,
        }
    });
    let result = result.collect();
    for (k, first) in starts.iter().enumerate().filter_map(|(k, s)| Some((k, (*s)?))) {
        set(fits[k], first, &values, &covariance);
    }
    Ok(result)
}

/// The constants of a group, checked.
fn group(fits: &[&mut Fit], names: &[String]) -> Result<Vec<Place>, ShareError> {
    let mut group: Vec<Place> = Vec::new();
    for wanted in names {
        let is_it = |own: &str| {
            own == wanted || (wanted.starts_with('[') && own.ends_with(wanted.as_str()))
        };
        let before = group.len();
        for (fit, one) in fits.iter().enumerate() {
            let terms = one.constants.iter().enumerate();
            group.extend(terms.filter(|(_, c)| is_it(&c.constant)).map(|(term, _)| (fit, term)));
        }
        if group.len() == before {
            let known = fits.iter().flat_map(|fit| &fit.constants);
            let known = known.map(|values| values.constant.clone()).collect();
            return Err(ShareError::Unknown { name: wanted.clone(), known });
        }
    }
    group.sort_unstable();
    group.dedup();
    if group.len() < 2 {
        return Err(ShareError::Alone { name: names.join(", ") });
    }
    for pair in group.windows(2) {
        let (first, second) = (name(fits, pair[0]), name(fits, pair[1]));
        let (a, b) = (&fits[pair[0].0], &fits[pair[1].0]);
        if pair[0].0 == pair[1].0 {
            return Err(ShareError::OneExperiment { first, second });
        }
        if a.unit != b.unit {
            let (unit, other) = (a.unit.clone(), b.unit.clone());
            return Err(ShareError::Units { first, unit, second, other });
        }
    }
    for &(fit, term) in &group {
        let (fit, name) = (&fits[fit], name(fits, (fit, term)));
        if fit.intervals.len() != 1 || !fit.changes.is_empty() {
            let intervals = fit.intervals.len().max(fit.constants[term].segments.len()).max(2);
            return Err(ShareError::Intervals { name, intervals });
        }
        let variance = fit.intervals[0].covariance.get(term).map_or(0.0, |row| row[term]);
        if fit.intervals[0].constants[term].value.is_none() || variance <= 0.0 {
            return Err(ShareError::Undetermined { name });
        }
    }
    Ok(group)
}

fn name(fits: &[&mut Fit], (fit, term): Place) -> String {
    fits[fit].constants[term].constant.clone()
}

/// The new constants of a fit, with what follows from them.
fn set(fit: &mut Fit, first: usize, values: &DVector<f64>, covariance: &DMatrix<f64>) {
    let confidence = fit.options.confidence;
    let t = two_sided(confidence, fit.intervals[0].dof);
    let terms = fit.formula.terms().len();
    for i in 0..terms {
        let value = values[first + i];
        let error = covariance[(first + i, first + i)].max(0.0).sqrt();
        let interval = &mut fit.intervals[0];
        interval.solution[i] = value;
        for j in 0..terms {
            interval.covariance[i][j] = covariance[(first + i, first + j)];
        }
        let estimates = interval.constants.get_mut(i).into_iter();
        let segments = fit.constants[i].segments.iter_mut().map(|segment| &mut segment.estimate);
        for estimate in estimates.chain(segments).filter(|estimate| estimate.value.is_some()) {
            // What else widens an interval widens it in the same proportion.
            let wider = estimate.low.zip(estimate.high).zip(estimate.standard_error);
            let wider = wider.map(|((low, high), error)| 0.5 * (high - low) / (t * error));
            estimate.value = Some(value);
            if let Some(wider) = wider.filter(|wider| wider.is_finite()) {
                estimate.standard_error = Some(error);
                estimate.low = Some(value - wider * t * error);
                estimate.high = Some(value + wider * t * error);
            }
        }
    }
    fit.alternatives.clear();
    fit.correction = None;
    let columns: Vec<Option<usize>> = fit
        .formula
        .variables()
        .iter()
        .map(|v| fit.recorded.iter().position(|name| *name == v.name))
        .collect();
    let mut terms = vec![0.0; terms];
    let mut errors = Vec::new();
    for residual in &mut fit.residuals {
        let at: Option<Vec<f64>> =
            columns.iter().map(|&c| residual.values.get(c?).copied()).collect();
        let Some(at) = at else { continue };
        fit.formula.terms_at(&at, &mut terms);
        let solution = &fit.intervals[0].solution;
        residual.fitted = terms.iter().zip(solution).map(|(x, c)| x * c).sum();
        let error = (residual.measured - residual.fitted) / residual.measured;
        residual.error = if error.is_finite() { error } else { 0.0 };
        if residual.excluded.is_none() && residual.measured != 0.0 {
            errors.push(residual.error.abs());
        }
    }
    errors.sort_unstable_by(f64::total_cmp);
    if let Some(&largest) = errors.last() {
        let quality = &mut fit.quality;
        quality.median_error = cll_statistics::quantile(&errors, 0.5);
        quality.p90_error = cll_statistics::quantile(&errors, 0.9);
        quality.largest_error = largest;
        let squares: f64 = errors.iter().map(|e| e * e).sum();
        quality.rmse_relative = (squares / errors.len() as f64).sqrt();
        fit.intervals[0].largest_error = largest;
    }
}
