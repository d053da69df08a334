//! Negative constants: a warning if the formula is wrong, but not if a continuous function grows
//! faster above some value. Known truth, seeded noise.

use cll_fit::{Data, Fit, Intervals, Options, fit};
use cll_statistics::normal;
use fastrand::Rng;

/// 12 to 33 sizes up to 10^4, logarithmic or linear, and a value with at least four of them on each
/// side.
fn sizes(random: &mut Rng) -> (Vec<f64>, f64) {
    let points = random.usize(12..=33);
    let linear = random.bool();
    let sizes = (0..points).map(|k| k as f64 / (points - 1) as f64);
    let size = |share| if linear { 100.0 + 9900.0 * share } else { 10.0 * 1e3f64.powf(share) };
    let sizes: Vec<f64> = sizes.map(size).collect();
    let below = random.usize(4..=points - 4);
    let kink = sizes[below - 1] * (sizes[below] / sizes[below - 1]).powf(random.f64());
    (sizes, kink)
}

/// A fit of a line.
fn fitted(random: &mut Rng, sizes: &[f64], truth: impl Fn(f64) -> f64) -> Fit {
    let places: Vec<f64> = sizes.iter().flat_map(|&n| [n; 5]).collect();
    let rows: Vec<(Vec<f64>, f64)> = places
        .iter()
        .map(|&n| (vec![n], truth(n) * (1.0 + 0.02 * normal(|| random.f64()))))
        .collect();
    let formula = cll_formula::parse("f", "f[0] + f[1]*N").formula.expect("a formula");
    let options = Options { follow: false, ..Intervals::dynamic().into() };
    fit(&formula, &Data::from_rows(vec!["N".into()], rows), &options).expect("a fit")
}

fn has(fit: &Fit, code: &str) -> bool {
    fit.warnings.iter().any(|w| w.code() == code)
}

#[test]
fn kinks_are_no_negative_costs() {
    let (mut warned, mut noted, mut divided) = (0, 0, 0);
    for seed in 0..300 {
        let random = &mut Rng::with_seed(seed);
        let ((sizes, kink), steeper) = (sizes(random), 1.5 + 4.0 * random.f64());
        let fit = fitted(random, &sizes, |n| n.min(kink) + steeper * (n - kink).max(0.0));
        warned += usize::from(has(&fit, "negative"));
        noted += usize::from(!fit.notes.is_empty());
        divided += usize::from(fit.intervals.len() > 1);
    }
    println!(
        "of 300 kinks {divided} are divided, {warned} warn of a negative cost, {noted} have a note"
    );
    assert!(warned <= 15, "{warned}");
    assert!(noted >= 150, "{noted}");
}

#[test]
fn negative_costs_are_warned_of() {
    let (mut overall, mut interval, mut falling, sets) = (0, 0, 0, 100);
    for seed in 0..sets {
        // All data are on a line that begins below zero.
        let random = &mut Rng::with_seed(1000 + seed);
        let (sizes, kink) = sizes(random);
        let line = |n: f64| 2.0 * n - 15.0 * sizes[0] / 10.0;
        overall += usize::from(has(&fitted(random, &sizes, line), "negative"));
        // It jumps, and the line above begins far below zero.
        let jump = |n: f64| if n <= kink { n + 10.0 } else { 6.0 * n - 2.0 * kink };
        interval += usize::from(has(&fitted(random, &sizes, jump), "negative"));
        // The slope decreases.
        let fall = |n: f64| if n <= kink { n } else { 3.0 * kink + 0.5 * (1e4 - n) };
        falling += usize::from(has(&fitted(random, &sizes, fall), "negative"));
    }
    println!(
        "of {sets}: {overall} on a line below zero, {interval} above a jump, {falling} that fall"
    );
    assert!(overall >= 40 && interval >= 90 && falling >= 90, "{overall} {interval} {falling}");
}

#[test]
fn the_note_says_what_the_constant_is_and_is_kept() {
    let (sizes, _) = sizes(&mut Rng::with_seed(3));
    let fit =
        fitted(&mut Rng::with_seed(3), &sizes, |n| n.min(1000.0) + 3.0 * (n - 1000.0).max(0.0));
    let note = fit.notes.first().expect("a note");
    assert_eq!(note.code(), "continuation");
    let text = note.to_string();
    assert!(
        text.starts_with("f[0] for N > ")
            && text.contains("extrapolation of the formula to N = 0, outside the interval"),
        "{text}"
    );
    let json = serde_json::to_value(&fit).expect("json");
    let back: Fit = serde_json::from_value(json.clone()).expect("a fit");
    assert_eq!(back.notes, fit.notes);
    // Files of earlier versions have no notes.
    let mut old = json;
    old.as_object_mut().expect("an object").remove("notes");
    assert!(serde_json::from_value::<Fit>(old).expect("a fit").notes.is_empty());
}
