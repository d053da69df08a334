//! Synthetic samples.

use cll_fit::{Data, Point};
use cll_statistics::normal;
use fastrand::Rng;

/// Five repetitions at each point, with relative normal noise.
pub fn sample(
    names: &[&str],
    points: impl IntoIterator<Item = Vec<f64>>,
    truth: impl Fn(&[f64]) -> f64,
    noise: f64,
    seed: u64,
) -> Data {
    let mut random = Rng::with_seed(seed);
    let mut data = Data::new(names.iter().map(|&n| n.to_owned()).collect());
    for values in points {
        let value = truth(&values);
        let observations =
            (0..5).map(|_| value * (1.0 + noise * normal(|| random.f64()))).collect();
        data.points.push(Point::new(values, observations));
    }
    data
}

/// Powers of two from 2^low to 2^high.
pub fn sizes(low: i32, high: i32) -> Vec<f64> {
    (low..=high).map(|k| 2f64.powi(k)).collect()
}

/// All combinations.
pub fn grid(a: &[f64], b: &[f64]) -> Vec<Vec<f64>> {
    a.iter().flat_map(|&x| b.iter().map(move |&y| vec![x, y])).collect()
}
