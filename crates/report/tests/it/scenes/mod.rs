//! Fits of known data, for all tests of this crate.
#![allow(dead_code)]

use cll_fit::{Aggregate, Data, Fit, Intervals, Options, Outliers, Point, Unit, Weights};
use cll_formula::Formula;

pub mod calls;
pub mod graphs;
pub mod models;
pub mod profiles;

/// The fit as it was kept in `tests/fits`, so that texts do not change with the statistics. With
/// `UPDATE_EXPECT=1` it is made and kept anew.
pub fn kept(name: &str, make: impl Fn() -> Fit) -> Fit {
    let path = format!("{}/tests/fits/{name}.json", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let text = serde_json::to_string_pretty(&make()).expect("JSON");
        std::fs::write(&path, text + "\n").expect("a place to write");
    }
    let text = std::fs::read_to_string(&path).expect("a fit that was kept");
    serde_json::from_str(&text).expect("a fit")
}

/// A small generator of even numbers in [0, 1): the same on every machine.
pub struct Noise(u64);

impl Noise {
    pub fn new(seed: u64) -> Noise {
        Noise(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn even(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// About normal, with this standard deviation.
    pub fn normal(&mut self, sigma: f64) -> f64 {
        sigma * ((0..12).map(|_| self.even()).sum::<f64>() - 6.0)
    }
}

pub fn formula(text: &str) -> Formula {
    cll_formula::parse_anonymous(text).formula.expect("a formula")
}

pub fn data(names: &[&str], points: impl IntoIterator<Item = (Vec<f64>, Vec<f64>)>) -> Data {
    let mut data = Data::new(names.iter().map(|n| n.to_string()).collect());
    data.points =
        points.into_iter().map(|(values, observations)| Point::new(values, observations)).collect();
    data
}

pub fn fit(text: &str, data: &Data, options: &Options) -> Fit {
    cll_fit::fit(&formula(text), data, options).expect("a fit")
}

fn repeated(noise: &mut Noise, truth: f64, times: usize, sigma: f64, spikes: f64) -> Vec<f64> {
    (0..times)
        .map(|_| {
            let spike = if noise.even() < spikes { 1.0 + 2.0 * noise.even() } else { 1.0 };
            truth * (1.0 + noise.normal(sigma)).max(0.1) * spike
        })
        .collect()
}

/// A matrix that leaves the cache at N = 1448: three terms, a break in the last constant.
pub fn matrix() -> Fit {
    let mut noise = Noise::new(3);
    let points = (0..25).map(|k| {
        let n = (64.0 * 2f64.powf(k as f64 / 4.0)).round();
        let third = if n <= 1448.0 { 0.61e-9 } else { 1.9e-9 };
        let truth = 1.2e-6 + 3.4e-9 * n + third * n * n;
        (vec![n], repeated(&mut noise, truth, 5, 0.012, 0.04))
    });
    fit("init[0] + init[1]*N + init[2]*N*N", &data(&["N"], points), &Intervals::dynamic().into())
}

/// Each processor's cache ends at 4096 of all N numbers.
pub fn shared() -> Fit {
    let mut noise = Noise::new(7);
    let mut points = Vec::new();
    for p in [1.0, 2.0, 4.0, 8.0, 16.0_f64] {
        for k in 10..18 {
            let n = 2f64.powi(k);
            let share = if n / p <= 4096.0 { 1e-9 } else { 3e-9 } * n / p * (n / p).ln();
            points.push((vec![n, p], repeated(&mut noise, 1e-5 * p.ln() + share, 5, 0.01, 0.0)));
        }
    }
    let text = "f[0]*log(P) + f[1]*(N/P)*log(N/P)";
    fit(text, &data(&["N", "P"], points), &Intervals::dynamic().into())
}

/// Two variables on powers of two, and a recorded one that the formula does not use.
pub fn fft() -> Fit {
    let mut noise = Noise::new(5);
    let mut points = Vec::new();
    for p in [1.0, 2.0, 4.0, 8.0, 16.0, 32.0] {
        for k in 10..=17 {
            let n = 2f64.powi(k);
            let truth = 2e-6 + 4.1e-9 * n * n.log2() / p + 9e-9 * n / p + 6e-6 * p;
            points.push((vec![n, p, 1.0], repeated(&mut noise, truth, 3, 0.02, 0.0)));
        }
    }
    let text = "fft[0] + fft[1]*N*log2(N)/P + fft[2]*N/P + fft[3]*P";
    let options = Options { intervals: Intervals::None, ..Options::default() };
    fit(text, &data(&["N", "P", "team"], points), &options)
}

/// A straight line through so many points.
pub fn line(points: usize) -> Fit {
    let mut noise = Noise::new(7);
    let points = (0..points).map(|k| {
        let n = 10.0 + 10.0 * k as f64;
        (vec![n], repeated(&mut noise, 5e-6 + 2e-7 * n, 2, 0.03, 0.0))
    });
    let options = Options { intervals: Intervals::None, ..Options::default() };
    let formula = if points.len() < 2 { "f[0]" } else { "f[0] + f[1]*N" };
    fit(formula, &data(&["N"], points), &options)
}

/// Counts around zero, some negative, fitted with absolute weights.
pub fn around_zero() -> Fit {
    let mut noise = Noise::new(11);
    let points = (0..21).map(|k| {
        let x = f64::from(k) - 10.0;
        (vec![x], (0..4).map(|_| 3.0 * x + noise.normal(2.0)).collect())
    });
    let options = Options {
        weights: Weights::Absolute,
        aggregate: Aggregate::Mean,
        intervals: Intervals::None,
        ..Options::default()
    };
    fit("g[0] + g[1]*x", &data(&["x"], points).in_unit(Unit::Other("misses".into())), &options)
}

/// Instructions, counted the same each time, over more than three decades.
pub fn counted() -> Fit {
    let points = [41.0, 80.0, 160.0, 320.0, 640.0, 1280.0, 3500.0].map(|n| {
        let count = 294.0 + 9.0 * n + 5.0 * n * n;
        (vec![n], vec![count, count])
    });
    let options = Options { intervals: Intervals::None, ..Options::default() };
    let counts = data(&["N"], points).in_unit(Unit::Other("instructions".into()));
    fit("walk[0] + walk[1]*N + walk[2]*N*N", &counts, &options)
}

/// Many terms, of which the data cannot determine two; zero times; outliers.
pub fn trouble() -> Fit {
    let mut noise = Noise::new(13);
    let mut points: Vec<(Vec<f64>, Vec<f64>)> = (1..=18)
        .map(|k| {
            let n = 20.0 * f64::from(k);
            let truth = 1e-5 + 3e-8 * n * n;
            (vec![n, 4.0], repeated(&mut noise, truth, 3, 0.05, 0.1))
        })
        .collect();
    points.push((vec![10.0, 4.0], vec![0.0, 0.0, 0.0]));
    points[7].1 = vec![9e-3, 9.1e-3, 9.2e-3];
    let options = Options {
        outliers: Outliers::Points { limit: 4.0 },
        intervals: Intervals::None,
        ..Options::default()
    };
    let text = "work[0] + work[1]*P + work[2]*N*log(N) + work[3]*N*N + work[4]*sqrt(N)";
    fit(text, &data(&["N", "P"], points), &options)
}
