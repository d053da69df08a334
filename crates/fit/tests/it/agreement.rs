//! Two models of one program must agree within their intervals, even if the formula is slightly
//! wrong and chance decides between divisions.

use crate::reading::formula;
use cll_fit::{Data, Estimate, Fit, Intervals, Options, fit};
use cll_statistics::normal;
use fastrand::Rng;
use test_draw::thinned;

/// Memory that comes into use gradually, as caches are shared and pages are placed by chance: no
/// boundary is the right one.
fn gradual(n: f64) -> f64 {
    let share = 1.0 / (1.0 + (-(n / 900.0).ln() / 0.15).exp());
    let waves = 1.0 + 0.03 * (3.0 * n.ln()).sin();
    (2e-7 + 2e-9 * n + n * n * (0.3e-9 + 2.0e-9 * share)) * waves
}

fn sampled(rng: &mut Rng, intervals: Intervals) -> Fit {
    let mut rows = Vec::new();
    for k in 0..60u32 {
        let n = (40.0 * 1.078f64.powi(k as i32)).round();
        let t = gradual(n) * (1.0 + 0.006 * normal(|| rng.f64()));
        rows.extend((0..7).map(|_| (vec![n], t * (1.0 + 0.004 * normal(|| rng.f64())))));
    }
    let data = Data::from_rows(vec!["N".to_owned()], rows);
    // Constants are the same whether predictions follow the data or not.
    let options = Options { follow: false, intervals, ..Options::default() };
    fit(&formula("f[0] + f[1]*N + f[2]*N*N"), &data, &options).expect("60 points")
}

fn ends(estimate: &Estimate) -> Option<(f64, f64)> {
    Some((estimate.low?, estimate.high?))
}

/// Constants that are compared, and those that agree: each with that of the other model in the middle of where it holds.
/// `place` gives a constant of the other model by its term there, if it has one.
fn agreeing(a: &Fit, place: impl Fn(usize, f64) -> Option<Estimate>) -> (usize, usize) {
    let (mut all, mut agreeing) = (0, 0);
    for (term, constant) in a.constants.iter().enumerate() {
        for segment in &constant.segments {
            let (low, high) = a.measured_range(segment);
            let other = place(term, (low * high).sqrt()).as_ref().and_then(ends);
            let (Some(own), Some(theirs)) = (ends(&segment.estimate), other) else { continue };
            all += 1;
            agreeing += usize::from(own.0 <= theirs.1 && theirs.0 <= own.1);
        }
    }
    (all, agreeing)
}

/// The constant of the interval in which a size lies.
fn of_interval(fit: &Fit, term: usize, size: f64) -> Option<Estimate> {
    let interval = fit.boundaries.iter().take_while(|boundary| size > boundary.at).count();
    Some(fit.intervals[interval].constants[term].clone())
}

/// The level that holds at a size; `None` where the constant changes.
fn of_level(fit: &Fit, term: usize, size: f64) -> Option<Estimate> {
    let changes = fit.changes.get(term).map_or(&[][..], |changes| changes);
    if changes.iter().any(|change| (0.1..0.9).contains(&change.share(size))) {
        return None;
    }
    let level = changes.iter().take_while(|change| size > change.position()).count();
    Some(fit.constants[term].segments[level].estimate.clone())
}

#[test]
fn constants_of_two_runs_agree_where_no_division_is_the_right_one() {
    for seed in thinned(0..3, 3) {
        let mut rng = Rng::with_seed(seed);
        let (mut all, mut good) = (0, 0);
        for _ in 0..13 {
            let mut fit = || sampled(&mut rng, Intervals::dynamic());
            let (a, b) = (fit(), fit());
            let (n, k) = agreeing(&a, |term, size| of_interval(&b, term, size));
            all += n;
            good += k;
        }
        println!("seed {seed}: {good} of {all} agree");
        assert!(all > 65, "seed {seed}: {all} constants");
        assert!(good as f64 >= 0.9 * all as f64, "seed {seed}: {good} of {all} agree");
    }
}

#[test]
fn levels_of_two_runs_agree_where_no_change_is_the_right_one() {
    for seed in thinned(0..3, 3) {
        let mut rng = Rng::with_seed(seed);
        let (mut all, mut good) = (0, 0);
        for _ in 0..13 {
            let mut fit = || sampled(&mut rng, Intervals::levels());
            let (a, b) = (fit(), fit());
            let (n, k) = agreeing(&a, |term, size| of_level(&b, term, size));
            all += n;
            good += k;
        }
        println!("seed {seed}: {good} of {all} agree");
        assert!(good as f64 >= 0.9 * all as f64, "seed {seed}: {good} of {all} agree");
    }
}
