//! Constants that several experiments share.

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use crate::numerics::{f_tail, two_sided};
use crate::{Fit, ShareError};

/// Constants with one value in several experiments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// Below this probability sharing is rejected.
const LEVEL: f64 = 0.01;

/// A constant: its fit, and its place there.
type ConstantPlace = (usize, usize);

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
    let groups = checked_groups(fits, groups)?;
    if groups.is_empty() {
        return Ok(Vec::new());
    }
    let joint = Joint::new(fits, &groups);
    let alone = joint.values.clone();
    let (mut values, mut covariance) = (joint.values.clone(), joint.covariance.clone());
    let mut tests = Vec::new();
    for group in &groups {
        let equalized = equalized(&values, &covariance, &joint.pairs(group));
        let undetermined = || ShareError::Undetermined { name: name(fits, group[0]) };
        let test;
        (values, covariance, test) = equalized.ok_or_else(undetermined)?;
        tests.push(test);
    }
    let result = groups.iter().zip(tests).map(|(group, (f, above))| {
        let at = joint.index(group[0]);
        let dof = (above, joint.dof);
        let p_value = f_tail(f.max(0.0), above, joint.dof.max(1.0)).unwrap_or(1.0);
        let confidence = fits[group[0].0].options.confidence;
        let half = two_sided(confidence, dof.1) * covariance[(at, at)].max(0.0).sqrt();
        SharedConstant {
            constants: group.iter().map(|&place| name(fits, place)).collect(),
            experiments: Vec::new(),
            fits: group.iter().map(|place| place.0).collect(),
            value: values[at],
            low: values[at] - half,
            high: values[at] + half,
            alone: group.iter().map(|&place| alone[joint.index(place)]).collect(),
            f,
            dof,
            p_value,
            rejected: p_value < LEVEL,
        }
    });
    let result = result.collect();
    for (k, first) in joint.involved() {
        set(fits[k], first, &values, &covariance);
    }
    Ok(result)
}

/// The groups of constants, each constant in one of them.
fn checked_groups(
    fits: &[&mut Fit],
    groups: &[Vec<String>],
) -> Result<Vec<Vec<ConstantPlace>>, ShareError> {
    let mut checked: Vec<Vec<ConstantPlace>> = Vec::new();
    for names in groups {
        let group = group(fits, names)?;
        for place in &group {
            if checked.iter().flatten().any(|other| other == place) {
                return Err(ShareError::Twice { name: name(fits, *place) });
            }
        }
        checked.push(group);
    }
    Ok(checked)
}

/// All constants of the fits that are involved, one after the other.
struct Joint {
    /// For each fit the index of its first constant.
    starts: Vec<Option<usize>>,
    values: DVector<f64>,
    covariance: DMatrix<f64>,
    /// Degrees of freedom of the fits together.
    dof: f64,
}

impl Joint {
    fn new(fits: &[&mut Fit], groups: &[Vec<ConstantPlace>]) -> Joint {
        let mut starts = vec![None; fits.len()];
        let mut all = 0;
        for &(fit, _) in groups.iter().flatten() {
            if starts[fit].is_none() {
                starts[fit] = Some(all);
                all += fits[fit].formula.terms().len();
            }
        }
        let zeros = DMatrix::zeros(all, all);
        let mut joint = Joint { starts, values: DVector::zeros(all), covariance: zeros, dof: 0.0 };
        let mut dofs = Vec::new();
        for (fit, first) in joint.involved() {
            let interval = &fits[fit].intervals[0];
            dofs.push(interval.dof);
            for (i, value) in interval.solution.iter().enumerate() {
                joint.values[first + i] = *value;
                for (j, entry) in interval.covariance[i].iter().enumerate() {
                    joint.covariance[(first + i, first + j)] = *entry;
                }
            }
        }
        joint.dof = dofs.iter().sum();
        joint
    }

    /// The fits that are involved, each with the index of its first constant.
    fn involved(&self) -> Vec<(usize, usize)> {
        let starts = self.starts.iter().enumerate();
        starts.filter_map(|(fit, start)| Some((fit, (*start)?))).collect()
    }

    fn index(&self, (fit, term): ConstantPlace) -> usize {
        self.starts[fit].unwrap_or(0) + term
    }

    /// The pairs of neighbours in a group, which are to be equal.
    fn pairs(&self, group: &[ConstantPlace]) -> Vec<(usize, usize)> {
        group.windows(2).map(|pair| (self.index(pair[0]), self.index(pair[1]))).collect()
    }
}

/// Values with their covariance, and an F statistic with the degrees of freedom above.
type Equalized = (DVector<f64>, DMatrix<f64>, (f64, f64));

/// The values in which the constants of each pair are equal, with the F statistic of that; `None` if their covariance
/// does not say how.
fn equalized(
    values: &DVector<f64>,
    covariance: &DMatrix<f64>,
    pairs: &[(usize, usize)],
) -> Option<Equalized> {
    let constraint = DMatrix::from_fn(pairs.len(), values.len(), |row, column| {
        let (a, b) = pairs[row];
        f64::from(u8::from(column == a)) - f64::from(u8::from(column == b))
    });
    let apart = &constraint * values;
    let cross = covariance * constraint.transpose();
    let inverse = (&constraint * &cross).try_inverse()?;
    let above = pairs.len() as f64;
    let f = (apart.transpose() * &inverse * &apart)[(0, 0)] / above;
    let equal = values - &cross * &inverse * apart;
    let covariance = covariance - &cross * &inverse * cross.transpose();
    Some((equal, covariance, (f, above)))
}

/// The constants of a group, checked.
fn group(fits: &[&mut Fit], names: &[String]) -> Result<Vec<ConstantPlace>, ShareError> {
    let mut group: Vec<ConstantPlace> = Vec::new();
    for wanted in names {
        let is_it = |own: &str| {
            own == wanted || (wanted.starts_with('[') && own.ends_with(wanted.as_str()))
        };
        let before = group.len();
        for (fit, model) in fits.iter().enumerate() {
            let terms = model.constants.iter().enumerate();
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

fn name(fits: &[&mut Fit], (fit, term): ConstantPlace) -> String {
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
        let Some(point) = at else { continue };
        fit.formula.terms_at(&point, &mut terms);
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
