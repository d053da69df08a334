//! The ceiling: the Bayesian average over the generator's own dictionary, given the class and the noise.
//!
//! For each pair (f, g) of the class Laplace's approximation of the integral over the constants, with the
//! generator's prior (log-uniform, each term at least 5 % at the far corner) and the true noise; the prediction is
//! the value with most weight within 5 %. A prior of its own for the number of constants: `model`.

use cll_fit::{Data, Growth, growths};

use crate::truth::{Class, SHARE, SIZES, TARGET};

/// The most probable value at the target, if the class is one of `classes`.
pub fn ceiling(classes: &[Class], data: &Data, noise: f64) -> f64 {
    let all: Vec<Growth> = growths().collect();
    let mean = |o: &[f64]| o.iter().sum::<f64>() / o.len() as f64;
    let y: Vec<f64> = data.points.iter().map(|p| mean(&p.observations)).collect();
    let mut level = y.clone();
    let mut answer = f64::NAN;
    // Weights follow the averaged value.
    for _ in 0..3 {
        let mut found: Vec<(f64, f64, Vec<f64>)> = Vec::new();
        let mut best = f64::NEG_INFINITY;
        for &class in classes {
            let seconds = if class == Class::Single { &all[..1] } else { &all[..] };
            for &f in &all {
                for &g in seconds {
                    let Some((evidence, value, fitted)) =
                        model(class, data, &y, &level, noise, f, g)
                    else {
                        continue;
                    };
                    best = best.max(evidence);
                    if evidence > best - 14.0 {
                        found.push((evidence, value, fitted));
                    }
                }
            }
        }
        let weights: Vec<f64> = found.iter().map(|(e, _, _)| (e - best).exp()).collect();
        let whole: f64 = weights.iter().sum();
        level = vec![0.0; y.len()];
        for (weight, (_, _, fitted)) in weights.iter().zip(&found) {
            level.iter_mut().zip(fitted).for_each(|(l, f)| *l += weight / whole * f);
        }
        // Most weight within 5 %: each value stands for a narrow distribution about it.
        let near = |value: f64| -> f64 {
            let within =
                found.iter().zip(&weights).filter(|((_, v, _), _)| (v / value - 1.0).abs() < 0.05);
            within.map(|(_, weight)| weight).sum()
        };
        let candidates =
            found.iter().filter(|(e, _, _)| *e > best - 8.0).map(|(_, v, _)| (near(*v), *v));
        answer = candidates.max_by(|a, b| a.0.total_cmp(&b.0)).map_or(f64::NAN, |(_, v)| v);
    }
    answer
}

/// ln of the evidence, the value at the target, the values at the points.
fn model(
    class: Class,
    data: &Data,
    y: &[f64],
    level: &[f64],
    noise: f64,
    f: Growth,
    g: Growth,
) -> Option<(f64, f64, Vec<f64>)> {
    let terms = |x: f64, y: f64| {
        let mut all = vec![1.0];
        all.extend(class.terms(f.value(x), g.value(y)));
        all
    };
    let rows: Vec<Vec<f64>> = data
        .points
        .iter()
        .map(|p| terms(p.values[0], *p.values.get(1).unwrap_or(&SIZES[0])))
        .collect();
    let p = rows[0].len();
    let sigma = |i: usize| noise * level[i] / (data.points[i].observations.len() as f64).sqrt();
    let mut a = vec![vec![0.0; p]; p];
    let mut b = vec![0.0; p];
    for (i, row) in rows.iter().enumerate() {
        let weight = sigma(i).powi(-2);
        for j in 0..p {
            b[j] += weight * row[j] * y[i];
            for k in 0..p {
                a[j][k] += weight * row[j] * row[k];
            }
        }
    }
    let scale: Vec<f64> = (0..p).map(|j| a[j][j].sqrt()).collect();
    for j in 0..p {
        b[j] /= scale[j];
        for k in 0..p {
            a[j][k] /= scale[j] * scale[k];
        }
    }
    let (inverse, determinant) = invert(&a)?;
    let c: Vec<f64> = (0..p).map(|j| (0..p).map(|k| inverse[j][k] * b[k]).sum()).collect();
    let real: Vec<f64> = c.iter().zip(&scale).map(|(c, s)| c / s).collect();
    let fitted: Vec<f64> =
        rows.iter().map(|r| r.iter().zip(&real).map(|(t, c)| t * c).sum()).collect();
    let rss: f64 = (0..y.len()).map(|i| ((y[i] - fitted[i]) / sigma(i)).powi(2)).sum();
    let far = terms(SIZES[4], SIZES[4]);
    let whole: f64 = far.iter().zip(&real).map(|(t, c)| (t * c).abs()).sum();
    // Each constant: its integral, and its prior over five decades.
    let each = (2.0 * std::f64::consts::PI).sqrt() / (5.0 * std::f64::consts::LN_10);
    let mut evidence = -0.5 * rss - 0.5 * determinant.ln() + p as f64 * each.ln();
    for j in 0..p {
        let least = SHARE * whole / far[j] * scale[j];
        let z = (c[j] - least) / inverse[j][j].sqrt();
        evidence += ln_normal(z) - c[j].max(least).ln();
    }
    let value = terms(TARGET, TARGET).iter().zip(&real).map(|(t, c)| t * c).sum();
    Some((evidence, value, fitted))
}

pub fn invert(a: &[Vec<f64>]) -> Option<(Vec<Vec<f64>>, f64)> {
    let p = a.len();
    let mut m: Vec<Vec<f64>> = a.to_vec();
    let mut inverse: Vec<Vec<f64>> =
        (0..p).map(|i| (0..p).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    let mut determinant = 1.0;
    for k in 0..p {
        let pivot = m[k][k];
        if pivot < 1e-12 {
            return None;
        }
        determinant *= pivot;
        for j in 0..p {
            m[k][j] /= pivot;
            inverse[k][j] /= pivot;
        }
        for i in (0..p).filter(|&i| i != k) {
            let s = m[i][k];
            for j in 0..p {
                let (a, b) = (m[k][j], inverse[k][j]);
                m[i][j] -= s * a;
                inverse[i][j] -= s * b;
            }
        }
    }
    Some((inverse, determinant))
}

/// ln Φ(z), by Mills' ratio where it is small.
pub fn ln_normal(z: f64) -> f64 {
    if z > 6.0 {
        return 0.0;
    }
    if z < -4.0 {
        return -0.5 * z * z - (-z + 1.0 / -z).ln() - 0.918_938_533_204_672_8;
    }
    // Φ by Simpson's rule: a reference, not in a hurry.
    let steps = 200;
    let h = (z + 9.0) / f64::from(steps);
    let density = |x: f64| (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let sum: f64 = (0..=steps)
        .map(|i| {
            let weight = if i == 0 || i == steps {
                1.0
            } else if i % 2 == 1 {
                4.0
            } else {
                2.0
            };
            weight * density(-9.0 + h * f64::from(i))
        })
        .sum();
    (sum * h / 3.0).ln()
}
