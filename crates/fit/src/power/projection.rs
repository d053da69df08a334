//! The residuals as a function of the exponents alone, and their minimum.

use cll_formula::{Formula, PowerFormula};
use nalgebra::{DMatrix, DVector};

use super::{same_shape, vector};
use crate::linalg::solve;
use crate::samples::Samples;
use crate::{Data, FitError, Options};

/// Starts of one exponent, and of several. None is an integer, at which a term could equal another.
const STARTS: [f64; 7] = [-1.03, 0.29, 0.53, 0.97, 1.53, 2.03, 3.03];
const FEWER_STARTS: [f64; 4] = [0.53, 0.97, 1.53, 2.03];
const FEW_STARTS: [f64; 2] = [0.77, 1.77];
/// Exponents beyond this are none.
const LIMIT: f64 = 8.0;
const STEPS: usize = 60;
/// A step that is smaller has converged.
const SETTLED: f64 = 1e-10;

pub(super) struct Projection<'a> {
    formula: &'a PowerFormula,
    data: &'a Data,
    options: &'a Options,
}

/// The minimum.
pub(super) struct Best {
    pub(super) exponents: Vec<f64>,
    pub(super) residuals: DVector<f64>,
    pub(super) rss: f64,
    /// Number of other constants.
    pub(super) constants: usize,
    /// Whether an exponent is as large as is allowed.
    pub(super) at_limit: bool,
}

impl<'a> Projection<'a> {
    pub(super) fn new(
        formula: &'a PowerFormula,
        data: &'a Data,
        options: &'a Options,
    ) -> Result<Projection<'a>, FitError> {
        // Errors in the data are those of any fit.
        Samples::new(formula.shape(), data, options)?;
        Ok(Projection { formula, data, options })
    }

    pub(super) fn names(&self) -> &[String] {
        self.formula.names()
    }

    /// The formula with these exponents; `None` if two of its terms are equal then.
    pub(super) fn formula(&self, exponents: &[f64]) -> Option<Formula> {
        let formula = self.formula.with_exponents(exponents)?;
        same_shape(&formula, self.formula.shape()).then_some(formula)
    }

    /// The other constants for a formula.
    pub(super) fn solution(&self, formula: &Formula) -> Option<Vec<f64>> {
        self.solved(formula).map(|(constants, _)| constants)
    }

    /// Constants and weighted residuals; `None` if a constant is not determined.
    fn solved(&self, formula: &Formula) -> Option<(Vec<f64>, DVector<f64>)> {
        let samples = Samples::new(formula, self.data, self.options).ok()?;
        let (mut design, mut rhs) = (Vec::new(), Vec::new());
        for (index, point) in samples.used() {
            let weight = samples.weight(index);
            for observation in samples.rows_of(index) {
                design.extend(point.terms.iter().map(|term| term * weight));
                rhs.push(observation * weight);
            }
        }
        let solution = solve(&design, samples.terms, &rhs);
        if solution.basic.len() < samples.terms {
            return None;
        }
        let rows = design.chunks_exact(samples.terms).zip(&rhs);
        let residuals = rows.map(|(row, y)| {
            y - row.iter().zip(&solution.constants).map(|(x, c)| x * c).sum::<f64>()
        });
        let residuals = vector(residuals.collect());
        residuals.iter().all(|r| r.is_finite()).then_some((solution.constants, residuals))
    }

    fn residuals(&self, exponents: &[f64]) -> Option<DVector<f64>> {
        Some(self.solved(&self.formula(exponents)?)?.1)
    }

    /// The derivative of the residuals by the exponents, by central differences.
    pub(super) fn jacobian(&self, exponents: &[f64]) -> Option<DMatrix<f64>> {
        let columns = (0..exponents.len()).map(|k| {
            let step = 1e-5 * exponents[k].abs().max(0.1);
            let residuals_at = |by: f64| {
                let mut moved = exponents.to_vec();
                moved[k] += by;
                self.residuals(&moved)
            };
            Some((residuals_at(step)? - residuals_at(-step)?) / (2.0 * step))
        });
        Some(DMatrix::from_columns(&columns.collect::<Option<Vec<_>>>()?))
    }

    /// The best minimum of all starts.
    pub(super) fn best(&self) -> Option<Best> {
        let count = self.names().len();
        let each: &[f64] = match count {
            1 => &STARTS,
            2 => &FEWER_STARTS,
            _ => &FEW_STARTS,
        };
        let starts = (0..each.len().pow(count as u32)).map(|mut number| {
            let mut start = Vec::with_capacity(count);
            for k in 0..count {
                // Equal exponents in two terms would make these equal.
                start.push(each[number % each.len()] + 0.013 * k as f64);
                number /= each.len();
            }
            start
        });
        let descents = starts.filter_map(|start| self.descended(start));
        let (exponents, residuals) = descents.min_by(|a, b| a.1.norm().total_cmp(&b.1.norm()))?;
        Some(Best {
            rss: residuals.norm_squared(),
            constants: self.formula.shape().terms().len(),
            at_limit: exponents.iter().any(|e| e.abs() >= LIMIT),
            exponents,
            residuals,
        })
    }

    /// Levenberg and Marquardt (Marquardt 1963) from one start.
    fn descended(&self, start: Vec<f64>) -> Option<(Vec<f64>, DVector<f64>)> {
        let mut here = start;
        let mut residuals = self.residuals(&here)?;
        let mut damping = 1e-2;
        for _ in 0..STEPS {
            let Some(jacobian) = self.jacobian(&here) else { break };
            let gradient = jacobian.transpose() * &residuals;
            let normal = jacobian.transpose() * &jacobian;
            let mut improved = false;
            while damping < 1e12 {
                let mut damped = normal.clone();
                for k in 0..here.len() {
                    damped[(k, k)] *= 1.0 + damping;
                    damped[(k, k)] += f64::MIN_POSITIVE;
                }
                let Some(step) = damped.lu().solve(&gradient) else { break };
                let moved: Vec<f64> = here
                    .iter()
                    .zip(step.iter())
                    .map(|(x, s)| (x - s).clamp(-LIMIT, LIMIT))
                    .collect();
                let size = moved.iter().zip(&here).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                match self.residuals(&moved) {
                    Some(new) if new.norm_squared() < residuals.norm_squared() => {
                        (here, residuals) = (moved, new);
                        damping = (damping / 10.0).max(1e-12);
                        improved = size > SETTLED;
                        break;
                    }
                    _ => damping *= 10.0,
                }
                if size <= SETTLED {
                    break;
                }
            }
            if !improved {
                break;
            }
        }
        Some((here, residuals))
    }
}
