//! Which kernels of the Gaussian process the measurements allow.

use std::collections::BTreeMap;

use super::gaussian_process::{Evidence, Kernel, evidence};
use crate::CorrectionKernel;

const LENGTHS: [f64; 7] = [f64::INFINITY, 4.0, 2.0, 1.0, 0.5, 0.25, 0.125];
const NOISES: [f64; 5] = [1.0, 0.1, 0.01, 1e-3, 1e-4];
/// Kernels with less weight than this, and all after the first few, are left out.
const MIN_WEIGHT: f64 = 0.02;
const MAX_KERNELS: usize = 8;

/// Searches a grid of lengths and noises for the most likely kernel, one coordinate at a time.
/// Gives all kernels evaluated on the way, weighted by their likelihood.
pub(crate) fn kernels(places: &[Vec<f64>], values: &[f64]) -> Vec<CorrectionKernel> {
    let axes = places.first().map_or(0, Vec::len);
    let mut seen: BTreeMap<Vec<usize>, Option<Evidence>> = BTreeMap::new();
    let mut best = (f64::NEG_INFINITY, Vec::new());
    for start in [0, 3, 4] {
        let mut indices = vec![start; axes];
        indices.extend([2, 0]);
        let mut here = f64::NEG_INFINITY;
        loop {
            let before = here;
            let choices = [LENGTHS.len()].repeat(axes).into_iter().chain([NOISES.len(), 2]);
            for (k, choices) in choices.enumerate() {
                for choice in 0..choices {
                    let mut other = indices.clone();
                    other[k] = choice;
                    let entry = seen
                        .entry(other.clone())
                        .or_insert_with(|| evidence(places, values, &kernel(&other)));
                    if let Some(evidence) = entry.filter(|f| f.log > here) {
                        (here, indices) = (evidence.log, other);
                    }
                }
            }
            if here <= before {
                break;
            }
        }
        if here > best.0 {
            best = (here, indices);
        }
    }
    let mut all: Vec<(f64, &Vec<usize>, Evidence)> = seen
        .iter()
        .filter_map(|(indices, evidence)| evidence.map(|f| ((f.log - best.0).exp(), indices, f)))
        .collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let sum: f64 = all.iter().map(|a| a.0).sum();
    all.retain(|a| a.0 >= MIN_WEIGHT * sum);
    all.truncate(MAX_KERNELS);
    let sum: f64 = all.iter().map(|a| a.0).sum();
    let weighted_kernel = |&(weight, indices, evidence): &(f64, &Vec<usize>, Evidence)| {
        let Kernel { lengths, noise, smooth } = kernel(indices);
        CorrectionKernel {
            weight: weight / sum,
            lengths: lengths.into_iter().map(|l| l.is_finite().then_some(l)).collect(),
            noise,
            smooth,
            mean: evidence.mean,
            sigma: evidence.sigma,
        }
    };
    all.iter().map(weighted_kernel).collect()
}

fn kernel(indices: &[usize]) -> Kernel {
    let axes = indices.len() - 2;
    let lengths = indices[..axes].iter().map(|&k| LENGTHS[k]).collect();
    Kernel { lengths, noise: NOISES[indices[axes]], smooth: indices[axes + 1] == 0 }
}

/// The same kernels with the mean and sigma of other measurements.
pub(crate) fn reestimated(
    kernels: &[CorrectionKernel],
    places: &[Vec<f64>],
    values: &[f64],
) -> Vec<CorrectionKernel> {
    let reestimate = |kernel: &CorrectionKernel| {
        let Evidence { mean, sigma, .. } = evidence(places, values, &kernel.kernel())?;
        Some(CorrectionKernel { mean, sigma, ..kernel.clone() })
    };
    kernels.iter().filter_map(reestimate).collect()
}
