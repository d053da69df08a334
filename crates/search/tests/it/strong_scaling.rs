//! Terms that are small, but that exact repetitions show: the serial part of a program, communication beside divided
//! work. Known truth, seeded noise.

use cll_search::{Options, search};
use fastrand::Rng;
use test_draw::cases;

use crate::support::sample;

/// Serial parts of 0.5 to 10 % of the time on 16 processors, measured with 0.1 % of noise.
#[test]
fn the_serial_part_is_found() {
    let count = cases(60, 3);
    let mut random = Rng::with_seed(40 + test_draw::drawn_below(8) as u64);
    let mut missed = Vec::new();
    for case in 0..count {
        let share = 0.005 * 20f64.powf(random.f64());
        let work = 10f64.powf(4.0 * random.f64() - 1.0);
        let serial = share * work / 16.0;
        let truth = |v: &[f64]| serial + work / v[0];
        let points = [1.0, 2.0, 4.0, 8.0, 16.0].map(|p| vec![p]);
        let data = sample(&["p"], points, truth, 0.001, case as u64);
        let search = search(&data, &Options::default()).expect("a formula");
        let best = &search.candidates[0];
        if best.terms != ["1", "1/p"] {
            missed.push((share, best.formula.clone()));
        }
    }
    assert!(missed.len() * 20 <= count, "{} of {count}: {missed:?}", missed.len());
}

/// Work that is divided, beside communication that grows with the logarithm of the processors, on two lines through
/// one point: shares that are predicted within 5 % at 4 times more of both.
#[test]
fn communication_beside_divided_work_is_found_on_crosses() {
    let cross: Vec<Vec<f64>> = [256.0, 512.0, 1024.0, 2048.0, 4096.0]
        .map(|n| vec![n, 8.0])
        .into_iter()
        .chain([2.0, 4.0, 16.0, 32.0].map(|p| vec![1024.0, p]))
        .collect();
    let count = cases(24, 3);
    for (noise, least) in [(0.002, 0.85), (0.01, 0.75), (0.03, 0.60)] {
        let mut random = Rng::with_seed(7);
        let near = (0..count).filter(|&case| {
            let mut factor = || 0.5 * 4f64.powf(random.f64());
            let (c, work, message) = (1e-3 * factor(), 20e-6 * factor(), 0.4e-3 * factor());
            let truth = |v: &[f64]| c + work * v[0] / v[1] + message * v[1].log2();
            let data = sample(&["N", "P"], cross.clone(), truth, noise, case as u64);
            let search = search(&data, &Options::default()).expect("a formula");
            let point = [16384.0, 128.0];
            let predicted = search.predict(&point).expect("a value");
            (predicted.value / truth(&point) - 1.0).abs() < 0.05
        });
        let share = near.count() as f64 / count as f64;
        assert!(share >= least, "{share} at noise {noise}");
    }
}
