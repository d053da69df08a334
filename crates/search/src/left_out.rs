//! How well a model says the points of a size that it has not seen.

use cll_fit::Weights;

use crate::observed::Observed;
use crate::solution::{Solution, term_values};
use crate::term::Model;
use crate::weighted::{Columns, Weighted};

/// Root mean square error at left-out points: all points of one value of one variable at a time.
pub(crate) fn left_out(
    observed: &Observed,
    problem: &Weighted,
    columns: &Columns,
    variables: &[usize],
    model: &Model,
    weights: Weights,
) -> Option<f64> {
    let n = observed.len();
    let mut terms: Vec<Vec<f64>> = Vec::new();
    if model.constant {
        terms.push(vec![1.0; n]);
    }
    terms.extend(model.terms.iter().map(|term| term_values(columns, term, n)));
    let (mut squares, mut count) = (0.0, 0usize);
    for &variable in variables {
        let mut sizes: Vec<f64> = observed.values[variable].clone();
        sizes.sort_unstable_by(f64::total_cmp);
        sizes.dedup();
        for size in sizes {
            let out: Vec<bool> = observed.values[variable].iter().map(|v| *v == size).collect();
            let left = out.iter().filter(|out| !**out).count();
            if left < model.constants() {
                return None;
            }
            let rest = problem.without(&out);
            let Some(solution) = Solution::new(&rest, columns, model, 0.0) else { continue };
            for i in (0..n).filter(|&i| out[i]) {
                let value: f64 = terms.iter().zip(&solution.constants).map(|(t, c)| c * t[i]).sum();
                let scale = if weights == Weights::Relative { observed.y[i] } else { 1.0 };
                squares += ((value - observed.y[i]) / scale).powi(2);
                count += 1;
            }
        }
    }
    (count > 0).then(|| (squares / count as f64).sqrt())
}
