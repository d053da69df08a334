//! Predictions inside the data lie within the range of their neighbours, widened by the noise: for
//! monotone data, whatever the formula, with jumps, kinks and gradual changes.

use cll_fit::{Data, Options, fit};
use cll_statistics::normal;
use fastrand::Rng;
use test_draw::{is_full, thinned};

const SEED: u64 = 20_261_127;
const FITS: u64 = 2000;
const PLACES: usize = 1000;
/// Noise of the medians and of the fitted curve, in standard deviations.
const DEVIATIONS: f64 = 5.0;
const FORMULAS: [&str; 5] = [
    "f[0]*N",
    "f[0] + f[1]*N",
    "f[0] + f[1]*N*log2(N)",
    "f[0] + f[1]*N + f[2]*N^2",
    "f[0]*N^2 + f[1]*sqrt(N)",
];

/// A growing function: a power, and what happens to it at a size.
fn truth(random: &mut Rng) -> impl Fn(f64) -> f64 + use<> {
    let (start, power) = (100.0 * random.f64(), 0.5 + 1.5 * random.f64());
    let place = 10f64.powf(1.3 + 1.4 * random.f64());
    let (kind, more) = (random.u8(0..4), 1.2 + 4.0 * random.f64());
    move |n: f64| {
        let plain = |n: f64| start + n.powf(power);
        match kind {
            0 => plain(n),
            // A jump, a kink, a gradual change.
            1 => plain(n) * if n > place { more } else { 1.0 },
            2 if n > place => plain(place) + 10.0 * more * (plain(n) - plain(place)),
            2 => plain(n),
            _ => plain(n) * (1.0 + (more - 1.0) / (1.0 + (place / n).powi(4))),
        }
    }
}

/// Sizes, ascending, and the data; `None` if the medians do not grow.
fn data(random: &mut Rng, noise: f64) -> Option<(Vec<f64>, Vec<f64>, Data)> {
    let truth = truth(random);
    let count = random.usize(9..40);
    let mut sizes: Vec<f64> =
        (0..count).map(|_| (10.0 * 200f64.powf(random.f64())).round()).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    let mut rows = Vec::new();
    let mut medians = Vec::new();
    for &n in &sizes {
        let mut all: Vec<f64> =
            (0..3).map(|_| truth(n) * (1.0 + noise * normal(|| random.f64()))).collect();
        rows.extend(all.iter().map(|&value| (vec![n], value)));
        all.sort_by(f64::total_cmp);
        medians.push(all[1]);
    }
    let grows = medians.windows(2).all(|pair| pair[0] <= pair[1]);
    (grows && sizes.len() > 6).then(|| (sizes, medians, Data::from_rows(vec!["N".into()], rows)))
}

#[test]
fn predictions_inside_monotone_data_stay_between_their_neighbours() {
    let (mut places, mut refused, mut fits) = (0, 0, 0);
    let mut worst: f64 = 0.0;
    for index in thinned(0..FITS, 39) {
        let mut random = Rng::with_seed(SEED + index);
        let noise = [0.001, 0.005, 0.02][random.usize(0..3)];
        let Some((sizes, medians, data)) = data(&mut random, noise) else { continue };
        let text = FORMULAS[random.usize(0..FORMULAS.len())];
        let formula = cll_formula::parse("f", text).formula.unwrap();
        let Ok(fit) = fit(&formula, &data, &Options::default()) else { continue };
        fits += 1;
        let places_here = if is_full() && index % 10 == 0 { PLACES } else { PLACES / 20 };
        for _ in 0..places_here {
            let n = sizes[0] + (sizes[sizes.len() - 1] - sizes[0]) * random.f64();
            let right = sizes.partition_point(|size| *size < n).max(1);
            let Ok(prediction) = fit.predict(&[n]) else {
                refused += 1;
                continue;
            };
            places += 1;
            let band = prediction.band.expect("a band");
            assert!(
                band.low <= prediction.value && prediction.value <= band.high,
                "{index}: {prediction:?}"
            );
            let run = prediction.run.expect("a band of one run");
            assert!(run.low <= band.low && band.high <= run.high, "{index}: {prediction:?}");
            let interval = &fit.intervals[prediction.interval];
            let sigma = interval.sigma.unwrap_or(0.0).max(noise);
            let (low, high) = (medians[right - 1], medians[right]);
            let below = (low - prediction.value) / low / sigma;
            let above = (prediction.value - high) / high / sigma;
            let off = below.max(above);
            worst = worst.max(off);
            assert!(
                off < DEVIATIONS,
                "fit {index}, seed {SEED}, {text}: {} at {n}, measured {low} at {} and {high} at {}, \
                 noise {noise}, sigma {sigma}, off {off}: {:?} in {:?}",
                prediction.value,
                sizes[right - 1],
                sizes[right],
                prediction.domain,
                fit.boundaries,
            );
        }
    }
    println!("{fits} fits, {places} places, {refused} without a number, worst {worst:.2}");
    assert!(refused * 50 < places, "{refused} of {places} without a number");
}

#[test]
fn beside_a_jump_what_follows_the_data_stays_between_them() {
    // Fit 392 of the test above: the correction goes smoothly over a jump of four times between 256 and 280.
    let mut random = Rng::with_seed(SEED + 392);
    let noise = [0.001, 0.005, 0.02][random.usize(0..3)];
    let (sizes, medians, data) = data(&mut random, noise).expect("it grows");
    let formula = cll_formula::parse("f", "f[0] + f[1]*N").formula.unwrap();
    let fit = fit(&formula, &data, &Options::default()).unwrap();
    for (place, pair) in sizes.windows(2).enumerate() {
        let middle = 0.5 * (pair[0] + pair[1]);
        for n in [pair[0], middle, pair[1]] {
            let Ok(prediction) = fit.predict(&[n]) else { continue };
            let (low, high) = (medians[place], medians[place + 1]);
            assert!(
                prediction.value > 0.7 * low && prediction.value < 1.3 * high,
                "{n}: {prediction:?}"
            );
        }
    }
}

#[test]
fn beside_changes_of_several_constants_values_stay_between_what_was_measured() {
    // Fit 105 of the first test: f[0] jumps down before f[1] begins to grow, both between 55 and 69.
    let mut random = Rng::with_seed(SEED + 105);
    let noise = [0.001, 0.005, 0.02][random.usize(0..3)];
    let (sizes, medians, data) = data(&mut random, noise).expect("it grows");
    let formula = cll_formula::parse("f", "f[0] + f[1]*N").formula.unwrap();
    let fit = fit(&formula, &data, &Options::default()).unwrap();
    for (place, pair) in sizes.windows(2).enumerate() {
        for step in 0..=10 {
            let n = pair[0] + 0.1 * f64::from(step) * (pair[1] - pair[0]);
            let value = fit.predict(&[n]).unwrap().value;
            let (low, high) = (medians[place], medians[place + 1]);
            assert!(value > 0.99 * low && value < 1.01 * high, "{n}: {value}");
        }
    }
}
